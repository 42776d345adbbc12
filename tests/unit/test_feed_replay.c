/* SPDX-License-Identifier: MIT */
/* What the feed backend offers to those who replay frames that were recorded elsewhere. */
#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MS = 1000000 };

static void end_frame(struct rig *rig, passtime_recorder *rec)
{
    passtime_submitted(rec);
    assert_int_equal(passtime_frame_end(rig->t, rig->frame - 1), PASSTIME_OK);
    rig->now_ns += 8 * MS;
}

static const passtime_frame *give(struct rig *rig, const uint64_t *ticks, const uint64_t *baseline,
                                  uint32_t count)
{
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.ticks = ticks;
    results.baseline = baseline;
    results.tick_count = count;
    assert_int_equal(passtime_feed_results_ready(rig->t, rig->frame - 1, &results), PASSTIME_OK);
    return rig_next(rig);
}

/* A baseline says what is stale, whatever the slot of this context gave before. */
static void baseline_replaces_memory(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    uint64_t kept[4] = {0};
    for (uint32_t frame = 0; frame < 6; frame++) {
        passtime_recorder *rec = rig_begin(&rig);
        uint64_t at = rig_gpu(&rig);
        passtime_feed_pass(rec, "a");
        passtime_feed_pass(rec, "b");
        end_frame(&rig, rec);
        /* The same two queries each time: b's stop being written after the first frame. */
        const uint64_t ticks[4] = {at + 100, at + 900, frame == 0 ? at + 1000 : kept[2],
                                   frame == 0 ? at + 1500 : kept[3]};
        const passtime_frame *judged = give(&rig, ticks, kept, 4);
        assert_int_equal(judged->samples[0].verdict, PASSTIME_GOOD);
        assert_int_equal(judged->samples[0].duration_ns, 800);
        assert_int_equal(judged->samples[1].verdict, frame == 0 ? PASSTIME_GOOD : PASSTIME_STALE);
        for (uint32_t i = 0; i < 4; i++)
            kept[i] = ticks[i];
    }
    rig_check_ledger(&rig);
    rig_close(&rig);
}

