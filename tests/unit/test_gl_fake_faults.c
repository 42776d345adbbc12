/* SPDX-License-Identifier: MIT */
/* The GL backend in trouble: clocks disturbed, contexts gone, queries that never end. */
#include <setjmp.h>
#include <stdarg.h>

#include "fake/gl_rig.h"

#include <cmocka.h>

/* What the flag says of times before create is nobody's. */
static void a_disjoint_before_create_is_cleared(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_es(&rig);
    rig.fake.disjoint = 1;
    gl_rig_open(&rig);
    assert_int_equal(rig.fake.disjoint, 0);
    gl_rig_check(gl_rig_frame(&rig, 300), 0, PASSTIME_GOOD, 300);
    assert_int_equal(gl_rig_info(&rig).disjoints, 0);
    gl_rig_close(&rig);
}

/* Open and pending passes are void, those begun later are not. Both methods. */
static void a_disjoint_voids_what_is_under_way(void **state)
{
    (void)state;
    for (int elapsed = 0; elapsed < 2; elapsed++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, elapsed != 0);
        gl_rig_es(&rig);
        gl_rig_open(&rig);
        gl_rig_check(gl_rig_frame(&rig, 100), 0, PASSTIME_GOOD, 100);
        passtime_recorder *rec = gl_rig_begin(&rig);
        gl_rig_pass(&rig, rec, "pending", 200);
        gl_rig_end(&rig, rec);
        rec = gl_rig_begin(&rig);
        gl_rig_pass(&rig, rec, "done", 300);
        passtime_begin(rec, "open");
        rig.fake.disjoint = 1;
        passtime_collect(rig.t);
        gl_rig_pass(&rig, rec, "begun later", 400);
        passtime_end(rec);
        gl_rig_end(&rig, rec);
        const passtime_frame *frame = gl_rig_next(&rig);
        gl_rig_check(frame, 0, PASSTIME_DISJOINT, 0);
        assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
        frame = gl_rig_next(&rig);
        gl_rig_check(frame, 0, PASSTIME_DISJOINT, 0);
        gl_rig_check(frame, 1, PASSTIME_DISJOINT, 0);
        gl_rig_check(frame, 2, PASSTIME_GOOD, 400);
        assert_int_equal(frame->fate, PASSTIME_FRAME_INCOMPLETE);
        gl_rig_check(gl_rig_frame(&rig, 500), 0, PASSTIME_GOOD, 500);
        assert_int_equal(gl_rig_info(&rig).disjoints, 1);
        assert_int_equal(rig.said[PASSTIME_LOG_DISJOINT], 1);
        gl_rig_close(&rig);
    }
}

/* Once a poll, between availability and results: what became available since the last read
 * is void. */
static void the_flag_is_read_after_availability(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_es(&rig);
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    gl_rig_pass(&rig, rec, "pass", 200);
    gl_rig_end(&rig, rec);
    gl_fake_finish(&rig.fake);
    rig.fake.logged = 0;
    passtime_collect(rig.t);
    static const uint8_t order[] = {GL_FAKE_IS_QUERY, GL_FAKE_AVAILABLE, GL_FAKE_DISJOINT,
                                    GL_FAKE_RESULT, GL_FAKE_RESULT};
    assert_int_equal(rig.fake.logged, sizeof(order));
    assert_memory_equal(rig.fake.log, order, sizeof(order));
    gl_rig_close(&rig);
}

/* The app and Passtime both learn of it, whoever reads first. */
static void the_flag_is_shared(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_es(&rig);
    gl_rig_open(&rig);
    assert_false(passtime_gl_disjoint(rig.t));
    passtime_recorder *rec = gl_rig_begin(&rig);
    gl_rig_pass(&rig, rec, "pass", 200);
    gl_rig_end(&rig, rec);
    rig.fake.disjoint = 1;
    assert_true(passtime_gl_disjoint(rig.t));
    assert_false(passtime_gl_disjoint(rig.t));
    gl_rig_check(gl_rig_next(&rig), 0, PASSTIME_DISJOINT, 0);
    rig.fake.disjoint = 1;
    passtime_collect(rig.t);
    assert_true(passtime_gl_disjoint(rig.t));
    assert_false(passtime_gl_disjoint(rig.t));
    gl_rig_close(&rig);
}

