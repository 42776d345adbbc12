/* SPDX-License-Identifier: MIT */
/* One series: what is kept of every sample, and the figures made of it. */
#include "core/series.h"

#include <string.h>

enum { WINDOW = PASSTIME_SERIES_WINDOW };

/* A percentile: its name, its place, and how many samples it takes to mean something. */
struct passtime_percentile {
    uint32_t flag;
    uint32_t permille;
    uint64_t needs;
};

static const struct passtime_percentile percentiles[] = {
    {PASSTIME_STATS_HAS_P50, 500, 5},
    {PASSTIME_STATS_HAS_P95, 950, 20},
    {PASSTIME_STATS_HAS_P99, 990, 100},
};

void passtime_series_init(struct passtime_series *s)
{
    memset(s, 0, sizeof *s);
    s->sums.min_ns = UINT64_MAX;
    passtime_batches_init(&s->batches);
    passtime_histogram_init(&s->histogram);
}

static uint64_t sample_at(const struct passtime_series *s, uint64_t index)
{
    return s->window[index % WINDOW];
}

/* Enters `count` samples that lie one after another. */
static void enter(struct passtime_series *s, const uint64_t *durations_ns, uint32_t count)
{
    struct passtime_series_sums sums = s->sums;
    const double origin_ns = s->origin_ns;
    const bool at_once = s->batches.length - s->batches.open_count >= count;
    double batch_sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t duration_ns = durations_ns[i];
        double value = (double)duration_ns;
        double distance = value - origin_ns;
        sums.min_ns = duration_ns < sums.min_ns ? duration_ns : sums.min_ns;
        sums.max_ns = duration_ns > sums.max_ns ? duration_ns : sums.max_ns;
        sums.low_ns += duration_ns;
        sums.high += sums.low_ns < duration_ns;
        sums.square += distance * distance;
        batch_sum += value;
        if (!at_once) {
            passtime_batches_add(&s->batches, value, 1);
        }
    }
    if (at_once && count > 0) {
        passtime_batches_add(&s->batches, batch_sum, count);
    }
    s->sums = sums;
    passtime_histogram_add_all(&s->histogram, durations_ns, count);
}

void passtime_series_settle(struct passtime_series *s)
{
    uint32_t first = (uint32_t)((s->count - s->pending) % WINDOW);
    uint32_t until_end = WINDOW - first;
    uint32_t straight = s->pending < until_end ? s->pending : until_end;
    enter(s, s->window + first, straight);
    enter(s, s->window, s->pending - straight);
    s->pending = 0;
}

/* Sorts by Shell's method: the window is small, and the core has no library to sort by. */
static void sort(uint64_t *values, uint32_t count)
{
    static const uint32_t gaps[] = {132, 57, 23, 10, 4, 1};
    for (uint32_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
        uint32_t gap = gaps[g];
        for (uint32_t i = gap; i < count; i++) {
            uint64_t value = values[i];
            uint32_t place = i;
            for (; place >= gap && values[place - gap] > value; place -= gap) {
                values[place] = values[place - gap];
            }
            values[place] = value;
        }
    }
}

/* The samples of the window from the oldest to the newest; how many. */
static uint32_t window_copy(const struct passtime_series *s, uint64_t values[WINDOW])
{
    uint32_t count = s->count < WINDOW ? (uint32_t)s->count : WINDOW;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = sample_at(s, s->count - count + i);
    }
    return count;
}

/* A single value means something where the quantum is small against it. */
static bool is_fine(uint64_t value_ns, uint64_t quantum_ns)
{
    return quantum_ns <= 1 || value_ns / PASSTIME_COARSE >= quantum_ns;
}

static uint64_t *percentile_field(passtime_stats *out, uint32_t flag)
{
    return flag == PASSTIME_STATS_HAS_P50   ? &out->p50_ns
           : flag == PASSTIME_STATS_HAS_P95 ? &out->p95_ns
                                            : &out->p99_ns;
}

static void set_percentile(passtime_stats *out, const struct passtime_percentile *p, uint64_t value,
                           uint64_t quantum_ns)
{
    value = value < out->min_ns ? out->min_ns : value;
    value = value > out->max_ns ? out->max_ns : value;
    if (value > 0 && is_fine(value, quantum_ns)) {
        *percentile_field(out, p->flag) = value;
        out->flags |= p->flag;
    }
}

/* Exact percentiles, by nearest rank, of `count` values that it sorts. */
static void exact_percentiles(uint64_t *values, uint32_t count, uint64_t quantum_ns,
                              passtime_stats *out)
{
    sort(values, count);
    for (uint32_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++) {
        const struct passtime_percentile *p = &percentiles[i];
        if (count >= p->needs) {
            set_percentile(out, p, values[(count * p->permille + 999) / 1000 - 1], quantum_ns);
        }
    }
}

