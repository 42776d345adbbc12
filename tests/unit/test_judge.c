/* SPDX-License-Identifier: MIT */
/* Each rule of the judge at its borders, and the order of the rules. */
#include "core/judge.h"
#include "core/ticks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const uint64_t MS = 1000000;

/* A pair of 500 ticks that nothing speaks against. */
static struct passtime_evidence sound(void)
{
    return (struct passtime_evidence){.begin_ticks = 10000,
                                      .end_ticks = 10500,
                                      .begin_available = true,
                                      .end_available = true,
                                      .zero_means_unwritten = true,
                                      .stale_rule = true,
                                      .last_begin_ticks = 1000,
                                      .last_end_ticks = 1500,
                                      .valid_bits = 64,
                                      .unit = {1, 1},
                                      .envelope_ns = 16 * MS};
}

static void expect(const struct passtime_evidence *e, passtime_verdict verdict,
                   uint64_t duration_ns)
{
    uint64_t ns = 12345;
    assert_int_equal(passtime_judge(e, &ns), verdict);
    assert_int_equal(ns, duration_ns);
}

static void nothing_against_it(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    expect(&e, PASSTIME_GOOD, 500);
    e.end_ticks = e.begin_ticks;
    expect(&e, PASSTIME_BELOW_RESOLUTION, 0);
    e.end_ticks++;
    expect(&e, PASSTIME_GOOD, 1);
}

/* A tick that counts but scales to less than half a nanosecond was still measured. */
static void short_is_not_below_resolution(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.unit = (struct passtime_unit){1, 10};
    e.end_ticks = e.begin_ticks + 4;
    expect(&e, PASSTIME_GOOD, 0);
    e.end_ticks = e.begin_ticks + 5;
    expect(&e, PASSTIME_GOOD, 1);
}

static void the_unit_is_unknown(void **state)
{
    (void)state;
    static const struct passtime_unit unknown[] = {{0, 0}, {0, 1}, {1, 0}};
    for (uint32_t i = 0; i < 3; i++) {
        struct passtime_evidence e = sound();
        e.unit = unknown[i];
        expect(&e, PASSTIME_UNIT_UNKNOWN, 0);
        e.duration_only = true;
        expect(&e, PASSTIME_UNIT_UNKNOWN, 0);
    }
}

/* Without an availability bit, 0 is what a slot holds that was never written. */
static void zero_is_unwritten(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.begin_ticks = e.end_ticks = 0;
    expect(&e, PASSTIME_NOT_EXECUTED, 0);
    e.end_ticks = 1;
    expect(&e, PASSTIME_HALF_WRITTEN, 0);
    e.begin_ticks = 1;
    e.end_ticks = 0;
    expect(&e, PASSTIME_HALF_WRITTEN, 0);
    e.begin_ticks = e.end_ticks = 1;
    expect(&e, PASSTIME_BELOW_RESOLUTION, 0);
    /* Where the API says that it was written, 0 is a tick like any other. */
    e.zero_means_unwritten = false;
    e.stale_rule = false;
    e.begin_ticks = 0;
    e.end_ticks = 7;
    expect(&e, PASSTIME_GOOD, 7);
}

static void availability_is_believed(void **state)
{
    (void)state;
    for (uint32_t zero_rule = 0; zero_rule < 2; zero_rule++) {
        struct passtime_evidence e = sound();
        e.zero_means_unwritten = zero_rule != 0;
        e.begin_available = false;
        expect(&e, PASSTIME_HALF_WRITTEN, 0);
        e.end_available = false;
        expect(&e, PASSTIME_NOT_EXECUTED, 0);
        e.begin_available = true;
        expect(&e, PASSTIME_HALF_WRITTEN, 0);
    }
}

/* Either stamp the very value that the slot gave before: it was not written anew. */
static void stale_by_either_stamp(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.last_begin_ticks = e.begin_ticks;
    expect(&e, PASSTIME_STALE, 0);
    e.last_begin_ticks = 0;
    e.last_end_ticks = e.end_ticks;
    expect(&e, PASSTIME_STALE, 0);
    e.last_end_ticks--;
    expect(&e, PASSTIME_GOOD, 500);
    /* Crosswise they may agree: the last end is this begin, where passes follow on one another. */
    e.last_end_ticks = e.begin_ticks;
    e.last_begin_ticks = e.end_ticks;
    expect(&e, PASSTIME_GOOD, 500);
}

