/* SPDX-License-Identifier: MIT */
/* The demo's frames on every adapter of this machine: clean, worth looking at, always the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/gpu.h"
#include "cli/picture.h"
#include "cli/scene.h"

enum { SIZE = 192, BYTES = SIZE * SIZE * 4, POINTS = 200000, QUERIES = 2 * SCENE_PASSES_MAX };

static struct gpu_system *open_system(void)
{
    char error[512] = "";
    struct gpu_system *system = gpu_system_open(GPU_SCOPE_ALL, error, sizeof error);
    if (!system)
        print_error("%s\n", error);
    return system;
}

static struct gpu *open_device(struct gpu_system *system, uint32_t index)
{
    char error[512] = "";
    struct gpu *gpu = gpu_open(system, index, error, sizeof error);
    if (!gpu)
        fail_msg("%s", error);
    return gpu;
}

static struct scene *make_scene(struct gpu *gpu, const struct scene_kind *kind, uint32_t size,
                                uint64_t points)
{
    char error[512] = "";
    struct scene_desc desc = {.size_pixels = size, .point_count = points};
    struct scene *scene = kind->create(gpu, &desc, error, sizeof error);
    if (!scene)
        fail_msg("%s", error);
    return scene;
}

static void draw(struct gpu *gpu, struct scene *scene, uint32_t frame_index,
                 const struct scene_timing *timing)
{
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    scene_frame(scene, frame_index, timing, encoder);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
}

static uint8_t *picture_of(struct gpu *gpu, struct scene *scene, uint32_t frame_index)
{
    char error[512] = "";
    size_t side = scene_size(scene);
    uint8_t *pixels = malloc(side * side * 4);
    assert_non_null(pixels);
    draw(gpu, scene, frame_index, NULL);
    if (!scene_read_pixels(scene, pixels, side * side * 4, error, sizeof error))
        fail_msg("%s", error);
    return pixels;
}

/* How many of the 4,096 colours of four bits a channel the picture has. */
static uint32_t colours_in(const uint8_t *pixels, size_t bytes)
{
    static const uint8_t none[4096];
    uint8_t seen[4096];
    memcpy(seen, none, sizeof seen);
    for (size_t i = 0; i < bytes; i += 4)
        seen[(pixels[i] >> 4) << 8 | (pixels[i + 1] >> 4) << 4 | pixels[i + 2] >> 4] = 1;
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof seen; i++)
        count += seen[i];
    return count;
}

static void check_pictures(struct gpu *gpu, struct scene *scene)
{
    uint8_t *first = picture_of(gpu, scene, 7);
    uint8_t *other = picture_of(gpu, scene, 60);
    uint8_t *again = picture_of(gpu, scene, 7);
    assert_true(colours_in(first, BYTES) > 40);
    assert_memory_equal(first, again, BYTES);
    assert_memory_not_equal(first, other, BYTES);
    for (size_t i = 3; i < BYTES; i += 4)
        assert_int_equal(first[i], 255);
    free(first);
    free(other);
    free(again);
}

static void draws_the_same_picture_twice_without_errors(void **state)
{
    struct gpu_system *system = *state;
    for (uint32_t a = 0; a < gpu_system_count(system); a++) {
        struct gpu *gpu = open_device(system, a);
        for (uint32_t k = 0; k < scene_kind_count(); k++) {
            struct scene *scene = make_scene(gpu, scene_kind_at(k), SIZE, POINTS);
            check_pictures(gpu, scene);
            scene_destroy(scene);
        }
        assert_string_equal(gpu->first_error, "");
        assert_int_equal(gpu->error_count, 0);
        assert_false(gpu->lost);
        gpu_close(gpu);
    }
}

static void ten_million_points_need_a_second_dimension(void **state)
{
    struct gpu *gpu = open_device(*state, 0);
    uint64_t one_row = (uint64_t)gpu->limits.maxComputeWorkgroupsPerDimension * 64;
    struct scene *many = make_scene(gpu, scene_kind_find("map"), SIZE, 10000000);
    struct scene *row = make_scene(gpu, scene_kind_find("map"), SIZE, one_row);
    assert_int_equal(scene_points(many), 10000000);
    uint8_t *pixels = picture_of(gpu, many, 0);
    assert_true(colours_in(pixels, BYTES) > 40);
    if (one_row < 10000000) {
        /* What lies beyond the first row of workgroups shows in the picture. */
        uint8_t *of_row = picture_of(gpu, row, 0);
        assert_memory_not_equal(pixels, of_row, BYTES);
        free(of_row);
    }
    assert_int_equal(gpu->error_count, 0);
    free(pixels);
    scene_destroy(many);
    scene_destroy(row);
    gpu_close(gpu);
}

