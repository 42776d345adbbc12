/* SPDX-License-Identifier: MIT */
#include "core/ticks.h"

#include <string.h>

/* A product of two 64-bit numbers. No __int128: Windows and a bare wasm32 lack its division. */
struct wide {
    uint64_t high;
    uint64_t low;
};

static const uint64_t LOW_HALF = UINT32_MAX;

static struct wide multiply(uint64_t a, uint64_t b)
{
    uint64_t low = (a & LOW_HALF) * (b & LOW_HALF);
    uint64_t cross = (a >> 32) * (b & LOW_HALF) + (low >> 32);
    uint64_t carry = (a & LOW_HALF) * (b >> 32) + (cross & LOW_HALF);
    return (struct wide){
        .high = (a >> 32) * (b >> 32) + (cross >> 32) + (carry >> 32),
        .low = carry << 32 | (low & LOW_HALF),
    };
}

/* Moves the highest bit set to bit 63 and says by how many bits. v is not 0. */
static uint32_t normalize(uint64_t *v)
{
    uint32_t shift = 0;
    for (uint32_t step = 32; step > 0; step /= 2) {
        if (*v >> (64 - step) == 0) {
            *v <<= step;
            shift += step;
        }
    }
    return shift;
}

/* One digit of 32 bits of a long division (Knuth, The Art of Computer Programming 2, 4.3.1, D):
 * `high` is less than `d`, whose bit 63 is set; `next` is the digit that follows. */
static uint64_t quotient_digit(uint64_t high, uint64_t next, uint64_t d, uint64_t *remainder)
{
    uint64_t digit = high / (d >> 32);
    uint64_t rest = high % (d >> 32);
    while (digit > LOW_HALF || digit * (d & LOW_HALF) > (rest << 32 | next)) {
        digit--;
        rest += d >> 32;
        if (rest > LOW_HALF)
            break;
    }
    /* Modulo 2^64: the true remainder is less than d. */
    *remainder = (high << 32 | next) - digit * d;
    return digit;
}

/* n / d where the quotient fits 64 bits, that is n.high < d. */
static uint64_t divide(struct wide n, uint64_t d, uint64_t *remainder)
{
    if (n.high == 0) {
        *remainder = n.low % d;
        return n.low / d;
    }
    uint32_t shift = normalize(&d);
    uint64_t high = n.high << shift;
    if (shift > 0)
        high |= n.low >> (64 - shift);
    uint64_t low = n.low << shift;
    uint64_t rest;
    uint64_t first = quotient_digit(high, low >> 32, d, &rest);
    uint64_t second = quotient_digit(rest, low & LOW_HALF, d, &rest);
    *remainder = rest >> shift;
    return first << 32 | second;
}

static bool known(struct passtime_unit unit)
{
    return unit.num != 0 && unit.den != 0;
}

/* The same as divide() for d = 2^k, which every unit that was a double is. */
static uint64_t divide_by_power(struct wide n, uint64_t d, uint64_t *remainder)
{
    uint32_t k = (uint32_t)__builtin_ctzll(d);
    *remainder = n.low & (d - 1);
    return k == 0 ? n.low : n.high << (64 - k) | n.low >> k;
}

bool passtime_ticks_scale(uint64_t ticks, struct passtime_unit unit, uint64_t *ns)
{
    if (!known(unit))
        return false;
    /* No more bits together than a word has: so it is with most ticks, as a period that was a float
     * has a numerator of 24 bits. */
    bool fits = __builtin_clzll(ticks | 1) + __builtin_clzll(unit.num) >= 64;
    struct wide product =
        fits ? (struct wide){.high = 0, .low = ticks * unit.num} : multiply(ticks, unit.num);
    if (product.high >= unit.den)
        return false;
    uint64_t remainder;
    bool power = (unit.den & (unit.den - 1)) == 0;
    uint64_t whole = power ? divide_by_power(product, unit.den, &remainder)
                           : divide(product, unit.den, &remainder);
    bool up = remainder >= unit.den - remainder;
    if (up && whole == UINT64_MAX)
        return false;
    *ns = whole + up;
    return true;
}

bool passtime_ns_to_ticks(uint64_t ns, struct passtime_unit unit, uint64_t *ticks)
{
    if (!known(unit))
        return false;
    if (unit.num == unit.den) {
        *ticks = ns;
        return true;
    }
    struct wide product = multiply(ns, unit.den);
    if (product.high >= unit.num)
        return false;
    uint64_t remainder;
    *ticks = divide(product, unit.num, &remainder);
    return true;
}

uint64_t passtime_ticks_period_ns(uint32_t valid_bits, struct passtime_unit unit)
{
    if (!known(unit) || valid_bits == 0)
        return UINT64_MAX;
    struct wide product = {.high = unit.num, .low = 0};
    if (valid_bits < 64) {
        product.high = unit.num >> (64 - valid_bits);
        product.low = unit.num << valid_bits;
    }
    if (product.high >= unit.den)
        return UINT64_MAX;
    uint64_t remainder;
    return divide(product, unit.den, &remainder);
}

struct passtime_unit passtime_front_unit(double period_ns)
{
    const struct passtime_unit unknown = {0, 0};
    uint64_t bits;
    memcpy(&bits, &period_ns, sizeof bits);
    uint32_t exponent = (uint32_t)(bits >> 52);
    /* The top bit is the sign. 0x7FF: infinite or not a number. 0: zero, or far too small for a
     * tick. */
    if (exponent == 0 || exponent >= 0x7FF)
        return unknown;
    uint64_t num = (bits & passtime_ticks_mask(52)) | UINT64_C(1) << 52;
    int32_t power = (int32_t)exponent - 1075; /* the value is num * 2^power */
    while (num % 2 == 0) {
        num /= 2;
        power++;
    }
    if (power < -63 || power > 63 || (power > 0 && num >> (64 - power) != 0))
        return unknown;
    if (power >= 0)
        return (struct passtime_unit){num << power, 1};
    return (struct passtime_unit){num, UINT64_C(1) << -power};
}
