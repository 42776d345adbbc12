/* SPDX-License-Identifier: MIT */
/* The WebGPU backend on a scripted device: what it asks of the device, and what it makes of the
 * answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_rig.h"

#include <cmocka.h>

static const char *const names[] = {"shadow", "scene", "post"};

static void times_are_exact_and_carry_their_frame(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    for (uint64_t round = 0; round < 20; round++) {
        const uint64_t work[] = {1000 + round, 20000 + round, 300000 + round};
        const uint64_t number = wgpu_rig_frame(&rig, 3, names, work);
        const passtime_frame *frame = wgpu_rig_next(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->number, number);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->sample_count, 3);
        for (uint32_t i = 0; i < 3; i++) {
            assert_string_equal(frame->samples[i].name, names[i]);
            assert_int_equal(frame->samples[i].verdict, PASSTIME_GOOD);
            assert_int_equal(frame->samples[i].source, PASSTIME_GPU_STAMPS);
            assert_int_equal(frame->samples[i].duration_ns, work[i] + 10);
        }
    }
    wgpu_rig_close(&rig);
}

/* One resolve, one copy, one submit, one map a frame, and nothing in the app's encoders (BR-43). */
static void a_frame_costs_one_of_each(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    const uint64_t work[] = {1, 2, 3};
    wgpu_rig_frame(&rig, 3, names, work);
    assert_int_equal(fake_count(rig.fake, FAKE_RESOLVE), 1);
    assert_int_equal(fake_count(rig.fake, FAKE_COPY), 1);
    assert_int_equal(fake_count(rig.fake, FAKE_SUBMIT), 1);
    assert_int_equal(fake_count(rig.fake, FAKE_MAP), 1);
    assert_int_equal(fake_call(rig.fake, FAKE_RESOLVE, 0)->b, 6);
    assert_int_equal(fake_call(rig.fake, FAKE_MAP, 0)->a, 48);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    wgpu_rig_close(&rig);
}

/* BR-03: the middle recorder is discarded, so slots 2 to 5 are never written. */
static void only_written_slots_are_resolved(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    passtime_recorder *recs[3] = {passtime_frame_begin(rig.t, 1), passtime_recorder_begin(rig.t, 1),
                                  passtime_recorder_begin(rig.t, 1)};
    WGPUCommandEncoder encoders[3];
    for (int i = 0; i < 3; i++) {
        encoders[i] = fake_app_encoder(rig.fake);
    }
    assert_true(wgpu_rig_pass(recs[0], encoders[0], "a", 100));
    assert_true(wgpu_rig_pass(recs[1], encoders[1], "b", 200));
    assert_true(wgpu_rig_pass(recs[1], encoders[1], "c", 300));
    assert_true(wgpu_rig_pass(recs[2], encoders[2], "d", 400));
    fake_app_submit(rig.fake, encoders[0]);
    fake_app_drop(encoders[1]);
    fake_app_submit(rig.fake, encoders[2]);
    passtime_submitted(recs[0]);
    passtime_discarded(recs[1]);
    passtime_submitted(recs[2]);
    assert_int_equal(passtime_frame_end(rig.t, 1), PASSTIME_OK);
    assert_int_equal(fake_count(rig.fake, FAKE_RESOLVE), 2);
    const struct fake_call *first = fake_call(rig.fake, FAKE_RESOLVE, 0);
    const struct fake_call *second = fake_call(rig.fake, FAKE_RESOLVE, 1);
    assert_int_equal(first->a, 0);
    assert_int_equal(first->b, 2);
    assert_int_equal(second->a, 6);
    assert_int_equal(second->b, 2);
    assert_int_not_equal(first->c, second->c);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].duration_ns, 110);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_DISCARDED);
    assert_int_equal(frame->samples[2].verdict, PASSTIME_DISCARDED);
    assert_int_equal(frame->samples[3].duration_ns, 410);
    assert_int_equal(frame->fate, PASSTIME_FRAME_INCOMPLETE);
    wgpu_rig_close(&rig);
}

/* Runs apart by one pair, as many as the buffer has places and more. */
static void many_runs_share_the_resolve_buffer(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.max_passes = 40;
    wgpu_rig_open(&rig);
    passtime_recorder *kept = passtime_frame_begin(rig.t, 1);
    passtime_recorder *left = passtime_recorder_begin(rig.t, 1);
    WGPUCommandEncoder encoder = fake_app_encoder(rig.fake);
    WGPUCommandEncoder dropped = fake_app_encoder(rig.fake);
    for (uint64_t i = 0; i < 16; i++) {
        assert_true(wgpu_rig_pass(kept, encoder, "kept", 1000 + i));
        assert_true(wgpu_rig_pass(left, dropped, "left", 1));
    }
    fake_app_submit(rig.fake, encoder);
    fake_app_drop(dropped);
    passtime_submitted(kept);
    passtime_discarded(left);
    passtime_frame_end(rig.t, 1);
    assert_int_equal(fake_count(rig.fake, FAKE_RESOLVE), 16);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    for (uint64_t i = 0; i < 16; i++) {
        assert_int_equal(frame->samples[2 * i].duration_ns, 1010 + i);
    }
    wgpu_rig_close(&rig);
}

