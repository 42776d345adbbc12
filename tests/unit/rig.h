/* SPDX-License-Identifier: MIT */
/*
 * A context on the feed backend with a clock that the test moves, and frames written as rows of
 * passes. Ticks are given as the GPU would write them; the rig tells the core nothing else.
 */
#ifndef PASSTIME_TESTS_RIG_H
#define PASSTIME_TESTS_RIG_H

#include <passtime/feed.h>

enum { RIG_PASSES = 8192, RIG_LOG_ITEMS = 32 };

struct rig {
    passtime *t;
    uint64_t now_ns;
    uint64_t frame;                 /* number of the next frame */
    uint64_t ticks[2 * RIG_PASSES]; /* of the frame being recorded */
    uint32_t pairs;
    uint32_t said[RIG_LOG_ITEMS]; /* log items, how often */
    size_t allocated_blocks;      /* alive */
    size_t allocations;           /* ever */
    size_t fail_at;               /* the allocation that fails, from 1; 0: none */
    passtime_feed_desc feed;
    passtime_desc desc;
};

/* Fills in descs with the rig's clock, log and allocator; change them, then rig_open. */
void rig_init(struct rig *rig);
void rig_open(struct rig *rig);
/* Both, with nothing changed. */
void rig_open_default(struct rig *rig);
/* Where the GPU's clock stands for a frame whose CPU time is rig->now_ns: far from zero. */
uint64_t rig_gpu(const struct rig *rig);
/* Ends the context and asserts that nothing leaked. */
void rig_close(struct rig *rig);

/* One pass of the frame being recorded, with its ticks. */
void rig_pass(struct rig *rig, passtime_recorder *rec, const char *name, uint64_t begin_ticks,
              uint64_t end_ticks);
passtime_recorder *rig_begin(struct rig *rig);
/* Submits, ends the frame, lets the clock run by `later_ns` and gives the ticks. */
void rig_finish(struct rig *rig, passtime_recorder *rec, uint64_t later_ns);
/* Gives results for a frame that was ended. */
void rig_results(struct rig *rig, uint64_t number, passtime_feed_status status);

/* A whole frame of one pass; 16 ms pass before it and 8 ms after. */
void rig_frame(struct rig *rig, const char *name, uint64_t begin_ticks, uint64_t end_ticks);
/* Takes the next judged frame; fails the test where there is none. */
const passtime_frame *rig_next(struct rig *rig);
/* Takes and drops all judged frames; returns how many. */
uint32_t rig_drain(struct rig *rig);

/* The series with this path; fails the test where there is none. */
passtime_series_info rig_series(struct rig *rig, const char *path);
passtime_ledger rig_ledger(struct rig *rig);
/* Asserts that fates and verdicts add up to what was begun and recorded. */
void rig_check_ledger(struct rig *rig);

#endif
