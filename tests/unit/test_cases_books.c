/* SPDX-License-Identifier: MIT */
/* Faults from public reports in keeping the books: whose frame, how many, what was lost (names:
 * BR-nn). */
#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

/* A ring of two, five frames whose results are late: nothing blocks, and each loss is counted. */
static void br09_ring_full(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.frames_in_flight = 2;
    rig_open(&rig);
    uint64_t at[2] = {0, 0};
    for (uint32_t i = 0; i < 5; i++) {
        passtime_recorder *rec = rig_begin(&rig);
        assert_int_equal(rec != NULL, i < 2);
        if (i < 2) {
            at[i] = rig_gpu(&rig);
        }
        rig_pass(&rig, rec, "a", 0, 0);
        passtime_submitted(rec);
        passtime_frame_end(rig.t, i);
    }
    assert_int_equal(rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_FULL], 3);
    assert_int_equal(rig_ledger(&rig).skip_run_max, 3);
    rig.pairs = 1;
    for (uint32_t i = 0; i < 2; i++) {
        rig.ticks[0] = at[i];
        rig.ticks[1] = at[i] + MS;
        rig_results(&rig, i, PASSTIME_FEED_OK);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->number, i);
        assert_int_equal(frame->samples[0].duration_ns, MS);
        assert_int_equal(frame->frames_late, 4 - i);
    }
    assert_int_equal(rig.said[PASSTIME_LOG_RING_FULL], 2); /* At powers of two, not one a frame. */
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* Lost with results pending: each ends once, further frames are no-ops, and a new device is taken
 * up. */
static void br10_device_lost(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    for (uint32_t i = 0; i < 4; i++) {
        passtime_recorder *rec = rig_begin(&rig);
        rig_pass(&rig, rec, "a", 1, 2);
        passtime_submitted(rec);
        passtime_frame_end(rig.t, i);
    }
    passtime_feed_lost(rig.t, true);
    for (uint32_t i = 0; i < 4; i++) {
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
        assert_int_equal(frame->samples[0].verdict, PASSTIME_LOST_DEVICE);
    }
    const passtime_frame *none = NULL;
    assert_int_equal(passtime_next(rig.t, &none), PASSTIME_EMPTY);
    assert_null(rig_begin(&rig));
    assert_int_equal(rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_LOST], 1);
    passtime_feed_lost(rig.t, false);
    rig_frame(&rig, "a", rig_gpu(&rig) + 17 * MS, rig_gpu(&rig) + 18 * MS);
    assert_int_equal(rig_next(&rig)->fate, PASSTIME_FRAME_COMPLETE);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

static void record_many(struct rig *rig, uint32_t passes)
{
    passtime_recorder *rec = rig_begin(rig);
    uint64_t at = rig_gpu(rig);
    for (uint32_t p = 0; p < passes; p++) {
        rig_pass(rig, rec, "a", at + p * 1000u, at + p * 1000u + 500);
    }
    rig_finish(rig, rec, 8 * MS);
}

/* The pass count explodes once: counted, said once, and measured in full again afterwards. */
static void br12_pass_explosion(void **state)
{
    (void)state;
    static struct rig rig;
    rig_init(&rig);
    rig.desc.max_passes = 128;
    rig_open(&rig);
    for (uint32_t i = 0; i < 102; i++) {
        record_many(&rig, i == 100 ? 5000 : 3);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->fate,
                         i == 100 ? PASSTIME_FRAME_INCOMPLETE : PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->sample_count, i == 100 ? 128 : 3);
        assert_int_equal(frame->passes_without_slot, i == 100 ? 5000 - 128 : 0);
    }
    assert_int_equal(rig_ledger(&rig).verdicts[PASSTIME_NO_SLOT], 5000 - 128);
    record_many(&rig, 128); /* The limit itself is allowed. */
    assert_int_equal(rig_next(&rig)->fate, PASSTIME_FRAME_COMPLETE);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* One label five times a frame: five calls, their sum and their mean. */
