/* SPDX-License-Identifier: MIT */
/* The frames of `probe --check` on a WebGPU device. */
#define _POSIX_C_SOURCE 200809L

#include "cli/check.h"

#include <string.h>
#include <time.h>

#include <passtime/webgpu.h>

#include "cli/scene_kit.h"
#include "cli/shaders/check.wgsl.h"
#include "port/port.h"

/* Both kinds take as many steps in all; the target is of several tiles on a GPU that has tiles. */
enum { SIDE_PIXELS = 128, GROUPS = 64, STEPS_COMPUTE = 64, STEPS_RENDER = 16, WORKS = 5 };

static const uint64_t time_allowed_ns = 12000000000u;
static const uint64_t frame_allowed_ns = 2000000000u;

struct device {
    struct gpu *gpu;
    passtime *timer; /* NULL: CPU times only */
    uint64_t number;
    WGPUComputePipeline compute;
    WGPURenderPipeline render;
    WGPUTexture texture;
    WGPUTextureView view;
    WGPUBuffer results;
    WGPUBuffer steps[PASSTIME_CHECK_KINDS_MAX][WORKS];
    WGPUBindGroup groups[PASSTIME_CHECK_KINDS_MAX][WORKS];
};

static uint32_t work_of(uint32_t parts)
{
    uint32_t work = 0;
    while (work + 1 < WORKS && (1u << work) < parts)
        work++;
    return work;
}

static void set_scale(void *user, enum check_kind kind, uint32_t scale)
{
    const struct device *device = user;
    uint32_t least = kind == CHECK_FIRST ? STEPS_COMPUTE : STEPS_RENDER;
    for (uint32_t i = 0; i < WORKS; i++) {
        const uint32_t steps[4] = {(least * scale) << i};
        wgpuQueueWriteBuffer(device->gpu->queue, device->steps[kind][i], 0, steps, sizeof steps);
    }
}

static void encode_compute(const struct device *device, WGPUCommandEncoder encoder, uint32_t parts,
                           const WGPUPassTimestampWrites *writes)
{
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.timestampWrites = writes;
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    if (parts > 0) {
        wgpuComputePassEncoderSetPipeline(pass, device->compute);
        wgpuComputePassEncoderSetBindGroup(pass, 0, device->groups[CHECK_FIRST][work_of(parts)], 0,
                                           NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, GROUPS, 1, 1);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

static void encode_render(const struct device *device, WGPUCommandEncoder encoder, uint32_t parts,
                          const WGPUPassTimestampWrites *writes)
{
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    WGPURenderPassDescriptor desc = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    color.view = device->view;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    desc.colorAttachmentCount = 1;
    desc.colorAttachments = &color;
    desc.timestampWrites = writes;
    WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &desc);
    if (parts > 0) {
        wgpuRenderPassEncoderSetPipeline(pass, device->render);
        wgpuRenderPassEncoderSetBindGroup(pass, 0, device->groups[CHECK_SECOND][work_of(parts)], 0,
                                          NULL);
        wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    }
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
}

/* The descriptors first, all at once, so that the clock is read twice for all of them. */
static WGPUCommandBuffer encode(struct device *device, passtime_recorder *recorder,
                                const struct check_pass *passes, uint32_t count,
                                struct check_cpu *cpu)
{
    WGPUPassTimestampWrites storage[CHECK_PASSES_MAX];
    const WGPUPassTimestampWrites *writes[CHECK_PASSES_MAX] = {NULL};
    uint64_t begun_ns = passtime_port_now_ns();
    for (uint32_t i = 0; i < count; i++) {
        if (passes[i].timed)
            writes[i] = passtime_webgpu_pass(recorder, "check", &storage[i]);
    }
    cpu->passes_ns = recorder ? (double)(passtime_port_now_ns() - begun_ns) : 0.0;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device->gpu->device, NULL);
    for (uint32_t i = 0; i < count; i++) {
        if (passes[i].kind == CHECK_FIRST)
            encode_compute(device, encoder, passes[i].parts, writes[i]);
        else
            encode_render(device, encoder, passes[i].parts, writes[i]);
    }
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    return commands;
}

/* Waits for the results of the frame just submitted. */
static bool fetch(struct device *device, struct check_pass *passes, uint32_t count,
                  struct check_cpu *cpu)
{
    const struct timespec pause = {.tv_nsec = 50000};
    uint64_t end_ns = passtime_port_now_ns() + frame_allowed_ns;
    while (device->timer && !device->gpu->lost && passtime_port_now_ns() < end_ns) {
        gpu_pump(device->gpu);
        passtime_result result = check_take(device->timer, device->number, passes, count, cpu);
        if (result != PASSTIME_PENDING)
            return result == PASSTIME_OK;
        nanosleep(&pause, NULL);
    }
    return false;
}

