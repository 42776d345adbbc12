/* SPDX-License-Identifier: MIT */
/* The table of scenes, and what is the same for all of them: the target and reading it back. */
#include "cli/scene_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIXEL_BYTES = 4,
    ROW_ALIGN_BYTES = 256, /* WebGPU wants rows of a copied texture to start at multiples of it. */
};

static const struct scene_kind *const kinds[] = {&scene_map_kind, &scene_passes_kind};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

uint32_t scene_kind_count(void)
{
    return KIND_COUNT;
}

const struct scene_kind *scene_kind_at(uint32_t index)
{
    return index < KIND_COUNT ? kinds[index] : NULL;
}

const struct scene_kind *scene_kind_find(const char *name)
{
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    }
    return NULL;
}

static bool size_is_possible(const struct gpu *gpu, uint32_t size_pixels, char *error,
                             size_t error_bytes)
{
    uint32_t most = gpu->limits.maxTextureDimension2D;
    if (most > SCENE_SIZE_MAX)
        most = SCENE_SIZE_MAX;
    if (size_pixels >= SCENE_SIZE_MIN && size_pixels <= most)
        return true;
    snprintf(error, error_bytes,
             "a picture of %u x %u pixels can't be drawn: --size takes %u to %u%s", size_pixels,
             size_pixels, (unsigned)SCENE_SIZE_MIN, most,
             most < SCENE_SIZE_MAX ? " on this device" : "");
    return false;
}

bool scene_begin_create(struct scene *scene, const struct scene_kind *kind,
                        const struct scene_ops *ops, struct gpu *gpu, const struct scene_desc *desc,
                        char *error, size_t error_bytes)
{
    scene->kind = kind;
    scene->ops = ops;
    scene->gpu = gpu;
    scene->size_pixels = desc->size_pixels ? desc->size_pixels : kind->default_size;
    scene->point_count = kind->default_points == 0 ? 0
                         : desc->point_count       ? desc->point_count
                                                   : kind->default_points;
    scene->errors_before = gpu->error_count;
    if (!size_is_possible(gpu, scene->size_pixels, error, error_bytes))
        return false;
    scene->target = kit_target(gpu, "picture", scene->size_pixels, SCENE_TARGET_FORMAT,
                               WGPUTextureUsage_CopySrc, &scene->target_view);
    return true;
}

bool scene_end_create(const struct scene *scene, char *error, size_t error_bytes)
{
    gpu_pump(scene->gpu);
    if (scene->gpu->error_count == scene->errors_before && !scene->gpu->lost)
        return true;
    snprintf(error, error_bytes, "the scene \"%s\" can't be made on \"%s\": %s", scene->kind->name,
             scene->gpu->info.name,
             scene->gpu->lost ? scene->gpu->lost_reason : scene->gpu->first_error);
    return false;
}

bool scene_count(struct scene *scene, const struct scene_counters *counters, char *error,
                 size_t error_bytes)
{
    if (!scene->ops->count) {
        snprintf(error, error_bytes, "the scene \"%s\" has no shader that counts",
                 scene->kind->name);
        return false;
    }
    scene->errors_before = scene->gpu->error_count;
    scene->ops->count(scene, counters);
    return scene_end_create(scene, error, error_bytes);
}

void scene_frame(struct scene *scene, uint32_t frame_index, const struct scene_timing *timing,
                 WGPUCommandEncoder encoder)
{
    scene->ops->frame(scene, frame_index, timing, encoder);
}

const struct scene_kind *scene_kind_of(const struct scene *scene)
{
    return scene->kind;
}

uint32_t scene_pass_count(const struct scene *scene)
{
    return scene->kind->pass_count;
}

const char *scene_pass_name(const struct scene *scene, uint32_t index)
{
    return scene->kind->pass_names[index];
}

uint32_t scene_size(const struct scene *scene)
{
    return scene->size_pixels;
}

uint64_t scene_points(const struct scene *scene)
{
    return scene->point_count;
}

static uint32_t row_bytes(const struct scene *scene)
{
    uint32_t bytes = scene->size_pixels * PIXEL_BYTES;
    return (bytes + ROW_ALIGN_BYTES - 1) / ROW_ALIGN_BYTES * ROW_ALIGN_BYTES;
}

static void submit_copy(struct scene *scene, WGPUBuffer buffer)
{
    uint32_t size = scene->size_pixels;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(scene->gpu->device, NULL);
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = scene->target;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = buffer;
    to.layout.bytesPerRow = row_bytes(scene);
    to.layout.rowsPerImage = size;
    WGPUExtent3D extent = {.width = size, .height = size, .depthOrArrayLayers = 1};
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &extent);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(scene->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
}

static void on_mapped(WGPUMapAsyncStatus status, WGPUStringView message, void *user, void *unused)
{
    (void)message;
    (void)unused;
    *(WGPUMapAsyncStatus *)user = status;
}

/* A lost device answers no map; the wait ends when nothing is left to wait for. */
static bool map_now(struct gpu *gpu, WGPUBuffer buffer, uint64_t bytes)
{
    WGPUMapAsyncStatus status = WGPUMapAsyncStatus_Error;
    WGPUBufferMapCallbackInfo callback = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_AllowProcessEvents;
    callback.callback = on_mapped;
    callback.userdata1 = &status;
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, bytes, callback);
    gpu_wait(gpu);
    return status == WGPUMapAsyncStatus_Success;
}

bool scene_read_pixels(struct scene *scene, uint8_t *rgba, size_t rgba_bytes, char *error,
                       size_t error_bytes)
{
    size_t line = (size_t)scene->size_pixels * PIXEL_BYTES;
    if (rgba_bytes != line * scene->size_pixels) {
        snprintf(error, error_bytes, "the picture needs %zu bytes, not %zu",
                 line * scene->size_pixels, rgba_bytes);
        return false;
    }
    uint64_t bytes = (uint64_t)row_bytes(scene) * scene->size_pixels;
    WGPUBuffer buffer = kit_buffer(scene->gpu, "picture copy", bytes,
                                   WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    submit_copy(scene, buffer);
    const uint8_t *mapped = NULL;
    if (map_now(scene->gpu, buffer, bytes))
        mapped = wgpuBufferGetConstMappedRange(buffer, 0, (size_t)bytes);
    if (mapped) {
        for (uint32_t y = 0; y < scene->size_pixels; y++)
            memcpy(rgba + y * line, mapped + (size_t)y * row_bytes(scene), line);
        wgpuBufferUnmap(buffer);
    } else {
        snprintf(error, error_bytes, "the picture could not be read back from \"%s\": %s",
                 scene->gpu->info.name,
                 scene->gpu->lost ? scene->gpu->lost_reason : scene->gpu->first_error);
    }
    wgpuBufferRelease(buffer);
    return mapped != NULL;
}

void scene_destroy(struct scene *scene)
{
    if (!scene)
        return;
    if (scene->target_view)
        wgpuTextureViewRelease(scene->target_view);
    if (scene->target)
        wgpuTextureRelease(scene->target);
    scene->ops->destroy(scene);
}