static void br36_same_pass_again(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t at = rig_gpu(&rig);
    for (uint32_t i = 0; i < 5; i++) {
        rig_pass(&rig, rec, "sim", at + i * 3u * MS, at + i * 3u * MS + 2 * MS);
    }
    rig_finish(&rig, rec, 20 * MS);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->busy_ns, 10 * MS);
    assert_int_equal(frame->span_ns, 14 * MS);
    passtime_series_info sim = rig_series(&rig, "sim");
    assert_int_equal(sim.stats.count, 5);
    assert_int_equal(sim.stats.total_ns, 10 * MS);
    assert_true(sim.stats.mean_ns == 2.0 * MS);
    rig_close(&rig);
}

/* A scope of a worker that ends after the flip belongs to the frame it was begun in, once. */
static void br36_scope_across_the_flip(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *first = rig_begin(&rig);
    uint64_t at = rig_gpu(&rig);
    passtime_recorder *worker = passtime_recorder_begin(rig.t, 0);
    passtime_scope_begin(worker, "job");
    rig_pass(&rig, worker, "bake", at, at + MS);
    passtime_submitted(first);
    passtime_recorder *next = rig_begin(&rig);
    passtime_scope_end(worker);
    passtime_submitted(worker);
    rig.pairs = 1;
    assert_int_equal(passtime_frame_end(rig.t, 0), PASSTIME_OK);
    rig_results(&rig, 0, PASSTIME_FEED_OK);
    passtime_submitted(next);
    passtime_frame_end(rig.t, 1);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->number, 0);
    assert_int_equal(frame->scope_count, 1);
    assert_int_equal(frame->scopes[0].busy_ns, MS);
    assert_true(frame->scopes[0].complete);
    frame = rig_next(&rig);
    assert_int_equal(frame->number, 1);
    assert_int_equal(frame->fate, PASSTIME_FRAME_EMPTY);
    assert_int_equal(rig_series(&rig, "job").stats.count, 1);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* A spike carries the number of its own frame; a frame that never came back is no data. */
static void br37_which_frame(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.frames_in_flight = 8;
    rig_open(&rig);
    uint64_t at[20];
    for (uint64_t i = 0; i < 20; i++) {
        passtime_recorder *rec = rig_begin(&rig);
        rig_pass(&rig, rec, "a", 0, 0);
        at[i] = rig_gpu(&rig);
        passtime_submitted(rec);
        passtime_frame_end(rig.t, i);
        if (i < 3) {
            continue;
        }
        uint64_t back = i - 3;
        rig.ticks[0] = at[back];
        rig.ticks[1] = at[back] + (back == 10 ? 40u : 16u) * MS;
        rig_results(&rig, back, back == 12 ? PASSTIME_FEED_MAP_FAILED : PASSTIME_FEED_OK);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->number, back);
        assert_int_equal(frame->frames_late, 3);
        assert_int_equal(frame->fate,
                         back == 12 ? PASSTIME_FRAME_NO_DATA : PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->busy_ns, back == 12 ? 0 : back == 10 ? 40u * MS : 16u * MS);
    }
    passtime_stats busy;
    passtime_frame_stats(rig.t, PASSTIME_TOTAL_BUSY, &busy);
    assert_int_equal(busy.count, 16);
    rig_close(&rig);
}

