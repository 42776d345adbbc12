/* SPDX-License-Identifier: MIT */
/*
 * The judge: one pair of stamps and what is known about it in, a verdict out. Pure; it remembers
 * nothing. The order of its rules is the design's, since the first that applies names the reason.
 */
#ifndef PASSTIME_CORE_JUDGE_H
#define PASSTIME_CORE_JUDGE_H

#include "core/backend.h"

/* What is known about one pair of stamps. */
struct passtime_evidence {
    uint64_t begin_ticks;
    uint64_t end_ticks;
    bool begin_available;
    bool end_available;
    bool duration_only;        /* begin_ticks is a duration */
    bool zero_means_unwritten; /* the API has no availability bit */
    bool stale_rule;           /* the last values below are there, and old enough to compare with */
    bool unseen;               /* what the slots gave before is not known: no rule here tests it */
    uint64_t last_begin_ticks; /* what the pair's slots gave before */
    uint64_t last_end_ticks;
    uint32_t valid_bits;
    struct passtime_unit unit;
    uint64_t envelope_ns; /* the CPU saw it take no longer; UINT64_MAX: no envelope */
    uint64_t quantum_ns;  /* slack for rounded stamps */
    uint64_t ceiling_ns;  /* 0: none */
};

/* Good, that is, its times count: as passtime_is_good(), without a call. */
static inline bool passtime_verdict_counts(passtime_verdict verdict)
{
    return verdict == PASSTIME_GOOD || verdict == PASSTIME_BELOW_RESOLUTION;
}

/* The longest duration that the judge does not reject for its length; false: it rejects any. Of the
 * evidence, only what is the same for all pairs of a frame is looked at. */
bool passtime_judge_longest(const struct passtime_evidence *evidence, uint64_t *longest_ns);

/* Judges. Fills *duration_ns where the verdict is good, and sets it to 0 where it is not. */
passtime_verdict passtime_judge(const struct passtime_evidence *evidence, uint64_t *duration_ns);

#endif
