/* SPDX-License-Identifier: MIT */
/*
 * The fallback where a device has no timestamp queries: the CPU's clock around the recording of
 * each pass, and around the whole submission to its completion. Labelled CPU_RECORD and
 * CPU_COMPLETE.
 *
 * The passes of one encoder can't nest, so a pass that the app does not end explicitly ends where
 * the next one begins, or with its recorder.
 */
#include <string.h>

#include "backend/webgpu_state.h"

/* Slots of a pair are written by the one thread that has its recorder, and read after that is
 * finished. */
static void stamp(struct passtime_wgpu *self, struct passtime_place place, uint32_t which)
{
    self->entries[place.entry].ticks[2 * (size_t)place.pair + which] = passtime_front_now(self->t);
}

void passtime_wgpu_cpu_open(struct passtime_wgpu *self, passtime_recorder *rec, passtime_id id)
{
    struct passtime_place place;
    const bool timed = passtime_front_open(rec, id, &place);
    passtime_wgpu_counters_name(self, rec, timed ? place.pair : PASSTIME_NONE);
    if (timed) {
        stamp(self, place, 0);
    }
}

void passtime_wgpu_cpu_close(struct passtime_wgpu *self, passtime_recorder *rec, uint32_t flags)
{
    struct passtime_place place;
    if (passtime_front_close(rec, &place)) {
        stamp(self, place, 1);
        if (flags != 0) {
            passtime_front_flag(rec, place, flags);
        }
    }
}

static void close_all(struct passtime_wgpu *self, passtime_recorder *rec)
{
    for (uint32_t depth = passtime_front_depth(rec); depth > 0; depth--) {
        passtime_wgpu_cpu_close(self, rec, PASSTIME_FLAG_IMPLIED_END);
    }
}

void passtime_wgpu_cpu_pass(passtime_recorder *rec, passtime_id id)
{
    struct passtime_wgpu *self = passtime_front_recorder_self(rec, &passtime_wgpu_cpu_ops);
    if (self != NULL) {
        close_all(self, rec);
        passtime_wgpu_cpu_open(self, rec, id);
    }
}

void passtime_webgpu_pass_end(passtime_recorder *rec)
{
    struct passtime_wgpu *self = passtime_front_recorder_self(rec, &passtime_wgpu_cpu_ops);
    if (self != NULL) {
        passtime_wgpu_cpu_close(self, rec, 0);
    }
}

static void recorder_finish(void *self, passtime_recorder *rec)
{
    close_all(self, rec);
}

static uint32_t entry_begin(void *object, uint32_t index, uint32_t wanted,
                            struct passtime_unit *unit)
{
    struct passtime_wgpu *self = object;
    (void)wanted;
    (void)unit;
    if (passtime_wgpu_is_lost(self)) {
        return 0;
    }
    self->entries[index].phase = PASSTIME_WGPU_RECORDING;
    self->entries[index].pair_end = 0;
    passtime_wgpu_counters_begin(self, index);
    return self->max_passes;
}

static void entry_resolve(void *object, uint32_t index, uint64_t frame_number,
                          const struct passtime_run *runs, uint32_t run_count)
{
    struct passtime_wgpu *self = object;
    struct passtime_wgpu_entry *entry = &self->entries[index];
    struct passtime_wgpu_job *job = passtime_wgpu_frame_job(self, index);
    (void)frame_number;
    const struct passtime_run last = runs[run_count - 1];
    entry->pair_end = last.first_pair + last.pair_count;
    entry->phase = PASSTIME_WGPU_MAPPING;
    entry->overdue_said = false;
    entry->polls = 0;
    entry->callbacks_at = atomic_load(&self->shared->callbacks);
    entry->submitted_ns = passtime_front_now(self->t);
    passtime_wgpu_job_void(job);
    if (!passtime_wgpu_is_lost(self)) {
        passtime_wgpu_counters_resolve(self, index, runs, run_count);
        passtime_wgpu_work_done(self, &job->end);
    }
}

static void entry_collect(void *object, uint32_t index, struct passtime_raw *raw)
{
    struct passtime_wgpu *self = object;
    struct passtime_wgpu_entry *entry = &self->entries[index];
    const struct passtime_wgpu_ticket *end = &passtime_wgpu_frame_job(self, index)->end;
    const enum passtime_wgpu_answer answer = passtime_wgpu_ticket_answer(end);
    if (!passtime_wgpu_counters_settle(self, index)) {
        return;
    }
    raw->ticks = entry->ticks;
    raw->tick_count = 2 * entry->pair_end;
    passtime_wgpu_weigh(self, answer == PASSTIME_WGPU_GONE ? answer : PASSTIME_WGPU_IDLE);
    if (answer == PASSTIME_WGPU_DONE || answer == PASSTIME_WGPU_FAILED) {
        /* The recording times hold even where the completion could not be seen. */
        raw->state = PASSTIME_RAW_READY;
        raw->seen_ns = passtime_wgpu_ticket_seen_ns(end);
        if (answer == PASSTIME_WGPU_DONE) {
            raw->complete_begin_ns = entry->submitted_ns;
            raw->complete_end_ns = raw->seen_ns;
        }
    } else if (passtime_wgpu_is_lost(self)) {
        raw->state = PASSTIME_RAW_LOST;
    }
    passtime_wgpu_counters_bring(self, index, raw);
    if (raw->state != PASSTIME_RAW_NOT_READY) {
        entry->phase = PASSTIME_WGPU_COLLECTED;
    }
}

static void entry_release(void *object, uint32_t index)
{
    struct passtime_wgpu *self = object;
    passtime_wgpu_counters_end(self, index);
    passtime_wgpu_job_void(passtime_wgpu_frame_job(self, index));
    self->entries[index].phase = PASSTIME_WGPU_FREE;
}

const struct passtime_backend_ops passtime_wgpu_cpu_ops = {
    .size = sizeof(struct passtime_backend_ops),
    .api = "webgpu",
    .destroy = passtime_wgpu_destroy,
    .entry_begin = entry_begin,
    .entry_resolve = entry_resolve,
    .entry_collect = entry_collect,
    .entry_release = entry_release,
    .entry_abandon = entry_release,
    .is_lost = passtime_wgpu_is_lost,
    .poll = passtime_wgpu_poll,
    .recorder_finish = recorder_finish,
};