struct call_log {
    char text[256];
};

static const WGPUPassTimestampWrites *log_pass(void *user, const char *name,
                                               WGPUPassTimestampWrites *storage)
{
    (void)storage;
    struct call_log *log = user;
    strncat(log->text, "+", sizeof log->text - strlen(log->text) - 1);
    strncat(log->text, name, sizeof log->text - strlen(log->text) - 1);
    return NULL;
}

static void log_pass_end(void *user, const char *name)
{
    struct call_log *log = user;
    strncat(log->text, "-", sizeof log->text - strlen(log->text) - 1);
    strncat(log->text, name, sizeof log->text - strlen(log->text) - 1);
}

static void every_pass_asks_once_and_in_order(void **state)
{
    static const char *const expected[] = {
        "+scatter-scatter+cull-cull+base-base+tiles-tiles+compose-compose",
        "+loops-64-loops-64+loops-256-loops-256+loops-1024-loops-1024",
    };
    struct gpu *gpu = open_device(*state, 0);
    for (uint32_t k = 0; k < scene_kind_count(); k++) {
        const struct scene_kind *kind = scene_kind_at(k);
        struct scene *scene = make_scene(gpu, kind, 64, 1000);
        struct call_log log = {""};
        const struct scene_timing timing = {&log, log_pass, log_pass_end, NULL};
        draw(gpu, scene, 0, &timing);
        assert_string_equal(log.text, expected[k]);
        char named[256] = "";
        for (uint32_t p = 0; p < scene_pass_count(scene); p++) {
            const char *name = scene_pass_name(scene, p);
            snprintf(named + strlen(named), sizeof named - strlen(named), "+%s-%s", name, name);
        }
        assert_string_equal(named, expected[k]);
        assert_true(scene_kind_of(scene) == kind);
        scene_destroy(scene);
    }
    assert_int_equal(gpu->error_count, 0);
    gpu_close(gpu);
}

/* A query set, and where its stamps arrive. */
struct stamps {
    WGPUQuerySet set;
    WGPUBuffer resolved;
    WGPUBuffer mapped;
    uint32_t used;
};

static const WGPUPassTimestampWrites *stamp_pass(void *user, const char *name,
                                                 WGPUPassTimestampWrites *storage)
{
    (void)name;
    struct stamps *stamps = user;
    storage->querySet = stamps->set;
    storage->beginningOfPassWriteIndex = stamps->used++;
    storage->endOfPassWriteIndex = stamps->used++;
    return storage;
}

static void stamps_create(struct stamps *stamps, struct gpu *gpu)
{
    WGPUQuerySetDescriptor set = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    set.type = WGPUQueryType_Timestamp;
    set.count = QUERIES;
    stamps->set = wgpuDeviceCreateQuerySet(gpu->device, &set);
    WGPUBufferDescriptor buffer = WGPU_BUFFER_DESCRIPTOR_INIT;
    buffer.size = QUERIES * sizeof(uint64_t);
    buffer.usage = WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc;
    stamps->resolved = wgpuDeviceCreateBuffer(gpu->device, &buffer);
    buffer.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
    stamps->mapped = wgpuDeviceCreateBuffer(gpu->device, &buffer);
}

static void stamps_destroy(struct stamps *stamps)
{
    wgpuQuerySetRelease(stamps->set);
    wgpuBufferRelease(stamps->resolved);
    wgpuBufferRelease(stamps->mapped);
}

static void note_status(WGPUMapAsyncStatus status, WGPUStringView message, void *user, void *unused)
{
    (void)message;
    (void)unused;
    *(WGPUMapAsyncStatus *)user = status;
}

