/* SPDX-License-Identifier: MIT */
/* Shader counters on a scripted WebGPU device that fails: a count is exact or absent, and times are
 * not harmed. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_counted.h"

#include <cmocka.h>

/* So many frames of one pass; each is exact, or its counts are missing, of which `missing_most`. */
static void expect_recovery(struct counted *c, uint32_t frames, uint32_t missing_most)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < frames; i++) {
        counted_one(c, 100 + i);
        const passtime_frame *frame = wgpu_rig_next(&c->rig);
        if (frame == NULL ||
            passtime_counts(c->rig.t, frame, 0, NULL, 0) != PASSTIME_COUNTS_THERE) {
            missing++;
            assert_true(i + 1 < frames); /* the last one is there */
        } else {
            counted_expect(c, frame, 0, 100 + i);
        }
    }
    assert_true(missing <= missing_most);
}

/* The counts of all three counters of "a" that came, and how many did not. */
static void expect_books(struct counted *c, uint64_t count, uint64_t lost)
{
    passtime_counter_stats stats;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        assert_int_equal(passtime_counter_series(c->rig.t, counted_series(c, "a"), i, &stats),
                         PASSTIME_OK);
        assert_int_equal(stats.count, count);
        assert_int_equal(stats.lost, lost);
        assert_int_equal(stats.unproved, 0);
    }
}

/* Faults --------------------------------------------------------------------------------------- */

static void a_failed_readback_of_counts_leaves_the_times(void **state)
{
    struct counted c;
    passtime_counter_stats stats;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    c.rig.fake->good_maps = 1; /* that of the stamps comes first */
    c.rig.fake->fail_maps = 1;
    counted_one(&c, 5);
    const passtime_frame *frame = counted_next(&c);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    counted_expect_none(&c, frame, 0, PASSTIME_COUNTS_LOST);
    assert_int_equal(passtime_counter_series(c.rig.t, counted_series(&c, "a"), 0, &stats),
                     PASSTIME_OK);
    assert_int_equal(stats.lost, 1);
    assert_int_equal(stats.count, 0);
    expect_recovery(&c, 24, 4);
    wgpu_rig_close(&c.rig);
}

static void a_frame_without_data_has_no_counts(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    c.rig.fake->fail_maps = 2;
    counted_one(&c, 5);
    const passtime_frame *frame = counted_next(&c);
    assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
    counted_expect_none(&c, frame, 0, PASSTIME_COUNTS_LOST);
    for (uint32_t i = 0; i < 20; i++) { /* the entry's queries are made anew meanwhile */
        counted_one(&c, 100 + i);
        frame = wgpu_rig_next(&c.rig);
        if (frame != NULL && passtime_counts(c.rig.t, frame, 0, NULL, 0) == PASSTIME_COUNTS_THERE)
            counted_expect(&c, frame, 0, 100 + i);
    }
    expect_recovery(&c, 8, 0);
    wgpu_rig_close(&c.rig);
}

static void plain_frames(struct counted *c, uint32_t count)
{
    const uint64_t work[1] = {10};
    const char *const plain[1] = {"plain"};
    for (uint32_t i = 0; i < count; i++) {
        wgpu_rig_frame(&c->rig, 1, plain, work);
        counted_next(c);
    }
}

/* Nothing of it ran: neither the copy, nor what was to clear the counters. */
static void counters_that_were_not_cleared_are_not_used(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    c.rig.desc.frames_in_flight = 1;
    counted_open(&c);
    for (uint32_t round = 0; round < 16; round++) {
        for (uint32_t failures = 0; failures <= round % 4; failures++) {
            c.rig.fake->good_finishes = 1; /* the one that resolves the stamps */
            c.rig.fake->fail_finishes = 1;
            counted_one(&c, 5);
            counted_expect_none(&c, counted_next(&c), 0, PASSTIME_COUNTS_LOST);
        }
        plain_frames(&c, round / 4);
        expect_recovery(&c, 6, 2);
    }
    wgpu_rig_close(&c.rig);
}

/* The commands ran, and their frame had nothing to resolve. */
static void commands_said_to_be_discarded_that_run_all_the_same_spoil_nothing(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    c.rig.gpu.flags = PASSTIME_WEBGPU_FORCE_CPU;
    c.rig.desc.frames_in_flight = 1;
    counted_open(&c);
    for (uint32_t round = 0; round < 16; round++) {
        for (uint32_t dropped = 0; dropped <= round % 4; dropped++) {
            passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
            WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
            counted_pass(&c, rec, encoder, "dropped", 9);
            fake_app_submit(c.rig.fake, encoder);
            passtime_discarded(rec);
            passtime_frame_end(c.rig.t, c.rig.number++);
            counted_expect_none(&c, counted_next(&c), 0, PASSTIME_COUNTS_LOST);
        }
        plain_frames(&c, round / 4);
        expect_recovery(&c, 6, 2);
    }
    wgpu_rig_close(&c.rig);
}

