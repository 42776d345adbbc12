/* SPDX-License-Identifier: MIT */
/*
 * Shader counters: one buffer in which each pass in flight has a block of its own, found by a
 * dynamic offset. Block 0 is for passes that are not counted.
 *
 * A ring entry uses two halves by turns. After a frame its half is copied out, and both are set to
 * 0: commands that come too late for one frame then find their half at rest, and not in the next
 * frame's use. A half is used only where it is known to be clean: it was cleared once more since it
 * was read, and that submission was answered without an error.
 */
#include <stdio.h>
#include <string.h>

#include "backend/webgpu_state.h"

enum {
    BLOCK_BYTES = 256, /* the offset alignment that every device allows */
    COUNTER_BYTES = 8, /* low word, high word */
};
static const uint64_t BUFFER_BYTES_MAX = 268435456; /* maxBufferSize of every device */

enum phase {
    IDLE = 0,
    RECORDING,
    FLYING, /* submitted, and not answered yet */
    SETTLED /* answered, or nothing was to be asked */
};

struct entry_counters {
    enum phase phase;
    uint32_t half;
    bool usable;         /* the half is clean */
    size_t mapped_bytes; /* FLYING: of staging, asked for; 0: nothing is read */
    bool counted;        /* FLYING: the half was in use */
    bool there;          /* SETTLED: values holds the counts */
    bool dirty[2];       /* a half is not known to be clean */
    uint32_t extent[2];  /* pairs from here on were never counted in */
    WGPUBuffer staging;  /* COPY_DST | MAP_READ: blocks by pair */
    uint8_t *asked;      /* [max_passes]: the app took the pair's offset */
    uint32_t *named;     /* [max_recorders]: the pair each named last, or NONE */
    uint64_t *values;    /* [max_passes][count] */
};

struct passtime_wgpu_counters {
    uint32_t count;
    bool failed; /* the device made a buffer not at all */
    WGPUBuffer buffer;
    unsigned char *memory; /* what the entries' arrays point into */
    struct entry_counters entries[];
};

/* Making and ending -----------------------------------------------------------------------------
 */

static uint64_t blocks_of(const passtime_desc *desc)
{
    return 1 + 2 * (uint64_t)desc->frames_in_flight * desc->max_passes;
}

bool passtime_wgpu_counters_fit(const passtime_desc *resolved)
{
    return BLOCK_BYTES * blocks_of(resolved) <= BUFFER_BYTES_MAX;
}

static bool lay_out(struct passtime_wgpu_counters *c, const passtime_desc *desc)
{
    const size_t pairs = desc->max_passes;
    const size_t values_bytes = pairs * c->count * sizeof(uint64_t);
    const size_t named_bytes = (desc->max_recorders * sizeof(uint32_t) + 7u) & ~(size_t)7u;
    const size_t asked_bytes = (pairs + 7u) & ~(size_t)7u;
    const size_t entry_bytes = values_bytes + named_bytes + asked_bytes;
    c->memory = passtime_front_allocate(desc, desc->frames_in_flight * entry_bytes);
    for (uint32_t i = 0; c->memory != NULL && i < desc->frames_in_flight; i++) {
        unsigned char *at = c->memory + i * entry_bytes;
        c->entries[i].values = (uint64_t *)(void *)at;
        c->entries[i].named = (uint32_t *)(void *)(at + values_bytes);
        c->entries[i].asked = at + values_bytes + named_bytes;
    }
    return c->memory != NULL;
}

/* New buffers read as 0, but wgpu-native makes them so only at the first use that it understands:
 * it takes a place bound with a dynamic offset for unused, and clears it when it is copied from. */
static void clear_all(struct passtime_wgpu *self)
{
    WGPUCommandEncoder encoder = passtime_wgpu_encoder(self);
    self->gpu.procs.command_encoder_clear_buffer(encoder, self->counters->buffer, 0,
                                                 BLOCK_BYTES * blocks_of(&self->shared->desc));
    passtime_wgpu_submit(self, encoder);
}

