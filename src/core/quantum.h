/* SPDX-License-Identifier: MIT */
/*
 * Finds the step that a platform rounds its stamps to, from good stamps alone: the greatest common
 * divisor of the differences between stamps, in ticks. Verdicts come from windows of evidence, so
 * that one odd stamp spoils one window and never the knowledge, and a quantum that really changes
 * is noticed.
 */
#ifndef PASSTIME_CORE_QUANTUM_H
#define PASSTIME_CORE_QUANTUM_H

#include <stdbool.h>
#include <stdint.h>

struct passtime_quantum {
    uint64_t mask;      /* the valid bits of a stamp */
    uint64_t last;      /* the stamp before */
    uint64_t step;      /* the last difference other than 0 */
    uint64_t gcd;       /* of this window's differences */
    uint64_t seen;      /* a bit for each hash of a difference: how many distinct ones, at least */
    uint64_t known;     /* the verdict; 0: none yet */
    uint64_t candidate; /* what the last dissenting window said */
    uint32_t agreement; /* dissenting windows in a row that said it */
    uint32_t evidence;  /* differences of this window that were unlike the one before */
    uint32_t skip;      /* stamps to pass over before the next look */
    uint32_t changes;   /* verdicts that replaced another one */
    bool started;
};

void passtime_quantum_init(struct passtime_quantum *q, uint32_t valid_bits);

/* What passtime_quantum_add does with a stamp that is not passed over. */
bool passtime_quantum_look(struct passtime_quantum *q, uint64_t ticks);

/* Takes one good stamp, unscaled. True: the verdict has just become known or has changed. */
static inline bool passtime_quantum_add(struct passtime_quantum *q, uint64_t ticks)
{
    if (q->skip > 0) {
        q->skip--;
        return false;
    }
    return passtime_quantum_look(q, ticks);
}

/* Takes many, in order. */
void passtime_quantum_add_many(struct passtime_quantum *q, const uint64_t *ticks, uint32_t count);

/* The quantum in ticks; 1 where stamps move by single ticks; 0 while unknown. */
uint64_t passtime_quantum_ticks(const struct passtime_quantum *q);

#endif