/* BR-13: a unit is applied once. 19,200 ticks of 52.0833 ns and 1,000,000 of 1 ns are 1 ms. */
static void the_unit_is_applied_once(void **state)
{
    (void)state;
    const struct {
        double tick_ns;
        uint64_t ticks;
    } cases[] = {
        {0, 1000000}, {1, 1000000}, {52.083333333333336, 19200}, {83.333333333333329, 12000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wgpu_rig rig;
        wgpu_rig_setup(&rig);
        rig.fake->step_ticks = 1;
        rig.gpu.tick_ns = cases[i].tick_ns;
        wgpu_rig_open(&rig);
        const uint64_t work[] = {cases[i].ticks - 1};
        wgpu_rig_frame(&rig, 1, names, work);
        rig.fake->cpu_ns += 2000000;
        const passtime_frame *frame = wgpu_rig_next(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->samples[0].duration_ns, 1000000);
        wgpu_rig_close(&rig);
    }
}

/* BR-14: a period that is no number gives no number. */
static void an_unknown_unit_gives_no_time(void **state)
{
    (void)state;
    const double periods[] = {(double)NAN, (double)INFINITY, -1.0};
    for (size_t i = 0; i < sizeof periods / sizeof periods[0]; i++) {
        struct wgpu_rig rig;
        wgpu_rig_setup(&rig);
        rig.gpu.tick_ns = periods[i];
        wgpu_rig_open(&rig);
        const uint64_t work[] = {500};
        wgpu_rig_frame(&rig, 1, names, work);
        const passtime_frame *frame = wgpu_rig_next(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->samples[0].verdict, PASSTIME_UNIT_UNKNOWN);
        assert_int_equal(frame->samples[0].duration_ns, 0);
        wgpu_rig_close(&rig);
    }
}

/* BR-34. */
static void a_missing_feature_is_said(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.fake->has_timestamps = false;
    rig.t = (passtime *)&rig;
    assert_int_equal(passtime_create_webgpu(&rig.gpu, &rig.desc, &rig.t), PASSTIME_UNSUPPORTED);
    assert_null(rig.t);
    assert_int_equal(rig.said[PASSTIME_LOG_UNSUPPORTED], 1);
    WGPUFeatureName features[4];
    assert_int_equal(
        passtime_webgpu_required_features(&rig.gpu.procs, rig.fake->adapter, true, features, 4), 0);
    /* The app goes on with what it has: nothing. */
    const uint64_t work[] = {1, 2, 3};
    wgpu_rig_frame(&rig, 3, names, work);
    wgpu_rig_close(&rig);
}

static void features_to_request_are_what_the_adapter_offers(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    WGPUFeatureName features[4];
    const passtime_webgpu_procs *procs = &rig.gpu.procs;
    WGPUAdapter adapter = rig.fake->adapter;
    assert_int_equal(passtime_webgpu_required_features(procs, adapter, true, features, 4), 1);
    assert_int_equal(features[0], WGPUFeatureName_TimestampQuery);
    rig.fake->has_inside_native = true;
    assert_int_equal(passtime_webgpu_required_features(procs, adapter, false, features, 4), 1);
    assert_int_equal(passtime_webgpu_required_features(procs, adapter, true, features, 4), 3);
    assert_int_equal(passtime_webgpu_required_features(procs, adapter, true, features, 2), 2);
    assert_int_equal(passtime_webgpu_required_features(procs, NULL, true, features, 4), 0);
    assert_int_equal(passtime_webgpu_required_features(NULL, adapter, true, features, 4), 0);
    wgpu_rig_close(&rig);
}

static void expect_invalid(struct wgpu_rig *rig, const passtime_webgpu_desc *gpu)
{
    rig->t = (passtime *)rig;
    assert_int_equal(passtime_create_webgpu(gpu, &rig->desc, &rig->t), PASSTIME_INVALID);
    assert_null(rig->t);
}

static void a_wrong_desc_is_refused(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    passtime_webgpu_desc gpu = rig.gpu;
    expect_invalid(&rig, NULL);
    gpu.size--;
    expect_invalid(&rig, &gpu);
    gpu = rig.gpu;
    gpu.device = NULL;
    expect_invalid(&rig, &gpu);
    gpu = rig.gpu;
    gpu.queue = NULL;
    expect_invalid(&rig, &gpu);
    gpu = rig.gpu;
    gpu.flags = 1u << 31;
    expect_invalid(&rig, &gpu);
    gpu.flags = PASSTIME_WEBGPU_RIDE | PASSTIME_WEBGPU_DEFER_RESOLVE;
    expect_invalid(&rig, &gpu);
    gpu.flags = PASSTIME_WEBGPU_PUMP;
    gpu.instance = NULL;
    expect_invalid(&rig, &gpu);
    gpu = rig.gpu;
    gpu.reserved[3] = 1;
    expect_invalid(&rig, &gpu);
    gpu = rig.gpu;
    gpu.procs.buffer_unmap = NULL;
    expect_invalid(&rig, &gpu);
    assert_int_equal(passtime_create_webgpu(&rig.gpu, &rig.desc, NULL), PASSTIME_INVALID);
    assert_true(rig.said[PASSTIME_LOG_BACKEND] >= 7);
    wgpu_rig_close(&rig);
}

/* BR-36: a name that runs five times a frame has five samples. */
static void the_same_pass_several_times(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    const char *const sims[] = {"sim", "sim", "sim", "sim", "sim"};
    const uint64_t work[] = {1990, 1990, 1990, 1990, 1990};
    wgpu_rig_frame(&rig, 5, sims, work);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    const passtime_series_info info = wgpu_rig_series(&rig, "sim");
    assert_int_equal(info.stats.count, 5);
    assert_int_equal(info.stats.total_ns, 10000);
    assert_true(info.stats.mean_ns > 1999.99 && info.stats.mean_ns < 2000.01);
    wgpu_rig_close(&rig);
}

/* BR-44: indices are given by pairs, are not equal, and are of a set that holds them. */
static void indices_are_right_by_construction(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.max_passes = 3;
    wgpu_rig_open(&rig);
    passtime_recorder *rec = passtime_frame_begin(rig.t, 1);
    WGPUPassTimestampWrites writes;
    for (uint32_t i = 0; i < 3; i++) {
        memset(&writes, 0xA5, sizeof writes);
        assert_ptr_equal(passtime_webgpu_pass(rec, "p", &writes), &writes);
        assert_null(writes.nextInChain);
        assert_non_null(writes.querySet);
        assert_int_equal(writes.beginningOfPassWriteIndex, 2 * i);
        assert_int_equal(writes.endOfPassWriteIndex, 2 * i + 1);
    }
    assert_null(passtime_webgpu_pass(rec, "too many", &writes));
    assert_null(passtime_webgpu_pass(NULL, "nobody", &writes));
    assert_null(passtime_webgpu_pass_n(NULL, "nobody", 3, &writes));
    assert_null(passtime_webgpu_pass_id(NULL, 0, &writes));
    passtime_discarded(rec);
    passtime_frame_end(rig.t, 1);
    rec = passtime_frame_begin(rig.t, 2);
    assert_null(passtime_webgpu_pass(rec, "nowhere", NULL));
    passtime_discarded(rec);
    passtime_frame_end(rig.t, 2);
    wgpu_rig_close(&rig);
}

static void names_by_length_and_id(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    const passtime_id id = passtime_intern(rig.t, "by id");
    passtime_recorder *rec = passtime_frame_begin(rig.t, 1);
    WGPUCommandEncoder encoder = fake_app_encoder(rig.fake);
    WGPUPassTimestampWrites writes;
    fake_app_pass(encoder, passtime_webgpu_pass_n(rec, "shadows", 6, &writes), 100);
    fake_app_pass(encoder, passtime_webgpu_pass_id(rec, id, &writes), 200);
    fake_app_submit(rig.fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 1);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_string_equal(frame->samples[0].name, "shadow");
    assert_string_equal(frame->samples[1].name, "by id");
    wgpu_rig_close(&rig);
}

/* Frame 2 is recorded and submitted before frame 1 is. */
static void frames_may_overlap(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    passtime_recorder *recs[2] = {passtime_frame_begin(rig.t, 1), passtime_frame_begin(rig.t, 2)};
    for (uint64_t i = 2; i > 0; i--) {
        WGPUCommandEncoder encoder = fake_app_encoder(rig.fake);
        assert_true(wgpu_rig_pass(recs[i - 1], encoder, "p", 100 * i));
        fake_app_submit(rig.fake, encoder);
        passtime_submitted(recs[i - 1]);
        passtime_frame_end(rig.t, i);
    }
    for (int i = 0; i < 2; i++) {
        const passtime_frame *frame = wgpu_rig_next(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->samples[0].duration_ns, 100 * frame->number + 10);
    }
    wgpu_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_exact_and_carry_their_frame),
        cmocka_unit_test(a_frame_costs_one_of_each),
        cmocka_unit_test(only_written_slots_are_resolved),
        cmocka_unit_test(many_runs_share_the_resolve_buffer),
        cmocka_unit_test(the_unit_is_applied_once),
        cmocka_unit_test(an_unknown_unit_gives_no_time),
        cmocka_unit_test(a_missing_feature_is_said),
        cmocka_unit_test(features_to_request_are_what_the_adapter_offers),
        cmocka_unit_test(a_wrong_desc_is_refused),
        cmocka_unit_test(the_same_pass_several_times),
        cmocka_unit_test(indices_are_right_by_construction),
        cmocka_unit_test(names_by_length_and_id),
        cmocka_unit_test(frames_may_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
