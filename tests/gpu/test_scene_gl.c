/* SPDX-License-Identifier: MIT */
/* The demo's frames by OpenGL and OpenGL ES, with compute shaders and without: the pictures of
 * WebGPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>
#include <passtime/gl.h>

#include "cli/egl.h"
#include "cli/gl_work.h"
#include "cli/gpu.h"
#include "cli/scene_gl.h"

/* Large enough for the legend. */
enum { SIZE = 256, BYTES = SIZE * SIZE * 4, POINTS = 200000, FRAMES = 6, WAYS = 4 };

static const uint64_t self_check_ns = UINT64_C(20000000000);

/* Both APIs, as new as they come and without compute shaders. */
static const struct gl_want ways[WAYS] = {
    {GL_API_DESKTOP, 0}, {GL_API_DESKTOP, 33}, {GL_API_ES, 0}, {GL_API_ES, 30}};

static struct gl *open_way(struct gl_system *system, uint32_t way)
{
    char error[512] = "";
    struct gl *gl = gl_open(system, 0, &ways[way], error, sizeof error);
    if (!gl)
        fail_msg("%s", error);
    return gl;
}

static struct scene_gl *make_scene(struct gl *gl, const struct scene_kind *kind, uint32_t size,
                                   uint64_t points)
{
    char error[1024] = "";
    const struct scene_desc desc = {.size_pixels = size, .point_count = points};
    struct scene_gl *scene = kind->create_gl(gl, &desc, error, sizeof error);
    if (!scene)
        fail_msg("%s", error);
    return scene;
}

static uint8_t *picture_of(struct scene_gl *scene, uint32_t frame_index)
{
    char error[512] = "";
    size_t bytes = (size_t)scene_gl_size(scene) * scene_gl_size(scene) * 4;
    uint8_t *pixels = malloc(bytes);
    assert_non_null(pixels);
    scene_gl_frame(scene, frame_index, NULL);
    if (!scene_gl_read_pixels(scene, pixels, bytes, error, sizeof error))
        fail_msg("%s", error);
    return pixels;
}

/* NULL where this machine has no WebGPU. */
static uint8_t *webgpu_picture(const struct scene_kind *kind, uint32_t frame_index)
{
    char error[512] = "";
    const struct scene_desc desc = {.size_pixels = SIZE, .point_count = POINTS};
    struct gpu_system *system = gpu_system_open(GPU_SCOPE_PREFERRED, error, sizeof error);
    struct gpu *gpu = system ? gpu_open(system, 0, error, sizeof error) : NULL;
    struct scene *scene = gpu ? kind->create(gpu, &desc, error, sizeof error) : NULL;
    uint8_t *pixels = scene ? malloc(BYTES) : NULL;
    if (pixels) {
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
        scene_frame(scene, frame_index, NULL, encoder);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuCommandEncoderRelease(encoder);
        wgpuQueueSubmit(gpu->queue, 1, &commands);
        wgpuCommandBufferRelease(commands);
        assert_true(scene_read_pixels(scene, pixels, BYTES, error, sizeof error));
    }
    scene_destroy(scene);
    gpu_close(gpu);
    gpu_system_close(system);
    return pixels;
}

/* Rounding may differ by a step; a point on the border of two cells may fall into either. */
static void assert_close(const uint8_t *a, const uint8_t *b)
{
    uint64_t sum = 0, far_off = 0;
    for (size_t i = 0; i < BYTES; i++) {
        uint32_t difference = (uint32_t)abs((int)a[i] - (int)b[i]);
        sum += difference;
        far_off += difference > 8 ? 1 : 0;
    }
    /* A picture upside down or in another gamma is off by tens everywhere. */
    if (sum > BYTES / 4 || far_off > BYTES / 200)
        fail_msg("off by %.3f on average, %llu of %d bytes by more than 8", (double)sum / BYTES,
                 (unsigned long long)far_off, BYTES);
}

static uint32_t colours_in(const uint8_t *pixels)
{
    uint8_t seen[4096] = {0};
    uint32_t count = 0;
    for (size_t i = 0; i < BYTES; i += 4)
        seen[(pixels[i] >> 4) << 8 | (pixels[i + 1] >> 4) << 4 | pixels[i + 2] >> 4] = 1;
    for (size_t i = 0; i < sizeof seen; i++)
        count += seen[i];
    return count;
}

static void check_pictures(struct gl *gl, const struct scene_kind *kind, const uint8_t *expected)
{
    struct scene_gl *scene = make_scene(gl, kind, SIZE, POINTS);
    uint8_t *first = picture_of(scene, 40);
    uint8_t *other = picture_of(scene, 100);
    uint8_t *again = picture_of(scene, 40);
    assert_close(first, expected);
    assert_true(colours_in(first) > 40);
    assert_memory_equal(first, again, BYTES);
    assert_memory_not_equal(first, other, BYTES);
    free(first);
    free(other);
    free(again);
    scene_gl_destroy(scene);
    gl_check(gl, "drawing");
    assert_string_equal(gl->first_error, "");
}

