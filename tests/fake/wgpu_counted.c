/* SPDX-License-Identifier: MIT */
#include "fake/wgpu_counted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

const passtime_counter_desc counted_names[COUNTERS] = {
    {"invocations", "pixels"}, {"loop steps", "steps"}, {"bytes", "B"}};

void counted_setup(struct counted *c)
{
    memset(c, 0, sizeof *c);
    wgpu_rig_setup(&c->rig);
    c->desc = (passtime_counters_desc)PASSTIME_COUNTERS_DESC_INIT;
    c->desc.count = COUNTERS;
    c->desc.counters = counted_names;
    c->rig.gpu.counters = &c->desc;
}

void counted_open(struct counted *c)
{
    uint64_t bytes = 0;
    wgpu_rig_open(&c->rig);
    c->buffer = passtime_webgpu_counters_buffer(c->rig.t, &bytes);
    assert_non_null(c->buffer);
    assert_int_equal(bytes, 8 * COUNTERS);
}

/* A pass that counts `base`, `base` + 1 … */
void counted_pass(struct counted *c, passtime_recorder *rec, WGPUCommandEncoder encoder,
                  const char *name, uint32_t base)
{
    WGPUPassTimestampWrites writes;
    const WGPUPassTimestampWrites *given = passtime_webgpu_pass(rec, name, &writes);
    const uint32_t offset = passtime_webgpu_counters(rec);
    for (uint32_t i = 0; i < COUNTERS && base > 0; i++)
        fake_app_count(encoder, c->buffer, offset, i, base + i);
    fake_app_pass(encoder, given, 100);
    passtime_webgpu_pass_end(rec);
}

/* A frame of one recorder whose passes count these; 0: nothing. */
void counted_frame(struct counted *c, uint32_t count, const uint32_t *bases)
{
    static const char *const passes[] = {"a", "b", "c", "d"};
    const uint64_t number = c->rig.number++;
    passtime_recorder *rec = passtime_frame_begin(c->rig.t, number);
    WGPUCommandEncoder encoder = fake_app_encoder(c->rig.fake);
    for (uint32_t i = 0; i < count; i++)
        counted_pass(c, rec, encoder, passes[i], bases[i]);
    fake_app_submit(c->rig.fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(c->rig.t, number);
}

void counted_one(struct counted *c, uint32_t base)
{
    counted_frame(c, 1, &base);
}

void counted_expect(struct counted *c, const passtime_frame *frame, uint32_t sample, uint64_t base)
{
    uint64_t counts[COUNTERS + 1] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
    assert_int_equal(passtime_counts(c->rig.t, frame, sample, counts, COUNTERS + 1),
                     PASSTIME_COUNTS_THERE);
    for (uint32_t i = 0; i < COUNTERS; i++)
        assert_int_equal(counts[i], base > 0 ? base + i : 0);
    assert_int_equal(counts[COUNTERS], UNTOUCHED);
}

void counted_expect_none(struct counted *c, const passtime_frame *frame, uint32_t sample,
                         passtime_counts_state state)
{
    uint64_t counts[COUNTERS] = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
    assert_int_equal(passtime_counts(c->rig.t, frame, sample, counts, COUNTERS), state);
    for (uint32_t i = 0; i < COUNTERS; i++)
        assert_int_equal(counts[i], UNTOUCHED);
}

const passtime_frame *counted_next(struct counted *c)
{
    const passtime_frame *frame = wgpu_rig_next(&c->rig);
    assert_non_null(frame);
    return frame;
}

uint32_t counted_series(struct counted *c, const char *name)
{
    for (uint32_t i = 0; i < passtime_series_count(c->rig.t); i++) {
        passtime_series_info info;
        if (passtime_series(c->rig.t, i, &info) == PASSTIME_OK && strcmp(info.name, name) == 0)
            return i;
    }
    fail();
    return 0;
}