static void create_buffers(struct passtime_wgpu *self)
{
    struct passtime_wgpu_counters *c = self->counters;
    const passtime_desc *desc = &self->shared->desc;
    struct passtime_wgpu_job *job = passtime_wgpu_counters_job(self, desc->frames_in_flight);
    passtime_wgpu_push_scopes(self);
    c->buffer = passtime_wgpu_create_buffer(self, BLOCK_BYTES * blocks_of(desc),
                                            WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc |
                                                WGPUBufferUsage_CopyDst);
    c->failed = c->buffer == NULL;
    for (uint32_t i = 0; i < desc->frames_in_flight; i++) {
        c->entries[i].staging =
            passtime_wgpu_create_buffer(self, BLOCK_BYTES * (uint64_t)desc->max_passes,
                                        WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead);
        c->failed = c->failed || c->entries[i].staging == NULL;
    }
    if (!c->failed) {
        clear_all(self);
    }
    passtime_wgpu_pop_scopes(self, job);
}

bool passtime_wgpu_counters_create(struct passtime_wgpu *self, uint32_t count)
{
    const passtime_desc *desc = &self->shared->desc;
    struct passtime_wgpu_counters *c =
        passtime_front_allocate(desc, sizeof *c + desc->frames_in_flight * sizeof c->entries[0]);
    self->counters = c;
    if (c == NULL) {
        return false;
    }
    c->count = count;
    if (!lay_out(c, desc)) {
        return false;
    }
    create_buffers(self);
    return true;
}

void passtime_wgpu_counters_destroy(struct passtime_wgpu *self)
{
    struct passtime_wgpu_counters *c = self->counters;
    if (c == NULL) {
        return;
    }
    for (uint32_t i = 0; i < self->entry_count; i++) {
        passtime_wgpu_counters_end(self, i);
        passtime_wgpu_release_buffer(self, &c->entries[i].staging);
    }
    passtime_wgpu_release_buffer(self, &c->buffer);
    passtime_front_free(&self->shared->desc, c->memory);
    passtime_front_free(&self->shared->desc, c);
    self->counters = NULL;
}

/* Recording -------------------------------------------------------------------------------------
 */

static bool is_refused(struct passtime_wgpu *self)
{
    const uint32_t entries = self->shared->desc.frames_in_flight;
    const enum passtime_wgpu_answer answer =
        passtime_wgpu_job_answer(passtime_wgpu_counters_job(self, entries));
    return self->counters->failed || answer > PASSTIME_WGPU_DONE;
}

void passtime_wgpu_counters_begin(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_counters *c = self->counters;
    if (c == NULL) {
        return;
    }
    struct entry_counters *entry = &c->entries[index];
    const bool refused = is_refused(self);
    if (refused) {
        passtime_wgpu_log(self, PASSTIME_LOG_QUERIES_FAILED,
                          "The device refused the buffers of the shader counters: nothing is "
                          "counted.");
    }
    entry->phase = RECORDING;
    entry->half ^= 1u;
    entry->usable = !refused && !entry->dirty[entry->half];
    entry->there = false;
    memset(entry->asked, 0, self->max_passes);
    for (uint32_t i = 0; i < self->shared->desc.max_recorders; i++) {
        entry->named[i] = PASSTIME_NONE;
    }
}

/* Where the recorder's last pass is noted; NULL: nowhere. */
static uint32_t *named_by(struct passtime_wgpu *self, const passtime_recorder *rec)
{
    const uint32_t index = passtime_front_recorder_index(rec);
    if (self == NULL || self->counters == NULL || index == PASSTIME_NONE) {
        return NULL;
    }
    return &self->counters->entries[passtime_front_recorder_entry(rec)].named[index];
}

void passtime_wgpu_counters_note(struct passtime_wgpu *self, const passtime_recorder *rec,
                                 uint32_t pair)
{
    uint32_t *named = named_by(self, rec);
    if (named != NULL) {
        *named = pair;
    }
}

static uint64_t block_of(const struct passtime_wgpu *self, uint32_t index, uint32_t half,
                         uint32_t pair)
{
    return BLOCK_BYTES * (1 + (2 * (uint64_t)index + half) * self->max_passes + pair);
}

