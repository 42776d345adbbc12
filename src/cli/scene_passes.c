/* SPDX-License-Identifier: MIT */
/*
 * `demo passes`: three full-screen passes that differ only in how many dependent steps each pixel
 * takes, so that their true times stand as 64 : 256 : 1,024. Their light adds up to one picture.
 */
#include "cli/scene_kit.h"
#include "cli/scene_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shaders/passes.wgsl.h"

static const char *const pass_names[PASSES_COUNT] = {"loops-64", "loops-256", "loops-1024"};

static const passtime_counter_desc counter_names[] = {{"invocations", "pixels"},
                                                      {"loop steps", "steps"}};

struct scene_passes {
    struct scene head;
    WGPUBindGroupLayout layout;
    WGPURenderPipeline pipeline;
    WGPUBuffer work[PASSES_COUNT];
    WGPUBindGroup groups[PASSES_COUNT];
    WGPURenderPipeline counting; /* NULL: without counters */
    WGPUBindGroup counters;
};

static void draw(struct scene_passes *scene, uint32_t index, const struct scene_timing *timing,
                 WGPUCommandEncoder encoder)
{
    const WGPUColor black = {0.0, 0.0, 0.0, 1.0};
    WGPURenderPassEncoder pass = kit_begin_render(
        encoder, timing, pass_names[index], scene->head.target_view, index == 0 ? &black : NULL);
    if (timing && timing->counters && scene->counting) {
        uint32_t offset = timing->counters(timing->user, pass_names[index]);
        wgpuRenderPassEncoderSetPipeline(pass, scene->counting);
        wgpuRenderPassEncoderSetBindGroup(pass, 1, scene->counters, 1, &offset);
    } else {
        wgpuRenderPassEncoderSetPipeline(pass, scene->pipeline);
    }
    wgpuRenderPassEncoderSetBindGroup(pass, 0, scene->groups[index], 0, NULL);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    kit_end_render(pass, timing, pass_names[index]);
}

static void frame(struct scene *head, uint32_t frame_index, const struct scene_timing *timing,
                  WGPUCommandEncoder encoder)
{
    struct scene_passes *scene = (struct scene_passes *)head;
    for (uint32_t i = 0; i < PASSES_COUNT; i++) {
        struct pass_work work = passes_work(i, frame_index);
        wgpuQueueWriteBuffer(head->gpu->queue, scene->work[i], 0, &work, sizeof work);
        draw(scene, i, timing, encoder);
    }
}

static void release_counting(struct scene_passes *scene)
{
    if (scene->counting)
        wgpuRenderPipelineRelease(scene->counting);
    if (scene->counters)
        wgpuBindGroupRelease(scene->counters);
    scene->counting = NULL;
    scene->counters = NULL;
}

static void destroy(struct scene *head)
{
    struct scene_passes *scene = (struct scene_passes *)head;
    release_counting(scene);
    for (uint32_t i = 0; i < PASSES_COUNT; i++) {
        if (scene->groups[i])
            wgpuBindGroupRelease(scene->groups[i]);
        if (scene->work[i])
            wgpuBufferRelease(scene->work[i]);
    }
    if (scene->pipeline)
        wgpuRenderPipelineRelease(scene->pipeline);
    if (scene->layout)
        wgpuBindGroupLayoutRelease(scene->layout);
    free(scene);
}

