/* SPDX-License-Identifier: MIT */
/* The feed backend: every way to give results, and what becomes of those that are not right. */
#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

static uint64_t gpu(const struct rig *rig)
{
    return rig->now_ns + 7777777777u;
}

/* A frame of two passes, ended and awaiting its results. */
static uint64_t await(struct rig *rig)
{
    passtime_recorder *rec = rig_begin(rig);
    assert_int_equal(passtime_feed_pass(rec, "a"), 0);
    assert_int_equal(passtime_feed_pass_id(rec, passtime_intern(rig->t, "b")), 1);
    passtime_submitted(rec);
    assert_int_equal(passtime_frame_end(rig->t, rig->frame - 1), PASSTIME_OK);
    rig->now_ns += 8 * MS;
    return rig->frame - 1;
}

static passtime_feed_results results_of(const uint64_t *ticks)
{
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.ticks = ticks;
    results.tick_count = 4;
    return results;
}

/* Each status ends the frame with its own verdict, and none reads the ticks. */
static void statuses_become_verdicts(void **state)
{
    (void)state;
    static const struct {
        passtime_feed_status status;
        passtime_verdict verdict;
    } rows[] = {{PASSTIME_FEED_LOST, PASSTIME_LOST_DEVICE},
                {PASSTIME_FEED_MAP_FAILED, PASSTIME_MAP_FAILED},
                {PASSTIME_FEED_DISJOINT, PASSTIME_DISJOINT},
                {PASSTIME_FEED_LATE, PASSTIME_LATE_SUBMIT}};
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t number = await(&rig);
        passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
        results.status = rows[i].status;
        results.tick_count = 4; /* of an array that is not there */
        assert_int_equal(passtime_feed_results_ready(rig.t, number, &results), PASSTIME_OK);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
        assert_int_equal(frame->samples[0].verdict, rows[i].verdict);
        assert_int_equal(frame->samples[1].verdict, rows[i].verdict);
        assert_int_equal(rig_ledger(&rig).verdicts[rows[i].verdict], 2);
    }
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* Where the API says what was written, it is believed, and 0 is a tick like any other. */
static void availability(void **state)
{
    (void)state;
    static const struct {
        uint8_t available[4];
        passtime_verdict a;
        passtime_verdict b;
    } rows[] = {{{1, 1, 1, 1}, PASSTIME_GOOD, PASSTIME_GOOD},
                {{0, 0, 1, 1}, PASSTIME_NOT_EXECUTED, PASSTIME_GOOD},
                {{1, 0, 0, 1}, PASSTIME_HALF_WRITTEN, PASSTIME_HALF_WRITTEN},
                {{0, 0, 0, 0}, PASSTIME_NOT_EXECUTED, PASSTIME_NOT_EXECUTED}};
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t number = await(&rig);
        uint64_t at = gpu(&rig) - 7 * MS;
        const uint64_t ticks[] = {at, at + 100, at + 200, at + 300};
        passtime_feed_results results = results_of(ticks);
        results.available = rows[i].available;
        assert_int_equal(passtime_feed_results_ready(rig.t, number, &results), PASSTIME_OK);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->samples[0].verdict, rows[i].a);
        assert_int_equal(frame->samples[1].verdict, rows[i].b);
    }
    rig_close(&rig);
    rig_init(&rig);
    rig.now_ns = 0;
    rig_open(&rig);
    uint64_t number = await(&rig);
    static const uint64_t from_zero[] = {0, 500, 0, 0};
    static const uint8_t all[] = {1, 1, 1, 1};
    passtime_feed_results results = results_of(from_zero);
    results.available = all;
    assert_int_equal(passtime_feed_results_ready(rig.t, number, &results), PASSTIME_OK);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->samples[0].duration_ns, 500);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_BELOW_RESOLUTION);
    rig_close(&rig);
}

/* Fewer ticks than slots: what is missing was not executed, and nothing beyond is read. */
static void fewer_ticks(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= 4; count++) {
        struct rig rig;
        rig_init(&rig);
        rig_open(&rig);
        uint64_t number = await(&rig);
        uint64_t at = gpu(&rig) - 7 * MS;
        const uint64_t ticks[] = {at, at + 100, at + 200, at + 300};
        passtime_feed_results results = results_of(count > 0 ? ticks : NULL);
        results.tick_count = count > 0 ? count : 4;
        assert_int_equal(passtime_feed_results_ready(rig.t, number, &results), PASSTIME_OK);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->samples[0].verdict,
                         count >= 2 ? PASSTIME_GOOD : PASSTIME_NOT_EXECUTED);
        assert_int_equal(frame->samples[1].verdict,
                         count >= 4 ? PASSTIME_GOOD : PASSTIME_NOT_EXECUTED);
        rig_close(&rig);
    }
}

