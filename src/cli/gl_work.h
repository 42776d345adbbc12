/* SPDX-License-Identifier: MIT */
/* Work of a known ratio for Passtime's self-check: the same small draw, so many times. */
#ifndef PASSTIME_CLI_GL_WORK_H
#define PASSTIME_CLI_GL_WORK_H

#include "cli/egl.h"

struct gl_work;

/* Draws will cover a target of that size, which must be one that passes are timed on: a tiled GPU
 * runs a target of a single tile in order, whatever it does to larger ones. NULL with a text in
 * `error`: GLES 2 has not what it takes, or a shader fails. */
struct gl_work *gl_work_create(struct gl *gl, uint32_t size_pixels, char *error,
                               size_t error_bytes);

/* Draws `parts` times. A passtime_gl_work: `work` is a struct gl_work. */
void gl_work_draw(void *work, uint32_t parts);

/* Clears the target that it draws into: the smallest pass that there is. */
void gl_work_clear(struct gl_work *work);

/* NULL does nothing. */
void gl_work_destroy(struct gl_work *work);

#endif
