/* SPDX-License-Identifier: MIT */
/* The shader of `demo passes`, with few steps a pixel. */
#include "cli/gl_work.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/scene_gl_kit.h"
#include "cli/scene_work.h"
#include "cli/shaders/passes.glsl.h"

/* Half a millisecond or so on a software GPU; a faster one is given more parts. */
enum { STEPS_A_DRAW = 1 << 18 };

struct gl_work {
    GLuint program;
    GLuint vertices;
    GLuint uniforms;
    struct gl_target target;
};

static void make(struct gl_work *work, uint32_t size_pixels, struct gl_maker *maker)
{
    uint32_t steps = STEPS_A_DRAW / size_pixels / size_pixels;
    struct pass_work values = passes_work(0, 0);
    values.steps = steps > 0 ? steps : 1;
    work->target = kit_gl_target(maker, size_pixels, GL_RGBA8, GL_NEAREST);
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

void gl_work_draw(void *of, uint32_t parts)
{
    const struct gl_work *work = of;
    kit_gl_draw_into(&work->target, NULL);
    glDisable(GL_BLEND);
    glUseProgram(work->program);
    glBindVertexArray(work->vertices);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, work->uniforms);
    for (uint32_t i = 0; i < parts; i++)
        glDrawArrays(GL_TRIANGLES, 0, 3);
}

void gl_work_clear(struct gl_work *work)
{
    static const float black[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    kit_gl_draw_into(&work->target, black);
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
