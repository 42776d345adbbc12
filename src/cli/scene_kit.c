/* SPDX-License-Identifier: MIT */
/* Short ways to make WebGPU objects. Failures arrive in the device's error callback. */
#include "cli/scene_kit.h"

WGPUStringView kit_text(const char *text)
{
    return (WGPUStringView){.data = text, .length = WGPU_STRLEN};
}

WGPUShaderModule kit_shader(struct gpu *gpu, const char *label, const char *code)
{
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = kit_text(code);
    WGPUShaderModuleDescriptor desc = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    desc.nextInChain = &source.chain;
    desc.label = kit_text(label);
    return wgpuDeviceCreateShaderModule(gpu->device, &desc);
}

WGPUBuffer kit_buffer(struct gpu *gpu, const char *label, uint64_t size_bytes,
                      WGPUBufferUsage usage)
{
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.label = kit_text(label);
    desc.size = size_bytes;
    desc.usage = usage;
    return wgpuDeviceCreateBuffer(gpu->device, &desc);
}

WGPUTexture kit_target(struct gpu *gpu, const char *label, uint32_t size_pixels,
                       WGPUTextureFormat format, WGPUTextureUsage more_usage, WGPUTextureView *view)
{
    WGPUTextureDescriptor desc = WGPU_TEXTURE_DESCRIPTOR_INIT;
    desc.label = kit_text(label);
    desc.usage = WGPUTextureUsage_RenderAttachment | more_usage;
    desc.dimension = WGPUTextureDimension_2D;
    desc.size = (WGPUExtent3D){size_pixels, size_pixels, 1};
    desc.format = format;
    WGPUTexture texture = wgpuDeviceCreateTexture(gpu->device, &desc);
    *view = wgpuTextureCreateView(texture, NULL);
    return texture;
}

WGPUComputePipeline kit_compute_pipeline(struct gpu *gpu, WGPUShaderModule module,
                                         const char *entry)
{
    WGPUComputePipelineDescriptor desc = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    desc.label = kit_text(entry);
    desc.compute.module = module;
    desc.compute.entryPoint = kit_text(entry);
    return wgpuDeviceCreateComputePipeline(gpu->device, &desc);
}

WGPURenderPipeline kit_render_pipeline(struct gpu *gpu, WGPUPipelineLayout layout,
                                       WGPUShaderModule module, const char *vertex_entry,
                                       const char *fragment_entry, WGPUTextureFormat format,
                                       const WGPUBlendState *blend)
{
    WGPUColorTargetState target = WGPU_COLOR_TARGET_STATE_INIT;
    target.format = format;
    target.blend = blend;
    WGPUFragmentState fragment = WGPU_FRAGMENT_STATE_INIT;
    fragment.module = module;
    fragment.entryPoint = kit_text(fragment_entry);
    fragment.targetCount = 1;
    fragment.targets = &target;
    WGPURenderPipelineDescriptor desc = WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT;
    desc.label = kit_text(fragment_entry);
    desc.layout = layout;
    desc.vertex.module = module;
    desc.vertex.entryPoint = kit_text(vertex_entry);
    desc.primitive.topology = WGPUPrimitiveTopology_TriangleList;
    desc.fragment = &fragment;
    return wgpuDeviceCreateRenderPipeline(gpu->device, &desc);
}

WGPUBindGroup kit_bind_group(struct gpu *gpu, WGPUBindGroupLayout layout,
                             const WGPUBindGroupEntry *entries, uint32_t count)
{
    WGPUBindGroupDescriptor desc = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    desc.layout = layout;
    desc.entryCount = count;
    desc.entries = entries;
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(gpu->device, &desc);
    wgpuBindGroupLayoutRelease(layout);
    return group;
}

WGPUBindGroupEntry kit_bind_buffer(uint32_t binding, WGPUBuffer buffer)
{
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.binding = binding;
    entry.buffer = buffer;
    return entry;
}

WGPUBindGroupEntry kit_bind_view(uint32_t binding, WGPUTextureView view)
{
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.binding = binding;
    entry.textureView = view;
    return entry;
}

WGPUBindGroupEntry kit_bind_sampler(uint32_t binding, WGPUSampler sampler)
{
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.binding = binding;
    entry.sampler = sampler;
    return entry;
}

static const WGPUPassTimestampWrites *ask(const struct scene_timing *timing, const char *name,
                                          WGPUPassTimestampWrites *storage)
{
    return timing && timing->pass ? timing->pass(timing->user, name, storage) : NULL;
}

static void tell(const struct scene_timing *timing, const char *name)
{
    if (timing && timing->pass_end)
        timing->pass_end(timing->user, name);
}

WGPURenderPassEncoder kit_begin_render(WGPUCommandEncoder encoder,
                                       const struct scene_timing *timing, const char *name,
                                       WGPUTextureView view, const WGPUColor *clear)
{
    WGPURenderPassColorAttachment target = WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT;
    target.view = view;
    target.loadOp = clear ? WGPULoadOp_Clear : WGPULoadOp_Load;
    target.storeOp = WGPUStoreOp_Store;
    if (clear)
        target.clearValue = *clear;
    WGPUPassTimestampWrites storage = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    WGPURenderPassDescriptor desc = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    desc.label = kit_text(name);
    desc.colorAttachmentCount = 1;
    desc.colorAttachments = &target;
    desc.timestampWrites = ask(timing, name, &storage);
    return wgpuCommandEncoderBeginRenderPass(encoder, &desc);
}

void kit_end_render(WGPURenderPassEncoder pass, const struct scene_timing *timing, const char *name)
{
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    tell(timing, name);
}

WGPUComputePassEncoder kit_begin_compute(WGPUCommandEncoder encoder,
                                         const struct scene_timing *timing, const char *name)
{
    WGPUPassTimestampWrites storage = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.label = kit_text(name);
    desc.timestampWrites = ask(timing, name, &storage);
    return wgpuCommandEncoderBeginComputePass(encoder, &desc);
}

void kit_end_compute(WGPUComputePassEncoder pass, const struct scene_timing *timing,
                     const char *name)
{
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    tell(timing, name);
}