static void a_lost_device_ends_counts_with_their_frames(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    counted_one(&c, 5);
    counted_next(&c);
    c.rig.fake->hold_gpu = true;
    counted_one(&c, 6);
    fake_lose(c.rig.fake);
    passtime_webgpu_device_lost(c.rig.t);
    const passtime_frame *frame = counted_next(&c);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_LOST_DEVICE);
    counted_expect_none(&c, frame, 0, PASSTIME_COUNTS_LOST);
    passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number++);
    assert_null(rec);
    assert_int_equal(passtime_webgpu_counters(rec), 0);
    wgpu_rig_close(&c.rig);
}

/* Frames that end before anything of them is resolved: their counts are as lost as others', once
 * each, and a pass beside them that took none has none to lose. */
static void frames_that_resolve_nothing_lose_their_counts(void **state)
{
    static const uint32_t flags[] = {0, PASSTIME_WEBGPU_FORCE_CPU};
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        const bool lost = i % 2 != 0;
        struct counted c;
        WGPUPassTimestampWrites writes;
        counted_setup(&c);
        c.rig.gpu.flags = flags[i / 2];
        counted_open(&c);
        counted_one(&c, 5);
        counted_next(&c);
        expect_books(&c, 1, 0);
        passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
        WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
        counted_pass(&c, rec, encoder, "a", 6);
        passtime_webgpu_pass(rec, "plain", &writes);
        fake_app_drop(encoder);
        if (lost) {
            passtime_submitted(rec);
            fake_lose(c.rig.fake);
            passtime_webgpu_device_lost(c.rig.t);
        } else {
            passtime_discarded(rec);
        }
        passtime_frame_end(c.rig.t, c.rig.number++);
        const passtime_frame *frame = counted_next(&c);
        assert_int_equal(frame->samples[0].verdict,
                         lost ? PASSTIME_LOST_DEVICE : PASSTIME_DISCARDED);
        counted_expect_none(&c, frame, 0, PASSTIME_COUNTS_LOST);
        counted_expect_none(&c, frame, 1, PASSTIME_COUNTS_NOT_ASKED);
        passtime_collect(c.rig.t);
        expect_books(&c, 1, 1);
        wgpu_rig_close(&c.rig);
    }
}

static void counts_that_are_not_there_yet_are_waited_for_by_nobody(void **state)
{
    struct counted c;
    const passtime_frame *frame;
    (void)state;
    counted_setup(&c);
    c.rig.desc.frames_in_flight = 2;
    counted_open(&c);
    c.rig.fake->hold_maps = true;
    counted_one(&c, 5);
    counted_one(&c, 6);
    assert_null(wgpu_rig_next(&c.rig));
    assert_int_equal(passtime_next(c.rig.t, &frame), PASSTIME_PENDING);
    counted_one(&c, 7); /* the ring is full: it counts into the place that nobody reads */
    assert_int_equal(wgpu_rig_ledger(&c.rig).fates[PASSTIME_FRAME_SKIPPED_FULL], 1);
    c.rig.fake->hold_maps = false;
    counted_expect(&c, counted_next(&c), 0, 5);
    counted_expect(&c, counted_next(&c), 0, 6);
    expect_recovery(&c, 8, 0);
    wgpu_rig_close(&c.rig);
}

static void a_frame_given_up_leaves_nothing_behind(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    c.rig.gpu.flags = PASSTIME_WEBGPU_FORCE_CPU;
    c.rig.desc.frames_in_flight = 1;
    c.rig.desc.timeout_ns = 1000000;
    counted_open(&c);
    c.rig.fake->hold_gpu = true;
    c.rig.fake->hold_maps = true;
    counted_one(&c, 5);
    assert_null(wgpu_rig_next(&c.rig));
    c.rig.fake->cpu_ns += 5000000;
    const passtime_frame *frame = counted_next(&c);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_TIMED_OUT);
    counted_expect_none(&c, frame, 0, PASSTIME_COUNTS_LOST);
    expect_books(&c, 0, 1);
    c.rig.fake->hold_gpu = false;
    c.rig.fake->hold_maps = false;
    expect_recovery(&c, 6, 2);
    wgpu_rig_close(&c.rig);
}

/* Its commands ran, though nothing of the frame was resolved: what they counted is not taken for a
 * later frame's. */
