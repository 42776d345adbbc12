/* SPDX-License-Identifier: MIT */
/* Snapshots made by hand, with round numbers, that the tests of the reports share. */
#ifndef PASSTIME_TESTS_REPORT_CASES_H
#define PASSTIME_TESTS_REPORT_CASES_H

#include "sink/report.h"

enum { REPORT_CASE_SERIES = 8 };

struct report_case {
    struct passtime_report_context context;
    struct passtime_snapshot snapshot;
    passtime_series_info series[REPORT_CASE_SERIES];
};

/* Fills `out`, which must stay where it is. */
void report_case_gpu(struct report_case *out);    /* all is well; a scope with two passes */
void report_case_faults(struct report_case *out); /* software, rejected samples, skips, cut off */
void report_case_quantized(struct report_case *out); /* stamps in steps of 65,536 ns */
void report_case_cpu(struct report_case *out);       /* the CPU fallback */
void report_case_nothing(struct report_case *out);   /* no frame was timed, nothing is known */

#endif
