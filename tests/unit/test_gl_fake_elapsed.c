/* SPDX-License-Identifier: MIT */
/* The GL backend with elapsed queries, of which only one can be active. */
#include <setjmp.h>
#include <stdarg.h>

#include "fake/gl_rig.h"

#include <cmocka.h>

/* BR-27 and BR-30: TIMESTAMP has no bits; the parent has 10, 8 of them its own, the child 2. */
static void nesting_is_split_and_resumed(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    assert_int_equal(gl_rig_info(&rig).method, PASSTIME_GPU_ELAPSED);
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_begin(rec, "parent");
    gl_rig_work(&rig, 3000000);
    gl_rig_pass(&rig, rec, "child", 2000000);
    gl_rig_work(&rig, 5000000);
    passtime_end(rec);
    gl_rig_work(&rig, 400000); /* Between passes: of nobody. */
    gl_rig_pass(&rig, rec, "post", 1000000);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    gl_rig_check(frame, 0, PASSTIME_GOOD, 10000000);
    gl_rig_check(frame, 1, PASSTIME_GOOD, 2000000);
    gl_rig_check(frame, 2, PASSTIME_GOOD, 1000000);
    assert_int_equal(frame->samples[0].exclusive_ns, 8000000);
    assert_int_equal(frame->samples[1].exclusive_ns, 2000000);
    assert_int_equal(frame->busy_ns, 11000000);
    assert_int_equal(frame->sum_ns, 11000000);
    assert_false(frame->has_span);
    assert_true((frame->flags & PASSTIME_FLAG_SERIAL_SUM) != 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true((frame->samples[i].flags & PASSTIME_FLAG_NO_POSITION) != 0);
        assert_int_equal(frame->samples[i].source, PASSTIME_GPU_ELAPSED);
    }
    gl_rig_close(&rig);
}

/* Every pass that there is room for, each in the one before: two pieces a pass are enough. */
static void as_deep_as_there_are_passes(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    for (int round = 0; round < 20; round++) {
        passtime_recorder *rec = gl_rig_begin(&rig);
        for (int i = 0; i < 16; i++) {
            passtime_begin(rec, "deep");
            gl_rig_work(&rig, 10);
        }
        for (int i = 0; i < 16; i++) {
            gl_rig_work(&rig, 1);
            passtime_end(rec);
        }
        gl_rig_end(&rig, rec);
        const passtime_frame *frame = gl_rig_next(&rig);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        for (uint32_t i = 0; i < 16; i++) {
            gl_rig_check(frame, i, PASSTIME_GOOD, 11 * (16 - i));
            assert_int_equal(frame->samples[i].exclusive_ns, 11);
        }
    }
    gl_rig_close(&rig);
}

static void the_method_can_be_forced(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_es(&rig);
    rig.gl.flags = PASSTIME_GL_METHOD_ELAPSED | PASSTIME_GL_FLUSH_STAMPS;
    gl_rig_open(&rig);
    uint32_t flushes = rig.fake.calls[GL_FAKE_FLUSH];
    gl_rig_check(gl_rig_frame(&rig, 777), 0, PASSTIME_GOOD, 777);
    assert_int_equal(rig.fake.calls[GL_FAKE_COUNTER], 0);
    assert_int_equal(rig.fake.calls[GL_FAKE_FLUSH] - flushes, 2);
    gl_rig_close(&rig);
}

/* A driver may leave glQueryCounter out. */
static void no_query_counter_is_no_stamps(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.fake.missing[0] = "glQueryCounter";
    gl_rig_open(&rig);
    assert_int_equal(gl_rig_info(&rig).method, PASSTIME_GPU_ELAPSED);
    gl_rig_check(gl_rig_frame(&rig, 777), 0, PASSTIME_GOOD, 777);
    gl_rig_close(&rig);
}

/* An empty pass is a measured 0 and no absence. */
static void an_empty_pass_is_below_resolution(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    gl_rig_check(gl_rig_frame(&rig, 0), 0, PASSTIME_BELOW_RESOLUTION, 0);
    gl_rig_close(&rig);
}

/* BR-31: 5 s through a 32-bit getter reads 0.705 s, or the most that fits. It may have wrapped. */
static void what_may_have_wrapped_is_marked(void **state)
{
    (void)state;
    for (int clamps = 0; clamps < 2; clamps++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, false);
        rig.fake.narrow = true;
        rig.fake.clamps = clamps != 0;
        gl_rig_open(&rig);
        passtime_gl_info info = gl_rig_info(&rig);
        assert_int_equal(info.result_bits, 32);
        assert_int_equal(info.method, PASSTIME_GPU_ELAPSED); /* Stamps would not fit at all. */
        gl_rig_check(gl_rig_frame(&rig, 16000000), 0, PASSTIME_GOOD, 16000000);
        gl_rig_check(gl_rig_frame(&rig, 5000000000ull), 0, PASSTIME_AMBIGUOUS, 0);
        gl_rig_close(&rig);
    }
}

