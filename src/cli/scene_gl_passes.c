/* SPDX-License-Identifier: MIT */
/* `demo passes` by GL: see scene_passes.c. */
#include "cli/scene_gl_kit.h"
#include "cli/scene_work.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/shaders/passes.glsl.h"

struct scene_gl_passes {
    struct scene_gl head;
    GLuint program;
    GLuint work[PASSES_COUNT];
};

static void draw(struct scene_gl_passes *scene, uint32_t index, uint32_t frame_index,
                 const struct scene_gl_timing *timing)
{
    static const float black[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    const char *name = scene->head.kind->pass_names[index];
    struct pass_work work = passes_work(index, frame_index);
    glBindBuffer(GL_UNIFORM_BUFFER, scene->work[index]);
    glBufferData(GL_UNIFORM_BUFFER, sizeof work, &work, GL_STREAM_DRAW);
    kit_gl_begin(timing, name);
    kit_gl_draw_into(&scene->head.target, index == 0 ? black : NULL);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, scene->work[index]);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    kit_gl_end(timing, name);
}

static void frame(struct scene_gl *head, uint32_t frame_index, const struct scene_gl_timing *timing)
{
    struct scene_gl_passes *scene = (struct scene_gl_passes *)head;
    glBindVertexArray(head->vertices);
    glUseProgram(scene->program);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    for (uint32_t i = 0; i < PASSES_COUNT; i++)
        draw(scene, i, frame_index, timing);
}

static void destroy(struct scene_gl *head)
{
    struct scene_gl_passes *scene = (struct scene_gl_passes *)head;
    glDeleteProgram(scene->program);
    glDeleteBuffers(PASSES_COUNT, scene->work);
    free(scene);
}

static const struct scene_gl_ops ops = {.frame = frame, .destroy = destroy};

struct scene_gl *scene_gl_passes_create(struct gl *gl, const struct scene_desc *desc, char *error,
                                        size_t error_bytes)
{
    struct gl_maker maker = {.gl = gl, .error = error, .error_bytes = error_bytes};
    struct scene_gl_passes *scene = calloc(1, sizeof *scene);
    if (!scene) {
        snprintf(error, error_bytes, "out of memory while making the scene");
        return NULL;
    }
    if (scene_gl_begin_create(&scene->head, &scene_passes_kind, &ops, desc, &maker)) {
        scene->program = kit_gl_program(&maker, passes_glsl, "cover", "orbit", "");
        glGenBuffers(PASSES_COUNT, scene->work);
    }
    if (scene_gl_end_create(&scene->head, &maker))
        return &scene->head;
    scene_gl_destroy(&scene->head);
    return NULL;
}
