/* SPDX-License-Identifier: MIT */
/*
 * The workloads of `passtime demo`: real GPU frames made of named passes. A scene knows nothing of
 * Passtime: it asks a callback for the timestamp writes of each pass, as an application would.
 *
 * One thread only, that of the device. Errors of the GPU arrive in struct gpu (error_count).
 */
#ifndef PASSTIME_CLI_SCENE_H
#define PASSTIME_CLI_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <webgpu/webgpu.h>

#include <passtime/counters.h>

struct gpu;
struct gl;
struct scene_gl;

enum {
    SCENE_SIZE_MIN = 16,   /* Pixels a side. */
    SCENE_SIZE_MAX = 4096, /* Pixels a side. */
    SCENE_PASSES_MAX = 8,  /* No scene has more passes. */
};

/* What to draw. 0 takes the scene's default. */
struct scene_desc {
    uint32_t size_pixels; /* Side of the square picture. */
    uint64_t point_count; /* Points of the map; other scenes have none. */
};

/* How the caller times the passes of one frame. */
struct scene_timing {
    void *user;
    /* Called once before each pass is begun. Returns what to put in the pass descriptor (`storage`
     * is there to be filled), or NULL when this pass is not timed. */
    const WGPUPassTimestampWrites *(*pass)(void *user, const char *name,
                                           WGPUPassTimestampWrites *storage);
    /* Called once after each pass has been recorded; NULL: not wanted. */
    void (*pass_end)(void *user, const char *name);
    /* Called once for each pass that can count, after `pass`: the dynamic offset of its counters.
     * NULL: the frame is drawn by shaders that do not count. */
    uint32_t (*counters)(void *user, const char *name);
};

/* What a scene that counts needs of the caller. */
struct scene_counters {
    const char *wgsl;    /* Declares passtime_count(index, amount) at @group(1) @binding(0). */
    WGPUBuffer buffer;   /* To be bound there, with a dynamic offset. */
    uint64_t size_bytes; /* Of the binding. */
};

struct scene;

/* A kind of scene, as a row of the table. */
struct scene_kind {
    const char *name;              /* The word on the command line. */
    const char *summary;           /* One line of help. */
    uint32_t default_size;         /* Pixels a side. */
    uint64_t default_points;       /* 0: the scene has no points. */
    const char *const *pass_names; /* In the order of the frame. */
    uint32_t pass_count;
    /* What its passes count, in the order of the shaders' indices; 0: it can't. */
    const struct passtime_counter_desc *counters;
    uint32_t counter_count;
    /* NULL with a text in `error` on failure: a size or count out of range, or a device too small.
     */
    struct scene *(*create)(struct gpu *gpu, const struct scene_desc *desc, char *error,
                            size_t error_bytes);
    /* The same frames by OpenGL or OpenGL ES: see cli/scene_gl.h. */
    struct scene_gl *(*create_gl)(struct gl *gl, const struct scene_desc *desc, char *error,
                                  size_t error_bytes);
};

extern const struct scene_kind scene_map_kind;
extern const struct scene_kind scene_passes_kind;

/* The kinds, from 0; the first is the default. */
uint32_t scene_kind_count(void);

/* NULL beyond the last. */
const struct scene_kind *scene_kind_at(uint32_t index);

/* NULL where no kind has that name. */
const struct scene_kind *scene_kind_find(const char *name);

struct scene *scene_map_create(struct gpu *gpu, const struct scene_desc *desc, char *error,
                               size_t error_bytes);
struct scene *scene_passes_create(struct gpu *gpu, const struct scene_desc *desc, char *error,
                                  size_t error_bytes);
struct scene_gl *scene_gl_map_create(struct gl *gl, const struct scene_desc *desc, char *error,
                                     size_t error_bytes);
struct scene_gl *scene_gl_passes_create(struct gl *gl, const struct scene_desc *desc, char *error,
                                        size_t error_bytes);

/*
 * Makes the shaders that count, or makes them anew for another buffer. False with a text in `error`
 * where the scene has nothing to count or the device refused.
 */
bool scene_count(struct scene *scene, const struct scene_counters *counters, char *error,
                 size_t error_bytes);

/*
 * Records the whole of one frame into `encoder`. The same index draws the same picture. Submit it
 * before the next frame is recorded: the view travels through the queue. `timing` may be NULL.
 */
void scene_frame(struct scene *scene, uint32_t frame_index, const struct scene_timing *timing,
                 WGPUCommandEncoder encoder);

const struct scene_kind *scene_kind_of(const struct scene *scene);

uint32_t scene_pass_count(const struct scene *scene);

/* The name of pass `index`, in the order of the frame. A constant string. */
const char *scene_pass_name(const struct scene *scene, uint32_t index);

/* Side of the picture in pixels. */
uint32_t scene_size(const struct scene *scene);

/* Points drawn a frame; 0 where the scene has none. */
uint64_t scene_points(const struct scene *scene);

/*
 * Reads the picture of the last submitted frame: size * size * 4 bytes of sRGB RGBA, the top row
 * first. Waits for the GPU. False with a text in `error` on failure.
 */
bool scene_read_pixels(struct scene *scene, uint8_t *rgba, size_t rgba_bytes, char *error,
                       size_t error_bytes);

/* Releases all of it; work in flight ends by itself. NULL does nothing. */
void scene_destroy(struct scene *scene);

#endif
