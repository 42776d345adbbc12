/* SPDX-License-Identifier: MIT */
/*
 * Banks: how the query sets of a ring entry are made, proved, grown and replaced.
 *
 * An error of the device may surface long after the call that made it, so each step runs under
 * error scopes of its own and the next one waits for their verdict. Priming stamps every slot once,
 * because some drivers wait for ever for a slot that was never written, and reads the stamps back:
 * they are what a pass that never runs will leave there.
 */
#include <string.h>

#include "backend/webgpu_state.h"

enum {
    RETRY_FIRST_LIVES = 64,  /* to wait after a bank could not be made */
    RETRY_MOST_LIVES = 4096, /* the wait doubles up to this */
    RENEW_LIVES = 32,   /* a bank with suspect slots is replaced after so many at the earliest */
    SHRINK_LIVES = 256, /* a bank is made smaller after so many that need a quarter of it */
};

void passtime_wgpu_release_buffer(const struct passtime_wgpu *self, WGPUBuffer *buffer)
{
    if (*buffer != NULL) {
        self->gpu.procs.buffer_release(*buffer);
        *buffer = NULL;
    }
}

/* Work in flight may still use them: they are released, never destroyed. */
void passtime_wgpu_bank_release(struct passtime_wgpu *self, struct passtime_wgpu_bank *bank)
{
    for (uint32_t i = 0; i < bank->set_count; i++) {
        self->gpu.procs.query_set_release(bank->sets[i]);
    }
    passtime_wgpu_release_buffer(self, &bank->resolved);
    passtime_wgpu_release_buffer(self, &bank->staging);
    passtime_wgpu_release_buffer(self, &bank->words);
    memset(bank, 0, sizeof *bank);
}

static bool create_sets(struct passtime_wgpu *self, struct passtime_wgpu_bank *bank)
{
    for (uint32_t first = 0; first < bank->pairs; first += PASSTIME_WGPU_PAIRS_PER_SET) {
        const uint32_t left = bank->pairs - first;
        WGPUQuerySetDescriptor desc = WGPU_QUERY_SET_DESCRIPTOR_INIT;
        desc.label = (WGPUStringView){"passtime", 8};
        desc.type = WGPUQueryType_Timestamp;
        desc.count = 2 * (left < PASSTIME_WGPU_PAIRS_PER_SET ? left : PASSTIME_WGPU_PAIRS_PER_SET);
        WGPUQuerySet set = self->gpu.procs.device_create_query_set(self->gpu.device, &desc);
        if (set == NULL) {
            return false;
        }
        bank->sets[bank->set_count++] = set;
    }
    return true;
}

WGPUBuffer passtime_wgpu_create_buffer(struct passtime_wgpu *self, uint64_t bytes,
                                       WGPUBufferUsage usage)
{
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.label = (WGPUStringView){"passtime", 8};
    desc.size = bytes;
    desc.usage = usage;
    return self->gpu.procs.device_create_buffer(self->gpu.device, &desc);
}

static bool create_buffers(struct passtime_wgpu *self, struct passtime_wgpu_bank *bank)
{
    const bool ride = self->gpu.flags & PASSTIME_WEBGPU_RIDE;
    const uint64_t word_bytes = ride ? 8 * (uint64_t)self->max_rides : 0;
    const uint64_t slot_bytes = PASSTIME_WGPU_PAIR_BYTES * (uint64_t)bank->pairs;
    /* Runs that start off the grid need places of their own: some room for them. */
    const uint64_t resolved_bytes =
        (slot_bytes / PASSTIME_WGPU_RESOLVE_ALIGN + 8) * PASSTIME_WGPU_RESOLVE_ALIGN;
    bank->resolved = passtime_wgpu_create_buffer(
        self, resolved_bytes, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc);
    bank->staging = passtime_wgpu_create_buffer(self, slot_bytes + word_bytes,
                                                WGPUBufferUsage_CopyDst | WGPUBufferUsage_MapRead);
    if (ride) {
        bank->words = passtime_wgpu_create_buffer(
            self, word_bytes, WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc);
    }
    return bank->resolved != NULL && bank->staging != NULL && (!ride || bank->words != NULL);
}

/* Stops for a while: the app loses nothing but new timings. */
static void build_give_up(struct passtime_wgpu *self, struct passtime_wgpu_entry *entry)
{
    entry->build = PASSTIME_WGPU_BUILD_NONE;
    const uint32_t doubled = 2 * entry->retry_wait;
    entry->retry_wait = doubled < RETRY_FIRST_LIVES  ? RETRY_FIRST_LIVES
                        : doubled > RETRY_MOST_LIVES ? RETRY_MOST_LIVES
                                                     : doubled;
    entry->retry_in = entry->retry_wait;
    passtime_wgpu_log(self, PASSTIME_LOG_QUERIES_FAILED,
                      "The device refused a query set or its buffers, also a smaller one; "
                      "timing goes on with what there is and tries again later.");
}

