/* SPDX-License-Identifier: MIT */
/* One series: exact figures of known samples, and which figures are told at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "core/series.h"
#include "unit/sim.h"

static const uint32_t percentile_flags =
    PASSTIME_STATS_HAS_P50 | PASSTIME_STATS_HAS_P95 | PASSTIME_STATS_HAS_P99;

static struct passtime_series *fresh(void)
{
    static struct passtime_series series;
    passtime_series_init(&series);
    return &series;
}

static passtime_stats summary(const struct passtime_series *s, uint64_t quantum_ns)
{
    passtime_stats out;
    memset(&out, 0xa5, sizeof out);
    passtime_series_summary(s, quantum_ns, &out);
    return out;
}

/* Each figure is finite; an absent one is 0. */
static void assert_sound(const passtime_stats *o)
{
    const struct {
        uint32_t flag;
        double value;
    } figures[] = {
        {PASSTIME_STATS_HAS_MEAN, o->mean_ns},       {PASSTIME_STATS_HAS_SE, o->se_ns},
        {PASSTIME_STATS_HAS_SE, o->n_eff},           {PASSTIME_STATS_HAS_CI, o->ci_low_ns},
        {PASSTIME_STATS_HAS_CI, o->ci_high_ns},      {PASSTIME_STATS_HAS_BELOW, o->below_ns},
        {PASSTIME_STATS_HAS_MIN, (double)o->min_ns}, {PASSTIME_STATS_HAS_MAX, (double)o->max_ns},
        {PASSTIME_STATS_HAS_P50, (double)o->p50_ns}, {PASSTIME_STATS_HAS_P95, (double)o->p95_ns},
        {PASSTIME_STATS_HAS_P99, (double)o->p99_ns},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        assert_true(isfinite(figures[i].value) && figures[i].value >= 0);
        assert_true((o->flags & figures[i].flag) != 0 || figures[i].value == 0);
    }
    assert_true(o->ci_low_ns <= o->ci_high_ns);
    assert_true(o->n_eff <= (double)o->count * (1 + 1e-12));
    /* A stated error is never nothing. */
    assert_true((o->flags & PASSTIME_STATS_HAS_SE) == 0 || (o->se_ns > 0 && o->n_eff > 0));
    assert_true((o->flags & PASSTIME_STATS_HAS_BELOW) == 0 ||
                ((o->flags & PASSTIME_STATS_HAS_MEAN) == 0 && o->below_ns > 0));
    assert_int_equal(o->size, sizeof *o);
}

static void fits_its_place(void **state)
{
    (void)state;
    assert_true(sizeof(struct passtime_series) < 3584);
}

static void empty_tells_nothing(void **state)
{
    (void)state;
    for (uint64_t quantum = 0; quantum < 3; quantum++) {
        passtime_stats o = summary(fresh(), quantum);
        assert_sound(&o);
        assert_int_equal(o.flags, 0);
        assert_int_equal(o.count, 0);
        assert_int_equal(o.total_ns, 0);
        passtime_series_recent(fresh(), quantum, &o);
        assert_sound(&o);
        assert_int_equal(o.flags, PASSTIME_STATS_WINDOWED);
    }
}

static void one_sample_has_a_mean_and_no_error(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    passtime_series_add(s, 1234567, 42);
    passtime_stats o = summary(s, 1);
    assert_sound(&o);
    assert_int_equal(o.flags,
                     PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_MIN | PASSTIME_STATS_HAS_MAX);
    assert_true(o.mean_ns == 1234567);
    assert_int_equal(o.min_ns, 1234567);
    assert_int_equal(o.max_ns, 1234567);
    assert_int_equal(o.last_ns, 1234567);
    assert_int_equal(o.last_frame, 42);
    assert_true(o.frames_for_10_percent > 0);
}

/* BR-02: the backward pair of frame 50 is rejected; it pulls nothing. */
static void rejected_samples_pull_nothing(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    for (uint64_t frame = 0; frame < 100; frame++) {
        if (frame == 50) {
            passtime_series_reject(s);
        } else {
            passtime_series_add(s, 2000000, frame);
        }
    }
    passtime_stats o = summary(s, 0);
    assert_sound(&o);
    assert_int_equal(o.count, 99);
    assert_int_equal(o.rejected, 1);
    assert_true(o.mean_ns == 2000000);
    assert_int_equal(o.total_ns, 198000000);
    assert_int_equal(o.flags & PASSTIME_STATS_BIASED, 0);
    passtime_series_reject(s);
    assert_true((summary(s, 0).flags & PASSTIME_STATS_BIASED) != 0);
}

