/* SPDX-License-Identifier: MIT */
/*
 * The smallest complete program that times GPU passes: three compute passes of growing work on a
 * real WebGPU device, three hundred frames, then a table of them.
 *
 *   cc webgpu.c $(pkg-config --cflags --libs passtime) -lwgpu_native
 */
#include <stdio.h>

#include <passtime/webgpu.h>
#include <webgpu/wgpu.h> /* for wgpu-native's tick period; with Dawn leave it and tick_ns out */

static const char *const shader_text =
    "@group(0) @binding(0) var<storage, read_write> sink: array<u32>;"
    "override loops: u32;"
    "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {"
    "    var x = id.x;"
    "    for (var i = 0u; i < loops; i++) { x = x * 1664525u + 1013904223u; }"
    "    sink[id.x % 64u] = x;"
    "}";

static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message,
                       void *out, void *unused)
{
    (void)status, (void)message, (void)unused;
    *(WGPUAdapter *)out = adapter;
}

static void on_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                      void *out, void *unused)
{
    (void)status, (void)message, (void)unused;
    *(WGPUDevice *)out = device;
}

static WGPUDevice open_device(WGPUInstance instance)
{
    const passtime_webgpu_procs procs = PASSTIME_WEBGPU_PROCS_INIT;
    WGPUAdapter adapter = NULL;
    const WGPUCallbackMode mode = WGPUCallbackMode_AllowProcessEvents;
    wgpuInstanceRequestAdapter(
        instance, NULL, (WGPURequestAdapterCallbackInfo){NULL, mode, on_adapter, &adapter, NULL});
    wgpuInstanceProcessEvents(instance);
    WGPUFeatureName features[4];
    WGPUDeviceDescriptor desc = WGPU_DEVICE_DESCRIPTOR_INIT;
    desc.requiredFeatures = features;
    desc.requiredFeatureCount =
        passtime_webgpu_required_features(&procs, adapter, false, features, 4);
    WGPUDevice device = NULL;
    if (adapter != NULL) {
        wgpuAdapterRequestDevice(
            adapter, &desc, (WGPURequestDeviceCallbackInfo){NULL, mode, on_device, &device, NULL});
        wgpuInstanceProcessEvents(instance);
        wgpuAdapterRelease(adapter);
    }
    return device;
}

/* A shader that loops so often for each of its threads, and what it is bound to. */
static void make_work(WGPUDevice device, WGPUBuffer buffer, double loops,
                      WGPUComputePipeline *pipeline, WGPUBindGroup *group)
{
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = (WGPUStringView){shader_text, WGPU_STRLEN};
    WGPUShaderModuleDescriptor module_desc = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    module_desc.nextInChain = &source.chain;
    WGPUComputePipelineDescriptor desc = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    desc.compute.module = wgpuDeviceCreateShaderModule(device, &module_desc);
    desc.compute.constants = &(WGPUConstantEntry){NULL, {"loops", WGPU_STRLEN}, loops};
    desc.compute.constantCount = 1;
    *pipeline = wgpuDeviceCreateComputePipeline(device, &desc);
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.buffer = buffer;
    WGPUBindGroupDescriptor group_desc = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    group_desc.layout = wgpuComputePipelineGetBindGroupLayout(*pipeline, 0);
    group_desc.entryCount = 1;
    group_desc.entries = &entry;
    *group = wgpuDeviceCreateBindGroup(device, &group_desc);
}

static void print_table(passtime *t)
{
    printf("%-8s %6s %10s %8s\n", "pass", "count", "mean, us", "+-, us");
    for (uint32_t i = 0; i < passtime_series_count(t); i++) {
        passtime_series_info info;
        if (passtime_series(t, i, &info) != PASSTIME_OK) {
            continue;
        }
        printf("%-8s %6llu %10.1f", info.name, (unsigned long long)info.stats.count,
               info.stats.mean_ns / 1e3);
        /* What is not known yet says so: an error needs enough frames. */
        const bool known = (info.stats.flags & PASSTIME_STATS_HAS_SE) != 0;
        printf(known ? " %8.1f\n" : "        ?\n", info.stats.se_ns / 1e3);
    }
}

int main(void)
{
    WGPUInstance instance = wgpuCreateInstance(NULL);
    WGPUDevice device = open_device(instance);
    if (device == NULL) {
        fprintf(stderr, "no WebGPU device; install a driver (Debian: mesa-vulkan-drivers)\n");
        return 3;
    }
    WGPUQueue queue = wgpuDeviceGetQueue(device);
    passtime_webgpu_desc gpu = PASSTIME_WEBGPU_DESC_INIT;
    gpu.instance = instance;
    gpu.device = device;
    gpu.queue = queue;
    gpu.tick_ns = wgpuQueueGetTimestampPeriod(queue);
    passtime *t = NULL;
    passtime_create_webgpu(&gpu, NULL, &t); /* fails: t stays NULL, and the work runs untimed */
    static const char *const names[] = {"small", "middle", "large"};
    WGPUComputePipeline pipelines[3];
    WGPUBindGroup groups[3];
    WGPUBufferDescriptor buffer_desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    buffer_desc.size = 256;
    buffer_desc.usage = WGPUBufferUsage_Storage;
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(device, &buffer_desc);
    for (int i = 0; i < 3; i++) {
        make_work(device, buffer, 64 << (2 * i), &pipelines[i], &groups[i]);
    }

    for (uint64_t frame = 0; frame < 300; frame++) {
        passtime_recorder *rec = passtime_frame_begin(t, frame);
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device, NULL);
        for (int i = 0; i < 3; i++) {
            WGPUPassTimestampWrites writes;
            WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
            desc.timestampWrites = passtime_webgpu_pass(rec, names[i], &writes);
            WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
            wgpuComputePassEncoderSetPipeline(pass, pipelines[i]);
            wgpuComputePassEncoderSetBindGroup(pass, 0, groups[i], 0, NULL);
            wgpuComputePassEncoderDispatchWorkgroups(pass, 32, 1, 1);
            wgpuComputePassEncoderEnd(pass);
            wgpuComputePassEncoderRelease(pass);
        }
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuQueueSubmit(queue, 1, &commands);
        passtime_submitted(rec);
        passtime_frame_end(t, frame);
        wgpuCommandBufferRelease(commands);
        wgpuCommandEncoderRelease(encoder);
        wgpuInstanceProcessEvents(instance); /* here the results of earlier frames arrive */
    }
    print_table(t);
    passtime_destroy(&t);
    return 0; /* the rest ends with the process */
}