static void passes_without_results_leave_nothing_behind(void **state)
{
    struct counted c;
    WGPUPassTimestampWrites writes;
    (void)state;
    counted_setup(&c);
    c.rig.desc.frames_in_flight = 1;
    counted_open(&c);
    for (uint32_t i = 0; i < 3; i++) {
        passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
        WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
        fake_app_pass(encoder, passtime_webgpu_group_first(rec, "open", &writes), 10);
        fake_app_count(encoder, c.buffer, passtime_webgpu_counters(rec), 0, 1000000);
        fake_app_submit(c.rig.fake, encoder);
        passtime_submitted(rec);
        passtime_frame_end(c.rig.t, c.rig.number++);
        const passtime_frame *frame = counted_next(&c);
        assert_false(passtime_is_good(frame->samples[0].verdict));
        /* One that was refused was given the offset that nobody reads. */
        const bool refused = frame->samples[0].verdict == PASSTIME_REFUSED;
        assert_true(i > 0 || !refused);
        counted_expect_none(&c, frame, 0,
                            refused ? PASSTIME_COUNTS_NOT_ASKED : PASSTIME_COUNTS_LOST);
    }
    uint32_t exact = 0;
    for (uint32_t i = 0; i < 120; i++) { /* pairs with late writers rest until the set is renewed */
        const uint32_t bases[2] = {70 + i, 500 + i};
        counted_frame(&c, 2, bases);
        const passtime_frame *frame = wgpu_rig_next(&c.rig);
        for (uint32_t s = 0; frame != NULL && s < 2; s++) {
            if (passtime_counts(c.rig.t, frame, s, NULL, 0) == PASSTIME_COUNTS_THERE) {
                counted_expect(&c, frame, s, bases[s]);
                exact++;
            }
        }
    }
    assert_true(exact > 100);
    wgpu_rig_close(&c.rig);
}

static void discarded_passes_have_no_counts(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    passtime_recorder *kept = passtime_frame_begin(c.rig.t, c.rig.number);
    passtime_recorder *dropped = passtime_recorder_begin(c.rig.t, c.rig.number);
    WGPUCommandEncoder a = fake_app_encoder(c.rig.fake), b = fake_app_encoder(c.rig.fake);
    counted_pass(&c, dropped, b, "dropped", 8);
    counted_pass(&c, kept, a, "kept", 9);
    fake_app_submit(c.rig.fake, a);
    fake_app_drop(b);
    passtime_submitted(kept);
    passtime_discarded(dropped);
    passtime_frame_end(c.rig.t, c.rig.number++);
    const passtime_frame *frame = counted_next(&c);
    for (uint32_t s = 0; s < frame->sample_count; s++) {
        if (frame->samples[s].verdict == PASSTIME_DISCARDED)
            counted_expect_none(&c, frame, s, PASSTIME_COUNTS_LOST);
        else
            counted_expect(&c, frame, s, 9);
    }
    assert_int_equal(frame->sample_count, 2);
    wgpu_rig_close(&c.rig);
}

/* Against the rule: a frame's commands are submitted after it was ended, and yet before its stamps
 * are resolved. The stamps prove that the pass ran, so that its counts must not be those of before
 * it ran. */
static void stamps_prove_no_count_that_was_read_before_them(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    c.rig.gpu.flags = PASSTIME_WEBGPU_DEFER_RESOLVE;
    counted_open(&c);
    for (uint32_t i = 0; i < 20; i++) {
        passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
        WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
        counted_pass(&c, rec, encoder, "late", 9 + i);
        passtime_submitted(rec);
        passtime_frame_end(c.rig.t, c.rig.number++);
        fake_app_submit(c.rig.fake, encoder);
        const passtime_frame *frame = counted_next(&c);
        assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
        counted_expect(&c, frame, 0, 9 + i);
    }
    wgpu_rig_close(&c.rig);
}

/* The same may happen between two submissions of ours, where another thread submits. */
static void stamps_are_resolved_before_counters_are_copied(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    counted_one(&c, 5);
    counted_next(&c);
    fake_forget_calls(c.rig.fake);
    counted_one(&c, 6);
    const struct fake_call *resolve = fake_call(c.rig.fake, FAKE_RESOLVE, 0);
    const struct fake_call *stamps = fake_call(c.rig.fake, FAKE_COPY, 0);
    const struct fake_call *counts = fake_call(c.rig.fake, FAKE_COPY, 1);
    assert_true(resolve != NULL && stamps != NULL && counts != NULL);
    assert_true(resolve < stamps && stamps->c == 16 && counts->c == 256);
    counted_expect(&c, counted_next(&c), 0, 6);
    wgpu_rig_close(&c.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_readback_of_counts_leaves_the_times),
        cmocka_unit_test(a_frame_without_data_has_no_counts),
        cmocka_unit_test(counters_that_were_not_cleared_are_not_used),
        cmocka_unit_test(commands_said_to_be_discarded_that_run_all_the_same_spoil_nothing),
        cmocka_unit_test(a_lost_device_ends_counts_with_their_frames),
        cmocka_unit_test(frames_that_resolve_nothing_lose_their_counts),
        cmocka_unit_test(counts_that_are_not_there_yet_are_waited_for_by_nobody),
        cmocka_unit_test(a_frame_given_up_leaves_nothing_behind),
        cmocka_unit_test(passes_without_results_leave_nothing_behind),
        cmocka_unit_test(discarded_passes_have_no_counts),
        cmocka_unit_test(stamps_prove_no_count_that_was_read_before_them),
        cmocka_unit_test(stamps_are_resolved_before_counters_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
