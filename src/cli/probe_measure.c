/* SPDX-License-Identifier: MIT */
/* Times small passes on one device: whether stamps come back at all, and in which steps. */
/* For nanosleep. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <passtime/webgpu.h>

#include "cli/gpu.h"
#include "cli/probe.h"
#include "port/port.h"

enum { FRAMES = 96, PASSES = 8, SIDE_PIXELS = 16, IN_FLIGHT_MAX = 3 };

static const uint64_t time_allowed_ns = 6000000000u;

struct measure {
    struct gpu *gpu;
    struct probe_adapter *out;
    passtime *timer;
    WGPUTextureView target;
    uint64_t end_ns; /* when to give up */
};

static void pause_briefly(void)
{
    const struct timespec pause = {.tv_nsec = 100000};
    nanosleep(&pause, NULL);
}

static void empty_compute(WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes)
{
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.timestampWrites = writes;
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

static void clear_target(const struct measure *measure, WGPUCommandEncoder encoder,
                         const WGPUPassTimestampWrites *writes)
{
    WGPURenderPassColorAttachment color = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    WGPURenderPassDescriptor desc = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    color.view = measure->target;
    color.loadOp = WGPULoadOp_Clear;
    color.storeOp = WGPUStoreOp_Store;
    desc.colorAttachmentCount = 1;
    desc.colorAttachments = &color;
    desc.timestampWrites = writes;
    WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &desc);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
}

static void draw_frame(struct measure *measure, uint64_t number)
{
    WGPUPassTimestampWrites writes;
    passtime_recorder *recorder = passtime_frame_begin(measure->timer, number);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(measure->gpu->device, NULL);
    for (uint32_t i = 0; i < PASSES; i++) {
        if (i % 2 == 0)
            empty_compute(encoder, passtime_webgpu_pass(recorder, "empty", &writes));
        else
            clear_target(measure, encoder, passtime_webgpu_pass(recorder, "clear", &writes));
    }
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(measure->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    passtime_submitted(recorder);
    passtime_frame_end(measure->timer, number);
}

/* Waits until at most `most` frames are in flight, or the time is up. */
static void wait_for_frames(struct measure *measure, uint32_t most)
{
    passtime_ledger ledger = {0};
    while (passtime_port_now_ns() < measure->end_ns && !measure->gpu->lost) {
        gpu_pump(measure->gpu);
        probe_take_results(measure->timer, measure->out);
        if (passtime_get_ledger(measure->timer, &ledger) != PASSTIME_OK ||
            ledger.frames_in_flight <= most)
            return;
        pause_briefly();
    }
}

static bool make_timer(struct measure *measure)
{
    passtime_webgpu_desc gpu = PASSTIME_WEBGPU_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    gpu.instance = measure->gpu->instance;
    gpu.device = measure->gpu->device;
    gpu.queue = measure->gpu->queue;
    gpu.tick_ns = measure->gpu->tick_ns;
    desc.max_passes = PASSES;
    desc.log = probe_remember;
    desc.log_user = measure->out;
    return passtime_create_webgpu(&gpu, &desc, &measure->timer) == PASSTIME_OK;
}

static WGPUTexture make_target(struct measure *measure)
{
    WGPUTextureDescriptor desc = WGPU_TEXTURE_DESCRIPTOR_INIT;
    desc.usage = WGPUTextureUsage_RenderAttachment;
    desc.size = (WGPUExtent3D){SIDE_PIXELS, SIDE_PIXELS, 1};
    desc.format = WGPUTextureFormat_RGBA8Unorm;
    WGPUTexture texture = wgpuDeviceCreateTexture(measure->gpu->device, &desc);
    measure->target = wgpuTextureCreateView(texture, NULL);
    return texture;
}

void probe_measure(struct gpu *gpu, struct probe_adapter *out)
{
    struct measure measure = {.gpu = gpu, .out = out};
    measure.end_ns = passtime_port_now_ns() + time_allowed_ns;
    if (!gpu->timestamps) {
        snprintf(out->error, sizeof out->error, "it offers no timestamp queries");
        return;
    }
    if (!make_timer(&measure)) {
        if (out->error[0] == '\0')
            snprintf(out->error, sizeof out->error, "no timer could be made on it");
        return;
    }
    WGPUTexture texture = make_target(&measure);
    for (uint64_t i = 0; i < FRAMES && passtime_port_now_ns() < measure.end_ns && !gpu->lost; i++) {
        draw_frame(&measure, i);
        wait_for_frames(&measure, IN_FLIGHT_MAX);
    }
    wait_for_frames(&measure, 0);
    probe_conclude(measure.timer, out,
                   gpu->error_count > 0 ? gpu->first_error
                   : gpu->lost          ? gpu->lost_reason
                                        : "");
    passtime_destroy(&measure.timer);
    wgpuTextureViewRelease(measure.target);
    wgpuTextureRelease(texture);
}