static void only_rejected_is_biased_and_has_no_mean(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    passtime_series_reject(s);
    passtime_stats o = summary(s, 1);
    assert_sound(&o);
    assert_int_equal(o.flags, PASSTIME_STATS_BIASED);
}

/* BR-36: five runs in one frame are five samples of that frame. */
static void runs_of_one_frame_are_samples(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    for (int i = 0; i < 5; i++) {
        passtime_series_add(s, 2000000, 7);
    }
    passtime_stats o = summary(s, 0);
    assert_int_equal(o.count, 5);
    assert_int_equal(o.total_ns, 10000000);
    assert_true(o.mean_ns == 2000000);
    assert_int_equal(s->frames, 1);
    passtime_series_add(s, 2000000, 8);
    assert_int_equal(s->frames, 2);
}

static void percentiles_wait_for_samples(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    const uint32_t p50 = PASSTIME_STATS_HAS_P50;
    const uint32_t p95 = p50 | PASSTIME_STATS_HAS_P95;
    for (uint32_t n = 1; n <= 100; n++) {
        passtime_series_add(s, n * 1000, n);
        uint32_t wanted = n < 5 ? 0 : n < 20 ? p50 : n < 100 ? p95 : percentile_flags;
        assert_int_equal(summary(s, 1).flags & percentile_flags, wanted);
        /* Nearest rank: the first sample that half of all samples do not exceed. */
        assert_int_equal(summary(s, 1).p50_ns, n < 5 ? 0 : (n + 1) / 2 * 1000);
    }
    passtime_stats o = summary(s, 1);
    assert_int_equal(o.p50_ns, 50000);
    assert_int_equal(o.p95_ns, 95000);
    assert_int_equal(o.p99_ns, 99000);
    assert_int_equal(o.min_ns, 1000);
    assert_int_equal(o.max_ns, 100000);
    assert_true(o.mean_ns == 50500);
}

/* 1 ms to 1.01 ms in a scattered order: all ranks are known. */
static void long_series_keep_percentiles(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    const uint64_t n = 100003;
    for (uint64_t i = 0; i < n; i++) {
        passtime_series_add(s, 1000000 + i * 7919 % n, i);
    }
    passtime_stats o = summary(s, 1);
    assert_sound(&o);
    assert_int_equal(o.flags & PASSTIME_STATS_WINDOWED, 0);
    assert_true(o.mean_ns == 1000000 + (double)(n - 1) / 2);
    assert_true(fabs((double)o.p50_ns - 1050000) < 0.0055 * 1050000);
    assert_true(fabs((double)o.p95_ns - 1095000) < 0.0055 * 1095000);
    assert_true(fabs((double)o.p99_ns - 1099000) < 0.0055 * 1099000);
    assert_int_equal(o.min_ns, 1000000);
    assert_int_equal(o.max_ns, 1000000 + n - 1);
}

static void recent_forgets(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    for (uint64_t i = 0; i < 1000; i++) {
        passtime_series_add(s, i < 744 ? 9000000 : 1000000 + i, i);
    }
    passtime_stats o;
    passtime_series_recent(s, 1, &o);
    assert_sound(&o);
    assert_true((o.flags & PASSTIME_STATS_WINDOWED) != 0);
    assert_int_equal(o.count, 256);
    assert_int_equal(o.min_ns, 1000744);
    assert_int_equal(o.max_ns, 1000999);
    assert_int_equal(o.p50_ns, 1000744 + 127);
    assert_true(fabs(o.mean_ns - (1000744 + 127.5)) < 1e-6);
    assert_int_equal(o.total_ns, UINT64_C(256) * 1000744 + 255 * 256 / 2);
    assert_int_equal(o.last_frame, 999);
    assert_int_equal(summary(s, 1).max_ns, 9000000);
}

