/* SPDX-License-Identifier: MIT */
/*
 * The mean and its error: known values, and a trial of coverage on simulated passes whose true mean
 * is known. With -v it prints the table of the trial.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/math.h"
#include "core/series.h"
#include "unit/sim.h"

static const uint64_t quantum_ns = 65536; /* of a stock Chromium */

static bool verbose;

static void fill(struct passtime_series *s, struct sim_pass *p, uint64_t seed, uint32_t count)
{
    sim_pass_start(p, seed);
    passtime_series_init(s);
    for (uint32_t i = 0; i < count; i++) {
        passtime_series_add(s, sim_pass_next(p), i);
    }
}

static void arithmetic_is_right(void **state)
{
    (void)state;
    assert_true(passtime_sqrt(0) == 0);
    assert_true(passtime_sqrt(-1) == 0);
    assert_true(passtime_sqrt(NAN) == 0);
    struct sim_random r;
    sim_seed(&r, 1);
    for (int i = 0; i < 10000; i++) {
        double x = ldexp(1 + sim_uniform(&r), (int)(sim_bits(&r) % 600) - 300);
        assert_true(fabs(passtime_sqrt(x) / sqrt(x) - 1) < 1e-15);
    }
    const double student[][2] = {{0.5, 12.706}, {1, 12.706}, {2, 4.303},  {5, 2.571},  {9, 2.262},
                                 {10, 2.228},   {12, 2.179}, {30, 2.042}, {1e9, 1.960}};
    for (size_t i = 0; i < sizeof student / sizeof student[0]; i++) {
        assert_true(fabs(passtime_student(student[i][0]) - student[i][1]) < 6e-4);
    }
}

static void batches_stay_between_32_and_64(void **state)
{
    (void)state;
    struct passtime_batches b;
    passtime_batches_init(&b);
    for (uint32_t n = 1; n <= 100000; n++) {
        passtime_batches_add(&b, n, 1);
        assert_true(b.closed < PASSTIME_BATCHES && (n < 32 || b.closed >= 31));
        assert_int_equal(b.closed * b.length + b.open_count, n);
    }
    assert_int_equal(b.length, 2048);
    /* Batch i holds i * 2048 + 1 to (i + 1) * 2048. */
    for (uint32_t i = 0; i < b.closed; i++) {
        assert_true(b.sums[i] == 2048.0 * (i * 2048.0) + 2048.0 * 2049.0 / 2);
    }
}

static void none_ticked_is_below_three_quanta(void **state)
{
    (void)state;
    struct passtime_series s;
    passtime_stats o;
    passtime_series_init(&s);
    for (uint32_t n = 1; n <= 300; n++) {
        passtime_series_add(&s, 0, n);
        passtime_series_summary(&s, quantum_ns, &o);
        assert_int_equal(o.flags, PASSTIME_STATS_HAS_BELOW | PASSTIME_STATS_QUANTIZED);
        assert_true(fabs(o.below_ns - 3.0 * 65536 / n) < 1e-9);
        assert_true(o.mean_ns == 0 && o.se_ns == 0);
    }
    assert_true(o.frames_for_10_percent >= 29000);
    /* The step of the clock is not known: nothing is. */
    passtime_series_summary(&s, 0, &o);
    assert_int_equal(o.flags & (PASSTIME_STATS_HAS_BELOW | PASSTIME_STATS_HAS_MEAN), 0);
}

/* One sample in ten ticks, in turn: Wilson's interval for 10 % of 99 at t = 1.984, worked out
 * apart. */
static void few_ticks_have_a_score_interval(void **state)
{
    (void)state;
    struct passtime_series s;
    passtime_stats o;
    passtime_series_init(&s);
    for (uint32_t i = 0; i < 100; i++) {
        passtime_series_add(&s, i % 10 == 5 ? quantum_ns : 0, i);
    }
    passtime_series_summary(&s, quantum_ns, &o);
    assert_true(fabs(o.mean_ns - 6553.6) < 1e-9);
    assert_true(fabs(o.ci_low_ns - 3582.597) < 0.01);
    assert_true(fabs(o.ci_high_ns - 11529.889) < 0.01);
    assert_true(fabs(o.n_eff - 100) < 1e-6);
}

