/* SPDX-License-Identifier: MIT */
/* A frame with samples and scopes put together by hand, for the tests of its totals. */
#ifndef PASSTIME_TESTS_FRAME_RIG_H
#define PASSTIME_TESTS_FRAME_RIG_H

#include "core/frame.h"

enum { MAX_SAMPLES = 40, MAX_SCOPES = 8 };

struct frame_rig {
    passtime_frame frame;
    passtime_sample samples[MAX_SAMPLES];
    passtime_scope scopes[MAX_SCOPES];
};

/* Adds a good pass timed by stamps; below resolution where it begins as it ends. */
passtime_sample *frame_add(struct frame_rig *f, uint64_t begin_ns, uint64_t end_ns,
                           uint32_t parent);
passtime_sample *frame_add_flat(struct frame_rig *f, uint64_t begin_ns, uint64_t end_ns);
/* Adds a pass with a duration and no position. */
passtime_sample *frame_add_elapsed(struct frame_rig *f, uint64_t duration_ns, uint32_t parent);
uint32_t frame_add_scope(struct frame_rig *f, uint32_t parent);
/* Works out the totals. */
void frame_work_out(struct frame_rig *f);

#endif
