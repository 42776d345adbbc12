/* SPDX-License-Identifier: MIT */
/* A sweep by begin that keeps what runs in a heap, whose first item is the owner. What has ended
 * leaves the heap when it comes to the top. */
#include "core/share.h"

static bool began_first(const passtime_sample *samples, uint32_t a, uint32_t b)
{
    if (samples[a].begin_ns != samples[b].begin_ns)
        return samples[a].begin_ns < samples[b].begin_ns;
    return a < b;
}

/* True: a comes before b as the owner of an instant in which both run. */
static bool owns(const struct passtime_share *share, uint32_t a, uint32_t b)
{
    if (share->root[a] != share->root[b])
        return began_first(share->samples, share->root[a], share->root[b]);
    if (share->depth[a] != share->depth[b])
        return share->depth[a] > share->depth[b];
    return began_first(share->samples, a, b);
}

static void push(const struct passtime_share *share, uint32_t *running, uint32_t item)
{
    uint32_t at = (*running)++;
    while (at > 0 && owns(share, item, share->heap[(at - 1) / 2])) {
        share->heap[at] = share->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    share->heap[at] = item;
}

static void pop(const struct passtime_share *share, uint32_t *running)
{
    uint32_t item = share->heap[--*running];
    uint32_t at = 0;
    for (uint32_t child = 1; child < *running; child = 2 * at + 1) {
        if (child + 1 < *running && owns(share, share->heap[child + 1], share->heap[child]))
            child++;
        if (!owns(share, share->heap[child], item))
            break;
        share->heap[at] = share->heap[child];
        at = child;
    }
    share->heap[at] = item;
}

/* Hands out the time from `from` to `until` to its owners. */
static void hand_out(const struct passtime_share *share, uint32_t *running, uint64_t from,
                     uint64_t until)
{
    while (*running > 0 && from < until) {
        passtime_sample *owner = &share->samples[share->heap[0]];
        if (owner->end_ns <= from) {
            pop(share, running);
            continue;
        }
        uint64_t to = owner->end_ns < until ? owner->end_ns : until;
        owner->attributed_ns += to - from;
        from = to;
    }
}

/* An overlap of a single nanosecond may come from rounding begin and duration. */
static bool overlaps(const passtime_sample *s, uint64_t covered)
{
    uint64_t end = s->end_ns < covered ? s->end_ns : covered;
    return end > s->begin_ns && end - s->begin_ns > 1;
}

/* True: nothing else runs during the pass at `place`, given that nothing runs when it begins. */
static bool is_alone(const struct passtime_share *share, uint32_t place, uint64_t end_ns)
{
    return place + 1 == share->count || share->samples[share->order[place + 1]].begin_ns >= end_ns;
}

void passtime_share_queue(const struct passtime_share *share)
{
    uint32_t running = 0;
    uint64_t now = 0;
    uint64_t covered = 0; /* the last end of the passes so far */
    for (uint32_t place = 0; place < share->count; place++) {
        uint32_t at = share->order[place];
        passtime_sample *s = &share->samples[at];
        hand_out(share, &running, now, s->begin_ns);
        now = s->begin_ns;
        /* Most passes run one after another, and need no heap. */
        if (running == 0 && is_alone(share, place, s->end_ns))
            s->attributed_ns += s->end_ns - s->begin_ns;
        else
            push(share, &running, at);
        if (share->depth[at] == 0 && overlaps(s, covered))
            s->flags |= PASSTIME_FLAG_OVERLAPS;
        covered = s->end_ns > covered ? s->end_ns : covered;
    }
    hand_out(share, &running, now, UINT64_MAX);
}