/* Results that nobody awaits, or that are not whole, are refused and change nothing. */
static void results_refused(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    passtime_feed_results results = results_of(NULL);
    assert_int_equal(passtime_feed_results_ready(rig.t, 0, &results), PASSTIME_INVALID);
    assert_int_equal(passtime_feed_results_ready(NULL, 0, &results), PASSTIME_INVALID);
    passtime_recorder *rec = rig_begin(&rig);
    passtime_feed_pass(rec, "a");
    assert_int_equal(passtime_feed_results_ready(rig.t, 0, &results), PASSTIME_INVALID);
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 0);
    assert_int_equal(passtime_feed_results_ready(rig.t, 0, NULL), PASSTIME_INVALID);
    results.size--;
    assert_int_equal(passtime_feed_results_ready(rig.t, 0, &results), PASSTIME_INVALID);
    results.size++;
    rig.now_ns += 11000ull * MS; /* It is given up … */
    passtime_collect(rig.t);
    assert_int_equal(passtime_feed_results_ready(rig.t, 0, &results),
                     PASSTIME_INVALID); /* … for good. */
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_TIMED_OUT);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* The completion was seen when the caller says: the envelope ends there. */
static void seen_by_the_caller(void **state)
{
    (void)state;
    for (uint32_t late = 0; late < 2; late++) {
        struct rig rig;
        rig_init(&rig);
        rig_open(&rig);
        uint64_t number = await(&rig);
        uint64_t begun = rig.now_ns - 8 * MS;
        const uint64_t ticks[] = {gpu(&rig) - 8 * MS, gpu(&rig) - 4 * MS, 0, 0};
        passtime_feed_results results = results_of(ticks);
        results.seen_ns = late ? rig.now_ns : begun + 3 * MS; /* before the pass can have ended */
        assert_int_equal(passtime_feed_results_ready(rig.t, number, &results), PASSTIME_OK);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->samples[0].verdict, late ? PASSTIME_GOOD : PASSTIME_BACKWARD);
        assert_int_equal(frame->cpu_seen_ns, results.seen_ns);
        rig_close(&rig);
    }
}

/* Elapsed queries have durations and no positions: a serial sum, no span, shares all the same. */
static void elapsed_queries(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.feed.source = PASSTIME_GPU_ELAPSED;
    rig_open(&rig);
    for (uint32_t i = 0; i < 30; i++) {
        uint64_t number = await(&rig);
        const uint64_t ticks[] = {3000, 0, i % 10 == 0 ? 0u : 1000u, 0};
        passtime_feed_results results = results_of(ticks);
        assert_int_equal(passtime_feed_results_ready(rig.t, number, &results), PASSTIME_OK);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->flags & PASSTIME_FLAG_SERIAL_SUM, PASSTIME_FLAG_SERIAL_SUM);
        assert_false(frame->has_span);
        assert_int_equal(frame->busy_ns, i % 10 == 0 ? 3000 : 4000);
        assert_int_equal(frame->sum_ns, frame->busy_ns);
        const passtime_sample *s = frame->samples;
        assert_int_equal(s[0].source, PASSTIME_GPU_ELAPSED);
        assert_int_equal(s[0].flags & PASSTIME_FLAG_NO_POSITION, PASSTIME_FLAG_NO_POSITION);
        assert_int_equal(s[0].begin_ns + s[0].end_ns, 0);
        assert_int_equal(s[0].attributed_ns + s[1].attributed_ns, frame->busy_ns);
        assert_int_equal(s[1].verdict, i % 10 == 0 ? PASSTIME_BELOW_RESOLUTION : PASSTIME_GOOD);
    }
    passtime_stats stats;
    assert_int_equal(passtime_frame_stats(rig.t, PASSTIME_TOTAL_SPAN, &stats), PASSTIME_OK);
    assert_int_equal(stats.count, 0);
    assert_int_equal(passtime_frame_stats(rig.t, PASSTIME_TOTAL_BUSY, &stats), PASSTIME_OK);
    assert_int_equal(stats.count, 30);
    rig_close(&rig);
}

/* Lost while a frame is being recorded: it ends as lost, its passes too, and the new device starts
 * clean. */