/* Desktop GL has no such flag: asking for it would be an error of ours. */
static void desktop_is_never_asked(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    assert_false(gl_rig_info(&rig).has_disjoint);
    assert_false(passtime_gl_disjoint(rig.t));
    assert_int_equal(rig.fake.calls[GL_FAKE_DISJOINT], 0);
    gl_rig_close(&rig);
}

static void no_work(void *user, uint32_t parts)
{
    (void)user;
    (void)parts;
}

/* BR-29: told of the loss, it calls GL no more, and every frame in flight ends once. */
static void a_lost_context_is_left_alone(void **state)
{
    (void)state;
    for (int elapsed = 0; elapsed < 2; elapsed++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, elapsed != 0);
        gl_rig_open(&rig);
        for (int i = 0; i < 3; i++) {
            passtime_recorder *rec = gl_rig_begin(&rig);
            gl_rig_pass(&rig, rec, "pending", 50);
            gl_rig_end(&rig, rec);
        }
        passtime_recorder *rec = gl_rig_begin(&rig);
        passtime_begin(rec, "active");
        passtime_gl_context_lost(rig.t);
        passtime_gl_context_lost(rig.t);
        assert_int_equal(passtime_gl_self_check(rig.t, no_work, NULL), PASSTIME_LOST);
        rig.fake.current = 0;
        rig.fake.alive = 0;
        passtime_end(rec);
        passtime_begin(rec, "later");
        passtime_end(rec);
        gl_rig_end(&rig, rec);
        for (int i = 0; i < 3; i++) {
            gl_rig_check(gl_rig_next(&rig), 0, PASSTIME_LOST_DEVICE, 0);
        }
        gl_rig_check(gl_rig_next(&rig), 0, PASSTIME_REFUSED, 0);
        assert_null(gl_rig_begin(&rig));
        assert_int_equal(gl_rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_LOST], 1);
        assert_int_equal(rig.said[PASSTIME_LOG_DEVICE_LOST], 1);
        assert_true(gl_rig_info(&rig).lost);
        assert_false(passtime_gl_disjoint(rig.t));
        passtime_gl_pause(rig.t);
        passtime_gl_resume(rig.t);
        gl_rig_close(&rig);
    }
}

static void *current_of(void *user)
{
    struct gl_fake *fake = user;
    return fake->current != 0 ? &fake->log[fake->current] : NULL;
}

/* With the app's help no call reaches a foreign context, from wherever it comes. */
static void another_context_is_never_touched(void **state)
{
    (void)state;
    for (int elapsed = 0; elapsed < 2; elapsed++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, elapsed != 0);
        rig.gl.current_context = current_of;
        rig.gl.user = &rig.fake;
        gl_rig_open(&rig);
        passtime_recorder *rec = gl_rig_begin(&rig);
        gl_rig_pass(&rig, rec, "mine", 100);
        passtime_begin(rec, "half");
        for (int other = 0; other < 3; other += 2) {
            rig.fake.current = other;
            gl_rig_pass(&rig, rec, "foreign", 100);
            passtime_collect(rig.t);
            assert_null(passtime_frame_begin(rig.t, 1000));
            assert_false(passtime_gl_disjoint(rig.t));
            passtime_gl_pause(rig.t);
            passtime_gl_resume(rig.t);
        }
        passtime_end(rec);
        rig.fake.current = 1;
        gl_rig_pass(&rig, rec, "mine again", 200);
        gl_rig_end(&rig, rec);
        const passtime_frame *frame = gl_rig_next(&rig);
        gl_rig_check(frame, 0, PASSTIME_GOOD, 100);
        gl_rig_check(frame, 1, PASSTIME_REFUSED, 0);
        gl_rig_check(frame, 2, PASSTIME_REFUSED, 0);
        gl_rig_check(frame, 3, PASSTIME_REFUSED, 0);
        gl_rig_check(frame, 4, PASSTIME_GOOD, 200);
        assert_true(gl_rig_info(&rig).not_current >= 10);
        assert_true(rig.said[PASSTIME_LOG_NOT_CURRENT] >= 3);
        rig.fake.current = 2; /* Destroyed while another one is current: its queries stay. */
        passtime_destroy(&rig.t);
        assert_true(rig.fake.alive > 0);
        rig.fake.alive = 0;
        gl_rig_close(&rig);
    }
}

