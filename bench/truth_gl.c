/* SPDX-License-Identifier: MIT */
/* Draws of any size through OpenGL, each stamp flushed: on the first EGL device that works. */
#include <epoxy/gl.h>

#include "truth_device.h"

#include <passtime/gl.h>

#include <string.h>

#include "cli/egl.h"
#include "cli/gl_work.h"

enum { SIDE_PIXELS = 256 };

struct world {
    struct gl_system *system;
    struct gl *gl;
    struct gl_work *work;
    char name[192];
};

/* Work is pixels drawn, in whole rows and a rest. */
static void draw_pixels(struct world *world, double work)
{
    uint32_t pixels = (uint32_t)work;
    uint32_t rows = pixels / SIDE_PIXELS;
    if (pixels == 0) {
        return;
    }
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, rows > 0 ? SIDE_PIXELS : (GLsizei)pixels, rows > 0 ? (GLsizei)rows : 1);
    gl_work_draw(world->work, 1);
    glDisable(GL_SCISSOR_TEST);
}

static void frame(struct truth_device *device, uint64_t number)
{
    passtime_recorder *rec = passtime_frame_begin(device->timer, number);
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        passtime_begin(rec, truth_pass_name(i));
        draw_pixels(device->self, device->work[i]);
        passtime_end(rec);
    }
    glFlush();
    passtime_submitted(rec);
    (void)passtime_frame_end(device->timer, number);
}

static void pump(struct truth_device *device)
{
    (void)device; /* GL has no events. */
}

static bool make_timer(struct truth_device *device)
{
    passtime_gl_desc gl = PASSTIME_GL_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    gl.get_proc = gl_loader;
    gl.current_context = gl_current;
    gl.flags = PASSTIME_GL_FLUSH_STAMPS;
    desc.max_passes = TRUTH_PASSES;
    return passtime_create_gl(&gl, &desc, &device->timer) == PASSTIME_OK;
}

static bool open_world(struct world *world, struct truth_device *device, char *error, size_t bytes)
{
    const struct gl_want want = {.api = GL_API_DESKTOP};
    bool exists = false;
    world->system = gl_system_open(error, bytes);
    world->gl =
        world->system ? gl_open_matching(world->system, &want, NULL, &exists, error, bytes) : NULL;
    world->work = world->gl ? gl_work_create(world->gl, SIDE_PIXELS, error, bytes) : NULL;
    if (!world->work) {
        return false;
    }
    (void)snprintf(world->name, sizeof world->name, "OpenGL, %s", world->gl->name);
    device->name = world->name;
    device->monotonic = strstr(world->gl->name, "llvmpipe") != NULL;
    (void)snprintf(error, bytes, "no timer could be made");
    if (!make_timer(device)) {
        return false;
    }
    (void)snprintf(error, bytes, "its stamps are no stamps but elapsed queries");
    passtime_gl_info info;
    return passtime_gl_get_info(device->timer, &info) == PASSTIME_OK &&
           info.method == PASSTIME_GPU_STAMPS;
}

void truth_gl(struct truth_table *table)
{
    char error[512] = "";
    struct world world = {0};
    struct truth_device device = {.self = &world, .frame = frame, .pump = pump, .work_unit = 50};
    if (open_world(&world, &device, error, sizeof error)) {
        truth_device_run(table, &device);
    } else {
        truth_missing(table, "OpenGL", error);
    }
    passtime_destroy(&device.timer);
    gl_work_destroy(world.work);
    gl_close(world.gl);
    gl_system_close(world.system);
}