/* Labels that never repeat: a fixed ceiling, the surplus under "(other)" with a count. */
static void br38_unique_labels(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.max_names = 32;
    rig_open(&rig);
    size_t allocations = rig.allocations;
    for (uint32_t i = 0; i < 20000; i++) {
        char label[32] = "frame #";
        uint32_t n = i;
        for (uint32_t d = 0; d < 6; d++, n /= 10) {
            label[12 - d] = (char)('0' + n % 10);
        }
        uint64_t at = rig_gpu(&rig) + 17 * MS;
        passtime_recorder *rec = rig_begin(&rig);
        rig_pass(&rig, rec, label, at, at + MS);
        rig_pass(&rig, rec, "steady", at + MS, at + 2 * MS);
        rig_finish(&rig, rec, 8 * MS);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        bool other = (frame->samples[0].flags & PASSTIME_FLAG_OTHER) != 0;
        assert_string_equal(frame->samples[0].name, other ? "(other)" : label);
        assert_string_equal(frame->samples[1].name, "steady");
    }
    assert_int_equal(rig.allocations, allocations);
    assert_int_equal(rig_series(&rig, "steady").stats.count, 20000);
    assert_true(rig_series(&rig, "(other)").stats.count > 15000);
    assert_true(rig_ledger(&rig).samples_in_other > 15000);
    assert_true(passtime_series_count(rig.t) <= 33);
    rig_check_ledger(&rig);
    /* Once the flood is over, names that come again get places. */
    for (uint32_t i = 0; i < 3000; i++) {
        rig_frame(&rig, i % 2 == 0 ? "late riser" : "night owl", rig_gpu(&rig) + 17 * MS,
                  rig_gpu(&rig) + 18 * MS);
        rig_drain(&rig);
    }
    assert_true(rig_series(&rig, "late riser").stats.count > 700);
    assert_true(rig_series(&rig, "night owl").stats.count > 700);
    rig_close(&rig);
}

/* Scopes called while timing is off, and frames that are never ended: bounded, and said. */
static void br38_off_and_endless(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    size_t allocations = rig.allocations;
    for (uint32_t i = 0; i < 10000; i++) {
        passtime_recorder *rec = rig_begin(&rig);
        assert_int_equal(rec != NULL, i < 4);
        rig_pass(&rig, rec, "a", 0, 0);
        passtime_submitted(rec);
    }
    assert_int_equal(rig.allocations, allocations);
    assert_int_equal(rig_ledger(&rig).entries_quarantined, 4);
    assert_true(rig.said[PASSTIME_LOG_QUARANTINE] > 0);
    assert_int_equal(rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_FULL], 9996);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(passtime_frame_end(rig.t, i), PASSTIME_OK);
        rig.pairs = 1;
        rig.ticks[0] = rig_gpu(&rig);
        rig.ticks[1] = rig_gpu(&rig) + MS;
        rig_results(&rig, i, PASSTIME_FEED_OK);
    }
    rig_drain(&rig);
    assert_int_equal(rig_ledger(&rig).entries_quarantined, 0);
    assert_non_null(rig_begin(&rig));
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* Switched inside a scope, an end too many: ignored, counted, and the next one is right. */
static void br39_switched_inside(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t at = rig_gpu(&rig);
    passtime_end(rec);
    passtime_scope_end(rec);
    passtime_begin(rec, "outer");
    passtime_enable(rig.t, false);
    passtime_begin(rec, "inner");
    passtime_end(rec);
    passtime_end(rec);
    passtime_end(rec);
    passtime_enable(rig.t, true);
    rig.pairs = 2;
    rig.ticks[0] = at;
    rig.ticks[1] = at + 5 * MS;
    rig.ticks[2] = at + MS;
    rig.ticks[3] = at + 2 * MS;
    rig_finish(&rig, rec, 8 * MS);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->samples[0].exclusive_ns, 4 * MS);
    assert_int_equal(frame->samples[1].parent, 0);
    assert_int_equal(rig_ledger(&rig).orphan_ends, 3);
    passtime_submitted(rec);
    assert_int_equal(rig_ledger(&rig).misuses, 1);
    rig_close(&rig);
}

/* Begun and never ended, discarded, refused: each has its verdict, and none is resolved. */
static void unfinished_and_discarded(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    passtime_recorder *other = passtime_recorder_begin(rig.t, 0);
    passtime_begin(rec, "never ended");
    rig_pass(&rig, other, "dropped", 1, 2);
    passtime_discarded(other);
    rig.pairs = 0;
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 0);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_UNFINISHED);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_DISCARDED);
    assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* One frame in `every` is timed, at places that do not keep step with alternate frames. */
