/* SPDX-License-Identifier: MIT */
/* Ticks: exact at every size, against arithmetic of 128 bits. */
#include "core/ticks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

__extension__ typedef unsigned __int128 wide;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Random with a random number of leading zeros: small and large values are equally likely. */
static uint64_t random_size(uint64_t *state)
{
    uint64_t value = next_random(state);
    return value >> next_random(state) % 64;
}

static uint64_t to_ns(uint64_t ticks, struct passtime_unit unit)
{
    uint64_t ns = 0;
    assert_true(passtime_ticks_to_ns(ticks, unit, &ns));
    return ns;
}

static void test_mask(void **state)
{
    (void)state;
    assert_int_equal(passtime_ticks_mask(1), 1);
    assert_int_equal(passtime_ticks_mask(36), 0xFFFFFFFFF);
    assert_int_equal(passtime_ticks_mask(48), 0xFFFFFFFFFFFF);
    assert_int_equal(passtime_ticks_mask(63), UINT64_MAX / 2);
    assert_int_equal(passtime_ticks_mask(64), UINT64_MAX);
    assert_int_equal(passtime_ticks_mask(65), UINT64_MAX);
}

/* BR-10's sums: a counter that wraps between begin and end gives the true difference. */
static void test_wraps(void **state)
{
    (void)state;
    const uint32_t widths[] = {36, 48, 64};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        uint64_t mask = passtime_ticks_mask(widths[i]);
        assert_int_equal(passtime_ticks_sub(4, mask - 5, widths[i]), 10);
        assert_int_equal(passtime_ticks_sub(0, mask, widths[i]), 1);
        assert_int_equal(passtime_ticks_sub(7, 7, widths[i]), 0);
        assert_int_equal(passtime_ticks_sub(6, 7, widths[i]), mask);
    }
    /* Bits above the valid ones are rubbish. */
    assert_int_equal(passtime_ticks_sub(0xABCD000000000004, 0x1230FFFFFFFFFFFA, 48), 10);
}

/* BR-13: 19,200 ticks at 52.0833 ns are a millisecond; nanoseconds stay what they are. */
static void test_units_of_real_devices(void **state)
{
    (void)state;
    assert_int_equal(to_ns(19200, (struct passtime_unit){625, 12}), 1000000);
    assert_int_equal(to_ns(1000000, (struct passtime_unit){1, 1}), 1000000);
    /* A period that came as a float: what it says, exactly, and not 52.083332 in a float's product.
     */
    struct passtime_unit unit = passtime_front_unit((double)52.083332f);
    assert_int_equal(to_ns(19200, unit), 1000000);
    assert_int_equal(unit.den, 1 << 18);
    assert_int_equal(unit.num, 13653333);
    unit = passtime_front_unit((double)83.333333f);
    assert_int_equal(to_ns(12000, unit), 1000000);
}

/* BR-15: days of uptime cost no precision. */
static void test_days_of_uptime(void **state)
{
    (void)state;
    const struct passtime_unit unit = {625, 12};
    uint64_t begin = (UINT64_C(1) << 55) + 7;
    assert_int_equal(to_ns(passtime_ticks_sub(begin + 19200, begin, 64), unit), 1000000);
    assert_int_equal(to_ns(begin + 19200, unit) - to_ns(begin, unit), 1000000);

    /* Thirty days at 1 GHz and a unit whose product takes 128 bits: neighbours keep their order. */
    struct passtime_unit fine = passtime_front_unit(1.0000000001);
    uint64_t month = UINT64_C(30) * 86400 * 1000000000;
    uint64_t before = to_ns(month, fine);
    for (uint64_t i = 1; i <= 1000; i++) {
        uint64_t now = to_ns(month + i, fine);
        assert_int_equal(now - before, 1);
        before = now;
    }
    uint64_t slow_month = UINT64_C(30) * 86400 * 19200000;
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t step = to_ns(slow_month + i + 1, unit) - to_ns(slow_month + i, unit);
        assert_in_range(step, 52, 53);
    }
}

static void test_rounds_half_up(void **state)
{
    (void)state;
    assert_int_equal(to_ns(1, (struct passtime_unit){1, 2}), 1);
    assert_int_equal(to_ns(1, (struct passtime_unit){1, 3}), 0);
    assert_int_equal(to_ns(2, (struct passtime_unit){1, 3}), 1);
    assert_int_equal(to_ns(1, (struct passtime_unit){625, 12}), 52);
    assert_int_equal(to_ns(6, (struct passtime_unit){625, 12}), 313);
    assert_int_equal(to_ns(1, (struct passtime_unit){UINT64_MAX - 1, UINT64_MAX}), 1);
    assert_int_equal(to_ns(1, (struct passtime_unit){UINT64_MAX / 2, UINT64_MAX}), 0);
}

static void test_refuses_what_it_cannot_say(void **state)
{
    (void)state;
    uint64_t out = 42;
    assert_false(passtime_ticks_to_ns(1, (struct passtime_unit){0, 1}, &out));
    assert_false(passtime_ticks_to_ns(1, (struct passtime_unit){1, 0}, &out));
    assert_false(passtime_ticks_to_ns(UINT64_MAX, (struct passtime_unit){2, 1}, &out));
    /* UINT64_MAX + 1/2 rounds up to what does not fit. */
    assert_false(
        passtime_ticks_to_ns(UINT64_C(1) << 63, (struct passtime_unit){UINT64_MAX, 1}, &out));
    assert_false(passtime_ticks_to_ns(
        UINT64_C(3) << 62, (struct passtime_unit){UINT64_MAX, 3 * (UINT64_C(1) << 62) - 1}, &out));
    assert_false(passtime_ns_to_ticks(1, (struct passtime_unit){0, 0}, &out));
    assert_false(passtime_ns_to_ticks(UINT64_MAX, (struct passtime_unit){1, 2}, &out));
    assert_int_equal(out, 42);
}

