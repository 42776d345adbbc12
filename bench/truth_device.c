/* SPDX-License-Identifier: MIT */
/*
 * Real passes. The same stamps are fed to two contexts, once as the device gave them and once
 * rounded down to 65,536 ns as a stock Chromium rounds them. Of the same samples, the mean of the
 * rounded ones must lie within its stated error of the mean of the exact ones: block by block.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "truth_device.h"

#include "core/context.h"
#include "port/port.h"

#include <passtime/feed.h>

#include <math.h>
#include <string.h>
#include <time.h>

enum { IN_FLIGHT_MAX = 3, TRIAL_FRAMES = 200, BLOCK_FRAMES = 600, BLOCKS_LEAST = 4 };

static const uint64_t mask = ~UINT64_C(0xFFFF);
static const double targets_us[TRUTH_PASSES] = {1, 5, 20, 50, 180};

/* A context that is fed, with the clock of the frame that it is fed. */
struct twin {
    passtime *t;
    uint64_t now_ns;
};

struct clock_tally {
    uint32_t frames;
    uint32_t held;
    uint32_t epochs;
    double square_error;
    double square_bound;
};

/* What rounding did to the samples of one pass, in one block. */
struct rounding {
    double sum_ns;   /* rounded less exact */
    double variance; /* that the sum has where phases are mixed, in ns^2 */
    uint32_t count;
};

struct trials {
    struct truth_device *device;
    struct twin exact;
    struct twin rounded;
    uint64_t next; /* frame */
    uint64_t end_ns;
    bool failed;
    struct clock_tally clock;
    struct truth_tally passes[TRUTH_PASSES];
    struct rounding block[TRUTH_PASSES];
    double square_error[TRUTH_PASSES];    /* of the blocks' means, by rounding alone */
    double square_expected[TRUTH_PASSES]; /* the same, as mixed phases make it */
};

const char *truth_pass_name(uint32_t pass)
{
    static const char *const names[TRUTH_PASSES] = {"a", "b", "c", "d", "e"};
    return names[pass];
}

static uint64_t twin_clock(void *user)
{
    return ((const struct twin *)user)->now_ns;
}

static bool twin_open(struct twin *twin)
{
    passtime_desc desc = PASSTIME_DESC_INIT;
    desc.max_passes = TRUTH_PASSES;
    desc.clock = twin_clock;
    desc.clock_user = twin;
    return passtime_create_feed(NULL, &desc, &twin->t) == PASSTIME_OK;
}

static void twin_feed(struct twin *twin, const passtime_frame *frame, const uint64_t *ticks)
{
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    const passtime_frame *judged;
    twin->now_ns = frame->cpu_begin_ns;
    passtime_recorder *recorder = passtime_frame_begin(twin->t, frame->number);
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        (void)passtime_feed_pass(recorder, truth_pass_name(i));
    }
    passtime_submitted(recorder);
    (void)passtime_frame_end(twin->t, frame->number);
    twin->now_ns = frame->cpu_seen_ns;
    results.ticks = ticks;
    results.tick_count = 2 * TRUTH_PASSES;
    results.seen_ns = frame->cpu_seen_ns;
    (void)passtime_feed_results_ready(twin->t, frame->number, &results);
    while (passtime_next(twin->t, &judged) == PASSTIME_OK) {
    }
}

/* What has to be added to a position for the raw tick, in ns: the newest one placed is known both
 * ways. It is also what has to be added for the CPU's clock where stamps are of that clock. */
static int64_t tick_offset_ns(const passtime *t)
{
    uint64_t ns = 0;
    (void)passtime_ticks_to_ns(t->align.last_extended, t->align.unit, &ns);
    return (int64_t)(t->align.last_ticks - (t->align.segment_ns + ns));
}

static void check_clock(struct clock_tally *tally, const passtime_frame *frame, int64_t truth_ns)
{
    double error_ns = fabs((double)(frame->align_offset_ns - truth_ns));
    double bound_ns = (double)frame->align_bound_ns;
    tally->frames++;
    tally->held += frame->align_bound_ns != UINT64_MAX && error_ns <= bound_ns;
    tally->square_error += error_ns * error_ns;
    tally->square_bound += bound_ns * bound_ns;
    tally->epochs = frame->clock_epoch;
}

