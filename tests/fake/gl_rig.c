/* SPDX-License-Identifier: MIT */
#include "fake/gl_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *allocate(void *user, size_t bytes)
{
    struct gl_rig *rig = user;
    rig->allocations++;
    if (rig->allocations == rig->fail_at) {
        return NULL;
    }
    rig->allocated++;
    return malloc(bytes);
}

static void release(void *user, void *memory)
{
    struct gl_rig *rig = user;
    rig->allocated--;
    free(memory);
}

static uint64_t read_clock(void *user)
{
    const struct gl_rig *rig = user;
    return rig->now_ns;
}

static void take_log(void *user, passtime_log_item item, const char *message)
{
    struct gl_rig *rig = user;
    rig->said[item]++;
    strncpy(rig->text, message, sizeof(rig->text) - 1);
}

void gl_rig_setup(struct gl_rig *rig, bool elapsed)
{
    memset(rig, 0, sizeof(*rig));
    gl_fake_init(&rig->fake);
    rig->fake.timestamp_bits = elapsed ? 0 : 64;
    rig->now_ns = 5000000000ull;
    rig->number = 1;
    rig->gl = (passtime_gl_desc)PASSTIME_GL_DESC_INIT;
    rig->gl.get_proc = gl_fake_get_proc;
    rig->desc = (passtime_desc)PASSTIME_DESC_INIT;
    rig->desc.max_passes = 16;
    rig->desc.allocator = (passtime_allocator){allocate, release, rig};
    rig->desc.clock = read_clock;
    rig->desc.clock_user = rig;
    rig->desc.log = take_log;
    rig->desc.log_user = rig;
}

void gl_rig_es(struct gl_rig *rig)
{
    rig->fake.es = true;
    rig->fake.version = "OpenGL ES 3.2 Fake 1.0";
    rig->fake.extensions =
        "GL_OES_packed_depth_stencil GL_EXT_disjoint_timer_query GL_OES_mapbuffer";
}

void gl_rig_open(struct gl_rig *rig)
{
    assert_int_equal(passtime_create_gl(&rig->gl, &rig->desc, &rig->t), PASSTIME_OK);
    assert_non_null(rig->t);
}

void gl_rig_close(struct gl_rig *rig)
{
    passtime_destroy(&rig->t);
    assert_null(rig->t);
    assert_int_equal(rig->fake.errors, rig->app_errors);
    assert_int_equal(rig->fake.waits, 0);
    assert_int_equal(rig->fake.foreign, 0);
    assert_int_equal(rig->fake.alive, 0);
    assert_int_equal(rig->fake.calls[GL_FAKE_GET_ERROR], 0);
    assert_int_equal(rig->allocated, 0);
}

void gl_rig_work(struct gl_rig *rig, uint64_t ns)
{
    gl_fake_work(&rig->fake, ns);
    rig->now_ns += ns;
}

void gl_rig_pass(struct gl_rig *rig, passtime_recorder *rec, const char *name, uint64_t ns)
{
    passtime_begin(rec, name);
    gl_rig_work(rig, ns);
    passtime_end(rec);
}

passtime_recorder *gl_rig_begin(struct gl_rig *rig)
{
    rig->now_ns += 1000000;
    return passtime_frame_begin(rig->t, rig->number);
}

void gl_rig_end(struct gl_rig *rig, passtime_recorder *rec)
{
    passtime_submitted(rec);
    passtime_frame_end(rig->t, rig->number++);
    rig->now_ns += 1000000;
}

const passtime_frame *gl_rig_next(struct gl_rig *rig)
{
    const passtime_frame *frame = NULL;
    gl_fake_finish(&rig->fake);
    assert_int_equal(passtime_next(rig->t, &frame), PASSTIME_OK);
    return frame;
}

const passtime_frame *gl_rig_frame(struct gl_rig *rig, uint64_t ns)
{
    passtime_recorder *rec = gl_rig_begin(rig);
    assert_non_null(rec);
    gl_rig_pass(rig, rec, "pass", ns);
    gl_rig_end(rig, rec);
    return gl_rig_next(rig);
}

passtime_ledger gl_rig_ledger(struct gl_rig *rig)
{
    passtime_ledger ledger;
    assert_int_equal(passtime_get_ledger(rig->t, &ledger), PASSTIME_OK);
    return ledger;
}

passtime_gl_info gl_rig_info(struct gl_rig *rig)
{
    passtime_gl_info info;
    assert_int_equal(passtime_gl_get_info(rig->t, &info), PASSTIME_OK);
    return info;
}

void gl_rig_check(const passtime_frame *frame, uint32_t i, passtime_verdict verdict, uint64_t ns)
{
    assert_true(i < frame->sample_count);
    assert_int_equal(frame->samples[i].verdict, verdict);
    assert_int_equal(frame->samples[i].duration_ns, ns);
}
