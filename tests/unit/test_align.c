/* SPDX-License-Identifier: MIT */
/*
 * Positions, epochs and the offset between the clocks, against a GPU whose true clock is known:
 * each stamp is made from the CPU time at which it was taken.
 */
#include "core/align.h"
#include "core/ticks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const uint64_t MS = 1000000;
static const uint64_t SECOND = 1000000000;

struct clocks {
    struct passtime_align align;
    struct passtime_unit unit;
    uint64_t quantum_ns;
    uint32_t bits;
    uint64_t gpu_ahead_ns; /* the GPU's clock at CPU time 0 */
};

static struct clocks clocks(uint32_t bits, bool has_envelope)
{
    struct clocks c = {.unit = {1, 1}, .bits = bits, .gpu_ahead_ns = 5 * SECOND};
    passtime_align_init(&c.align, bits, has_envelope);
    return c;
}

/* A stamp taken at a CPU time, of a frame recorded 2 ms before and seen 3 ms after. */
static struct passtime_stamp stamp_at(const struct clocks *c, uint64_t cpu_ns)
{
    uint64_t gpu_ns = cpu_ns + c->gpu_ahead_ns;
    uint64_t ticks = 0;
    assert_true(passtime_ns_to_ticks(gpu_ns, c->unit, &ticks));
    return (struct passtime_stamp){.begin_ticks = ticks & passtime_ticks_mask(c->bits),
                                   .duration_ns = MS,
                                   .envelope = {cpu_ns - 2 * MS, cpu_ns + 3 * MS}};
}

static bool place(struct clocks *c, struct passtime_stamp *stamps, uint32_t count)
{
    return passtime_align_frame(&c->align, c->unit, c->quantum_ns, stamps, count);
}

/* Places one stamp and returns its position. */
static uint64_t place_one(struct clocks *c, uint64_t cpu_ns, bool starts_epoch)
{
    struct passtime_stamp s = stamp_at(c, cpu_ns);
    assert_int_equal(place(c, &s, 1), starts_epoch);
    assert_true(s.placed);
    return s.begin_ns;
}

/* The bound holds against the truth: position `begin_ns` was taken at `cpu_ns`. */
static uint64_t check_bound(const struct clocks *c, uint64_t cpu_ns, uint64_t begin_ns)
{
    int64_t offset_ns = 0;
    uint64_t bound_ns = 0;
    passtime_align_offset(&c->align, &offset_ns, &bound_ns);
    assert_int_not_equal(bound_ns, UINT64_MAX);
    int64_t error_ns = offset_ns - ((int64_t)cpu_ns - (int64_t)begin_ns);
    assert_true((uint64_t)llabs(error_ns) <= bound_ns);
    return bound_ns;
}

static void nothing_is_known_at_first(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    int64_t offset_ns = 1;
    uint64_t bound_ns = 1;
    passtime_align_offset(&c.align, &offset_ns, &bound_ns);
    assert_int_equal(offset_ns, 0);
    assert_int_equal(bound_ns, UINT64_MAX);
    assert_false(place(&c, NULL, 0));
    assert_false(c.align.started);
}

/* The first frame bounds the offset by its own envelope, and the next ones narrow it. */
static void frames_narrow_the_offset(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    uint64_t first_ns = place_one(&c, 10 * SECOND, true);
    assert_int_equal(check_bound(&c, 10 * SECOND, first_ns),
                     2 * MS + 501); /* 2 ms before, 2 ms after its end, and what 5 ms drift */
    struct passtime_stamp s = stamp_at(&c, 10 * SECOND + 16 * MS);
    s.envelope.begin_ns += 2 * MS - 100;
    s.envelope.seen_ns -= 2 * MS - 300;
    assert_false(place(&c, &s, 1));
    assert_int_equal(s.begin_ns - first_ns, 16 * MS);
    uint64_t bound_ns = check_bound(&c, 10 * SECOND + 16 * MS, s.begin_ns);
    assert_int_equal(bound_ns, 301); /* half of 100 + 300, and what a millisecond drifts */
    /* A quantum of uncertainty on the begin's side. */
    s = stamp_at(&c, 10 * SECOND + 32 * MS);
    c.quantum_ns = 1000;
    assert_false(place(&c, &s, 1));
    assert_true(check_bound(&c, 10 * SECOND + 32 * MS, s.begin_ns) >= bound_ns);
}