static void draws_the_pictures_of_webgpu(void **state)
{
    for (uint32_t k = 0; k < scene_kind_count(); k++) {
        const struct scene_kind *kind = scene_kind_at(k);
        uint8_t *expected = webgpu_picture(kind, 40);
        if (!expected)
            skip();
        for (uint32_t way = 0; way < WAYS; way++) {
            struct gl *gl = open_way(*state, way);
            check_pictures(gl, kind, expected);
            gl_close(gl);
        }
        free(expected);
    }
}

static void versions_are_as_wanted(void **state)
{
    for (uint32_t way = 0; way < WAYS; way++) {
        struct gl *gl = open_way(*state, way);
        uint32_t most = ways[way].version_most;
        assert_true(gl->version >= (gl->api == GL_API_ES ? 20u : 33u));
        assert_true(most == 0 || gl->version <= most);
        assert_true(most == 0 || !gl->compute);
        assert_true(gl->name[0] && gl->driver[0] && gl->device[0]);
        gl_close(gl);
    }
}

struct call_log {
    char text[256];
};

static void log_call(struct call_log *log, const char *sign, const char *name)
{
    size_t length = strlen(log->text);
    snprintf(log->text + length, sizeof log->text - length, "%s%s", sign, name);
}

static void log_begin(void *user, const char *name)
{
    log_call(user, "+", name);
}

static void log_end(void *user, const char *name)
{
    log_call(user, "-", name);
}

static void every_pass_asks_once_and_in_order(void **state)
{
    static const char *const expected[] = {
        "+scatter-scatter+cull-cull+base-base+tiles-tiles+compose-compose",
        "+loops-64-loops-64+loops-256-loops-256+loops-1024-loops-1024",
    };
    for (uint32_t way = 0; way < WAYS; way++) {
        struct gl *gl = open_way(*state, way);
        for (uint32_t k = 0; k < scene_kind_count(); k++) {
            struct call_log log = {""};
            const struct scene_gl_timing timing = {&log, log_begin, log_end};
            struct scene_gl *scene = make_scene(gl, scene_kind_at(k), 64, 1000);
            scene_gl_frame(scene, 0, &timing);
            assert_string_equal(log.text, expected[k]);
            scene_gl_destroy(scene);
        }
        gl_close(gl);
    }
}

static passtime *make_timer(uint32_t flags)
{
    passtime *timer = NULL;
    passtime_gl_desc desc = PASSTIME_GL_DESC_INIT;
    desc.get_proc = gl_loader;
    desc.current_context = gl_current;
    desc.flags = flags;
    assert_int_equal(passtime_create_gl(&desc, NULL, &timer), PASSTIME_OK);
    return timer;
}

static void begin_pass(void *user, const char *name)
{
    passtime_begin(user, name);
}

static void end_pass(void *user, const char *name)
{
    (void)name;
    passtime_end(user);
}

/* Keeps the shortest time of each pass, which other programs disturb least. */
static void take_frame(passtime *timer, const struct scene_kind *kind, uint64_t best_ns[])
{
    const passtime_frame *frame;
    glFinish();
    while (passtime_next(timer, &frame) == PASSTIME_PENDING)
        glFinish();
    assert_non_null(frame);
    assert_int_equal(frame->sample_count, kind->pass_count);
    for (uint32_t p = 0; p < kind->pass_count; p++) {
        assert_string_equal(frame->samples[p].name, kind->pass_names[p]);
        assert_true(passtime_is_good(frame->samples[p].verdict));
        if (frame->number > 0 && frame->samples[p].duration_ns < best_ns[p])
            best_ns[p] = frame->samples[p].duration_ns;
    }
}

static void shortest_times(struct gl *gl, uint32_t flags, uint64_t best_ns[SCENE_PASSES_MAX])
{
    const struct scene_kind *kind = scene_kind_find("passes");
    struct scene_gl *scene = make_scene(gl, kind, 128, 0);
    passtime *timer = make_timer(flags);
    memset(best_ns, 0xff, SCENE_PASSES_MAX * sizeof best_ns[0]);
    for (uint32_t i = 0; i < FRAMES; i++) {
        passtime_recorder *recorder = passtime_frame_begin(timer, i);
        const struct scene_gl_timing timing = {recorder, begin_pass, end_pass};
        scene_gl_frame(scene, i, &timing);
        passtime_submitted(recorder);
        passtime_frame_end(timer, i);
        take_frame(timer, kind, best_ns);
    }
    passtime_destroy(&timer);
    scene_gl_destroy(scene);
}

static void more_work_takes_longer_where_stamps_are_flushed(void **state)
{
    static const uint32_t methods[] = {
        PASSTIME_GL_FLUSH_STAMPS, PASSTIME_GL_FLUSH_STAMPS | (uint32_t)PASSTIME_GL_METHOD_ELAPSED};
    for (uint32_t way = 0; way < WAYS; way += 2) {
        struct gl *gl = open_way(*state, way);
        for (uint32_t m = 0; m < 2; m++) {
            uint64_t ns[SCENE_PASSES_MAX];
            shortest_times(gl, methods[m], ns);
            assert_true(ns[0] > 0 && ns[0] < ns[1] && ns[1] < ns[2]);
        }
        gl_check(gl, "timing");
        assert_string_equal(gl->first_error, "");
        gl_close(gl);
    }
}

