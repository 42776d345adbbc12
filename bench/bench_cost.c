/* SPDX-License-Identifier: MIT */
/*
 * What a pass costs the CPU. `all` is everything that a frame of 64 passes makes the app wait for,
 * by the thread's CPU clock over a block of frames: begin and end, frame_begin, frame_end,
 * collecting, judging, statistics and taking the results. `record` is the begin and end alone, by
 * the median frame. Each block is preceded by as many frames as bring the subject's memory back
 * into the cache, since the other subjects have used it meanwhile.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

enum { KIND_COUNT = 9, KIND_GL = 7, WARM_UP_FRAMES = 400, REWARM_FRAMES = 256 };

enum cost_backend { ON_NULL, ON_WEBGPU, ON_GL };

/* What is measured. */
struct cost_kind {
    const char *name;
    const char *record_name;
    const char *instructions_name;
    const char *all; /* of the row that is held against the target */
    const char *record;
    enum bench_naming naming;
    enum bench_shape shape;
    enum cost_backend backend;
    double tick_ns;
    double target_ns;
};

static const struct cost_kind kinds[KIND_COUNT] = {
    {"null.id", "null.id.record", "null.id.instructions", "null driver, by id: all",
     "  begin + end alone", BENCH_BY_ID, BENCH_IN_SEQUENCE, ON_NULL, 1, 40},
    {"null.string", "null.string.record", "null.string.instructions", "null driver, by string: all",
     "  begin + end alone", BENCH_BY_STRING, BENCH_IN_SEQUENCE, ON_NULL, 1, 60},
    {"null.string40", "null.string40.record", "null.string40.instructions",
     "null driver, by a string of 40 bytes: all", "  begin + end alone", BENCH_BY_LONG_STRING,
     BENCH_IN_SEQUENCE, ON_NULL, 1, 60},
    {"null.ticks", "null.ticks.record", "null.ticks.instructions",
     "null driver, by id, ticks of 83.333 ns: all", "  begin + end alone", BENCH_BY_ID,
     BENCH_IN_SEQUENCE, ON_NULL, (double)83.3333333F, 40},
    {"null.overlap", "null.overlap.record", "null.overlap.instructions",
     "null driver, by id, every pass overlaps the next: all", "  begin + end alone", BENCH_BY_ID,
     BENCH_OVERLAPPING, ON_NULL, 1, 0},
    {"webgpu.id", "webgpu.id.record", "webgpu.id.instructions",
     "WebGPU on null functions, by id: all", "  timestampWrites alone", BENCH_BY_ID,
     BENCH_IN_SEQUENCE, ON_WEBGPU, 1, 40},
    {"webgpu.string", "webgpu.string.record", "webgpu.string.instructions",
     "WebGPU on null functions, by string: all", "  timestampWrites alone", BENCH_BY_STRING,
     BENCH_IN_SEQUENCE, ON_WEBGPU, 1, 60},
    [KIND_GL] = {"gl.id", "gl.id.record", "gl.id.instructions", "GL on null functions, by id: all",
                 "  begin + end alone", BENCH_BY_ID, BENCH_IN_SEQUENCE, ON_GL, 1, 40},
    {"gl.string", "gl.string.record", "gl.string.instructions",
     "GL on null functions, by string: all", "  begin + end alone", BENCH_BY_STRING,
     BENCH_IN_SEQUENCE, ON_GL, 1, 60},
};

struct cost_figures {
    struct bench_figures all;
    struct bench_figures record;
    struct bench_figures instructions;
};

/* The state of all of it, too large for a stack frame. */
struct cost {
    struct bench_subject subjects[KIND_COUNT];
    struct cost_figures figures[KIND_COUNT];
    struct bench_figures raw;
    struct bench_figures off;
    struct bench_figures gl_stamps; /* by hand, on the same null functions */
    struct bench_figures gl_reads;
    bool open[KIND_COUNT];
    bool counts_instructions;
    uint64_t allocations; /* in all blocks; UINT64_MAX: not counted here */
};

static bool open_kind(struct bench_subject *subject, const struct cost_kind *kind)
{
    switch (kind->backend) {
    case ON_WEBGPU:
        return bench_webgpu_open(subject, kind->naming);
    case ON_GL:
        return bench_gl_open(subject, kind->naming);
    default:
        return bench_null_open(subject, kind->naming, kind->shape, kind->tick_ns);
    }
}