static void the_stale_rule_rests(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.last_begin_ticks = e.begin_ticks;
    e.last_end_ticks = e.end_ticks;
    expect(&e, PASSTIME_STALE, 0);
    e.unseen = true; /* What is taken for the last value is none. */
    expect(&e, PASSTIME_GOOD, 500);
    e.unseen = false;
    /* On a coarse clock one equal stamp proves nothing, but a whole pass can't come twice at one
     * time. */
    e.stale_rule = false;
    expect(&e, PASSTIME_STALE, 0);
    e.last_begin_ticks++;
    expect(&e, PASSTIME_GOOD, 500);
    e.end_ticks = e.begin_ticks;
    e.last_begin_ticks = e.begin_ticks;
    e.last_end_ticks = e.begin_ticks;
    expect(&e, PASSTIME_BELOW_RESOLUTION, 0);
}

/* A stamp that is 0 and stale is named for the 0: the rules have an order. */
static void the_first_rule_names_the_reason(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.begin_ticks = 0;
    e.end_ticks = 0;
    e.last_begin_ticks = 0;
    e.last_end_ticks = 0;
    expect(&e, PASSTIME_NOT_EXECUTED, 0);
    e = sound();
    e.last_begin_ticks = e.begin_ticks;
    e.end_ticks = e.begin_ticks - 1; /* backward, too */
    e.ceiling_ns = 1;
    expect(&e, PASSTIME_STALE, 0);
    e.stale_rule = false;
    expect(&e, PASSTIME_BACKWARD, 0);
    e.end_ticks = e.begin_ticks + 2;
    expect(&e, PASSTIME_ABOVE_CEILING, 0);
    e.unit.num = 0;
    expect(&e, PASSTIME_UNIT_UNKNOWN, 0);
}

/* The difference is modular for counters of any width, also with rubbish above the valid bits. */
static void wraps(void **state)
{
    (void)state;
    static const uint32_t widths[] = {36, 48, 64};
    for (uint32_t i = 0; i < 3; i++) {
        struct passtime_evidence e = sound();
        uint64_t mask = passtime_ticks_mask(widths[i]);
        e.valid_bits = widths[i];
        e.begin_ticks = mask - 15;
        e.end_ticks = 16;
        expect(&e, PASSTIME_GOOD, 32);
        e.begin_ticks = mask / 2 - 15;
        e.end_ticks = mask / 2 + 17;
        expect(&e, PASSTIME_GOOD, 32);
        e.end_ticks = e.begin_ticks - 1;
        expect(&e, PASSTIME_BACKWARD, 0);
    }
}

/* Longer than the CPU can have seen, by more than the clocks may differ: nothing is that long. */
static void longer_than_its_envelope(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    uint64_t most =
        16 * MS + 16 * MS / 1000 + 4; /* 0.1 %, and a tick and its rounding at each end */
    e.end_ticks = e.begin_ticks + most;
    expect(&e, PASSTIME_GOOD, most);
    e.end_ticks++;
    expect(&e, PASSTIME_BACKWARD, 0);
    e.quantum_ns = 65536;
    e.end_ticks = e.begin_ticks + most + 65536;
    expect(&e, PASSTIME_GOOD, most + 65536);
    e.end_ticks++;
    expect(&e, PASSTIME_BACKWARD, 0);
    e.envelope_ns = 0;
    e.end_ticks = e.begin_ticks + 65536;
    expect(&e, PASSTIME_GOOD, 65536);
}

/* A true hitch lies within its envelope, however long, and has no ceiling by default. */
static void a_hitch_is_good(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.envelope_ns = 5000 * MS;
    e.end_ticks = e.begin_ticks + 4900 * MS;
    expect(&e, PASSTIME_GOOD, 4900 * MS);
    e.ceiling_ns = 4900 * MS;
    expect(&e, PASSTIME_GOOD, 4900 * MS);
    e.ceiling_ns--;
    expect(&e, PASSTIME_ABOVE_CEILING, 0);
}

