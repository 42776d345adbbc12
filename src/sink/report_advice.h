/* SPDX-License-Identifier: MIT */
/*
 * Which neighbouring passes are better timed as one: each is short against the step of the clock or
 * against what its stamps cost, so that a pair of stamps around all of them tells more, or takes
 * less.
 */
#ifndef PASSTIME_SINK_REPORT_ADVICE_H
#define PASSTIME_SINK_REPORT_ADVICE_H

#include "sink/report.h"

enum { PASSTIME_ADVICE_MAX = 8, PASSTIME_ADVICE_BYTES = 768 };

/* One group that is worth making. A figure below 0 is not known. */
struct passtime_advice {
    uint32_t first; /* series; with `last`, all passes from the one to the other */
    uint32_t last;
    uint32_t name_count;
    double passes_a_frame; /* of all of them */
    bool by_cost;          /* short against the cost of a pair; else against the clock's step */
    double limit_ns;       /* a pass below it is short */
    double sum_ns;         /* of their means, a frame */
    double frames_alone;   /* until the shortest one's mean is within 10 % */
    double frames_grouped; /* until the mean of the sum is */
    double saved_ns;       /* GPU time of stamps that a group takes off a frame */
    double saved_share;    /* of the frame's busy time, 0 to 1 */
};

/* Finds the groups. A pass counts as short where that is sure: by the upper end of its interval. */
size_t passtime_advise(const struct passtime_report_context *context,
                       struct passtime_advice list[PASSTIME_ADVICE_MAX]);

/* The same in words. */
void passtime_advice_text(const struct passtime_report_context *context,
                          const struct passtime_advice *advice, char text[PASSTIME_ADVICE_BYTES]);

#endif
