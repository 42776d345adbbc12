/* SPDX-License-Identifier: MIT */
/*
 * What the core needs of arithmetic beyond the four rules, without a mathematics library: exact
 * bucket indices on a base-2 logarithmic scale, a square root, and the quantile of Student's
 * distribution.
 */
#include "core/math.h"

#include <string.h>

/* floor(2^63 * 2^(k/128)), worked out to 80 digits; the last one closes the table. */
static const uint64_t bounds[129] = {
    0x8000000000000000u, 0x80b1ed4fd999ab6cu, 0x8164d1f3bc030773u, 0x8218af4373fc25ebu,
    0x82cd8698ac2ba1d7u, 0x8383594eefb6ee36u, 0x843a28c3acde4046u, 0x84f1f656379c1a29u,
    0x85aac367cc487b14u, 0x8664915b923fba03u, 0x871f61969e8d1010u, 0x87db357ff698d791u,
    0x88980e8092da8527u, 0x8955ee03618e5fdcu, 0x8a14d575496efd9au, 0x8ad4c6452c728924u,
    0x8b95c1e3ea8bd6e6u, 0x8c57c9c4646f4dddu, 0x8d1adf5b7e5ba9e5u, 0x8ddf042022e69cd5u,
    0x8ea4398b45cd53c0u, 0x8f6a8117e6c8e5c4u, 0x9031dc431466b1dcu, 0x90fa4c8beee4b12au,
    0x91c3d373ab11c336u, 0x928e727d9531f9acu, 0x935a2b2f13e6e92bu, 0x9426ff0fab1c04b6u,
    0x94f4efa8fef70961u, 0x95c3fe86d6cc7feeu, 0x96942d3720185a00u, 0x97657d49f17ab08eu,
    0x9837f0518db8a96fu, 0x990b87e266c189a9u, 0x99e0459320b7fa64u, 0x9ab62afc94ff864au,
    0x9b8d39b9d54e5538u, 0x9c6573682ec32c2du, 0x9d3ed9a72cffb750u, 0x9e196e189d472420u,
    0x9ef5326091a111adu, 0x9fd228256400dd05u, 0xa0b0510fb9714fc2u, 0xa18faeca8544b6e3u,
    0xa27043030c496818u, 0xa3520f68e802bb92u, 0xa43515ae09e6809eu, 0xa5195786be9ef339u,
    0xa5fed6a9b15138eau, 0xa6e594cfeee86b1du, 0xa7cd93b4e9653569u, 0xa8b6d5167b320e08u,
    0xa9a15ab4ea7c0ef8u, 0xaa8d2652ec907629u, 0xab7a39b5a93ed337u, 0xac6896a4be3fe929u,
    0xad583eea42a14ac6u, 0xae493452ca35b80eu, 0xaf3b78ad690a4374u, 0xb02f0dcbb6e04583u,
    0xb123f581d2ac258fu, 0xb21a31a66618fe3bu, 0xb311c412a9112489u, 0xb40aaea2654b9840u,
    0xb504f333f9de6484u, 0xb60093a85ed5f76bu, 0xb6fd91e328d17791u, 0xb7fbefca8ca41e7cu,
    0xb8fbaf4762fb9ee9u, 0xb9fcd2452c0b9deau, 0xbaff5ab2133e45fbu, 0xbc034a7ef2e9fb0cu,
    0xbd08a39f580c36beu, 0xbe0f6809860993e2u, 0xbf1799b67a731082u, 0xc0213aa1f0d08db0u,
    0xc12c4cca66709456u, 0xc238d2311e3d6672u, 0xc346ccda24976407u, 0xc4563ecc5334cb32u,
    0xc5672a115506daddu, 0xc67990b5aa245f79u, 0xc78d74c8abb9b15cu, 0xc8a2d85c8ffe2c45u,
    0xc9b9bd866e2f27a2u, 0xcad2265e4290774du, 0xcbec14fef2727c5cu, 0xcd078b86503dcdd1u,
    0xce248c151f8480e3u, 0xcf4318cf191918c1u, 0xd06333daef2b2594u, 0xd184df6251699ac6u,
    0xd2a81d91f12ae45au, 0xd3ccf099859ac379u, 0xd4f35aabcfedfa1fu, 0xd61b5dfe9f9bce06u,
    0xd744fccad69d6af4u, 0xd870394c6db32c84u, 0xd99d15c278afd7b5u, 0xdacb946f2ac9cc71u,
    0xdbfbb797daf23755u, 0xdd2d818508324c20u, 0xde60f4825e0e9123u, 0xdf9612deb8f04420u,
    0xe0ccdeec2a94e111u, 0xe2055afffe83d368u, 0xe33f8972be8a5a51u, 0xe47b6ca0373da88du,
    0xe5b906e77c8348a8u, 0xe6f85aaaee1fce22u, 0xe8396a503c4bdc68u, 0xe97c38406c4f8c56u,
    0xeac0c6e7dd24392eu, 0xec0718b64c1cbddcu, 0xed4f301ed9942b84u, 0xee990f980da3025bu,
    0xefe4b99bdcdaf5cbu, 0xf13230a7ad094509u, 0xf281773c59ffb139u, 0xf3d28fde3a641a5au,
    0xf5257d152486cc2cu, 0xf67a416c733f846du, 0xf7d0df730ad13bb8u, 0xf92959bb5dd4ba74u,
    0xfa83b2db722a033au, 0xfbdfed6ce5f09c48u, 0xfd3e0c0cf486c174u, 0xfe9e115c7b8f884bu,
    0xffffffffffffffffu};

