/* SPDX-License-Identifier: MIT */
/* The base-2 exponential histogram: counting, scaling down, merging, and reading ranks back. */
#include "core/histogram.h"

#include "core/math.h"

#include <string.h>

enum { BUCKETS = PASSTIME_HISTOGRAM_BUCKETS };

/* With this as the first index no bucket is ever hit, so that counting needs no test of `used`. */
static const uint32_t nowhere = UINT32_MAX / 2;

void passtime_histogram_init(struct passtime_histogram *h)
{
    memset(h, 0, sizeof *h);
    h->scale = PASSTIME_HISTOGRAM_MAX_SCALE;
    h->first = nowhere;
}

static inline void count_in(struct passtime_histogram *h, uint32_t slot, uint32_t count)
{
    if (count > UINT32_MAX - h->buckets[slot]) {
        h->buckets[slot] = UINT32_MAX;
        h->saturated = true;
    } else {
        h->buckets[slot] += count;
    }
}

/* Halves the resolution: buckets 2i and 2i + 1 become bucket i, as OpenTelemetry has it. */
static void scale_down(struct passtime_histogram *h)
{
    h->scale--;
    if (!h->used) {
        return;
    }
    uint32_t first = h->first / 2;
    for (uint32_t i = 0; i < BUCKETS; i++) {
        uint32_t count = h->buckets[i];
        h->buckets[i] = 0;
        count_in(h, (h->first + i) / 2 - first, count);
    }
    h->first = first;
}

/* Moves the buckets so that buckets[0] has the index `first`; all that are used stay in range. */
static void move(struct passtime_histogram *h, uint32_t first)
{
    uint32_t moved[BUCKETS] = {0};
    for (uint32_t i = 0; i < BUCKETS; i++) {
        if (h->buckets[i] != 0) {
            moved[h->first + i - first] = h->buckets[i];
        }
    }
    memcpy(h->buckets, moved, sizeof moved);
    h->first = first;
}

/* Widens [*low, *high] to the buckets that are used. */
static void used_range(const struct passtime_histogram *h, uint32_t *low, uint32_t *high)
{
    for (uint32_t i = 0; i < BUCKETS && h->used; i++) {
        if (h->buckets[i] != 0) {
            uint32_t index = h->first + i;
            *low = index < *low ? index : *low;
            *high = index > *high ? index : *high;
        }
    }
}

/* Makes room for the bucket `index` of scale `scale`, which is not below the histogram's. */
static void make_room(struct passtime_histogram *h, uint32_t index, uint32_t scale)
{
    uint32_t low;
    uint32_t high;
    for (;;) {
        low = high = index >> (scale - h->scale);
        used_range(h, &low, &high);
        if (high - low < BUCKETS) {
            break;
        }
        scale_down(h);
    }
    /* As much room on either side as there is: durations stray both ways. */
    uint32_t margin = (BUCKETS - (high - low + 1)) / 2;
    move(h, low > margin ? low - margin : 0);
    h->used = true;
}

static inline void add_at(struct passtime_histogram *h, uint32_t index, uint32_t scale,
                          uint32_t count)
{
    uint32_t slot = (index >> (scale - h->scale)) - h->first;
    if (slot >= BUCKETS) {
        make_room(h, index, scale);
        slot = (index >> (scale - h->scale)) - h->first;
    }
    count_in(h, slot, count);
}

void passtime_histogram_add(struct passtime_histogram *h, uint64_t value)
{
    passtime_histogram_add_all(h, &value, 1);
}

void passtime_histogram_add_all(struct passtime_histogram *h, const uint64_t *values,
                                uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (values[i] == 0) {
            h->zero_count++;
        } else {
            add_at(h, passtime_log2_index(values[i]), PASSTIME_HISTOGRAM_MAX_SCALE, 1);
        }
    }
}

void passtime_histogram_merge(struct passtime_histogram *h, const struct passtime_histogram *other)
{
    h->zero_count += other->zero_count;
    h->saturated = h->saturated || other->saturated;
    while (h->scale > other->scale) {
        scale_down(h);
    }
    for (uint32_t i = 0; i < BUCKETS; i++) {
        if (other->buckets[i] != 0) {
            add_at(h, other->first + i, other->scale, other->buckets[i]);
        }
    }
}

uint64_t passtime_histogram_count(const struct passtime_histogram *h)
{
    uint64_t count = h->zero_count;
    for (uint32_t i = 0; i < BUCKETS; i++) {
        count += h->buckets[i];
    }
    return count;
}

int32_t passtime_histogram_offset(const struct passtime_histogram *h)
{
    return h->used ? (int32_t)h->first - (int32_t)(1u << h->scale) : 0;
}

/* The lower end of the bucket `index`, in the fine steps of the logarithm. */
static double lower_bound(const struct passtime_histogram *h, uint32_t index)
{
    return passtime_log2_bound(index << (PASSTIME_HISTOGRAM_MAX_SCALE - h->scale));
}

bool passtime_histogram_rank(const struct passtime_histogram *h, uint64_t rank, uint64_t *value)
{
    if (h->saturated) {
        return false;
    }
    if (rank < h->zero_count) {
        *value = 0;
        return true;
    }
    rank -= h->zero_count;
    for (uint32_t i = 0; i < BUCKETS; i++) {
        if (rank < h->buckets[i]) {
            double low = lower_bound(h, h->first + i);
            double high = lower_bound(h, h->first + i + 1);
            double part = ((double)rank + 0.5) / h->buckets[i];
            double at = low + (high - low) * part + 0.5;
            *value = at < 0x1p64 ? (uint64_t)at : UINT64_MAX;
            return true;
        }
        rank -= h->buckets[i];
    }
    return false;
}

bool passtime_histogram_quantile(const struct passtime_histogram *h, uint32_t permille,
                                 uint64_t *value)
{
    uint64_t count = passtime_histogram_count(h);
    if (count == 0 || permille > 1000) {
        return false;
    }
    uint64_t before = count / 1000 * permille + (count % 1000 * permille + 999) / 1000;
    return passtime_histogram_rank(h, before > 0 ? before - 1 : 0, value);
}
