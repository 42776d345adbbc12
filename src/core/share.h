/* SPDX-License-Identifier: MIT */
/*
 * How the busy time of a queue is shared out among its passes (attributed_ns): at every instant one
 * sample owns it, of those that run the one whose outermost pass began first, and within that pass
 * the deepest. So what overlaps is counted once, an earlier pass keeps its time, a nested one takes
 * its time out of the pass around it, and the shares of a queue add up to the union of its
 * intervals, whatever the stamps are.
 */
#ifndef PASSTIME_CORE_SHARE_H
#define PASSTIME_CORE_SHARE_H

#include <passtime/passtime.h>

#include <stdint.h>

/* Samples of one queue that have a position. */
struct passtime_share {
    passtime_sample *samples;
    const uint32_t *order; /* their indices, by begin and then by index */
    uint32_t count;
    const uint32_t *root;  /* by sample: the outermost pass around it, or itself */
    const uint32_t *depth; /* by sample: how many passes are around it; 0 for an outermost one */
    uint32_t *heap;        /* room for count items */
};

/* Adds to attributed_ns of each, and sets PASSTIME_FLAG_OVERLAPS on outermost passes that ran while
 * another one, begun before, still ran. */
void passtime_share_queue(const struct passtime_share *share);

#endif