/* After a reset everything reads as available and 0. Nothing of it becomes a time, told or not. */
static void a_reset_that_nobody_told_of(void **state)
{
    (void)state;
    for (int elapsed = 0; elapsed < 2; elapsed++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, elapsed != 0);
        gl_rig_open(&rig);
        passtime_recorder *rec = gl_rig_begin(&rig);
        gl_rig_pass(&rig, rec, "pending", 50);
        gl_rig_end(&rig, rec);
        rig.fake.reset = true;
        const passtime_frame *frame = NULL;
        assert_int_equal(passtime_next(rig.t, &frame), PASSTIME_PENDING);
        assert_null(gl_rig_begin(&rig));
        rig.now_ns += 11000000000ull;
        gl_rig_check(gl_rig_next(&rig), 0, PASSTIME_TIMED_OUT, 0);
        assert_true(gl_rig_info(&rig).not_current > 0);
        passtime_destroy(&rig.t);
        rig.fake.alive = 0;
        gl_rig_close(&rig);
    }
}

/* BR-24: what never comes is given up, and its queries serve again. */
static void a_query_that_never_ends(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.desc.frames_in_flight = 1;
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    gl_rig_pass(&rig, rec, "stuck", 50);
    gl_rig_end(&rig, rec);
    for (int i = 0; i < 5; i++) {
        passtime_recorder *skipped = gl_rig_begin(&rig);
        assert_null(skipped);
        gl_rig_pass(&rig, skipped, "no room", 50);
        gl_rig_end(&rig, skipped);
    }
    rig.now_ns += 11000000000ull;
    passtime_collect(rig.t);
    const passtime_frame *frame = NULL;
    assert_int_equal(passtime_next(rig.t, &frame), PASSTIME_OK);
    gl_rig_check(frame, 0, PASSTIME_TIMED_OUT, 0);
    assert_int_equal(rig.said[PASSTIME_LOG_TIMED_OUT], 1);
    gl_rig_check(gl_rig_frame(&rig, 60), 0, PASSTIME_GOOD, 60);
    gl_rig_close(&rig);
}

/* A query that was issued in another life of its place, and not in this one, is not read. */
static void only_what_was_issued_is_read(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.desc.frames_in_flight = 1;
    gl_rig_open(&rig);
    passtime_recorder *rec = gl_rig_begin(&rig);
    gl_rig_pass(&rig, rec, "stuck", 50);
    for (unsigned id = 1; id < rig.fake.next_name; id++) {
        rig.fake.queries[id].never = true;
    }
    gl_rig_end(&rig, rec);
    rig.now_ns += 11000000000ull;
    gl_rig_check(gl_rig_next(&rig), 0, PASSTIME_TIMED_OUT, 0);
    rec = gl_rig_begin(&rig);
    passtime_begin(rec, "not ended");
    gl_rig_pass(&rig, rec, "whole", 60);
    gl_rig_end(&rig, rec);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_UNFINISHED, 0);
    gl_rig_check(frame, 1, PASSTIME_GOOD, 60);
    gl_rig_close(&rig);
}

/* Each GL context has its timer; neither sees the other. */
static void two_timers(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_open(&rig);
    passtime *other = NULL;
    assert_int_equal(passtime_create_gl(&rig.gl, &rig.desc, &other), PASSTIME_OK);
    passtime_recorder *mine = gl_rig_begin(&rig);
    passtime_recorder *theirs = passtime_frame_begin(other, 1);
    passtime_begin(mine, "mine");
    gl_rig_pass(&rig, theirs, "theirs", 200);
    passtime_end(mine);
    passtime_submitted(theirs);
    passtime_frame_end(other, 1);
    gl_rig_end(&rig, mine);
    const passtime_frame *frame = gl_rig_next(&rig);
    gl_rig_check(frame, 0, PASSTIME_GOOD, 200);
    assert_string_equal(frame->samples[0].name, "mine");
    assert_int_equal(passtime_next(other, &frame), PASSTIME_OK);
    assert_string_equal(frame->samples[0].name, "theirs");
    passtime_destroy(&other);
    gl_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disjoint_before_create_is_cleared),
        cmocka_unit_test(a_disjoint_voids_what_is_under_way),
        cmocka_unit_test(the_flag_is_read_after_availability),
        cmocka_unit_test(the_flag_is_shared),
        cmocka_unit_test(desktop_is_never_asked),
        cmocka_unit_test(a_lost_context_is_left_alone),
        cmocka_unit_test(another_context_is_never_touched),
        cmocka_unit_test(a_reset_that_nobody_told_of),
        cmocka_unit_test(a_query_that_never_ends),
        cmocka_unit_test(only_what_was_issued_is_read),
        cmocka_unit_test(two_timers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
