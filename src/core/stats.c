/* SPDX-License-Identifier: MIT */
/* Batch means, their long-run variance, and the intervals made of it. */
#include "core/stats.h"

#include "core/math.h"

#include <string.h>

/* The error of a mean, as far as it can be told. */
struct passtime_error {
    double variance; /* of the mean, in ns^2 */
    double freedom;  /* degrees of freedom of that estimate; 0: it can't be told */
};

void passtime_batches_init(struct passtime_batches *b)
{
    memset(b, 0, sizeof *b);
    b->length = 1;
}

void passtime_batches_double(struct passtime_batches *b)
{
    b->closed = PASSTIME_BATCHES / 2;
    for (uint32_t i = 0; i < b->closed; i++) {
        b->sums[i] = b->sums[2 * i] + b->sums[2 * i + 1];
    }
    b->length *= 2;
}

/* The autocovariance of `count` values at a lag, about their mean. */
static double autocovariance(const double *x, uint32_t count, double mean, uint32_t lag)
{
    double sum = 0;
    for (uint32_t i = 0; i + lag < count; i++) {
        sum += (x[i] - mean) * (x[i + lag] - mean);
    }
    return sum / count;
}

/*
 * The variance of the mean of all samples: batch means, corrected for what correlation is left
 * between batches. Autocovariances are added up to a lag that is three times the correlation time
 * found so far (Sokal's window), and at least one, so that correlation is looked for before it is
 * ruled out; the sum is freed of the bias that subtracting the mean puts in. Where the window takes
 * more than a third of the batches the series is too short for its correlation, and nothing is
 * told.
 */
static struct passtime_error batch_error(const struct passtime_batches *b, uint64_t samples)
{
    struct passtime_error none = {0, 0};
    if (b->closed == 0) {
        return none;
    }
    double mean = 0;
    for (uint32_t i = 0; i < b->closed; i++) {
        mean += b->sums[i] / b->closed;
    }
    double single = autocovariance(b->sums, b->closed, mean, 0);
    if (!(single > 0)) {
        return none;
    }
    double sum = single;
    uint32_t lag = 0;
    do {
        lag++;
        if (3 * (2 * lag + 1) > b->closed) {
            return none;
        }
        sum += 2 * autocovariance(b->sums, b->closed, mean, lag);
    } while (lag < 3 * (sum / single - 1));
    double window = 2.0 * lag + 1;
    double long_run = sum / (1 - window / b->closed);
    /* Of one batch's sum; the mean of all samples is of samples/length batches, per length samples.
     */
    struct passtime_error error = {long_run / ((double)b->length * (double)samples),
                                   b->closed / window};
    return error;
}

static void set_interval(passtime_stats *out, double low, double high)
{
    out->ci_low_ns = low > 0 ? low : 0;
    out->ci_high_ns = high;
    out->flags |= PASSTIME_STATS_HAS_CI;
}

static void set_error(passtime_stats *out, double se_ns, double n_eff)
{
    out->se_ns = se_ns;
    out->n_eff = n_eff;
    out->flags |= PASSTIME_STATS_HAS_SE;
}

/*
 * How many more frames bring the standard error to a tenth of the mean, when `variance` is that of
 * the mean now: it falls as one over the samples.
 */
static uint32_t frames_wanted(const struct passtime_moments *m, double mean, double variance)
{
    double goal = 0.01 * mean * mean;
    if (variance <= goal) {
        return 0;
    }
    double more = m->frames * (variance / goal - 1);
    return more < (double)UINT32_MAX - 1 ? (uint32_t)more + 1 : UINT32_MAX;
}

/* Wilson's interval for a share seen as p in n independent samples, at t standard deviations. */
static void score_interval(double p, double n, double t, double *low, double *high)
{
    double z2 = t * t / n;
    double centre = (p + z2 / 2) / (1 + z2);
    double half = passtime_sqrt(z2 * (p * (1 - p) + z2 / 4)) / (1 + z2);
    *low = centre - half;
    *high = centre + half;
}

/* All samples are equal: what one more tick up or down, not seen yet, could make of the mean. */
static void equal_samples(const struct passtime_moments *m, double quantum, passtime_stats *out)
{
    const double normal = 1.959964;
    double low;
    double high;
    score_interval(0, (double)m->count, normal, &low, &high);
    set_interval(out, m->mean_ns - high * quantum, m->mean_ns + high * quantum);
    set_error(out, high * quantum / normal, (double)m->count);
}

/* Samples take two neighbouring steps of the clock: their mean is a share. */
static void two_steps(const struct passtime_moments *m, struct passtime_error error,
                      passtime_stats *out)
{
    double step = (double)(m->max_ns - m->min_ns);
    double p = (m->mean_ns - (double)m->min_ns) / step;
    double n_eff = p * (1 - p) * step * step / error.variance;
    n_eff = n_eff < (double)m->count ? n_eff : (double)m->count;
    double t = passtime_student(error.freedom);
    double low;
    double high;
    score_interval(p, n_eff, t, &low, &high);
    /* Where nearly all samples are on one step, the one on its other side may not have been seen
     * yet. */
    double unseen = t * t / (n_eff + t * t);
    if (p > 0.75) {
        high += unseen;
    } else if (p < 0.25 && m->min_ns > 0) {
        low -= unseen;
    }
    set_interval(out, (double)m->min_ns + low * step, (double)m->min_ns + high * step);
}

/*
 * Most samples are 0 and a few are not: how many were not is left to chance, and with it the
 * variance. Upwards the interval is that of means from which the one seen is within t standard
 * deviations, with a variance that goes with the mean (a score interval); downwards it is the plain
 * one, which is the wider there.
 */