static void sums_never_overflow(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    for (int i = 0; i < 1000; i++) {
        passtime_series_add(s, UINT64_MAX, 0);
    }
    passtime_stats o = summary(s, 0);
    assert_sound(&o);
    assert_int_equal(o.total_ns, UINT64_MAX);
    assert_true(fabs(o.mean_ns / 0x1p64 - 1) < 1e-12);
    passtime_series_settle(s);
    assert_int_equal(s->sums.high, 999);
    assert_int_equal(s->sums.low_ns, UINT64_MAX - 999);
    assert_int_equal(o.p50_ns, UINT64_MAX);
}

/* Stamps in steps of 65,536 ns under a pass of about 1.5 steps: one value says nothing. */
static void coarse_stamps_silence_single_values(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    struct sim_pass p = {.mean_ns = 100000, .spread = 0.05, .quantum_ns = 65536};
    sim_pass_start(&p, 1);
    for (uint64_t i = 0; i < 2000; i++) {
        passtime_series_add(s, sim_pass_next(&p), i);
    }
    passtime_stats o = summary(s, 65536);
    assert_sound(&o);
    assert_int_equal(o.flags, PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_SE |
                                  PASSTIME_STATS_HAS_CI | PASSTIME_STATS_QUANTIZED);
    assert_int_equal(o.quantum_ns, 65536);
    assert_true(o.ci_low_ns < 100000 && 100000 < o.ci_high_ns);
    passtime_series_recent(s, 65536, &o);
    assert_sound(&o);
    assert_int_equal(o.flags & (percentile_flags | PASSTIME_STATS_HAS_MIN | PASSTIME_STATS_HAS_MAX),
                     0);
}

/* At 20 steps and more a single value is right to 5 %. */
static void long_passes_keep_single_values(void **state)
{
    (void)state;
    struct passtime_series *s = fresh();
    for (uint64_t i = 0; i < 200; i++) {
        passtime_series_add(s, (20 + i % 2) * 65536, i);
    }
    passtime_stats o = summary(s, 65536);
    assert_sound(&o);
    assert_int_equal(o.flags & PASSTIME_STATS_QUANTIZED, 0);
    assert_int_equal(o.p50_ns, 20 * 65536);
    assert_int_equal(o.min_ns, 20 * 65536);
    passtime_series_add(s, 19 * 65536, 200);
    assert_int_equal(summary(s, 65536).flags & PASSTIME_STATS_HAS_MIN, 0);
    assert_int_equal(summary(s, 65536).min_ns, 0);
}

static void any_input_is_survived(void **state)
{
    (void)state;
    struct sim_random r;
    sim_seed(&r, 9);
    for (uint32_t trial = 0; trial < 2000; trial++) {
        struct passtime_series *s = fresh();
        uint32_t bits = (uint32_t)(sim_bits(&r) & 63);
        uint32_t count = (uint32_t)(sim_bits(&r) % 700);
        uint32_t kind = (uint32_t)(sim_bits(&r) % 4);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t value = kind == 0   ? sim_bits(&r) >> bits
                             : kind == 1 ? sim_bits(&r) >> (sim_bits(&r) & 63)
                             : kind == 2 ? (sim_bits(&r) & 1 ? UINT64_MAX : 0)
                                         : UINT64_MAX >> bits;
            passtime_series_add(s, value, sim_bits(&r) & 1);
            if (sim_bits(&r) % 64 == 0) {
                passtime_series_reject(s);
            }
        }
        const uint64_t quanta[] = {0, 1, 2, 65536, UINT64_MAX >> bits, UINT64_MAX};
        for (uint32_t q = 0; q < sizeof quanta / sizeof quanta[0]; q++) {
            passtime_stats o = summary(s, quanta[q]);
            assert_sound(&o);
            passtime_series_recent(s, quanta[q], &o);
            assert_sound(&o);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_its_place),
        cmocka_unit_test(empty_tells_nothing),
        cmocka_unit_test(one_sample_has_a_mean_and_no_error),
        cmocka_unit_test(rejected_samples_pull_nothing),
        cmocka_unit_test(only_rejected_is_biased_and_has_no_mean),
        cmocka_unit_test(runs_of_one_frame_are_samples),
        cmocka_unit_test(percentiles_wait_for_samples),
        cmocka_unit_test(long_series_keep_percentiles),
        cmocka_unit_test(recent_forgets),
        cmocka_unit_test(sums_never_overflow),
        cmocka_unit_test(coarse_stamps_silence_single_values),
        cmocka_unit_test(long_passes_keep_single_values),
        cmocka_unit_test(any_input_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
