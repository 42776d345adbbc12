/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out: each create function is made to fail at its first allocation, its second,
 * and so on until it succeeds. Each failure says NO_MEMORY, leaves NULL and gives back what it
 * took. And nothing but create allocates.
 */
#include <passtime/cpu.h>

#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MS = 1000000, FRAMES = 10000, MOST_ALLOCATIONS = 64 };

typedef passtime_result (*create_fn)(struct rig *rig, passtime **t);

static passtime_result create_feed(struct rig *rig, passtime **t)
{
    return passtime_create_feed(&rig->feed, &rig->desc, t);
}

static passtime_result create_cpu(struct rig *rig, passtime **t)
{
    return passtime_create_cpu(&rig->desc, t);
}

static void sweep(create_fn create)
{
    struct rig rig;
    rig_init(&rig);
    uint32_t failures = 0;
    for (;;) {
        passtime *t = (passtime *)(void *)&rig; /* Must not stay what it was. */
        rig.allocations = 0;
        rig.fail_at = failures + 1;
        passtime_result result = create(&rig, &t);
        if (result == PASSTIME_OK) {
            assert_non_null(t);
            passtime_destroy(&t);
            assert_int_equal(rig.allocated_blocks, 0);
            break;
        }
        assert_int_equal(result, PASSTIME_NO_MEMORY);
        assert_null(t);
        assert_int_equal(rig.allocated_blocks, 0);
        failures++;
        assert_true(failures < MOST_ALLOCATIONS);
    }
    assert_int_equal(rig.allocations, failures); /* Each of them was made to fail once. */
    assert_true(failures > 0);
}

static void feed_survives(void **state)
{
    (void)state;
    sweep(create_feed);
}

static void cpu_survives(void **state)
{
    (void)state;
    sweep(create_cpu);
}

/* A desc whose memory no address space holds is NO_MEMORY, not an overflow. */
static void more_than_there_is(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.fail_at = 1; /* Were it asked for, it would not be there. */
    rig.desc.max_passes = 65536;
    rig.desc.max_scopes = 1u << 20;
    rig.desc.max_names = 1u << 18;
    rig.desc.output_frames = 1u << 20;
    rig.desc.frames_in_flight = 64;
    passtime *t = NULL;
    assert_int_equal(passtime_create_feed(&rig.feed, &rig.desc, &t), PASSTIME_NO_MEMORY);
    assert_null(t);
    assert_int_equal(rig.allocated_blocks, 0);
}

/* Frames of every kind, and every question, without one allocation. */
static void frames_allocate_nothing(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.max_passes = 8;
    rig.desc.max_names = 16;
    rig.desc.flags = PASSTIME_CPU_STAMPS;
    rig_open(&rig);
    size_t allocations = rig.allocations;
    for (uint32_t i = 0; i < FRAMES; i++) {
        char label[] = "label 0000";
        for (uint32_t d = 0, n = i; d < 4; d++, n /= 10) {
            label[9 - d] = (char)('0' + n % 10);
        }
        passtime_recorder *rec = rig_begin(&rig);
        uint64_t at = rig.now_ns + 5 * MS;
        passtime_scope_begin(rec, "scope");
        for (uint64_t p = 0; p < i % 11; p++) { /* At times more than there are slots. */
            rig_pass(&rig, rec, p == 0 ? label : "pass", at + p * 1000, at + p * 1000 + 500);
        }
        passtime_scope_end(rec);
        passtime_recorder *other = passtime_recorder_begin(rig.t, i);
        passtime_intern(rig.t, label);
        passtime_discarded(other);
        rig_finish(&rig, rec, 8 * MS);
        rig_drain(&rig);
        passtime_series_info info;
        (void)passtime_series(rig.t, i % 8, &info);
        (void)rig_ledger(&rig);
    }
    assert_int_equal(rig_ledger(&rig).frames_seen, FRAMES);
    assert_int_equal(rig.allocations, allocations);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

static void cpu_frames_allocate_nothing(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    passtime *t = NULL;
    assert_int_equal(passtime_create_cpu(&rig.desc, &t), PASSTIME_OK);
    size_t allocations = rig.allocations;
    const passtime_frame *frame = NULL;
    for (uint32_t i = 0; i < FRAMES; i++) {
        passtime_recorder *rec = passtime_frame_begin(t, i);
        rig.now_ns += MS;
        passtime_begin(rec, "pass");
        rig.now_ns += MS;
        passtime_end(rec);
        passtime_submitted(rec);
        passtime_frame_end(t, i);
        assert_int_equal(passtime_next(t, &frame), PASSTIME_OK);
        assert_int_equal(frame->samples[0].duration_ns, MS);
    }
    assert_int_equal(rig.allocations, allocations);
    passtime_destroy(&t);
    assert_int_equal(rig.allocated_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feed_survives),
        cmocka_unit_test(cpu_survives),
        cmocka_unit_test(more_than_there_is),
        cmocka_unit_test(frames_allocate_nothing),
        cmocka_unit_test(cpu_frames_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
