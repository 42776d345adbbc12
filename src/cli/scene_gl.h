/* SPDX-License-Identifier: MIT */
/*
 * The scenes of cli/scene.h drawn by OpenGL or OpenGL ES: the same passes, the same pictures. Where
 * the version has no compute shaders, vertices do their work.
 *
 * One thread only, on which the context is current. A scene sets all the GL state that it needs and
 * restores none. Errors of GL are found by gl_check().
 */
#ifndef PASSTIME_CLI_SCENE_GL_H
#define PASSTIME_CLI_SCENE_GL_H

#include "cli/egl.h"
#include "cli/scene.h"

/* How the caller times the passes of one frame: called around the GL calls of each. */
struct scene_gl_timing {
    void *user;
    void (*begin)(void *user, const char *name);
    void (*end)(void *user, const char *name);
};

/* Draws the whole of one frame, without a flush at its end. The same index draws the same picture.
 * `timing` may be NULL. */
void scene_gl_frame(struct scene_gl *scene, uint32_t frame_index,
                    const struct scene_gl_timing *timing);

/* Side of the picture in pixels. */
uint32_t scene_gl_size(const struct scene_gl *scene);

/* As scene_read_pixels(). */
bool scene_gl_read_pixels(struct scene_gl *scene, uint8_t *rgba, size_t rgba_bytes, char *error,
                          size_t error_bytes);

/* Deletes all of it. The context must be current. NULL does nothing. */
void scene_gl_destroy(struct scene_gl *scene);

#endif
