/* SPDX-License-Identifier: MIT */
/* The layout of slices in lanes; see lanes.h. */
#include "sink/lanes.h"

#include <string.h>

/* One without length comes before what begins with it, so that it fits in front, or at the end of
 * what is around it; but not before its own parent. */
static bool is_point(const struct passtime_slice *slice)
{
    return slice->begin_ns == slice->end_ns && (slice->parent == PASSTIME_NONE || slice->later);
}

static bool comes_first(const struct passtime_slice *a, const struct passtime_slice *b)
{
    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns;
    if (is_point(a) != is_point(b))
        return is_point(a);
    if (a->end_ns != b->end_ns)
        return a->end_ns > b->end_ns;
    return a->index < b->index;
}

static void merge(const struct passtime_slice *from, struct passtime_slice *to, uint32_t left,
                  uint32_t middle, uint32_t end)
{
    uint32_t a = left;
    uint32_t b = middle;
    for (uint32_t i = left; i < end; i++) {
        const bool take_b = a == middle || (b < end && comes_first(&from[b], &from[a]));
        to[i] = take_b ? from[b++] : from[a++];
    }
}

static bool is_sorted(const struct passtime_slice *slices, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (comes_first(&slices[i], &slices[i - 1]))
            return false;
    return true;
}

void passtime_lanes_sort(struct passtime_slice *slices, struct passtime_slice *scratch,
                         uint32_t count)
{
    if (is_sorted(slices, count))
        return;
    struct passtime_slice *from = slices;
    struct passtime_slice *to = scratch;
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t left = 0; left < count; left += 2 * width) {
            const uint32_t middle = left + width < count ? left + width : count;
            const uint32_t end = left + 2 * width < count ? left + 2 * width : count;
            merge(from, to, left, middle, end);
        }
        struct passtime_slice *swap = from;
        from = to;
        to = swap;
    }
    if (from != slices)
        memcpy(slices, from, count * sizeof *slices);
}

static void end_down_to(struct passtime_lane *lane, uint32_t number, uint32_t depth,
                        passtime_lane_emit emit, void *user)
{
    while (lane->depth > depth) {
        const struct passtime_slice *top = &lane->open[--lane->depth];
        lane->until_ns = top->end_ns;
        emit(user, number, top->index, top->end_ns, false);
    }
}

/*
 * Whether a lane is free once what has ended by then is off it, or holds the slice around this one.
 * *depth is how many of the lane's open slices stay.
 */
static bool fits(const struct passtime_lane *lane, const struct passtime_slice *slice,
                 uint32_t *depth)
{
    uint32_t left = lane->depth;
    uint64_t until_ns = lane->until_ns;
    while (left > 0 && lane->open[left - 1].end_ns <= slice->begin_ns &&
           lane->open[left - 1].index != slice->parent)
        until_ns = lane->open[--left].end_ns;
    *depth = left;
    if (until_ns > slice->begin_ns || left == PASSTIME_LANE_DEPTH)
        return false;
    return left == 0 || (lane->open[left - 1].index == slice->parent &&
                         lane->open[left - 1].end_ns >= slice->end_ns);
}

bool passtime_lanes_put(struct passtime_lane_set *set, const struct passtime_slice *slice,
                        passtime_lane_emit emit, void *user)
{
    for (uint32_t i = 0; i < PASSTIME_LANES; i++) {
        struct passtime_lane *lane = &set->lanes[i];
        uint32_t depth = 0;
        if (!fits(lane, slice, &depth))
            continue;
        end_down_to(lane, i, depth, emit, user);
        lane->open[lane->depth++] = *slice;
        lane->until_ns = slice->begin_ns;
        emit(user, i, slice->index, slice->begin_ns, true);
        return true;
    }
    return false;
}

void passtime_lanes_flush(struct passtime_lane_set *set, passtime_lane_emit emit, void *user)
{
    for (uint32_t i = 0; i < PASSTIME_LANES; i++)
        end_down_to(&set->lanes[i], i, 0, emit, user);
}
