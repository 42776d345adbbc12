/* SPDX-License-Identifier: MIT */
/*
 * `demo map`: millions of points, each found from its number alone, are counted into a density
 * grid; tiles are culled against the view; three render passes paint what is seen.
 */
#include "cli/scene_kit.h"
#include "cli/scene_work.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/shaders/map_cull.wgsl.h"
#include "cli/shaders/map_paint.wgsl.h"
#include "cli/shaders/map_scatter.wgsl.h"

enum {
    PASS_SCATTER,
    PASS_CULL,
    PASS_BASE,
    PASS_TILES,
    PASS_COMPOSE,
    PASS_COUNT,
    DRAW_BYTES = 16,
};

static const char *const pass_names[PASS_COUNT] = {"scatter", "cull", "base", "tiles", "compose"};

struct scene_map {
    struct scene head;
    struct map_view view;
    struct map_dispatch dispatch; /* Of the pass "scatter". */
    WGPUBuffer view_buffer;
    WGPUBuffer grid;
    WGPUBuffer draw;
    WGPUBuffer visible;
    WGPUTexture textures[2]; /* What "base" and "tiles" paint, for "compose". */
    WGPUTextureView views[2];
    WGPUSampler sampler;
    WGPUComputePipeline compute[2];
    WGPUComputePipeline open[2]; /* A single write before compute[i]: see the shaders. */
    WGPURenderPipeline render[3];
    WGPURenderPipeline legend; /* Drawn at the end of "compose". */
    WGPUBindGroup legend_group;
    WGPUBindGroup groups[PASS_COUNT];
    WGPUBindGroup open_groups[2];
};

static void compute(struct scene_map *scene, uint32_t pass_index, const struct scene_timing *timing,
                    WGPUCommandEncoder encoder)
{
    WGPUComputePassEncoder pass = kit_begin_compute(encoder, timing, pass_names[pass_index]);
    wgpuComputePassEncoderSetPipeline(pass, scene->open[pass_index]);
    wgpuComputePassEncoderSetBindGroup(pass, 0, scene->open_groups[pass_index], 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    wgpuComputePassEncoderSetPipeline(pass, scene->compute[pass_index]);
    wgpuComputePassEncoderSetBindGroup(pass, 0, scene->groups[pass_index], 0, NULL);
    if (pass_index == PASS_SCATTER)
        wgpuComputePassEncoderDispatchWorkgroups(pass, scene->dispatch.columns,
                                                 scene->dispatch.rows, 1);
    else
        wgpuComputePassEncoderDispatchWorkgroups(
            pass, (MAP_TILE_COUNT + MAP_WORKGROUP - 1) / MAP_WORKGROUP, 1, 1);
    kit_end_compute(pass, timing, pass_names[pass_index]);
}

static void paint(struct scene_map *scene, uint32_t pass_index, WGPUTextureView view,
                  const struct scene_timing *timing, WGPUCommandEncoder encoder)
{
    const WGPUColor nothing = {0.0, 0.0, 0.0, 0.0};
    WGPURenderPassEncoder pass =
        kit_begin_render(encoder, timing, pass_names[pass_index], view, &nothing);
    wgpuRenderPassEncoderSetPipeline(pass, scene->render[pass_index - PASS_BASE]);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, scene->groups[pass_index], 0, NULL);
    if (pass_index == PASS_TILES)
        wgpuRenderPassEncoderDrawIndirect(pass, scene->draw, 0);
    else
        wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    if (pass_index == PASS_COMPOSE && scene->head.size_pixels >= MAP_LEGEND_SIZE_MIN) {
        wgpuRenderPassEncoderSetPipeline(pass, scene->legend);
        wgpuRenderPassEncoderSetBindGroup(pass, 0, scene->legend_group, 0, NULL);
        wgpuRenderPassEncoderDraw(pass, 6, 1, 0, 0);
    }
    kit_end_render(pass, timing, pass_names[pass_index]);
}

static void frame(struct scene *head, uint32_t frame_index, const struct scene_timing *timing,
                  WGPUCommandEncoder encoder)
{
    struct scene_map *scene = (struct scene_map *)head;
    map_fly(&scene->view, frame_index);
    wgpuQueueWriteBuffer(head->gpu->queue, scene->view_buffer, 0, &scene->view, sizeof scene->view);
    wgpuCommandEncoderClearBuffer(encoder, scene->grid, 0, WGPU_WHOLE_SIZE);
    compute(scene, PASS_SCATTER, timing, encoder);
    compute(scene, PASS_CULL, timing, encoder);
    paint(scene, PASS_BASE, scene->views[0], timing, encoder);
    paint(scene, PASS_TILES, scene->views[1], timing, encoder);
    paint(scene, PASS_COMPOSE, head->target_view, timing, encoder);
}