static void stride_does_not_alias(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.every = 4;
    rig_open(&rig);
    uint32_t timed = 0;
    uint32_t even = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        passtime_recorder *rec = rig_begin(&rig);
        timed += rec != NULL;
        even += rec != NULL && i % 2 == 0;
        passtime_submitted(rec);
        passtime_frame_end(rig.t, i);
        rig_drain(&rig);
    }
    assert_int_equal(timed, 1000);
    assert_true(even > 400 && even < 600);
    assert_int_equal(rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_STRIDE], 3000);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* Every function takes NULL, as an app without timing support hands it on. */
static void null_is_legal(void **state)
{
    (void)state;
    passtime *none = NULL;
    const passtime_frame *frame = NULL;
    passtime_ledger ledger;
    assert_null(passtime_frame_begin(NULL, 1));
    assert_null(passtime_recorder_begin(NULL, 1));
    passtime_begin(NULL, "a");
    passtime_end(NULL);
    passtime_scope_begin(NULL, "a");
    passtime_scope_end(NULL);
    passtime_submitted(NULL);
    passtime_discarded(NULL);
    assert_int_equal(passtime_frame_end(NULL, 1), PASSTIME_OK);
    assert_int_equal(passtime_next(NULL, &frame), PASSTIME_EMPTY);
    assert_int_equal(passtime_get_ledger(NULL, &ledger), PASSTIME_INVALID);
    assert_int_equal(passtime_intern(NULL, "a"), 0);
    assert_int_equal(passtime_series_count(NULL), 0);
    passtime_collect(NULL);
    passtime_enable(NULL, true);
    passtime_reset_stats(NULL);
    passtime_destroy(&none);
    passtime_destroy(NULL);
    assert_int_equal(passtime_feed_pass(NULL, "a"), PASSTIME_NONE);
}

/* A budget is judged on busy time, a lower bound above it is above it, and software has its
 * numbers. */
static void budget(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.budget_ns = 5 * MS;
    rig_open(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t at = rig_gpu(&rig);
    rig_pass(&rig, rec, "a", at, at + 5 * MS);
    rig_finish(&rig, rec, 8 * MS);
    assert_false(rig_next(&rig)->over_budget);
    rec = rig_begin(&rig);
    at = rig_gpu(&rig);
    rig_pass(&rig, rec, "a", at, at + 6 * MS);
    rig_pass(&rig, rec, "b", 0, 0);
    rig_finish(&rig, rec, 8 * MS);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_INCOMPLETE);
    assert_true(frame->over_budget);
    assert_int_equal(rig_ledger(&rig).frames_over_budget, 1);
    rig_close(&rig);
}

/* Frames from before a budget was set, or another one, count neither as within it nor as over it.
 */
static void budget_set_late(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    for (uint32_t i = 0; i < 5; i++) {
        if (i > 1) {
            passtime_set_budget(rig.t, i == 4 ? 7 * MS : 5 * MS);
        }
        passtime_recorder *rec = rig_begin(&rig);
        const uint64_t at = rig_gpu(&rig);
        rig_pass(&rig, rec, "a", at, at + 6 * MS);
        rig_finish(&rig, rec, 8 * MS);
        assert_int_equal(rig_next(&rig)->over_budget, i == 2 || i == 3);
        const passtime_ledger ledger = rig_ledger(&rig);
        static const uint64_t held[] = {0, 0, 1, 2, 1};
        assert_int_equal(ledger.frames_budgeted, held[i]);
        assert_int_equal(ledger.frames_over_budget, i == 4 ? 0 : held[i]);
        assert_int_equal(ledger.frames_within_budget, i == 4);
    }
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(br09_ring_full),
        cmocka_unit_test(br10_device_lost),
        cmocka_unit_test(br12_pass_explosion),
        cmocka_unit_test(br36_same_pass_again),
        cmocka_unit_test(br36_scope_across_the_flip),
        cmocka_unit_test(br37_which_frame),
        cmocka_unit_test(br38_unique_labels),
        cmocka_unit_test(br38_off_and_endless),
        cmocka_unit_test(br39_switched_inside),
        cmocka_unit_test(unfinished_and_discarded),
        cmocka_unit_test(stride_does_not_alias),
        cmocka_unit_test(null_is_legal),
        cmocka_unit_test(budget),
        cmocka_unit_test(budget_set_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
