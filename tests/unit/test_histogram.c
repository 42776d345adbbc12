/* SPDX-License-Identifier: MIT */
/* The base-2 exponential histogram and the arithmetic under it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "core/histogram.h"
#include "core/math.h"
#include "unit/sim.h"

static void index_of_powers_of_two_is_exact(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 64; k++) {
        /* 2^k is the upper end of its interval; the next number is in a later one. */
        assert_int_equal(passtime_log2_index(UINT64_C(1) << k), k * 128 + 127);
        assert_true(passtime_log2_index((UINT64_C(1) << k) + (k > 0)) > k * 128 + 126 + (k > 0));
    }
    assert_int_equal(passtime_log2_index(UINT64_MAX), 64 * 128 + 127);
}

static void index_of_small_numbers_is_exact(void **state)
{
    (void)state;
    for (uint64_t v = 1; v < 200000; v++) {
        uint32_t wanted = (uint32_t)ceill(log2l((long double)v) * 128) + 127;
        if ((v & (v - 1)) != 0) {
            assert_int_equal(passtime_log2_index(v), wanted);
        }
    }
}

__extension__ typedef unsigned __int128 wide;

/* The bound 2^(63 + k/128), rounded down: the last number of 64 bits that is not above it. */
static uint64_t bound_of(uint32_t k)
{
    uint64_t low = UINT64_C(1) << 63;
    uint64_t high = UINT64_MAX;
    while (low < high) {
        uint64_t middle = high - (high - low) / 2;
        if (passtime_log2_index(middle) < 64 * 128 + k) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/*
 * Every bound against the others, in whole numbers: with b the rounded and B the true bound, b_k is
 * not above B_k is not above b_k + 1, B_k^2 = 2^63 B_2k, and B_k B_(128-k) = 2^127.
 */
static void bounds_are_exact(void **state)
{
    (void)state;
    uint64_t b[128];
    for (uint32_t k = 0; k < 128; k++) {
        b[k] = bound_of(k);
    }
    assert_true(b[0] == UINT64_C(1) << 63);
    assert_true((wide)b[64] * b[64] <= (wide)1 << 127);
    assert_true((wide)(b[64] + 1) * (b[64] + 1) > (wide)1 << 127);
    for (uint32_t k = 1; k < 64; k++) {
        assert_true((wide)b[k] * b[k] >> 63 <= b[2 * k]);
        assert_true((wide)(b[k] + 1) * (b[k] + 1) >> 63 >= b[2 * k]);
        assert_true((wide)b[k] * b[128 - k] <= (wide)1 << 127);
        assert_true((wide)(b[k] + 1) * (b[128 - k] + 1) > (wide)1 << 127);
    }
}

static void index_lies_between_its_bounds(void **state)
{
    (void)state;
    struct sim_random r;
    sim_seed(&r, 1);
    for (int i = 0; i < 200000; i++) {
        uint64_t v = sim_bits(&r) >> (sim_bits(&r) & 63);
        v += v == 0;
        uint32_t index = passtime_log2_index(v);
        /* The bounds are rounded to doubles. */
        assert_true(passtime_log2_bound(index) <= (double)v * (1 + 0x1p-51));
        assert_true(passtime_log2_bound(index + 1) >= (double)v * (1 - 0x1p-51));
    }
}

static void empty_has_no_values(void **state)
{
    (void)state;
    struct passtime_histogram h;
    uint64_t value;
    passtime_histogram_init(&h);
    assert_int_equal(passtime_histogram_count(&h), 0);
    assert_false(passtime_histogram_quantile(&h, 500, &value));
    assert_false(passtime_histogram_rank(&h, 0, &value));
    assert_int_equal(passtime_histogram_offset(&h), 0);
}

static void zeros_are_counted_apart(void **state)
{
    (void)state;
    struct passtime_histogram h;
    uint64_t value;
    passtime_histogram_init(&h);
    for (int i = 0; i < 6; i++) {
        passtime_histogram_add(&h, 0);
    }
    for (int i = 0; i < 4; i++) {
        passtime_histogram_add(&h, 1000);
    }
    assert_int_equal(h.zero_count, 6);
    assert_int_equal(passtime_histogram_count(&h), 10);
    assert_true(passtime_histogram_quantile(&h, 600, &value));
    assert_int_equal(value, 0);
    assert_true(passtime_histogram_quantile(&h, 610, &value));
    assert_in_range(value, 995, 1005);
    assert_false(passtime_histogram_quantile(&h, 1001, &value));
}

/* OpenTelemetry: bucket i holds (2^(i/2^scale), 2^((i+1)/2^scale)], so that 1 is the upper end of
 * -1. */
static void offset_is_that_of_opentelemetry(void **state)
{
    (void)state;
    struct passtime_histogram h;
    passtime_histogram_init(&h);
    passtime_histogram_add(&h, 1);
    assert_int_equal(h.scale, 7);
    int32_t slot = 0;
    while (h.buckets[slot] == 0) {
        slot++;
    }
    assert_int_equal(passtime_histogram_offset(&h) + slot, -1);
    passtime_histogram_add(&h, UINT64_MAX);
    assert_int_equal(h.scale, 1);
    uint32_t last = PASSTIME_HISTOGRAM_BUCKETS - 1;
    while (h.buckets[last] == 0) {
        last--;
    }
    assert_int_equal(passtime_histogram_offset(&h) + (int32_t)last, 127);
}

/* Every sample is in the bucket that its index at the final scale names. */
static void assert_holds(const struct passtime_histogram *h, const uint64_t *values, uint32_t count)
{
    static uint32_t wanted[66 * 128];
    memset(wanted, 0, sizeof wanted);
    uint64_t zeros = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (values[i] == 0) {
            zeros++;
        } else {
            wanted[passtime_log2_index(values[i]) >> (7 - h->scale)]++;
        }
    }
    assert_int_equal(h->zero_count, zeros);
    assert_int_equal(passtime_histogram_count(h), count);
    for (uint32_t i = 0; i < PASSTIME_HISTOGRAM_BUCKETS && h->used; i++) {
        if (h->buckets[i] != 0) {
            assert_int_equal(h->buckets[i], wanted[h->first + i]);
        }
    }
}

static uint32_t draw(struct sim_random *r, uint64_t *values, uint32_t count)
{
    uint32_t octaves = (uint32_t)(sim_bits(r) & 63);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t top = UINT64_C(1) << (sim_bits(r) % (octaves + 1));
        values[i] = sim_bits(r) % 16 == 0 ? 0 : top + (sim_bits(r) & (top - 1));
    }
    return count;
}

