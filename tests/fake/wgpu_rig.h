/* SPDX-License-Identifier: MIT */
/* A context on the fake, with what tests of it need: a clock, a counting allocator, a log, short
 * frames. */
#ifndef PASSTIME_TESTS_WGPU_RIG_H
#define PASSTIME_TESTS_WGPU_RIG_H

#include <stdatomic.h>

#include "fake/wgpu_fake.h"

struct wgpu_rig {
    struct fake *fake;
    passtime_webgpu_desc gpu;
    passtime_desc desc;
    passtime *t;
    uint64_t number;           /* of the next frame that wgpu_rig_frame begins */
    uint32_t said[32];         /* log items, by number */
    _Atomic int32_t allocated; /* pieces of memory that are not released */
    int32_t allocations;       /* made so far */
    int32_t fail_allocation;   /* the one that fails, from 1; 0: none */
};

/* A fake and its descs, ready to be changed. */
void wgpu_rig_setup(struct wgpu_rig *rig);
/* Creates the context and lets its query sets get ready; fails the test where they do not. */
void wgpu_rig_open(struct wgpu_rig *rig);
/* Begins frames without passes until every entry has its queries. */
void wgpu_rig_warm(struct wgpu_rig *rig);
/* Destroys both, and fails the test where a rule was broken, an error of ours got out or anything
 * leaked. */
void wgpu_rig_close(struct wgpu_rig *rig);

/* One whole frame of one recorder; pass i is called names[i] and works for work[i] ticks. Returns
 * its number. Nothing is collected. */
uint64_t wgpu_rig_frame(struct wgpu_rig *rig, uint32_t count, const char *const *names,
                        const uint64_t *work);
/* A frame of `count` passes called "p", pass i working for base + i ticks. */
uint64_t wgpu_rig_many(struct wgpu_rig *rig, uint32_t count, uint64_t base);
/* Encodes a pass of `work` ticks; true where it is timed. */
bool wgpu_rig_pass(passtime_recorder *rec, WGPUCommandEncoder encoder, const char *name,
                   uint64_t work);
/* Fires callbacks, collects, and takes the next frame; NULL: none. */
const passtime_frame *wgpu_rig_next(struct wgpu_rig *rig);
/* The same, all of them. Returns how many. */
uint32_t wgpu_rig_drain(struct wgpu_rig *rig);
passtime_ledger wgpu_rig_ledger(struct wgpu_rig *rig);
/* The series of that name; fails the test where there is none. */
passtime_series_info wgpu_rig_series(struct wgpu_rig *rig, const char *name);
passtime_webgpu_info wgpu_rig_info(struct wgpu_rig *rig);

#endif
