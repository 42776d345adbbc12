/* SPDX-License-Identifier: MIT */
/* Frames, recorders and results in orders that apps really call them in, right and wrong. */
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

/* Recorders asked for beyond max_recorders are refused, and spoil no memory: what the slots gave
 * before is still known afterwards. */
static void recorders_overflow(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.frames_in_flight = 1;
    rig.desc.max_recorders = 2;
    rig.desc.max_passes = 64;
    rig_open(&rig);
    for (uint32_t round = 0; round < 2; round++) {
        passtime_recorder *rec = rig_begin(&rig);
        assert_non_null(rec);
        uint64_t at = gpu(&rig);
        for (uint32_t p = 0; p < 64; p++) {
            uint64_t begin = round == 0 ? at + p * 1000u : rig.ticks[2 * p];
            rig_pass(&rig, rec, "a", begin, begin + 100);
        }
        passtime_recorder *second = passtime_recorder_begin(rig.t, rig.frame - 1);
        assert_non_null(second);
        for (uint32_t i = 0; i < 100; i++) {
            assert_null(passtime_recorder_begin(rig.t, rig.frame - 1));
        }
        passtime_submitted(second);
        rig_finish(&rig, rec, 8 * MS);
        const passtime_frame *frame = rig_next(&rig);
        for (uint32_t p = 0; p < 64; p++) {
            assert_int_equal(frame->samples[p].verdict,
                             round == 0 ? PASSTIME_GOOD : PASSTIME_STALE);
        }
    }
    assert_true(rig.said[PASSTIME_LOG_RECORDER_OVERFLOW] > 0);
    rig_close(&rig);
}

/* A frame whose recorder is finished after frame_end is resolved by a later call. */
static void recorder_finishes_last(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    passtime_recorder *slow = passtime_recorder_begin(rig.t, 0);
    uint64_t at = gpu(&rig);
    rig_pass(&rig, rec, "a", at, at + MS);
    passtime_submitted(rec);
    assert_int_equal(passtime_frame_end(rig.t, 0), PASSTIME_OK);
    passtime_feed_results none = PASSTIME_FEED_RESULTS_INIT;
    assert_int_equal(passtime_feed_results_ready(rig.t, 0, &none), PASSTIME_INVALID);
    rig_pass(&rig, slow, "b", at + 2 * MS, at + 3 * MS);
    passtime_submitted(slow);
    passtime_collect(rig.t);
    rig.now_ns += 8 * MS;
    rig_results(&rig, 0, PASSTIME_FEED_OK);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->sample_count, 2);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* Calls out of order are refused and counted, and leave the frame as it was. */
static void calls_out_of_order(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    assert_null(passtime_recorder_begin(rig.t, 0)); /* Not begun: silently not timed. */
    assert_int_equal(passtime_frame_end(rig.t, 0), PASSTIME_EMPTY);
    assert_int_equal(rig_ledger(&rig).misuses, 0);
    passtime_recorder *rec = rig_begin(&rig);
    assert_null(passtime_frame_begin(rig.t, 0));
    assert_int_equal(rig_ledger(&rig).fates[PASSTIME_FRAME_REFUSED], 1);
    assert_int_equal(rig_ledger(&rig).misuses, 1);
    uint64_t at = gpu(&rig);
    rig_pass(&rig, rec, "a", at, at + MS);
    assert_int_equal(passtime_frame_end(rig.t, 0), PASSTIME_OK);
    assert_int_equal(passtime_frame_end(rig.t, 0), PASSTIME_INVALID);
    assert_null(passtime_recorder_begin(rig.t, 0)); /* It has ended. */
    assert_int_equal(rig_ledger(&rig).misuses, 3);
    passtime_submitted(rec);
    passtime_discarded(rec);
    passtime_begin(rec, "late");
    passtime_end(rec);
    passtime_scope_begin(rec, "late");
    passtime_scope_end(rec);
    assert_int_equal(passtime_feed_pass(rec, "late"), PASSTIME_NONE);
    assert_int_equal(rig_ledger(&rig).misuses, 9);
    passtime_collect(rig.t);
    rig.now_ns += 8 * MS;
    rig_results(&rig, 0, PASSTIME_FEED_OK);
    passtime_feed_results again = PASSTIME_FEED_RESULTS_INIT;
    assert_int_equal(passtime_feed_results_ready(rig.t, 0, &again), PASSTIME_INVALID);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->sample_count, 1);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_non_null(passtime_frame_begin(rig.t, 0)); /* Its number is free again. */
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* An app that never takes its frames can't fill the ring: the oldest give way and are counted. */
static void frames_not_taken(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.output_frames = 2;
    rig_open(&rig);
    for (uint32_t i = 0; i < 10; i++) {
        rig_frame(&rig, "a", gpu(&rig) + 17 * MS, gpu(&rig) + 17 * MS + 100 + i);
        passtime_collect(rig.t);
    }
    assert_int_equal(rig_ledger(&rig).frames_not_taken, 8);
    assert_int_equal(rig_ledger(&rig).fates[PASSTIME_FRAME_COMPLETE], 10);
    const passtime_frame *held = rig_next(&rig);
    assert_int_equal(held->number, 8);
    for (uint32_t i = 0; i < 10; i++) { /* The one that the app holds stays what it is. */
        rig_frame(&rig, "b", gpu(&rig) + 17 * MS, gpu(&rig) + 18 * MS);
        passtime_collect(rig.t);
        assert_int_equal(held->number, 8);
        assert_int_equal(held->samples[0].duration_ns, 108);
        assert_string_equal(held->samples[0].name, "a");
    }
    assert_int_equal(rig_next(&rig)->number, 18);
    assert_int_equal(rig_next(&rig)->number, 19);
    const passtime_frame *none = NULL;
    assert_int_equal(passtime_next(rig.t, &none), PASSTIME_EMPTY);
    assert_null(none);
    assert_int_equal(rig_series(&rig, "a").stats.count, 10); /* Statistics saw them all. */
    rig_close(&rig);
}

