/* SPDX-License-Identifier: MIT */
/*
 * A base-2 exponential histogram as OpenTelemetry defines it, so that the histograms of many
 * machines add up exactly. Bucket `index` at `scale` holds the values in (2^(index/2^scale),
 * 2^((index+1)/2^scale)]. It starts at scale 7 (a bucket is 0.54 % wide), the finest that the table
 * of bounds serves without error, and is scaled down so that what it has seen fits its 160 buckets.
 * Scale 1 holds every uint64_t.
 */
#ifndef PASSTIME_CORE_HISTOGRAM_H
#define PASSTIME_CORE_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { PASSTIME_HISTOGRAM_BUCKETS = 160, PASSTIME_HISTOGRAM_MAX_SCALE = 7 };

struct passtime_histogram {
    uint64_t zero_count; /* samples of exactly 0 */
    uint32_t first;      /* index of buckets[0] plus 2^scale, which makes it never negative */
    uint8_t scale;
    bool used;      /* a bucket has been counted in, so that `first` means something */
    bool saturated; /* a bucket has reached its maximum: quantiles are no longer told */
    uint32_t buckets[PASSTIME_HISTOGRAM_BUCKETS];
};

void passtime_histogram_init(struct passtime_histogram *h);
void passtime_histogram_add(struct passtime_histogram *h, uint64_t value);
void passtime_histogram_add_all(struct passtime_histogram *h, const uint64_t *values,
                                uint32_t count);

/* Adds `other` to `h`. The result is what `h` would be had it seen the samples of both. */
void passtime_histogram_merge(struct passtime_histogram *h, const struct passtime_histogram *other);

/* Samples in all buckets, zeros included. */
uint64_t passtime_histogram_count(const struct passtime_histogram *h);

/* The index, as OpenTelemetry counts it, of buckets[0]. */
int32_t passtime_histogram_offset(const struct passtime_histogram *h);

/*
 * The sample of rank `rank` (0: the smallest), placed within its bucket by its rank among the
 * bucket's samples. False where there is no such sample, or where a bucket is saturated.
 */
bool passtime_histogram_rank(const struct passtime_histogram *h, uint64_t rank, uint64_t *value);

/* The sample at `permille` thousandths of the way from the smallest to the largest (nearest rank).
 */
bool passtime_histogram_quantile(const struct passtime_histogram *h, uint32_t permille,
                                 uint64_t *value);

#endif
