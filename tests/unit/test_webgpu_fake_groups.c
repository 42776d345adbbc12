/* SPDX-License-Identifier: MIT */
/* Groups of passes under one pair of stamps, and boundaries that the app says are not true, on a
 * scripted WebGPU device. */
#include <setjmp.h>
#include <stdarg.h>

#include "fake/wgpu_rig.h"

#include <cmocka.h>

static passtime_recorder *begin(struct wgpu_rig *rig, WGPUCommandEncoder *encoder)
{
    passtime_recorder *rec = passtime_frame_begin(rig->t, rig->number);
    *encoder = fake_app_encoder(rig->fake);
    return rec;
}

static const passtime_frame *end(struct wgpu_rig *rig, passtime_recorder *rec,
                                 WGPUCommandEncoder encoder)
{
    fake_app_submit(rig->fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(rig->t, rig->number++);
    return wgpu_rig_next(rig);
}

/* Passes of 10, 20 and 30 ticks as one, and a pass of its own behind them. The fake's clock also
 * moves by 10 ticks with each stamp that ends or lies in between. */
static const passtime_frame *grouped(struct wgpu_rig *rig, bool nested)
{
    WGPUCommandEncoder encoder;
    WGPUPassTimestampWrites writes;
    passtime_recorder *rec = begin(rig, &encoder);
    fake_app_pass(encoder, passtime_webgpu_group_first(rec, "blurs", &writes), 10);
    if (nested)
        wgpu_rig_pass(rec, encoder, "middle", 20);
    else
        fake_app_pass(encoder, NULL, 20);
    fake_app_pass(encoder, passtime_webgpu_group_last(rec, &writes), 30);
    wgpu_rig_pass(rec, encoder, "after", 500);
    return end(rig, rec, encoder);
}

static void a_group_is_one_number_for_all_its_passes(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    for (int i = 0; i < 20; i++) {
        const passtime_frame *frame = grouped(&rig, false);
        assert_non_null(frame);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->sample_count, 2);
        assert_string_equal(frame->samples[0].name, "blurs");
        assert_int_equal(frame->samples[0].duration_ns, 10 + 20 + 30 + 10);
        assert_int_equal(frame->samples[0].flags, 0);
        assert_int_equal(frame->samples[1].duration_ns, 510);
        assert_int_equal(frame->samples[1].parent, PASSTIME_NONE);
    }
    wgpu_rig_close(&rig);
}

static void a_pass_in_a_group_may_have_a_time_of_its_own(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    const passtime_frame *frame = grouped(&rig, true);
    assert_non_null(frame);
    assert_int_equal(frame->sample_count, 3);
    assert_int_equal(frame->samples[0].duration_ns, 10 + 20 + 30 + 30);
    assert_int_equal(frame->samples[0].exclusive_ns, 60);
    assert_int_equal(frame->samples[1].duration_ns, 30);
    assert_int_equal(frame->samples[1].parent, 0);
    assert_int_equal(frame->sum_ns, 600);
    wgpu_rig_close(&rig);
}

/* The next user of the slot does not inherit the begin that was written. */
static void a_group_that_is_not_ended_is_unfinished(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 1;
    wgpu_rig_open(&rig);
    WGPUCommandEncoder encoder;
    WGPUPassTimestampWrites writes;
    passtime_recorder *rec = begin(&rig, &encoder);
    fake_app_pass(encoder, passtime_webgpu_group_first(rec, "open", &writes), 10);
    const passtime_frame *frame = end(&rig, rec, encoder);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_UNFINISHED);
    for (int i = 0; i < 100; i++) { /* until the set is replaced, the pair is refused */
        frame = grouped(&rig, false);
        assert_non_null(frame);
        if (passtime_is_good(frame->samples[0].verdict))
            assert_int_equal(frame->samples[0].duration_ns, 70);
        assert_int_equal(frame->samples[1].duration_ns, 510);
    }
    assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
    wgpu_rig_close(&rig);
}

static void ends_without_groups_and_groups_without_room_do_nothing(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    WGPUCommandEncoder encoder;
    WGPUPassTimestampWrites writes;
    assert_null(passtime_webgpu_group_first(NULL, "none", &writes));
    assert_null(passtime_webgpu_group_last(NULL, &writes));
    passtime_recorder *rec = begin(&rig, &encoder);
    assert_null(passtime_webgpu_group_last(rec, &writes));
    assert_null(passtime_webgpu_group_first(rec, "no room", NULL));
    assert_null(passtime_webgpu_group_last(rec, &writes));
    wgpu_rig_pass(rec, encoder, "after", 500);
    const passtime_frame *frame = end(&rig, rec, encoder);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_REFUSED);
    assert_int_equal(frame->samples[1].duration_ns, 510);
    assert_int_equal(wgpu_rig_ledger(&rig).orphan_ends, 1);
    wgpu_rig_close(&rig);
}

static void boundaries_said_to_be_unverified_mark_each_sample(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_BOUNDARY_UNVERIFIED;
    wgpu_rig_open(&rig);
    const passtime_frame *frame = grouped(&rig, false);
    assert_non_null(frame);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    for (uint32_t i = 0; i < frame->sample_count; i++)
        assert_int_equal(frame->samples[i].flags, PASSTIME_FLAG_BOUNDARY_UNVERIFIED);
    assert_int_equal(wgpu_rig_series(&rig, "blurs").flags, PASSTIME_FLAG_BOUNDARY_UNVERIFIED);
    wgpu_rig_close(&rig);
}

static void a_flag_that_is_not_known_is_refused(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_BOUNDARY_UNVERIFIED << 1;
    assert_int_equal(passtime_create_webgpu(&rig.gpu, &rig.desc, &rig.t), PASSTIME_INVALID);
    wgpu_rig_close(&rig);
}

/* CPU times have their boundaries where the calls are, whatever the device does. */
static void the_fallback_takes_a_group_as_the_recording_of_it(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_FORCE_CPU | PASSTIME_WEBGPU_BOUNDARY_UNVERIFIED;
    wgpu_rig_open(&rig);
    WGPUCommandEncoder encoder;
    WGPUPassTimestampWrites writes;
    passtime_recorder *rec = begin(&rig, &encoder);
    assert_null(passtime_webgpu_group_first(rec, "blurs", &writes));
    fake_app_pass(encoder, NULL, 10);
    assert_null(passtime_webgpu_group_last(rec, &writes));
    fake_app_pass(encoder, NULL, 10);
    passtime_webgpu_pass_end(rec);
    const passtime_frame *frame = end(&rig, rec, encoder);
    assert_non_null(frame);
    assert_string_equal(frame->samples[0].name, "blurs");
    assert_int_equal(frame->samples[0].source, PASSTIME_CPU_RECORD);
    assert_int_equal(frame->samples[0].flags, 0);
    wgpu_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_is_one_number_for_all_its_passes),
        cmocka_unit_test(a_pass_in_a_group_may_have_a_time_of_its_own),
        cmocka_unit_test(a_group_that_is_not_ended_is_unfinished),
        cmocka_unit_test(ends_without_groups_and_groups_without_room_do_nothing),
        cmocka_unit_test(boundaries_said_to_be_unverified_mark_each_sample),
        cmocka_unit_test(a_flag_that_is_not_known_is_refused),
        cmocka_unit_test(the_fallback_takes_a_group_as_the_recording_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
