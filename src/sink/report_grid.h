/* SPDX-License-Identifier: MIT */
/* The grid of a report's table: rows of times, one unit for all, aligned at the decimal point. */
#ifndef PASSTIME_SINK_REPORT_GRID_H
#define PASSTIME_SINK_REPORT_GRID_H

#include "sink/report_line.h"

enum passtime_grid_column {
    PASSTIME_GRID_MEAN,
    PASSTIME_GRID_ERROR,
    PASSTIME_GRID_P50,
    PASSTIME_GRID_P95,
    PASSTIME_GRID_P99,
    PASSTIME_GRID_MAX,
    PASSTIME_GRID_COLUMNS
};

struct passtime_grid_row {
    const char *name;
    const char *suffix;          /* how it was measured, where that is special; or NULL */
    const passtime_stats *stats; /* NULL: only mean_ns is shown */
    double mean_ns;              /* where stats is NULL */
    double share;                /* 0 to 1; below 0: none */
    uint32_t depth;
    uint32_t colour;
    bool scope;       /* a scope, whose passes follow */
    bool rule_above;  /* a line stands above it */
    char detail[256]; /* what is to be said of it on a line of its own; may be empty */
    char cells[PASSTIME_GRID_COLUMNS][24];
};

struct passtime_grid {
    struct passtime_grid_row *rows;
    uint32_t count, room;
    double unit_ns; /* what all times are divided by */
};

/* Room for `rows` rows; false: no memory. */
bool passtime_grid_begin(struct passtime_grid *grid, uint32_t rows);
/* Adds an empty row and returns it. There is room for it. */
struct passtime_grid_row *passtime_grid_add(struct passtime_grid *grid, const char *name);
void passtime_grid_print(struct passtime_grid *grid, struct passtime_line *line, FILE *out);
void passtime_grid_finish(struct passtime_grid *grid);

#endif