/* The pipeline whose shader begins with `before`; `counters` NULL: one that does not count. */
static WGPURenderPipeline make_pipeline(struct scene_passes *scene, const char *before,
                                        WGPUBindGroupLayout counters)
{
    struct gpu *gpu = scene->head.gpu;
    const WGPUBlendComponent add = {
        .operation = WGPUBlendOperation_Add,
        .srcFactor = WGPUBlendFactor_One,
        .dstFactor = WGPUBlendFactor_One,
    };
    const WGPUBlendState blend = {.color = add, .alpha = add};
    const WGPUBindGroupLayout groups[2] = {scene->layout, counters};
    WGPUPipelineLayoutDescriptor desc = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    desc.bindGroupLayoutCount = counters ? 2 : 1;
    desc.bindGroupLayouts = groups;
    size_t bytes = strlen(before) + sizeof passes_wgsl;
    char *text = malloc(bytes);
    if (!text)
        return NULL;
    snprintf(text, bytes, "%s%s", before, passes_wgsl);
    WGPUShaderModule module = kit_shader(gpu, "passes.wgsl", text);
    free(text);
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(gpu->device, &desc);
    WGPURenderPipeline pipeline =
        kit_render_pipeline(gpu, layout, module, "cover", "orbit", SCENE_TARGET_FORMAT, &blend);
    wgpuPipelineLayoutRelease(layout);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

static WGPUBindGroupLayout make_layout(struct gpu *gpu, WGPUBufferBindingType type, bool dynamic,
                                       uint64_t size_bytes)
{
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.visibility = WGPUShaderStage_Fragment;
    entry.buffer.type = type;
    entry.buffer.hasDynamicOffset = dynamic;
    entry.buffer.minBindingSize = size_bytes;
    WGPUBindGroupLayoutDescriptor desc = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    desc.entryCount = 1;
    desc.entries = &entry;
    return wgpuDeviceCreateBindGroupLayout(gpu->device, &desc);
}

/* Both pipelines share the first group's layout, so that its groups serve both. */
static void make_objects(struct scene_passes *scene)
{
    struct gpu *gpu = scene->head.gpu;
    scene->layout =
        make_layout(gpu, WGPUBufferBindingType_Uniform, false, sizeof(struct pass_work));
    scene->pipeline = make_pipeline(
        scene, "const COUNTING = false;\nfn passtime_count(index: u32, amount: u32) {}\n", NULL);
    for (uint32_t i = 0; i < PASSES_COUNT; i++) {
        scene->work[i] = kit_buffer(gpu, pass_names[i], sizeof(struct pass_work),
                                    WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst);
        WGPUBindGroupEntry entry = kit_bind_buffer(0, scene->work[i]);
        wgpuBindGroupLayoutAddRef(scene->layout);
        scene->groups[i] = kit_bind_group(gpu, scene->layout, &entry, 1);
    }
}

static void count(struct scene *head, const struct scene_counters *counters)
{
    static const char counting[] = "const COUNTING = true;\n";
    struct scene_passes *scene = (struct scene_passes *)head;
    struct gpu *gpu = head->gpu;
    size_t bytes = sizeof counting + strlen(counters->wgsl);
    char *before = malloc(bytes);
    release_counting(scene);
    if (!before)
        return;
    snprintf(before, bytes, "%s%s", counting, counters->wgsl);
    WGPUBindGroupLayout layout =
        make_layout(gpu, WGPUBufferBindingType_Storage, true, counters->size_bytes);
    scene->counting = make_pipeline(scene, before, layout);
    free(before);
    WGPUBindGroupEntry entry = kit_bind_buffer(0, counters->buffer);
    entry.size = counters->size_bytes;
    scene->counters = kit_bind_group(gpu, layout, &entry, 1);
}

static const struct scene_ops ops = {.frame = frame, .count = count, .destroy = destroy};

struct scene *scene_passes_create(struct gpu *gpu, const struct scene_desc *desc, char *error,
                                  size_t error_bytes)
{
    struct scene_passes *scene = calloc(1, sizeof *scene);
    if (!scene) {
        snprintf(error, error_bytes, "out of memory while making the scene");
        return NULL;
    }
    bool made =
        scene_begin_create(&scene->head, &scene_passes_kind, &ops, gpu, desc, error, error_bytes);
    if (made) {
        make_objects(scene);
        made = scene_end_create(&scene->head, error, error_bytes);
    }
    if (!made) {
        scene_destroy(&scene->head);
        return NULL;
    }
    return &scene->head;
}

const struct scene_kind scene_passes_kind = {
    .name = "passes",
    .summary = "three full-screen passes of 64, 256 and 1,024 loops a pixel",
    .default_size = 256,
    .pass_names = pass_names,
    .pass_count = PASSES_COUNT,
    .counters = counter_names,
    .counter_count = sizeof counter_names / sizeof counter_names[0],
    .create = scene_passes_create,
    .create_gl = scene_gl_passes_create,
};
