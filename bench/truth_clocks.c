/* SPDX-License-Identifier: MIT */
/*
 * A GPU clock that drifts, jumps or stops, fed frame by frame: the bound on the offset between the
 * clocks must hold in every frame, and every good duration must be what the pass took.
 */
#include "truth.h"

#include "unit/sim.h"

#include <passtime/feed.h>

#include <math.h>
#include <stdlib.h>

static const char part_clocks[] = "A simulated GPU clock on the CPU's, in every frame";

/* How a clock misbehaves. */
struct habit {
    const char *what;
    double drift;         /* 50e-6: 50 us fast in a second */
    uint64_t quantum_ns;  /* 1: none */
    uint32_t jump_frames; /* it jumps after so many; 0: never */
    uint32_t stop_frames; /* in each jump it stands still for so many frames; 0: it leaps */
};

struct world {
    const struct habit *habit;
    passtime *t;
    struct sim_random random;
    uint64_t now_ns;
    double gpu_ahead_ns;     /* the GPU's clock less the CPU's */
    double frozen_ns;        /* what a clock that stands still shows; 0: it runs */
    uint64_t lengths_ns[64]; /* of frames in flight, as the stamps show them */
    double truths_ns[64];    /* what was to be added to the clock then */
    uint64_t raw_ns[64];     /* its unrounded begin */
    uint64_t shown_ns[64];   /* and the rounded one */
    bool stopped[64];
    uint32_t told;
    uint32_t held;
    uint32_t false_durations;
    double square_error;
    double square_bound;
};

static uint64_t world_clock(void *user)
{
    return ((const struct world *)user)->now_ns;
}

/* What the GPU's clock shows at a CPU time. */
static uint64_t gpu_clock(const struct world *w, uint64_t cpu_ns)
{
    double ns = w->frozen_ns > 0
                    ? w->frozen_ns
                    : (double)cpu_ns + w->gpu_ahead_ns + w->habit->drift * (double)cpu_ns;
    return (uint64_t)ns;
}

static uint64_t rounded(const struct world *w, uint64_t ns)
{
    return ns - ns % w->habit->quantum_ns;
}

static void misbehave(struct world *w, uint32_t frame)
{
    const struct habit *habit = w->habit;
    if (habit->jump_frames == 0 || frame == 0) {
        return;
    }
    uint32_t phase = frame % habit->jump_frames;
    if (phase == 0 && habit->stop_frames > 0) {
        w->frozen_ns = (double)gpu_clock(w, w->now_ns);
    } else if (phase == 0) {
        /* By more than the bound, or nothing tells a jump from what the bound allows. */
        double leap_ns = 1e7 + 1e9 * sim_uniform(&w->random);
        w->gpu_ahead_ns += sim_uniform(&w->random) < 0.5 ? -leap_ns : leap_ns;
    }
    if (phase == habit->stop_frames && w->frozen_ns > 0) {
        double missed = (double)w->now_ns * (1 + habit->drift) + w->gpu_ahead_ns - w->frozen_ns;
        w->gpu_ahead_ns -= missed;
        w->frozen_ns = 0;
    }
}

/* The frame is recorded, runs after up to 2 ms, and is seen up to 4 ms later. */
static void run_frame(struct world *w, uint32_t number)
{
    uint32_t slot = number % 64;
    uint64_t ticks[2];
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    passtime_recorder *recorder = passtime_frame_begin(w->t, number);
    uint64_t begin_ns = w->now_ns + 20000 + sim_bits(&w->random) % 2000000;
    uint64_t end_ns = begin_ns + 1000 + sim_bits(&w->random) % 3000000;
    (void)passtime_feed_pass(recorder, "pass");
    passtime_submitted(recorder);
    (void)passtime_frame_end(w->t, number);
    w->raw_ns[slot] = gpu_clock(w, begin_ns);
    w->shown_ns[slot] = ticks[0] = rounded(w, w->raw_ns[slot]);
    ticks[1] = rounded(w, gpu_clock(w, end_ns));
    w->lengths_ns[slot] = ticks[1] - ticks[0];
    w->truths_ns[slot] = (double)begin_ns - (double)w->raw_ns[slot];
    w->stopped[slot] = w->frozen_ns > 0;
    w->now_ns = end_ns + sim_bits(&w->random) % 4000000;
    results.ticks = ticks;
    results.tick_count = 2;
    (void)passtime_feed_results_ready(w->t, number, &results);
    w->now_ns += 8000000;
}

