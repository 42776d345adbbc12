/* SPDX-License-Identifier: MIT */
/* The difference of a pass's mean between two sets of runs, with an error that can be believed. */
#ifndef PASSTIME_PAGE_COMPARE_H
#define PASSTIME_PAGE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

enum { PASSTIME_COMPARE_RUNS_MAX = 200 };

/* The means of one pass in each run of one side. */
struct passtime_compare_side {
    uint32_t count;
    double means_ns[PASSTIME_COMPARE_RUNS_MAX];
    double errors_ns[PASSTIME_COMPARE_RUNS_MAX]; /* standard errors; below 0: not known */
};

struct passtime_difference {
    bool known;      /* there is an interval */
    bool has_spread; /* it counts what differs from run to run */
    double base_ns, new_ns;
    double low_ns, high_ns; /* 95 % interval of new - base */
};

/* Adds a run; one beyond the limit is left out. */
void passtime_compare_add(struct passtime_compare_side *side, double mean_ns, double error_ns);

/*
 * With three runs or more on both sides together, the spread of the runs' means about their side's
 * is what the interval is made of (Student's distribution); it is taken to be the same on both
 * sides, and no smaller than the errors within runs. With one run each there is no spread to be
 * seen: the errors within the runs are all there is.
 */
struct passtime_difference passtime_compare(const struct passtime_compare_side *base,
                                            const struct passtime_compare_side *now);

#endif
