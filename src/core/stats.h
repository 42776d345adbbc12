/* SPDX-License-Identifier: MIT */
/*
 * The mean of autocorrelated durations with an error that can be believed, and the intervals that
 * hold where stamps are quantized.
 */
#ifndef PASSTIME_CORE_STATS_H
#define PASSTIME_CORE_STATS_H

#include <passtime/passtime.h>

#include <stdbool.h>
#include <stdint.h>

enum { PASSTIME_BATCHES = 64 };

/* A single value below so many quanta is more than 5 % uncertain by the quantum alone: it is not
 * told. */
enum { PASSTIME_COARSE = 20 };

/*
 * Sums of equal batches in the order of time. When all places are taken, neighbours are added up
 * and the batch doubles, so that 32 to 64 batches stand for a series of any length.
 */
struct passtime_batches {
    double open_sum;
    uint64_t open_count; /* samples in open_sum */
    uint64_t length;     /* samples of a full batch: a power of two */
    uint32_t closed;     /* full batches in sums */
    double sums[PASSTIME_BATCHES];
};

/* What is known of a stretch of good samples. */
struct passtime_moments {
    uint64_t count;
    uint64_t zeros; /* samples of exactly 0 */
    uint64_t min_ns;
    uint64_t max_ns;
    double mean_ns;
    double variance; /* of single samples, in ns^2 */
    double frames;   /* how many frames the samples come from */
    const struct passtime_batches *batches;
};

void passtime_batches_init(struct passtime_batches *b);
/* Adds neighbours up, which frees half of the places. */
void passtime_batches_double(struct passtime_batches *b);

/* Adds the sum of `count` samples, which must have room in the open batch: one always has. */
static inline void passtime_batches_add(struct passtime_batches *b, double sum, uint32_t count)
{
    b->open_sum += sum;
    b->open_count += count;
    if (b->open_count == b->length) {
        b->sums[b->closed] = b->open_sum;
        b->closed++;
        b->open_sum = 0;
        b->open_count = 0;
        if (b->closed == PASSTIME_BATCHES) {
            passtime_batches_double(b);
        }
    }
}

/*
 * Fills in the mean, its error, the interval or the bound, the frames still needed, and their
 * flags. `out` must be zeroed; other fields stay as they are. quantum_ns: 0 unknown, 1 none.
 */
void passtime_stats_mean(const struct passtime_moments *m, uint64_t quantum_ns,
                         passtime_stats *out);

/*
 * Phases stand still: each duration is rounded the same way each time, and the mean may be off by
 * up to a quantum, however many samples there are. Widens error, interval and bound by that, and
 * marks the figures LOCKED. Without a quantum nothing changes.
 */
void passtime_stats_lock(passtime_stats *stats);

#endif