static bool frame(void *user, struct check_pass *passes, uint32_t count, struct check_cpu *cpu)
{
    struct device *device = user;
    uint64_t begun_ns = passtime_port_now_ns();
    passtime_recorder *recorder = passtime_frame_begin(device->timer, ++device->number);
    cpu->frame_ns = (double)(passtime_port_now_ns() - begun_ns);
    WGPUCommandBuffer commands = encode(device, recorder, passes, count, cpu);
    uint64_t submit_ns = passtime_port_now_ns();
    wgpuQueueSubmit(device->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    gpu_wait(device->gpu);
    uint64_t ended_ns = passtime_port_now_ns();
    cpu->submit_ns = (double)(ended_ns - submit_ns);
    passtime_submitted(recorder);
    passtime_frame_end(device->timer, device->number);
    cpu->frame_ns += (double)(passtime_port_now_ns() - ended_ns);
    return fetch(device, passes, count, cpu);
}

static void make_groups(struct device *device)
{
    struct gpu *gpu = device->gpu;
    for (uint32_t i = 0; i < WORKS; i++) {
        for (uint32_t kind = 0; kind < PASSTIME_CHECK_KINDS_MAX; kind++)
            device->steps[kind][i] =
                kit_buffer(gpu, "steps", 16, WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst);
        const WGPUBindGroupEntry compute[2] = {kit_bind_buffer(0, device->steps[CHECK_FIRST][i]),
                                               kit_bind_buffer(1, device->results)};
        const WGPUBindGroupEntry render = kit_bind_buffer(0, device->steps[CHECK_SECOND][i]);
        device->groups[CHECK_FIRST][i] = kit_bind_group(
            gpu, wgpuComputePipelineGetBindGroupLayout(device->compute, 0), compute, 2);
        device->groups[CHECK_SECOND][i] = kit_bind_group(
            gpu, wgpuRenderPipelineGetBindGroupLayout(device->render, 0), &render, 1);
    }
}

static void make_objects(struct device *device)
{
    struct gpu *gpu = device->gpu;
    WGPUShaderModule module = kit_shader(gpu, "check.wgsl", check_wgsl);
    device->compute = kit_compute_pipeline(gpu, module, "compute");
    device->render = kit_render_pipeline(gpu, NULL, module, "cover", "render",
                                         WGPUTextureFormat_RGBA8Unorm, NULL);
    wgpuShaderModuleRelease(module);
    device->texture =
        kit_target(gpu, "check", SIDE_PIXELS, WGPUTextureFormat_RGBA8Unorm, 0, &device->view);
    device->results = kit_buffer(gpu, "results", GROUPS * 64 * 4, WGPUBufferUsage_Storage);
    make_groups(device);
}

static void release_objects(struct device *device)
{
    for (uint32_t i = 0; i < PASSTIME_CHECK_KINDS_MAX * WORKS; i++) {
        wgpuBindGroupRelease(device->groups[i / WORKS][i % WORKS]);
        wgpuBufferRelease(device->steps[i / WORKS][i % WORKS]);
    }
    wgpuBufferRelease(device->results);
    wgpuTextureViewRelease(device->view);
    wgpuTextureRelease(device->texture);
    wgpuRenderPipelineRelease(device->render);
    wgpuComputePipelineRelease(device->compute);
}

static void make_timer(struct device *device)
{
    passtime_webgpu_desc gpu = PASSTIME_WEBGPU_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    gpu.instance = device->gpu->instance;
    gpu.device = device->gpu->device;
    gpu.queue = device->gpu->queue;
    gpu.tick_ns = device->gpu->tick_ns;
    desc.max_passes = CHECK_PASSES_MAX;
    passtime_create_webgpu(&gpu, &desc, &device->timer);
}

/* Frames before the queries are known to work are not timed. */
static void warm_up(struct device *device)
{
    for (uint32_t i = 0; i < 16; i++) {
        struct check_pass pass = {.timed = true};
        struct check_cpu cpu;
        if (frame(device, &pass, 1, &cpu))
            return;
    }
}

static void check(struct gpu *gpu, bool cost_only, struct check_outcome *out)
{
    struct device device = {.gpu = gpu};
    make_objects(&device);
    if (gpu->timestamps)
        make_timer(&device);
    if (device.timer)
        warm_up(&device);
    struct check_device plan = {.user = &device,
                                .kind_count = gpu->error_count == 0 ? 2 : 0,
                                .cost_only = cost_only,
                                .frame = frame,
                                .set_scale = set_scale};
    check_run(&plan, time_allowed_ns, out);
    passtime_destroy(&device.timer);
    release_objects(&device);
}

void check_webgpu(struct gpu *gpu, struct check_outcome *out)
{
    check(gpu, false, out);
}

passtime_check_cost check_webgpu_cost(struct gpu *gpu)
{
    struct check_outcome out = {.input = PASSTIME_CHECK_INPUT_INIT};
    if (gpu->timestamps)
        check(gpu, true, &out);
    return out.pair_cost;
}