/* All frames were timed, each pass of them was good, and the app got them all; else the figures
 * would be of something else. */
static bool is_sound(struct bench_subject *subject, const char *name)
{
    passtime_ledger ledger;
    (void)passtime_get_ledger(subject->t, &ledger);
    uint64_t passes = subject->frame * BENCH_PASSES;
    uint64_t warming = ledger.fates[PASSTIME_FRAME_SKIPPED_WARMUP] * BENCH_PASSES +
                       ledger.verdicts[PASSTIME_NO_SLOT];
    uint64_t good = ledger.verdicts[PASSTIME_GOOD] + ledger.passes_in_flight;
    if (good + warming != passes || warming > 64 * BENCH_PASSES || ledger.frames_not_taken > 0 ||
        subject->samples + ledger.passes_in_flight != good) {
        fprintf(stderr, "bench: %s: of %llu passes %llu are good and %llu were taken\n", name,
                (unsigned long long)passes, (unsigned long long)ledger.verdicts[PASSTIME_GOOD],
                (unsigned long long)subject->samples);
        return false;
    }
    return true;
}

static void null_stamp(void *self, uint32_t slot)
{
    (void)self;
    (void)slot;
}

/* Two calls of a function that does nothing, through a pointer as in a table of functions. */
static double measure_raw(uint32_t frames)
{
    void (*volatile pointer)(void *, uint32_t) = null_stamp;
    uint64_t begin_ns = bench_cpu_ns();
    for (uint32_t i = 0; i < frames * BENCH_PASSES; i++) {
        pointer(NULL, 2 * i);
        pointer(NULL, 2 * i + 1);
    }
    return (double)(bench_cpu_ns() - begin_ns) / ((double)frames * BENCH_PASSES);
}

/* Timing turned off: what an app pays that leaves the calls in. */
static double measure_off(struct bench_subject *subject, uint32_t frames)
{
    uint64_t frame = subject->frame;
    passtime_enable(subject->t, false);
    uint64_t begin_ns = bench_cpu_ns();
    for (uint32_t i = 0; i < frames; i++) {
        bench_subject_frame(subject);
    }
    uint64_t end_ns = bench_cpu_ns();
    passtime_enable(subject->t, true);
    subject->frame = frame;
    return (double)(end_ns - begin_ns) / ((double)frames * BENCH_PASSES);
}

/* Reading the clock twice a frame adds about half a nanosecond a pass. */
static double measure_record(struct bench_subject *subject)
{
    struct bench_figures times = {BENCH_REPEATS_MAX, {0}};
    for (uint32_t i = 0; i < times.count; i++) {
        passtime_recorder *rec = passtime_frame_begin(subject->t, subject->frame);
        uint64_t begin_ns = bench_now_ns();
        subject->record(subject, rec);
        times.values[i] = (double)(bench_now_ns() - begin_ns) / BENCH_PASSES;
        bench_subject_finish(subject, rec);
    }
    return bench_quantile(&times, 0.5);
}

static void warm_up(struct bench_subject *subject, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; i++) {
        bench_subject_frame(subject);
    }
}

static void measure_all(struct cost *cost, uint32_t kind, uint32_t frames, uint32_t repeat)
{
    struct bench_subject *subject = &cost->subjects[kind];
    struct cost_figures *figures = &cost->figures[kind];
    warm_up(subject, REWARM_FRAMES);
    uint64_t allocations = bench_allocations();
    uint64_t instructions = cost->counts_instructions ? bench_instructions() : 0;
    uint64_t begin_ns = bench_cpu_ns();
    for (uint32_t i = 0; i < frames; i++) {
        bench_subject_frame(subject);
    }
    double passes = (double)frames * BENCH_PASSES;
    figures->all.values[repeat] = (double)(bench_cpu_ns() - begin_ns) / passes;
    if (cost->counts_instructions) {
        figures->instructions.values[repeat] =
            (double)(bench_instructions() - instructions) / passes;
    }
    if (allocations != UINT64_MAX) {
        cost->allocations += bench_allocations() - allocations;
    }
}

static void measure_gl_by_hand(struct cost *cost, uint32_t repeat, uint32_t frames)
{
    struct bench_subject *subject = &cost->subjects[KIND_GL];
    if (!cost->open[KIND_GL]) {
        return;
    }
    cost->gl_stamps.values[repeat] = bench_gl_by_hand(subject, frames, false);
    cost->gl_reads.values[repeat] = bench_gl_by_hand(subject, frames, true);
    cost->gl_stamps.count = cost->gl_reads.count = repeat + 1;
}

