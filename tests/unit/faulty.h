/* SPDX-License-Identifier: MIT */
/*
 * A simulated GPU with slots that keep what was last written to them, under random mixes of every
 * fault, and a context that is fed from it. What the GPU did is known for each pass.
 */
#ifndef PASSTIME_TESTS_FAULTY_H
#define PASSTIME_TESTS_FAULTY_H

#include <stdbool.h>
#include <stdint.h>

struct faulty_gpu {
    uint32_t fault_percent; /* of passes; of other things less */
    uint64_t quantum_ns;    /* 1: none */
    uint32_t valid_bits;
    uint64_t tick_ns_num;
    uint64_t tick_ns_den;
};

struct faulty_outcome {
    uint64_t good_samples;
    uint64_t rejected_samples;
    uint64_t false_samples; /* good ones that are not just what the GPU did */
    bool books_balance;     /* fates and verdicts add up to what was begun and recorded */
};

/* All 0 where there is no memory. */
struct faulty_outcome faulty_run(const struct faulty_gpu *gpu, uint64_t seed, uint32_t frames);

#endif
