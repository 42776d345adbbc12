/* SPDX-License-Identifier: MIT */
/*
 * One series: every good duration of one pass, kept as a window of recent ones, a histogram of all,
 * exact sums and batch means. Plain memory of fixed size, owned by the caller; one thread at a
 * time.
 */
#ifndef PASSTIME_CORE_SERIES_H
#define PASSTIME_CORE_SERIES_H

#include "core/histogram.h"
#include "core/stats.h"

#include <stdint.h>

enum { PASSTIME_SERIES_WINDOW = 256 };

/* A sample is entered into the figures with the next few, which costs a third of entering each
 * alone. */
enum { PASSTIME_SERIES_PENDING = 16 };

struct passtime_series_sums {
    uint64_t low_ns;
    uint64_t high; /* the sum is exact: high * 2^64 + low_ns */
    uint64_t min_ns;
    uint64_t max_ns;
    double square; /* sum of the squared distances from the first sample, in ns^2: they keep the
                      digits that squares of whole durations would lose */
};

struct passtime_series {
    /* Kept with every sample: */
    uint64_t count;   /* good samples; zeros count as the zeros that they are */
    uint32_t pending; /* the last of them, which are in the window only */
    uint64_t rejected;
    uint64_t frames; /* runs of good samples under one frame number */
    uint64_t last_ns;
    uint64_t last_frame;
    uint64_t first_frame;
    double origin_ns; /* the first sample */
    /* Of all but the pending ones: */
    struct passtime_series_sums sums;
    struct passtime_histogram histogram;
    struct passtime_batches batches;
    uint64_t window[PASSTIME_SERIES_WINDOW]; /* sample i stands at i modulo the window */
};

void passtime_series_init(struct passtime_series *s);
/* Enters what is pending. The functions further down see to that themselves. */
void passtime_series_settle(struct passtime_series *s);

static inline void passtime_series_add(struct passtime_series *s, uint64_t duration_ns,
                                       uint64_t frame_number)
{
    if (s->count == 0) {
        s->origin_ns = (double)duration_ns;
        s->first_frame = frame_number;
        s->last_frame = ~frame_number;
    }
    s->frames += frame_number != s->last_frame;
    s->last_frame = frame_number;
    s->last_ns = duration_ns;
    s->window[s->count % PASSTIME_SERIES_WINDOW] = duration_ns;
    s->count++;
    s->pending++;
    if (s->pending == PASSTIME_SERIES_PENDING) {
        passtime_series_settle(s);
    }
}

static inline void passtime_series_reject(struct passtime_series *s)
{
    s->rejected++;
}

/*
 * Sums up the whole series. Percentiles are exact while the window holds every sample, and come
 * from the histogram after that. quantum_ns: 0 where the quantum is unknown, 1 where there is none.
 * A figure that can't be told is 0 and its flag is clear; no field is ever NaN or infinite.
 */
void passtime_series_summary(const struct passtime_series *s, uint64_t quantum_ns,
                             passtime_stats *out);

/* The same of the window alone: the last 256 samples. Marked WINDOWED. */
void passtime_series_recent(const struct passtime_series *s, uint64_t quantum_ns,
                            passtime_stats *out);

#endif
