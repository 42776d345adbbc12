/* SPDX-License-Identifier: MIT */
/* Phases that stand still on the grid of the stamps, as the pace of frames shows them, and what
 * that makes of the figures. How often it is right, `make truth` tries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "core/phase.h"
#include "core/series.h"
#include "unit/rig.h"
#include "unit/sim.h"

static const uint64_t quantum_ns = 65536;

/* Frames `pace` quanta apart from a phase on, both in thousandths of a quantum. */
static void run(struct passtime_phase *p, uint64_t *at, uint64_t pace, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; i++) {
        *at += pace;
        passtime_phase_add(p, 0, *at / 1000 * quantum_ns, quantum_ns);
    }
}

static void said_after_three_windows_and_not_before(void **state)
{
    (void)state;
    struct passtime_phase p;
    uint64_t at = 5400;
    passtime_phase_init(&p);
    run(&p, &at, 254000, 192);
    assert_false(passtime_phase_is_locked(&p));
    run(&p, &at, 254000, 2);
    assert_true(passtime_phase_is_locked(&p));
}

static void sweeps_are_not_taken_for_a_lock(void **state)
{
    (void)state;
    static const uint64_t paces[] = {254010, 254313, 254500, 253990, 900, 1000, 1500};
    for (uint32_t i = 0; i < sizeof paces / sizeof paces[0]; i++) {
        struct passtime_phase p;
        uint64_t at = 5400;
        passtime_phase_init(&p);
        run(&p, &at, paces[i], 5000);
        assert_false(passtime_phase_is_locked(&p));
    }
}

/* Missed frames leave the lattice as it is; a stall moves it, once. */
static void missed_frames_and_stalls_do_not_hide_it(void **state)
{
    (void)state;
    struct passtime_phase p;
    uint64_t at = 5400;
    passtime_phase_init(&p);
    for (uint32_t i = 0; i < 20; i++) {
        run(&p, &at, 254000, 90);
        run(&p, &at, 508000, 1);
        run(&p, &at, 254000, 90);
        run(&p, &at, 3077345, 1);
    }
    assert_true(passtime_phase_is_locked(&p));
}

/* A clock that was reset, or positions that go back, start the lattice anew and are survived. */
static void resets_are_survived(void **state)
{
    (void)state;
    struct passtime_phase p;
    passtime_phase_init(&p);
    for (uint32_t i = 0; i < 1000; i++) {
        passtime_phase_add(&p, i / 100, (i % 100) * 254 * quantum_ns, quantum_ns);
        passtime_phase_add(&p, i / 100, 0, i % 7 == 0 ? 1000 : quantum_ns);
    }
    assert_false(passtime_phase_is_locked(&p));
}

static void errors_are_widened_by_a_quantum(void **state)
{
    (void)state;
    static struct passtime_series s;
    passtime_stats plain;
    passtime_stats locked;
    struct sim_random random;
    sim_seed(&random, 1);
    passtime_series_init(&s);
    for (uint32_t i = 0; i < 1000; i++) {
        passtime_series_add(&s, sim_bits(&random) % 2 * quantum_ns, i);
    }
    passtime_series_summary(&s, quantum_ns, &plain);
    locked = plain;
    passtime_stats_lock(&locked);
    assert_int_equal(locked.flags, plain.flags | PASSTIME_STATS_LOCKED);
    assert_true(locked.mean_ns == plain.mean_ns);
    assert_true(locked.ci_high_ns == plain.ci_high_ns + 65536);
    assert_true(locked.ci_low_ns == 0);
    assert_true(fabs(locked.se_ns - sqrt(plain.se_ns * plain.se_ns + 65536.0 * 65536 / 3)) < 1e-6);
    assert_int_equal(locked.frames_for_10_percent, UINT32_MAX);
    passtime_series_summary(&s, 1, &plain);
    locked = plain;
    passtime_stats_lock(&locked);
    assert_memory_equal(&locked, &plain, sizeof plain);
}

/* Nothing ticked: the pass is shorter than a quantum, and more can't be said. */
static void a_bound_is_no_longer_narrow(void **state)
{
    (void)state;
    static struct passtime_series s;
    passtime_stats o;
    passtime_series_init(&s);
    for (uint32_t i = 0; i < 1000; i++) {
        passtime_series_add(&s, 0, i);
    }
    passtime_series_summary(&s, quantum_ns, &o);
    passtime_stats_lock(&o);
    assert_true(fabs(o.below_ns - 65536 * 1.003) < 1e-6);
}

/* Through a whole context: a pass of 40 us that always begins 40 us after a step's edge, or at any
 * place of it. */
static passtime_stats through_a_context(bool mixed)
{
    struct rig rig;
    struct sim_random random;
    sim_seed(&random, 3);
    rig_init(&rig);
    rig_open(&rig);
    uint64_t at_ns = 1000 * quantum_ns + 40000;
    for (uint32_t i = 0; i < 1000; i++) {
        /* 30 frames a second or so; at first uneven, or the quantum would not be found. */
        at_ns += (i < 100 ? 470 + sim_bits(&random) % 9 : 474) * quantum_ns;
        rig.now_ns = at_ns - 18000000; /* 16 of them pass in rig_frame */
        uint64_t begin_ns = at_ns + (mixed ? sim_bits(&random) % quantum_ns : 0);
        uint64_t end_ns = begin_ns + 40000;
        rig_frame(&rig, "pass", begin_ns - begin_ns % quantum_ns, end_ns - end_ns % quantum_ns);
        (void)rig_drain(&rig);
    }
    passtime_series_info info = rig_series(&rig, "pass");
    rig_close(&rig);
    return info.stats;
}

static void a_context_says_so(void **state)
{
    (void)state;
    passtime_stats locked = through_a_context(false);
    passtime_stats mixed = through_a_context(true);
    assert_true((locked.flags & PASSTIME_STATS_LOCKED) != 0);
    assert_true(locked.ci_low_ns <= 40000 && 40000 <= locked.ci_high_ns);
    assert_int_equal(mixed.flags & PASSTIME_STATS_LOCKED, 0);
    assert_true(mixed.ci_low_ns <= 40000 && 40000 <= mixed.ci_high_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(said_after_three_windows_and_not_before),
        cmocka_unit_test(sweeps_are_not_taken_for_a_lock),
        cmocka_unit_test(missed_frames_and_stalls_do_not_hide_it),
        cmocka_unit_test(resets_are_survived),
        cmocka_unit_test(errors_are_widened_by_a_quantum),
        cmocka_unit_test(a_bound_is_no_longer_narrow),
        cmocka_unit_test(a_context_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
