/* SPDX-License-Identifier: MIT */
/*
 * An API may fire the app's callbacks inside any of its calls, ours included (wgpu-native does so
 * in a submit). A callback that comes back into Passtime from there must return, not wait for
 * itself.
 */
#include "core/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A backend whose every call is also a callback of the app that asks Passtime for all it has. */
struct nosy {
    passtime_desc desc;
    passtime *t;
    uint32_t calls;
    uint32_t frames_taken;
    uint64_t ticks[2];
};

static void look_around(struct nosy *nosy)
{
    const passtime_frame *frame = NULL;
    passtime_series_info info;
    passtime_stats stats;
    passtime_ledger ledger;
    nosy->calls++;
    passtime_collect(nosy->t);
    nosy->frames_taken += passtime_next(nosy->t, &frame) == PASSTIME_OK;
    assert_int_equal(passtime_get_ledger(nosy->t, &ledger), PASSTIME_OK);
    assert_int_equal(passtime_frame_stats(nosy->t, PASSTIME_TOTAL_BUSY, &stats), PASSTIME_OK);
    (void)passtime_series(nosy->t, 0, &info);
    (void)passtime_intern(nosy->t, "asked meanwhile");
}

static void nosy_destroy(void *self)
{
    struct nosy *nosy = self;
    const passtime_desc desc = nosy->desc;
    passtime_front_free(&desc, nosy);
}

static uint32_t nosy_begin(void *self, uint32_t entry, uint32_t wanted, struct passtime_unit *unit)
{
    (void)entry, (void)wanted, (void)unit;
    look_around(self);
    return 1;
}

static void nosy_resolve(void *self, uint32_t entry, uint64_t number,
                         const struct passtime_run *runs, uint32_t run_count)
{
    (void)entry, (void)number, (void)runs, (void)run_count;
    look_around(self);
}

static void nosy_collect(void *self, uint32_t entry, struct passtime_raw *raw)
{
    struct nosy *nosy = self;
    (void)entry;
    look_around(nosy);
    nosy->ticks[0] += 1000000;
    nosy->ticks[1] = nosy->ticks[0] + 10;
    raw->state = PASSTIME_RAW_READY;
    raw->ticks = nosy->ticks;
    raw->tick_count = 2;
}

static void nosy_end(void *self, uint32_t entry)
{
    (void)entry;
    look_around(self);
}

static bool nosy_is_lost(void *self)
{
    (void)self;
    return false;
}

static void nosy_poll(void *self)
{
    look_around(self);
}

static const struct passtime_backend_ops nosy_ops = {
    .size = sizeof(struct passtime_backend_ops),
    .api = "nosy",
    .destroy = nosy_destroy,
    .entry_begin = nosy_begin,
    .entry_resolve = nosy_resolve,
    .entry_collect = nosy_collect,
    .entry_release = nosy_end,
    .entry_abandon = nosy_end,
    .is_lost = nosy_is_lost,
    .poll = nosy_poll,
};

static void callbacks_may_come_back(void **state)
{
    (void)state;
    static const struct passtime_traits traits = {
        .source = PASSTIME_GPU_STAMPS, .valid_bits = 64, .unit = {1, 1}};
    passtime_desc desc;
    assert_int_equal(passtime_front_resolve_desc(NULL, 0, &desc), PASSTIME_OK);
    struct nosy *nosy = passtime_front_allocate(&desc, sizeof *nosy);
    assert_non_null(nosy);
    nosy->desc = desc;
    passtime *t = NULL;
    assert_int_equal(passtime_front_create(&nosy_ops, nosy, &traits, &desc, &t), PASSTIME_OK);
    nosy->t = t;
    const passtime_frame *frame = NULL;
    uint32_t taken = 0;
    for (uint64_t i = 0; i < 100; i++) {
        struct passtime_place place;
        passtime_recorder *rec = passtime_frame_begin(t, i);
        assert_non_null(rec);
        assert_true(passtime_front_pass(rec, 0, &place));
        passtime_submitted(rec);
        assert_int_equal(passtime_frame_end(t, i), PASSTIME_OK);
        taken += passtime_next(t, &frame) == PASSTIME_OK;
    }
    while (passtime_next(t, &frame) == PASSTIME_OK) {
        taken++;
    }
    assert_true(nosy->calls > 400);
    assert_int_equal(taken + nosy->frames_taken, 100);
    passtime_destroy(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callbacks_may_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
