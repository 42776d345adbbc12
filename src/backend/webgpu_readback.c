/* SPDX-License-Identifier: MIT */
/*
 * How the stamps of a frame come back: resolved and copied in a submission of Passtime's own,
 * mapped without waiting, copied out, and the buffer given back at once.
 */
#include <string.h>

#include "backend/webgpu_state.h"

enum {
    OVERDUE_POLLS =
        64 /* a result is overdue after so many polls and OVERDUE_NS without a callback */
};
static const uint64_t OVERDUE_NS = 1000000000;
static const uint64_t SOON_NS = 2 * 65536; /* twice the coarsest step of stamps in the field */

WGPUCommandEncoder passtime_wgpu_encoder(struct passtime_wgpu *self)
{
    WGPUCommandEncoderDescriptor desc = WGPU_COMMAND_ENCODER_DESCRIPTOR_INIT;
    desc.label = (WGPUStringView){"passtime", 8};
    return self->gpu.procs.device_create_command_encoder(self->gpu.device, &desc);
}

void passtime_wgpu_submit(struct passtime_wgpu *self, WGPUCommandEncoder encoder)
{
    const passtime_webgpu_procs *wgpu = &self->gpu.procs;
    WGPUCommandBufferDescriptor desc = WGPU_COMMAND_BUFFER_DESCRIPTOR_INIT;
    desc.label = (WGPUStringView){"passtime", 8};
    WGPUCommandBuffer commands = wgpu->command_encoder_finish(encoder, &desc);
    wgpu->command_encoder_release(encoder);
    if (commands != NULL) {
        wgpu->queue_submit(self->gpu.queue, 1, &commands);
        wgpu->command_buffer_release(commands);
    }
}

/* The destination of a resolve must lie on the 256-byte grid, the copy then puts the slots in
 * place. */
static void encode_part(struct passtime_wgpu *self, const struct passtime_wgpu_bank *bank,
                        WGPUCommandEncoder encoder, struct passtime_run part, uint32_t *cursor)
{
    const passtime_webgpu_procs *wgpu = &self->gpu.procs;
    const uint32_t grid = PASSTIME_WGPU_RESOLVE_ALIGN;
    const uint32_t bytes = PASSTIME_WGPU_PAIR_BYTES * part.pair_count;
    const uint32_t room = (PASSTIME_WGPU_PAIR_BYTES * bank->pairs / grid + 8) * grid;
    if (bytes > room - *cursor) {
        *cursor = 0;
    }
    WGPUQuerySet set = bank->sets[part.first_pair / PASSTIME_WGPU_PAIRS_PER_SET];
    const uint32_t first_slot = 2 * (part.first_pair % PASSTIME_WGPU_PAIRS_PER_SET);
    wgpu->command_encoder_resolve_query_set(encoder, set, first_slot, 2 * part.pair_count,
                                            bank->resolved, *cursor);
    wgpu->command_encoder_copy_buffer_to_buffer(
        encoder, bank->resolved, *cursor, bank->staging,
        PASSTIME_WGPU_PAIR_BYTES * (uint64_t)part.first_pair, bytes);
    *cursor += (bytes + grid - 1) / grid * grid;
}

void passtime_wgpu_encode_run(struct passtime_wgpu *self, const struct passtime_wgpu_bank *bank,
                              WGPUCommandEncoder encoder, struct passtime_run run, uint32_t *cursor)
{
    while (run.pair_count > 0) {
        const uint32_t left =
            PASSTIME_WGPU_PAIRS_PER_SET - run.first_pair % PASSTIME_WGPU_PAIRS_PER_SET;
        const uint32_t count = run.pair_count < left ? run.pair_count : left;
        encode_part(self, bank, encoder, (struct passtime_run){run.first_pair, count}, cursor);
        run.first_pair += count;
        run.pair_count -= count;
    }
}

static void encode_runs(struct passtime_wgpu *self, struct passtime_wgpu_entry *entry,
                        WGPUCommandEncoder encoder)
{
    uint32_t cursor = 0;
    for (uint32_t i = 0; i < entry->run_count; i++) {
        passtime_wgpu_encode_run(self, &entry->bank, encoder, entry->runs[i], &cursor);
    }
}

