/* SPDX-License-Identifier: MIT */
/* Work of a known ratio for Passtime's self-check: the same small draw, so many times. */
#ifndef PASSTIME_CLI_GL_WORK_H
#define PASSTIME_CLI_GL_WORK_H

#include <passtime/gl.h>

#include "cli/egl.h"

struct gl_work;

/* Draws will cover a target of that size, or of 1,024 pixels where it is larger. It must be one
 * that passes are timed on: a tiled GPU runs a target of a single tile in order, whatever it does
 * to larger ones. NULL with a text in `error`: GLES 2 has not what it takes, or a shader fails. */
struct gl_work *gl_work_create(struct gl *gl, uint32_t size_pixels, char *error,
                               size_t error_bytes);

/* Draws `parts` times. */
void gl_work_draw(struct gl_work *work, uint32_t parts);

/* Lets Passtime find out whether the boundaries of passes in its GL context are true, within
 * `timeout_ns`; waits. On a busy machine a check may find nothing to be true: then it is made
 * again. */
passtime_result gl_work_self_check(struct gl_work *work, passtime *t, uint64_t timeout_ns);

/* NULL does nothing. */
void gl_work_destroy(struct gl_work *work);

#endif
