/* SPDX-License-Identifier: MIT */
/*
 * `demo passes`: three full-screen passes that differ only in how many dependent steps each pixel
 * takes, so that their true times stand as 64 : 256 : 1,024. Their light adds up to one picture.
 */
#include "cli/scene_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/shaders/passes.wgsl.h"

enum {
    PASS_COUNT = 3,
    LOOP_FRAMES = 600, /* The picture changes slowly, and begins anew after so many frames. */
};

static const char *const pass_names[PASS_COUNT] = {"loops-64", "loops-256", "loops-1024"};

/* As the shader's struct Pass. */
struct pass_work {
    float tint[3];
    uint32_t steps;
    float constant[2];
    float scale;
    float turn;
    float longest;
    float contrast;
    float padding[2];
};

struct scene_passes {
    struct scene head;
    WGPURenderPipeline pipeline;
    WGPUBuffer work[PASS_COUNT];
    WGPUBindGroup groups[PASS_COUNT];
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
    static const struct pass_work first[PASS_COUNT] = {
        {{0.02f, 0.12f, 0.34f}, 64, .longest = 26.0f, .contrast = 2.4f},
        {{0.62f, 0.02f, 0.20f}, 256, .longest = 60.0f, .contrast = 4.5f},
        {{1.00f, 0.72f, 0.16f}, 1024, .longest = 110.0f, .contrast = 6.5f},
    };
    float turn = 6.2831853f * (float)(frame_index % LOOP_FRAMES) / (float)LOOP_FRAMES;
    for (uint32_t i = 0; i < PASS_COUNT; i++) {
        struct pass_work work = first[i];
        work.constant[0] = -0.8005f + 0.0012f * cosf(turn);
        work.constant[1] = 0.1565f + 0.0012f * sinf(turn);
        work.scale = 1.35f;
        work.turn = 0.5f + 0.25f * sinf(turn);
        wgpuQueueWriteBuffer(head->gpu->queue, scene->work[i], 0, &work, sizeof work);
        draw(scene, i, timing, encoder);
    }
}

static void destroy(struct scene *head)
{
    struct scene_passes *scene = (struct scene_passes *)head;
    for (uint32_t i = 0; i < PASS_COUNT; i++) {
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
    for (uint32_t i = 0; i < PASS_COUNT; i++) {
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
    .pass_count = PASS_COUNT,
    .create = scene_passes_create,
};