static void the_self_check_comes_to_an_end(void **state)
{
    for (uint32_t way = 0; way < WAYS; way += 2) {
        char error[512] = "";
        passtime_gl_info info;
        struct gl *gl = open_way(*state, way);
        passtime *timer = make_timer(0);
        struct gl_work *work = gl_work_create(gl, SIZE, error, sizeof error);
        assert_non_null(work);
        assert_int_not_equal(gl_work_self_check(work, timer, self_check_ns), PASSTIME_PENDING);
        assert_int_equal(passtime_gl_get_info(timer, &info), PASSTIME_OK);
        assert_int_not_equal(info.boundary, PASSTIME_GL_BOUNDARY_UNKNOWN);
        /* llvmpipe bins: what it says of a pass in the midst of a batch is not true. */
        if (strstr(gl->name, "llvmpipe"))
            assert_int_not_equal(info.boundary, PASSTIME_GL_BOUNDARY_TRUE);
        gl_work_destroy(work);
        passtime_destroy(&timer);
        gl_close(gl);
    }
}

static void refuse(struct gl *gl, const char *kind, uint32_t size, uint64_t points,
                   const char *words)
{
    char error[1024] = "";
    const struct scene_desc desc = {.size_pixels = size, .point_count = points};
    assert_null(scene_kind_find(kind)->create_gl(gl, &desc, error, sizeof error));
    if (!strstr(error, words))
        fail_msg("\"%s\" does not say \"%s\"", error, words);
}

static void refuses_what_the_context_cannot_hold(void **state)
{
    for (uint32_t way = 0; way < WAYS; way++) {
        struct gl *gl = open_way(*state, way);
        refuse(gl, "map", 15, 1000, "--size takes 16 to");
        refuse(gl, "passes", 4097, 0, "--size takes 16 to");
        refuse(gl, "map", 64, UINT64_C(4000000001), "--points takes 1 to");
        gl->block_most_bytes = 64 * 64 * 4;
        gl->float_blend = false;
        refuse(gl, "map", 65, 1000, gl->compute ? "smaller --size" : "can't count points");
        gl->version = 20;
        refuse(gl, "passes", 64, 0, "needs OpenGL 3.3 or OpenGL ES 3.0");
        char error[512] = "";
        assert_null(gl_work_create(gl, 64, error, sizeof error));
        assert_true(error[0] != '\0');
        gl_check(gl, "refusing");
        assert_string_equal(gl->first_error, "");
        gl_close(gl);
    }
}

static void finds_devices_by_name(void **state)
{
    char error[512] = "", part[16];
    bool exists = false;
    struct gl *gl = open_way(*state, 0);
    snprintf(part, sizeof part, "%.15s", gl->name);
    gl_close(gl);
    gl = gl_open_matching(*state, &ways[0], part, &exists, error, sizeof error);
    assert_non_null(gl);
    gl_close(gl);
    assert_null(gl_open_matching(*state, &ways[0], "no such GPU", &exists, error, sizeof error));
    assert_true(exists);
    assert_non_null(strstr(error, "no such GPU"));
    assert_non_null(strstr(error, part));
}

static void errors_of_the_context_are_kept(void **state)
{
    struct gl *gl = open_way(*state, 0);
    uint8_t pixels[4];
    char error[512] = "";
    struct scene_gl *scene = make_scene(gl, scene_kind_find("passes"), 64, 0);
    assert_false(scene_gl_read_pixels(scene, pixels, sizeof pixels, error, sizeof error));
    assert_non_null(strstr(error, "16384 bytes"));
    glEnable(0xdead);
    gl_check(gl, "a mistake");
    assert_int_equal(gl->error_count, 1);
    assert_string_equal(gl->first_error, "GL error 0x0500 after a mistake");
    assert_false(gl->lost);
    scene_gl_destroy(scene);
    gl_close(gl);
}

int main(void)
{
    char error[512] = "";
    struct gl_system *system = gl_system_open(error, sizeof error);
    if (!system) {
        print_error("%s\n", error);
        return 77;
    }
#define ON_EGL(test) cmocka_unit_test_prestate(test, system)
    const struct CMUnitTest tests[] = {
        ON_EGL(versions_are_as_wanted),
        ON_EGL(finds_devices_by_name),
        ON_EGL(errors_of_the_context_are_kept),
        ON_EGL(every_pass_asks_once_and_in_order),
        ON_EGL(draws_the_pictures_of_webgpu),
        ON_EGL(more_work_takes_longer_where_stamps_are_flushed),
        ON_EGL(the_self_check_comes_to_an_end),
        ON_EGL(refuses_what_the_context_cannot_hold),
    };
#undef ON_EGL
    int failed = cmocka_run_group_tests_name("scene_gl", tests, NULL, NULL);
    gl_system_close(system);
    return failed;
}