static void check_scaling(uint64_t ticks, struct passtime_unit unit)
{
    uint64_t out = 42;
    wide product = (wide)ticks * unit.num;
    wide expected = product / unit.den;
    if (product % unit.den >= unit.den - product % unit.den)
        expected++;
    bool fits = expected <= UINT64_MAX;
    assert_int_equal(passtime_ticks_to_ns(ticks, unit, &out), fits);
    assert_int_equal(out, fits ? (uint64_t)expected : 42);

    out = 42;
    expected = (wide)ticks * unit.den / unit.num;
    fits = expected <= UINT64_MAX;
    assert_int_equal(passtime_ns_to_ticks(ticks, unit, &out), fits);
    assert_int_equal(out, fits ? (uint64_t)expected : 42);
}

static void check_period(uint32_t bits, struct passtime_unit unit)
{
    wide product = bits == 64 ? (wide)unit.num << 64 : (wide)unit.num << bits;
    wide expected = product / unit.den;
    uint64_t period = expected > UINT64_MAX ? UINT64_MAX : (uint64_t)expected;
    assert_int_equal(passtime_ticks_period_ns(bits, unit), period);
}

static void test_agrees_with_wide_arithmetic(void **state)
{
    (void)state;
    uint64_t seed = 20240229;
    const uint64_t edges[] = {
        1, 2, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};
    const size_t n = sizeof edges / sizeof edges[0];
    for (size_t i = 0; i < n * n * n; i++) {
        struct passtime_unit unit = {edges[i / n % n], edges[i % n]};
        check_scaling(edges[i / n / n], unit);
        check_scaling(edges[i / n / n] - 1, unit);
    }
    for (int i = 0; i < 300000; i++) {
        struct passtime_unit unit = {random_size(&seed) | 1, random_size(&seed) | 1};
        check_scaling(random_size(&seed), unit);
        check_period((uint32_t)(1 + next_random(&seed) % 64), unit);
    }
}

static void test_periods(void **state)
{
    (void)state;
    const struct passtime_unit unit = {625, 12};
    assert_int_equal(passtime_ticks_period_ns(36, unit), UINT64_C(3579139413333));
    assert_int_equal(passtime_ticks_period_ns(32, (struct passtime_unit){1, 1}), UINT64_C(1) << 32);
    assert_int_equal(passtime_ticks_period_ns(64, (struct passtime_unit){1, 1}), UINT64_MAX);
    assert_int_equal(passtime_ticks_period_ns(64, (struct passtime_unit){1, 2}), UINT64_C(1) << 63);
    assert_int_equal(passtime_ticks_period_ns(64, unit), UINT64_MAX);
    assert_int_equal(passtime_ticks_period_ns(36, (struct passtime_unit){0, 0}), UINT64_MAX);
    assert_int_equal(passtime_ticks_period_ns(0, unit), UINT64_MAX);
}

static void expect_unit(double period_ns, uint64_t num, uint64_t den)
{
    struct passtime_unit unit = passtime_front_unit(period_ns);
    assert_int_equal(unit.num, num);
    assert_int_equal(unit.den, den);
}

/* BR-14 as far as it is arithmetic: no NaN, infinity or 0 becomes a unit. */
static void test_unit_of_a_double(void **state)
{
    (void)state;
    expect_unit(1.0, 1, 1);
    expect_unit(0.5, 1, 2);
    expect_unit(10.0, 10, 1);
    expect_unit(41.625, 333, 8);
    expect_unit(1e9, 1000000000, 1);
    expect_unit(0x1p63, UINT64_C(1) << 63, 1);
    expect_unit(0x1.8p63, UINT64_C(3) << 62, 1);
    expect_unit(0x1p-63, 1, UINT64_C(1) << 63);
    expect_unit(0x1.0000000000001p52, (UINT64_C(1) << 52) + 1, 1);
    const double none[] = {
        0.0,    -0.0,  -1.0,    (double)NAN, (double)-NAN, (double)INFINITY,     -(double)INFINITY,
        0x1p64, 1e300, 0x1p-64, DBL_MIN,     DBL_TRUE_MIN, 0x1.0000000000001p-12};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        expect_unit(none[i], 0, 0);
}

static void test_unit_is_exact(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 100000; i++) {
        double period = ldexp((double)next_random(&seed), (int)(next_random(&seed) % 40) - 64);
        struct passtime_unit unit = passtime_front_unit(period);
        if (unit.num == 0)
            continue;
        assert_true(unit.num % 2 == 1 || unit.den == 1);
        assert_true((double)unit.num / (double)unit.den == period);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mask),
        cmocka_unit_test(test_wraps),
        cmocka_unit_test(test_units_of_real_devices),
        cmocka_unit_test(test_days_of_uptime),
        cmocka_unit_test(test_rounds_half_up),
        cmocka_unit_test(test_refuses_what_it_cannot_say),
        cmocka_unit_test(test_agrees_with_wide_arithmetic),
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_unit_of_a_double),
        cmocka_unit_test(test_unit_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
