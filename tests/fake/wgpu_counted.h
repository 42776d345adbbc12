/* SPDX-License-Identifier: MIT */
/* A context with shader counters on the fake, and frames whose passes count known amounts. */
#ifndef PASSTIME_TESTS_WGPU_COUNTED_H
#define PASSTIME_TESTS_WGPU_COUNTED_H

#include "fake/wgpu_rig.h"

enum { COUNTERS = 3, UNTOUCHED = 7777 };

extern const passtime_counter_desc counted_names[COUNTERS];

struct counted {
    struct wgpu_rig rig;
    passtime_counters_desc desc;
    WGPUBuffer buffer;
};

/* A rig with three counters, ready to be changed; and opens it. */
void counted_setup(struct counted *c);
void counted_open(struct counted *c);
/* A pass that counts `base`, `base` + 1, `base` + 2; 0: it takes counters and counts nothing. */
void counted_pass(struct counted *c, passtime_recorder *rec, WGPUCommandEncoder encoder,
                  const char *name, uint32_t base);
/* A frame of one recorder whose passes, "a", "b" …, count these. */
void counted_frame(struct counted *c, uint32_t count, const uint32_t *bases);
/* A frame of the pass "a". */
void counted_one(struct counted *c, uint32_t base);
/* The next frame; fails the test where there is none. */
const passtime_frame *counted_next(struct counted *c);
/* The sample has the counts of such a pass; and has none, for this reason. */
void counted_expect(struct counted *c, const passtime_frame *frame, uint32_t sample, uint64_t base);
void counted_expect_none(struct counted *c, const passtime_frame *frame, uint32_t sample,
                         passtime_counts_state state);
uint32_t counted_series(struct counted *c, const char *name);

#endif