/* A duration of a whole number of quanta and a part is rounded up with the probability of the
 * part. */
static void note_rounding(struct rounding *r, uint64_t exact_ns, uint64_t rounded_ns)
{
    const double quantum = (double)(~mask + 1);
    double part = (double)(exact_ns & ~mask) / quantum;
    r->sum_ns += (double)rounded_ns - (double)exact_ns;
    r->variance += quantum * quantum * part * (1 - part);
    r->count++;
}

static void take_frame(struct trials *trials, const passtime_frame *frame)
{
    uint64_t ticks[2 * TRUTH_PASSES];
    uint64_t rounded[2 * TRUTH_PASSES];
    if (frame->fate != PASSTIME_FRAME_COMPLETE || frame->sample_count != TRUTH_PASSES) {
        return;
    }
    int64_t offset_ns = tick_offset_ns(trials->device->timer);
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        ticks[2 * i] = frame->samples[i].begin_ns + (uint64_t)offset_ns;
        ticks[2 * i + 1] = frame->samples[i].end_ns + (uint64_t)offset_ns;
    }
    for (uint32_t i = 0; i < 2 * TRUTH_PASSES; i++) {
        rounded[i] = ticks[i] & mask;
    }
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        note_rounding(&trials->block[i], ticks[2 * i + 1] - ticks[2 * i],
                      rounded[2 * i + 1] - rounded[2 * i]);
    }
    check_clock(&trials->clock, frame, offset_ns);
    twin_feed(&trials->exact, frame, ticks);
    twin_feed(&trials->rounded, frame, rounded);
}

/* Collects until at most `most` frames are in flight. */
static void collect(struct trials *trials, uint32_t most)
{
    const struct timespec pause = {.tv_nsec = 50000};
    passtime *timer = trials->device->timer;
    for (;;) {
        const passtime_frame *frame;
        passtime_ledger ledger;
        trials->device->pump(trials->device);
        while (passtime_next(timer, &frame) == PASSTIME_OK) {
            take_frame(trials, frame);
        }
        trials->failed = passtime_get_ledger(timer, &ledger) != PASSTIME_OK ||
                         passtime_port_now_ns() > trials->end_ns;
        if (trials->failed || ledger.frames_in_flight <= most) {
            return;
        }
        nanosleep(&pause, NULL);
    }
}

static void run_frames(struct trials *trials, uint32_t count)
{
    passtime_reset_stats(trials->exact.t);
    passtime_reset_stats(trials->rounded.t);
    for (uint32_t i = 0; i < count && !trials->failed; i++) {
        trials->device->frame(trials->device, trials->next++);
        collect(trials, IN_FLIGHT_MAX);
    }
    collect(trials, 0);
}

static bool stats_of(const struct twin *twin, uint32_t pass, passtime_stats *stats)
{
    passtime_series_info info;
    uint32_t count = passtime_series_count(twin->t);
    for (uint32_t i = 0; i < count; i++) {
        if (passtime_series(twin->t, i, &info) == PASSTIME_OK &&
            strcmp(info.name, truth_pass_name(pass)) == 0) {
            *stats = info.stats;
            return true;
        }
    }
    return false;
}

static void measure(struct trials *trials, double us[TRUTH_PASSES])
{
    passtime_stats stats;
    run_frames(trials, TRIAL_FRAMES);
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        us[i] = stats_of(&trials->exact, i, &stats) ? (double)stats.p50_ns / 1000 : 0;
    }
}

/* Times rise with work in a straight line, but for an empty pass, which skips its set-up. */
static void calibrate(struct trials *trials)
{
    struct truth_device *device = trials->device;
    double less[TRUTH_PASSES];
    double more[TRUTH_PASSES];
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        device->work[i] = 20 * device->work_unit;
    }
    run_frames(trials, TRIAL_FRAMES); /* to warm up */
    measure(trials, less);
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        device->work[i] = 200 * device->work_unit;
    }
    measure(trials, more);
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        double slope = (more[i] - less[i]) / (180 * device->work_unit);
        double work = 20 * device->work_unit + (targets_us[i] - less[i]) / slope;
        device->work[i] = slope > 0 && work > 0 ? work : 0;
    }
}