static void few_ticks(const struct passtime_moments *m, struct passtime_error error,
                      passtime_stats *out)
{
    double t = passtime_student(error.freedom);
    double spread = t * passtime_sqrt(error.variance);
    double shift = spread * spread / m->mean_ns / 2;
    double half = passtime_sqrt(spread * spread + shift * shift);
    set_interval(out, m->mean_ns - spread, m->mean_ns + shift + half);
}

static void student_interval(const struct passtime_moments *m, struct passtime_error error,
                             passtime_stats *out)
{
    double half = passtime_student(error.freedom) * passtime_sqrt(error.variance);
    set_interval(out, m->mean_ns - half, m->mean_ns + half);
}

/* No sample ticked: the mean is below three quanta in n, at 95 %; nothing finer than 1 ns is
 * claimed. */
static void none_ticked(const struct passtime_moments *m, uint64_t quantum_ns, passtime_stats *out)
{
    if (quantum_ns == 0) {
        return;
    }
    double count = (double)m->count;
    double below = 3 * (double)quantum_ns / count;
    out->below_ns = below > 1 ? below : 1;
    out->flags |= PASSTIME_STATS_HAS_BELOW;
    /* As if the next sample ticked: no fewer than that. */
    double mean = (double)quantum_ns / count;
    out->frames_for_10_percent = frames_wanted(m, mean, mean * mean);
}

/*
 * The rounding of stamps is noise that hides how durations drift from frame to frame. Where it
 * makes up more than about a twelfth of the variance, and passes are not so short that it dwarfs
 * any drift of theirs, a drift of seconds does not show in fewer samples than this: until then no
 * error is told.
 */
static uint64_t samples_needed(const struct passtime_moments *m, double quantum)
{
    bool masked = quantum > 1 && m->mean_ns > quantum / 4 && m->variance < 2 * quantum * quantum;
    return masked && m->min_ns < m->max_ns ? 500 : 20;
}

static void interval(const struct passtime_moments *m, uint64_t quantum_ns, passtime_stats *out)
{
    struct passtime_error error = batch_error(m->batches, m->count);
    if (!(error.freedom > 0)) {
        return;
    }
    /* Anticorrelation is not taken as a gain: n_eff never exceeds n. */
    double independent = m->variance / (double)m->count;
    if (error.variance < independent) {
        error.variance = independent;
        error.freedom = (double)m->count - 1;
    }
    set_error(out, passtime_sqrt(error.variance), m->variance / error.variance);
    if (quantum_ns > 1 && m->max_ns - m->min_ns <= quantum_ns + 1) {
        two_steps(m, error, out);
    } else if (quantum_ns > 1 && m->zeros > m->count / 2) {
        few_ticks(m, error, out);
    } else {
        student_interval(m, error, out);
    }
}

/* The mean, with its error where the samples are enough. */
static void ticked(const struct passtime_moments *m, uint64_t quantum_ns, passtime_stats *out)
{
    uint64_t needed = samples_needed(m, (double)quantum_ns);
    out->mean_ns = m->mean_ns;
    out->flags |= PASSTIME_STATS_HAS_MEAN;
    if (m->count >= needed && m->min_ns < m->max_ns) {
        interval(m, quantum_ns, out);
    } else if (m->count >= needed && quantum_ns > 0) {
        equal_samples(m, (double)quantum_ns, out);
    }
    if ((out->flags & PASSTIME_STATS_HAS_SE) != 0) {
        out->frames_for_10_percent = frames_wanted(m, m->mean_ns, out->se_ns * out->se_ns);
        return;
    }
    /* At least what independent samples would take, and enough for an error to be told. */
    uint32_t wanted = frames_wanted(m, m->mean_ns, m->variance / (double)m->count);
    uint32_t missing = m->count < needed ? (uint32_t)(needed - m->count) : 1;
    out->frames_for_10_percent = wanted > missing ? wanted : missing;
}

void passtime_stats_mean(const struct passtime_moments *m, uint64_t quantum_ns, passtime_stats *out)
{
    if (m->count == 0) {
        return;
    }
    if (quantum_ns > 1 && m->mean_ns < PASSTIME_COARSE * (double)quantum_ns) {
        out->flags |= PASSTIME_STATS_QUANTIZED;
    }
    if (m->max_ns == 0) {
        none_ticked(m, quantum_ns, out);
    } else {
        ticked(m, quantum_ns, out);
    }
}

void passtime_stats_lock(passtime_stats *stats)
{
    double quantum = (double)stats->quantum_ns;
    if (stats->quantum_ns <= 1 || stats->count == 0) {
        return;
    }
    stats->flags |= PASSTIME_STATS_LOCKED;
    if ((stats->flags & PASSTIME_STATS_HAS_SE) != 0) {
        /* As wide as an error that lies anywhere within a quantum to either side. */
        stats->se_ns = passtime_sqrt(stats->se_ns * stats->se_ns + quantum * quantum / 3);
    }
    if ((stats->flags & PASSTIME_STATS_HAS_CI) != 0) {
        set_interval(stats, stats->ci_low_ns - quantum, stats->ci_high_ns + quantum);
    }
    if ((stats->flags & PASSTIME_STATS_HAS_BELOW) != 0) {
        stats->below_ns += quantum;
    }
    bool coarse = 0.1 * stats->mean_ns < quantum;
    stats->frames_for_10_percent = coarse ? UINT32_MAX : stats->frames_for_10_percent;
}
