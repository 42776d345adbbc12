/* SPDX-License-Identifier: MIT */
/* The demo: real frames on a real device, timed. demo.c sets it up and reports, demo_run.c runs it.
 */
#ifndef PASSTIME_CLI_DEMO_H
#define PASSTIME_CLI_DEMO_H

#include <passtime/passtime.h>
#include <passtime/sink.h>

#include "cli/gpu.h"
#include "cli/options.h"
#include "cli/scene.h"
#include "cli/terminal.h"

struct demo_values {
    uint64_t frames, points, size, every, warmup;
    uint64_t budget_ns;
    const char *adapter, *png, *capture, *api;
    bool off, json, fallback, verbose;
};

struct demo {
    struct cli cli;
    struct demo_values values;
    bool budget_given, size_given, points_given;
    struct gpu_system *system;
    struct gpu *gpu;
    struct scene *scene;
    passtime *timer;
    passtime_recorder *recorder; /* of the frame being recorded */
    passtime_adapter_info adapter;
    passtime_capture *sink;
    bool capture_failed;
    struct live live;
    uint32_t frames_unfinished; /* submitted, and the device has not said that they ended */
    uint64_t frames_drawn;      /* those that count */
    uint64_t warmup_drawn;
    uint64_t wall_ns;
    bool stuck;     /* the device gave no sign of life for long */
    char said[256]; /* the last thing that Passtime's log said */
};

/* Draws the frames to warm up, waits for them, and forgets them. */
void demo_warm_up(struct demo *demo);
/* Draws the frames that count, until all are drawn, the device is lost or Ctrl-C is pressed; then
 * waits a bounded time for what is in flight. */
void demo_run(struct demo *demo);

#endif
