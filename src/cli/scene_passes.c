/* SPDX-License-Identifier: MIT */
/*
 * `demo passes`: three full-screen passes that differ only in how many dependent steps each pixel
 * takes, so that their true times stand as 64 : 256 : 1,024. Their light adds up to one picture.
 */
#include "cli/scene_kit.h"
#include "cli/scene_work.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/shaders/passes.wgsl.h"

static const char *const pass_names[PASSES_COUNT] = {"loops-64", "loops-256", "loops-1024"};

struct scene_passes {
    struct scene head;
    WGPURenderPipeline pipeline;
    WGPUBuffer work[PASSES_COUNT];
    WGPUBindGroup groups[PASSES_COUNT];
};

static void draw(struct scene_passes *scene, uint32_t index, const struct scene_timing *timing,
                 WGPUCommandEncoder encoder)
{
    const WGPUColor black = {0.0, 0.0, 0.0, 1.0};
    WGPURenderPassEncoder pass = kit_begin_render(
        encoder, timing, pass_names[index], scene->head.target_view, index == 0 ? &black : NULL);
    wgpuRenderPassEncoderSetPipeline(pass, scene->pipeline);
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

static void destroy(struct scene *head)
{
    struct scene_passes *scene = (struct scene_passes *)head;
    for (uint32_t i = 0; i < PASSES_COUNT; i++) {
        if (scene->groups[i])
            wgpuBindGroupRelease(scene->groups[i]);
        if (scene->work[i])
            wgpuBufferRelease(scene->work[i]);
    }
    if (scene->pipeline)
        wgpuRenderPipelineRelease(scene->pipeline);
    free(scene);
}

static const struct scene_ops ops = {.frame = frame, .destroy = destroy};

static void make_objects(struct scene_passes *scene)
{
    struct gpu *gpu = scene->head.gpu;
    const WGPUBlendComponent add = {
        .operation = WGPUBlendOperation_Add,
        .srcFactor = WGPUBlendFactor_One,
        .dstFactor = WGPUBlendFactor_One,
    };
    const WGPUBlendState blend = {.color = add, .alpha = add};
    WGPUShaderModule module = kit_shader(gpu, "passes.wgsl", passes_wgsl);
    scene->pipeline =
        kit_render_pipeline(gpu, module, "cover", "orbit", SCENE_TARGET_FORMAT, &blend);
    wgpuShaderModuleRelease(module);
    for (uint32_t i = 0; i < PASSES_COUNT; i++) {
        scene->work[i] = kit_buffer(gpu, pass_names[i], sizeof(struct pass_work),
                                    WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst);
        WGPUBindGroupEntry entry = kit_bind_buffer(0, scene->work[i]);
        scene->groups[i] = kit_bind_group(
            gpu, wgpuRenderPipelineGetBindGroupLayout(scene->pipeline, 0), &entry, 1);
    }
}

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
    .create = scene_passes_create,
    .create_gl = scene_gl_passes_create,
};
