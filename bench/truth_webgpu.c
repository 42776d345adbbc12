/* SPDX-License-Identifier: MIT */
/*
 * Compute passes through wgpu-native, on the best adapter there is: loops, or nothing at all where
 * that is the nearest to the length wanted. (Dispatches of zero workgroups would be finer, but
 * after one lavapipe reads the next dispatch's buffers from the wrong place.)
 */
#include "truth_device.h"

#include <passtime/webgpu.h>

#include <string.h>

#include "cli/gpu.h"
#include "cli/scene_kit.h"

static const char shader[] =
    "@group(0) @binding(0) var<storage, read_write> loops: array<u32, 64>;\n"
    "@compute @workgroup_size(1) fn work(@builtin(workgroup_id) id: vec3u) {\n"
    "    var x = loops[0];\n"
    "    for (var i = 0u; i < loops[0]; i++) { x = x * 1664525u + 1013904223u; }\n"
    "    loops[1] = x;\n"
    "}\n";

struct world {
    struct gpu_system *system;
    struct gpu *gpu;
    WGPUComputePipeline pipeline;
    WGPUBuffer buffers[TRUTH_PASSES];
    WGPUBindGroup groups[TRUTH_PASSES];
    uint32_t loops[TRUTH_PASSES]; /* that the buffers hold */
    char name[192];
};

static void make_objects(struct world *world)
{
    WGPUShaderModule module = kit_shader(world->gpu, "truth", shader);
    world->pipeline = kit_compute_pipeline(world->gpu, module, "work");
    wgpuShaderModuleRelease(module);
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        world->buffers[i] =
            kit_buffer(world->gpu, "loops", 256, WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst);
        WGPUBindGroupEntry entry = kit_bind_buffer(0, world->buffers[i]);
        world->groups[i] = kit_bind_group(
            world->gpu, wgpuComputePipelineGetBindGroupLayout(world->pipeline, 0), &entry, 1);
    }
}

static void release(struct world *world)
{
    for (uint32_t i = 0; i < TRUTH_PASSES && world->pipeline; i++) {
        wgpuBindGroupRelease(world->groups[i]);
        wgpuBufferRelease(world->buffers[i]);
    }
    if (world->pipeline) {
        wgpuComputePipelineRelease(world->pipeline);
    }
    gpu_close(world->gpu);
    gpu_system_close(world->system);
}

static void record_pass(struct world *world, WGPUCommandEncoder encoder, passtime_recorder *rec,
                        uint32_t pass, double work)
{
    WGPUPassTimestampWrites writes;
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.timestampWrites = passtime_webgpu_pass(rec, truth_pass_name(pass), &writes);
    WGPUComputePassEncoder compute = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    if (work >= 1) {
        wgpuComputePassEncoderSetPipeline(compute, world->pipeline);
        wgpuComputePassEncoderSetBindGroup(compute, 0, world->groups[pass], 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(compute, 1, 1, 1);
    }
    wgpuComputePassEncoderEnd(compute);
    wgpuComputePassEncoderRelease(compute);
}

static void frame(struct truth_device *device, uint64_t number)
{
    struct world *world = device->self;
    passtime_recorder *rec = passtime_frame_begin(device->timer, number);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(world->gpu->device, NULL);
    record_pass(world, encoder, NULL, 0, 0); /* takes what a submission begins with */
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        uint32_t loops = (uint32_t)device->work[i];
        if (loops != world->loops[i]) { /* a write is work of its own, at the frame's begin */
            wgpuQueueWriteBuffer(world->gpu->queue, world->buffers[i], 0, &loops, sizeof loops);
            world->loops[i] = loops;
        }
        record_pass(world, encoder, rec, i, device->work[i]);
    }
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(world->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    passtime_submitted(rec);
    (void)passtime_frame_end(device->timer, number);
}

static void pump(struct truth_device *device)
{
    gpu_pump(((struct world *)device->self)->gpu);
}

static bool make_timer(struct truth_device *device, const struct gpu *gpu)
{
    passtime_webgpu_desc webgpu = PASSTIME_WEBGPU_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    webgpu.instance = gpu->instance;
    webgpu.device = gpu->device;
    webgpu.queue = gpu->queue;
    webgpu.tick_ns = gpu->tick_ns;
    desc.max_passes = TRUTH_PASSES;
    return passtime_create_webgpu(&webgpu, &desc, &device->timer) == PASSTIME_OK;
}

static bool open_world(struct world *world, struct truth_device *device, char *error, size_t bytes)
{
    world->system = gpu_system_open(GPU_SCOPE_PREFERRED, error, bytes);
    world->gpu = world->system ? gpu_open(world->system, 0, error, bytes) : NULL;
    if (!world->gpu) {
        return false;
    }
    make_objects(world);
    (void)snprintf(world->name, sizeof world->name, "WebGPU, %s", world->gpu->info.name);
    device->name = world->name;
    device->monotonic = strstr(world->gpu->info.name, "llvmpipe") != NULL;
    (void)snprintf(error, bytes, "no timer could be made");
    return make_timer(device, world->gpu);
}

void truth_webgpu(struct truth_table *table)
{
    char error[512] = "";
    struct world world = {0};
    struct truth_device device = {.self = &world, .frame = frame, .pump = pump, .work_unit = 200};
    if (open_world(&world, &device, error, sizeof error)) {
        truth_device_run(table, &device);
        passtime_destroy(&device.timer);
        gpu_wait(world.gpu);
    } else {
        truth_missing(table, "WebGPU", error);
    }
    release(&world);
}
