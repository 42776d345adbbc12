/* SPDX-License-Identifier: MIT */
/* The shader of `demo passes`, with few steps a pixel. */
/* For nanosleep. */
#define _POSIX_C_SOURCE 200809L

#include "cli/gl_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/scene_gl_kit.h"
#include "cli/scene_work.h"
#include "cli/shaders/passes.glsl.h"
#include "port/port.h"

/* Half a millisecond or so on a software GPU; a faster one is given more parts. */
enum { STEPS_A_DRAW = 1 << 16, SIZE_MOST_PIXELS = 1024, TRIES_MAX = 8, PAUSE_NS = 200000 };

struct gl_work {
    GLuint program;
    GLuint vertices;
    GLuint uniforms;
    struct gl_target target;
};

static void make(struct gl_work *work, uint32_t size_pixels, struct gl_maker *maker)
{
    uint32_t size = size_pixels < SIZE_MOST_PIXELS ? size_pixels : SIZE_MOST_PIXELS;
    uint32_t steps = STEPS_A_DRAW / (size * size);
    struct pass_work values = passes_work(0, 0);
    values.steps = steps > 0 ? steps : 1;
    work->target = kit_gl_target(maker, size, GL_RGBA8, GL_NEAREST);
    work->program = kit_gl_program(maker, passes_glsl, "cover", "orbit", "");
    work->uniforms = kit_gl_buffer(GL_UNIFORM_BUFFER, sizeof values, GL_STATIC_DRAW);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof values, &values);
    glGenVertexArrays(1, &work->vertices);
}

struct gl_work *gl_work_create(struct gl *gl, uint32_t size_pixels, char *error, size_t error_bytes)
{
    struct gl_maker maker = {.gl = gl, .error = error, .error_bytes = error_bytes};
    if (gl->version < 30) {
        snprintf(error, error_bytes, "OpenGL ES 2 has no shaders to check with");
        return NULL;
    }
    struct gl_work *work = calloc(1, sizeof *work);
    if (!work) {
        snprintf(error, error_bytes, "out of memory while making the self-check's work");
        return NULL;
    }
    make(work, size_pixels, &maker);
    if (!maker.failed)
        return work;
    gl_work_destroy(work);
    return NULL;
}

void gl_work_draw(struct gl_work *work, uint32_t parts)
{
    kit_gl_draw_into(&work->target, NULL);
    glDisable(GL_BLEND);
    glUseProgram(work->program);
    glBindVertexArray(work->vertices);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, work->uniforms);
    for (uint32_t i = 0; i < parts; i++)
        glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* A passtime_gl_work. */
static void draw(void *work, uint32_t parts)
{
    gl_work_draw(work, parts);
}

static passtime_result check_once(struct gl_work *work, passtime *t, uint64_t end_ns)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    for (;;) {
        passtime_result result = passtime_gl_self_check(t, draw, work);
        if (result != PASSTIME_PENDING || passtime_port_now_ns() > end_ns)
            return result;
        glFlush();
        nanosleep(&pause, NULL);
    }
}

passtime_result gl_work_self_check(struct gl_work *work, passtime *t, uint64_t timeout_ns)
{
    uint64_t end_ns = passtime_port_now_ns() + timeout_ns;
    passtime_gl_info info;
    passtime_result result;
    uint32_t tries = 0;
    do {
        result = check_once(work, t, end_ns);
    } while (++tries < TRIES_MAX && result == PASSTIME_UNSUPPORTED &&
             passtime_gl_get_info(t, &info) == PASSTIME_OK &&
             info.boundary == PASSTIME_GL_BOUNDARY_FALSE);
    return result;
}

void gl_work_destroy(struct gl_work *work)
{
    if (!work)
        return;
    kit_gl_delete_target(&work->target);
    glDeleteProgram(work->program);
    glDeleteBuffers(1, &work->uniforms);
    if (work->vertices)
        glDeleteVertexArrays(1, &work->vertices);
    free(work);
}
