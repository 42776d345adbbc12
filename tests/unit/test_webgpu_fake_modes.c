/* SPDX-License-Identifier: MIT */
/* The WebGPU backend's other ways on a scripted device: riding, deferring, stamps inside passes,
 * and the CPU fallback. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_rig.h"

#include <cmocka.h>

static const char *const names[] = {"shadow", "scene", "post"};
static const uint64_t work[] = {1000, 2000, 3000};

/* Riding */

static passtime_recorder *ride(struct wgpu_rig *rig, passtime_recorder *rec, uint32_t passes,
                               uint64_t base, bool runs)
{
    WGPUCommandEncoder encoder = fake_app_encoder(rig->fake);
    for (uint32_t i = 0; i < passes; i++) {
        wgpu_rig_pass(rec, encoder, "p", base + i);
    }
    passtime_webgpu_ride(rec, encoder);
    if (runs) {
        fake_app_submit(rig->fake, encoder);
    } else {
        fake_app_drop(encoder);
    }
    passtime_submitted(rec);
    return rec;
}

static void rides_need_no_submission_of_ours(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_RIDE;
    wgpu_rig_open(&rig);
    for (uint64_t n = 1; n < 20; n++) {
        passtime_recorder *first = passtime_frame_begin(rig.t, n);
        passtime_recorder *second = passtime_recorder_begin(rig.t, n);
        ride(&rig, first, 3, 100 * n, true);
        ride(&rig, second, 18, 1000 * n, true);
        passtime_frame_end(rig.t, n);
        const passtime_frame *frame = wgpu_rig_next(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->sample_count, 21);
        assert_int_equal(frame->samples[2].duration_ns, 100 * n + 12);
        assert_int_equal(frame->samples[20].duration_ns, 1000 * n + 27);
    }
    assert_int_equal(fake_count(rig.fake, FAKE_SUBMIT), 0);
    assert_int_equal(fake_count(rig.fake, FAKE_MAP), 19);
    wgpu_rig_close(&rig);
}

/* The word beside the stamps proves that the encoder ran; one that did not is found out. */
static void a_ride_that_did_not_run_is_late(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_RIDE;
    wgpu_rig_open(&rig);
    for (uint64_t n = 1; n < 40; n++) {
        const bool runs = n % 7 != 0;
        ride(&rig, passtime_frame_begin(rig.t, n), 3, 100, runs);
        passtime_frame_end(rig.t, n);
        const passtime_frame *frame = wgpu_rig_next(&rig);
        if (frame == NULL) {
            continue; /* The entry gets new queries. */
        }
        assert_int_equal(frame->number, n);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(frame->samples[i].verdict,
                             runs ? PASSTIME_GOOD : PASSTIME_LATE_SUBMIT);
        }
    }
    const passtime_ledger ledger = wgpu_rig_ledger(&rig);
    assert_int_equal(ledger.verdicts[PASSTIME_LATE_SUBMIT], 15);
    assert_true(ledger.verdicts[PASSTIME_GOOD] >= 60);
    wgpu_rig_close(&rig);
}

static void a_recorder_that_forgot_to_ride_is_late(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_RIDE;
    wgpu_rig_open(&rig);
    wgpu_rig_frame(&rig, 3, names, work);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_LATE_SUBMIT);
    wgpu_rig_close(&rig);
}

/* Without RIDE the call does nothing; without passes it does no harm. */
static void riding_for_nothing(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    ride(&rig, passtime_frame_begin(rig.t, 1), 3, 100, true);
    passtime_frame_end(rig.t, 1);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    passtime_webgpu_ride(NULL, NULL);
    wgpu_rig_close(&rig);
}

/* Deferring */