static void refused_flagged_and_nested(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t at = rig_gpu(&rig);
    uint32_t outer = passtime_feed_open(rec, "outer");
    uint32_t inner = passtime_feed_open(rec, "inner");
    assert_int_equal(outer, 0);
    assert_int_equal(inner, 1);
    passtime_end(rec);
    passtime_end(rec);
    passtime_feed_flag(rec, outer, PASSTIME_FLAG_IMPLIED_END);
    uint32_t gone = passtime_feed_pass(rec, "gone");
    passtime_feed_refuse(rec, gone);
    passtime_feed_refuse(rec, PASSTIME_NONE); /* Not timed: nothing to refuse. */
    passtime_feed_flag(rec, PASSTIME_NONE, PASSTIME_FLAG_IMPLIED_END);
    (void)passtime_feed_open(rec, "open");
    end_frame(&rig, rec);
    const uint64_t ticks[8] = {at + 100, at + 900, at + 200, at + 300, at + 1, at + 2, at + 3, 0};
    const passtime_frame *judged = give(&rig, ticks, NULL, 8);
    assert_int_equal(judged->sample_count, 4);
    assert_int_equal(judged->fate, PASSTIME_FRAME_INCOMPLETE);
    assert_int_equal(judged->samples[0].flags & PASSTIME_FLAG_IMPLIED_END,
                     PASSTIME_FLAG_IMPLIED_END);
    assert_int_equal(judged->samples[0].exclusive_ns, 700);
    assert_int_equal(judged->samples[1].parent, 0);
    assert_int_equal(judged->samples[2].verdict, PASSTIME_REFUSED);
    assert_int_equal(judged->samples[3].verdict, PASSTIME_UNFINISHED);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

static void limited_and_skipped(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_feed_limit(rig.t, 1);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t at = rig_gpu(&rig);
    assert_int_equal(passtime_feed_pass(rec, "a"), 0);
    assert_int_equal(passtime_feed_pass(rec, "b"), PASSTIME_NONE);
    end_frame(&rig, rec);
    const uint64_t ticks[2] = {at + 100, at + 900};
    const passtime_frame *judged = give(&rig, ticks, NULL, 2);
    assert_int_equal(judged->passes_without_slot, 1);
    assert_int_equal(judged->fate, PASSTIME_FRAME_INCOMPLETE);
    assert_int_equal(passtime_feed_skip(rig.t, PASSTIME_FRAME_SKIPPED_FULL), PASSTIME_OK);
    assert_int_equal(passtime_feed_skip(rig.t, PASSTIME_FRAME_SKIPPED_FULL), PASSTIME_OK);
    assert_int_equal(passtime_feed_skip(rig.t, PASSTIME_FRAME_COMPLETE), PASSTIME_INVALID);
    assert_int_equal(passtime_feed_skip(rig.t, PASSTIME_FRAME_REFUSED), PASSTIME_INVALID);
    passtime_feed_limit(rig.t, 0);
    rec = rig_begin(&rig);
    assert_int_equal(passtime_feed_pass(rec, "a"), 0);
    assert_int_equal(passtime_feed_pass(rec, "b"), 1);
    passtime_discarded(rec);
    passtime_frame_end(rig.t, rig.frame - 1);
    passtime_ledger ledger = rig_ledger(&rig);
    assert_int_equal(ledger.frames_seen, 4);
    assert_int_equal(ledger.fates[PASSTIME_FRAME_SKIPPED_FULL], 2);
    assert_int_equal(ledger.skip_run_max, 2);
    assert_int_equal(ledger.verdicts[PASSTIME_NO_SLOT], 1);
    assert_int_equal(ledger.verdicts[PASSTIME_DISCARDED], 2);
    rig_check_ledger(&rig);
    rig_close(&rig);
    assert_int_equal(passtime_feed_skip(NULL, PASSTIME_FRAME_SKIPPED_FULL), PASSTIME_INVALID);
    passtime_feed_limit(NULL, 1);
}

/* The CPU's time of a whole submission is one more sample; boundaries may be marked as unproved. */
static void completion_and_marks(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.feed.source = PASSTIME_CPU_RECORD;
    rig_open(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    passtime_feed_open(rec, "a");
    passtime_end(rec);
    uint64_t begun = rig.now_ns;
    end_frame(&rig, rec);
    const uint64_t ticks[2] = {begun + 100, begun + 900};
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.ticks = ticks;
    results.tick_count = 2;
    results.complete_begin_ns = begun;
    results.complete_end_ns = begun + 5000;
    assert_int_equal(passtime_feed_results_ready(rig.t, rig.frame - 1, &results), PASSTIME_OK);
    const passtime_frame *judged = rig_next(&rig);
    assert_int_equal(judged->sample_count, 2);
    assert_int_equal(judged->samples[1].source, PASSTIME_CPU_COMPLETE);
    assert_int_equal(judged->samples[1].duration_ns, 5000);
    rig_close(&rig);

    rig_init(&rig);
    rig.feed.unverified = 1;
    rig_open(&rig);
    rec = rig_begin(&rig);
    uint64_t at = rig_gpu(&rig);
    passtime_feed_pass(rec, "a");
    end_frame(&rig, rec);
    const uint64_t stamps[2] = {at + 100, at + 900};
    assert_int_equal(give(&rig, stamps, NULL, 2)->samples[0].flags,
                     PASSTIME_FLAG_BOUNDARY_UNVERIFIED);
    rig_close(&rig);
}

/* A completion is of the CPU's clock: it is not placed among the GPU's stamps, where it would fit
 * nowhere and make the frame incomplete. */
static void completion_beside_stamps_is_not_placed(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    for (uint32_t frame = 0; frame < 8; frame++) {
        passtime_recorder *rec = rig_begin(&rig);
        const uint64_t begun = rig.now_ns, at = rig_gpu(&rig);
        passtime_feed_pass(rec, "a");
        end_frame(&rig, rec);
        const uint64_t ticks[2] = {at + 1000, at + 3000};
        passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
        results.ticks = ticks;
        results.tick_count = 2;
        results.complete_begin_ns = begun + 1000;
        results.complete_end_ns = begun + 5000;
        assert_int_equal(passtime_feed_results_ready(rig.t, rig.frame - 1, &results), PASSTIME_OK);
        const passtime_frame *judged = rig_next(&rig);
        assert_int_equal(judged->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(judged->sample_count, 1);
        assert_int_equal(judged->samples[0].duration_ns, 2000);
    }
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* A recorder that is never finished holds nothing up once it is given up; so do its results. */
static void forgotten_and_timed_out(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    passtime_recorder *other = passtime_recorder_begin(rig.t, rig.frame - 1);
    uint64_t at = rig_gpu(&rig);
    uint32_t first = passtime_feed_pass(rec, "a");
    passtime_feed_pass(other, "b");
    passtime_feed_forgotten(other);
    passtime_feed_forgotten(NULL);
    end_frame(&rig, rec);
    assert_int_equal(first, 0);
    uint64_t ticks[2 * RIG_PASSES] = {at + 100, at + 900};
    const passtime_frame *judged = give(&rig, ticks, NULL, 2);
    assert_int_equal(judged->sample_count, 2);
    assert_int_equal(judged->samples[0].verdict, PASSTIME_GOOD);
    assert_int_equal(judged->samples[1].verdict, PASSTIME_NOT_SUBMITTED);
    assert_int_equal(rig_ledger(&rig).frames_in_flight, 0);
    rec = rig_begin(&rig);
    passtime_feed_pass(rec, "a");
    end_frame(&rig, rec);
    rig_results(&rig, rig.frame - 1, PASSTIME_FEED_TIMED_OUT);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_TIMED_OUT);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(baseline_replaces_memory),
        cmocka_unit_test(refused_flagged_and_nested),
        cmocka_unit_test(limited_and_skipped),
        cmocka_unit_test(completion_and_marks),
        cmocka_unit_test(forgotten_and_timed_out),
        cmocka_unit_test(completion_beside_stamps_is_not_placed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
