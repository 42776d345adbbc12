/* SPDX-License-Identifier: MIT */
/* What the scenes share: their common head, and short ways to make and begin WebGPU objects. */
#ifndef PASSTIME_CLI_SCENE_KIT_H
#define PASSTIME_CLI_SCENE_KIT_H

#include "cli/gpu.h"
#include "cli/scene.h"

/* The format of every scene's picture: bytes as PNG wants them. */
#define SCENE_TARGET_FORMAT WGPUTextureFormat_RGBA8UnormSrgb

/* What a scene does in its own way. */
struct scene_ops {
    void (*frame)(struct scene *scene, uint32_t frame_index, const struct scene_timing *timing,
                  WGPUCommandEncoder encoder);
    /* NULL: nothing to count. */
    void (*count)(struct scene *scene, const struct scene_counters *counters);
    /* Releases what the scene made and its memory; the head is released by scene_destroy. */
    void (*destroy)(struct scene *scene);
};

/* The head of every scene: the first member of its struct. */
struct scene {
    const struct scene_kind *kind;
    const struct scene_ops *ops;
    struct gpu *gpu;
    uint32_t size_pixels;
    uint64_t point_count;
    uint32_t errors_before; /* The device's error count when creation began. */
    WGPUTexture target;
    WGPUTextureView target_view;
};

/* Fills the head and makes the target. False with a text where the size is not to be had. */
bool scene_begin_create(struct scene *scene, const struct scene_kind *kind,
                        const struct scene_ops *ops, struct gpu *gpu, const struct scene_desc *desc,
                        char *error, size_t error_bytes);

/* True where the device reported no error since scene_begin_create; else its text is in `error`. */
bool scene_end_create(const struct scene *scene, char *error, size_t error_bytes);

WGPUStringView kit_text(const char *text);

WGPUShaderModule kit_shader(struct gpu *gpu, const char *label, const char *code);

WGPUBuffer kit_buffer(struct gpu *gpu, const char *label, uint64_t size_bytes,
                      WGPUBufferUsage usage);

/* A square, sampled render target and its view. */
WGPUTexture kit_target(struct gpu *gpu, const char *label, uint32_t size_pixels,
                       WGPUTextureFormat format, WGPUTextureUsage more_usage,
                       WGPUTextureView *view);

WGPUComputePipeline kit_compute_pipeline(struct gpu *gpu, WGPUShaderModule module,
                                         const char *entry);

/* Triangles into one target of `format`. `blend` may be NULL, and so may `layout`: as the shaders
 * have it. */
WGPURenderPipeline kit_render_pipeline(struct gpu *gpu, WGPUPipelineLayout layout,
                                       WGPUShaderModule module, const char *vertex_entry,
                                       const char *fragment_entry, WGPUTextureFormat format,
                                       const WGPUBlendState *blend);

/* Takes the layout from the caller and releases it. */
WGPUBindGroup kit_bind_group(struct gpu *gpu, WGPUBindGroupLayout layout,
                             const WGPUBindGroupEntry *entries, uint32_t count);

WGPUBindGroupEntry kit_bind_buffer(uint32_t binding, WGPUBuffer buffer);
WGPUBindGroupEntry kit_bind_view(uint32_t binding, WGPUTextureView view);
WGPUBindGroupEntry kit_bind_sampler(uint32_t binding, WGPUSampler sampler);

/* Begin and end of a named, perhaps timed pass. A NULL `clear` keeps what the target holds. */
WGPURenderPassEncoder kit_begin_render(WGPUCommandEncoder encoder,
                                       const struct scene_timing *timing, const char *name,
                                       WGPUTextureView view, const WGPUColor *clear);
void kit_end_render(WGPURenderPassEncoder pass, const struct scene_timing *timing,
                    const char *name);
WGPUComputePassEncoder kit_begin_compute(WGPUCommandEncoder encoder,
                                         const struct scene_timing *timing, const char *name);
void kit_end_compute(WGPUComputePassEncoder pass, const struct scene_timing *timing,
                     const char *name);

#endif