static void buckets_hold_what_was_added(void **state)
{
    (void)state;
    struct sim_random r;
    static uint64_t values[500];
    sim_seed(&r, 2);
    for (uint32_t trial = 0; trial < 300; trial++) {
        struct passtime_histogram h;
        passtime_histogram_init(&h);
        uint32_t count = draw(&r, values, 1 + trial);
        for (uint32_t i = 0; i < count; i++) {
            passtime_histogram_add(&h, values[i]);
        }
        assert_holds(&h, values, count);
    }
}

/* The same scale and the same count for every value, wherever the buckets start. */
static void assert_equal(const struct passtime_histogram *a, const struct passtime_histogram *b)
{
    assert_int_equal(a->scale, b->scale);
    assert_int_equal(a->zero_count, b->zero_count);
    assert_int_equal(passtime_histogram_count(a), passtime_histogram_count(b));
    for (uint32_t i = 0; i < PASSTIME_HISTOGRAM_BUCKETS; i++) {
        uint32_t slot = a->first + i - b->first;
        if (a->buckets[i] != 0) {
            assert_true(slot < PASSTIME_HISTOGRAM_BUCKETS);
            assert_int_equal(a->buckets[i], b->buckets[slot]);
        }
    }
}

static void merging_is_adding(void **state)
{
    (void)state;
    struct sim_random r;
    static uint64_t left[120];
    static uint64_t right[120];
    sim_seed(&r, 3);
    for (uint32_t trial = 0; trial < 1000; trial++) {
        struct passtime_histogram a;
        struct passtime_histogram b;
        struct passtime_histogram both;
        passtime_histogram_init(&a);
        passtime_histogram_init(&b);
        passtime_histogram_init(&both);
        uint32_t lefts = draw(&r, left, trial % 120);
        uint32_t rights = draw(&r, right, trial * 7 % 120);
        for (uint32_t i = 0; i < lefts; i++) {
            passtime_histogram_add(&a, left[i]);
            passtime_histogram_add(&both, left[i]);
        }
        for (uint32_t i = 0; i < rights; i++) {
            passtime_histogram_add(&b, right[i]);
            passtime_histogram_add(&both, right[i]);
        }
        struct passtime_histogram a_then_b = a;
        passtime_histogram_merge(&a_then_b, &b);
        passtime_histogram_merge(&b, &a);
        assert_equal(&a_then_b, &both);
        assert_equal(&b, &both);
    }
}

static void quantiles_are_within_a_bucket(void **state)
{
    (void)state;
    struct passtime_histogram h;
    passtime_histogram_init(&h);
    /* 1 ms to 2 ms: one octave, so that the finest scale holds. */
    for (uint64_t v = 1000001; v <= 2000000; v++) {
        passtime_histogram_add(&h, v);
    }
    assert_int_equal(h.scale, 7);
    for (uint32_t permille = 1; permille <= 1000; permille++) {
        uint64_t value;
        uint64_t truth = 1000000 + 1000 * permille;
        assert_true(passtime_histogram_quantile(&h, permille, &value));
        assert_true(fabs((double)value - (double)truth) <= 0.0055 * (double)truth);
    }
}

static void full_bucket_silences_quantiles(void **state)
{
    (void)state;
    struct passtime_histogram h;
    uint64_t value;
    passtime_histogram_init(&h);
    passtime_histogram_add(&h, 1000);
    for (uint32_t i = 0; i < PASSTIME_HISTOGRAM_BUCKETS; i++) {
        h.buckets[i] = h.buckets[i] != 0 ? UINT32_MAX : 0;
    }
    passtime_histogram_add(&h, 1000);
    assert_true(h.saturated);
    assert_int_equal(passtime_histogram_count(&h), UINT32_MAX);
    assert_false(passtime_histogram_quantile(&h, 500, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_of_powers_of_two_is_exact),
        cmocka_unit_test(index_of_small_numbers_is_exact),
        cmocka_unit_test(bounds_are_exact),
        cmocka_unit_test(index_lies_between_its_bounds),
        cmocka_unit_test(empty_has_no_values),
        cmocka_unit_test(zeros_are_counted_apart),
        cmocka_unit_test(offset_is_that_of_opentelemetry),
        cmocka_unit_test(buckets_hold_what_was_added),
        cmocka_unit_test(merging_is_adding),
        cmocka_unit_test(quantiles_are_within_a_bucket),
        cmocka_unit_test(full_bucket_silences_quantiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
