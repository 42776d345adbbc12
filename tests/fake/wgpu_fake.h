/* SPDX-License-Identifier: MIT */
/*
 * A scripted WebGPU: one device whose GPU runs when the test says so, whose callbacks come when the
 * test says so, and which fails on demand. It holds its callers to the specification's rules,
 * counts what they break, and logs what they ask.
 *
 * Thread-safe as far as WebGPU is. Time: the GPU's counter stands in `gpu_ticks`; work advances it,
 * and the CPU's clock with it, so that what is measured lies within what the CPU saw.
 */
#ifndef PASSTIME_TESTS_WGPU_FAKE_H
#define PASSTIME_TESTS_WGPU_FAKE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <passtime/webgpu.h>

enum fake_call_kind {
    FAKE_CREATE_SET,    /* a: count */
    FAKE_CREATE_BUFFER, /* a: bytes */
    FAKE_RESOLVE,       /* a: first slot, b: slots, c: destination offset */
    FAKE_CLEAR,         /* a: offset, b: bytes */
    FAKE_COPY,          /* a: source offset, b: destination offset, c: bytes */
    FAKE_SUBMIT,        /* a: command buffers */
    FAKE_WRITE,         /* a: offset, b: bytes */
    FAKE_MAP,           /* a: bytes */
    FAKE_UNMAP
};

/* One call that was made; `ours`: on an object labelled "passtime". */
struct fake_call {
    enum fake_call_kind kind;
    bool ours;
    uint64_t a;
    uint64_t b;
    uint64_t c;
};

/* What a stamp reads: `ticks` is the true value. FAKE_LOST: it is never written. */
typedef uint64_t (*fake_stamp_fn)(void *user, WGPUQuerySet set, uint32_t slot, uint64_t ticks);
#define FAKE_LOST UINT64_MAX

struct fake_command;
struct fake_event;
struct fake_item;

struct fake {
    pthread_mutex_t lock;
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;

    /* The script; change it before the calls that it is for. */
    bool has_timestamps;
    bool has_inside_native;   /* wgpu-native's feature for stamps inside passes */
    bool has_inside_dawn;     /* Dawn's */
    bool hold_gpu;            /* submitted work waits for fake_run() */
    bool hold_maps;           /* maps do not end */
    bool hold_scopes;         /* the answers to popped error scopes do not come */
    uint32_t fail_sets_from;  /* query sets number from … (1: the first ever made) … */
    uint32_t fail_sets_to;    /* … to … are refused, as out of memory */
    uint32_t fail_sets_above; /* sets of more slots than this are refused; 0: none */
    uint32_t null_buffers;    /* so many buffers from now on come as NULL */
    uint32_t fail_buffers;    /* so many buffers from now on are refused, as out of memory */
    uint32_t fail_maps;       /* so many maps from now on end as errors, … */
    uint32_t good_maps;       /* … after so many that do not */
    uint32_t fail_finishes;   /* so many of our encoders from now on fail when finished, … */
    uint32_t good_finishes;   /* … after so many that do not */
    uint64_t step_ticks;      /* between two stamps; default 10 */
    fake_stamp_fn stamp;
    void *stamp_user;

    /* What happened. */
    uint64_t gpu_ticks;
    uint64_t cpu_ns; /* added to the CPU's clock */
    uint32_t sets_made;
    uint32_t live;        /* objects alive, the four above not counted */
    uint32_t roots;       /* references to the four above that callers hold */
    uint32_t violations;  /* rules of the specification broken */
    uint32_t uncaptured;  /* errors that no scope took */
    uint32_t scopes_open; /* error scopes pushed and not popped, of all threads */
    uint32_t callbacks;   /* fired */
    bool lost;
    char message[160]; /* of the last violation or uncaptured error */
    struct fake_call *calls;
    size_t call_count;

    struct fake_event *events;
    struct fake_item *items;
    uint64_t items_queued;
    uint64_t items_run;
    struct fake_scope {
        pthread_t thread;
        WGPUErrorFilter filter;
        WGPUErrorType error;
    } scopes[64];
};

struct fake *fake_create(void);
/* Fires what is left, as cancelled, and frees. Returns how many objects and references were leaked.
 */
uint32_t fake_destroy(struct fake *fake);
/* A desc for the fake's device, and a clock and counting allocator for passtime_desc. */
passtime_webgpu_desc fake_webgpu_desc(struct fake *fake);
uint64_t fake_clock(void *fake);
/* Stamps inside passes. */
void fake_write_in_render(WGPURenderPassEncoder pass, WGPUQuerySet set, uint32_t slot);
void fake_write_in_compute(WGPUComputePassEncoder pass, WGPUQuerySet set, uint32_t slot);

/* Runs what was submitted; with hold_gpu nothing runs otherwise. */
void fake_run(struct fake *fake);
/* Fires the callbacks that are due: wgpuInstanceProcessEvents. */
void fake_fire(struct fake *fake);
/* Loses the device: maps pending and to come are aborted, work does not run. */
void fake_lose(struct fake *fake);
/* Forgets the calls logged so far. */
void fake_forget_calls(struct fake *fake);
/* The n-th call of a kind of ours since then, or NULL. */
const struct fake_call *fake_call(const struct fake *fake, enum fake_call_kind kind, size_t n);
size_t fake_count(const struct fake *fake, enum fake_call_kind kind);

/* What an app does: an encoder with passes of so many ticks of work, inline. */
WGPUCommandEncoder fake_app_encoder(struct fake *fake);
void fake_app_pass(WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes,
                   uint64_t work_ticks);
WGPURenderPassEncoder fake_app_render(WGPUCommandEncoder encoder,
                                      const WGPUPassTimestampWrites *writes);
void fake_app_draw(WGPURenderPassEncoder pass, uint64_t work_ticks);
void fake_app_render_end(WGPURenderPassEncoder pass);
/* A shader that counts: adds `amount` to a counter of the block at `offset`. */
void fake_app_count(WGPUCommandEncoder encoder, WGPUBuffer counters, uint32_t offset,
                    uint32_t counter, uint32_t amount);
void fake_app_submit(struct fake *fake, WGPUCommandEncoder encoder);
void fake_app_drop(WGPUCommandEncoder encoder);
/* An error of the app's own. */
void fake_app_error(struct fake *fake);
void fake_app_push_scope(struct fake *fake);
/* Pops it; returns the error that it took. */
WGPUErrorType fake_app_pop_scope(struct fake *fake);

#endif