static void wide_reads_are_whole(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    gl_rig_check(gl_rig_frame(&rig, 5000000000ull), 0, PASSTIME_GOOD, 5000000000ull);
    gl_rig_close(&rig);
}

/* Only stamps, and only 32 bits of them: what a driver clamps is not there. */
static void clamped_stamps_are_no_stamps(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.fake.elapsed_bits = 0;
    rig.fake.narrow = true;
    rig.fake.clamps = true;
    gl_rig_open(&rig);
    assert_int_equal(gl_rig_info(&rig).method, PASSTIME_GPU_STAMPS);
    gl_rig_check(gl_rig_frame(&rig, 777), 0, PASSTIME_NOT_EXECUTED, 0);
    gl_rig_close(&rig);
}

/* Seen on llvmpipe: the first result is the clock itself. Whoever is around it has it in it too. */
static void a_first_result_of_absolute_time_is_caught(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    rig.fake.wild_first = true; /* The warm-up has had its turn. */
    rig.fake.elapsed_count = 0;
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_begin(rec, "around");
    gl_rig_pass(&rig, rec, "in it", 500);
    passtime_end(rec);
    gl_rig_pass(&rig, rec, "after", 600);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_BACKWARD, 0);
    gl_rig_check(frame, 1, PASSTIME_GOOD, 500);
    gl_rig_check(frame, 2, PASSTIME_GOOD, 600);
    rig.fake.elapsed_count = 0;
    rec = gl_rig_begin(&rig);
    gl_rig_pass(&rig, rec, "before", 600);
    gl_rig_end(&rig, rec);
    gl_rig_check(gl_rig_next(&rig), 0, PASSTIME_BACKWARD, 0);
    gl_rig_close(&rig);
}

static void a_wild_child_spoils_what_is_around_it(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_begin(rec, "around");
    gl_rig_work(&rig, 100);
    passtime_begin(rec, "wild");
    rig.fake.wild_first = true;
    rig.fake.elapsed_count = 0;
    gl_rig_work(&rig, 100);
    passtime_end(rec);
    passtime_end(rec);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_BACKWARD, 0);
    gl_rig_check(frame, 1, PASSTIME_BACKWARD, 0);
    gl_rig_close(&rig);
}

/* Pieces that do not fit together any more are not cut to a plausible time. */
static void a_sum_of_pieces_does_not_wrap(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    rig.fake.elapsed_bits = 32;
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    rig.fake.gpu_ns = (1ull << 32) - 200;
    rig.fake.wild_first = true;
    rig.fake.elapsed_count = 0;
    passtime_begin(rec, "around");
    gl_rig_work(&rig, 100);
    gl_rig_pass(&rig, rec, "in it", 20);
    gl_rig_work(&rig, 150);
    passtime_end(rec);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_BACKWARD, 0);
    gl_rig_check(frame, 1, PASSTIME_GOOD, 20);
    gl_rig_close(&rig);
}

/* The app's own query is active: its passes go untimed, counted, and the query stays the app's. */
static void a_busy_target_is_left_alone(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    unsigned query = gl_fake_app_query();
    passtime_recorder *rec = gl_rig_begin(&rig);
    gl_fake_app_begin(query);
    passtime_begin(rec, "busy");
    gl_rig_pass(&rig, rec, "busy too", 200);
    passtime_end(rec);
    assert_int_equal(rig.fake.active, query);
    gl_fake_app_end();
    gl_rig_pass(&rig, rec, "free", 300);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_REFUSED, 0);
    gl_rig_check(frame, 1, PASSTIME_REFUSED, 0);
    gl_rig_check(frame, 2, PASSTIME_GOOD, 300);
    assert_int_equal(gl_rig_info(&rig).busy, 2);
    assert_int_equal(rig.said[PASSTIME_LOG_TARGET_BUSY], 2);
    passtime_destroy(&rig.t);
    rig.fake.alive -= 1;
    gl_rig_close(&rig);
}