static void release_textures(struct scene_map *scene)
{
    for (uint32_t i = 0; i < 2; i++) {
        if (scene->views[i])
            wgpuTextureViewRelease(scene->views[i]);
        if (scene->textures[i])
            wgpuTextureRelease(scene->textures[i]);
    }
    if (scene->sampler)
        wgpuSamplerRelease(scene->sampler);
}

static void release_buffers(struct scene_map *scene)
{
    WGPUBuffer buffers[] = {scene->view_buffer, scene->grid, scene->draw, scene->visible};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        if (buffers[i])
            wgpuBufferRelease(buffers[i]);
    }
}

static void destroy(struct scene *head)
{
    struct scene_map *scene = (struct scene_map *)head;
    for (uint32_t i = 0; i < PASS_COUNT; i++) {
        if (scene->groups[i])
            wgpuBindGroupRelease(scene->groups[i]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (scene->compute[i])
            wgpuComputePipelineRelease(scene->compute[i]);
        if (scene->open[i])
            wgpuComputePipelineRelease(scene->open[i]);
        if (scene->open_groups[i])
            wgpuBindGroupRelease(scene->open_groups[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (scene->render[i])
            wgpuRenderPipelineRelease(scene->render[i]);
    }
    if (scene->legend_group)
        wgpuBindGroupRelease(scene->legend_group);
    if (scene->legend)
        wgpuRenderPipelineRelease(scene->legend);
    release_textures(scene);
    release_buffers(scene);
    free(scene);
}

static const struct scene_ops ops = {.frame = frame, .destroy = destroy};

static uint64_t grid_bytes(const struct scene_map *scene)
{
    return (uint64_t)scene->head.size_pixels * scene->head.size_pixels * sizeof(uint32_t);
}

static bool fits(const struct scene_map *scene, char *error, size_t error_bytes)
{
    const WGPULimits *limits = &scene->head.gpu->limits;
    uint64_t most_bytes = limits->maxStorageBufferBindingSize < limits->maxBufferSize
                              ? limits->maxStorageBufferBindingSize
                              : limits->maxBufferSize;
    if (grid_bytes(scene) > most_bytes) {
        snprintf(error, error_bytes,
                 "the density grid of --size %u needs %llu bytes in one buffer and this device "
                 "takes %llu: give a smaller --size",
                 scene->head.size_pixels, (unsigned long long)grid_bytes(scene),
                 (unsigned long long)most_bytes);
        return false;
    }
    uint64_t side = limits->maxComputeWorkgroupsPerDimension;
    uint64_t most = side * side * MAP_WORKGROUP;
    if (most > MAP_POINTS_MAX)
        most = MAP_POINTS_MAX;
    if (scene->head.point_count > most) {
        snprintf(error, error_bytes, "%llu points are too many: --points takes 1 to %llu%s",
                 (unsigned long long)scene->head.point_count, (unsigned long long)most,
                 most < MAP_POINTS_MAX ? " on this device" : "");
        return false;
    }
    return true;
}

static void make_resources(struct scene_map *scene)
{
    struct gpu *gpu = scene->head.gpu;
    uint32_t size = scene->head.size_pixels;
    scene->view_buffer = kit_buffer(gpu, "view", sizeof scene->view,
                                    WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst);
    scene->grid = kit_buffer(gpu, "grid", grid_bytes(scene),
                             WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst);
    scene->draw =
        kit_buffer(gpu, "draw", DRAW_BYTES,
                   WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect | WGPUBufferUsage_CopyDst);
    scene->visible = kit_buffer(gpu, "visible tiles", MAP_TILE_COUNT * sizeof(uint32_t),
                                WGPUBufferUsage_Storage);
    scene->textures[0] = kit_target(gpu, "base", size, WGPUTextureFormat_RGBA8Unorm,
                                    WGPUTextureUsage_TextureBinding, &scene->views[0]);
    scene->textures[1] = kit_target(gpu, "tiles", size, WGPUTextureFormat_R8Unorm,
                                    WGPUTextureUsage_TextureBinding, &scene->views[1]);
    WGPUSamplerDescriptor desc = WGPU_SAMPLER_DESCRIPTOR_INIT;
    desc.magFilter = WGPUFilterMode_Linear;
    desc.minFilter = WGPUFilterMode_Linear;
    scene->sampler = wgpuDeviceCreateSampler(gpu->device, &desc);
}

static void make_compute(struct scene_map *scene)
{
    struct gpu *gpu = scene->head.gpu;
    const char *codes[2] = {map_scatter_wgsl, map_cull_wgsl};
    for (uint32_t i = 0; i < 2; i++) {
        WGPUShaderModule module = kit_shader(gpu, pass_names[i], codes[i]);
        scene->compute[i] = kit_compute_pipeline(gpu, module, pass_names[i]);
        scene->open[i] =
            kit_compute_pipeline(gpu, module, i == PASS_SCATTER ? "open_scatter" : "open_cull");
        wgpuShaderModuleRelease(module);
        WGPUBindGroupEntry entries[3] = {
            kit_bind_buffer(0, scene->view_buffer),
            kit_bind_buffer(1, i == PASS_SCATTER ? scene->grid : scene->draw),
            kit_bind_buffer(2, scene->visible),
        };
        scene->groups[i] =
            kit_bind_group(gpu, wgpuComputePipelineGetBindGroupLayout(scene->compute[i], 0),
                           entries, i == PASS_SCATTER ? 2 : 3);
        scene->open_groups[i] = kit_bind_group(
            gpu, wgpuComputePipelineGetBindGroupLayout(scene->open[i], 0), entries + 1, 1);
    }
}

static void make_render_groups(struct scene_map *scene)
{
    struct gpu *gpu = scene->head.gpu;
    const WGPUBindGroupEntry base[] = {
        kit_bind_buffer(0, scene->view_buffer),
        kit_bind_buffer(1, scene->grid),
    };
    const WGPUBindGroupEntry tiles[] = {
        kit_bind_buffer(0, scene->view_buffer),
        kit_bind_buffer(2, scene->visible),
    };
    const WGPUBindGroupEntry compose[] = {
        kit_bind_buffer(0, scene->view_buffer),
        kit_bind_view(3, scene->views[0]),
        kit_bind_view(4, scene->views[1]),
        kit_bind_sampler(5, scene->sampler),
    };
    scene->groups[PASS_BASE] =
        kit_bind_group(gpu, wgpuRenderPipelineGetBindGroupLayout(scene->render[0], 0), base, 2);
    scene->groups[PASS_TILES] =
        kit_bind_group(gpu, wgpuRenderPipelineGetBindGroupLayout(scene->render[1], 0), tiles, 2);
    scene->groups[PASS_COMPOSE] =
        kit_bind_group(gpu, wgpuRenderPipelineGetBindGroupLayout(scene->render[2], 0), compose, 4);
    scene->legend_group =
        kit_bind_group(gpu, wgpuRenderPipelineGetBindGroupLayout(scene->legend, 0), base, 1);
}

static WGPUBlendState blend_of(WGPUBlendOperation operation, WGPUBlendFactor source,
                               WGPUBlendFactor target)
{
    WGPUBlendComponent component = {
        .operation = operation, .srcFactor = source, .dstFactor = target};
    return (WGPUBlendState){.color = component, .alpha = component};
}

static void make_render(struct scene_map *scene)
{
    struct gpu *gpu = scene->head.gpu;
    /* The order of the culled tiles is not fixed; the greater of two is the same in any order. */
    const WGPUBlendState greater =
        blend_of(WGPUBlendOperation_Max, WGPUBlendFactor_One, WGPUBlendFactor_One);
    WGPUBlendState over = blend_of(WGPUBlendOperation_Add, WGPUBlendFactor_SrcAlpha,
                                   WGPUBlendFactor_OneMinusSrcAlpha);
    over.alpha.srcFactor = WGPUBlendFactor_One;
    WGPUShaderModule module = kit_shader(gpu, "map_paint.wgsl", map_paint_wgsl);
    scene->render[0] =
        kit_render_pipeline(gpu, NULL, module, "cover", "base", WGPUTextureFormat_RGBA8Unorm, NULL);
    scene->render[1] = kit_render_pipeline(gpu, NULL, module, "tile_corner", "tile",
                                           WGPUTextureFormat_R8Unorm, &greater);
    scene->render[2] =
        kit_render_pipeline(gpu, NULL, module, "cover", "compose", SCENE_TARGET_FORMAT, NULL);
    scene->legend = kit_render_pipeline(gpu, NULL, module, "legend_corner", "legend",
                                        SCENE_TARGET_FORMAT, &over);
    wgpuShaderModuleRelease(module);
}

struct scene *scene_map_create(struct gpu *gpu, const struct scene_desc *desc, char *error,
                               size_t error_bytes)
{
    struct scene_map *scene = calloc(1, sizeof *scene);
    if (!scene) {
        snprintf(error, error_bytes, "out of memory while making the scene");
        return NULL;
    }
    bool made =
        scene_begin_create(&scene->head, &scene_map_kind, &ops, gpu, desc, error, error_bytes) &&
        fits(scene, error, error_bytes);
    if (made) {
        map_found(&scene->view, scene->head.size_pixels, scene->head.point_count);
        scene->dispatch = map_plan(&scene->view, gpu->limits.maxComputeWorkgroupsPerDimension);
        make_resources(scene);
        make_compute(scene);
        make_render(scene);
        make_render_groups(scene);
        made = scene_end_create(&scene->head, error, error_bytes);
    }
    if (!made) {
        scene_destroy(&scene->head);
        return NULL;
    }
    return &scene->head;
}

const struct scene_kind scene_map_kind = {
    .name = "map",
    .summary = "millions of points counted into a map, under a view that pans and zooms",
    .default_size = 512,
    .default_points = 10000000,
    .pass_names = pass_names,
    .pass_count = PASS_COUNT,
    .create = scene_map_create,
    .create_gl = scene_gl_map_create,
};