/* A clock that stands still tells nothing of the offset: such frames are left out. */
static void check_frame(struct world *w, const passtime_frame *frame)
{
    uint32_t slot = (uint32_t)(frame->number % 64);
    const passtime_sample *sample = &frame->samples[0];
    if (frame->sample_count != 1 || !passtime_is_good(sample->verdict)) {
        return;
    }
    w->false_durations += sample->duration_ns != w->lengths_ns[slot];
    if (sample->begin_ns == 0 || w->stopped[slot]) {
        return;
    }
    /* A position is the stamp's, less the same for all of an epoch. */
    double shift_ns = (double)w->shown_ns[slot] - (double)sample->begin_ns;
    double error_ns = fabs((double)frame->align_offset_ns - (w->truths_ns[slot] + shift_ns));
    double bound_ns = (double)frame->align_bound_ns;
    w->told++;
    w->held += frame->align_bound_ns != UINT64_MAX && error_ns <= bound_ns;
    w->square_error += error_ns * error_ns;
    w->square_bound += bound_ns * bound_ns;
}

static uint32_t epochs_of(const struct world *w)
{
    passtime_clock_info info;
    return passtime_get_clock(w->t, &info) == PASSTIME_OK ? info.clock_epoch : 0;
}

/* One more with each jump. */
static uint32_t expected_epochs(const struct habit *habit, uint32_t frames)
{
    return habit->jump_frames > 0 ? (frames - 1) / habit->jump_frames : 0;
}

static void clock_row(struct truth_table *table, const struct world *w, uint32_t frames)
{
    struct truth_row row = truth_row(part_clocks, "us");
    uint32_t epochs = epochs_of(w);
    (void)snprintf(row.what, sizeof row.what, "%s; %u resets", w->habit->what, epochs);
    row.error = sqrt(w->square_error / w->told) / 1000;
    row.stated = sqrt(w->square_bound / w->told) / 1000;
    row.runs = frames;
    row.told = w->told;
    row.covered = w->held;
    /* After a clock stood still nothing may be told for long, as its stamps can't be told from old
     * ones: what counts is that nothing false is. */
    bool followed = w->habit->stop_frames > 0 ||
                    (epochs == expected_epochs(w->habit, frames) && w->told > 0.99 * frames);
    row.held = w->held == w->told && w->false_durations == 0 && followed;
    truth_add(table, &row);
}

static void run_habit(struct truth_table *table, const struct habit *habit)
{
    static struct world w;
    uint32_t frames = table->brief ? 20000 : 1000000;
    passtime_desc desc = PASSTIME_DESC_INIT;
    w = (struct world){.habit = habit, .now_ns = 1000000000, .gpu_ahead_ns = 7e12};
    sim_seed(&w.random, table->row_count);
    desc.clock = world_clock;
    desc.clock_user = &w;
    if (passtime_create_feed(NULL, &desc, &w.t) != PASSTIME_OK) {
        truth_missing(table, part_clocks, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < frames; i++) {
        const passtime_frame *frame;
        misbehave(&w, i);
        run_frame(&w, i);
        while (passtime_next(w.t, &frame) == PASSTIME_OK) {
            check_frame(&w, frame);
        }
    }
    clock_row(table, &w, frames);
    passtime_destroy(&w.t);
}

void truth_clocks(struct truth_table *table)
{
    static const struct habit habits[] = {
        {"runs evenly", 0, 1, 0, 0},
        {"drifts, 50 ppm fast", 50e-6, 1, 0, 0},
        {"drifts, 50 ppm slow", -50e-6, 1, 0, 0},
        {"drifts, 50 ppm fast, rounded to 65.5 us", 50e-6, 65536, 0, 0},
        {"jumps every 1,000 frames", 0, 1, 1000, 0},
        {"jumps every 1,000 frames, rounded, drifts", 50e-6, 65536, 1000, 0},
        {"stops for 20 frames in 1,000", 0, 1, 1000, 20},
    };
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++) {
        run_habit(table, &habits[i]);
    }
}