static void build_create(struct passtime_wgpu *self, uint32_t index, uint32_t pairs)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    struct passtime_wgpu_job *job = passtime_wgpu_build_job(self, index);
    entry->build_pairs = pairs;
    entry->next.pairs = pairs;
    entry->build = PASSTIME_WGPU_BUILD_CREATING;
    passtime_wgpu_job_void(job);
    passtime_wgpu_push_scopes(self);
    const bool created = create_sets(self, &entry->next) && create_buffers(self, &entry->next);
    passtime_wgpu_pop_scopes(self, job);
    if (!created) {
        /* The step to come finds it empty and takes that for the failure that it is. */
        passtime_wgpu_bank_release(self, &entry->next);
    }
}

void passtime_wgpu_build_begin(struct passtime_wgpu *self, uint32_t index, uint32_t pairs)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    uint32_t size = PASSTIME_WGPU_FIRST_PAIRS;
    while (size < pairs) {
        size *= 2;
    }
    entry->smaller = false;
    entry->build_floor = entry->tainted ? 0 : entry->bank.pairs;
    build_create(self, index, size < self->max_passes ? size : self->max_passes);
}

void passtime_wgpu_build_cancel(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    if (entry->build >= PASSTIME_WGPU_BUILD_PRIMING) {
        passtime_wgpu_unmap(self, entry->next.staging, passtime_wgpu_build_job(self, index));
    }
    passtime_wgpu_job_void(passtime_wgpu_build_job(self, index));
    passtime_wgpu_bank_release(self, &entry->next);
    entry->build = PASSTIME_WGPU_BUILD_NONE;
}

/* One try at half the size, unless the bank in use is as large already. */
static void build_failed(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    const uint32_t pairs = entry->build_pairs;
    const bool useful = pairs / 2 > entry->build_floor;
    passtime_wgpu_build_cancel(self, index);
    atomic_fetch_add_explicit(&self->failures, 1, memory_order_relaxed);
    if (entry->smaller || !useful) {
        build_give_up(self, entry);
        return;
    }
    entry->smaller = true;
    build_create(self, index, pairs / 2);
}

static void prime_slots(struct passtime_wgpu *self, const struct passtime_wgpu_bank *bank,
                        WGPUCommandEncoder encoder)
{
    const passtime_webgpu_procs *wgpu = &self->gpu.procs;
    for (uint32_t pair = 0; pair < bank->pairs; pair++) {
        WGPUPassTimestampWrites writes = WGPU_PASS_TIMESTAMP_WRITES_INIT;
        writes.querySet = bank->sets[pair / PASSTIME_WGPU_PAIRS_PER_SET];
        writes.beginningOfPassWriteIndex = 2 * (pair % PASSTIME_WGPU_PAIRS_PER_SET);
        writes.endOfPassWriteIndex = writes.beginningOfPassWriteIndex + 1;
        WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
        desc.timestampWrites = &writes;
        WGPUComputePassEncoder pass = wgpu->command_encoder_begin_compute_pass(encoder, &desc);
        wgpu->compute_pass_encoder_end(pass);
        wgpu->compute_pass_encoder_release(pass);
    }
}

static void build_prime(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    struct passtime_wgpu_bank *bank = &entry->next;
    struct passtime_wgpu_job *job = passtime_wgpu_build_job(self, index);
    entry->build = PASSTIME_WGPU_BUILD_PRIMING;
    passtime_wgpu_job_void(job);
    passtime_wgpu_push_scopes(self);
    WGPUCommandEncoder encoder = passtime_wgpu_encoder(self);
    prime_slots(self, bank, encoder);
    uint32_t cursor = 0;
    passtime_wgpu_encode_run(self, bank, encoder, (struct passtime_run){0, bank->pairs}, &cursor);
    passtime_wgpu_submit(self, encoder);
    passtime_wgpu_map(self, bank->staging, PASSTIME_WGPU_PAIR_BYTES * (size_t)bank->pairs,
                      &job->end);
    passtime_wgpu_pop_scopes(self, job);
}

