/* SPDX-License-Identifier: MIT */
/*
 * Reports: what a snapshot says, for people (a table, one frame as a tree) and for programs (JSON,
 * CSV). All of them are written from the same figures (report_figures.h), so that they can't
 * disagree.
 */
#ifndef PASSTIME_SINK_REPORT_H
#define PASSTIME_SINK_REPORT_H

#include <stdio.h>

#include <passtime/check.h>

#include "sink/snapshot.h"

/* What counters in its shader add to the time of a pass. */
struct passtime_counters_cost {
    const char *pass;
    passtime_check_cost added;
    double without_ns; /* typical time of the pass without counters; 0: not known */
};

/* One context to report on. */
struct passtime_report_context {
    const struct passtime_snapshot *snapshot;
    const char *id;         /* where it is from: "demo", or a capture's path */
    uint64_t warmup_frames; /* drawn before and counted nowhere */
    uint64_t wall_ns;       /* how long the frames took by the clock on the wall; 0: not known */
    const passtime_check_cost *stamp_cost; /* of a pair of stamps; NULL: not measured */
    const struct passtime_counters_cost *counters_costs; /* by pass; NULL: not measured */
    uint32_t counters_cost_count;
    uint64_t truncated_bytes; /* the capture breaks off there; 0: it is whole */
};

/* How to write for people. */
struct passtime_report_style {
    uint32_t width_columns; /* of the terminal or page; a table takes at least 72 */
    bool unicode;           /* else ASCII only */
    bool colour;            /* ANSI escapes */
};

/* Each returns false where the stream could not be written. */
bool passtime_report_table(FILE *out, const struct passtime_report_context *contexts, size_t count,
                           const struct passtime_report_style *style);
bool passtime_report_json(FILE *out, const struct passtime_report_context *contexts, size_t count);
bool passtime_report_csv(FILE *out, const struct passtime_report_context *contexts, size_t count);

/* One frame as a tree of scopes and passes. `budget_ns` 0: none. */
bool passtime_report_tree(FILE *out, const passtime_frame *frame, uint64_t budget_ns,
                          const struct passtime_report_style *style);
bool passtime_report_tree_json(FILE *out, const passtime_frame *frame, const char *id);

#endif
