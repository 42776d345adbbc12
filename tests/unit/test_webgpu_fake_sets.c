/* SPDX-License-Identifier: MIT */
/* The WebGPU backend's query sets on a scripted device: made, refused, grown and shrunk; no memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_rig.h"

#include <cmocka.h>

static const char *const names[] = {"shadow", "scene", "post"};
static const uint64_t work[] = {1000, 2000, 3000};

static const passtime_frame *frame_of(struct wgpu_rig *rig, uint32_t passes)
{
    wgpu_rig_many(rig, passes, 100);
    const passtime_frame *frame = wgpu_rig_next(rig);
    assert_non_null(frame);
    return frame;
}

/* BR-35: nothing is handed out before creation is known to have worked. */
static void no_slot_before_creation_is_known_good(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.fake->hold_scopes = true;
    assert_int_equal(passtime_create_webgpu(&rig.gpu, &rig.desc, &rig.t), PASSTIME_OK);
    for (int i = 0; i < 20; i++) {
        fake_fire(rig.fake);
        wgpu_rig_frame(&rig, 3, names, work);
    }
    assert_int_equal(wgpu_rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_WARMUP], 20);
    assert_int_equal(fake_count(rig.fake, FAKE_RESOLVE), 0);
    rig.fake->hold_scopes = false;
    wgpu_rig_warm(&rig);
    wgpu_rig_frame(&rig, 3, names, work);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    wgpu_rig_close(&rig);
}

/* BR-35: a set fails later, out of memory, while the app has a scope open: one smaller try. */
static void a_refused_set_is_tried_smaller(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.fake->fail_sets_from = 2;
    rig.fake->fail_sets_to = 2;
    fake_app_push_scope(rig.fake);
    wgpu_rig_open(&rig);
    fake_app_error(rig.fake);
    assert_int_equal(fake_app_pop_scope(rig.fake), WGPUErrorType_Validation);
    passtime_webgpu_info info = wgpu_rig_info(&rig);
    assert_int_equal(info.failures, 1);
    assert_int_equal(info.pairs_ready, 16);
    assert_int_equal(info.query_sets, 4);
    for (int i = 0; i < 8; i++) {
        wgpu_rig_frame(&rig, 3, names, work);
        assert_int_equal(wgpu_rig_drain(&rig), 1);
    }
    assert_int_equal(wgpu_rig_ledger(&rig).verdicts[PASSTIME_GOOD], 24);
    wgpu_rig_close(&rig);
}

/* BR-35: no set at all. The app's frames and its open scope are not touched. */
static void without_any_set_the_app_runs_on(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.fake->fail_sets_from = 1;
    rig.fake->fail_sets_to = UINT32_MAX;
    fake_app_push_scope(rig.fake);
    assert_int_equal(passtime_create_webgpu(&rig.gpu, &rig.desc, &rig.t), PASSTIME_OK);
    for (int i = 0; i < 300; i++) {
        fake_fire(rig.fake);
        wgpu_rig_frame(&rig, 3, names, work);
    }
    assert_int_equal(fake_app_pop_scope(rig.fake), WGPUErrorType_NoError);
    assert_int_equal(wgpu_rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_WARMUP], 300);
    assert_true(rig.said[PASSTIME_LOG_QUERIES_FAILED] >= 1);
    assert_true(rig.said[PASSTIME_LOG_QUERIES_FAILED] <= 6);
    assert_true(rig.fake->sets_made <= 40);
    wgpu_rig_close(&rig);
}

static void buffers_that_are_null_count_as_refused(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.fake->null_buffers = 2;
    wgpu_rig_open(&rig);
    assert_int_equal(wgpu_rig_info(&rig).failures, 1);
    wgpu_rig_frame(&rig, 3, names, work);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    wgpu_rig_close(&rig);
}

static void destroy_while_queries_are_made(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    for (int steps = 0; steps < 4; steps++) {
        assert_int_equal(passtime_create_webgpu(&rig.gpu, &rig.desc, &rig.t), PASSTIME_OK);
        for (int i = 0; i < steps; i++) {
            fake_fire(rig.fake);
            passtime_discarded(passtime_frame_begin(rig.t, (uint64_t)i));
            passtime_frame_end(rig.t, (uint64_t)i);
        }
        passtime_destroy(&rig.t);
    }
    wgpu_rig_close(&rig);
}

/* Each allocation of create fails once: NO_MEMORY, nothing leaked, no context. */
static void create_survives_any_lack_of_memory(void **state)
{
    (void)state;
    const uint32_t flags[] = {0, PASSTIME_WEBGPU_RIDE, PASSTIME_WEBGPU_FORCE_CPU};
    for (size_t f = 0; f < sizeof flags / sizeof flags[0]; f++) {
        struct wgpu_rig rig;
        wgpu_rig_setup(&rig);
        rig.gpu.flags = flags[f];
        passtime_result result = PASSTIME_NO_MEMORY;
        int32_t failed = 0;
        for (int32_t n = 1; result != PASSTIME_OK; n++) {
            assert_true(n < 500);
            rig.allocations = 0;
            rig.fail_allocation = n;
            result = passtime_create_webgpu(&rig.gpu, &rig.desc, &rig.t);
            if (result != PASSTIME_OK) {
                failed++;
                assert_int_equal(result, PASSTIME_NO_MEMORY);
                assert_null(rig.t);
                assert_int_equal(rig.allocated, 0);
                assert_int_equal(rig.fake->roots, 0);
                assert_int_equal(rig.fake->live, 0);
            }
        }
        assert_true(failed > 20);
        /* Nothing more is allocated while frames run. */
        rig.allocations = 0;
        for (int i = 0; i < 200; i++) {
            wgpu_rig_many(&rig, 1 + (uint32_t)i % 128, 100);
            wgpu_rig_drain(&rig);
        }
        assert_int_equal(rig.allocations, 0);
        wgpu_rig_close(&rig);
    }
}