/* Constant samples are never "± 0" where the clock has a step, and have no error where it is
 * unknown. */
static void equal_samples_have_an_honest_error(void **state)
{
    (void)state;
    struct passtime_series s;
    passtime_stats o;
    passtime_series_init(&s);
    for (uint32_t i = 0; i < 1000; i++) {
        passtime_series_add(&s, 3 * quantum_ns, i);
    }
    passtime_series_summary(&s, quantum_ns, &o);
    assert_true(fabs(o.ci_high_ns - 3 * 65536 - 250.790) < 0.1);
    assert_true(fabs(3 * 65536 - o.ci_low_ns - 250.790) < 0.1);
    assert_true(o.se_ns > 0);
    passtime_series_summary(&s, 0, &o);
    assert_int_equal(o.flags & (PASSTIME_STATS_HAS_SE | PASSTIME_STATS_HAS_CI), 0);
    assert_true((o.flags & PASSTIME_STATS_HAS_MEAN) != 0);
}

/* facts of quantized stamps: a pass of 1 us at 65.536 us takes 6,454 samples for 10 %, 20 us 228.
 */
static void frames_wanted_follow_the_law(void **state)
{
    (void)state;
    const double passes[][3] = {{1000, 3000, 6454}, {3000, 1000, 2085}, {6500, 500, 908}};
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        double needed = 0;
        const uint32_t runs = 200;
        for (uint32_t run = 0; run < runs; run++) {
            struct sim_pass p = {.mean_ns = passes[i][0], .quantum_ns = quantum_ns};
            static struct passtime_series s;
            passtime_stats o;
            fill(&s, &p, run, (uint32_t)passes[i][1]);
            passtime_series_summary(&s, quantum_ns, &o);
            needed += (passes[i][1] + o.frames_for_10_percent) / runs;
        }
        /* The law needs the mean, and the estimate has only what was seen of it. */
        assert_true(needed > 0.9 * passes[i][2] && needed < 1.35 * passes[i][2]);
    }
}

static void frames_are_counted_not_runs(void **state)
{
    (void)state;
    static struct passtime_series once;
    static struct passtime_series often;
    struct sim_pass p = {.mean_ns = 1000, .quantum_ns = quantum_ns};
    passtime_stats a;
    passtime_stats b;
    sim_pass_start(&p, 1);
    passtime_series_init(&once);
    passtime_series_init(&often);
    for (uint32_t i = 0; i < 3000; i++) {
        uint64_t value = sim_pass_next(&p);
        passtime_series_add(&once, value, i);
        passtime_series_add(&often, value, i / 10);
    }
    passtime_series_summary(&once, quantum_ns, &a);
    passtime_series_summary(&often, quantum_ns, &b);
    assert_true(a.frames_for_10_percent > 1000);
    assert_in_range(b.frames_for_10_percent, a.frames_for_10_percent / 10,
                    a.frames_for_10_percent / 10 + 1);
}

/* The error of fifty known samples, worked out apart in exact fractions: window of 4 lags, 50/9
 * degrees of freedom, for which Student's quantile lies between those of 5 and 6. */
static void error_of_known_samples_is_exact(void **state)
{
    (void)state;
    struct passtime_series s;
    passtime_stats o;
    passtime_series_init(&s);
    for (uint64_t i = 0; i < 50; i++) {
        uint64_t value = 1000000 + 1000 * ((i * i * 7 + i * 13) % 50) + 40000 * (i / 6 % 2);
        passtime_series_add(&s, value, i);
    }
    passtime_series_summary(&s, 1, &o);
    assert_true(o.mean_ns == 1037200);
    assert_true(fabs(o.se_ns - 6239.261995132312) < 1e-6);
    assert_true(fabs(o.n_eff - 20.366018773529824) < 1e-9);
    assert_true(o.ci_high_ns - o.mean_ns > 2.447 * o.se_ns);
    assert_true(o.ci_high_ns - o.mean_ns < 2.571 * o.se_ns);
    assert_true(fabs(o.ci_high_ns + o.ci_low_ns - 2 * o.mean_ns) < 1e-6);
}