static void lost_while_recording(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.frames_in_flight = 1;
    rig_open(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    passtime_feed_pass(rec, "a");
    passtime_feed_lost(rig.t, true);
    passtime_feed_pass(rec, "b");
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 0);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_LOST_DEVICE);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_LOST_DEVICE);
    assert_null(passtime_frame_begin(rig.t, 1));
    passtime_feed_lost(rig.t, false);
    rig.frame = 2;
    rig_frame(&rig, "a", gpu(&rig) + 17 * MS, gpu(&rig) + 18 * MS);
    assert_int_equal(rig_next(&rig)->fate,
                     PASSTIME_FRAME_COMPLETE); /* Its slots are known to be new. */
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* The device is lost and another taken up before anybody collects: what was in flight or being
 * recorded is gone all the same, once, and results that come later are not taken. What had come
 * before is still true. */
static void lost_and_found_between_two_calls(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    const uint64_t given = await(&rig);
    const uint64_t at = gpu(&rig) - 7 * MS;
    const uint64_t ticks[] = {at, at + 100, at + 200, at + 300};
    passtime_feed_results results = results_of(ticks);
    assert_int_equal(passtime_feed_results_ready(rig.t, given, &results), PASSTIME_OK);
    const uint64_t flying = await(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    passtime_feed_pass(rec, "a");
    assert_int_equal(rig_next(&rig)->fate, PASSTIME_FRAME_COMPLETE);
    passtime_feed_lost(rig.t, true);
    passtime_feed_lost(rig.t, false);
    assert_int_equal(passtime_feed_results_ready(rig.t, flying, &results), PASSTIME_INVALID);
    passtime_submitted(rec);
    assert_int_equal(passtime_frame_end(rig.t, rig.frame - 1), PASSTIME_OK);
    assert_int_equal(passtime_feed_results_ready(rig.t, rig.frame - 1, &results), PASSTIME_INVALID);
    for (uint64_t number = flying; number <= flying + 1; number++) {
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->number, number);
        assert_int_equal(frame->samples[0].verdict, PASSTIME_LOST_DEVICE);
    }
    assert_int_equal(rig_drain(&rig), 0);
    rig_frame(&rig, "a", gpu(&rig) + 17 * MS, gpu(&rig) + 18 * MS);
    assert_int_equal(rig_next(&rig)->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(rig_ledger(&rig).verdicts[PASSTIME_LOST_DEVICE], 3);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* What else happens while the results of a frame are being taken, on the context's clock. */
struct meanwhile {
    struct rig rig;
    bool armed;
    passtime_recorder *rec; /* of the next frame */
    passtime_result given;  /* of its results */
    uint64_t ticks[4];      /* these */
};

static uint64_t clock_of_a_busy_app(void *user)
{
    struct meanwhile *m = user;
    struct rig *rig = &m->rig;
    if (m->armed) {
        m->armed = false;
        passtime_collect(rig->t);
        rig->now_ns += 11000ull * MS;
        passtime_collect(rig->t); /* given up */
        m->rec = rig_begin(rig);
        passtime_feed_pass(m->rec, "a");
        passtime_feed_pass(m->rec, "b");
        passtime_submitted(m->rec);
        passtime_frame_end(rig->t, rig->frame - 1);
        rig->now_ns += 8 * MS;
        passtime_feed_results results = results_of(m->ticks);
        m->given = passtime_feed_results_ready(rig->t, rig->frame - 1, &results);
    }
    return rig->now_ns;
}

/* A frame is given up while its results are being taken: its entry goes to no other frame before
 * that is done, or these would be the other's times. */
static void given_up_while_results_are_taken(void **state)
{
    (void)state;
    for (uint32_t entries = 1; entries <= 2; entries++) {
        struct meanwhile m = {.armed = false};
        struct rig *rig = &m.rig;
        rig_init(rig);
        rig->desc.frames_in_flight = entries;
        rig->desc.clock = clock_of_a_busy_app;
        rig->desc.clock_user = &m;
        rig_open(rig);
        const uint64_t number = await(rig);
        const uint64_t at = gpu(rig) - 7 * MS;
        const uint64_t late = at + 11016ull * MS;
        const uint64_t ticks[] = {at, at + 100, at + 200, at + 300};
        const uint64_t other[] = {late, late + 5000, late + 6000, late + 8000};
        memcpy(m.ticks, other, sizeof(other));
        const passtime_feed_results results = results_of(ticks);
        m.armed = true;
        assert_int_equal(passtime_feed_results_ready(rig->t, number, &results), PASSTIME_INVALID);
        assert_int_equal(rig_next(rig)->samples[0].verdict, PASSTIME_TIMED_OUT);
        if (entries == 1) {
            assert_null(m.rec); /* not timed, and never with the other's stamps */
        } else {
            assert_int_equal(m.given, PASSTIME_OK);
            assert_int_equal(rig_next(rig)->samples[0].duration_ns, 5000);
        }
        assert_int_equal(rig_drain(rig), 0);
        rig_frame(rig, "a", gpu(rig) + 17 * MS, gpu(rig) + 18 * MS);
        assert_int_equal(rig_next(rig)->number, rig->frame - 1);
        rig_check_ledger(rig);
        rig_close(rig);
    }
}

/* A pair is its recorder's, and only while that records. */
static void pairs_of_other_recorders(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    passtime_recorder *a = rig_begin(&rig);
    passtime_recorder *b = passtime_recorder_begin(rig.t, rig.frame - 1);
    passtime_recorder *c = passtime_recorder_begin(rig.t, rig.frame - 1);
    uint64_t at = gpu(&rig);
    rig_pass(&rig, a, "of a", at, at + MS);
    rig_pass(&rig, b, "of b", at + MS, at + 2 * MS);
    rig_pass(&rig, c, "of c", at + 2 * MS, at + 3 * MS);
    passtime_feed_refuse(a, 1);
    passtime_feed_flag(b, 0, PASSTIME_FLAG_IMPLIED_END);
    passtime_feed_refuse(a, 3); /* not handed out */
    passtime_feed_refuse(NULL, 0);
    passtime_feed_flag(b, 1, PASSTIME_FLAG_IMPLIED_END);
    passtime_feed_refuse(c, 2);
    passtime_submitted(b);
    passtime_feed_refuse(b, 1); /* too late */
    passtime_submitted(c);
    rig_finish(&rig, a, 8 * MS);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->sample_count, 3);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_GOOD);
    assert_int_equal(frame->samples[2].verdict, PASSTIME_REFUSED);
    assert_int_equal(frame->samples[0].flags & PASSTIME_FLAG_IMPLIED_END, 0);
    assert_int_not_equal(frame->samples[1].flags & PASSTIME_FLAG_IMPLIED_END, 0);
    rig_close(&rig);
}

