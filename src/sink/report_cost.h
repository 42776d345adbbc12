/* SPDX-License-Identifier: MIT */
/* What the stamps themselves cost of a frame, where that was measured. */
#ifndef PASSTIME_SINK_REPORT_COST_H
#define PASSTIME_SINK_REPORT_COST_H

#include <passtime/check.h>

#include "sink/snapshot.h"

/* The part of a frame's busy time that its pairs of stamps add, and the ends of the cost's
 * interval as such parts. */
struct passtime_stamp_share {
    bool known; /* false: no cost, no GPU stamps or no complete frame */
    double pairs_a_frame;
    double share, low, high;
    uint32_t short_passes; /* passes whose mean is below ten times the cost of their pair */
};

/* `cost` may be NULL: not measured. */
struct passtime_stamp_share passtime_stamp_share(const struct passtime_snapshot *snapshot,
                                                 const passtime_check_cost *cost);

#endif
