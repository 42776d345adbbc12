/* SPDX-License-Identifier: MIT */
/* Short ways to make GL objects. Shaders are entry points of one text, picked by a #define. */
#include "cli/scene_gl_kit.h"

#include <stdio.h>
#include <string.h>

enum { SHADER_TEXTS = 5, LOG_BYTES = 400 };

static void fail(struct gl_maker *maker, const char *what, const char *name, const char *reason)
{
    if (!maker->failed)
        snprintf(maker->error, maker->error_bytes, "the %s \"%s\" can't be made on \"%s\": %s",
                 what, name, maker->gl->name, reason);
    maker->failed = true;
}

/* The language version: the oldest that has what is used, so that old drivers take it. */
static const char *version_line(const struct gl *gl)
{
    static const char *const es_start = "#version 300 es\n"
                                        "precision highp float;\nprecision highp int;\n";
    static const char *const es_compute = "#version 310 es\n"
                                          "precision highp float;\nprecision highp int;\n";
    if (gl->api == GL_API_ES)
        return gl->compute ? es_compute : es_start;
    return gl->compute ? "#version 430 core\n" : "#version 330 core\n";
}

static GLuint compile(struct gl_maker *maker, GLenum stage, const char *code, const char *entry,
                      const char *defines)
{
    const char *texts[SHADER_TEXTS] = {version_line(maker->gl), "#define ENTRY_", entry, "\n",
                                       defines};
    const char *all[SHADER_TEXTS + 1];
    GLint compiled = 0;
    char log[LOG_BYTES] = "no reason given";
    GLuint shader = glCreateShader(stage);
    memcpy(all, texts, sizeof texts);
    all[SHADER_TEXTS] = code;
    glShaderSource(shader, SHADER_TEXTS + 1, all, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled)
        return shader;
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    fail(maker, "shader", entry, log);
    glDeleteShader(shader);
    return 0;
}

/* Links the shaders, which it takes from the caller, and binds the uniform blocks to 0. */
static GLuint link(struct gl_maker *maker, const char *name, GLuint first, GLuint second,
                   const char *captured)
{
    GLint linked = 0;
    char log[LOG_BYTES] = "no reason given";
    GLuint program = glCreateProgram();
    if (first)
        glAttachShader(program, first);
    if (second)
        glAttachShader(program, second);
    glBindAttribLocation(program, 0, "visible");
    if (captured)
        glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glDeleteShader(first);
    glDeleteShader(second);
    if (!linked) {
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        fail(maker, "program", name, log);
        glDeleteProgram(program);
        return 0;
    }
    GLint blocks = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &blocks);
    for (GLint i = 0; i < blocks; i++)
        glUniformBlockBinding(program, (GLuint)i, 0);
    return program;
}

static GLuint draw_program(struct gl_maker *maker, const char *code, const char *vertex_entry,
                           const char *fragment_entry, const char *defines, const char *captured)
{
    GLuint vertex = compile(maker, GL_VERTEX_SHADER, code, vertex_entry, defines);
    GLuint fragment = compile(maker, GL_FRAGMENT_SHADER, code, fragment_entry, defines);
    return link(maker, fragment_entry, vertex, fragment, captured);
}

GLuint kit_gl_program(struct gl_maker *maker, const char *code, const char *vertex_entry,
                      const char *fragment_entry, const char *defines)
{
    return draw_program(maker, code, vertex_entry, fragment_entry, defines, NULL);
}

GLuint kit_gl_capturing_program(struct gl_maker *maker, const char *code, const char *vertex_entry,
                                const char *fragment_entry, const char *captured)
{
    return draw_program(maker, code, vertex_entry, fragment_entry, "", captured);
}

GLuint kit_gl_compute_program(struct gl_maker *maker, const char *code, const char *entry)
{
    return link(maker, entry, compile(maker, GL_COMPUTE_SHADER, code, entry, ""), 0, NULL);
}

GLuint kit_gl_buffer(GLenum target, uint64_t bytes, GLenum usage)
{
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)bytes, NULL, usage);
    return buffer;
}

struct gl_target kit_gl_target(struct gl_maker *maker, uint32_t size_pixels, GLenum format,
                               GLint filter)
{
    struct gl_target target = {.size_pixels = size_pixels};
    GLenum components = format == GL_R8 || format == GL_R32F ? GL_RED : GL_RGBA;
    GLenum type = format == GL_R32F ? GL_FLOAT : GL_UNSIGNED_BYTE;
    glGenTextures(1, &target.texture);
    glBindTexture(GL_TEXTURE_2D, target.texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, (GLsizei)size_pixels, (GLsizei)size_pixels, 0,
                 components, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &target.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail(maker, "picture", "target", "it can't draw into this format at this size");
    return target;
}

void kit_gl_delete_target(struct gl_target *target)
{
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(1, &target->texture);
}

void kit_gl_begin(const struct scene_gl_timing *timing, const char *name)
{
    if (timing && timing->begin)
        timing->begin(timing->user, name);
}

void kit_gl_end(const struct scene_gl_timing *timing, const char *name)
{
    if (timing && timing->end)
        timing->end(timing->user, name);
}

void kit_gl_draw_into(const struct gl_target *target, const float clear[4])
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, (GLsizei)target->size_pixels, (GLsizei)target->size_pixels);
    if (clear) {
        glClearColor(clear[0], clear[1], clear[2], clear[3]);
        glClear(GL_COLOR_BUFFER_BIT);
    }
}