static void a_deferred_resolve_waits_for_the_work(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_DEFER_RESOLVE;
    wgpu_rig_open(&rig);
    rig.fake->hold_gpu = true;
    wgpu_rig_frame(&rig, 3, names, work);
    assert_null(wgpu_rig_next(&rig));
    assert_int_equal(fake_count(rig.fake, FAKE_RESOLVE), 0);
    fake_run(rig.fake);
    rig.fake->hold_gpu = false;
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(fake_count(rig.fake, FAKE_RESOLVE), 1);
    assert_int_equal(frame->samples[1].duration_ns, 2010);
    wgpu_rig_frame(&rig, 3, names, work);
    fake_lose(rig.fake);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    assert_int_equal(wgpu_rig_ledger(&rig).verdicts[PASSTIME_LOST_DEVICE], 3);
    wgpu_rig_close(&rig);
}

/* Inside passes */

static const passtime_frame *groups_in_a_pass(struct wgpu_rig *rig)
{
    const uint64_t number = rig->number++;
    passtime_recorder *rec = passtime_frame_begin(rig->t, number);
    WGPUCommandEncoder encoder = fake_app_encoder(rig->fake);
    WGPUPassTimestampWrites writes;
    WGPURenderPassEncoder pass =
        fake_app_render(encoder, passtime_webgpu_pass(rec, "pass", &writes));
    passtime_webgpu_begin_in_render(rec, pass, "trees");
    fake_app_draw(pass, 500);
    passtime_webgpu_begin_in_render(rec, pass, "leaves");
    fake_app_draw(pass, 700);
    passtime_webgpu_end_in_render(rec, pass);
    passtime_webgpu_end_in_render(rec, pass);
    fake_app_draw(pass, 900);
    fake_app_render_end(pass);
    fake_app_submit(rig->fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(rig->t, number);
    return wgpu_rig_next(rig);
}

static void groups_are_stamped_where_the_device_can(void **state)
{
    (void)state;
    for (int dawn = 0; dawn < 2; dawn++) {
        struct wgpu_rig rig;
        wgpu_rig_setup(&rig);
        rig.fake->has_inside_native = !dawn;
        rig.fake->has_inside_dawn = dawn;
        rig.gpu.write_in_render = fake_write_in_render;
        rig.gpu.write_in_compute = fake_write_in_compute;
        wgpu_rig_open(&rig);
        assert_true(wgpu_rig_info(&rig).in_render && wgpu_rig_info(&rig).in_compute);
        for (int i = 0; i < 6; i++) {
            const passtime_frame *frame = groups_in_a_pass(&rig);
            assert_non_null(frame);
            assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
            assert_int_equal(frame->sample_count, 3);
            assert_int_equal(frame->samples[0].duration_ns, 500 + 700 + 900 + 50);
            assert_int_equal(frame->samples[1].duration_ns, 500 + 700 + 30);
            assert_int_equal(frame->samples[2].duration_ns, 710);
            assert_int_equal(frame->samples[2].parent, 1);
        }
        wgpu_rig_close(&rig);
    }
}

/* A function without the feature, and the feature without a function, are both refused, with a
 * reason. */
static void groups_are_refused_elsewhere(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        struct wgpu_rig rig;
        wgpu_rig_setup(&rig);
        rig.fake->has_inside_native = with;
        rig.gpu.write_in_render = with ? NULL : fake_write_in_render;
        wgpu_rig_open(&rig);
        assert_false(wgpu_rig_info(&rig).in_render);
        const passtime_frame *frame = groups_in_a_pass(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
        assert_int_equal(frame->samples[1].verdict, PASSTIME_REFUSED);
        assert_int_equal(frame->samples[2].verdict, PASSTIME_REFUSED);
        assert_true(rig.said[PASSTIME_LOG_UNSUPPORTED] >= 1);
        wgpu_rig_close(&rig);
    }
}

/* A group that is begun and not ended has no time, and its slot's next user does not inherit its
 * begin. */
static void a_group_without_end_is_unfinished(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.fake->has_inside_native = true;
    rig.gpu.write_in_render = fake_write_in_render;
    rig.desc.frames_in_flight = 1;
    wgpu_rig_open(&rig);
    passtime_recorder *rec = passtime_frame_begin(rig.t, 1);
    WGPUCommandEncoder encoder = fake_app_encoder(rig.fake);
    assert_true(wgpu_rig_pass(rec, encoder, "first", 100));
    WGPURenderPassEncoder pass = fake_app_render(encoder, NULL);
    passtime_webgpu_begin_in_render(rec, pass, "open");
    fake_app_render_end(pass);
    fake_app_submit(rig.fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 1);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_UNFINISHED);
    assert_int_equal(fake_call(rig.fake, FAKE_RESOLVE, 0)->b, 2);
    wgpu_rig_frame(&rig, 2, names, work);
    frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
    assert_false(passtime_is_good(frame->samples[1].verdict));
    wgpu_rig_close(&rig);
}

