/* SPDX-License-Identifier: MIT */
/*
 * Simulated passes whose mean is known: the plain mean of quantized stamps, its stated error and
 * interval, and how many samples it takes.
 */
#include "truth.h"

#include "core/series.h"
#include "unit/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char part_mean[] =
    "Simulated passes: random phase, correlation, noise, rejected samples";
static const char part_curve[] =
    "The error of the mean falls as facts say: Q * sqrt(p * (1 - p) / n)";
static const char part_law[] = "Samples for a standard error of a tenth of the mean";

static const uint64_t quantum_ns = 65536; /* of a stock Chromium */

/* What one row simulates. */
struct trial {
    struct sim_pass pass;
    double rejected; /* share of the samples */
    uint32_t count;  /* frames */
    uint32_t runs;
};

static void fill(const struct trial *trial, uint64_t seed, struct passtime_series *series)
{
    struct sim_pass pass = trial->pass;
    struct sim_random faults;
    sim_pass_start(&pass, seed);
    sim_seed(&faults, ~seed);
    passtime_series_init(series);
    for (uint32_t i = 0; i < trial->count; i++) {
        uint64_t duration_ns = sim_pass_next(&pass);
        if (trial->rejected > 0 && sim_uniform(&faults) < trial->rejected) {
            passtime_series_reject(series);
        } else {
            passtime_series_add(series, duration_ns, i);
        }
    }
}

static struct truth_tally run_trial(const struct trial *trial, uint64_t seed)
{
    struct truth_tally tally = {0};
    for (uint32_t run = 0; run < trial->runs; run++) {
        struct passtime_series series;
        passtime_stats stats;
        fill(trial, seed * 1000003 + run, &series);
        passtime_series_summary(&series, trial->pass.quantum_ns, &stats);
        truth_tally_add(&tally, &stats, trial->pass.mean_ns);
    }
    return tally;
}

/* So many that the correlation, and what the rounding hides of it, can be told: fewer leave the
 * error untold, which tests/unit/test_stats.c tries. */
static uint32_t adequate_count(double rho, double us)
{
    double correlation_time = (1 + rho) / (1 - rho);
    double count = 40 * correlation_time;
    double ticks = us < 4 ? 8000 : us < 20 ? 4000 : 2000; /* some stamps have to tick */
    return (uint32_t)(count > ticks ? count : ticks);
}

static void describe(const struct trial *trial, double us, struct truth_row *row)
{
    char steps[24] = "no quantum";
    if (trial->pass.quantum_ns > 1) {
        (void)snprintf(steps, sizeof steps, "Q %.1f us", (double)trial->pass.quantum_ns / 1000);
    }
    char text[512]; /* as much as compilers fear that the numbers may take */
    (void)snprintf(text, sizeof text, "%g us, %s, rho %.2f%s%s, n %u", us, steps, trial->pass.rho,
                   trial->pass.white > 0 ? ", white" : "", trial->rejected > 0 ? ", 10 % lost" : "",
                   trial->count);
    (void)snprintf(row->what, sizeof row->what, "%.*s", (int)sizeof row->what - 1, text);
}

static void mean_row(struct truth_table *table, struct trial *trial, double us)
{
    struct truth_row row = truth_row(part_mean, "us");
    trial->pass.mean_ns = us * 1000;
    trial->count = adequate_count(trial->pass.rho, us);
    describe(trial, us, &row);
    struct truth_tally tally = run_trial(trial, table->row_count + 1);
    truth_tally_close(&tally, &row);
    row.x = us;
    row.held = truth_covers(row.covered, row.told) && row.told >= 0.9 * row.runs;
    truth_add(table, &row);
}

static void mean_rows(struct truth_table *table, const struct trial *trial)
{
    static const double lengths_us[] = {1, 5, 20, 50, 180};
    for (size_t i = 0; i < sizeof lengths_us / sizeof lengths_us[0]; i++) {
        struct trial one = *trial;
        mean_row(table, &one, lengths_us[i]);
    }
}