static double coverage(struct sim_pass p, uint32_t count, uint32_t runs)
{
    uint32_t covered = 0;
    for (uint32_t run = 0; run < runs; run++) {
        static struct passtime_series s;
        passtime_stats o;
        fill(&s, &p, 777000 + run, count);
        passtime_series_summary(&s, quantum_ns, &o);
        assert_true((o.flags & PASSTIME_STATS_HAS_CI) != 0);
        covered += o.ci_low_ns <= p.mean_ns && p.mean_ns <= o.ci_high_ns;
    }
    return (double)covered / runs;
}

/* A pass of exactly three steps, nearly constant: now and then a sample is one step up or down. One
 * that was not seen yet must not be ruled out. */
static void unseen_steps_are_allowed_for(void **state)
{
    (void)state;
    struct sim_pass p = {.mean_ns = 3 * 65536, .spread = 0.001, .quantum_ns = quantum_ns};
    assert_true(coverage(p, 1000, 400) > 0.9);
}

/* Mostly below the step, and in one frame of two hundred a hitch of ten steps: how many of them
 * were seen is chance, and the interval leans to the side where there may be more. */
static void rare_hitches_are_allowed_for(void **state)
{
    (void)state;
    const uint32_t runs = 1000;
    const double truth = 0.06 * 65536;
    uint32_t told = 0;
    uint32_t covered = 0;
    struct sim_random r;
    sim_seed(&r, 11);
    for (uint32_t run = 0; run < runs; run++) {
        static struct passtime_series s;
        passtime_stats o;
        passtime_series_init(&s);
        for (uint32_t i = 0; i < 1000; i++) {
            double u = sim_uniform(&r);
            passtime_series_add(&s, u < 0.005 ? 10 * quantum_ns : u < 0.015 ? quantum_ns : 0, i);
        }
        passtime_series_summary(&s, quantum_ns, &o);
        told += (o.flags & PASSTIME_STATS_HAS_CI) != 0;
        covered += o.ci_low_ns <= truth && truth <= o.ci_high_ns;
    }
    assert_true(told > 0.95 * runs && covered > 0.94 * told);
}

/* Over many runs the plain mean comes out right, from a fiftieth of a quantum to twenty. */
static void quantized_mean_is_unbiased(void **state)
{
    (void)state;
    const double passes[] = {0.02, 0.1, 0.5, 1, 2.3, 20};
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        double truth = passes[i] * 65536;
        double sum = 0;
        double squares = 0;
        const uint32_t runs = 500;
        for (uint32_t run = 0; run < runs; run++) {
            struct sim_pass p = {.mean_ns = truth, .spread = 0.1, .quantum_ns = quantum_ns};
            static struct passtime_series s;
            passtime_stats o;
            fill(&s, &p, 5000 + run, 200);
            passtime_series_summary(&s, quantum_ns, &o);
            double error = (double)o.total_ns / 200 - truth;
            sum += error / runs;
            squares += error * error / runs;
        }
        assert_true(fabs(sum) < 3 * sqrt(squares / runs));
    }
}

/* One row of the trial. */
struct trial {
    double mean_quanta; /* 0: a clock of 1 ns under a pass of 1 ms */
    double rho;
    uint32_t count;
    uint32_t runs;
    uint32_t told;    /* runs with an interval or a bound */
    uint32_t covered; /* of those, with the truth in it */
};

static void run_trial(struct trial *t)
{
    bool quantized = t->mean_quanta > 0;
    for (uint32_t run = 0; run < t->runs; run++) {
        struct sim_pass p = {.mean_ns = quantized ? t->mean_quanta * 65536 : 1e6,
                             .spread = 0.15,
                             .rho = t->rho,
                             .quantum_ns = quantized ? quantum_ns : 1};
        static struct passtime_series s;
        passtime_stats o;
        fill(&s, &p, run + (uint64_t)(t->mean_quanta * 1e12 + t->rho * 1e9) + t->count * 100000,
             t->count);
        passtime_series_summary(&s, p.quantum_ns, &o);
        if ((o.flags & PASSTIME_STATS_HAS_CI) != 0) {
            t->told++;
            t->covered += o.ci_low_ns <= p.mean_ns && p.mean_ns <= o.ci_high_ns;
        } else if ((o.flags & PASSTIME_STATS_HAS_BELOW) != 0) {
            t->told++;
            t->covered += p.mean_ns < o.below_ns;
        }
    }
}

