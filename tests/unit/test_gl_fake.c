/* SPDX-License-Identifier: MIT */
/* The GL backend with stamps on a scripted GL: what it asks of the GL, and what it makes of the
 * answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/gl_rig.h"

#include <cmocka.h>

static void times_are_exact_and_nest(void **state)
{
    (void)state;
    for (int es = 0; es < 2; es++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, false);
        if (es == 1) {
            gl_rig_es(&rig);
        }
        gl_rig_open(&rig);
        for (uint64_t round = 0; round < 40; round++) {
            passtime_recorder *rec = gl_rig_begin(&rig);
            passtime_begin(rec, "outer");
            gl_rig_work(&rig, 3000 + round);
            gl_rig_pass(&rig, rec, "inner", 2000);
            gl_rig_work(&rig, 5000);
            passtime_end(rec);
            gl_rig_pass(&rig, rec, "post", 700);
            gl_rig_end(&rig, rec);
            const passtime_frame *frame = gl_rig_next(&rig);
            assert_int_equal(frame->number, round + 1);
            assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
            assert_int_equal(frame->sample_count, 3);
            gl_rig_check(frame, 0, PASSTIME_GOOD, 10000 + round);
            gl_rig_check(frame, 1, PASSTIME_GOOD, 2000);
            gl_rig_check(frame, 2, PASSTIME_GOOD, 700);
            assert_int_equal(frame->samples[0].exclusive_ns, 8000 + round);
            assert_int_equal(frame->samples[0].source, PASSTIME_GPU_STAMPS);
            assert_int_equal(frame->samples[1].parent, 0);
            assert_int_equal(frame->busy_ns, 10700 + round);
            assert_true(frame->has_span);
        }
        gl_rig_close(&rig);
    }
}

static void what_it_works_with_is_told(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_es(&rig);
    rig.fake.timestamp_bits = 36;
    gl_rig_open(&rig);
    passtime_gl_info info = gl_rig_info(&rig);
    assert_true(info.es && info.has_disjoint && !info.lost && !info.paused);
    assert_int_equal(info.major * 10 + info.minor, 32);
    assert_int_equal(info.method, PASSTIME_GPU_STAMPS);
    assert_int_equal(info.timestamp_bits, 36);
    assert_int_equal(info.elapsed_bits, 64);
    assert_int_equal(info.result_bits, 64);
    assert_int_equal(info.boundary, PASSTIME_GL_BOUNDARY_UNKNOWN);
    assert_int_equal(info.queries, rig.fake.alive);
    passtime_clock_info clock;
    assert_int_equal(passtime_get_clock(rig.t, &clock), PASSTIME_OK);
    assert_int_equal(clock.valid_bits, 36);
    assert_int_equal(clock.source, PASSTIME_GPU_STAMPS);
    passtime_desc desc;
    assert_int_equal(passtime_get_desc(rig.t, &desc), PASSTIME_OK);
    assert_int_equal(desc.frames_in_flight, 8);
    gl_rig_close(&rig);
}

/* Until the self-check has run, samples say that nobody has proved their boundaries. */
static void boundaries_are_unverified_at_first(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    const passtime_frame *frame = gl_rig_frame(&rig, 5000);
    assert_true((frame->samples[0].flags & PASSTIME_FLAG_BOUNDARY_UNVERIFIED) != 0);
    assert_true((frame->flags & PASSTIME_FLAG_BOUNDARY_UNVERIFIED) != 0);
    gl_rig_close(&rig);
}

/* 36 bits wrap every 68 s: in the midst of a pass the difference is still right. */
static void a_narrow_counter_wraps(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.fake.timestamp_bits = 36;
    rig.fake.gpu_ns = (1ull << 36) * 13 - 1000;
    gl_rig_open(&rig);
    gl_rig_check(gl_rig_frame(&rig, 5000), 0, PASSTIME_GOOD, 5000);
    gl_rig_close(&rig);
}