/* An envelope as long as the counter's period may hide a turn, whatever the difference says. */
static void as_long_as_the_period(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.valid_bits = 36;
    uint64_t period_ns = UINT64_C(1) << 36;
    e.envelope_ns = period_ns - 1;
    expect(&e, PASSTIME_GOOD, 500);
    e.envelope_ns = period_ns;
    expect(&e, PASSTIME_AMBIGUOUS, 0);
    e.unit = (struct passtime_unit){625, 12}; /* 19.2 MHz: 59.6 min */
    expect(&e, PASSTIME_GOOD, 26042);
    e.envelope_ns = period_ns / 12 * 625 + 1000;
    expect(&e, PASSTIME_AMBIGUOUS, 0);
    e.valid_bits = 48;
    expect(&e, PASSTIME_GOOD, 26042);
    e.valid_bits = 64;
    e.envelope_ns = UINT64_MAX - 1;
    expect(&e, PASSTIME_GOOD, 26042);
}

/* Where no CPU time bounds it, a ceiling does: the one given, or 100 ms. */
static void without_an_envelope(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.envelope_ns = UINT64_MAX;
    e.end_ticks = e.begin_ticks + 100 * MS;
    expect(&e, PASSTIME_GOOD, 100 * MS);
    e.end_ticks++;
    expect(&e, PASSTIME_ABOVE_CEILING, 0);
    e.ceiling_ns = 300 * MS;
    expect(&e, PASSTIME_GOOD, 100 * MS + 1);
    e.end_ticks = e.begin_ticks - 1;
    expect(&e, PASSTIME_ABOVE_CEILING, 0);
    e.valid_bits = 36;
    e.begin_ticks = passtime_ticks_mask(36);
    e.end_ticks = 9;
    expect(&e, PASSTIME_GOOD, 10);
}

/* A difference that no number of nanoseconds holds. */
static void beyond_64_bits(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.unit = (struct passtime_unit){625, 12};
    e.end_ticks = e.begin_ticks - 1;
    expect(&e, PASSTIME_BACKWARD, 0);
    e.envelope_ns = UINT64_MAX;
    expect(&e, PASSTIME_BACKWARD, 0);
}

/* A duration has one value: 0 is the 0 that it is, and nothing is stale. */
static void durations(void **state)
{
    (void)state;
    struct passtime_evidence e = sound();
    e.duration_only = true;
    e.begin_ticks = 700;
    e.end_ticks = 0;
    e.end_available = false;
    e.last_begin_ticks = 700;
    expect(&e, PASSTIME_GOOD, 700);
    e.begin_ticks = 0;
    expect(&e, PASSTIME_BELOW_RESOLUTION, 0);
    e.begin_available = false;
    expect(&e, PASSTIME_NOT_EXECUTED, 0);
    e.begin_available = true;
    e.begin_ticks = 17 * MS;
    expect(&e, PASSTIME_BACKWARD, 0);
    e.valid_bits = 36;
    e.begin_ticks = (UINT64_C(1) << 40) + 9; /* above the valid bits: rubbish */
    expect(&e, PASSTIME_GOOD, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_against_it),
        cmocka_unit_test(short_is_not_below_resolution),
        cmocka_unit_test(the_unit_is_unknown),
        cmocka_unit_test(zero_is_unwritten),
        cmocka_unit_test(availability_is_believed),
        cmocka_unit_test(stale_by_either_stamp),
        cmocka_unit_test(the_stale_rule_rests),
        cmocka_unit_test(the_first_rule_names_the_reason),
        cmocka_unit_test(wraps),
        cmocka_unit_test(longer_than_its_envelope),
        cmocka_unit_test(a_hitch_is_good),
        cmocka_unit_test(as_long_as_the_period),
        cmocka_unit_test(without_an_envelope),
        cmocka_unit_test(beyond_64_bits),
        cmocka_unit_test(durations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
