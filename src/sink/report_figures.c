/* SPDX-License-Identifier: MIT */
/* Figures derived from a snapshot, once for all reports. */
#include "sink/report_figures.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

static bool finite_number(double value)
{
    return value - value == 0.0;
}

bool passtime_figure(const passtime_stats *stats, enum passtime_figure which, double *value)
{
    const struct {
        uint32_t flag;
        double value;
    } figures[] = {
        [PASSTIME_FIGURE_MEAN] = {PASSTIME_STATS_HAS_MEAN, stats->mean_ns},
        [PASSTIME_FIGURE_SE] = {PASSTIME_STATS_HAS_SE, stats->se_ns},
        [PASSTIME_FIGURE_N_EFF] = {PASSTIME_STATS_HAS_SE, stats->n_eff},
        [PASSTIME_FIGURE_CI_LOW] = {PASSTIME_STATS_HAS_CI, stats->ci_low_ns},
        [PASSTIME_FIGURE_CI_HIGH] = {PASSTIME_STATS_HAS_CI, stats->ci_high_ns},
        [PASSTIME_FIGURE_BELOW] = {PASSTIME_STATS_HAS_BELOW, stats->below_ns},
        [PASSTIME_FIGURE_MIN] = {PASSTIME_STATS_HAS_MIN, (double)stats->min_ns},
        [PASSTIME_FIGURE_MAX] = {PASSTIME_STATS_HAS_MAX, (double)stats->max_ns},
        [PASSTIME_FIGURE_P50] = {PASSTIME_STATS_HAS_P50, (double)stats->p50_ns},
        [PASSTIME_FIGURE_P95] = {PASSTIME_STATS_HAS_P95, (double)stats->p95_ns},
        [PASSTIME_FIGURE_P99] = {PASSTIME_STATS_HAS_P99, (double)stats->p99_ns},
    };
    *value = figures[which].value;
    return (stats->flags & figures[which].flag) != 0 && finite_number(*value);
}

bool passtime_submit_draws(const struct passtime_snapshot *snapshot)
{
    double busy, submit;
    return snapshot->adapter.software &&
           passtime_figure(&snapshot->totals[PASSTIME_TOTAL_BUSY], PASSTIME_FIGURE_MEAN, &busy) &&
           passtime_figure(&snapshot->totals[PASSTIME_TOTAL_CPU_SUBMIT], PASSTIME_FIGURE_MEAN,
                           &submit) &&
           submit >= busy;
}

static enum passtime_bound bound_of(const struct passtime_snapshot *snapshot)
{
    double busy, submit;
    if (!passtime_figure(&snapshot->totals[PASSTIME_TOTAL_BUSY], PASSTIME_FIGURE_MEAN, &busy) ||
        !passtime_figure(&snapshot->totals[PASSTIME_TOTAL_CPU_SUBMIT], PASSTIME_FIGURE_MEAN,
                         &submit))
        return PASSTIME_BOUND_UNKNOWN;
    if (passtime_submit_draws(snapshot))
        submit -= busy;
    return busy >= submit ? PASSTIME_BOUND_GPU : PASSTIME_BOUND_CPU;
}

static bool has_true_boundaries(const struct passtime_snapshot *snapshot)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < snapshot->series_count; i++)
        flags |= snapshot->series[i].flags;
    return (flags & (PASSTIME_FLAG_BOUNDARY_UNVERIFIED | PASSTIME_FLAG_UNIT_DOUBTFUL)) == 0;
}

/*
 * An incomplete frame's busy time is a lower bound only, so it never counts as within the budget;
 * and where stamps may lie, time may be missing from any frame, so that none is proved to be within
 * it.
 */
static enum passtime_budget budget_of(const struct passtime_snapshot *snapshot, uint64_t held)
{
    const passtime_ledger *ledger = &snapshot->ledger;
    if (snapshot->budget_ns == 0)
        return PASSTIME_BUDGET_NONE;
    if (ledger->frames_within_budget == 0 && ledger->frames_over_budget == 0)
        return PASSTIME_BUDGET_UNKNOWN;
    bool within = (double)ledger->frames_within_budget >= 0.95 * (double)held;
    if (!within)
        return PASSTIME_BUDGET_MISSED;
    return has_true_boundaries(snapshot) ? PASSTIME_BUDGET_KEPT : PASSTIME_BUDGET_UNKNOWN;
}

static double attributed_total(const struct passtime_snapshot *snapshot)
{
    double total = 0.0;
    for (uint32_t i = 0; i < snapshot->series_count; i++) {
        if (snapshot->series[i].kind == PASSTIME_SERIES_PASS)
            total += (double)snapshot->series[i].attributed_ns;
    }
    return total;
}

struct passtime_figures passtime_figures_of(const struct passtime_snapshot *snapshot)
{
    const passtime_ledger *ledger = &snapshot->ledger;
    struct passtime_figures figures = {0};
    figures.timed = ledger->fates[PASSTIME_FRAME_COMPLETE] +
                    ledger->fates[PASSTIME_FRAME_INCOMPLETE] +
                    ledger->fates[PASSTIME_FRAME_NO_DATA];
    /* What a file says need not be true. */
    const uint64_t decided = ledger->frames_over_budget + ledger->frames_within_budget;
    figures.held = ledger->frames_budgeted > decided ? ledger->frames_budgeted : decided;
    for (int fate = PASSTIME_FRAME_SKIPPED_FULL; fate < PASSTIME_FATE_COUNT; fate++)
        figures.skipped += ledger->fates[fate];
    for (int verdict = 0; verdict < PASSTIME_VERDICT_COUNT; verdict++) {
        if (verdict != PASSTIME_GOOD && verdict != PASSTIME_BELOW_RESOLUTION)
            figures.not_good += ledger->verdicts[verdict];
    }
    figures.attributed_total_ns = attributed_total(snapshot);
    figures.gpu_time = snapshot->clock.source == PASSTIME_GPU_STAMPS ||
                       snapshot->clock.source == PASSTIME_GPU_ELAPSED;
    if (figures.gpu_time) {
        figures.bound = bound_of(snapshot);
        figures.budget = budget_of(snapshot, figures.held);
    } else {
        figures.budget = snapshot->budget_ns == 0 ? PASSTIME_BUDGET_NONE : PASSTIME_BUDGET_UNKNOWN;
    }
    return figures;
}

