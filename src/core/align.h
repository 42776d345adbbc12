/* SPDX-License-Identifier: MIT */
/*
 * Places stamps on one time line per clock, and that line on the CPU's clock: the interval of
 * offsets that puts every begin after its recording began and every end before its completion was
 * seen. When no offset does, the clock was reset: a new epoch begins, and positions start anew.
 */
#ifndef PASSTIME_CORE_ALIGN_H
#define PASSTIME_CORE_ALIGN_H

#include "core/backend.h"
#include "core/ticks.h"

struct passtime_align {
    uint32_t valid_bits;
    bool has_envelope;
    bool started;              /* an epoch is running */
    uint32_t epoch;            /* how many were begun before this one */
    struct passtime_unit unit; /* of the running segment; another unit starts another segment */
    uint64_t segment_ns;       /* position of the tick that the segment counts from */
    uint64_t last_ticks;       /* the newest tick placed … */
    uint64_t last_extended;    /* … counted from there, beyond the counter's wraps */
    uint64_t last_cpu_ns;      /* and when it was seen */
    uint64_t latest_ns;        /* the furthest position so far */
    bool bounded;              /* low_ns and high_ns hold */
    int64_t low_ns;            /* the offset from position to CPU clock lies between these */
    int64_t high_ns;
    bool stands; /* the last frame fits no offset and shows one tick only: it tells no time */
    uint64_t stands_at; /* that tick */
};

/* What the CPU knows of a frame: not before it was recorded, not after its completion was seen. */
struct passtime_envelope {
    uint64_t begin_ns;
    uint64_t seen_ns;
};

/* A pair of stamps to be placed, with its duration as the judge scaled it. */
struct passtime_stamp {
    uint64_t begin_ticks;
    uint64_t duration_ns;
    struct passtime_envelope envelope;
    bool unproven;       /* maybe of an earlier frame: placed only where that is ruled out; narrows
                            nothing */
    int64_t delta_ticks; /* out: distance from the newest tick placed before */
    uint64_t begin_ns;   /* out: its position */
    bool placed;         /* out: false where it fits nowhere */
};

void passtime_align_init(struct passtime_align *a, uint32_t valid_bits, bool has_envelope);

/* Places the good stamps of one frame. Returns true when a new epoch was begun for them (also for
 * the first). A stamp that contradicts the others, or stays unproven, is left unplaced. No
 * epoch begins with a frame that comes too late for the one tick that it shows: `stands` then says
 * that none of its stamps tells a time, until another tick is seen. */
bool passtime_align_frame(struct passtime_align *a, struct passtime_unit unit, uint64_t quantum_ns,
                          struct passtime_stamp *stamps, uint32_t count);

/*
 * The short way of the same, for a frame in which nothing is odd: all its stamps are proven and
 * share one envelope, and they fit the running epoch. Nothing of it counts before it is finished.
 */
struct passtime_placer {
    uint64_t mask;
    uint64_t last_ticks;
    uint64_t last_extended;
    uint64_t segment_ns;
    struct passtime_unit unit;
    uint64_t short_ticks; /* so many at most are scaled by a product, a sum and a shift … */
    uint64_t half;        /* … of which these are parts; see passtime_placer_scale */
    uint32_t shift;
    int64_t lowest_ticks;   /* of the distances from the newest tick placed before */
    int64_t furthest_ticks; /* the highest */
    uint64_t end_ns;        /* the last end */
    uint64_t longest_ns;    /* the longest duration */
};

/* False: the frame can't go the short way. */
bool passtime_placer_begin(const struct passtime_align *a, struct passtime_unit unit,
                           uint64_t seen_ns, struct passtime_placer *placer);
/* passtime_ticks_to_ns, with what a unit of the form num / 2^shift allows. */
static inline bool passtime_placer_scale(const struct passtime_placer *p, uint64_t ticks,
                                         uint64_t *ns)
{
    *ns = (ticks * p->unit.num + p->half) >> p->shift;
    return ticks <= p->short_ticks || passtime_ticks_scale(ticks, p->unit, ns);
}

/* False: it can't be had, go the long way. That the positions hold is for the finish to say. */
static inline bool passtime_placer_place(struct passtime_placer *p, uint64_t begin_ticks,
                                         uint64_t duration_ns, uint64_t *begin_ns)
{
    uint64_t up = (begin_ticks - p->last_ticks) & p->mask;
    int64_t delta = up <= p->mask / 2 ? (int64_t)up : -(int64_t)(p->mask - up) - 1;
    uint64_t ns;
    if (!passtime_placer_scale(p, p->last_extended + (uint64_t)delta, &ns)) {
        return false;
    }
    ns += p->segment_ns;
    p->lowest_ticks = delta < p->lowest_ticks ? delta : p->lowest_ticks;
    p->furthest_ticks = delta > p->furthest_ticks ? delta : p->furthest_ticks;
    p->end_ns = ns + duration_ns > p->end_ns ? ns + duration_ns : p->end_ns;
    p->longest_ns = duration_ns > p->longest_ns ? duration_ns : p->longest_ns;
    *begin_ns = ns;
    return true;
}
/* Makes it count; false: it contradicts what is known, nothing has changed, go the long way. */
bool passtime_placer_finish(struct passtime_align *a, const struct passtime_placer *placer,
                            struct passtime_envelope envelope, uint64_t quantum_ns);

/* The middle of the offsets that are left, and half their width; a bound of UINT64_MAX: not known.
 */
void passtime_align_offset(const struct passtime_align *a, int64_t *offset_ns, uint64_t *bound_ns);

#endif
