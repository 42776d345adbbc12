/* SPDX-License-Identifier: MIT */
/* A driver that does nothing: a stamp costs a call, and results are there at once. */
#include "bench_stamps.h"

#include "core/backend.h"

#include <stdlib.h>

struct null_gpu {
    struct bench_stamps stamps;
    uint64_t begun_ns[BENCH_FRAMES_IN_FLIGHT];
    uint64_t ticks[BENCH_FRAMES_IN_FLIGHT][2 * BENCH_PASSES];
};

static void null_destroy(void *self)
{
    (void)self; /* null_close() frees it, since the context's clock is in it. */
}

static uint32_t null_entry_begin(void *self, uint32_t entry, uint32_t wanted,
                                 struct passtime_unit *unit)
{
    (void)self;
    (void)entry;
    (void)wanted;
    (void)unit;
    return BENCH_PASSES;
}

static bool null_mark(void *self, uint32_t entry, uint32_t slot)
{
    (void)self;
    (void)entry;
    (void)slot;
    return true;
}

static void null_entry_resolve(void *self, uint32_t entry, uint64_t frame_number,
                               const struct passtime_run *runs, uint32_t run_count)
{
    struct null_gpu *gpu = self;
    (void)frame_number;
    (void)runs;
    (void)run_count;
    gpu->begun_ns[entry] = gpu->stamps.last_ns;
    gpu->stamps.shift_ns += BENCH_STAMPS_FRAME_NS;
}

static void null_entry_collect(void *self, uint32_t entry, struct passtime_raw *raw)
{
    struct null_gpu *gpu = self;
    bench_stamps_fill(&gpu->stamps, gpu->begun_ns[entry], gpu->ticks[entry]);
    raw->state = PASSTIME_RAW_READY;
    raw->ticks = gpu->ticks[entry];
    raw->tick_count = 2 * BENCH_PASSES;
}

static void null_entry_release(void *self, uint32_t entry)
{
    (void)self;
    (void)entry;
}

static bool null_is_lost(void *self)
{
    (void)self;
    return false;
}

static const struct passtime_backend_ops null_ops = {.size = sizeof(struct passtime_backend_ops),
                                                     .api = "null",
                                                     .destroy = null_destroy,
                                                     .entry_begin = null_entry_begin,
                                                     .mark = null_mark,
                                                     .entry_resolve = null_entry_resolve,
                                                     .entry_collect = null_entry_collect,
                                                     .entry_release = null_entry_release,
                                                     .entry_abandon = null_entry_release,
                                                     .is_lost = null_is_lost};

static void record_by_id(struct bench_subject *subject, passtime_recorder *rec)
{
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        passtime_begin_id(rec, subject->ids[i]);
        passtime_end(rec);
    }
}

static void record_by_string(struct bench_subject *subject, passtime_recorder *rec)
{
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        passtime_begin(rec, subject->names[i]);
        passtime_end(rec);
    }
}

static passtime_result create(struct bench_subject *subject, struct null_gpu *gpu)
{
    passtime_desc desc = PASSTIME_DESC_INIT;
    desc.max_passes = BENCH_PASSES;
    desc.frames_in_flight = BENCH_FRAMES_IN_FLIGHT;
    desc.clock = bench_stamps_clock;
    desc.clock_user = &gpu->stamps;
    passtime_desc resolved;
    passtime_result result = passtime_front_resolve_desc(&desc, BENCH_FRAMES_IN_FLIGHT, &resolved);
    const struct passtime_traits traits = {.source = PASSTIME_GPU_STAMPS,
                                           .valid_bits = 64,
                                           .unit = passtime_front_unit(gpu->stamps.tick_ns),
                                           .has_envelope = true,
                                           .zero_means_unwritten = true};
    return result == PASSTIME_OK
               ? passtime_front_create(&null_ops, gpu, &traits, &resolved, &subject->t)
               : result;
}

static void null_close(struct bench_subject *subject)
{
    passtime_destroy(&subject->t);
    free(subject->self);
    subject->self = NULL;
}

bool bench_null_open(struct bench_subject *subject, enum bench_naming naming,
                     enum bench_shape shape, double tick_ns)
{
    *subject = (struct bench_subject){
        .record = naming == BENCH_BY_ID ? record_by_id : record_by_string, .close = null_close};
    struct null_gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL) {
        return false;
    }
    bench_stamps_init(&gpu->stamps, shape, tick_ns);
    subject->self = gpu;
    if (create(subject, gpu) != PASSTIME_OK) {
        null_close(subject);
        return false;
    }
    bench_subject_name(subject, naming);
    return true;
}
