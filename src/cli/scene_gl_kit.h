/* SPDX-License-Identifier: MIT */
/* What the GL scenes share: their common head, and short ways to make and begin GL objects. */
#ifndef PASSTIME_CLI_SCENE_GL_KIT_H
#define PASSTIME_CLI_SCENE_GL_KIT_H

#include <epoxy/gl.h>

#include "cli/scene_gl.h"

/* A square texture, and a framebuffer that draws into it. */
struct gl_target {
    GLuint texture;
    GLuint framebuffer;
    uint32_t size_pixels;
};

/* What a scene does in its own way. */
struct scene_gl_ops {
    void (*frame)(struct scene_gl *scene, uint32_t frame_index,
                  const struct scene_gl_timing *timing);
    /* Deletes what the scene made and its memory; the head is deleted by scene_gl_destroy. */
    void (*destroy)(struct scene_gl *scene);
};

/* The head of every scene: the first member of its struct. */
struct scene_gl {
    const struct scene_kind *kind;
    const struct scene_gl_ops *ops;
    struct gl *gl;
    uint32_t size_pixels;
    uint64_t point_count;
    GLuint vertices; /* a vertex array without attributes: core GL draws nothing without one */
    struct gl_target target;
};

/* Collects what goes wrong while a scene is made: the first failure counts. */
struct gl_maker {
    struct gl *gl;
    char *error;
    size_t error_bytes;
    bool failed;
};

/* Fills the head and makes the target. False with a text where the size is not to be had. */
bool scene_gl_begin_create(struct scene_gl *scene, const struct scene_kind *kind,
                           const struct scene_gl_ops *ops, const struct scene_desc *desc,
                           struct gl_maker *maker);

/* True where nothing failed since. */
bool scene_gl_end_create(const struct scene_gl *scene, struct gl_maker *maker);

/* A program of two entry points of `code`. `defines` is a text of #define lines, "" for none;
 * uniform blocks are bound to 0, the attribute "visible" is number 0. 0 on failure. */
GLuint kit_gl_program(struct gl_maker *maker, const char *code, const char *vertex_entry,
                      const char *fragment_entry, const char *defines);
/* The same, whose vertices' output `captured` goes to a buffer. */
GLuint kit_gl_capturing_program(struct gl_maker *maker, const char *code, const char *vertex_entry,
                                const char *fragment_entry, const char *captured);
GLuint kit_gl_compute_program(struct gl_maker *maker, const char *code, const char *entry);

GLuint kit_gl_buffer(GLenum target, uint64_t bytes, GLenum usage);

/* `filter` is GL_LINEAR or GL_NEAREST. Not to be drawn into: maker->failed. */
struct gl_target kit_gl_target(struct gl_maker *maker, uint32_t size_pixels, GLenum format,
                               GLint filter);
void kit_gl_delete_target(struct gl_target *target);

/* Begin and end of a named, perhaps timed pass. */
void kit_gl_begin(const struct scene_gl_timing *timing, const char *name);
void kit_gl_end(const struct scene_gl_timing *timing, const char *name);

/* Draws go into `target` from here on; a NULL `clear` keeps what it holds. */
void kit_gl_draw_into(const struct gl_target *target, const float clear[4]);

#endif