static void measure(struct cost *cost, uint32_t repeats, uint32_t frames)
{
    for (uint32_t repeat = 0; repeat < repeats; repeat++) {
        for (uint32_t kind = 0; kind < KIND_COUNT; kind++) {
            if (cost->open[kind]) {
                struct cost_figures *figures = &cost->figures[kind];
                measure_all(cost, kind, frames, repeat);
                figures->record.values[repeat] = measure_record(&cost->subjects[kind]);
                figures->all.count = figures->record.count = figures->instructions.count =
                    repeat + 1;
            }
        }
        cost->raw.values[repeat] = measure_raw(frames);
        cost->off.values[repeat] = measure_off(&cost->subjects[0], frames);
        cost->raw.count = cost->off.count = repeat + 1;
        measure_gl_by_hand(cost, repeat, frames);
    }
}

static void add_rows(struct bench_table *table, const struct cost *cost)
{
    (void)bench_row_add(table, "raw", "two calls of a stamp function that does nothing", "ns/pass",
                        0, &cost->raw);
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        const struct cost_kind *kind = &kinds[i];
        if (!cost->open[i]) {
            bench_row_add_unknown(table, kind->name, kind->all, "ns/pass");
            continue;
        }
        const struct cost_figures *figures = &cost->figures[i];
        (void)bench_row_add(table, kind->name, kind->all, "ns/pass", kind->target_ns,
                            &figures->all);
        (void)bench_row_add(table, kind->record_name, kind->record, "ns/pass", 0, &figures->record);
        if (cost->counts_instructions) {
            (void)bench_row_add(table, kind->instructions_name, "  instructions", "a pass", 0,
                                &figures->instructions);
        } else {
            bench_row_add_unknown(table, kind->instructions_name, "  instructions", "a pass");
        }
    }
    if (cost->open[KIND_GL]) {
        (void)bench_row_add(table, "gl.by_hand", "GL on null functions, by hand: two stamps",
                            "ns/pass", 0, &cost->gl_stamps);
        (void)bench_row_add(table, "gl.by_hand.read", "  and reading the two results", "ns/pass", 0,
                            &cost->gl_reads);
    }
    (void)bench_row_add(table, "off", "timing turned off, the calls left in", "ns/pass", 0,
                        &cost->off);
    if (bench_allocations() != UINT64_MAX) {
        bench_row_add_number(table, "allocations", "calls of an allocator while frames run",
                             "in all", 1, (double)cost->allocations);
    } else {
        bench_row_add_unknown(table, "allocations", "calls of an allocator while frames run",
                              "in all");
    }
    if (!cost->counts_instructions) {
        bench_note(table,
                   "Instructions can't be counted here (perf_event_open): make bench-instructions "
                   "counts them with valgrind.");
    }
}

bool bench_cost(struct bench_table *table, const struct bench_options *options)
{
    static struct cost cost; /* some 40 KiB */
    bool sound = true;
    cost.counts_instructions = bench_instructions_open();
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        cost.open[i] = open_kind(&cost.subjects[i], &kinds[i]);
        if (cost.open[i]) {
            warm_up(&cost.subjects[i], WARM_UP_FRAMES);
        }
    }
    measure(&cost, options->repeats, options->frames);
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        if (cost.open[i]) {
            sound = is_sound(&cost.subjects[i], kinds[i].name) && sound;
            cost.subjects[i].close(&cost.subjects[i]);
        }
    }
    add_rows(table, &cost);
    if (cost.allocations > 0) {
        fprintf(stderr, "bench: %llu allocations while frames ran; there must be none\n",
                (unsigned long long)cost.allocations);
        sound = false;
    }
    return sound;
}

bool bench_run_alone(const char *name, uint32_t frames)
{
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        struct bench_subject subject;
        if (strcmp(kinds[i].name, name) == 0 && open_kind(&subject, &kinds[i])) {
            for (uint32_t f = 0; f < frames; f++) {
                bench_subject_frame(&subject);
            }
            subject.close(&subject);
            return true;
        }
    }
    fprintf(stderr, "bench: nothing here is called %s, or it is not built\n", name);
    return false;
}