/* Stamps of a context without a flush option do not flush; with it, one a stamp. */
static void a_flush_follows_each_stamp_if_asked_for(void **state)
{
    (void)state;
    for (uint32_t flush = 0; flush < 2; flush++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, false);
        rig.gl.flags = flush != 0 ? PASSTIME_GL_FLUSH_STAMPS : 0;
        gl_rig_open(&rig);
        (void)gl_rig_frame(&rig, 5000);
        assert_int_equal(rig.fake.calls[GL_FAKE_FLUSH], 2 * flush);
        gl_rig_close(&rig);
    }
}

/* BR-28: a poll that finds nothing asks once a frame in flight; nothing is read before it
 * is there. */
static void results_are_never_waited_for(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    for (int i = 0; i < 3; i++) {
        passtime_recorder *rec = gl_rig_begin(&rig);
        gl_rig_pass(&rig, rec, "pass", 5000);
        gl_rig_pass(&rig, rec, "pass", 5000);
        gl_rig_end(&rig, rec);
    }
    uint32_t asked = rig.fake.calls[GL_FAKE_AVAILABLE];
    for (int i = 0; i < 100; i++) {
        passtime_collect(rig.t);
    }
    assert_int_equal(rig.fake.calls[GL_FAKE_AVAILABLE], asked + 300);
    assert_int_equal(rig.fake.calls[GL_FAKE_RESULT], 0);
    const passtime_frame *frame = NULL;
    assert_int_equal(passtime_next(rig.t, &frame), PASSTIME_PENDING);
    /* The newest is there, so the three are: one question, twelve results. */
    asked = rig.fake.calls[GL_FAKE_AVAILABLE];
    gl_fake_finish(&rig.fake);
    passtime_collect(rig.t);
    assert_int_equal(rig.fake.calls[GL_FAKE_AVAILABLE], asked + 1);
    assert_int_equal(rig.fake.calls[GL_FAKE_RESULT], 12);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(passtime_next(rig.t, &frame), PASSTIME_OK);
        assert_int_equal(frame->number, (uint64_t)i + 1);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    }
    gl_rig_close(&rig);
}

/* Results seven frames late skip none: eight frames fit. The ninth is skipped and counted. */
static void eight_frames_are_in_flight(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    for (int i = 0; i < 9; i++) {
        passtime_recorder *rec = gl_rig_begin(&rig);
        assert_true((rec != NULL) == (i < 8));
        gl_rig_pass(&rig, rec, "pass", 5000);
        gl_rig_end(&rig, rec);
    }
    assert_int_equal(gl_rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_FULL], 1);
    assert_int_equal(rig.said[PASSTIME_LOG_RING_FULL], 1);
    for (int i = 0; i < 8; i++) {
        gl_rig_check(gl_rig_next(&rig), 0, PASSTIME_GOOD, 5000);
    }
    gl_rig_close(&rig);
}

/* The app's own elapsed query runs on while stamps are taken, and pause does nothing to them. */
static void stamps_coexist_with_the_apps_query(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    unsigned query = gl_fake_app_query();
    gl_fake_app_begin(query);
    passtime_gl_pause(rig.t);
    gl_rig_check(gl_rig_frame(&rig, 5000), 0, PASSTIME_GOOD, 5000);
    passtime_gl_resume(rig.t);
    assert_int_equal(rig.fake.active, query);
    gl_fake_app_end();
    passtime_destroy(&rig.t);
    assert_int_equal(rig.fake.alive, 1);
    rig.fake.alive = 0;
    gl_rig_close(&rig);
}

/* GL errors that the app has not read yet are still there for it. */
static void the_apps_errors_stay(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.fake.error = 0x0505;
    gl_rig_open(&rig);
    (void)gl_rig_frame(&rig, 5000);
    passtime_destroy(&rig.t);
    assert_int_equal(rig.fake.error, 0x0505);
    gl_rig_close(&rig);
}

