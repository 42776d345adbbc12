/* SPDX-License-Identifier: MIT */
/*
 * The demo: real frames on a real device, timed. demo.c sets it up and reports, demo_run.c runs it,
 * demo_webgpu.c and demo_gl.c draw.
 */
#ifndef PASSTIME_CLI_DEMO_H
#define PASSTIME_CLI_DEMO_H

#include <passtime/passtime.h>
#include <passtime/check.h>
#include <passtime/sink.h>

#include "cli/options.h"
#include "cli/scene.h"
#include "cli/terminal.h"
#include "sink/report.h"

struct demo_values {
    uint64_t frames, points, size, every, warmup;
    uint64_t budget_ns;
    const char *adapter, *png, *capture, *api;
    bool off, json, fallback, verbose, flush, elapsed, stamp_cost, counters;
};

/* The run waits where more frames than this are unfinished. */
enum { DEMO_UNFINISHED_MAX = 3 };

struct demo;

/* What a graphics API does in its own way. What it needs is in demo->device. */
struct demo_api {
    const char *name; /* on the command line and in reports */
    bool flushes;     /* takes --flush and --elapsed */
    /* Opens the device and says what it is in demo->adapter. An exit code; it has said what failed.
     */
    int (*open)(struct demo *demo);
    bool (*make_scene)(struct demo *demo, const struct scene_kind *kind,
                       const struct scene_desc *desc, char *error, size_t error_bytes);
    /* Makes demo->timer, and readies it. */
    passtime_result (*make_timer)(struct demo *demo, const passtime_desc *desc);
    /* Makes the scene's shaders count, for demo->timer; NULL: this API has no counters. */
    bool (*count)(struct demo *demo, char *error, size_t error_bytes);
    /* Draws a frame, its passes recorded on demo->recorder, up to the submission. */
    void (*draw)(struct demo *demo, uint32_t index);
    /* The frame is ended: counts it as unfinished until the device has drawn it. */
    void (*follow)(struct demo *demo, uint64_t number);
    /* Brings frames_unfinished and health up to date. Never waits. */
    void (*pump)(struct demo *demo);
    uint32_t (*size_pixels)(const struct demo *demo);
    bool (*read_pixels)(struct demo *demo, uint8_t *rgba, size_t rgba_bytes, char *error,
                        size_t error_bytes);
    /* What a pair of stamps costs on this device; waits. */
    passtime_check_cost (*stamp_cost)(struct demo *demo);
    /* Asks the device for what it did not report by itself; may wait. */
    void (*check)(struct demo *demo);
    /* Ends what there is of it; demo->timer is gone by then. */
    void (*close)(struct demo *demo);
};

extern const struct demo_api demo_webgpu;
extern const struct demo_api demo_gl;
extern const struct demo_api demo_gles;

/* How the device is. The texts live as long as the device. */
struct demo_health {
    bool lost;
    const char *lost_reason;
    uint32_t error_count;
    const char *first_error;
};

struct demo {
    struct cli cli;
    struct demo_values values;
    bool budget_given, size_given, points_given;
    const struct demo_api *api;
    const struct scene_kind *kind;
    bool counting; /* frames are drawn by shaders that count */
    void *device;  /* the api's own */
    struct demo_health health;
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
    bool stuck;                     /* the device gave no sign of life for long */
    passtime_check_cost stamp_cost; /* where it was asked for */
    struct passtime_counters_cost counters_costs[SCENE_PASSES_MAX]; /* where counters are used */
    bool counters_gpu_times; /* the frames that were to tell what counting adds had a GPU's clock */
    uint32_t counters_cost_count;
    const char *hint; /* a line to end the report with; NULL: none */
    char said[256];   /* the last thing that Passtime's log said */
};

/* Draws the frames to warm up, waits for them, and forgets them. */
void demo_warm_up(struct demo *demo);
/* Draws the frames that count, until all are drawn, the device is lost or Ctrl-C is pressed; then
 * waits a bounded time for what is in flight. */
void demo_run(struct demo *demo);
/* Draws one frame, waits for it and takes it; NULL: it did not come back. Valid until the next. */
const passtime_frame *demo_draw_alone(struct demo *demo, uint64_t number, uint32_t index);
/* False once the device is lost or stuck, or Ctrl-C was pressed. */
bool demo_goes_on(const struct demo *demo);
/* demo_counters.c: measures what counting adds, by frames with and without it; and says it. */
void demo_counters_cost(struct demo *demo);
void demo_print_counters_cost(const struct demo *demo);

#endif
