/* SPDX-License-Identifier: MIT */
/* The parts of `passtime probe`: measuring one adapter or context, each in a process of its own,
 * and saying what was learnt. */
#ifndef PASSTIME_CLI_PROBE_H
#define PASSTIME_CLI_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <passtime/gl.h>

#include "cli/check.h"

struct gpu;
struct gl;

enum { PROBE_WEBGPU_MAX = 16, PROBE_ADAPTERS_MAX = 48, PROBE_TEXT_BYTES = 256 };

/* What is known of one adapter of WebGPU, or of one context of an EGL device. Plain bytes: it
 * travels through a pipe. */
struct probe_adapter {
    char api[8];    /* "webgpu", "gl" or "gles" */
    uint32_t place; /* among WebGPU's adapters, or among the EGL devices */
    char name[128], driver[128], backend[64], kind[16];
    bool software;
    bool timestamps;        /* offers timestamp queries; GL: its TIMESTAMP counter has bits */
    bool inside_passes;     /* offers stamps inside passes */
    bool timed;             /* passes were timed, good ones came back */
    passtime_source source; /* how they were timed */
    double tick_ns;
    uint64_t quantum_ns;          /* 0: not known */
    uint64_t smallest_ns;         /* smallest difference above 0; 0: none was seen */
    uint64_t total_ns;            /* of all good samples, those of 0 too */
    uint32_t valid_bits;          /* 0: not known */
    uint32_t samples, good;       /* passes recorded and those with a good verdict */
    bool has_gl;                  /* gl holds something */
    passtime_gl_info gl;          /* counters, disjoint, what the self-check found */
    bool check_wanted;            /* asked for: run the check too */
    struct check_outcome check;   /* what it found; check.run false: it was not run to its end */
    char error[PROBE_TEXT_BYTES]; /* why it could not be measured; "" where it was */
};

struct probe_list {
    uint32_t count;
    struct probe_adapter adapters[PROBE_ADAPTERS_MAX];
    char error[1024]; /* why there is none */
};

/* Times small passes on an open device or context and fills in what was learnt. Takes a few seconds
 * at most, as long as the driver returns from its calls. */
void probe_measure(struct gpu *gpu, struct probe_adapter *out);
void probe_measure_gl(struct gl *gl, struct probe_adapter *out);

/* Counts the good samples that came back, and the smallest of them. */
void probe_take_results(passtime *t, struct probe_adapter *out);
/* What the timer's clock is, and whether passes were timed; `reason` is why they were not, or "".
 */
void probe_conclude(passtime *t, struct probe_adapter *out, const char *reason);
/* A passtime_log_fn: keeps the last thing said as the error. `user` is a struct probe_adapter. */
void probe_remember(void *user, passtime_log_item item, const char *message);

/* Gives the check what the small passes told. `feature`: the device offers timer queries. */
void probe_prepare_check(struct probe_adapter *out, bool feature);

/* Lists WebGPU's adapters and the contexts of every EGL device, and measures one of them. A driver
 * may hang or crash: each call runs in a process of its own, which is killed after `timeout_ms`. */
void probe_list_adapters(struct probe_list *out, uint32_t timeout_ms);
void probe_one_adapter(struct probe_adapter *adapter, uint32_t timeout_ms);

struct passtime_line;
struct json_t;

/* What the check of one adapter found, for people and as JSON (null where it was not run). */
void check_print(const struct probe_adapter *adapter, struct passtime_line *line, FILE *out);
struct json_t *check_json(const struct probe_adapter *adapter);

/* For people, and as JSON; on stdout. */
void probe_print_table(const struct probe_list *list);
void probe_print_json(const struct probe_list *list);

#endif