static size_t staging_bytes(const struct passtime_wgpu *self,
                            const struct passtime_wgpu_entry *entry)
{
    if (self->gpu.flags & PASSTIME_WEBGPU_RIDE) {
        return passtime_wgpu_word_offset(&entry->bank) + 8 * (size_t)self->max_rides;
    }
    return PASSTIME_WGPU_PAIR_BYTES * (size_t)entry->pair_end;
}

static void read_back(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    struct passtime_wgpu_job *job = passtime_wgpu_frame_job(self, index);
    entry->phase = PASSTIME_WGPU_MAPPING;
    passtime_wgpu_push_scopes(self);
    if (!(self->gpu.flags & PASSTIME_WEBGPU_RIDE)) {
        WGPUCommandEncoder encoder = passtime_wgpu_encoder(self);
        encode_runs(self, entry, encoder);
        passtime_wgpu_submit(self, encoder);
    }
    passtime_wgpu_map(self, entry->bank.staging, staging_bytes(self, entry), &job->end);
    passtime_wgpu_pop_scopes(self, job);
    /* After the stamps: what they prove to have run has then counted all that it counts. */
    passtime_wgpu_counters_resolve(self, index, entry->runs, entry->run_count);
}

static bool all_rode(const struct passtime_wgpu_entry *entry)
{
    bool all = true;
    for (uint32_t i = 0; i < entry->run_count; i++) {
        const struct passtime_run run = entry->runs[i];
        all = all && memchr(entry->rode + run.first_pair, 0, run.pair_count) == NULL;
    }
    return all;
}

static void keep_runs(struct passtime_wgpu_entry *entry, const struct passtime_run *runs,
                      uint32_t run_count)
{
    const struct passtime_run last = runs[run_count - 1];
    memcpy(entry->runs, runs, run_count * sizeof *runs);
    entry->run_count = run_count;
    entry->pair_end = last.first_pair + last.pair_count;
}

void passtime_wgpu_entry_resolve(void *object, uint32_t index, uint64_t frame_number,
                                 const struct passtime_run *runs, uint32_t run_count)
{
    struct passtime_wgpu *self = object;
    struct passtime_wgpu_entry *entry = &self->entries[index];
    struct passtime_wgpu_job *job = passtime_wgpu_frame_job(self, index);
    const bool ride = self->gpu.flags & PASSTIME_WEBGPU_RIDE;
    (void)frame_number;
    keep_runs(entry, runs, run_count);
    entry->late = ride && !all_rode(entry);
    entry->overdue_said = false;
    entry->polls = 0;
    entry->submitted_before_ns = entry->submitted_ns;
    entry->submitted_ns = passtime_front_now(self->t);
    passtime_wgpu_job_void(job);
    if (passtime_wgpu_is_lost(self)) {
        entry->phase = PASSTIME_WGPU_COLLECTED;
    } else if (self->gpu.flags & PASSTIME_WEBGPU_DEFER_RESOLVE && !ride) {
        entry->phase = PASSTIME_WGPU_DEFERRED;
        passtime_wgpu_work_done(self, &job->end);
    } else {
        read_back(self, index);
    }
    /* Callbacks that fired inside these calls do not show that anybody processes events. */
    entry->callbacks_at = atomic_load(&self->shared->callbacks);
}

/* Did this frame write both of its stamps? Equal stamps may be chance where they are coarse and the
 * slot comes back soon. */
static bool is_written(const uint64_t *now, const uint64_t *before, bool soon)
{
    const bool begin_repeated = now[0] == before[0];
    const bool end_repeated = now[1] == before[1];
    const bool repeated = soon ? begin_repeated && end_repeated : begin_repeated || end_repeated;
    return now[0] != 0 && now[1] != 0 && !repeated;
}

/* The first stamps in slots where a frame before read 0, which it had asked for: they may be that
 * frame's, come late. Said to have been there before, they are stale. */
static void disown(struct passtime_wgpu_entry *entry, uint32_t pair)
{
    const size_t at = 2 * (size_t)pair;
    memcpy(entry->last + at, entry->ticks + at, PASSTIME_WGPU_PAIR_BYTES);
    entry->known[pair] = 0;
    entry->suspect[pair] = 1;
}