/* What is known grows old: a bound widens with time, by no less than clocks drift. */
static void bounds_widen_with_time(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    struct passtime_stamp s = stamp_at(&c, 10 * SECOND);
    s.duration_ns = 0;
    s.envelope.begin_ns = 10 * SECOND - 10;
    s.envelope.seen_ns = 10 * SECOND + 10;
    assert_true(place(&c, &s, 1));
    assert_int_equal(check_bound(&c, 10 * SECOND, s.begin_ns), 11);
    for (uint64_t t = 11; t <= 100; t++) { /* The GPU's clock runs 50 ppm fast. */
        c.gpu_ahead_ns += SECOND / 20000;
        uint64_t at_ns = t * SECOND;
        uint64_t bound_ns = check_bound(&c, at_ns, place_one(&c, at_ns, false));
        assert_true(bound_ns >= (t - 10) * (SECOND / 20000) || bound_ns >= MS);
    }
    assert_int_equal(c.align.epoch, 0);
}

/* Recorded when it began and seen when it ended, on a clock that runs 50 ppm fast: the offset is
 * another one at its end than at its begin, and the bound holds for both. */
static void bounds_allow_for_drift_within_a_frame(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    struct passtime_stamp s = stamp_at(&c, 10 * SECOND);
    s.envelope.begin_ns = 10 * SECOND;
    s.envelope.seen_ns = 10 * SECOND + 10 * MS;
    s.duration_ns = 10 * MS + 500;
    assert_true(place(&c, &s, 1));
    (void)check_bound(&c, 10 * SECOND, s.begin_ns);
    (void)check_bound(&c, 10 * SECOND + 10 * MS, s.begin_ns + s.duration_ns);
}

/* Positions go on across the counter's wraps, and across many of them while nobody looked. */
static void wraps_are_unrolled(void **state)
{
    (void)state;
    static const uint32_t widths[] = {36, 48, 64};
    for (uint32_t i = 0; i < 3; i++) {
        struct clocks c = clocks(widths[i], true);
        uint64_t period_ns = passtime_ticks_period_ns(widths[i], c.unit);
        c.gpu_ahead_ns = (period_ns == UINT64_MAX ? 0 : period_ns) - 10 * SECOND - 5 * MS;
        uint64_t first_ns = place_one(&c, 10 * SECOND, true); /* 5 ms before the wrap */
        assert_int_equal(place_one(&c, 10 * SECOND + 10 * MS, false) - first_ns, 10 * MS);
        uint64_t later_ns = 10 * SECOND + (widths[i] == 36 ? 100 * period_ns : 0) + 7200 * SECOND;
        assert_int_equal(place_one(&c, later_ns, false) - first_ns, later_ns - 10 * SECOND);
        assert_int_equal(c.align.epoch, 0);
    }
}

/* Frames that come back in another order than they ran, at the very start too, keep
 * their places. */
static void order_does_not_matter(void **state)
{
    (void)state;
    struct clocks c = clocks(36, true);
    uint64_t late_ns = place_one(&c, 10 * SECOND + 500 * MS, true);
    uint64_t early_ns = place_one(&c, 10 * SECOND, false);
    assert_int_equal(late_ns - early_ns, 500 * MS);
    assert_int_equal(place_one(&c, 11 * SECOND, false) - late_ns, 500 * MS);
    assert_int_equal(place_one(&c, 10 * SECOND + 600 * MS, false) - late_ns, 100 * MS);
}

/* Within a frame, too: the first stamp given need not be the first that was taken. */
static void order_within_a_frame(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    struct passtime_stamp s[3] = {stamp_at(&c, 10 * SECOND + 2 * MS), stamp_at(&c, 10 * SECOND),
                                  stamp_at(&c, 10 * SECOND + 1 * MS)};
    assert_true(place(&c, s, 3));
    assert_true(s[0].placed && s[1].placed && s[2].placed);
    assert_int_equal(s[0].begin_ns - s[1].begin_ns, 2 * MS);
    assert_int_equal(s[2].begin_ns - s[1].begin_ns, 1 * MS);
    assert_int_equal(s[1].begin_ns, SECOND); /* An epoch's first stamp. */
}

/* A counter set back or forward: one new epoch, whose own offset is right. */
static void a_reset_starts_an_epoch(void **state)
{
    (void)state;
    static const int64_t jumps_ns[] = {-4900000000, -30000000, 30000000, 3600000000000};
    for (uint32_t i = 0; i < 4; i++) {
        struct clocks c = clocks(64, true);
        place_one(&c, 10 * SECOND, true);
        place_one(&c, 11 * SECOND, false);
        c.gpu_ahead_ns += (uint64_t)jumps_ns[i];
        uint64_t begin_ns = place_one(&c, 12 * SECOND, true);
        assert_int_equal(c.align.epoch, 1);
        assert_int_equal(begin_ns, SECOND);
        check_bound(&c, 12 * SECOND, begin_ns);
        assert_int_equal(place_one(&c, 13 * SECOND, false) - begin_ns, SECOND);
    }
}

