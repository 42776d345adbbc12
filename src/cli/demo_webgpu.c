/* SPDX-License-Identifier: MIT */
/* The demo on WebGPU. */
#include "cli/demo.h"

#include <stdlib.h>

#include <passtime/webgpu.h>

#include "cli/check.h"
#include "cli/gpu.h"

struct device {
    struct gpu_system *system;
    struct gpu *gpu;
    struct scene *scene;
};

static int open_gpu(struct demo *demo, struct device *device)
{
    char error[1024];
    uint32_t index;
    const char *wanted = demo->values.adapter;
    device->system =
        gpu_system_open(wanted ? GPU_SCOPE_ALL : GPU_SCOPE_PREFERRED, error, sizeof error);
    if (!device->system)
        return cli_fail(&demo->cli, EXIT_CODE_NOTHING, "%s", error);
    if (!gpu_system_find(device->system, wanted, &index, error, sizeof error))
        return cli_fail(&demo->cli, EXIT_CODE_USAGE, "%s", error);
    device->gpu = gpu_open(device->system, index, error, sizeof error);
    if (!device->gpu)
        return cli_fail(&demo->cli, EXIT_CODE_NOTHING, "%s", error);
    return EXIT_CODE_DONE;
}

static int open_device(struct demo *demo)
{
    struct device *device = calloc(1, sizeof *device);
    demo->device = device;
    if (!device)
        return cli_fail(&demo->cli, EXIT_CODE_NOTHING, "no memory for the device");
    int exit_code = open_gpu(demo, device);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    const struct gpu_adapter_info *info = &device->gpu->info;
    demo->adapter = (passtime_adapter_info){.api = demo->api->name,
                                            .name = info->name,
                                            .driver = info->driver,
                                            .kind = info->kind,
                                            .software = info->software};
    return EXIT_CODE_DONE;
}

static bool make_scene(struct demo *demo, const struct scene_kind *kind,
                       const struct scene_desc *desc, char *error, size_t error_bytes)
{
    struct device *device = demo->device;
    device->scene = kind->create(device->gpu, desc, error, error_bytes);
    return device->scene != NULL;
}

static bool use_counters(struct demo *demo, char *error, size_t error_bytes)
{
    char wgsl[1024];
    const uint32_t count = demo->kind->counter_count;
    struct scene_counters counters = {.wgsl = wgsl};
    passtime_webgpu_counters_wgsl(count, 1, 0, wgsl, sizeof wgsl);
    counters.buffer = passtime_webgpu_counters_buffer(demo->timer, &counters.size_bytes);
    if (!counters.buffer) {
        snprintf(error, error_bytes, "\"%s\" has no memory for shader counters",
                 demo->adapter.name);
        return false;
    }
    return scene_count(((struct device *)demo->device)->scene, &counters, error, error_bytes);
}

static passtime_result make_timer(struct demo *demo, const passtime_desc *desc)
{
    const struct gpu *gpu = ((struct device *)demo->device)->gpu;
    passtime_webgpu_desc webgpu = PASSTIME_WEBGPU_DESC_INIT;
    webgpu.instance = gpu->instance;
    webgpu.device = gpu->device;
    webgpu.queue = gpu->queue;
    webgpu.tick_ns = gpu->tick_ns;
    webgpu.flags = PASSTIME_WEBGPU_FALLBACK_CPU;
    passtime_counters_desc counters = PASSTIME_COUNTERS_DESC_INIT;
    counters.counters = demo->kind->counters;
    counters.count = demo->kind->counter_count;
    if (demo->values.counters)
        webgpu.counters = &counters;
    if (demo->values.fallback)
        webgpu.flags |= PASSTIME_WEBGPU_FORCE_CPU;
    return passtime_create_webgpu(&webgpu, desc, &demo->timer);
}

static const WGPUPassTimestampWrites *time_pass(void *user, const char *name,
                                                WGPUPassTimestampWrites *storage)
{
    struct demo *demo = user;
    return passtime_webgpu_pass(demo->recorder, name, storage);
}

static void time_pass_end(void *user, const char *name)
{
    struct demo *demo = user;
    (void)name;
    passtime_webgpu_pass_end(demo->recorder);
}

static uint32_t take_counters(void *user, const char *name)
{
    struct demo *demo = user;
    (void)name;
    return passtime_webgpu_counters(demo->recorder);
}

static void draw(struct demo *demo, uint32_t index)
{
    const struct device *device = demo->device;
    const struct scene_timing timing = {.user = demo,
                                        .pass = time_pass,
                                        .pass_end = time_pass_end,
                                        .counters = demo->counting ? take_counters : NULL};
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device->gpu->device, NULL);
    scene_frame(device->scene, index, &timing, encoder);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(device->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
}

static void on_work_done(WGPUQueueWorkDoneStatus status, WGPUStringView message, void *user,
                         void *unused)
{
    struct demo *demo = user;
    (void)status;
    (void)message;
    (void)unused;
    if (demo->frames_unfinished > 0)
        demo->frames_unfinished--;
}

static void follow(struct demo *demo, uint64_t number)
{
    const struct device *device = demo->device;
    WGPUQueueWorkDoneCallbackInfo callback = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    (void)number;
    callback.mode = WGPUCallbackMode_AllowProcessEvents;
    callback.callback = on_work_done;
    callback.userdata1 = demo;
    demo->frames_unfinished++;
    wgpuQueueOnSubmittedWorkDone(device->gpu->queue, callback);
}

static void check(struct demo *demo)
{
    const struct gpu *gpu = ((struct device *)demo->device)->gpu;
    demo->health = (struct demo_health){.lost = gpu->lost,
                                        .lost_reason = gpu->lost_reason,
                                        .error_count = gpu->error_count,
                                        .first_error = gpu->first_error};
}

static void pump(struct demo *demo)
{
    gpu_pump(((struct device *)demo->device)->gpu);
    check(demo);
}

static uint32_t size_pixels(const struct demo *demo)
{
    return scene_size(((const struct device *)demo->device)->scene);
}

static bool read_pixels(struct demo *demo, uint8_t *rgba, size_t rgba_bytes, char *error,
                        size_t error_bytes)
{
    return scene_read_pixels(((struct device *)demo->device)->scene, rgba, rgba_bytes, error,
                             error_bytes);
}

static void close_device(struct demo *demo)
{
    struct device *device = demo->device;
    if (!device)
        return;
    scene_destroy(device->scene);
    gpu_close(device->gpu);
    gpu_system_close(device->system);
    free(device);
    demo->device = NULL;
}

static passtime_check_cost stamp_cost(struct demo *demo)
{
    return check_webgpu_cost(((struct device *)demo->device)->gpu);
}

const struct demo_api demo_webgpu = {
    .name = "webgpu",
    .open = open_device,
    .make_scene = make_scene,
    .make_timer = make_timer,
    .count = use_counters,
    .draw = draw,
    .follow = follow,
    .pump = pump,
    .size_pixels = size_pixels,
    .read_pixels = read_pixels,
    .stamp_cost = stamp_cost,
    .check = check,
    .close = close_device,
};