static void look_at_run(struct passtime_wgpu_entry *entry, struct passtime_run run, bool soon)
{
    for (uint32_t pair = run.first_pair; pair < run.first_pair + run.pair_count; pair++) {
        const uint64_t *now = entry->ticks + 2 * (size_t)pair;
        const uint64_t *before = entry->last + 2 * (size_t)pair;
        const bool was_zero = (before[0] | before[1]) == 0;
        const bool written = is_written(now, before, soon);
        if (written && was_zero && entry->known[pair]) {
            disown(entry, pair);
        } else if (!written && !(was_zero && (now[0] | now[1]) == 0)) {
            entry->suspect[pair] = 1;
        }
    }
}

/* Where a stamp of a pair was not written by this frame, whoever was to write it may still do so,
 * and then any later frame could read it as its own. Such a pair is not handed out again from this
 * bank. Slots that have always been 0 are those of passes that never run, until the first
 * stamps. */
static void look_for_late_writers(struct passtime_wgpu_entry *entry)
{
    const bool soon = entry->submitted_ns - entry->submitted_before_ns < SOON_NS;
    for (uint32_t i = 0; i < entry->run_count; i++) {
        look_at_run(entry, entry->runs[i], soon);
    }
}

static bool copy_out(struct passtime_wgpu *self, struct passtime_wgpu_entry *entry)
{
    const passtime_webgpu_procs *wgpu = &self->gpu.procs;
    const uint8_t *mapped =
        wgpu->buffer_get_const_mapped_range(entry->bank.staging, 0, staging_bytes(self, entry));
    if (mapped == NULL) {
        return false;
    }
    if (self->gpu.flags & PASSTIME_WEBGPU_RIDE && passtime_wgpu_ride_missed(entry, mapped)) {
        entry->late = true;
    }
    /* Pairs between the runs are not read by anybody. */
    for (uint32_t i = 0; i < entry->run_count; i++) {
        const size_t at = PASSTIME_WGPU_PAIR_BYTES * (size_t)entry->runs[i].first_pair;
        memcpy((uint8_t *)entry->ticks + at, mapped + at,
               PASSTIME_WGPU_PAIR_BYTES * (size_t)entry->runs[i].pair_count);
    }
    return true;
}

/* The answer is there: takes the stamps out and gives the buffer back, whatever became of it. */
static enum passtime_raw_state settle(struct passtime_wgpu *self, uint32_t index,
                                      enum passtime_wgpu_answer answer)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    entry->phase = PASSTIME_WGPU_COLLECTED;
    const bool copied = answer == PASSTIME_WGPU_DONE && copy_out(self, entry);
    passtime_wgpu_unmap(self, entry->bank.staging, passtime_wgpu_frame_job(self, index));
    if (!copied) {
        /* The GPU may have written stamps that nobody has seen. */
        entry->tainted = true;
        passtime_wgpu_log(self, PASSTIME_LOG_MAP_FAILED,
                          "The stamps of a frame could not be read back; the frame has no data.");
        return PASSTIME_RAW_MAP_FAILED;
    }
    if (entry->late) {
        entry->tainted = true;
        return PASSTIME_RAW_LATE;
    }
    look_for_late_writers(entry);
    return PASSTIME_RAW_READY;
}

static enum passtime_raw_state lose(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    passtime_wgpu_job_void(passtime_wgpu_frame_job(self, index));
    entry->phase = PASSTIME_WGPU_COLLECTED;
    entry->tainted = true;
    return PASSTIME_RAW_LOST;
}

/* Is there a pair whose slots the core has not seen since this bank took over? */
static bool has_news(const struct passtime_wgpu_entry *entry)
{
    bool news = false;
    for (uint32_t i = 0; i < entry->run_count; i++) {
        const struct passtime_run run = entry->runs[i];
        news = news || memchr(entry->known + run.first_pair, 0, run.pair_count) != NULL;
    }
    return news;
}

