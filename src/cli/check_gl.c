/* SPDX-License-Identifier: MIT */
/* The frames of `probe --check` in a GL context: draws into one framebuffer. */
#define _POSIX_C_SOURCE 200809L

#include "cli/check.h"

#include <stdio.h>
#include <time.h>

#include <epoxy/gl.h>

#include "cli/gl_work.h"
#include "cli/scene_gl_kit.h"
#include "port/port.h"

enum { SIDE_PIXELS = 256 };

static const uint64_t time_allowed_ns = 12000000000u;
static const uint64_t frame_allowed_ns = 2000000000u;

struct context {
    passtime *timer;
    struct gl_work *work; /* NULL: GLES 2, which has not what it takes */
    uint64_t number;
    uint32_t scale;
};

static void set_scale(void *user, enum check_kind kind, uint32_t scale)
{
    (void)kind;
    struct context *context = user;
    context->scale = scale;
}

static void draw(const struct context *context, uint32_t parts)
{
    if (context->work)
        gl_work_draw(context->work, parts * context->scale);
}

static void record(struct context *context, passtime_recorder *recorder, struct check_pass *passes,
                   uint32_t count, struct check_cpu *cpu)
{
    uint64_t spent_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t begun_ns = passtime_port_now_ns();
        if (passes[i].timed)
            passtime_begin(recorder, "check");
        uint64_t drawn_ns = passtime_port_now_ns();
        spent_ns += drawn_ns - begun_ns;
        draw(context, passes[i].parts);
        uint64_t end_ns = passtime_port_now_ns();
        if (passes[i].timed)
            passtime_end(recorder);
        spent_ns += passtime_port_now_ns() - end_ns;
    }
    cpu->passes_ns = recorder ? (double)spent_ns : 0.0;
}

static bool fetch(struct context *context, struct check_pass *passes, uint32_t count,
                  struct check_cpu *cpu)
{
    const struct timespec pause = {.tv_nsec = 50000};
    uint64_t end_ns = passtime_port_now_ns() + frame_allowed_ns;
    while (passtime_port_now_ns() < end_ns) {
        passtime_result result = check_take(context->timer, context->number, passes, count, cpu);
        if (result != PASSTIME_PENDING)
            return result == PASSTIME_OK;
        nanosleep(&pause, NULL);
    }
    return false;
}

static bool frame(void *user, struct check_pass *passes, uint32_t count, struct check_cpu *cpu)
{
    struct context *context = user;
    uint64_t begun_ns = passtime_port_now_ns();
    passtime_recorder *recorder = passtime_frame_begin(context->timer, ++context->number);
    uint64_t submit_ns = passtime_port_now_ns();
    record(context, recorder, passes, count, cpu);
    glFinish();
    uint64_t ended_ns = passtime_port_now_ns();
    cpu->submit_ns = (double)(ended_ns - submit_ns);
    passtime_submitted(recorder);
    passtime_frame_end(context->timer, context->number);
    cpu->frame_ns = (double)(submit_ns - begun_ns + passtime_port_now_ns() - ended_ns);
    return fetch(context, passes, count, cpu);
}

static void check(struct gl *gl, bool flush, bool cost_only, struct check_outcome *out)
{
    char error[512];
    struct context context = {.scale = 1};
    passtime_gl_desc desc = PASSTIME_GL_DESC_INIT;
    passtime_desc limits = PASSTIME_DESC_INIT;
    desc.get_proc = gl_loader;
    desc.current_context = gl_current;
    desc.flags = flush ? PASSTIME_GL_FLUSH_STAMPS : 0u;
    limits.max_passes = CHECK_PASSES_MAX;
    passtime_create_gl(&desc, &limits, &context.timer);
    context.work = gl_work_create(gl, SIDE_PIXELS, error, sizeof error);
    struct check_device plan = {.user = &context,
                                .kind_count = context.work ? 1 : 0,
                                .cost_only = cost_only,
                                .frame = frame,
                                .set_scale = set_scale};
    check_run(&plan, time_allowed_ns, out);
    passtime_destroy(&context.timer);
    gl_work_destroy(context.work);
    gl_check(gl, "the check");
}

void check_gl(struct gl *gl, bool flush, struct check_outcome *out)
{
    check(gl, flush, false, out);
}

passtime_check_cost check_gl_cost(struct gl *gl, bool flush)
{
    struct check_outcome out = {.input = PASSTIME_CHECK_INPUT_INIT};
    check(gl, flush, true, &out);
    return out.pair_cost;
}
