/* SPDX-License-Identifier: MIT */
/* The demo on OpenGL and OpenGL ES, on EGL without a window. */
#include "cli/demo.h"

#include <stdlib.h>

#include <epoxy/gl.h>
#include <passtime/cpu.h>
#include <passtime/gl.h>

#include "cli/check.h"
#include "cli/egl.h"
#include "cli/gl_work.h"
#include "cli/scene_gl.h"

/* A frame more may be under way than the run allows while it waits. */
enum { FENCES = DEMO_UNFINISHED_MAX + 1 };

static const uint64_t self_check_ns = 5000000000u;

/* A frame that is submitted, oldest first. */
struct fence {
    GLsync sync;
    uint64_t frame_number;
};

struct device {
    struct gl_system *system;
    struct gl *gl;
    struct scene_gl *scene;
    bool on_cpu; /* passes are timed by the CPU's clock */
    struct fence fences[FENCES];
};

static int open_gl(struct demo *demo, struct device *device, enum gl_api api)
{
    char error[1024];
    const struct gl_want want = {.api = api};
    bool exists;
    device->system = gl_system_open(error, sizeof error);
    if (!device->system)
        return cli_fail(&demo->cli, EXIT_CODE_NOTHING, "%s", error);
    device->gl =
        gl_open_matching(device->system, &want, demo->values.adapter, &exists, error, sizeof error);
    if (!device->gl && exists)
        return cli_fail(&demo->cli, EXIT_CODE_USAGE, "%s", error);
    if (!device->gl)
        return cli_fail(&demo->cli, EXIT_CODE_NOTHING,
                        "%s; try another --api, or see: passtime probe", error);
    return EXIT_CODE_DONE;
}

static int open_device(struct demo *demo, enum gl_api api)
{
    struct device *device = calloc(1, sizeof *device);
    demo->device = device;
    if (!device)
        return cli_fail(&demo->cli, EXIT_CODE_NOTHING, "no memory for the device");
    int exit_code = open_gl(demo, device, api);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    demo->adapter = (passtime_adapter_info){.api = demo->api->name,
                                            .name = device->gl->name,
                                            .driver = device->gl->driver,
                                            .kind = device->gl->software ? "software" : "unknown",
                                            .software = device->gl->software};
    return EXIT_CODE_DONE;
}

static int open_desktop(struct demo *demo)
{
    return open_device(demo, GL_API_DESKTOP);
}

static int open_es(struct demo *demo)
{
    return open_device(demo, GL_API_ES);
}

static bool make_scene(struct demo *demo, const struct scene_kind *kind,
                       const struct scene_desc *desc, char *error, size_t error_bytes)
{
    struct device *device = demo->device;
    device->scene = kind->create_gl(device->gl, desc, error, error_bytes);
    return device->scene != NULL;
}

static passtime_result make_cpu_timer(struct demo *demo, const passtime_desc *desc)
{
    struct device *device = demo->device;
    passtime_result result = passtime_create_cpu(desc, &demo->timer);
    device->on_cpu = result == PASSTIME_OK;
    /* The fences tell when a frame is drawn: that time counts too. */
    passtime_cpu_wait_for_completion(demo->timer, true);
    return result;
}

/* Where it can't be told whether stamps stay where they are issued, samples stay marked, and the
 * report says so. */
static void check_boundaries(struct demo *demo)
{
    char error[1024];
    passtime_gl_info info;
    struct device *device = demo->device;
    struct gl_work *work =
        gl_work_create(device->gl, scene_gl_size(device->scene), error, sizeof error);
    if (!work)
        return;
    gl_work_self_check(work, demo->timer, self_check_ns);
    gl_work_destroy(work);
    if (passtime_gl_get_info(demo->timer, &info) == PASSTIME_OK &&
        info.boundary == PASSTIME_GL_BOUNDARY_FLUSHED && !demo->values.flush)
        demo->hint =
            "The boundaries of passes are true here only with a flush after each stamp: add "
            "--flush.";
}