static void begin_and_end_out_of_step(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_end(rec);
    passtime_begin(rec, "twice");
    gl_rig_pass(&rig, rec, "twice", 4000);
    gl_rig_end(&rig, rec); /* The outer one is still open. */
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_UNFINISHED, 0);
    gl_rig_check(frame, 1, PASSTIME_GOOD, 4000);
    assert_int_equal(frame->fate, PASSTIME_FRAME_INCOMPLETE);
    assert_int_equal(gl_rig_ledger(&rig).orphan_ends, 1);
    assert_int_equal(rig.said[PASSTIME_LOG_ORPHAN_END], 1);
    gl_rig_close(&rig);
}

static void frames_without_passes_and_too_many(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    gl_rig_end(&rig, gl_rig_begin(&rig));
    assert_int_equal(gl_rig_next(&rig)->fate, PASSTIME_FRAME_EMPTY);
    passtime_recorder *rec = gl_rig_begin(&rig);
    for (int i = 0; i < 17; i++) {
        gl_rig_pass(&rig, rec, "many", 100);
    }
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    assert_int_equal(frame->sample_count, 16);
    assert_int_equal(frame->passes_without_slot, 1);
    assert_int_equal(frame->fate, PASSTIME_FRAME_INCOMPLETE);
    gl_rig_close(&rig);
}

/* BR-23: what a discarded recorder stamped is neither shown nor in the way. */
static void a_discarded_recorder_counts_as_such(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_recorder *other = passtime_recorder_begin(rig.t, rig.number);
    gl_rig_pass(&rig, rec, "kept", 100);
    gl_rig_pass(&rig, other, "dropped", 200);
    passtime_discarded(other);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_GOOD, 100);
    gl_rig_check(frame, 1, PASSTIME_DISCARDED, 0);
    gl_rig_close(&rig);
}

static void a_pass_of_ten_seconds_is_a_result(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    gl_rig_check(gl_rig_frame(&rig, 10000000000ull), 0, PASSTIME_GOOD, 10000000000ull);
    gl_rig_close(&rig);
}

static void destroy_with_queries_in_flight(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    for (int i = 0; i < 3; i++) {
        passtime_recorder *rec = gl_rig_begin(&rig);
        gl_rig_pass(&rig, rec, "pass", 5000);
        gl_rig_end(&rig, rec);
    }
    (void)gl_rig_begin(&rig);
    gl_rig_close(&rig);
}

/* Many frames take no memory and no query more. */
static void nothing_grows(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    int32_t allocations = rig.allocations;
    uint32_t queries = rig.fake.alive;
    for (int i = 0; i < 20000; i++) {
        gl_rig_check(gl_rig_frame(&rig, 5000), 0, PASSTIME_GOOD, 5000);
    }
    assert_int_equal(rig.allocations, allocations);
    assert_int_equal(rig.fake.alive, queries);
    gl_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_exact_and_nest),
        cmocka_unit_test(what_it_works_with_is_told),
        cmocka_unit_test(boundaries_are_unverified_at_first),
        cmocka_unit_test(a_narrow_counter_wraps),
        cmocka_unit_test(a_flush_follows_each_stamp_if_asked_for),
        cmocka_unit_test(results_are_never_waited_for),
        cmocka_unit_test(eight_frames_are_in_flight),
        cmocka_unit_test(stamps_coexist_with_the_apps_query),
        cmocka_unit_test(the_apps_errors_stay),
        cmocka_unit_test(begin_and_end_out_of_step),
        cmocka_unit_test(frames_without_passes_and_too_many),
        cmocka_unit_test(a_discarded_recorder_counts_as_such),
        cmocka_unit_test(a_pass_of_ten_seconds_is_a_result),
        cmocka_unit_test(destroy_with_queries_in_flight),
        cmocka_unit_test(nothing_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
