/* SPDX-License-Identifier: MIT */
/* Faults from public reports that make a wrong number, each with the value that is right (names:
 * BR-nn). */
#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

/* A backward pair is dropped with a reason: neither clamped to 0 nor shown as 1.8e19. */
static void br02_backward(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    for (uint32_t i = 0; i < 100; i++) {
        uint64_t begin = rig_gpu(&rig) + 17 * MS;
        rig_frame(&rig, "sim", begin, i == 50 ? begin - 1456 : begin + 2 * MS);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->fate,
                         i == 50 ? PASSTIME_FRAME_INCOMPLETE : PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->busy_ns, i == 50 ? 0 : 2 * MS);
    }
    passtime_series_info sim = rig_series(&rig, "sim");
    assert_int_equal(sim.stats.count, 99);
    assert_int_equal(sim.stats.total_ns, 99u * 2 * MS);
    assert_true(sim.stats.mean_ns == 2.0 * MS);
    assert_int_equal(sim.stats.rejected, 1);
    assert_int_equal(sim.verdicts[PASSTIME_BACKWARD], 1);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* Zeros that the GPU never wrote are no samples of 0 ns, and the slot is free at once. */
static void br04_not_executed(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t at = rig_gpu(&rig);
    rig_pass(&rig, rec, "open", 0, 0);
    rig_pass(&rig, rec, "work", at, at + 3 * MS);
    rig_pass(&rig, rec, "close", 0, at + 4 * MS);
    rig_finish(&rig, rec, 8 * MS);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_NOT_EXECUTED);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_GOOD);
    assert_int_equal(frame->samples[2].verdict, PASSTIME_HALF_WRITTEN);
    assert_int_equal(frame->span_ns, 3 * MS);
    assert_int_equal(frame->fate, PASSTIME_FRAME_INCOMPLETE);
    assert_int_equal(rig_series(&rig, "open").stats.count, 0);
    assert_int_equal(rig_series(&rig, "open").stats.flags & PASSTIME_STATS_HAS_MEAN, 0);
    assert_int_equal(rig_ledger(&rig).frames_in_flight, 0);
    rig_close(&rig);
}

/* Resolved too early: three looks of it, three reasons, and none is taken for a wrap. */
static void br06_resolved_too_early(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.frames_in_flight = 1;
    rig_open(&rig);
    uint64_t at = rig_gpu(&rig) + 16 * MS;
    rig_frame(&rig, "a", at, at + MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_GOOD);
    uint64_t old_end = rig_gpu(&rig) + 10 * MS;
    rig_frame(&rig, "a", old_end + 500, old_end);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_BACKWARD);
    rig_frame(&rig, "a", rig_gpu(&rig) + 17 * MS, 0);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_HALF_WRITTEN);
    /* Its end may have come after the resolve, unseen: what the slot gives next counts only where
     * the clocks rule out that it is that one. */
    uint64_t before = rig_gpu(&rig) - 5 * MS;
    rig_frame(&rig, "a", before, before + MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_STALE);
    uint64_t after = rig_gpu(&rig) + 18 * MS;
    rig_frame(&rig, "a", after, after + MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_GOOD);
    uint64_t same = rig_gpu(&rig) + 17 * MS;
    rig_frame(&rig, "a", same, same + MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_GOOD);
    rig_frame(&rig, "a", same, same + MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_STALE);
    rig_close(&rig);
}

/* Ticks become nanoseconds once: the unit is the backend's, and exact. */
static void br13_unit(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.feed.tick_ns_num = 625;
    rig.feed.tick_ns_den = 12;
    rig_open(&rig);
    uint64_t begin = (1ull << 55) + 7;
    rig_frame(&rig, "a", begin, begin + 19200);
    assert_int_equal(rig_next(&rig)->samples[0].duration_ns, 1000000);
    rig_close(&rig);
}

/* An unknown unit gives no number; a changed one holds from the next frame on. */
static void br14_unit_missing_or_moving(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.feed.tick_ns_num = 8333;
    rig.feed.tick_ns_den = 100;
    rig_open(&rig);
    rig_frame(&rig, "a", 1000000, 1012000);
    assert_int_equal(rig_next(&rig)->samples[0].duration_ns, 999960);
    passtime_recorder *rec = rig_begin(&rig);
    rig_pass(&rig, rec, "a", 1300000, 1312000);
    passtime_feed_set_tick(rig.t, 8390, 100); /* Recorded under the old one. */
    rig_finish(&rig, rec, 8 * MS);
    assert_int_equal(rig_next(&rig)->samples[0].duration_ns, 999960);
    rig_frame(&rig, "a", 1600000, 1612000);
    assert_int_equal(rig_next(&rig)->samples[0].duration_ns, 1006800);
    passtime_feed_set_tick(rig.t, 1, 0);
    rig_frame(&rig, "a", 1900000, 1912000);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_UNIT_UNKNOWN);
    assert_int_equal(rig_series(&rig, "a").stats.count, 3);
    rig_close(&rig);
}