uint32_t passtime_webgpu_counters(passtime_recorder *rec)
{
    bool stamps;
    struct passtime_wgpu *self = passtime_wgpu_of(rec, &stamps);
    const uint32_t *named = named_by(self, rec);
    if (named == NULL || *named == PASSTIME_NONE) {
        return 0;
    }
    const uint32_t index = passtime_front_recorder_entry(rec);
    struct entry_counters *entry = &self->counters->entries[index];
    entry->asked[*named] = 1;
    return entry->usable ? (uint32_t)block_of(self, index, entry->half, *named) : 0;
}

WGPUBuffer passtime_webgpu_counters_buffer(passtime *t, uint64_t *bytes)
{
    struct passtime_wgpu *self = passtime_wgpu_of_context(t);
    const bool there = self != NULL && self->counters != NULL && !is_refused(self);
    if (bytes != NULL) {
        *bytes = there ? COUNTER_BYTES * (uint64_t)self->counters->count : 0;
    }
    return there ? self->counters->buffer : NULL;
}

/* Reading back ----------------------------------------------------------------------------------
 */

/* Notes how far the half was counted in. False: no pass took counters. */
static bool note_extent(const struct passtime_wgpu *self, struct entry_counters *entry)
{
    uint32_t end = self->max_passes;
    while (end > 0 && entry->asked[end - 1] == 0) {
        end--;
    }
    if (entry->extent[entry->half] < end) {
        entry->extent[entry->half] = end;
    }
    return end > 0;
}

static void encode_clear(struct passtime_wgpu *self, uint32_t index, WGPUCommandEncoder encoder)
{
    const struct entry_counters *entry = &self->counters->entries[index];
    for (uint32_t half = 0; half < 2; half++) {
        if (entry->extent[half] > 0) {
            self->gpu.procs.command_encoder_clear_buffer(
                encoder, self->counters->buffer, block_of(self, index, half, 0),
                BLOCK_BYTES * (uint64_t)entry->extent[half]);
        }
    }
}

/* Returns how many bytes of staging are to be mapped. */
static size_t encode_copies(struct passtime_wgpu *self, uint32_t index,
                            const struct passtime_run *runs, uint32_t run_count,
                            WGPUCommandEncoder encoder)
{
    const struct entry_counters *entry = &self->counters->entries[index];
    const uint32_t end = entry->extent[entry->half];
    size_t bytes = 0;
    for (uint32_t i = 0; i < run_count && runs[i].first_pair < end; i++) {
        const uint32_t first = runs[i].first_pair;
        const uint32_t room = end - first;
        const uint32_t pairs = runs[i].pair_count < room ? runs[i].pair_count : room;
        const uint64_t at = BLOCK_BYTES * (uint64_t)first;
        self->gpu.procs.command_encoder_copy_buffer_to_buffer(
            encoder, self->counters->buffer, block_of(self, index, entry->half, first),
            entry->staging, at, BLOCK_BYTES * (uint64_t)pairs);
        bytes = (size_t)at + BLOCK_BYTES * (size_t)pairs;
    }
    return bytes;
}

void passtime_wgpu_counters_resolve(struct passtime_wgpu *self, uint32_t index,
                                    const struct passtime_run *runs, uint32_t run_count)
{
    struct passtime_wgpu_counters *c = self->counters;
    if (c == NULL) {
        return;
    }
    struct entry_counters *entry = &c->entries[index];
    struct passtime_wgpu_job *job = passtime_wgpu_counters_job(self, index);
    const bool any = note_extent(self, entry);
    entry->phase = SETTLED;
    if (passtime_wgpu_is_lost(self) || is_refused(self) ||
        (!any && !entry->dirty[0] && !entry->dirty[1])) {
        return;
    }
    passtime_wgpu_job_void(job);
    passtime_wgpu_push_scopes(self);
    WGPUCommandEncoder encoder = passtime_wgpu_encoder(self);
    const size_t bytes =
        any && entry->usable ? encode_copies(self, index, runs, run_count, encoder) : 0;
    encode_clear(self, index, encoder);
    passtime_wgpu_submit(self, encoder);
    entry->phase = FLYING;
    entry->counted = any && entry->usable;
    entry->dirty[0] = entry->dirty[1] = true;
    entry->mapped_bytes = bytes;
    if (bytes > 0) {
        passtime_wgpu_map(self, entry->staging, bytes, &job->end);
    }
    passtime_wgpu_pop_scopes(self, job);
}