/* The CPU fallback */

static void without_queries_cpu_times_are_labelled(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.fake->has_timestamps = false;
    rig.gpu.flags = PASSTIME_WEBGPU_FALLBACK_CPU;
    wgpu_rig_open(&rig);
    assert_int_equal(rig.said[PASSTIME_LOG_FALLBACK], 1);
    assert_false(wgpu_rig_info(&rig).stamps);
    rig.fake->hold_gpu = true;
    passtime_recorder *rec = passtime_frame_begin(rig.t, 1);
    WGPUPassTimestampWrites writes;
    assert_null(passtime_webgpu_pass(rec, "ended", &writes));
    rig.fake->cpu_ns += 100;
    passtime_webgpu_pass_end(rec);
    rig.fake->cpu_ns += 1;
    assert_null(passtime_webgpu_pass(rec, "by the next", &writes));
    rig.fake->cpu_ns += 200;
    assert_null(passtime_webgpu_pass(rec, "by the submit", &writes));
    rig.fake->cpu_ns += 400;
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 1);
    rig.fake->cpu_ns += 5000;
    fake_run(rig.fake);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->sample_count, 4);
    const uint64_t expected[] = {100, 200, 400, 5000};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(frame->samples[i].verdict, PASSTIME_GOOD);
        assert_int_equal(frame->samples[i].duration_ns, expected[i]);
        assert_int_equal(frame->samples[i].source,
                         i < 3 ? PASSTIME_CPU_RECORD : PASSTIME_CPU_COMPLETE);
        const bool implied = (frame->samples[i].flags & PASSTIME_FLAG_IMPLIED_END) != 0;
        assert_int_equal(implied, i == 1 || i == 2);
    }
    assert_int_equal(rig.fake->sets_made, 0);
    assert_int_equal(fake_count(rig.fake, FAKE_CREATE_BUFFER), 0);
    wgpu_rig_close(&rig);
}

static void the_fallback_can_be_forced_and_lost(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_FORCE_CPU;
    wgpu_rig_open(&rig);
    rig.fake->hold_gpu = true;
    WGPUPassTimestampWrites writes;
    for (uint64_t n = 0; n < 3; n++) {
        passtime_recorder *rec = passtime_frame_begin(rig.t, n);
        assert_null(passtime_webgpu_pass(rec, "p", &writes));
        fake_app_submit(rig.fake, fake_app_encoder(rig.fake));
        passtime_submitted(rec);
        passtime_frame_end(rig.t, n);
    }
    passtime_webgpu_device_lost(rig.t);
    assert_int_equal(wgpu_rig_drain(&rig), 3);
    assert_null(passtime_frame_begin(rig.t, 10));
    assert_int_equal(wgpu_rig_ledger(&rig).verdicts[PASSTIME_LOST_DEVICE], 3);
    wgpu_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rides_need_no_submission_of_ours),
        cmocka_unit_test(a_ride_that_did_not_run_is_late),
        cmocka_unit_test(a_recorder_that_forgot_to_ride_is_late),
        cmocka_unit_test(riding_for_nothing),
        cmocka_unit_test(a_deferred_resolve_waits_for_the_work),
        cmocka_unit_test(groups_are_stamped_where_the_device_can),
        cmocka_unit_test(groups_are_refused_elsewhere),
        cmocka_unit_test(a_group_without_end_is_unfinished),
        cmocka_unit_test(without_queries_cpu_times_are_labelled),
        cmocka_unit_test(the_fallback_can_be_forced_and_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