static void histogram_percentiles(const struct passtime_histogram *h, uint64_t quantum_ns,
                                  passtime_stats *out)
{
    for (uint32_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++) {
        uint64_t value;
        if (passtime_histogram_quantile(h, percentiles[i].permille, &value)) {
            set_percentile(out, &percentiles[i], value, quantum_ns);
        }
    }
}

/* What does not depend on which samples the figures are of. */
static void set_common(const struct passtime_series *s, uint64_t quantum_ns, passtime_stats *out)
{
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    out->quantum_ns = quantum_ns;
    out->rejected = s->rejected;
    out->last_ns = s->last_ns;
    out->last_frame = s->last_frame;
    if (s->rejected > (s->count + s->rejected) / 100) {
        out->flags |= PASSTIME_STATS_BIASED;
    }
}

/* Each is told where it is long against the step: a hitch stands out also of a pass of few steps.
 */
static void settle_minmax(uint64_t quantum_ns, passtime_stats *out)
{
    if (out->count > 0 && is_fine(out->min_ns, quantum_ns)) {
        out->flags |= PASSTIME_STATS_HAS_MIN;
    } else {
        out->min_ns = 0;
    }
    if (out->count > 0 && is_fine(out->max_ns, quantum_ns)) {
        out->flags |= PASSTIME_STATS_HAS_MAX;
    } else {
        out->max_ns = 0;
    }
}

static struct passtime_moments whole_moments(const struct passtime_series *s)
{
    struct passtime_moments m = {.count = s->count,
                                 .zeros = s->histogram.zero_count,
                                 .min_ns = s->sums.min_ns,
                                 .max_ns = s->sums.max_ns,
                                 .frames = (double)s->frames,
                                 .batches = &s->batches};
    if (s->count > 0) {
        double count = (double)s->count;
        m.mean_ns = ((double)s->sums.high * 0x1p64 + (double)s->sums.low_ns) / count;
        double shift = m.mean_ns - s->origin_ns;
        double squares = s->sums.square - count * shift * shift;
        m.variance = s->count > 1 && squares > 0 ? squares / (count - 1) : 0;
    }
    return m;
}

static void sum_up(const struct passtime_series *s, uint64_t quantum_ns, passtime_stats *out)
{
    struct passtime_moments m = whole_moments(s);
    set_common(s, quantum_ns, out);
    out->count = s->count;
    out->min_ns = s->count > 0 ? s->sums.min_ns : 0;
    out->max_ns = s->sums.max_ns;
    out->total_ns = s->sums.high == 0 ? s->sums.low_ns : UINT64_MAX;
    passtime_stats_mean(&m, quantum_ns, out);
    if (s->count <= WINDOW) {
        uint64_t values[WINDOW];
        uint32_t count = window_copy(s, values);
        exact_percentiles(values, count, quantum_ns, out);
    } else {
        histogram_percentiles(&s->histogram, quantum_ns, out);
    }
    settle_minmax(quantum_ns, out);
}

void passtime_series_summary(const struct passtime_series *s, uint64_t quantum_ns,
                             passtime_stats *out)
{
    struct passtime_series settled = *s;
    passtime_series_settle(&settled);
    sum_up(&settled, quantum_ns, out);
}

/* The moments of `count` values in the order of time, and their batches. */
static struct passtime_moments window_moments(const struct passtime_series *s,
                                              const uint64_t *values, uint32_t count,
                                              struct passtime_batches *batches)
{
    struct passtime_moments m = {.count = count, .min_ns = UINT64_MAX, .batches = batches};
    double squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        double value = (double)values[i];
        double step = value - m.mean_ns;
        m.mean_ns += step / (i + 1);
        squares += step * (value - m.mean_ns);
        m.zeros += values[i] == 0;
        m.min_ns = values[i] < m.min_ns ? values[i] : m.min_ns;
        m.max_ns = values[i] > m.max_ns ? values[i] : m.max_ns;
        passtime_batches_add(batches, value, 1);
    }
    m.variance = count > 1 ? squares / (count - 1) : 0;
    m.frames = count > 0 ? (double)s->frames * count / (double)s->count : 0;
    return m;
}

static uint64_t saturating_sum(const uint64_t *values, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum = values[i] > UINT64_MAX - sum ? UINT64_MAX : sum + values[i];
    }
    return sum;
}

void passtime_series_recent(const struct passtime_series *s, uint64_t quantum_ns,
                            passtime_stats *out)
{
    uint64_t values[WINDOW];
    struct passtime_batches batches;
    uint32_t count = window_copy(s, values);
    passtime_batches_init(&batches);
    struct passtime_moments m = window_moments(s, values, count, &batches);
    set_common(s, quantum_ns, out);
    out->flags |= PASSTIME_STATS_WINDOWED;
    out->count = count;
    out->min_ns = count > 0 ? m.min_ns : 0;
    out->max_ns = m.max_ns;
    out->total_ns = saturating_sum(values, count);
    passtime_stats_mean(&m, quantum_ns, out);
    exact_percentiles(values, count, quantum_ns, out);
    settle_minmax(quantum_ns, out);
}