/* Enough samples for the correlation, and for what the rounding hides. */
static bool is_adequate(const struct trial *t)
{
    double correlation_time = (1 + t->rho) / (1 - t->rho);
    bool masked = t->mean_quanta > 0.25 && t->mean_quanta < 10;
    return t->count >= 20 * correlation_time && (!masked || t->count >= 1000);
}

static void judge_trial(const struct trial *t)
{
    double runs = t->runs;
    if (is_adequate(t)) {
        /* Two standard errors of the trial itself are let pass here; the pool below is stricter. */
        assert_true(t->told >= 0.9 * runs);
        assert_true(t->covered >= (0.90 - 2 * sqrt(0.09 / runs)) * t->told);
    } else {
        /* Absent or right: a false interval in no more than 12 % of the runs. */
        assert_true(t->told - t->covered <= (0.12 + 2 * sqrt(0.1056 / runs)) * runs);
    }
}

static void intervals_cover_the_truth(void **state)
{
    (void)state;
    const double means[] = {0.02, 0.1, 0.5, 1, 2, 5, 20, 0};
    const double rhos[] = {0, 0.5, 0.9, 0.98};
    const uint32_t counts[][2] = {{30, 400}, {100, 400}, {300, 300}, {1000, 300}, {10000, 100}};
    for (size_t r = 0; r < sizeof rhos / sizeof rhos[0]; r++) {
        for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
            uint32_t told = 0;
            uint32_t covered = 0;
            for (size_t m = 0; m < sizeof means / sizeof means[0]; m++) {
                struct trial t = {.mean_quanta = means[m],
                                  .rho = rhos[r],
                                  .count = counts[n][0],
                                  .runs = counts[n][1]};
                run_trial(&t);
                if (verbose) {
                    printf("%5.2f quanta  rho %.2f  n %5u: told %3.0f %%, covered %5.1f %% %s\n",
                           t.mean_quanta, t.rho, t.count, 100.0 * t.told / t.runs,
                           t.told > 0 ? 100.0 * t.covered / t.told : 0.0,
                           is_adequate(&t) ? "" : "(short)");
                }
                judge_trial(&t);
                told += is_adequate(&t) ? t.told : 0;
                covered += is_adequate(&t) ? t.covered : 0;
            }
            assert_true(covered >= 0.90 * told && covered <= 0.99 * told);
        }
    }
}

/* What the formula for independent samples would claim: the trial can tell right from wrong. */
static void independent_formula_would_fail(void **state)
{
    (void)state;
    uint32_t covered = 0;
    for (uint32_t run = 0; run < 500; run++) {
        struct sim_pass p = {.mean_ns = 1e6, .spread = 0.15, .rho = 0.9, .quantum_ns = 1};
        double sum = 0;
        double squares = 0;
        sim_pass_start(&p, run);
        for (int i = 0; i < 1000; i++) {
            double distance = (double)sim_pass_next(&p) - 1e6;
            sum += distance;
            squares += distance * distance;
        }
        covered += fabs(sum / 1000) < 1.96 * sqrt(squares / 1000 / 1000);
    }
    assert_in_range(covered, 150, 220); /* about 37 % */
}

int main(int argc, char **argv)
{
    verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_right),
        cmocka_unit_test(batches_stay_between_32_and_64),
        cmocka_unit_test(none_ticked_is_below_three_quanta),
        cmocka_unit_test(few_ticks_have_a_score_interval),
        cmocka_unit_test(equal_samples_have_an_honest_error),
        cmocka_unit_test(error_of_known_samples_is_exact),
        cmocka_unit_test(unseen_steps_are_allowed_for),
        cmocka_unit_test(rare_hitches_are_allowed_for),
        cmocka_unit_test(frames_wanted_follow_the_law),
        cmocka_unit_test(frames_are_counted_not_runs),
        cmocka_unit_test(quantized_mean_is_unbiased),
        cmocka_unit_test(intervals_cover_the_truth),
        cmocka_unit_test(independent_formula_would_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