/* BR-12: three passes a frame, once 5,000, then three again. Exactly the limits are allowed. */
static void sets_grow_with_the_frames(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.max_passes = 8192;
    wgpu_rig_open(&rig);
    assert_int_equal(wgpu_rig_info(&rig).pairs_ready, 32);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(frame_of(&rig, 3)->fate, PASSTIME_FRAME_COMPLETE);
    }
    const passtime_frame *frame = frame_of(&rig, 5000);
    assert_int_equal(frame->fate, PASSTIME_FRAME_INCOMPLETE);
    assert_int_equal(frame->sample_count, 32);
    assert_int_equal(frame->passes_without_slot, 4968);
    /* No frame is lost while the sets grow, and then 5,000 fit. */
    for (int i = 0; i < 12; i++) {
        frame = frame_of(&rig, 3);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->samples[2].duration_ns, 112);
    }
    const uint32_t exactly[] = {5000, 4096, 8192, 2048, 2049, 3};
    for (size_t i = 0; i < sizeof exactly / sizeof exactly[0]; i++) {
        frame = frame_of(&rig, exactly[i]);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->sample_count, exactly[i]);
        for (uint32_t k = 0; k < exactly[i]; k++) {
            assert_int_equal(frame->samples[k].duration_ns, 110 + k);
        }
    }
    assert_int_equal(rig.said[PASSTIME_LOG_PASS_OVERFLOW] <= 13, 1);
    for (size_t i = 0; fake_call(rig.fake, FAKE_CREATE_SET, i) != NULL; i++) {
        assert_true(fake_call(rig.fake, FAKE_CREATE_SET, i)->a <= 4096);
    }
    wgpu_rig_close(&rig);
}

/* After many small frames the sets are small again: large ones make passes dear on some drivers. */
static void sets_shrink_again(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.max_passes = 1024;
    rig.desc.frames_in_flight = 2;
    wgpu_rig_open(&rig);
    for (int i = 0; i < 8; i++) {
        frame_of(&rig, 1000);
    }
    assert_int_equal(wgpu_rig_info(&rig).pairs_ready, 1024);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(frame_of(&rig, 3)->fate, PASSTIME_FRAME_COMPLETE);
    }
    assert_int_equal(wgpu_rig_info(&rig).pairs_ready, 32);
    wgpu_rig_close(&rig);
}

/* One entry gets new queries: the frames go to the others meanwhile. */
static void an_entry_without_queries_costs_no_frame(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 2;
    wgpu_rig_open(&rig);
    rig.fake->fail_maps = 1;
    assert_int_equal(frame_of(&rig, 3)->fate, PASSTIME_FRAME_NO_DATA);
    rig.fake->hold_scopes = true;
    for (int i = 0; i < 5; i++) {
        wgpu_rig_many(&rig, 3, 100);
        rig.fake->hold_scopes = false;
        assert_int_equal(wgpu_rig_drain(&rig), 1);
        rig.fake->hold_scopes = true;
    }
    assert_int_equal(wgpu_rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_WARMUP], 0);
    wgpu_rig_close(&rig);
}

/* Growing fails: what there is goes on. */
static void growing_may_fail(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.max_passes = 1024;
    rig.fake->fail_sets_above = 64;
    wgpu_rig_open(&rig);
    for (int i = 0; i < 30; i++) {
        const passtime_frame *frame = frame_of(&rig, 1000);
        assert_int_equal(frame->sample_count, 32);
        assert_int_equal(frame->passes_without_slot, 968);
        assert_int_equal(frame->samples[31].duration_ns, 141);
    }
    assert_true(rig.said[PASSTIME_LOG_QUERIES_FAILED] >= 1);
    wgpu_rig_close(&rig);
}

static void max_passes_is_the_limit(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.max_passes = 5;
    wgpu_rig_open(&rig);
    assert_int_equal(wgpu_rig_info(&rig).pairs_ready, 5);
    assert_int_equal(frame_of(&rig, 5)->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame_of(&rig, 6)->passes_without_slot, 1);
    wgpu_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_slot_before_creation_is_known_good),
        cmocka_unit_test(a_refused_set_is_tried_smaller),
        cmocka_unit_test(without_any_set_the_app_runs_on),
        cmocka_unit_test(buffers_that_are_null_count_as_refused),
        cmocka_unit_test(destroy_while_queries_are_made),
        cmocka_unit_test(create_survives_any_lack_of_memory),
        cmocka_unit_test(sets_grow_with_the_frames),
        cmocka_unit_test(sets_shrink_again),
        cmocka_unit_test(an_entry_without_queries_costs_no_frame),
        cmocka_unit_test(growing_may_fail),
        cmocka_unit_test(max_passes_is_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