/* One stamp of a frame that contradicts what the others confirm: it alone has no place. */
/* A pass that no time went by in, at a tick of the GPU's own. */
static struct passtime_stamp still_at(const struct clocks *c, uint64_t cpu_ns, uint64_t tick_of_ns)
{
    struct passtime_stamp s = stamp_at(c, tick_of_ns);
    s.duration_ns = 0;
    s.envelope.begin_ns = cpu_ns - 2 * MS;
    s.envelope.seen_ns = cpu_ns + 3 * MS;
    return s;
}

/* It tells no time while it stands, and is followed with the first tick that is another one. */
static void a_clock_that_stands_still_starts_no_epoch(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    place_one(&c, 10 * SECOND, true);
    place_one(&c, 11 * SECOND, false);
    for (uint64_t i = 0; i < 50; i++) {
        struct passtime_stamp two[2] = {still_at(&c, 12 * SECOND + i * 16 * MS, 11 * SECOND + MS),
                                        still_at(&c, 12 * SECOND + i * 16 * MS, 11 * SECOND + MS)};
        assert_false(place(&c, two, 2));
        assert_true(c.align.stands);
    }
    assert_int_equal(c.align.epoch, 0);
    c.gpu_ahead_ns -= 2 * SECOND; /* it goes on, and never makes up for what it missed */
    uint64_t begin_ns = place_one(&c, 14 * SECOND, true);
    check_bound(&c, 14 * SECOND, begin_ns);
    assert_int_equal(place_one(&c, 15 * SECOND, false) - begin_ns, SECOND);
}

/* A clock that was reset shows another tick with its second frame, however short its passes are. */
static void a_reset_is_followed_by_passes_too_short_for_the_clock(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    place_one(&c, 10 * SECOND, true);
    c.gpu_ahead_ns -= 3 * SECOND;
    struct passtime_stamp first = still_at(&c, 12 * SECOND, 12 * SECOND);
    struct passtime_stamp second = still_at(&c, 13 * SECOND, 13 * SECOND);
    assert_false(place(&c, &first, 1));
    assert_true(c.align.stands);
    assert_true(place(&c, &second, 1));
    assert_true(second.placed && !c.align.stands);
    assert_int_equal(c.align.epoch, 1);
    struct passtime_stamp third = still_at(&c, 14 * SECOND, 14 * SECOND);
    assert_false(place(&c, &third, 1));
    assert_true(third.placed && !c.align.stands);
}

static void one_stamp_contradicts(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    place_one(&c, 10 * SECOND, true);
    struct passtime_stamp s[3] = {stamp_at(&c, 11 * SECOND), stamp_at(&c, 11 * SECOND),
                                  stamp_at(&c, 11 * SECOND + MS)};
    s[1].begin_ticks -= 50 * MS;
    assert_false(place(&c, s, 3));
    assert_true(s[0].placed);
    assert_false(s[1].placed);
    assert_true(s[2].placed);
    assert_int_equal(c.align.epoch, 0);
    check_bound(&c, 11 * SECOND, s[0].begin_ns);
}

/* A stamp that may be of an earlier frame counts only where the clocks rule that out, and teaches
 * nothing. */
static void unproven_stamps(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    struct passtime_stamp s = stamp_at(&c, 10 * SECOND);
    s.unproven = true;
    assert_false(place(&c, &s, 1)); /* Nothing is known yet: it starts no epoch. */
    assert_false(s.placed);
    assert_false(c.align.started);
    place_one(&c, 10 * SECOND, true); /* The offset is known within 2 ms now. */
    int64_t low_ns = c.align.low_ns;
    int64_t high_ns = c.align.high_ns;
    s = stamp_at(&c, 10 * SECOND + 16 * MS);
    s.unproven = true;
    s.envelope.begin_ns = 10 * SECOND + 16 * MS - 1900000;
    assert_false(place(&c, &s, 1)); /* May have been taken 0.1 ms before it was recorded. */
    assert_false(s.placed);
    s = stamp_at(&c, 10 * SECOND + 16 * MS);
    s.unproven = true;
    s.envelope.begin_ns = 10 * SECOND + 16 * MS - 2100000;
    assert_false(place(&c, &s, 1));
    assert_true(s.placed);
    assert_true(c.align.low_ns <= low_ns &&
                c.align.high_ns >= high_ns); /* Widened by time alone. */
    s = stamp_at(&c, 10 * SECOND + 32 * MS);
    s.unproven = true;
    s.envelope.seen_ns = 10 * SECOND + 32 * MS + MS - 2100000; /* Seen before it can have ended. */
    assert_false(place(&c, &s, 1));
    assert_false(s.placed);
    assert_int_equal(c.align.epoch, 0);
}

