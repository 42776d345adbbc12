/* SPDX-License-Identifier: MIT */
/* The GL backend on the scripted GL, by stamps and by elapsed queries: results come when the suite
 * says. */
#include "conformance/conformance.h"

#include "fake/gl_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct gl_driver {
    struct conformance_driver base;
    struct gl_fake fake;
    bool elapsed;
    uint64_t now_ns;
};

static uint64_t clock_of(void *user)
{
    struct gl_driver *g = user;
    return ++g->now_ns;
}

static void gl_open(struct conformance_driver *d, passtime_desc *desc)
{
    struct gl_driver *g = (struct gl_driver *)d;
    passtime_gl_desc gl = PASSTIME_GL_DESC_INIT;
    gl_fake_init(&g->fake);
    g->fake.timestamp_bits = g->elapsed ? 0 : 64;
    gl.get_proc = gl_fake_get_proc;
    desc->clock = clock_of;
    desc->clock_user = g;
    assert_int_equal(passtime_create_gl(&gl, desc, &d->t), PASSTIME_OK);
}

static void gl_close(struct conformance_driver *d)
{
    struct gl_driver *g = (struct gl_driver *)d;
    passtime_destroy(&d->t);
    assert_int_equal(g->fake.errors, 0);
    assert_int_equal(g->fake.waits, 0);
    assert_int_equal(g->fake.alive, 0);
}

static void gl_finish(struct conformance_driver *d)
{
    (void)d;
}

static passtime_recorder *gl_begin(struct conformance_driver *d, uint64_t number)
{
    struct gl_driver *g = (struct gl_driver *)d;
    g->now_ns += 200000;
    return passtime_frame_begin(d->t, number);
}

/* GL has no encoders: what is recorded goes to the GPU at once. */
static void *gl_encode(struct conformance_driver *d, uint64_t number)
{
    (void)number;
    return d;
}

static void gl_work(struct conformance_driver *d, uint64_t ns)
{
    struct gl_driver *g = (struct gl_driver *)d;
    gl_fake_work(&g->fake, ns);
    g->now_ns += ns;
}

static void gl_pass(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                    struct conformance_name name, uint32_t length)
{
    (void)encoder;
    if (name.text == NULL) {
        passtime_begin_id(rec, name.id);
    } else if (name.bytes != 0) {
        passtime_begin_n(rec, name.text, name.bytes);
    } else {
        passtime_begin(rec, name.text);
    }
    gl_work(d, length);
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
    struct gl_driver *g = (struct gl_driver *)d;
    gl_fake_finish(&g->fake);
    passtime_collect(d->t);
}

static uint64_t duration_ns(const struct conformance_driver *d, uint32_t length)
{
    (void)d;
    return length;
}

static int run(const char *api, bool elapsed)
{
    static struct gl_driver g;
    g = (struct gl_driver){.base = {.api = api,
                                    .source = elapsed ? PASSTIME_GPU_ELAPSED : PASSTIME_GPU_STAMPS,
                                    .exact = true,
                                    .holds = true,
                                    .nests = true,
                                    .one_thread = true,
                                    .slowness = 1,
                                    .open = gl_open,
                                    .close = gl_close,
                                    .finish = gl_finish,
                                    .begin = gl_begin,
                                    .encode = gl_encode,
                                    .pass = gl_pass,
                                    .pass_begin = gl_pass_begin,
                                    .pass_end = gl_pass_end,
                                    .submit = gl_hand_over,
                                    .drop = gl_hand_over,
                                    .pump = gl_pump,
                                    .duration_ns = duration_ns},
                           .elapsed = elapsed,
                           .now_ns = 1000000000};
    return conformance_run(&g.base);
}

int main(void)
{
    int failed = run("gl stamps on the fake", false);
    return failed + run("gl elapsed queries on the fake", true);
}
