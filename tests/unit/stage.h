/* SPDX-License-Identifier: MIT */
/* A context on the feed backend that several threads share, with a clock that moves as it is read.
 */
#ifndef PASSTIME_TESTS_STAGE_H
#define PASSTIME_TESTS_STAGE_H

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* barriers */
#endif

#include <passtime/feed.h>

#include <pthread.h>
#include <stdatomic.h>

/* How far the GPU's clock is ahead of the CPU's. */
enum { GPU_AHEAD_NS = 777777 };

/* A thread must not assert: cmocka would jump out of it. It counts what was wrong instead. */
struct stage {
    passtime *t;
    _Atomic uint64_t now_ns;
    atomic_uint wrong;
    uint64_t frame;
    pthread_barrier_t barrier;
    uint64_t *ticks;
    atomic_uint *taken; /* by pair: who holds it, from 1 */
};

struct worker {
    struct stage *stage;
    uint32_t number;
};

/* Counts what is wrong; any thread. */
void stage_expect(struct stage *stage, bool right);
/* Clears the stage and returns a desc with its clock; a test changes it, then creates stage->t. */
passtime_desc stage_desc(struct stage *stage);
/* Asserts that fates and verdicts add up, once all threads are done. */
void stage_check_ledger(passtime *t);

#endif
