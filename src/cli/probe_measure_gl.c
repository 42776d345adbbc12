/* SPDX-License-Identifier: MIT */
/* Times small passes in one GL context, and finds out whether their boundaries are true. */
/* For nanosleep. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <time.h>

#include <epoxy/gl.h>

#include "cli/gl_work.h"
#include "cli/probe.h"
#include "cli/scene_gl_kit.h"
#include "port/port.h"

enum { FRAMES = 96, PASSES = 8, SIDE_PIXELS = 16, CHECK_SIDE_PIXELS = 256, IN_FLIGHT_MAX = 3 };

static const uint64_t time_allowed_ns = 6000000000u;

struct measure {
    struct gl *gl;
    struct probe_adapter *out;
    passtime *timer;
    struct gl_target target;
    uint64_t end_ns; /* when to give up */
};

static bool in_time(const struct measure *measure)
{
    return passtime_port_now_ns() < measure->end_ns;
}

static void pause_briefly(void)
{
    const struct timespec pause = {.tv_nsec = 100000};
    nanosleep(&pause, NULL);
}

static bool make_timer(struct measure *measure)
{
    passtime_gl_desc gl = PASSTIME_GL_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    gl.get_proc = gl_loader;
    gl.current_context = gl_current;
    desc.max_passes = PASSES;
    desc.log = probe_remember;
    desc.log_user = measure->out;
    return passtime_create_gl(&gl, &desc, &measure->timer) == PASSTIME_OK;
}

/* GLES 2 can't be checked, as it lacks what the work is drawn with: its boundaries stay unknown. */
static void check_boundaries(struct measure *measure)
{
    char error[512];
    struct gl_work *work = gl_work_create(measure->gl, CHECK_SIDE_PIXELS, error, sizeof error);
    if (!work)
        return;
    gl_work_self_check(work, measure->timer, time_allowed_ns / 2);
    gl_work_destroy(work);
}

static void draw_frame(struct measure *measure, uint64_t number)
{
    static const float black[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    passtime_recorder *recorder = passtime_frame_begin(measure->timer, number);
    for (uint32_t i = 0; i < PASSES; i++) {
        passtime_begin(recorder, i % 2 == 0 ? "empty" : "clear");
        if (i % 2 == 1)
            kit_gl_draw_into(&measure->target, black);
        passtime_end(recorder);
    }
    glFlush();
    passtime_submitted(recorder);
    passtime_frame_end(measure->timer, number);
}

/* Waits until at most `most` frames are in flight, or the time is up. */
static void wait_for_frames(struct measure *measure, uint32_t most)
{
    passtime_ledger ledger = {0};
    while (in_time(measure)) {
        probe_take_results(measure->timer, measure->out);
        if (passtime_get_ledger(measure->timer, &ledger) != PASSTIME_OK ||
            ledger.frames_in_flight <= most)
            return;
        pause_briefly();
    }
}

static void make_target(struct measure *measure)
{
    char error[512];
    struct gl_maker maker = {.gl = measure->gl, .error = error, .error_bytes = sizeof error};
    bool old = measure->gl->version < 30;
    measure->target = kit_gl_target(&maker, SIDE_PIXELS, old ? GL_RGBA : GL_RGBA8, GL_NEAREST);
}

void probe_measure_gl(struct gl *gl, struct probe_adapter *out)
{
    struct measure measure = {.gl = gl, .out = out};
    measure.end_ns = passtime_port_now_ns() + time_allowed_ns;
    if (!make_timer(&measure)) {
        if (out->error[0] == '\0')
            snprintf(out->error, sizeof out->error, "no timer could be made on it");
        return;
    }
    check_boundaries(&measure);
    make_target(&measure);
    for (uint64_t i = 0; i < FRAMES && in_time(&measure); i++) {
        draw_frame(&measure, i);
        wait_for_frames(&measure, IN_FLIGHT_MAX);
    }
    wait_for_frames(&measure, 0);
    gl_check(gl, "timing small passes");
    probe_conclude(measure.timer, out, gl->first_error);
    out->has_gl = passtime_gl_get_info(measure.timer, &out->gl) == PASSTIME_OK;
    out->timestamps = out->gl.timestamp_bits > 0;
    passtime_destroy(&measure.timer);
    kit_gl_delete_target(&measure.target);
}