/* Adds the two words of each counter up. Pairs beyond what was mapped were not read. */
static bool copy_out(struct passtime_wgpu *self, struct entry_counters *entry)
{
    const uint32_t count = self->counters->count;
    const uint8_t *mapped =
        self->gpu.procs.buffer_get_const_mapped_range(entry->staging, 0, entry->mapped_bytes);
    const size_t pairs = entry->mapped_bytes / BLOCK_BYTES;
    for (size_t pair = 0; mapped != NULL && pair < pairs; pair++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t words[2];
            memcpy(words, mapped + pair * BLOCK_BYTES + (size_t)i * COUNTER_BYTES, sizeof words);
            entry->values[pair * count + i] = words[0] | (uint64_t)words[1] << 32;
        }
    }
    return mapped != NULL;
}

bool passtime_wgpu_counters_settle(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_counters *c = self->counters;
    if (c == NULL || c->entries[index].phase != FLYING) {
        return true;
    }
    struct entry_counters *entry = &c->entries[index];
    struct passtime_wgpu_job *job = passtime_wgpu_counters_job(self, index);
    const enum passtime_wgpu_answer answer = passtime_wgpu_job_answer(job);
    if (answer == PASSTIME_WGPU_PENDING && !passtime_wgpu_is_lost(self)) {
        return false;
    }
    const bool done = answer == PASSTIME_WGPU_DONE;
    entry->phase = SETTLED;
    entry->there = done && entry->mapped_bytes > 0 && copy_out(self, entry);
    entry->dirty[entry->half] = !done || entry->counted;
    entry->dirty[1 - entry->half] = !done;
    if (entry->mapped_bytes > 0) {
        passtime_wgpu_unmap(self, entry->staging, job);
    }
    passtime_wgpu_job_void(job);
    return true;
}

void passtime_wgpu_counters_asked(void *object, uint32_t index, struct passtime_raw *raw)
{
    const struct passtime_wgpu *self = object;
    const struct passtime_wgpu_counters *c = self->counters;
    if (c != NULL) {
        raw->counted = c->entries[index].asked;
        raw->counted_pairs = self->max_passes;
    }
}

void passtime_wgpu_counters_bring(struct passtime_wgpu *self, uint32_t index,
                                  struct passtime_raw *raw)
{
    const struct passtime_wgpu_counters *c = self->counters;
    if (c == NULL || raw->state == PASSTIME_RAW_NOT_READY) {
        return;
    }
    passtime_wgpu_counters_asked(self, index, raw);
    raw->counts = c->entries[index].there ? c->entries[index].values : NULL;
}

void passtime_wgpu_counters_end(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_counters *c = self->counters;
    if (c == NULL) {
        return;
    }
    struct entry_counters *entry = &c->entries[index];
    if (entry->phase == RECORDING && note_extent(self, entry)) {
        entry->dirty[entry->half] = true; /* Its commands may have run. */
    }
    if (entry->phase == FLYING) {
        if (entry->mapped_bytes > 0) {
            passtime_wgpu_unmap(self, entry->staging, passtime_wgpu_counters_job(self, index));
        }
        passtime_wgpu_job_void(passtime_wgpu_counters_job(self, index));
    }
    entry->phase = IDLE;
}

/* The text to include -------------------------------------------------------------------------- */

size_t passtime_webgpu_counters_wgsl(uint32_t count, uint32_t group, uint32_t binding, char *out,
                                     size_t bytes)
{
    /* A count is exact beyond 32 bits: whichever addition wraps the low word carries one over. */
    static const char text[] =
        "struct PasstimeCounter { low: atomic<u32>, high: atomic<u32> }\n"
        "@group(%u) @binding(%u) var<storage, read_write> passtime_counters: "
        "array<PasstimeCounter, %u>;\n"
        "fn passtime_count(index: u32, amount: u32) {\n"
        "    if index >= %uu { return; }\n"
        "    let before = atomicAdd(&passtime_counters[index].low, amount);\n"
        "    if before > 0xffffffffu - amount {\n"
        "        atomicAdd(&passtime_counters[index].high, 1u);\n"
        "    }\n"
        "}\n";
    const int length = snprintf(out, bytes, text, group, binding, count, count);
    return length > 0 ? (size_t)length : 0;
}
