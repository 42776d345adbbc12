/* SPDX-License-Identifier: MIT */
/*
 * Frames with a pace: does Passtime say so where they begin at one phase of the quantum, does it
 * keep still where they don't, and does the interval that it then widens hold the truth?
 */
#include "truth.h"

#include "core/phase.h"
#include "core/series.h"
#include "unit/sim.h"

#include <math.h>

static const char part_locked[] = "Frames at one phase of the quantum: told, and errors widened";
static const char part_free[] = "Frames at mixed phases: nothing is told (false alarms below 1 %)";

static const uint64_t quantum_ns = 65536;

struct pace {
    const char *what;
    double step;   /* from frame to frame, in quanta; 0: a random one each run */
    double jitter; /* standard deviation of a begin, in quanta */
    double missed; /* share of the frames that are left out */
};

struct outcome {
    bool locked;
    passtime_stats stats;
};

/* One run: frames of one pass of fixed length, at a random place of the grid. */
static struct outcome run_frames(const struct pace *pace, double length_ns, uint32_t count,
                                 uint64_t seed)
{
    struct sim_random random;
    struct passtime_phase phase;
    struct passtime_series series;
    struct outcome outcome;
    sim_seed(&random, seed);
    passtime_phase_init(&phase);
    passtime_series_init(&series);
    double start = 1000 + sim_uniform(&random);
    double step = pace->step > 0 ? pace->step : 60 + 400 * sim_uniform(&random);
    for (uint32_t i = 0; i < count; i++) {
        double begin = start + i * step + pace->jitter * sim_normal(&random);
        uint64_t first = (uint64_t)floor(begin);
        uint64_t last = (uint64_t)floor(begin + length_ns / (double)quantum_ns);
        if (sim_uniform(&random) >= pace->missed) {
            passtime_phase_add(&phase, 0, first * quantum_ns, quantum_ns);
            passtime_series_add(&series, (last - first) * quantum_ns, i);
        }
    }
    passtime_series_summary(&series, quantum_ns, &outcome.stats);
    outcome.locked = passtime_phase_is_locked(&phase);
    if (outcome.locked) {
        passtime_stats_lock(&outcome.stats);
    }
    return outcome;
}

static void told_row(struct truth_table *table, const char *part, const struct pace *pace,
                     uint32_t locked, uint32_t runs, bool held)
{
    struct truth_row row = truth_row(part, "% told");
    (void)snprintf(row.what, sizeof row.what, "%s", pace->what);
    row.x = pace->jitter;
    row.measured = 100.0 * locked / runs;
    row.held = held;
    truth_add(table, &row);
}

/* Phases that stand still close to an edge are not seen: about two standard deviations each side.
 */
static void locked_rows(struct truth_table *table, const struct pace *pace, uint32_t runs)
{
    struct truth_tally tally = {0};
    struct truth_row row = truth_row(part_locked, "us");
    uint32_t locked = 0;
    for (uint32_t run = 0; run < runs; run++) {
        struct outcome outcome = run_frames(pace, 40000, 2000, run + 1);
        locked += outcome.locked;
        if (outcome.locked) {
            truth_tally_add(&tally, &outcome.stats, 40000);
        }
    }
    double blind = 5 * pace->jitter;
    told_row(table, part_locked, pace, locked, runs,
             locked >= (1 - blind - 3 * sqrt(blind * (1 - blind) / runs)) * runs);
    truth_tally_close(&tally, &row);
    (void)snprintf(row.what, sizeof row.what, "  a pass of 40 us in those that were told");
    row.held = truth_covers_least(row.covered, row.told) && row.told >= 0.9 * row.runs;
    truth_add(table, &row);
}

static void free_rows(struct truth_table *table, const struct pace *pace, uint32_t runs)
{
    struct truth_tally tally = {0};
    struct truth_row row = truth_row(part_free, "us");
    uint32_t locked = 0;
    for (uint32_t run = 0; run < runs; run++) {
        struct outcome outcome = run_frames(pace, 40000, 2000, run + 77777);
        locked += outcome.locked;
        truth_tally_add(&tally, &outcome.stats, 40000);
    }
    told_row(table, part_free, pace, locked, runs, locked < 0.01 * runs + 1);
    truth_tally_close(&tally, &row);
    (void)snprintf(row.what, sizeof row.what, "  a pass of 40 us in them");
    row.held = truth_covers_least(row.covered, row.told);
    truth_add(table, &row);
}

void truth_phase(struct truth_table *table)
{
    static const struct pace locked[] = {
        {"254 quanta a frame, to the nanosecond", 254, 0, 0},
        {"254 quanta a frame, begins vary by 0.02 quanta", 254, 0.02, 0},
        {"the same, one frame in 100 missed", 254, 0.02, 0.01},
        {"254 quanta a frame, begins vary by 0.05 quanta", 254, 0.05, 0},
    };
    static const struct pace mixed[] = {
        {"60 frames a second (254.31 quanta), to the nanosecond", 254.3131, 0, 0},
        {"any pace, to the nanosecond", 0, 0, 0},
        {"any pace, begins vary by 0.1 quanta", 0, 0.1, 0},
        {"any pace, begins vary by 1 quantum", 0, 1, 0},
        {"254 quanta a frame, begins vary by half a quantum", 254, 0.5, 0},
        {"254.01 quanta a frame: the grid is swept in 100 frames", 254.01, 0, 0},
    };
    uint32_t runs = table->brief ? 200 : 2000;
    for (size_t i = 0; i < sizeof locked / sizeof locked[0]; i++) {
        locked_rows(table, &locked[i], runs);
    }
    for (size_t i = 0; i < sizeof mixed / sizeof mixed[0]; i++) {
        free_rows(table, &mixed[i], runs);
    }
}