/* How many bounds lie below the mantissa whose first eight bits after the leading one are the
 * index. */
static const uint8_t bounds_below[256] = {
    0,   1,   2,   3,   3,   4,   5,   5,   6,   7,   8,   8,   9,   10,  10,  11,  12,  12,  13,
    14,  14,  15,  16,  16,  17,  18,  18,  19,  20,  20,  21,  22,  22,  23,  24,  24,  25,  25,
    26,  27,  27,  28,  29,  29,  30,  30,  31,  32,  32,  33,  33,  34,  35,  35,  36,  36,  37,
    38,  38,  39,  39,  40,  41,  41,  42,  42,  43,  43,  44,  45,  45,  46,  46,  47,  47,  48,
    49,  49,  50,  50,  51,  51,  52,  52,  53,  53,  54,  55,  55,  56,  56,  57,  57,  58,  58,
    59,  59,  60,  60,  61,  61,  62,  62,  63,  63,  64,  64,  65,  65,  66,  67,  67,  68,  68,
    69,  69,  70,  70,  71,  71,  71,  72,  72,  73,  73,  74,  74,  75,  75,  76,  76,  77,  77,
    78,  78,  79,  79,  80,  80,  81,  81,  82,  82,  82,  83,  83,  84,  84,  85,  85,  86,  86,
    87,  87,  87,  88,  88,  89,  89,  90,  90,  91,  91,  91,  92,  92,  93,  93,  94,  94,  95,
    95,  95,  96,  96,  97,  97,  98,  98,  98,  99,  99,  100, 100, 101, 101, 101, 102, 102, 103,
    103, 103, 104, 104, 105, 105, 105, 106, 106, 107, 107, 108, 108, 108, 109, 109, 110, 110, 110,
    111, 111, 112, 112, 112, 113, 113, 113, 114, 114, 115, 115, 115, 116, 116, 117, 117, 117, 118,
    118, 118, 119, 119, 120, 120, 120, 121, 121, 122, 122, 122, 123, 123, 123, 124, 124, 124, 125,
    125, 126, 126, 126, 127, 127, 127, 128, 128};

uint32_t passtime_log2_index(uint64_t value)
{
    uint32_t shift = (uint32_t)__builtin_clzll(value);
    uint64_t mantissa = value << shift;
    /* A bound is irrational unless it is a power of two, and an interval holds its upper end, so
     * that "above the bound" and "above its floor" are the same for a whole number. A cell of the
     * table is narrower than the bounds are apart: one comparison settles it. */
    uint32_t below = bounds_below[(mantissa >> 55) & 255];
    below += mantissa > bounds[below];
    return (64 - shift) * PASSTIME_LOG2_STEPS + below - 1;
}

/* 2^exponent, for exponents of normal numbers. */
static double power_of_two(int32_t exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

double passtime_log2_bound(uint32_t index)
{
    int32_t octave = (int32_t)(index / PASSTIME_LOG2_STEPS) - 1;
    return (double)bounds[index % PASSTIME_LOG2_STEPS] * power_of_two(octave - 63);
}

double passtime_sqrt(double x)
{
    if (!(x > 0)) {
        return 0;
    }
    /* Halving the exponent is within 6 % of the root; each of Newton's steps doubles the digits. */
    uint64_t bits;
    double root;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits >> 1) + ((uint64_t)1023 << 51);
    memcpy(&root, &bits, sizeof root);
    for (int i = 0; i < 5; i++) {
        root = 0.5 * (root + x / root);
    }
    return root;
}

double passtime_student(double freedom)
{
    static const double exact[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
                                   2.365,  2.306, 2.262, 2.228, 2.201};
    if (!(freedom > 1)) {
        return exact[0];
    }
    if (freedom < 10) {
        uint32_t whole = (uint32_t)freedom;
        return exact[whole - 1] + (exact[whole] - exact[whole - 1]) * (freedom - whole);
    }
    /* Fisher's expansion about the normal quantile 1.959964; from 10 on it is good to four digits.
     */
    return 1.959964 + 2.372271 / freedom + 2.822500 / (freedom * freedom) +
           2.555853 / (freedom * freedom * freedom);
}