void passtime_wgpu_entry_collect(void *object, uint32_t index, struct passtime_raw *raw)
{
    struct passtime_wgpu *self = object;
    struct passtime_wgpu_entry *entry = &self->entries[index];
    const struct passtime_wgpu_job *job = passtime_wgpu_frame_job(self, index);
    const enum passtime_wgpu_answer answer = passtime_wgpu_job_answer(job);
    if (!passtime_wgpu_counters_settle(self, index)) {
        return;
    }
    const bool answered = entry->phase == PASSTIME_WGPU_MAPPING && answer != PASSTIME_WGPU_PENDING;
    if (answered) {
        passtime_wgpu_weigh(self, answer);
    }
    if (answered && answer == PASSTIME_WGPU_DONE) {
        /* What came back before a loss is still true. */
        raw->seen_ns = passtime_wgpu_ticket_seen_ns(&job->end);
        raw->state = settle(self, index, answer);
    } else if (passtime_wgpu_is_lost(self) || (answered && answer == PASSTIME_WGPU_ABORTED)) {
        raw->state = lose(self, index);
    } else if (answered) {
        raw->state = settle(self, index, answer);
    }
    passtime_wgpu_counters_bring(self, index, raw);
    if (raw->state != PASSTIME_RAW_READY) {
        return;
    }
    raw->ticks = entry->ticks;
    raw->tick_count = 2 * entry->pair_end;
    raw->baseline = has_news(entry) ? entry->last : NULL;
}

static void free_entry(struct passtime_wgpu *self, struct passtime_wgpu_entry *entry)
{
    passtime_wgpu_counters_end(self, (uint32_t)(entry - self->entries));
    entry->has_suspects = memchr(entry->suspect, 1, entry->bank.pairs) != NULL ||
                          memchr(entry->suspect, PASSTIME_WGPU_OPEN, entry->bank.pairs) != NULL;
    entry->phase = PASSTIME_WGPU_FREE;
}

void passtime_wgpu_entry_release(void *object, uint32_t index)
{
    struct passtime_wgpu *self = object;
    struct passtime_wgpu_entry *entry = &self->entries[index];
    for (uint32_t i = 0; i < entry->run_count && !entry->tainted; i++) {
        const struct passtime_run run = entry->runs[i];
        const size_t at = 2 * (size_t)run.first_pair;
        memset(entry->known + run.first_pair, 1, run.pair_count);
        memcpy(entry->last + at, entry->ticks + at,
               PASSTIME_WGPU_PAIR_BYTES * (size_t)run.pair_count);
    }
    free_entry(self, entry);
}

void passtime_wgpu_entry_abandon(void *object, uint32_t index)
{
    struct passtime_wgpu *self = object;
    struct passtime_wgpu_entry *entry = &self->entries[index];
    if (entry->phase == PASSTIME_WGPU_MAPPING) {
        passtime_wgpu_unmap(self, entry->bank.staging, passtime_wgpu_frame_job(self, index));
    }
    passtime_wgpu_job_void(passtime_wgpu_frame_job(self, index));
    /* Commands that were submitted may run yet, and leave stamps that nobody reads. */
    if (entry->phase >= PASSTIME_WGPU_DEFERRED) {
        entry->tainted = true;
    }
    free_entry(self, entry);
}

static void say_if_overdue(struct passtime_wgpu *self, struct passtime_wgpu_entry *entry)
{
    entry->polls += entry->polls < OVERDUE_POLLS;
    const bool heard = atomic_load(&self->shared->callbacks) != entry->callbacks_at;
    if (entry->overdue_said || heard || entry->polls < OVERDUE_POLLS ||
        passtime_front_now(self->t) - entry->submitted_ns < OVERDUE_NS) {
        return;
    }
    entry->overdue_said = true;
    passtime_front_count_unpumped(self->t);
}

void passtime_wgpu_poll(void *object)
{
    struct passtime_wgpu *self = object;
    if (self->gpu.flags & PASSTIME_WEBGPU_PUMP && !passtime_wgpu_is_lost(self)) {
        self->gpu.procs.instance_process_events(self->gpu.instance);
    }
    for (uint32_t i = 0; i < self->entry_count; i++) {
        struct passtime_wgpu_entry *entry = &self->entries[i];
        if (entry->phase == PASSTIME_WGPU_DEFERRED || entry->phase == PASSTIME_WGPU_MAPPING) {
            say_if_overdue(self, entry);
        }
        const struct passtime_wgpu_job *job = passtime_wgpu_frame_job(self, i);
        const enum passtime_wgpu_answer answer = passtime_wgpu_ticket_answer(&job->end);
        if (entry->phase == PASSTIME_WGPU_DEFERRED && answer != PASSTIME_WGPU_PENDING) {
            passtime_wgpu_weigh(self, answer == PASSTIME_WGPU_GONE ? answer : PASSTIME_WGPU_IDLE);
            if (!passtime_wgpu_is_lost(self)) {
                read_back(self, i);
            }
        }
    }
}