static void means(struct truth_table *table)
{
    static const uint64_t quanta[] = {1, 65536, 100000};
    static const double rhos[] = {0, 0.5, 0.9, 0.98};
    for (size_t q = 0; q < sizeof quanta / sizeof quanta[0]; q++) {
        for (size_t r = 0; r < sizeof rhos / sizeof rhos[0]; r++) {
            for (uint32_t more = 0; more < 4; more++) {
                struct trial trial = {.runs = table->brief ? 100 : 1000};
                trial.pass.spread = 0.15;
                trial.pass.rho = rhos[r];
                trial.pass.white = more & 1 ? 0.5 : 0;
                trial.pass.quantum_ns = quanta[q];
                trial.rejected = more & 2 ? 0.1 : 0;
                bool wanted = !table->brief || (quanta[q] != 100000 && (more == 0 || more == 3) &&
                                                (r == 0 || r == 2));
                if (wanted) {
                    mean_rows(table, &trial);
                }
            }
        }
    }
}

/* Fixed lengths: all of the spread is the rounding's. */
static void curve(struct truth_table *table, double us)
{
    static const uint32_t counts[] = {100, 300, 1000, 3000, 10000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct trial trial = {.count = counts[i], .runs = table->brief ? 200 : 1000};
        struct truth_row row = truth_row(part_curve, "us");
        double p = us * 1000 / (double)quantum_ns;
        double square = 0;
        for (uint32_t run = 0; run < trial.runs; run++) {
            struct passtime_series series;
            passtime_stats stats;
            trial.pass = (struct sim_pass){.mean_ns = us * 1000, .quantum_ns = quantum_ns};
            fill(&trial, (uint64_t)(us * 1e6) + counts[i] * UINT64_C(10007) + run, &series);
            passtime_series_summary(&series, quantum_ns, &stats);
            double error = (double)stats.total_ns / counts[i] - us * 1000;
            square += error * error / trial.runs;
        }
        (void)snprintf(row.what, sizeof row.what, "%g us, n %u: error of the mean", us, counts[i]);
        row.x = counts[i];
        row.truth = (double)quantum_ns * sqrt(p * (1 - p) / counts[i]) / 1000;
        row.measured = sqrt(square) / 1000;
        row.error = fabs(row.measured - row.truth);
        row.stated = row.truth / sqrt(2.0 * trial.runs); /* of a spread seen in so many runs */
        row.held = row.error < 4 * row.stated;
        truth_add(table, &row);
    }
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* How many it takes in all, from what is told after `count`: those still to come, or, when the goal
 * is reached, what the stated error amounts to. */
static double foretold(const passtime_stats *stats, uint32_t count)
{
    double part = 10 * stats->se_ns / stats->mean_ns;
    return stats->frames_for_10_percent > 0 ? (double)count + stats->frames_for_10_percent
                                            : count * part * part;
}

static void law(struct truth_table *table, double us, double wanted)
{
    enum { RUNS_MAX = 400 };
    double totals[RUNS_MAX];
    uint32_t runs = table->brief ? 100 : RUNS_MAX;
    uint32_t halfway = (uint32_t)(wanted / 2);
    struct trial trial = {.count = halfway > 600 ? halfway : 600, .runs = runs}; /* 500 at least */
    struct truth_row row = truth_row(part_law, "samples");
    for (uint32_t run = 0; run < runs; run++) {
        struct passtime_series series;
        passtime_stats stats;
        trial.pass = (struct sim_pass){.mean_ns = us * 1000, .quantum_ns = quantum_ns};
        fill(&trial, (uint64_t)(us * 1e9) + run, &series);
        passtime_series_summary(&series, quantum_ns, &stats);
        totals[run] = foretold(&stats, trial.count);
    }
    qsort(totals, runs, sizeof totals[0], compare);
    (void)snprintf(row.what, sizeof row.what, "%g us: median of what is foretold after %u", us,
                   trial.count);
    row.x = us;
    row.truth = wanted;
    row.measured = totals[runs / 2];
    row.error = fabs(row.measured - wanted);
    /* A few per cent too many: the error is never taken to be less than independent samples have.
     */
    row.held = row.error < 0.15 * wanted;
    truth_add(table, &row);
}

void truth_simulated(struct truth_table *table)
{
    /* The count is 100 * (1 - p) / p, where p is the length in quanta. */
    static const double laws[][2] = {{1, 6454}, {3, 2085}, {6.5, 908}, {20, 228}, {33, 98.6}};
    means(table);
    curve(table, 5);
    if (!table->brief) {
        curve(table, 1);
        curve(table, 50);
    }
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        law(table, laws[i][0], laws[i][1]);
    }
}
