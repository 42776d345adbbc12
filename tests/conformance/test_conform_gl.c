/* SPDX-License-Identifier: MIT */
/* The GL backend on a real driver: GL and GLES, by stamps and by elapsed queries, as fast as it is.
 */
#include <epoxy/gl.h>

#include "conformance/conformance.h"

#include <passtime/gl.h>

#include "cli/egl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

struct gl_driver {
    struct conformance_driver base;
    enum gl_api api;
    uint32_t flags;
    struct gl_system *system;
    struct gl *gl;
};

static void gl_begin_context(struct conformance_driver *d, passtime_desc *desc)
{
    struct gl_driver *g = (struct gl_driver *)d;
    passtime_gl_desc gl = PASSTIME_GL_DESC_INIT;
    gl.flags = g->flags;
    gl.get_proc = gl_loader;
    gl.current_context = gl_current;
    assert_int_equal(passtime_create_gl(&gl, desc, &d->t), PASSTIME_OK);
}

static void gl_end_context(struct conformance_driver *d)
{
    passtime_destroy(&d->t);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void gl_finish(struct conformance_driver *d)
{
    (void)d; /* The GL context serves all tests. */
}

static passtime_recorder *gl_begin(struct conformance_driver *d, uint64_t number)
{
    return passtime_frame_begin(d->t, number);
}

static void *gl_encode(struct conformance_driver *d, uint64_t number)
{
    (void)number;
    return d;
}

static void gl_pass(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                    struct conformance_name name, uint32_t length)
{
    (void)d;
    (void)encoder;
    if (name.text == NULL) {
        passtime_begin_id(rec, name.id);
    } else if (name.bytes != 0) {
        passtime_begin_n(rec, name.text, name.bytes);
    } else {
        passtime_begin(rec, name.text);
    }
    glClearColor((float)(length % 7) / 7.0f, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    passtime_end(rec);
}

static void gl_pass_begin(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                          const char *name)
{
    (void)d;
    (void)encoder;
    passtime_begin(rec, name);
}

static void gl_pass_end(struct conformance_driver *d, passtime_recorder *rec, void *encoder)
{
    (void)d;
    (void)encoder;
    passtime_end(rec);
}

static void gl_hand_over(struct conformance_driver *d, void *encoder)
{
    (void)d;
    (void)encoder;
}

static void gl_pump(struct conformance_driver *d)
{
    glFinish();
    passtime_collect(d->t);
}

/* Something to draw into; and llvmpipe's first elapsed time of a context, which is none, is over.
 */
static void prepare(struct gl_driver *g)
{
    GLuint texture = 0;
    GLuint framebuffer = 0;
    GLuint query = 0;
    bool es = g->api == GL_API_ES;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    es ? glGenQueriesEXT(1, &query) : glGenQueries(1, &query);
    es ? glBeginQueryEXT(GL_TIME_ELAPSED, query) : glBeginQuery(GL_TIME_ELAPSED, query);
    glClear(GL_COLOR_BUFFER_BIT);
    es ? glEndQueryEXT(GL_TIME_ELAPSED) : glEndQuery(GL_TIME_ELAPSED);
    es ? glDeleteQueriesEXT(1, &query) : glDeleteQueries(1, &query);
    glFinish();
}

/* 77: there is no such GL here, or it can't time passes. */
static int run(enum gl_api api, bool elapsed)
{
    static struct gl_driver g;
    char title[64];
    char error[256] = "";
    bool exists = false;
    passtime *t = NULL;
    snprintf(title, sizeof(title), "%s by %s", gl_api_name(api),
             elapsed ? "elapsed queries" : "stamps");
    g = (struct gl_driver){.base = {.api = title,
                                    .source = elapsed ? PASSTIME_GPU_ELAPSED : PASSTIME_GPU_STAMPS,
                                    .nests = true,
                                    .one_thread = true,
                                    .slowness = 10,
                                    .open = gl_begin_context,
                                    .close = gl_end_context,
                                    .finish = gl_finish,
                                    .begin = gl_begin,
                                    .encode = gl_encode,
                                    .pass = gl_pass,
                                    .pass_begin = gl_pass_begin,
                                    .pass_end = gl_pass_end,
                                    .submit = gl_hand_over,
                                    .drop = gl_hand_over,
                                    .pump = gl_pump},
                           .api = api,
                           .flags = PASSTIME_GL_FLUSH_STAMPS |
                                    (elapsed ? (uint32_t)PASSTIME_GL_METHOD_ELAPSED : 0)};
    int failed = 77;
    g.system = gl_system_open(error, sizeof(error));
    g.gl = g.system != NULL ? gl_open_matching(g.system, &(struct gl_want){.api = api}, NULL,
                                               &exists, error, sizeof(error))
                            : NULL;
    passtime_gl_desc gl = {.size = sizeof(gl), .flags = g.flags, .get_proc = gl_loader};
    if (g.gl != NULL && passtime_create_gl(&gl, NULL, &t) == PASSTIME_OK) {
        passtime_gl_info info;
        passtime_gl_get_info(t, &info);
        passtime_destroy(&t);
        prepare(&g);
        failed = info.method == g.base.source ? conformance_run(&g.base) : 77;
    }
    gl_close(g.gl);
    gl_system_close(g.system);
    return failed;
}

int main(void)
{
    int failed = 0;
    int ran = 0;
    for (int i = 0; i < 4; i++) {
        int of_one = run(i < 2 ? GL_API_DESKTOP : GL_API_ES, i % 2 == 1);
        ran += of_one != 77;
        failed += of_one != 77 ? of_one : 0;
    }
    return ran == 0 ? 77 : failed;
}