/* The target is freed at once; what is open then would be measured short. */
static void pause_frees_the_target(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    unsigned query = gl_fake_app_query();
    passtime_recorder *rec = gl_rig_begin(&rig);
    gl_rig_pass(&rig, rec, "before", 100);
    passtime_begin(rec, "open");
    gl_rig_pass(&rig, rec, "whole", 50);
    passtime_gl_pause(rig.t);
    assert_true(gl_rig_info(&rig).paused);
    gl_fake_app_begin(query);
    gl_rig_pass(&rig, rec, "during", 200);
    gl_fake_app_end();
    passtime_gl_resume(rig.t);
    gl_rig_pass(&rig, rec, "resumed", 300);
    passtime_end(rec);
    gl_rig_pass(&rig, rec, "after", 400);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_GOOD, 100);
    gl_rig_check(frame, 1, PASSTIME_REFUSED, 0);
    gl_rig_check(frame, 2, PASSTIME_GOOD, 50);
    gl_rig_check(frame, 3, PASSTIME_REFUSED, 0);
    gl_rig_check(frame, 4, PASSTIME_GOOD, 300);
    gl_rig_check(frame, 5, PASSTIME_GOOD, 400);
    assert_int_equal(gl_rig_info(&rig).busy, 0);
    passtime_destroy(&rig.t);
    rig.fake.alive -= 1;
    gl_rig_close(&rig);
}

/* An app that does not pause: its begin fails by GL's rule, and its end hits our query. */
static void an_end_of_the_apps_is_noticed(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    unsigned query = gl_fake_app_query();
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_begin(rec, "cut short");
    gl_fake_app_begin(query);
    rig.app_errors = 1;
    gl_rig_work(&rig, 200);
    gl_fake_app_end();
    gl_rig_work(&rig, 300);
    passtime_end(rec);
    gl_rig_pass(&rig, rec, "next", 400);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_REFUSED, 0);
    gl_rig_check(frame, 1, PASSTIME_GOOD, 400);
    passtime_destroy(&rig.t);
    rig.fake.alive -= 1;
    gl_rig_close(&rig);
}

/* Passes of two recorders, or of two frames, that are not in one another: the older can't
 * be whole. */
static void passes_that_cross_are_refused(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_recorder *other = passtime_recorder_begin(rig.t, rig.number);
    passtime_begin(rec, "a");
    gl_rig_work(&rig, 100);
    passtime_begin(other, "b");
    gl_rig_work(&rig, 200);
    passtime_end(rec);
    gl_rig_work(&rig, 300);
    passtime_end(other);
    passtime_submitted(other);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_REFUSED, 0);
    gl_rig_check(frame, 1, PASSTIME_GOOD, 500);
    gl_rig_close(&rig);
}

/* A pass that is never ended leaves no query active after its recorder. */
static void an_unfinished_pass_frees_the_target(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_begin(rec, "open");
    gl_rig_pass(&rig, rec, "in it", 50);
    assert_true(rig.fake.active != 0);
    passtime_submitted(rec);
    assert_int_equal(rig.fake.active,
                     0); /* Before the frame ends: the app may time something now. */
    passtime_frame_end(rig.t, rig.number++);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_UNFINISHED, 0);
    gl_rig_check(frame, 1, PASSTIME_GOOD, 50);
    gl_rig_check(gl_rig_frame(&rig, 70), 0, PASSTIME_GOOD, 70);
    gl_rig_close(&rig);
}

/* BR-29: destroyed with a query active and others pending. */
static void destroy_ends_the_active_query(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, true);
    gl_rig_open(&rig);
    for (int i = 0; i < 3; i++) {
        passtime_recorder *rec = gl_rig_begin(&rig);
        gl_rig_pass(&rig, rec, "pass", 50);
        gl_rig_end(&rig, rec);
    }
    passtime_begin(gl_rig_begin(&rig), "active");
    assert_true(rig.fake.active != 0);
    passtime_destroy(&rig.t);
    assert_int_equal(rig.fake.active, 0);
    gl_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nesting_is_split_and_resumed),
        cmocka_unit_test(as_deep_as_there_are_passes),
        cmocka_unit_test(the_method_can_be_forced),
        cmocka_unit_test(no_query_counter_is_no_stamps),
        cmocka_unit_test(an_empty_pass_is_below_resolution),
        cmocka_unit_test(what_may_have_wrapped_is_marked),
        cmocka_unit_test(wide_reads_are_whole),
        cmocka_unit_test(clamped_stamps_are_no_stamps),
        cmocka_unit_test(a_first_result_of_absolute_time_is_caught),
        cmocka_unit_test(a_wild_child_spoils_what_is_around_it),
        cmocka_unit_test(a_sum_of_pieces_does_not_wrap),
        cmocka_unit_test(a_busy_target_is_left_alone),
        cmocka_unit_test(pause_frees_the_target),
        cmocka_unit_test(an_end_of_the_apps_is_noticed),
        cmocka_unit_test(passes_that_cross_are_refused),
        cmocka_unit_test(an_unfinished_pass_frees_the_target),
        cmocka_unit_test(destroy_ends_the_active_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