/* The stamps of priming wait in staging, mapped, until the bank takes over. */
static void build_settle(struct passtime_wgpu *self, uint32_t index,
                         enum passtime_wgpu_answer answer)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    if (entry->build == PASSTIME_WGPU_BUILD_PRIMING) {
        passtime_wgpu_weigh(self, answer);
    }
    if (answer == PASSTIME_WGPU_DONE && entry->build == PASSTIME_WGPU_BUILD_CREATING) {
        build_prime(self, index);
    } else if (answer == PASSTIME_WGPU_DONE) {
        entry->build = PASSTIME_WGPU_BUILD_READY;
        entry->retry_wait = 0;
    } else if (passtime_wgpu_is_lost(self)) {
        passtime_wgpu_build_cancel(self, index);
    } else {
        build_failed(self, index);
    }
}

static void build_step(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    /* A callback may fire inside the call that asks for it: several steps at once, but not for
     * ever. */
    for (uint32_t steps = 0; steps < 4; steps++) {
        if (entry->build != PASSTIME_WGPU_BUILD_CREATING &&
            entry->build != PASSTIME_WGPU_BUILD_PRIMING) {
            return;
        }
        enum passtime_wgpu_answer answer =
            passtime_wgpu_job_answer(passtime_wgpu_build_job(self, index));
        if (answer == PASSTIME_WGPU_PENDING) {
            return;
        }
        const bool empty = entry->next.staging == NULL;
        build_settle(self, index, empty ? PASSTIME_WGPU_FAILED : answer);
    }
}

void passtime_wgpu_build_steps(struct passtime_wgpu *self)
{
    for (uint32_t i = 0; i < self->entry_count; i++) {
        build_step(self, i);
    }
}

/* The entry is free: the new bank takes over, with the stamps of priming as what its slots hold. */
static void take_over(struct passtime_wgpu *self, struct passtime_wgpu_entry *entry)
{
    const passtime_webgpu_procs *wgpu = &self->gpu.procs;
    const size_t bytes = PASSTIME_WGPU_PAIR_BYTES * (size_t)entry->next.pairs;
    const void *mapped = wgpu->buffer_get_const_mapped_range(entry->next.staging, 0, bytes);
    if (mapped == NULL) {
        entry->build = PASSTIME_WGPU_BUILD_PRIMING;
        build_failed(self, (uint32_t)(entry - self->entries));
        return;
    }
    memcpy(entry->last, mapped, bytes);
    wgpu->buffer_unmap(entry->next.staging);
    passtime_wgpu_bank_release(self, &entry->bank);
    entry->bank = entry->next;
    memset(&entry->next, 0, sizeof entry->next);
    memset(entry->known, 0, self->max_passes);
    memset(entry->suspect, 0, self->max_passes);
    entry->build = PASSTIME_WGPU_BUILD_NONE;
    entry->has_suspects = false;
    entry->tainted = false;
    entry->lives = 0;
    entry->small_lives = 0;
}

/* How many pairs a new bank should have; 0: none is needed. */
static uint32_t wish(const struct passtime_wgpu_entry *entry, uint32_t wanted)
{
    const uint32_t pairs = entry->bank.pairs;
    const bool shrink = entry->small_lives >= SHRINK_LIVES;
    if (wanted > pairs || shrink) {
        return wanted;
    }
    const bool renew = entry->tainted || (entry->has_suspects && entry->lives >= RENEW_LIVES);
    return renew ? pairs : 0;
}

uint32_t passtime_wgpu_entry_begin(void *object, uint32_t index, uint32_t wanted,
                                   struct passtime_unit *unit)
{
    struct passtime_wgpu *self = object;
    struct passtime_wgpu_entry *entry = &self->entries[index];
    *unit = self->unit;
    wanted = wanted < 1 ? 1 : wanted > self->max_passes ? self->max_passes : wanted;
    passtime_wgpu_build_steps(self);
    if (passtime_wgpu_is_lost(self)) {
        return 0;
    }
    if (entry->build == PASSTIME_WGPU_BUILD_READY) {
        take_over(self, entry);
    }
    const bool small =
        4 * (uint64_t)wanted <= entry->bank.pairs && entry->bank.pairs > PASSTIME_WGPU_FIRST_PAIRS;
    entry->small_lives = small ? entry->small_lives + 1 : 0;
    entry->lives++;
    entry->retry_in -= entry->retry_in > 0;
    const uint32_t pairs = wish(entry, wanted);
    if (pairs != 0 && entry->build == PASSTIME_WGPU_BUILD_NONE && entry->retry_in == 0) {
        passtime_wgpu_build_begin(self, index, pairs);
    }
    if (entry->tainted || entry->bank.pairs == 0) {
        return 0;
    }
    entry->phase = PASSTIME_WGPU_RECORDING;
    entry->pair_end = 0;
    passtime_wgpu_ride_begin(self, index);
    passtime_wgpu_counters_begin(self, index);
    return entry->bank.pairs;
}
