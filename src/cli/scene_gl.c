/* SPDX-License-Identifier: MIT */
/* What is the same for all GL scenes: the target and reading it back. */
#include "cli/scene_gl_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXEL_BYTES = 4, VERSION_LEAST = 30, VERSION_LEAST_DESKTOP = 33 };

static bool is_possible(const struct scene_gl *scene, char *error, size_t error_bytes)
{
    const struct gl *gl = scene->gl;
    bool es = gl->api == GL_API_ES;
    uint32_t most = gl->size_most < SCENE_SIZE_MAX ? gl->size_most : SCENE_SIZE_MAX;
    if (gl->version < (es ? (uint32_t)VERSION_LEAST : (uint32_t)VERSION_LEAST_DESKTOP)) {
        snprintf(error, error_bytes,
                 "\"%s\" has %s; the demo needs OpenGL 3.3 or OpenGL ES 3.0 (a version of GLES 2 "
                 "can be timed, and probe does it)",
                 gl->name, gl->driver);
        return false;
    }
    if (scene->size_pixels >= SCENE_SIZE_MIN && scene->size_pixels <= most)
        return true;
    snprintf(error, error_bytes,
             "a picture of %u x %u pixels can't be drawn: --size takes %u to %u%s",
             scene->size_pixels, scene->size_pixels, (unsigned)SCENE_SIZE_MIN, most,
             most < SCENE_SIZE_MAX ? " on this device" : "");
    return false;
}

/* Blends and targets are the scene's business; this is what no pass changes. */
static void set_state(const struct gl *gl)
{
    glDisable(GL_DITHER);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    /* GLES always does both. */
    if (gl->api == GL_API_DESKTOP) {
        glEnable(GL_FRAMEBUFFER_SRGB);
        glEnable(GL_PROGRAM_POINT_SIZE);
    }
}

bool scene_gl_begin_create(struct scene_gl *scene, const struct scene_kind *kind,
                           const struct scene_gl_ops *ops, const struct scene_desc *desc,
                           struct gl_maker *maker)
{
    scene->kind = kind;
    scene->ops = ops;
    scene->gl = maker->gl;
    scene->size_pixels = desc->size_pixels ? desc->size_pixels : kind->default_size;
    scene->point_count = kind->default_points == 0 ? 0
                         : desc->point_count       ? desc->point_count
                                                   : kind->default_points;
    if (!is_possible(scene, maker->error, maker->error_bytes)) {
        maker->failed = true;
        return false;
    }
    glGenVertexArrays(1, &scene->vertices);
    scene->target = kit_gl_target(maker, scene->size_pixels, GL_SRGB8_ALPHA8, GL_NEAREST);
    set_state(maker->gl);
    return !maker->failed;
}

bool scene_gl_end_create(const struct scene_gl *scene, struct gl_maker *maker)
{
    gl_check(maker->gl, "making the scene");
    if (!maker->failed && maker->gl->error_count > 0) {
        snprintf(maker->error, maker->error_bytes, "the scene \"%s\" can't be made on \"%s\": %s",
                 scene->kind->name, maker->gl->name, maker->gl->first_error);
        maker->failed = true;
    }
    return !maker->failed;
}

void scene_gl_frame(struct scene_gl *scene, uint32_t frame_index,
                    const struct scene_gl_timing *timing)
{
    scene->ops->frame(scene, frame_index, timing);
}

uint32_t scene_gl_size(const struct scene_gl *scene)
{
    return scene->size_pixels;
}

/* GL's first row is the bottom one. */
static void swap_rows(uint8_t *rgba, size_t row_bytes, uint32_t rows)
{
    for (uint32_t y = 0; y < rows / 2; y++) {
        uint8_t *upper = rgba + y * row_bytes;
        uint8_t *lower = rgba + (rows - 1 - y) * row_bytes;
        for (size_t i = 0; i < row_bytes; i++) {
            uint8_t byte = upper[i];
            upper[i] = lower[i];
            lower[i] = byte;
        }
    }
}

bool scene_gl_read_pixels(struct scene_gl *scene, uint8_t *rgba, size_t rgba_bytes, char *error,
                          size_t error_bytes)
{
    GLsizei side = (GLsizei)scene->size_pixels;
    size_t row_bytes = (size_t)scene->size_pixels * PIXEL_BYTES;
    if (rgba_bytes != row_bytes * scene->size_pixels) {
        snprintf(error, error_bytes, "the picture needs %zu bytes, not %zu",
                 row_bytes * scene->size_pixels, rgba_bytes);
        return false;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, scene->target.framebuffer);
    glReadPixels(0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    uint32_t errors_before = scene->gl->error_count;
    gl_check(scene->gl, "reading the picture");
    if (scene->gl->error_count > errors_before) {
        snprintf(error, error_bytes, "the picture could not be read back from \"%s\": %s",
                 scene->gl->name, scene->gl->first_error);
        return false;
    }
    swap_rows(rgba, row_bytes, scene->size_pixels);
    return true;
}

void scene_gl_destroy(struct scene_gl *scene)
{
    if (!scene)
        return;
    kit_gl_delete_target(&scene->target);
    if (scene->vertices)
        glDeleteVertexArrays(1, &scene->vertices);
    scene->ops->destroy(scene);
}
