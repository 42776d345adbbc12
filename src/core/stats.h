/* SPDX-License-Identifier: MIT */
/*
 * The mean of autocorrelated durations with an error that can be believed, and the interval that holds
 * where stamps are quantized. docs/numbers.md tells how a reader should take the figures.
 */
#ifndef PASSTIME_CORE_STATS_H
#define PASSTIME_CORE_STATS_H

#include <passtime/passtime.h>

#include <stdbool.h>
#include <stdint.h>

enum { PASSTIME_BATCHES = 64 };

/*
 * Sums of equal batches in the order of time. When all places are taken, neighbours are added up and the
 * batch doubles, so that 32 to 64 batches stand for a series of any length.
 */
struct passtime_batches {
    double sums[PASSTIME_BATCHES];
    double open_sum;
    uint32_t closed;     /* full batches in sums */
    uint32_t open_count; /* samples in open_sum */
    uint64_t length;     /* samples of a full batch: a power of two */
};

void passtime_batches_init(struct passtime_batches *b);
void passtime_batches_add(struct passtime_batches *b, double value);

#endif