/* Passes and scopes beyond what there is room for keep the nesting of those that have room. */
static void overflow_keeps_the_nesting(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.max_passes = 2;
    rig.desc.max_scopes = 1;
    rig_open(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t at = gpu(&rig);
    passtime_scope_begin(rec, "scope");
    passtime_begin(rec, "outer");
    passtime_scope_begin(rec, "no room");
    passtime_begin(rec, "inner");
    passtime_begin(rec, "no slot");
    passtime_end(rec);
    passtime_end(rec); /* inner */
    passtime_scope_end(rec);
    passtime_end(rec); /* outer */
    passtime_scope_end(rec);
    passtime_end(rec);       /* One too many, */
    passtime_scope_end(rec); /* both of them. */
    assert_int_equal(rig_ledger(&rig).orphan_ends, 2);
    const uint64_t ticks[] = {at, at + 9 * MS, at + MS, at + 2 * MS};
    memcpy(rig.ticks, ticks, sizeof(ticks));
    rig.pairs = 2;
    rig_finish(&rig, rec, 16 * MS);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_INCOMPLETE);
    assert_int_equal(frame->passes_without_slot, 1);
    assert_int_equal(frame->samples[1].parent, 0);
    assert_int_equal(frame->samples[0].exclusive_ns, 8 * MS);
    assert_int_equal(frame->scope_count, 1);
    assert_false(frame->scopes[0].complete);
    assert_int_equal(frame->scopes[0].sample_count, 2);
    assert_int_equal(rig_ledger(&rig).verdicts[PASSTIME_NO_SLOT], 1);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* Ticks that stayed out: what the slots hold then is not known, so the same value a frame later,
 * from a slot that was not written again, is no sample. */
static void missing_ticks_are_not_remembered(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.frames_in_flight = 1;
    rig_open(&rig);
    rig_frame(&rig, "a", gpu(&rig) + 17 * MS, gpu(&rig) + 18 * MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_GOOD);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t unread = gpu(&rig);
    rig_pass(&rig, rec, "a", 0, 0);
    rig.pairs = 0;
    rig_finish(&rig, rec, 8 * MS);
    rig_results(&rig, 1, PASSTIME_FEED_OK);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_NOT_EXECUTED);
    rig_frame(&rig, "a", unread, unread + MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_STALE);
    rig_frame(&rig, "a", gpu(&rig) + 20 * MS, gpu(&rig) + 21 * MS);
    assert_int_equal(rig_next(&rig)->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(rig_series(&rig, "a").stats.count, 2);
    rig_close(&rig);
}

/* The results of a later frame come first: each frame keeps its own figures, and no clock was
 * reset. */
static void results_out_of_order(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    uint64_t at[40];
    for (uint32_t i = 0; i < 40; i += 2) {
        for (uint32_t k = 0; k < 2; k++) {
            passtime_recorder *rec = rig_begin(&rig);
            at[i + k] = gpu(&rig);
            passtime_feed_pass(rec, "a");
            passtime_submitted(rec);
            passtime_frame_end(rig.t, i + k);
        }
        rig.now_ns += 8 * MS;
        for (uint32_t k = 2; k-- > 0;) {
            rig.pairs = 1;
            rig.ticks[0] = at[i + k];
            rig.ticks[1] = at[i + k] + 1000 + i + k;
            rig_results(&rig, i + k, PASSTIME_FEED_OK);
            const passtime_frame *frame = rig_next(&rig);
            assert_int_equal(frame->number, i + k);
            assert_int_equal(frame->busy_ns, 1000 + i + k);
            assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
            assert_int_equal(frame->clock_epoch, 0);
        }
    }
    assert_int_equal(rig.said[PASSTIME_LOG_CLOCK_RESET], 0);
    rig_close(&rig);
}

/* Destroyed in any state that a frame can be in. */
static void destroyed_in_flight(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    rig_frame(&rig, "judged and held", gpu(&rig) + 17 * MS, gpu(&rig) + 18 * MS);
    rig_next(&rig);
    rig_frame(&rig, "judged", gpu(&rig) + 17 * MS, gpu(&rig) + 18 * MS);
    passtime_collect(rig.t);
    rig_frame(&rig, "results given", gpu(&rig) + 17 * MS, gpu(&rig) + 18 * MS);
    passtime_recorder *rec = rig_begin(&rig);
    passtime_feed_pass(rec, "results awaited");
    passtime_submitted(rec);
    passtime_frame_end(rig.t, rig.frame - 1);
    rec = rig_begin(&rig);
    passtime_scope_begin(rec, "open");
    passtime_begin(rec, "open");
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorders_overflow),
        cmocka_unit_test(recorder_finishes_last),
        cmocka_unit_test(calls_out_of_order),
        cmocka_unit_test(frames_not_taken),
        cmocka_unit_test(overflow_keeps_the_nesting),
        cmocka_unit_test(missing_ticks_are_not_remembered),
        cmocka_unit_test(results_out_of_order),
        cmocka_unit_test(destroyed_in_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
