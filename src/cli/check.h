/* SPDX-License-Identifier: MIT */
/* `passtime probe --check`: the work that proves whether a device can measure, alike for every API;
 * an API brings only the way to run one frame of it. */
#ifndef PASSTIME_CLI_CHECK_H
#define PASSTIME_CLI_CHECK_H

#include <passtime/check.h>

/* With steps of the clock above that, single times say little and means are what counts. */
enum { CHECK_PASSES_MAX = 40, CHECK_COARSE_NS = 2000 };

enum check_kind {
    CHECK_FIRST = 0,  /* compute in WebGPU, draws in GL */
    CHECK_SECOND = 1, /* render in WebGPU */
};

/* One pass of a frame. */
struct check_pass {
    enum check_kind kind;
    uint32_t parts; /* 0: nothing but the pass itself */
    bool timed;
    bool good;       /* set by the frame: it came back with a good verdict */
    double begin_ns; /* set by the frame: its begin and end; begin 0 without a position */
    double end_ns;
};

/* CPU times of one frame, nanoseconds, or totals of many. */
struct check_cpu {
    double submit_ns;  /* from submit to completion */
    double passes_ns;  /* in the calls that name the passes, or begin and end them */
    double frame_ns;   /* in frame_begin, submitted and frame_end, less what the passes took */
    double collect_ns; /* in the call that brought the results */
};

struct check_device {
    void *user;
    uint32_t kind_count;
    bool cost_only; /* measure what a pair of stamps costs, and nothing else */
    /* Runs one frame, waits for it and fills in its passes. False: nothing came back; why, the
     * device knows. */
    bool (*frame)(void *user, struct check_pass *passes, uint32_t count, struct check_cpu *cpu);
    /* Makes one part of a kind `scale` times as long as the shortest. */
    void (*set_scale)(void *user, enum check_kind kind, uint32_t scale);
};

/* What was measured and what follows from it. Plain bytes: it travels through a pipe. */
struct check_outcome {
    bool run; /* the check was run to its end */
    bool has_cpu;
    uint32_t kind_count;
    passtime_check_input input;
    passtime_check_verdict verdict;
    passtime_check_cost pair_cost; /* GPU time that a pair of stamps adds */
    double cpu_pass_ns;            /* CPU time of naming one pass, or of its begin and end */
    double cpu_frame_ns;           /* CPU time a frame, beside its passes */
    double cpu_collect_ns;         /* CPU time of bringing back one frame */
};

/* Runs the check on a device, for `allowed_ns` at most. out->input holds the feature, the source,
 * the quantum and the minimal passes already. */
void check_run(struct check_device *device, uint64_t allowed_ns, struct check_outcome *out);

/* Takes the results of frame `number` where they are there: OK. EMPTY: none will come, e.g. while
 * the queries are not ready yet. */
passtime_result check_take(passtime *timer, uint64_t number, struct check_pass *passes,
                           uint32_t count, struct check_cpu *cpu);

struct gpu;
struct gl;

/* The same on an open device or context. */
void check_webgpu(struct gpu *gpu, struct check_outcome *out);
void check_gl(struct gl *gl, bool flush, struct check_outcome *out);
/* What a pair of stamps costs there, and nothing else; takes a second or so. */
passtime_check_cost check_webgpu_cost(struct gpu *gpu);
passtime_check_cost check_gl_cost(struct gl *gl, bool flush);

#endif