double passtime_share(const struct passtime_figures *figures, const passtime_series_info *series)
{
    if (series->kind != PASSTIME_SERIES_PASS || series->stats.count == 0 ||
        figures->attributed_total_ns <= 0.0)
        return -1.0;
    return (double)series->attributed_ns / figures->attributed_total_ns;
}

/* The tree as lists: first and next index into the series; the root stands at the end. */
struct tree {
    uint32_t *first, *last, *next;
};

static void tree_append(struct tree *tree, uint32_t parent, uint32_t child)
{
    if (tree->first[parent] == PASSTIME_NONE)
        tree->first[parent] = child;
    else
        tree->next[tree->last[parent]] = child;
    tree->last[parent] = child;
}

/* Whether climbing from `index` comes to a root: a damaged capture may hold circles, or be so deep
 * that climbing would take for ever. */
static bool reaches_root(const struct passtime_snapshot *snapshot, uint32_t index)
{
    for (uint32_t steps = 0; steps < DEPTH_MAX; steps++) {
        uint32_t parent = snapshot->series[index].parent;
        if (parent >= snapshot->series_count)
            return true;
        index = parent;
    }
    return false;
}

static uint32_t place_below(struct tree *tree, const struct passtime_snapshot *snapshot,
                            struct passtime_row *rows)
{
    uint32_t count = 0, depth = 0, at = tree->first[snapshot->series_count];
    while (at != PASSTIME_NONE) {
        rows[count++] = (struct passtime_row){.series = at, .depth = depth};
        if (tree->first[at] != PASSTIME_NONE) {
            at = tree->first[at];
            depth++;
            continue;
        }
        while (tree->next[at] == PASSTIME_NONE && depth > 0) {
            at = snapshot->series[at].parent;
            depth--;
        }
        at = tree->next[at];
    }
    return count;
}

struct passtime_row *passtime_rows(const struct passtime_snapshot *snapshot, uint32_t *count)
{
    uint32_t total = snapshot->series_count;
    size_t places = (size_t)total + 1;
    uint32_t *lists = malloc(3 * places * sizeof *lists);
    struct passtime_row *rows = malloc(places * sizeof *rows);
    *count = 0;
    if (!lists || !rows || total == 0) {
        free(lists);
        free(rows);
        return NULL;
    }
    memset(lists, 0xff, 3 * places * sizeof *lists);
    struct tree tree = {.first = lists, .last = lists + places, .next = lists + 2 * places};
    for (uint32_t i = 0; i < total; i++) {
        bool child = snapshot->series[i].parent < total && reaches_root(snapshot, i);
        tree_append(&tree, child ? snapshot->series[i].parent : total, i);
    }
    *count = place_below(&tree, snapshot, rows);
    free(lists);
    return rows;
}

void passtime_key(char *key, size_t bytes, const char *name)
{
    size_t length = 0;
    for (; name[length] && length + 1 < bytes; length++)
        key[length] = name[length] == ' ' ? '_' : name[length];
    key[length] = '\0';
}

const char *passtime_flag_next(uint32_t flags, uint32_t stats_flags, uint32_t *at)
{
    static const struct {
        uint32_t flag, stats_flag;
        const char *name;
    } names[] = {
        {PASSTIME_FLAG_OVERLAPS, 0, "overlaps"},
        {PASSTIME_FLAG_NO_POSITION, 0, "no_position"},
        {PASSTIME_FLAG_BOUNDARY_UNVERIFIED, 0, "boundary_unverified"},
        {PASSTIME_FLAG_OUTSIDE_ENVELOPE, 0, "outside_envelope"},
        {PASSTIME_FLAG_UNIT_DOUBTFUL, 0, "unit_doubtful"},
        {PASSTIME_FLAG_SERIAL_SUM, 0, "serial_sum"},
        {PASSTIME_FLAG_OTHER, 0, "other"},
        {PASSTIME_FLAG_IMPLIED_END, 0, "implied_end"},
        {PASSTIME_FLAG_BUDGET_OVER, 0, "budget_over"},
        {0, PASSTIME_STATS_BIASED, "biased"},
        {0, PASSTIME_STATS_QUANTIZED, "quantized"},
        {0, PASSTIME_STATS_LOCKED, "locked_phase"},
        {0, PASSTIME_STATS_WINDOWED, "windowed"},
    };
    for (uint32_t i = *at; i < sizeof names / sizeof names[0]; i++) {
        if ((flags & names[i].flag) || (stats_flags & names[i].stats_flag)) {
            *at = i + 1;
            return names[i].name;
        }
    }
    return NULL;
}

const char *passtime_method(passtime_source source)
{
    if (source == PASSTIME_GPU_STAMPS)
        return "stamps";
    return source == PASSTIME_GPU_ELAPSED ? "elapsed" : "cpu";
}
