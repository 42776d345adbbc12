/* SPDX-License-Identifier: MIT */
/* Quantum detection from stamps alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/quantum.h"
#include "unit/sim.h"

/* A clock that shows the time rounded down to a quantum, modulo its bits. */
struct clock {
    struct sim_random random;
    struct passtime_quantum quantum;
    uint64_t time;
    uint64_t step;
    uint64_t mask;
    uint32_t reports; /* how often a new verdict was told */
};

static void start(struct clock *c, uint64_t seed, uint64_t step, uint32_t bits)
{
    *c = (struct clock){.step = step};
    sim_seed(&c->random, seed);
    c->time = sim_bits(&c->random) >> 8;
    c->mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    passtime_quantum_init(&c->quantum, bits);
}

static void stamp(struct clock *c)
{
    uint64_t shown = c->time - c->time % c->step;
    c->reports += passtime_quantum_add(&c->quantum, shown & c->mask);
}

/* Frames of one pass: about 16.7 ms apart, `pass` ns long, both with jitter. */
static void run_frames(struct clock *c, uint32_t frames, uint64_t pass)
{
    for (uint32_t i = 0; i < frames; i++) {
        c->time += 16666667 - pass + sim_bits(&c->random) % 200000;
        stamp(c);
        c->time += pass / 2 + sim_bits(&c->random) % (pass + 1);
        stamp(c);
    }
}

static void known_quanta_are_found(void **state)
{
    (void)state;
    const uint64_t steps[] = {1, 2, 16, 40, 52, 80, 100, 1000, 1024, 65536, 100000, 1000000};
    for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        for (uint64_t seed = 0; seed < 50; seed++) {
            struct clock c;
            start(&c, seed * 100 + i, steps[i], 64);
            run_frames(&c, 100, 2000000);
            assert_int_equal(passtime_quantum_ticks(&c.quantum), steps[i]);
            assert_int_equal(c.reports, 1);
            assert_int_equal(c.quantum.changes, 0);
        }
    }
}

/* A 2 us pass in a quantized browser: almost only the pace of frames moves the stamps. */
static void passes_below_the_quantum_show_it_too(void **state)
{
    (void)state;
    struct clock c;
    start(&c, 1, 65536, 64);
    run_frames(&c, 150, 2000);
    assert_int_equal(passtime_quantum_ticks(&c.quantum), 65536);
}

static void nothing_is_claimed_early(void **state)
{
    (void)state;
    struct clock c;
    start(&c, 2, 65536, 64);
    assert_int_equal(passtime_quantum_ticks(&c.quantum), 0);
    run_frames(&c, 12, 2000000);
    assert_int_equal(passtime_quantum_ticks(&c.quantum), 0);
    assert_int_equal(c.reports, 0);
}

static void equal_stamps_prove_nothing(void **state)
{
    (void)state;
    struct passtime_quantum q;
    passtime_quantum_init(&q, 64);
    for (int i = 0; i < 1000; i++) {
        assert_false(passtime_quantum_add(&q, 5000));
    }
    assert_int_equal(passtime_quantum_ticks(&q), 0);
}

/* 2 ms passes, 16 ms apart, to the nanosecond: regular, but no proof of a step. */
static void strict_regularity_proves_nothing(void **state)
{
    (void)state;
    struct passtime_quantum q;
    passtime_quantum_init(&q, 64);
    for (uint64_t frame = 1; frame < 1000; frame++) {
        assert_false(passtime_quantum_add(&q, frame * 16000000));
        assert_false(passtime_quantum_add(&q, frame * 16000000 + 2000000));
    }
    assert_int_equal(passtime_quantum_ticks(&q), 0);
}

/* 20,000 clocks with single ticks: 2^-30 each that the verdict is wrong. */
static void no_quantum_is_made_up(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct clock c;
        start(&c, seed + 1000, 1, 64);
        run_frames(&c, 20, 100000);
        assert_int_equal(passtime_quantum_ticks(&c.quantum), 1);
    }
}