static void run_block(struct trials *trials)
{
    memset(trials->block, 0, sizeof trials->block);
    run_frames(trials, BLOCK_FRAMES);
    for (uint32_t i = 0; i < TRUTH_PASSES && !trials->failed; i++) {
        passtime_stats exact;
        passtime_stats rounded;
        if (stats_of(&trials->exact, i, &exact) && stats_of(&trials->rounded, i, &rounded) &&
            exact.count == rounded.count && exact.count > BLOCK_FRAMES / 2) {
            double count = trials->block[i].count;
            double error = trials->block[i].sum_ns / count;
            truth_tally_add(&trials->passes[i], &rounded, exact.mean_ns);
            trials->square_error[i] += error * error;
            trials->square_expected[i] += trials->block[i].variance / (count * count);
        }
    }
}

/* The sharper test: is rounding the only thing that moves the mean, and by no more than it may? */
static void rounding_row(struct truth_table *table, const struct trials *trials, const char *part,
                         uint32_t pass)
{
    struct truth_row row = truth_row(part, "us");
    uint32_t blocks = trials->passes[pass].runs;
    (void)snprintf(row.what, sizeof row.what, "  error of its means by rounding alone");
    row.x = targets_us[pass];
    row.truth = sqrt(trials->square_expected[pass] / blocks) / 1000;
    row.measured = sqrt(trials->square_error[pass] / blocks) / 1000;
    row.error = fabs(row.measured - row.truth);
    row.stated = row.truth / sqrt(2.0 * blocks); /* of a spread seen in so many blocks */
    row.held = row.measured < row.truth + 4 * row.stated;
    truth_add(table, &row);
}

static void pass_rows(struct truth_table *table, const struct trials *trials)
{
    char part[128];
    (void)snprintf(part, sizeof part, "%s: stamps rounded to 65.5 us against the same stamps exact",
                   trials->device->name);
    for (uint32_t i = 0; i < TRUTH_PASSES; i++) {
        const struct truth_tally *tally = &trials->passes[i];
        struct truth_row row = truth_row(part, "us");
        if (tally->runs < BLOCKS_LEAST) {
            truth_missing(table, part, "too few samples came back in the time allowed");
            return;
        }
        truth_tally_close(tally, &row);
        (void)snprintf(row.what, sizeof row.what, "a pass made for %g us, %u blocks of %u frames",
                       targets_us[i], tally->runs, (unsigned)BLOCK_FRAMES);
        row.x = targets_us[i];
        row.held = truth_covers_least(row.covered, row.told);
        truth_add(table, &row);
        rounding_row(table, trials, part, i);
    }
}

static void clock_row(struct truth_table *table, const struct trials *trials)
{
    const struct clock_tally *tally = &trials->clock;
    char part[128];
    struct truth_row row;
    (void)snprintf(part, sizeof part, "%s: its clock on the CPU's, in every frame",
                   trials->device->name);
    if (!trials->device->monotonic || tally->frames == 0) {
        truth_missing(table, part, "only drivers that stamp in CLOCK_MONOTONIC tell the truth");
        return;
    }
    row = truth_row(part, "us");
    (void)snprintf(row.what, sizeof row.what, "offset of %u frames, %u clock resets", tally->frames,
                   tally->epochs);
    row.error = sqrt(tally->square_error / tally->frames) / 1000;
    row.stated = sqrt(tally->square_bound / tally->frames) / 1000;
    row.runs = row.told = tally->frames;
    row.covered = tally->held;
    row.held = tally->held == tally->frames && tally->epochs == 0;
    truth_add(table, &row);
}

void truth_device_run(struct truth_table *table, struct truth_device *device)
{
    static struct trials trials;
    uint32_t blocks = table->brief ? 12 : 60;
    trials = (struct trials){.device = device};
    trials.end_ns = passtime_port_now_ns() + (table->brief ? 15 : 120) * UINT64_C(1000000000);
    if (!twin_open(&trials.exact) || !twin_open(&trials.rounded)) {
        truth_missing(table, device->name, "out of memory");
    } else {
        calibrate(&trials);
        for (uint32_t i = 0; i < blocks && !trials.failed; i++) {
            run_block(&trials);
        }
        pass_rows(table, &trials);
        clock_row(table, &trials);
    }
    passtime_destroy(&trials.exact.t);
    passtime_destroy(&trials.rounded.t);
}
