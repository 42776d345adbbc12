/* SPDX-License-Identifier: MIT */
/*
 * A recorder that is alone puts slots aside. What it leaves over must show nowhere: not in the
 * frames, not in the ledger, and not in how many passes a frame can have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "unit/rig.h"

static passtime_frame judged(struct rig *rig, passtime_fate fate, uint32_t samples)
{
    const passtime_frame *frame = rig_next(rig);
    assert_int_equal(frame->fate, fate);
    assert_int_equal(frame->sample_count, samples);
    return *frame;
}

static void expect_sample(const passtime_frame *frame, uint32_t index, const char *name,
                          uint32_t parent)
{
    assert_string_equal(frame->samples[index].name, name);
    assert_int_equal(frame->samples[index].parent, parent);
    assert_int_equal(frame->samples[index].verdict, PASSTIME_GOOD);
}

/* Gives every pair that a frame can have stamps of its own, and ends the frame. */
static void end_frame(struct rig *rig, uint64_t number)
{
    assert_int_equal(passtime_frame_end(rig->t, number), PASSTIME_OK);
    rig->now_ns += 8000000;
    rig->pairs = rig->desc.max_passes;
    for (uint32_t pair = 0; pair < rig->pairs; pair++) {
        rig->ticks[2 * pair] = rig->now_ns - 4000000 + 1000 * (uint64_t)pair;
        rig->ticks[2 * pair + 1] = rig->ticks[2 * pair] + 500;
    }
    rig_results(rig, number, PASSTIME_FEED_OK);
}

static void open(struct rig *rig, uint32_t max_passes)
{
    rig_init(rig);
    rig->desc.max_passes = max_passes;
    rig_open(rig);
}

static void nested_pair(passtime_recorder *rec, const char *outer, const char *inner)
{
    passtime_begin(rec, outer);
    passtime_begin(rec, inner);
    passtime_end(rec);
    passtime_end(rec);
}

/* The first recorder has slots aside when the second one takes its own behind them. */
static void gap(void **state)
{
    (void)state;
    struct rig rig;
    open(&rig, 64);
    passtime_recorder *first = rig_begin(&rig);
    assert_int_equal(passtime_feed_pass(first, "a"), 0);
    passtime_recorder *second = passtime_recorder_begin(rig.t, rig.frame - 1);
    uint32_t pair = passtime_feed_pass(second, "b");
    assert_true(pair > 1);
    nested_pair(second, "c", "d");
    nested_pair(first, "e", "f");
    assert_int_equal(rig_ledger(&rig).passes_in_flight, 6);
    passtime_submitted(first);
    passtime_submitted(second);
    assert_int_equal(rig_ledger(&rig).passes_in_flight, 6);
    end_frame(&rig, rig.frame - 1);
    passtime_frame frame = judged(&rig, PASSTIME_FRAME_COMPLETE, 6);
    expect_sample(&frame, 0, "a", PASSTIME_NONE);
    expect_sample(&frame, 1, "e", PASSTIME_NONE);
    expect_sample(&frame, 2, "f", 1);
    expect_sample(&frame, 3, "b", PASSTIME_NONE);
    expect_sample(&frame, 4, "c", PASSTIME_NONE);
    expect_sample(&frame, 5, "d", 4);
    passtime_ledger ledger = rig_ledger(&rig);
    assert_int_equal(ledger.passes_recorded, 6);
    assert_int_equal(ledger.verdicts[PASSTIME_GOOD], 6);
    assert_int_equal(rig_series(&rig, "c/d").stats.count, 1);
    rig_close(&rig);
}

/* Once a frame had two recorders, slots are handed out one by one. */
static void no_gap_later(void **state)
{
    (void)state;
    struct rig rig;
    open(&rig, 8);
    for (uint32_t i = 0; i < 2; i++) {
        passtime_recorder *first = rig_begin(&rig);
        passtime_recorder *second = passtime_recorder_begin(rig.t, rig.frame - 1);
        for (uint32_t pass = 0; pass < 4; pass++) {
            assert_int_equal(passtime_feed_pass(first, "a"), 2 * pass);
            assert_int_equal(passtime_feed_pass(second, "b"), 2 * pass + 1);
        }
        passtime_submitted(first);
        passtime_submitted(second);
        end_frame(&rig, rig.frame - 1);
        (void)judged(&rig, PASSTIME_FRAME_COMPLETE, 8);
    }
    rig_close(&rig);
}

/* One recorder after the other: what the first put aside serves the second. */
static void given_back(void **state)
{
    (void)state;
    struct rig rig;
    open(&rig, 3);
    passtime_recorder *first = rig_begin(&rig);
    assert_int_equal(passtime_feed_pass(first, "a"), 0);
    passtime_submitted(first);
    assert_int_equal(rig_ledger(&rig).passes_in_flight, 1);
    passtime_recorder *second = passtime_recorder_begin(rig.t, rig.frame - 1);
    assert_int_equal(passtime_feed_pass(second, "b"), 1);
    assert_int_equal(passtime_feed_pass(second, "c"), 2);
    assert_int_equal(passtime_feed_pass(second, "d"), PASSTIME_NONE);
    passtime_discarded(second);
    assert_int_equal(rig_ledger(&rig).passes_in_flight, 4);
    end_frame(&rig, rig.frame - 1);
    passtime_frame frame = judged(&rig, PASSTIME_FRAME_INCOMPLETE, 3);
    assert_int_equal(frame.passes_without_slot, 1);
    assert_int_equal(rig_ledger(&rig).passes_recorded, 4);
    rig_close(&rig);
}

/* As many passes as were asked for, whether or not they make whole handfuls. */
static void to_the_last(void **state)
{
    (void)state;
    for (uint32_t max_passes = 1; max_passes <= 40; max_passes++) {
        struct rig rig;
        open(&rig, max_passes);
        passtime_recorder *rec = rig_begin(&rig);
        for (uint32_t pass = 0; pass < max_passes; pass++) {
            assert_int_equal(passtime_feed_pass(rec, "a"), pass);
        }
        assert_int_equal(passtime_feed_pass(rec, "a"), PASSTIME_NONE);
        assert_int_equal(passtime_feed_pass(rec, "a"), PASSTIME_NONE);
        passtime_submitted(rec);
        end_frame(&rig, rig.frame - 1);
        passtime_frame frame = judged(&rig, PASSTIME_FRAME_INCOMPLETE, max_passes);
        assert_int_equal(frame.passes_without_slot, 2);
        assert_int_equal(rig_ledger(&rig).passes_recorded, max_passes + 2);
        rig_close(&rig);
    }
}

/* What the first recorder put aside is no pass of its, discarded or not. */
static void gap_of_discarded(void **state)
{
    (void)state;
    struct rig rig;
    open(&rig, 64);
    passtime_recorder *first = rig_begin(&rig);
    (void)passtime_feed_pass(first, "a");
    passtime_recorder *second = passtime_recorder_begin(rig.t, rig.frame - 1);
    (void)passtime_feed_pass(second, "b");
    passtime_discarded(first);
    passtime_submitted(second);
    end_frame(&rig, rig.frame - 1);
    passtime_frame frame = judged(&rig, PASSTIME_FRAME_INCOMPLETE, 2);
    assert_int_equal(frame.samples[0].verdict, PASSTIME_DISCARDED);
    expect_sample(&frame, 1, "b", PASSTIME_NONE);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap),
        cmocka_unit_test(no_gap_later),
        cmocka_unit_test(given_back),
        cmocka_unit_test(to_the_last),
        cmocka_unit_test(gap_of_discarded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
