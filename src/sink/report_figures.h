/* SPDX-License-Identifier: MIT */
/* What every report derives from a snapshot: counts of frames, shares, order of the passes,
 * warnings. */
#ifndef PASSTIME_SINK_REPORT_FIGURES_H
#define PASSTIME_SINK_REPORT_FIGURES_H

#include "sink/report.h"

enum passtime_bound { PASSTIME_BOUND_UNKNOWN, PASSTIME_BOUND_GPU, PASSTIME_BOUND_CPU };

enum passtime_budget {
    PASSTIME_BUDGET_NONE,    /* none was set */
    PASSTIME_BUDGET_UNKNOWN, /* no frame can be held against it */
    PASSTIME_BUDGET_KEPT,
    PASSTIME_BUDGET_MISSED
};

struct passtime_figures {
    uint64_t timed;             /* frames judged that had passes: complete, incomplete or no data */
    uint64_t held;              /* frames judged since the budget was set; what it is decided of */
    uint64_t skipped;           /* frames not timed, whatever the reason */
    uint64_t not_good;          /* samples with a verdict that is not good */
    double attributed_total_ns; /* of all passes: what shares are shares of */
    bool gpu_time;              /* measured by the GPU's clock */
    enum passtime_bound bound;  /* which of the two takes longer a frame */
    enum passtime_budget budget; /* at least 95 % of the timed frames proved to be within it? */
};

struct passtime_figures passtime_figures_of(const struct passtime_snapshot *snapshot);

/* Whether a software driver seems to draw within the submit call, so that the CPU's submit time
 * holds the time of the passes as well. */
bool passtime_submit_draws(const struct passtime_snapshot *snapshot);

/* A pass's part of all attributed time, 0 to 1; below 0: not known. */
double passtime_share(const struct passtime_figures *figures, const passtime_series_info *series);

/* One row of a table: a pass or scope at its place in the tree. */
struct passtime_row {
    uint32_t series;
    uint32_t depth;
};

/* Rows of all series, parents before children, else in the order of first sight; from malloc. NULL
 * where there are none, or no memory. A parent that isn't there, or is its own ancestor, is no
 * parent. */
struct passtime_row *passtime_rows(const struct passtime_snapshot *snapshot, uint32_t *count);

/* Something that the reader must know before he believes a number. */
struct passtime_note {
    const char *code; /* for programs, "software" */
    char text[320];
};

enum { PASSTIME_NOTES_MAX = 16 };

size_t passtime_notes(const struct passtime_report_context *context,
                      struct passtime_note notes[PASSTIME_NOTES_MAX]);

/* A name for people made one for programs: "below resolution" becomes "below_resolution". */
void passtime_key(char *key, size_t bytes, const char *name);

/* Names of the bits set in a series' marks and in its statistics' flags, one after another: call
 * with *at 0 first; NULL ends. */
const char *passtime_flag_next(uint32_t flags, uint32_t stats_flags, uint32_t *at);

const char *passtime_method(passtime_source source);

/* The figures of statistics that may be absent; *value is set where it returns true. */
enum passtime_figure {
    PASSTIME_FIGURE_MEAN,
    PASSTIME_FIGURE_SE,
    PASSTIME_FIGURE_N_EFF,
    PASSTIME_FIGURE_CI_LOW,
    PASSTIME_FIGURE_CI_HIGH,
    PASSTIME_FIGURE_BELOW,
    PASSTIME_FIGURE_MIN,
    PASSTIME_FIGURE_MAX,
    PASSTIME_FIGURE_P50,
    PASSTIME_FIGURE_P95,
    PASSTIME_FIGURE_P99
};

bool passtime_figure(const passtime_stats *stats, enum passtime_figure which, double *value);

#endif
