/* SPDX-License-Identifier: MIT */
/* What the two files that measure in a real GL context share. */
#ifndef PASSTIME_BENCH_GL_DEVICE_H
#define PASSTIME_BENCH_GL_DEVICE_H

#include "bench.h"

#include "cli/egl.h"

/* A context of Passtime, its passes interned. All zero: none, whose calls do nothing. */
struct bench_gl_timer {
    passtime *t;
    passtime_id ids[BENCH_PASSES];
    uint64_t frame;
    uint64_t complete; /* frames taken with every pass good */
};

/* `flags` as in passtime_gl_desc. */
bool bench_gl_timer_open(struct bench_gl_timer *timer, uint32_t flags, uint32_t ring);
void bench_gl_timer_take(struct bench_gl_timer *timer);

/* CPU time of all threads of this process: where a software GPU does its work. */
uint64_t bench_process_cpu_ns(void);

/* bench_placebo.c: operations of libplacebo timed by itself and by Passtime. */
bool bench_placebo(struct bench_table *table, const struct bench_options *options, struct gl *gl);

#endif