/* Results that never come: a bound on every wait, and destroy returns with them outstanding. */
static void br24_nothing_waits(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    rig_pass(&rig, rec, "a", 1, 2);
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 0);
    const passtime_frame *frame = NULL;
    assert_int_equal(passtime_next(rig.t, &frame), PASSTIME_PENDING);
    rig.now_ns += 11000ull * MS;
    frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_TIMED_OUT);
    rec = rig_begin(&rig);
    rig_pass(&rig, rec, "a", 1, 2);
    rig_close(&rig);
}

/* Five seconds are five seconds, and 32 ticks across the sign bit are 32 ticks. */
static void br31_narrow_and_signed(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    rig_pass(&rig, rec, "a", 0x7FFFFFFFFFFFFFF0u, 0x8000000000000010u);
    rig_pass(&rig, rec, "b", 0x8000000000000010u, 0x8000000000000010u + 5000000000u);
    rig_finish(&rig, rec, 6000ull * MS);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->samples[0].duration_ns, 32);
    assert_int_equal(frame->samples[1].duration_ns, 5000000000u);
    rig_close(&rig);

    rig_init(&rig);
    rig.feed.valid_bits = 32; /* Wraps after 4.29 s: a frame awaited for longer may have wrapped. */
    rig_open(&rig);
    rec = rig_begin(&rig);
    rig_pass(&rig, rec, "b", 10, 705032714);
    rig_finish(&rig, rec, 6000ull * MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_AMBIGUOUS);
    rig_frame(&rig, "b", 0xFFFFFFF0u, 0x10);
    assert_int_equal(rig_next(&rig)->samples[0].duration_ns, 32);
    rig_close(&rig);
}

/* Off, unsupported and 0 ns are three states. */
static void br34_off_is_not_zero(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_enable(rig.t, false);
    assert_null(rig_begin(&rig));
    passtime_enable(rig.t, true);
    assert_int_equal(rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_OFF], 1);
    uint64_t at = rig_gpu(&rig) + 17 * MS;
    rig_frame(&rig, "a", at, at);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_BELOW_RESOLUTION);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(rig_series(&rig, "a").stats.count, 1);
    rig_close(&rig);
}

/* Two hours hidden: one frame of its own length, no 2-hour frame; results come without frames. */
static void br47_long_silence(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.feed.valid_bits = 36; /* Wraps every 68.7 s: a hundred times while nobody looks. */
    rig_open(&rig);
    uint64_t mask = (1ull << 36) - 1;
    rig_frame(&rig, "a", rig_gpu(&rig) & mask, (rig_gpu(&rig) + MS) & mask);
    uint64_t first_ns = rig_next(&rig)->samples[0].begin_ns;
    uint64_t before_ns = rig_gpu(&rig);
    rig.now_ns += 7200ull * 1000 * MS;
    uint64_t at = rig_gpu(&rig) + 16 * MS;
    rig_frame(&rig, "a", at & mask, (at + MS) & mask);
    passtime_collect(rig.t);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->busy_ns, MS);
    assert_int_equal(frame->clock_epoch, 0);
    assert_true(frame->samples[0].begin_ns - first_ns >= at - before_ns);
    assert_true(frame->samples[0].begin_ns - first_ns <= at - before_ns + 40 * MS);
    rig_close(&rig);
}

/* A hitch of 300 ms is a result; with a ceiling it is the ceiling that rejects it, by name. */
static void hitch_is_a_result(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    passtime_recorder *rec = rig_begin(&rig);
    rig_pass(&rig, rec, "a", rig_gpu(&rig), rig_gpu(&rig) + 300 * MS);
    rig_finish(&rig, rec, 400 * MS);
    assert_int_equal(rig_next(&rig)->busy_ns, 300 * MS);
    rig_close(&rig);

    rig_init(&rig);
    rig.feed.no_envelope = 1; /* Nothing bounds it: 100 ms does. */
    rig_open(&rig);
    rig_frame(&rig, "a", 1000, 1000 + 300 * MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_ABOVE_CEILING);
    rig_frame(&rig, "a", 500000000, 500000000 + 99 * MS);
    assert_int_equal(rig_next(&rig)->samples[0].verdict, PASSTIME_GOOD);
    rig_close(&rig);
}

