/* SPDX-License-Identifier: MIT */
/*
 * Shader counters in reports: amounts with units of their own, apart from every time. A report of
 * contexts without counters says nothing of them.
 */
#ifndef PASSTIME_SINK_REPORT_COUNTERS_H
#define PASSTIME_SINK_REPORT_COUNTERS_H

#include <jansson.h>

#include "sink/report_line.h"

/* A table of its own: a row for each counter of each pass, in the order of the passes' rows. */
void passtime_counters_table(const struct passtime_report_context *context,
                             struct passtime_line *line, FILE *out);
/* The counters of a series as an array; JSON null where it took none. */
json_t *passtime_counters_json(const struct passtime_snapshot *snapshot, uint32_t series);
/* What counting adds to the passes' times; JSON null where it was not measured. */
json_t *passtime_counters_cost_json(const struct passtime_report_context *context);

/* The counters of all contexts, each name with its unit once; further columns of the CSV. */
enum { PASSTIME_CSV_COUNTERS_MAX = 64 };
struct passtime_csv_counters {
    uint32_t count;
    const passtime_counter_info *infos[PASSTIME_CSV_COUNTERS_MAX];
};
void passtime_csv_counters_find(const struct passtime_report_context *contexts, size_t count,
                                struct passtime_csv_counters *counters);
/* "NAME [UNIT] count", mean, se, min and max of each; `put` writes one field, quoted if need be. */
void passtime_csv_counters_head(FILE *out, const struct passtime_csv_counters *counters,
                                void (*put)(FILE *out, const char *text));
void passtime_csv_counters_row(FILE *out, const struct passtime_csv_counters *counters,
                               const struct passtime_snapshot *snapshot, uint32_t series);

#endif
