/* SPDX-License-Identifier: MIT */
/*
 * The mean of autocorrelated durations with an error that can be believed, and the interval that holds
 * where stamps are quantized. docs/numbers.md tells how a reader should take the figures.
 */
#ifndef PASSTIME_CORE_STATS_H
#define PASSTIME_CORE_STATS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PASSTIME_STATS_HAS_MEAN = 1 << 0,
    PASSTIME_STATS_HAS_SE = 1 << 1, /* se_ns, n_eff and frames_for_10_percent */
    PASSTIME_STATS_HAS_CI = 1 << 2,
    PASSTIME_STATS_HAS_BELOW = 1 << 3,
    PASSTIME_STATS_HAS_MINMAX = 1 << 4,
    PASSTIME_STATS_HAS_P50 = 1 << 5,
    PASSTIME_STATS_HAS_P95 = 1 << 6,
    PASSTIME_STATS_HAS_P99 = 1 << 7,
    PASSTIME_STATS_BIASED = 1 << 8,
    PASSTIME_STATS_QUANTIZED = 1 << 9,
    PASSTIME_STATS_WINDOWED = 1 << 10,
    PASSTIME_STATS_PHASE_LOCKED = 1 << 11
};

typedef struct passtime_stats {
    uint32_t size;
    uint32_t flags;
    uint64_t count;
    uint64_t rejected;
    double mean_ns;
    double se_ns;
    double n_eff;
    double ci_low_ns;
    double ci_high_ns;
    double below_ns;
    uint64_t min_ns;
    uint64_t max_ns;
    uint64_t p50_ns;
    uint64_t p95_ns;
    uint64_t p99_ns;
    uint64_t total_ns;
    uint64_t last_ns;
    uint64_t last_frame;
    uint64_t quantum_ns;
    uint32_t frames_for_10_percent;
} passtime_stats;

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