/* A counter that starts anew: durations stay, positions begin another epoch, and it is said. */
static void clock_reset_starts_an_epoch(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    for (uint32_t i = 0; i < 20; i++) {
        uint64_t at = i < 10 ? rig_gpu(&rig) + 17 * MS : rig.now_ns - 5000000;
        rig_frame(&rig, "a", at, at + MS);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->clock_epoch, i < 10 ? 0 : 1);
        assert_int_equal(frame->busy_ns, MS);
    }
    assert_int_equal(rig.said[PASSTIME_LOG_CLOCK_RESET], 1);
    rig_close(&rig);
}

/* The bound of the alignment holds against the true offset in every frame, with 50 ppm of drift. */
static void alignment_bound_holds(void **state)
{
    (void)state;
    struct rig rig;
    rig_open_default(&rig);
    uint64_t cpu_start = rig.now_ns;
    for (uint32_t i = 0; i < 5000; i++) {
        uint64_t begin_cpu = rig.now_ns + 18 * MS;
        uint64_t passed = begin_cpu - cpu_start;
        uint64_t tick = 5000000000u + passed + passed / 20000;
        rig_frame(&rig, "a", tick, tick + MS);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->clock_epoch, 0);
        int64_t truth = (int64_t)begin_cpu - (int64_t)frame->samples[0].begin_ns;
        int64_t error = frame->align_offset_ns - truth;
        assert_true((uint64_t)(error < 0 ? -error : error) <= frame->align_bound_ns);
        assert_true(frame->align_bound_ns <= 8 * MS);
    }
    rig_close(&rig);
}

/* A tick length that is wrong by far passes as no good number: the clocks' pace tells. */
static void wrong_unit_is_doubted(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.feed.tick_ns_num = 12; /* The truth is 1 ns a tick. */
    rig.feed.tick_ns_den = 1000;
    rig_open(&rig);
    uint32_t doubted = 0;
    for (uint32_t i = 0; i < 300; i++) {
        uint64_t at = rig_gpu(&rig) + 17 * MS;
        rig_frame(&rig, "a", at, at + 2 * MS);
        const passtime_frame *frame = rig_next(&rig);
        doubted += (frame->flags & PASSTIME_FLAG_UNIT_DOUBTFUL) != 0;
    }
    assert_true(doubted > 200);
    assert_true((rig_series(&rig, "a").flags & PASSTIME_FLAG_UNIT_DOUBTFUL) != 0);
    assert_int_equal(rig.said[PASSTIME_LOG_UNIT_DOUBTFUL], 1);
    rig_close(&rig);
}

/* Without an envelope nothing can prove a stamp after a loss: one sample is given up, not all. */
static void loss_without_envelope_heals(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.feed.no_envelope = 1;
    rig_open(&rig);
    for (uint32_t i = 0; i < 40; i++) {
        passtime_recorder *rec = rig_begin(&rig);
        rig_pass(&rig, rec, "a", rig_gpu(&rig), rig_gpu(&rig) + MS);
        passtime_submitted(rec);
        passtime_frame_end(rig.t, i);
        rig.now_ns += 8 * MS;
        rig_results(&rig, i, i >= 8 && i < 12 ? PASSTIME_FEED_DISJOINT : PASSTIME_FEED_OK);
        (void)rig_next(&rig);
    }
    assert_int_equal(rig_series(&rig, "a").verdicts[PASSTIME_DISJOINT], 4);
    assert_int_equal(rig_series(&rig, "a").verdicts[PASSTIME_STALE], 4);
    assert_int_equal(rig_series(&rig, "a").stats.count, 32);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(br02_backward),
        cmocka_unit_test(br04_not_executed),
        cmocka_unit_test(br06_resolved_too_early),
        cmocka_unit_test(br13_unit),
        cmocka_unit_test(br14_unit_missing_or_moving),
        cmocka_unit_test(br24_nothing_waits),
        cmocka_unit_test(br31_narrow_and_signed),
        cmocka_unit_test(br34_off_is_not_zero),
        cmocka_unit_test(br47_long_silence),
        cmocka_unit_test(hitch_is_a_result),
        cmocka_unit_test(clock_reset_starts_an_epoch),
        cmocka_unit_test(alignment_bound_holds),
        cmocka_unit_test(wrong_unit_is_doubted),
        cmocka_unit_test(loss_without_envelope_heals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