/* In the frame that starts an epoch nothing can prove them. */
static void unproven_stamps_of_a_new_epoch(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    struct passtime_stamp s[2] = {stamp_at(&c, 10 * SECOND), stamp_at(&c, 10 * SECOND + MS)};
    s[0].unproven = true;
    assert_true(place(&c, s, 2));
    assert_false(s[0].placed);
    assert_true(s[1].placed);
    assert_int_equal(s[1].begin_ns, SECOND); /* The epoch starts at the proven one. */
}

/* Without CPU times nothing bounds the offset; only a long step back tells of a reset. */
static void without_an_envelope(void **state)
{
    (void)state;
    struct clocks c = clocks(64, false);
    uint64_t first_ns = place_one(&c, 10 * SECOND, true);
    assert_int_equal(place_one(&c, 7210 * SECOND, false) - first_ns, 7200 * SECOND);
    place_one(&c, 7209 * SECOND, false);
    place_one(&c, 7209 * SECOND - 1, true);
    assert_int_equal(c.align.epoch, 1);
    int64_t offset_ns = 1;
    uint64_t bound_ns = 1;
    passtime_align_offset(&c.align, &offset_ns, &bound_ns);
    assert_int_equal(bound_ns, UINT64_MAX);
}

/* Another unit counts on from where the last one stood, exactly. */
static void the_unit_changes(void **state)
{
    (void)state;
    struct clocks c = clocks(64, true);
    c.unit = (struct passtime_unit){8333, 100};
    uint64_t first_ns = place_one(&c, 10 * SECOND, true);
    uint64_t before_ns = place_one(&c, 11 * SECOND, false);
    assert_true(before_ns - first_ns >= SECOND - 100 && before_ns - first_ns <= SECOND + 100);
    c.unit = (struct passtime_unit){8390, 100};
    struct passtime_stamp s = stamp_at(&c, 12 * SECOND);
    uint64_t newest = c.align.last_ticks;
    s.begin_ticks = newest + 11918951; /* 1 s in the new unit */
    assert_false(place(&c, &s, 1));
    assert_true(s.placed);
    assert_true(s.begin_ns - before_ns >= SECOND - 100 && s.begin_ns - before_ns <= SECOND + 100);
    assert_int_equal(c.align.epoch, 0);
    /* A frame before the change that comes back late still has room. */
    s.begin_ticks = newest - 100;
    s.envelope = (struct passtime_envelope){11 * SECOND - 2 * MS, 12 * SECOND};
    assert_false(place(&c, &s, 1));
    assert_true(s.placed);
    assert_true(s.begin_ns < before_ns);
}

/* Half the counter's range away: as far as it goes, and no overflow on the way. */
static void half_a_turn_away(void **state)
{
    (void)state;
    static const uint32_t widths[] = {1, 2, 31, 32, 62, 63, 64};
    for (uint32_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        for (uint32_t envelope = 0; envelope < 2; envelope++) {
            struct clocks c = clocks(widths[i], envelope != 0);
            place_one(&c, 10 * SECOND, true);
            struct passtime_stamp s = stamp_at(&c, 10 * SECOND);
            s.begin_ticks =
                (s.begin_ticks + (UINT64_C(1) << (widths[i] - 1))) & passtime_ticks_mask(c.bits);
            (void)place(&c, &s, 1);
            s.envelope.seen_ns = UINT64_MAX / 2; /* and a silence of centuries */
            (void)place(&c, &s, 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_at_first),
        cmocka_unit_test(frames_narrow_the_offset),
        cmocka_unit_test(bounds_widen_with_time),
        cmocka_unit_test(bounds_allow_for_drift_within_a_frame),
        cmocka_unit_test(wraps_are_unrolled),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(order_within_a_frame),
        cmocka_unit_test(a_reset_starts_an_epoch),
        cmocka_unit_test(a_clock_that_stands_still_starts_no_epoch),
        cmocka_unit_test(a_reset_is_followed_by_passes_too_short_for_the_clock),
        cmocka_unit_test(one_stamp_contradicts),
        cmocka_unit_test(unproven_stamps),
        cmocka_unit_test(unproven_stamps_of_a_new_epoch),
        cmocka_unit_test(without_an_envelope),
        cmocka_unit_test(the_unit_changes),
        cmocka_unit_test(half_a_turn_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
