/* SPDX-License-Identifier: MIT */
/* Quantum detection: one greatest common divisor a window of evidence, and a vote of windows. */
#include "core/quantum.h"

/*
 * Differences that a verdict needs. Were the true step q, a coarser one would be seen only if all
 * of them were multiples of the same prime times q: at most 2^-30 + 3^-30 + ... < 1e-9. A
 * difference counts when it is unlike the one before, since repeated ones prove nothing.
 */
static const uint32_t evidence_needed = 30;

/* One pass of constant length at a constant pace shows two differences: they prove nothing either.
 */
static const uint32_t distinct_needed = 3;

/* Windows in a row that must agree to replace a verdict: an odd stamp spoils one or two. */
static const uint32_t agreement_needed = 4;

/* Once a verdict stands, so many stamps are passed over for each one looked at: watching for a
 * change has time. With the one looked at they make a prime, so as not to fall in step with the
 * passes of a frame. */
static const uint32_t passed_over = 12;

void passtime_quantum_init(struct passtime_quantum *q, uint32_t valid_bits)
{
    *q = (struct passtime_quantum){0};
    q->mask = valid_bits == 0 || valid_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << valid_bits) - 1;
}

static bool has_distinct(uint64_t seen)
{
    uint32_t distinct = 0;
    while (seen != 0 && distinct < distinct_needed) {
        seen &= seen - 1;
        distinct++;
    }
    return distinct == distinct_needed;
}

/* The greatest common divisor of `gcd` and a difference other than 0. */
static uint64_t reduce(uint64_t gcd, uint64_t difference)
{
    if ((gcd & (gcd - 1)) == 0 && gcd != 0) {
        uint64_t low_bits = difference & (gcd - 1);
        return low_bits == 0 ? gcd : low_bits & (~low_bits + 1);
    }
    while (gcd != 0) {
        uint64_t rest = difference % gcd;
        difference = gcd;
        gcd = rest;
    }
    return difference;
}

/* Ends the window: its greatest common divisor is a vote. True: the verdict is new. */
static bool vote(struct passtime_quantum *q)
{
    uint64_t verdict = q->gcd;
    q->gcd = 0;
    q->evidence = 0;
    q->seen = 0;
    if (verdict == q->known) {
        q->agreement = 0;
        return false;
    }
    q->agreement = verdict == q->candidate ? q->agreement + 1 : 1;
    q->candidate = verdict;
    if (q->known != 0 && q->agreement < agreement_needed) {
        return false;
    }
    q->changes += q->known != 0;
    q->known = verdict;
    q->agreement = 0;
    return true;
}

/* Takes one stamp into the window. True: the verdict is new. */
static bool look_at(struct passtime_quantum *q, uint64_t ticks)
{
    uint64_t ahead = (ticks - q->last) & q->mask;
    uint64_t back = (q->last - ticks) & q->mask;
    uint64_t difference = ahead < back ? ahead : back;
    q->last = ticks;
    if (!q->started) {
        q->started = true;
        return false;
    }
    if (difference == 0) {
        return false;
    }
    q->gcd = reduce(q->gcd, difference);
    if (difference == q->step) {
        return false;
    }
    q->step = difference;
    q->seen |= UINT64_C(1) << ((difference * UINT64_C(0x9e3779b97f4a7c15)) >> 58);
    q->evidence++;
    return q->evidence >= evidence_needed && has_distinct(q->seen) && vote(q);
}

bool passtime_quantum_look(struct passtime_quantum *q, uint64_t ticks)
{
    bool changed = look_at(q, ticks);
    q->skip = q->known != 0 ? passed_over : 0;
    return changed;
}

void passtime_quantum_add_many(struct passtime_quantum *q, const uint64_t *ticks, uint32_t count)
{
    uint32_t at = 0;
    while (q->skip < count - at) {
        at += q->skip;
        (void)passtime_quantum_look(q, ticks[at]);
        at++;
    }
    q->skip -= count - at;
}

uint64_t passtime_quantum_ticks(const struct passtime_quantum *q)
{
    return q->known;
}