static void stamps_read(struct stamps *stamps, struct gpu *gpu, uint64_t ticks[QUERIES])
{
    uint64_t bytes = stamps->used * sizeof(uint64_t);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    wgpuCommandEncoderResolveQuerySet(encoder, stamps->set, 0, stamps->used, stamps->resolved, 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, stamps->resolved, 0, stamps->mapped, 0, bytes);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);

    WGPUMapAsyncStatus status = WGPUMapAsyncStatus_Error;
    WGPUBufferMapCallbackInfo callback = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_AllowProcessEvents;
    callback.callback = note_status;
    callback.userdata1 = &status;
    wgpuBufferMapAsync(stamps->mapped, WGPUMapMode_Read, 0, (size_t)bytes, callback);
    gpu_wait(gpu);
    assert_int_equal(status, WGPUMapAsyncStatus_Success);
    memcpy(ticks, wgpuBufferGetConstMappedRange(stamps->mapped, 0, (size_t)bytes), (size_t)bytes);
    wgpuBufferUnmap(stamps->mapped);
    stamps->used = 0;
}

/* The shortest time of each pass over some frames, in ticks. */
static void shortest_times(struct gpu *gpu, struct scene *scene, uint64_t best[SCENE_PASSES_MAX])
{
    struct stamps stamps = {0};
    stamps_create(&stamps, gpu);
    const struct scene_timing timing = {&stamps, stamp_pass, NULL, NULL};
    memset(best, 0xff, SCENE_PASSES_MAX * sizeof best[0]);
    for (uint32_t frame = 0; frame < 8; frame++) {
        uint64_t ticks[QUERIES];
        draw(gpu, scene, frame, &timing);
        stamps_read(&stamps, gpu, ticks);
        for (uint32_t p = 0; p < scene_pass_count(scene); p++) {
            uint64_t begin = ticks[2 * p];
            uint64_t end = ticks[2 * p + 1];
            assert_true(begin != 0 && end != 0 && end >= begin);
            /* The first frame compiles, on a software GPU. */
            if (frame > 0 && end - begin < best[p])
                best[p] = end - begin;
        }
    }
    stamps_destroy(&stamps);
}

static void more_work_takes_longer(void **state)
{
    struct gpu *gpu = open_device(*state, 0);
    if (!gpu->timestamps) {
        gpu_close(gpu);
        skip();
    }
    uint64_t best[SCENE_PASSES_MAX];
    struct scene *passes = make_scene(gpu, scene_kind_find("passes"), 128, 0);
    shortest_times(gpu, passes, best);
    assert_true(best[0] < best[1] && best[1] < best[2]);
    scene_destroy(passes);

    /* A compute pass that comes after a render pass has its begin stamped in time: 200,000 points
     * take longer than some thousand tiles. */
    struct scene *map = make_scene(gpu, scene_kind_find("map"), SIZE, POINTS);
    shortest_times(gpu, map, best);
    assert_true(best[0] > best[1]);
    scene_destroy(map);
    assert_int_equal(gpu->error_count, 0);
    assert_true(gpu->tick_ns > 0.0);
    gpu_close(gpu);
}

static void refuse(struct gpu *gpu, const char *kind, uint32_t size, uint64_t points,
                   const char *words)
{
    char error[512] = "";
    struct scene_desc desc = {.size_pixels = size, .point_count = points};
    assert_null(scene_kind_find(kind)->create(gpu, &desc, error, sizeof error));
    if (!strstr(error, words))
        fail_msg("\"%s\" does not say \"%s\"", error, words);
}

static void refuses_what_the_device_cannot_hold(void **state)
{
    struct gpu *gpu = open_device(*state, 0);
    refuse(gpu, "map", 15, 1000, "--size takes 16 to");
    refuse(gpu, "passes", 4097, 0, "--size takes 16 to");
    refuse(gpu, "map", 64, UINT64_C(4294967296), "--points takes 1 to");
    refuse(gpu, "map", 64, UINT64_C(4000000001), "--points takes 1 to");
    gpu->limits.maxStorageBufferBindingSize = 64 * 64 * 4;
    refuse(gpu, "map", 65, 1000, "smaller --size");
    gpu->limits.maxComputeWorkgroupsPerDimension = 4;
    refuse(gpu, "map", 64, 4 * 4 * 64 + 1, "takes 1 to 1024 on this device");
    struct scene *largest = make_scene(gpu, scene_kind_find("map"), 64, 4 * 4 * 64);
    free(picture_of(gpu, largest, 0));
    scene_destroy(largest);
    assert_int_equal(gpu->error_count, 0);
    gpu_close(gpu);
}

