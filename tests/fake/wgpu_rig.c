/* SPDX-License-Identifier: MIT */
#include "fake/wgpu_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *allocate(void *user, size_t bytes)
{
    struct wgpu_rig *rig = user;
    rig->allocations++;
    if (rig->allocations == rig->fail_allocation) {
        return NULL;
    }
    rig->allocated++;
    return malloc(bytes);
}

/* The last piece may be released by a late callback, so the count is atomic. */
static void release(void *user, void *memory)
{
    struct wgpu_rig *rig = user;
    rig->allocated--;
    free(memory);
}

static void note(void *user, passtime_log_item item, const char *message)
{
    struct wgpu_rig *rig = user;
    (void)message;
    if ((size_t)item < sizeof rig->said / sizeof rig->said[0]) {
        rig->said[item]++;
    }
}

void wgpu_rig_setup(struct wgpu_rig *rig)
{
    *rig = (struct wgpu_rig){.fake = fake_create(), .number = 1000};
    rig->gpu = fake_webgpu_desc(rig->fake);
    rig->desc = (passtime_desc)PASSTIME_DESC_INIT;
    rig->desc.clock = fake_clock;
    rig->desc.clock_user = rig->fake;
    rig->desc.log = note;
    rig->desc.log_user = rig;
    rig->desc.allocator = (passtime_allocator){allocate, release, rig};
}

passtime_webgpu_info wgpu_rig_info(struct wgpu_rig *rig)
{
    passtime_webgpu_info info = {0};
    assert_int_equal(passtime_webgpu_get_info(rig->t, &info), PASSTIME_OK);
    return info;
}

passtime_ledger wgpu_rig_ledger(struct wgpu_rig *rig)
{
    passtime_ledger ledger = {0};
    assert_int_equal(passtime_get_ledger(rig->t, &ledger), PASSTIME_OK);
    return ledger;
}

void wgpu_rig_warm(struct wgpu_rig *rig)
{
    passtime_desc held;
    assert_int_equal(passtime_get_desc(rig->t, &held), PASSTIME_OK);
    for (uint32_t i = 0; wgpu_rig_info(rig).entries_ready < held.frames_in_flight; i++) {
        assert_true(i < 100);
        fake_fire(rig->fake);
        passtime_discarded(passtime_frame_begin(rig->t, rig->number));
        passtime_frame_end(rig->t, rig->number++);
    }
    wgpu_rig_drain(rig);
    passtime_reset_stats(rig->t);
    fake_forget_calls(rig->fake);
}

void wgpu_rig_open(struct wgpu_rig *rig)
{
    assert_int_equal(passtime_create_webgpu(&rig->gpu, &rig->desc, &rig->t), PASSTIME_OK);
    assert_non_null(rig->t);
    if (wgpu_rig_info(rig).stamps) {
        wgpu_rig_warm(rig);
    }
}

void wgpu_rig_close(struct wgpu_rig *rig)
{
    passtime_destroy(&rig->t);
    assert_null(rig->t);
    const uint32_t violations = rig->fake->violations;
    const uint32_t uncaptured = rig->fake->uncaptured;
    if (violations + uncaptured > 0) {
        print_error("the fake says: %s\n", rig->fake->message);
    }
    const uint32_t leaked = fake_destroy(rig->fake);
    assert_int_equal(violations, 0);
    assert_int_equal(uncaptured, 0);
    assert_int_equal(leaked, 0);
    assert_int_equal(rig->allocated, 0);
}

bool wgpu_rig_pass(passtime_recorder *rec, WGPUCommandEncoder encoder, const char *name,
                   uint64_t work)
{
    WGPUPassTimestampWrites writes;
    const WGPUPassTimestampWrites *given = passtime_webgpu_pass(rec, name, &writes);
    assert_true(given == NULL || given == &writes);
    fake_app_pass(encoder, given, work);
    return given != NULL;
}

uint64_t wgpu_rig_frame(struct wgpu_rig *rig, uint32_t count, const char *const *names,
                        const uint64_t *work)
{
    const uint64_t number = rig->number++;
    passtime_recorder *rec = passtime_frame_begin(rig->t, number);
    WGPUCommandEncoder encoder = fake_app_encoder(rig->fake);
    for (uint32_t i = 0; i < count; i++) {
        wgpu_rig_pass(rec, encoder, names[i], work[i]);
    }
    fake_app_submit(rig->fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(rig->t, number);
    return number;
}

uint64_t wgpu_rig_many(struct wgpu_rig *rig, uint32_t count, uint64_t base)
{
    const uint64_t number = rig->number++;
    passtime_recorder *rec = passtime_frame_begin(rig->t, number);
    WGPUCommandEncoder encoder = fake_app_encoder(rig->fake);
    for (uint32_t i = 0; i < count; i++) {
        wgpu_rig_pass(rec, encoder, "p", base + i);
    }
    fake_app_submit(rig->fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(rig->t, number);
    return number;
}

const passtime_frame *wgpu_rig_next(struct wgpu_rig *rig)
{
    const passtime_frame *frame = NULL;
    for (int i = 0; i < 3; i++) {
        fake_fire(rig->fake);
        passtime_collect(rig->t);
        if (passtime_next(rig->t, &frame) == PASSTIME_OK) {
            return frame;
        }
    }
    return NULL;
}

uint32_t wgpu_rig_drain(struct wgpu_rig *rig)
{
    uint32_t count = 0;
    while (wgpu_rig_next(rig) != NULL) {
        count++;
    }
    return count;
}

passtime_series_info wgpu_rig_series(struct wgpu_rig *rig, const char *name)
{
    passtime_series_info info = {0};
    bool found = false;
    for (uint32_t i = 0; i < passtime_series_count(rig->t) && !found; i++) {
        found = passtime_series(rig->t, i, &info) == PASSTIME_OK && strcmp(info.name, name) == 0;
    }
    assert_true(found);
    return info;
}