/* One encoder is closed while a pass is open on another: the other's pass is none of its business
 * (BR-40). */
static void recorders_do_not_mix(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    passtime_recorder *a = rig_begin(&rig);
    passtime_recorder *b = passtime_recorder_begin(rig.t, 0);
    uint64_t at = gpu(&rig);
    passtime_scope_begin(a, "scope of a");
    passtime_begin(a, "on a");
    passtime_begin(b, "on b");
    passtime_end(b);
    passtime_end(b); /* Not a's. */
    passtime_scope_end(b);
    passtime_submitted(b);
    passtime_end(a);
    passtime_scope_end(a);
    const uint64_t ticks[] = {at, at + 5 * MS, at + MS, at + 2 * MS};
    memcpy(rig.ticks, ticks, sizeof(ticks));
    rig.pairs = 2;
    rig_finish(&rig, a, 8 * MS);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->samples[1].parent, PASSTIME_NONE);
    assert_int_equal(frame->samples[1].scope, PASSTIME_NONE);
    assert_int_equal(frame->samples[0].scope, 0);
    assert_int_equal(rig_ledger(&rig).orphan_ends, 2);
    rig_close(&rig);
}

/* Results without frames: a compute program asks when it likes (BR-47). */
static void results_without_frames(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    uint64_t number = await(&rig);
    uint64_t at = gpu(&rig) - 7 * MS;
    const uint64_t ticks[] = {at, at + 100, at + 200, at + 300};
    passtime_feed_results results = results_of(ticks);
    assert_int_equal(passtime_feed_results_ready(rig.t, number, &results), PASSTIME_OK);
    passtime_collect(rig.t);
    assert_int_equal(rig_series(&rig, "a").stats.count, 1); /* Judged, though no frame followed. */
    assert_int_equal(rig_next(&rig)->fate, PASSTIME_FRAME_COMPLETE);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_become_verdicts),
        cmocka_unit_test(availability),
        cmocka_unit_test(fewer_ticks),
        cmocka_unit_test(results_refused),
        cmocka_unit_test(seen_by_the_caller),
        cmocka_unit_test(elapsed_queries),
        cmocka_unit_test(lost_while_recording),
        cmocka_unit_test(lost_and_found_between_two_calls),
        cmocka_unit_test(given_up_while_results_are_taken),
        cmocka_unit_test(pairs_of_other_recorders),
        cmocka_unit_test(recorders_do_not_mix),
        cmocka_unit_test(results_without_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