static void wrapping_counters_keep_the_quantum(void **state)
{
    (void)state;
    const uint64_t steps[] = {64, 1000};
    for (uint32_t i = 0; i < 2; i++) {
        struct clock c;
        start(&c, 3, steps[i], 36);
        /* About 15 wraps. A decimal step does not divide 2^36, but differences are modular. */
        run_frames(&c, 60000, 2000000);
        assert_int_equal(passtime_quantum_ticks(&c.quantum), steps[i]);
        assert_int_equal(c.quantum.changes, 0);
    }
}

/* A pass that is stamped as begun before the one ahead of it ended: stamps go back by a few steps.
 */
static void stamps_out_of_order_keep_the_quantum(void **state)
{
    (void)state;
    struct clock c;
    start(&c, 7, 1000, 36);
    for (int i = 0; i < 500; i++) {
        c.time += 16000000 + sim_bits(&c.random) % 500000;
        stamp(&c);
        c.time -= 100000 + sim_bits(&c.random) % 100000;
        stamp(&c);
    }
    assert_int_equal(passtime_quantum_ticks(&c.quantum), 1000);
    assert_int_equal(c.quantum.changes, 0);
}

static void one_odd_stamp_changes_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct clock c;
        start(&c, seed + 50, 65536, 64);
        run_frames(&c, 100, 2000000);
        passtime_quantum_add(&c.quantum, sim_bits(&c.random));
        c.quantum.skip = 0; /* the worst case: it is looked at */
        passtime_quantum_add(&c.quantum, sim_bits(&c.random));
        run_frames(&c, 2000, 2000000);
        assert_int_equal(passtime_quantum_ticks(&c.quantum), 65536);
        assert_int_equal(c.reports, 1);
    }
}

/* An odd stamp before anything is known may spoil the first verdict, and never for good. */
static void early_odd_stamp_is_overcome(void **state)
{
    (void)state;
    struct clock c;
    start(&c, 4, 100000, 64);
    passtime_quantum_add(&c.quantum, 12345677);
    run_frames(&c, 1000, 2000000);
    assert_int_equal(passtime_quantum_ticks(&c.quantum), 100000);
}

static void change_is_reported_once(void **state)
{
    (void)state;
    const uint64_t steps[][2] = {{1, 65536}, {65536, 1}, {65536, 100000}, {100000, 200000}};
    for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct clock c;
        start(&c, 5, steps[i][0], 64);
        run_frames(&c, 1000, 2000000);
        assert_int_equal(passtime_quantum_ticks(&c.quantum), steps[i][0]);
        c.step = steps[i][1];
        run_frames(&c, 1500, 2000000);
        assert_int_equal(passtime_quantum_ticks(&c.quantum), steps[i][1]);
        assert_int_equal(c.reports, 2);
        assert_int_equal(c.quantum.changes, 1);
    }
}

static void any_stamps_are_survived(void **state)
{
    (void)state;
    struct sim_random r;
    sim_seed(&r, 6);
    for (uint32_t bits = 0; bits <= 70; bits++) {
        struct passtime_quantum q;
        passtime_quantum_init(&q, bits);
        for (int i = 0; i < 2000; i++) {
            uint64_t value = sim_bits(&r) >> (sim_bits(&r) & 63);
            passtime_quantum_add(&q, i % 3 == 0 ? value : i % 3 == 1 ? 0 : UINT64_MAX);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_quanta_are_found),
        cmocka_unit_test(passes_below_the_quantum_show_it_too),
        cmocka_unit_test(nothing_is_claimed_early),
        cmocka_unit_test(equal_stamps_prove_nothing),
        cmocka_unit_test(strict_regularity_proves_nothing),
        cmocka_unit_test(no_quantum_is_made_up),
        cmocka_unit_test(wrapping_counters_keep_the_quantum),
        cmocka_unit_test(stamps_out_of_order_keep_the_quantum),
        cmocka_unit_test(one_odd_stamp_changes_nothing),
        cmocka_unit_test(early_odd_stamp_is_overcome),
        cmocka_unit_test(change_is_reported_once),
        cmocka_unit_test(any_stamps_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