static void describes_and_finds_adapters(void **state)
{
    struct gpu_system *system = *state;
    char error[512] = "";
    uint32_t index = 99;
    assert_true(gpu_system_find(system, NULL, &index, error, sizeof error));
    assert_int_equal(index, 0);
    bool software = false;
    for (uint32_t i = 0; i < gpu_system_count(system); i++) {
        const struct gpu_adapter_info *info = gpu_system_adapter(system, i);
        assert_true(info->name[0] != '\0');
        assert_true(info->backend && info->kind);
        /* Best first: no real GPU stands behind a software one. */
        assert_true(info->software || !software);
        software = info->software;
        assert_true(gpu_system_find(system, info->name, &index, error, sizeof error));
        assert_string_equal(gpu_system_adapter(system, index)->name, info->name);
        assert_true(gpu_system_find(system, info->backend, &index, error, sizeof error));
        assert_string_equal(gpu_system_adapter(system, index)->backend, info->backend);
    }
    assert_false(gpu_system_find(system, "no such GPU", &index, error, sizeof error));
    assert_non_null(strstr(error, "no such GPU"));
    assert_non_null(strstr(error, gpu_system_adapter(system, 0)->name));
    char tiny[16];
    assert_false(gpu_system_find(system, "no such GPU", &index, tiny, sizeof tiny));
    assert_int_equal(strlen(tiny), sizeof tiny - 1);
}

static void errors_of_the_device_are_kept(void **state)
{
    struct gpu *gpu = open_device(*state, 0);
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.size = gpu->limits.maxBufferSize;
    desc.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage; /* Never goes together. */
    WGPUBuffer wrong = wgpuDeviceCreateBuffer(gpu->device, &desc);
    gpu_pump(gpu);
    assert_int_equal(gpu->error_count, 1);
    assert_true(strlen(gpu->first_error) > 0);
    if (wrong)
        wgpuBufferRelease(wrong);
    gpu_close(gpu);
}

static void pictures_come_back_as_they_were(void **state)
{
    (void)state;
    char error[256] = "";
    char path[] = "test_scene_picture.png";
    uint8_t wrote[5 * 3 * 4];
    uint8_t read[sizeof wrote];
    for (size_t i = 0; i < sizeof wrote; i++)
        wrote[i] = (uint8_t)(i * 37);
    assert_true(picture_write_png(path, wrote, 5, 3, error, sizeof error));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, 5);
    assert_int_equal(image.height, 3);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    assert_memory_equal(wrote, read, sizeof wrote);
    assert_int_equal(remove(path), 0);
}

static void a_picture_that_fails_says_why(void **state)
{
    (void)state;
    static uint8_t pixels[256 * 256 * 4];
    char error[256] = "";
    assert_false(picture_write_png("no/such/folder/p.png", pixels, 2, 2, error, sizeof error));
    assert_non_null(strstr(error, "no/such/folder/p.png"));
    assert_non_null(strstr(error, strerror(ENOENT)));
    struct stat status;
    if (stat("/dev/full", &status) == 0) {
        assert_false(picture_write_png("/dev/full", pixels, 256, 256, error, sizeof error));
        assert_non_null(strstr(error, strerror(ENOSPC)));
        /* A device is no half-written file: it stays. */
        assert_int_equal(stat("/dev/full", &status), 0);
    }
}

int main(void)
{
    struct gpu_system *system = open_system();
    if (!system)
        return 77;
#define ON_GPU(test) cmocka_unit_test_prestate(test, system)
    const struct CMUnitTest tests[] = {
        ON_GPU(describes_and_finds_adapters),
        ON_GPU(errors_of_the_device_are_kept),
        ON_GPU(every_pass_asks_once_and_in_order),
        ON_GPU(draws_the_same_picture_twice_without_errors),
        ON_GPU(ten_million_points_need_a_second_dimension),
        ON_GPU(more_work_takes_longer),
        ON_GPU(refuses_what_the_device_cannot_hold),
        cmocka_unit_test(pictures_come_back_as_they_were),
        cmocka_unit_test(a_picture_that_fails_says_why),
    };
#undef ON_GPU
    int failed = cmocka_run_group_tests_name("scene", tests, NULL, NULL);
    gpu_system_close(system);
    return failed;
}
