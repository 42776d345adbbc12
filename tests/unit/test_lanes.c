/* SPDX-License-Identifier: MIT */
/* Lanes: slices of a lane nest, overlapping ones take as few lanes as there are at once. */
#include "sink/lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 512 };

/* What was written, by lane, in the order of writing. */
struct written {
    uint64_t last_ns[PASSTIME_LANES];
    uint32_t open[PASSTIME_LANES][PASSTIME_LANE_DEPTH];
    uint32_t depth[PASSTIME_LANES];
    uint32_t lane_of[MOST];
    uint32_t begun[MOST];
    uint32_t ended[MOST];
    const struct passtime_slice *slices; /* by index */
    uint32_t lanes_used;
};

static void check_begin(struct written *w, uint32_t lane, uint32_t index, uint64_t at_ns)
{
    const struct passtime_slice *slice = &w->slices[index];
    assert_int_equal(at_ns, slice->begin_ns);
    if (w->depth[lane] > 0)
        assert_int_equal(w->open[lane][w->depth[lane] - 1], slice->parent);
    w->open[lane][w->depth[lane]++] = index;
    w->lane_of[index] = lane;
    w->begun[index]++;
    if (lane + 1 > w->lanes_used)
        w->lanes_used = lane + 1;
}

static void check_event(void *user, uint32_t lane, uint32_t index, uint64_t at_ns, bool begin)
{
    struct written *w = user;
    assert_true(lane < PASSTIME_LANES);
    assert_true(at_ns >= w->last_ns[lane]);
    w->last_ns[lane] = at_ns;
    if (begin) {
        check_begin(w, lane, index, at_ns);
        return;
    }
    assert_true(w->depth[lane] > 0);
    assert_int_equal(w->open[lane][--w->depth[lane]], index);
    assert_int_equal(at_ns, w->slices[index].end_ns);
    w->ended[index]++;
}

/* Lays slices out on a set that may have been used before; returns how many found a lane. */
static uint32_t lay_out(struct passtime_lane_set *set, struct written *w,
                        const struct passtime_slice *slices, uint32_t count)
{
    struct passtime_slice sorted[MOST];
    struct passtime_slice scratch[MOST];
    uint32_t placed = 0;
    memset(w->begun, 0, sizeof w->begun);
    memset(w->ended, 0, sizeof w->ended);
    w->slices = slices;
    memcpy(sorted, slices, count * sizeof *slices);
    passtime_lanes_sort(sorted, scratch, count);
    for (uint32_t i = 0; i < count; i++)
        placed += passtime_lanes_put(set, &sorted[i], check_event, w) ? 1 : 0;
    passtime_lanes_flush(set, check_event, w);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(w->begun[i], w->ended[i]);
    for (uint32_t i = 0; i < PASSTIME_LANES; i++)
        assert_int_equal(w->depth[i], 0);
    return placed;
}

static struct passtime_slice slice(uint64_t begin_ns, uint64_t end_ns, uint32_t index,
                                   uint32_t parent)
{
    return (struct passtime_slice){begin_ns, end_ns, index, parent, false};
}

static void passes_in_a_row_share_one_lane(void **state)
{
    (void)state;
    struct passtime_lane_set set = {0};
    struct written w = {0};
    const struct passtime_slice slices[] = {
        slice(0, 10, 0, PASSTIME_NONE), slice(10, 20, 1, PASSTIME_NONE),
        slice(20, 20, 2, PASSTIME_NONE), slice(20, 30, 3, PASSTIME_NONE)};
    assert_int_equal(lay_out(&set, &w, slices, 4), 4);
    assert_int_equal(w.lanes_used, 1);
}

static void nested_passes_share_the_lane_of_what_they_are_in(void **state)
{
    (void)state;
    struct passtime_lane_set set = {0};
    struct written w = {0};
    struct passtime_slice slices[] = {slice(0, 100, 0, PASSTIME_NONE), slice(0, 100, 1, 0),
                                      slice(10, 20, 2, 1), slice(100, 100, 3, 0),
                                      slice(100, 120, 4, PASSTIME_NONE)};
    slices[2].later = true;
    slices[3].later = true;
    assert_int_equal(lay_out(&set, &w, slices, 5), 5);
    assert_int_equal(w.lanes_used, 1);
}

static void one_that_only_falls_within_anothers_time_takes_its_own(void **state)
{
    (void)state;
    struct passtime_lane_set set = {0};
    struct written w = {0};
    const struct passtime_slice slices[] = {slice(0, 65536, 0, PASSTIME_NONE),
                                            slice(0, 65536, 1, PASSTIME_NONE),
                                            slice(10, 20, 2, PASSTIME_NONE)};
    assert_int_equal(lay_out(&set, &w, slices, 3), 3);
    assert_int_equal(w.lanes_used, 3);
}

static void a_child_that_outlasts_its_parent_is_not_nested(void **state)
{
    (void)state;
    struct passtime_lane_set set = {0};
    struct written w = {0};
    const struct passtime_slice slices[] = {slice(0, 10, 0, PASSTIME_NONE), slice(5, 11, 1, 0)};
    assert_int_equal(lay_out(&set, &w, slices, 2), 2);
    assert_int_equal(w.lane_of[1], 1);
}

