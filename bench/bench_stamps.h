/* SPDX-License-Identifier: MIT */
/*
 * Made-up stamps of a GPU that takes 16 ms for a frame, which pass in no time at all: its clock
 * jumps. The clock is the machine's, and costs what that costs.
 */
#ifndef PASSTIME_BENCH_STAMPS_H
#define PASSTIME_BENCH_STAMPS_H

#include "bench.h"

enum { BENCH_STAMPS_FRAMES = 61, BENCH_STAMPS_FRAME_NS = 16000000 };

struct bench_stamps {
    uint64_t shift_ns; /* how far its clock is ahead of the machine's */
    uint64_t last_ns;  /* what the clock said last: when the driver was last called, as good as */
    double tick_ns;
    uint32_t next;                                        /* of the frames made */
    uint64_t made[BENCH_STAMPS_FRAMES][2 * BENCH_PASSES]; /* ticks from the begin of the frame */
};

void bench_stamps_init(struct bench_stamps *stamps, enum bench_shape shape, double tick_ns);
/* The clock that a context is to run on; `user` is a struct bench_stamps. */
uint64_t bench_stamps_clock(void *user);
/* The stamps of a frame that began at `begun_ns` on that clock: begin and end of each pass. */
void bench_stamps_fill(struct bench_stamps *stamps, uint64_t begun_ns, uint64_t *ticks);

#endif
