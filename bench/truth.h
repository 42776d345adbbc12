/* SPDX-License-Identifier: MIT */
/*
 * passtime_truth: Passtime's figures held against what is known to be true. One table: what, truth,
 * measured, error, stated error, held or not.
 */
#ifndef PASSTIME_BENCH_TRUTH_H
#define PASSTIME_BENCH_TRUTH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TRUTH_ROWS_MAX = 512 };

/*
 * One trial: many runs of the same thing, or many blocks of one run. Absent figures are NaN: they
 * are shown as "-" and are empty in the CSV file.
 */
struct truth_row {
    const char *part; /* of the table */
    char what[72];
    const char *unit;
    double x;        /* what the row is drawn at in a picture */
    double truth;    /* known */
    double measured; /* mean of what the runs told */
    double error;    /* of a run: root of the mean square of what is between the two */
    double stated;   /* what Passtime says that error is, likewise over the runs */
    uint32_t runs;
    uint32_t told;    /* runs that told an interval or a bound */
    uint32_t covered; /* of those, with the truth in it */
    bool held;
};

struct truth_table {
    bool brief;  /* the short form, for `make test` */
    bool no_gpu; /* leave out what needs a device */
    FILE *csv;   /* every row goes there too; NULL: nowhere */
    uint32_t row_count;
    uint32_t broken_count;  /* rows that did not hold */
    uint32_t missing_count; /* parts that can't be had on this machine */
    const char *part;       /* whose heading was printed last */
};

/* A row with all figures absent. */
struct truth_row truth_row(const char *part, const char *unit);

/* Prints the row and writes it to the CSV file. */
void truth_add(struct truth_table *table, const struct truth_row *row);
/* Says that a part can't be had here, and why. */
void truth_missing(struct truth_table *table, const char *part, const char *why);

/* What the runs of one trial add up to. */
struct truth_tally {
    uint32_t runs;
    uint32_t told;
    uint32_t covered;
    uint32_t means; /* runs that told a mean and its error: the sums are of these */
    double sum;
    double sum_truth;
    double square_error;
    double square_stated;
};

struct passtime_stats;
/* Enters what a run told, of which `truth_ns` is true. */
void truth_tally_add(struct truth_tally *tally, const struct passtime_stats *stats,
                     double truth_ns);
/* Fills in the row's figures in microseconds; `held` is left as it is. */
void truth_tally_close(const struct truth_tally *tally, struct truth_row *row);

/* Does the share of the intervals that hold the truth lie between 90 and 99 %, as far as `told` of
 * them can say? At three standard errors one row in 700 is called broken that isn't. */
bool truth_covers(uint32_t covered, uint32_t told);
/* The same without the upper limit, for intervals that are wide on purpose. */
bool truth_covers_least(uint32_t covered, uint32_t told);

/* The parts. */
void truth_simulated(struct truth_table *table);
void truth_phase(struct truth_table *table);
void truth_faults(struct truth_table *table);
void truth_clocks(struct truth_table *table);
void truth_webgpu(struct truth_table *table);
void truth_gl(struct truth_table *table);

#endif