static passtime_result make_timer(struct demo *demo, const passtime_desc *desc)
{
    passtime_gl_desc gl = PASSTIME_GL_DESC_INIT;
    if (demo->values.fallback)
        return make_cpu_timer(demo, desc);
    gl.get_proc = gl_loader;
    gl.current_context = gl_current;
    gl.flags = (demo->values.flush ? PASSTIME_GL_FLUSH_STAMPS : 0u) |
               (demo->values.elapsed ? PASSTIME_GL_METHOD_ELAPSED : 0u);
    passtime_result result = passtime_create_gl(&gl, desc, &demo->timer);
    /* Who asks for a way of asking the GPU does not want the CPU's clock. */
    if (result == PASSTIME_UNSUPPORTED && gl.flags == 0)
        return make_cpu_timer(demo, desc);
    if (result == PASSTIME_OK && !demo->values.off)
        check_boundaries(demo);
    return result;
}

static void begin_pass(void *user, const char *name)
{
    struct demo *demo = user;
    passtime_begin(demo->recorder, name);
}

static void end_pass(void *user, const char *name)
{
    struct demo *demo = user;
    (void)name;
    passtime_end(demo->recorder);
}

static void draw(struct demo *demo, uint32_t index)
{
    const struct device *device = demo->device;
    const struct scene_gl_timing timing = {.user = demo, .begin = begin_pass, .end = end_pass};
    scene_gl_frame(device->scene, index, &timing);
}

/* No window swaps buffers here: the flush sends the frame off in its place. */
static void follow(struct demo *demo, uint64_t number)
{
    struct device *device = demo->device;
    struct fence fence = {glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0), number};
    glFlush();
    device->fences[demo->frames_unfinished++] = fence;
}

static void drop_oldest(struct demo *demo)
{
    struct device *device = demo->device;
    glDeleteSync(device->fences[0].sync);
    demo->frames_unfinished--;
    for (uint32_t i = 0; i < demo->frames_unfinished; i++)
        device->fences[i] = device->fences[i + 1];
}

static void pump(struct demo *demo)
{
    struct device *device = demo->device;
    while (demo->frames_unfinished > 0) {
        GLenum status = glClientWaitSync(device->fences[0].sync, 0, 0);
        if (status == GL_TIMEOUT_EXPIRED)
            return;
        if (status == GL_WAIT_FAILED) {
            demo->health.lost = true;
            demo->health.lost_reason = "a fence can't be asked any more";
            passtime_gl_context_lost(demo->timer);
            return;
        }
        if (device->on_cpu)
            passtime_cpu_completed(demo->timer, device->fences[0].frame_number);
        drop_oldest(demo);
    }
}

static uint32_t size_pixels(const struct demo *demo)
{
    return scene_gl_size(((const struct device *)demo->device)->scene);
}

static bool read_pixels(struct demo *demo, uint8_t *rgba, size_t rgba_bytes, char *error,
                        size_t error_bytes)
{
    return scene_gl_read_pixels(((struct device *)demo->device)->scene, rgba, rgba_bytes, error,
                                error_bytes);
}

static void check(struct demo *demo)
{
    struct gl *gl = ((struct device *)demo->device)->gl;
    gl_check(gl, "the run");
    demo->health.error_count = gl->error_count;
    demo->health.first_error = gl->first_error;
}

static void close_device(struct demo *demo)
{
    struct device *device = demo->device;
    if (!device)
        return;
    while (demo->frames_unfinished > 0)
        drop_oldest(demo);
    scene_gl_destroy(device->scene);
    gl_close(device->gl);
    gl_system_close(device->system);
    free(device);
    demo->device = NULL;
}

static passtime_check_cost stamp_cost(struct demo *demo)
{
    return check_gl_cost(((struct device *)demo->device)->gl, demo->values.flush);
}

const struct demo_api demo_gl = {
    .name = "gl",
    .flushes = true,
    .open = open_desktop,
    .make_scene = make_scene,
    .make_timer = make_timer,
    .draw = draw,
    .follow = follow,
    .pump = pump,
    .size_pixels = size_pixels,
    .read_pixels = read_pixels,
    .stamp_cost = stamp_cost,
    .check = check,
    .close = close_device,
};

const struct demo_api demo_gles = {
    .name = "gles",
    .flushes = true,
    .open = open_es,
    .make_scene = make_scene,
    .make_timer = make_timer,
    .draw = draw,
    .follow = follow,
    .pump = pump,
    .size_pixels = size_pixels,
    .read_pixels = read_pixels,
    .stamp_cost = stamp_cost,
    .check = check,
    .close = close_device,
};