static void a_frame_that_comes_late_does_not_go_back_on_a_lane(void **state)
{
    (void)state;
    struct passtime_lane_set set = {0};
    struct written w = {0};
    const struct passtime_slice second[] = {slice(100, 200, 0, PASSTIME_NONE)};
    const struct passtime_slice first[] = {slice(0, 100, 0, PASSTIME_NONE)};
    const struct passtime_slice third[] = {slice(200, 300, 0, PASSTIME_NONE)};
    assert_int_equal(lay_out(&set, &w, second, 1), 1);
    assert_int_equal(lay_out(&set, &w, first, 1), 1);
    assert_int_equal(w.lane_of[0], 1);
    assert_int_equal(lay_out(&set, &w, third, 1), 1);
    assert_int_equal(w.lane_of[0], 0);
}

static void what_finds_no_lane_is_said(void **state)
{
    (void)state;
    struct passtime_lane_set set = {0};
    struct written w = {0};
    struct passtime_slice slices[PASSTIME_LANES + 3];
    for (uint32_t i = 0; i < PASSTIME_LANES + 3; i++)
        slices[i] = slice(i, 1000, i, PASSTIME_NONE);
    assert_int_equal(lay_out(&set, &w, slices, PASSTIME_LANES + 3), PASSTIME_LANES);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* The most slices that overlap at any one time: what the best layout needs without nesting. */
static uint32_t overlap_of(const struct passtime_slice *slices, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at_once = 0;
        for (uint32_t k = 0; k < count; k++)
            at_once +=
                slices[k].begin_ns <= slices[i].begin_ns && slices[k].end_ns > slices[i].begin_ns
                    ? 1
                    : 0;
        most = at_once > most ? at_once : most;
    }
    return most;
}

static void random_slices_take_no_more_lanes_than_they_must(void **state)
{
    (void)state;
    uint64_t seed = 42;
    for (int round = 0; round < 500; round++) {
        struct passtime_lane_set set = {0};
        struct written w = {0};
        struct passtime_slice slices[64];
        const uint32_t count = 1 + next_random(&seed) % 64;
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t begin_ns = next_random(&seed) % 1000;
            slices[i] = slice(begin_ns, begin_ns + 1 + next_random(&seed) % 60, i, PASSTIME_NONE);
        }
        const uint32_t needed = overlap_of(slices, count);
        const uint32_t placed = lay_out(&set, &w, slices, count);
        if (needed <= PASSTIME_LANES) {
            assert_int_equal(placed, count);
            assert_int_equal(w.lanes_used, needed);
        }
    }
}

/* Frames one after the other, with children of every kind, zero lengths included. */
static void random_trees_nest_on_every_lane(void **state)
{
    (void)state;
    uint64_t seed = 7;
    struct passtime_lane_set set = {0};
    struct written w = {0};
    for (uint64_t frame = 0; frame < 500; frame++) {
        struct passtime_slice slices[48];
        for (uint32_t i = 0; i < 48; i++) {
            const bool child = i > 0 && next_random(&seed) % 2 == 0;
            const uint32_t parent = child ? next_random(&seed) % i : PASSTIME_NONE;
            const uint64_t from = child ? slices[parent].begin_ns : frame * 90;
            const uint64_t begin_ns = from + next_random(&seed) % 20;
            slices[i] = slice(begin_ns, begin_ns + next_random(&seed) % 30, i, parent);
            slices[i].later = child && slices[parent].begin_ns < begin_ns;
        }
        (void)lay_out(&set, &w, slices, 48);
    }
}

static void sorting_is_by_begin_then_the_longer_first(void **state)
{
    (void)state;
    struct passtime_slice slices[MOST];
    struct passtime_slice scratch[MOST];
    uint64_t seed = 3;
    for (uint32_t i = 0; i < MOST; i++) {
        const uint64_t begin_ns = next_random(&seed) % 50;
        slices[i] = slice(begin_ns, begin_ns + 1 + next_random(&seed) % 5, i, PASSTIME_NONE);
    }
    passtime_lanes_sort(slices, scratch, MOST);
    for (uint32_t i = 1; i < MOST; i++) {
        const struct passtime_slice *a = &slices[i - 1];
        const struct passtime_slice *b = &slices[i];
        assert_true(a->begin_ns < b->begin_ns ||
                    (a->begin_ns == b->begin_ns &&
                     (a->end_ns > b->end_ns || (a->end_ns == b->end_ns && a->index < b->index))));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_in_a_row_share_one_lane),
        cmocka_unit_test(nested_passes_share_the_lane_of_what_they_are_in),
        cmocka_unit_test(one_that_only_falls_within_anothers_time_takes_its_own),
        cmocka_unit_test(a_child_that_outlasts_its_parent_is_not_nested),
        cmocka_unit_test(a_frame_that_comes_late_does_not_go_back_on_a_lane),
        cmocka_unit_test(what_finds_no_lane_is_said),
        cmocka_unit_test(random_slices_take_no_more_lanes_than_they_must),
        cmocka_unit_test(random_trees_nest_on_every_lane),
        cmocka_unit_test(sorting_is_by_begin_then_the_longer_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
