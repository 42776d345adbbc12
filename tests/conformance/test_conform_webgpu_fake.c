/* SPDX-License-Identifier: MIT */
/* The WebGPU backend on the scripted WebGPU: the GPU works, and callbacks come, when the suite says
 * so. */
#include "conformance/conformance.h"

#include "fake/wgpu_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct fake_driver {
    struct conformance_driver base;
    struct fake *fake;
};

/* Query sets are made in the background: frames without passes until each entry has its own. */
static void warm_up(struct conformance_driver *d)
{
    struct fake *fake = ((struct fake_driver *)d)->fake;
    passtime_desc held;
    passtime_webgpu_info info = {0};
    const passtime_frame *frame = NULL;
    assert_int_equal(passtime_get_desc(d->t, &held), PASSTIME_OK);
    for (uint64_t n = 0; info.entries_ready < held.frames_in_flight; n++) {
        assert_true(n < 1000);
        fake_run(fake);
        fake_fire(fake);
        passtime_discarded(passtime_frame_begin(d->t, n));
        passtime_frame_end(d->t, n);
        while (passtime_next(d->t, &frame) == PASSTIME_OK) {
            /* Empty, as it was recorded. */
        }
        assert_int_equal(passtime_webgpu_get_info(d->t, &info), PASSTIME_OK);
    }
    passtime_set_every(d->t, held.every);
}

static void fake_open(struct conformance_driver *d, passtime_desc *desc)
{
    struct fake_driver *f = (struct fake_driver *)d;
    f->fake = fake_create();
    f->fake->hold_gpu = true;
    passtime_webgpu_desc gpu = fake_webgpu_desc(f->fake);
    desc->clock = fake_clock;
    desc->clock_user = f->fake;
    assert_int_equal(passtime_create_webgpu(&gpu, desc, &d->t), PASSTIME_OK);
    warm_up(d);
}

/* The fake lives on until the suite is done with its encoders: the next close, or the end, frees
 * it. */
static void fake_close(struct conformance_driver *d)
{
    struct fake *fake = ((struct fake_driver *)d)->fake;
    passtime_destroy(&d->t);
    fake_run(fake);
    fake_fire(fake);
    assert_int_equal(fake->violations, 0);
    assert_int_equal(fake->uncaptured, 0);
}

static void fake_finish(struct conformance_driver *d)
{
    assert_int_equal(fake_destroy(((struct fake_driver *)d)->fake), 0);
}

static passtime_recorder *begin(struct conformance_driver *d, uint64_t number)
{
    return passtime_frame_begin(d->t, number);
}

static void *encode(struct conformance_driver *d, uint64_t number)
{
    (void)number;
    return fake_app_encoder(((struct fake_driver *)d)->fake);
}

static void pass(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                 struct conformance_name name, uint32_t length)
{
    WGPUPassTimestampWrites writes;
    const WGPUPassTimestampWrites *given = NULL;
    (void)d;
    if (name.text == NULL) {
        given = passtime_webgpu_pass_id(rec, name.id, &writes);
    } else if (name.bytes != 0) {
        given = passtime_webgpu_pass_n(rec, name.text, name.bytes, &writes);
    } else {
        given = passtime_webgpu_pass(rec, name.text, &writes);
    }
    fake_app_pass(encoder, given, length);
}

static void submit(struct conformance_driver *d, void *encoder)
{
    fake_app_submit(((struct fake_driver *)d)->fake, encoder);
}

static void drop(struct conformance_driver *d, void *encoder)
{
    (void)d;
    fake_app_drop(encoder);
}

static void pump(struct conformance_driver *d)
{
    struct fake *fake = ((struct fake_driver *)d)->fake;
    fake_run(fake);
    fake_fire(fake);
    passtime_collect(d->t);
    fake_fire(fake);
}

/* Between two stamps the fake's counter moves on by ten ticks. */
static uint64_t duration_ns(const struct conformance_driver *d, uint32_t length)
{
    (void)d;
    return length + 10u;
}

int main(void)
{
    static struct fake_driver f = {.base = {.api = "webgpu on the fake",
                                            .source = PASSTIME_GPU_STAMPS,
                                            .exact = true,
                                            .holds = true,
                                            .slowness = 1,
                                            .open = fake_open,
                                            .close = fake_close,
                                            .finish = fake_finish,
                                            .begin = begin,
                                            .encode = encode,
                                            .pass = pass,
                                            .submit = submit,
                                            .drop = drop,
                                            .pump = pump,
                                            .duration_ns = duration_ns}};
    return conformance_run(&f.base);
}
