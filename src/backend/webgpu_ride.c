/* SPDX-License-Identifier: MIT */
/*
 * Riding: the stamps of a recorder are resolved and copied by the app's own encoder. Beside them
 * the encoder copies a word that names the frame; only a staging buffer with the right word was
 * written by this frame's encoder.
 */
#include <string.h>

#include "backend/webgpu_state.h"

size_t passtime_wgpu_word_offset(const struct passtime_wgpu_bank *bank)
{
    return PASSTIME_WGPU_PAIR_BYTES * (size_t)bank->pairs;
}

void passtime_wgpu_own(struct passtime_wgpu_entry *entry, uint32_t pair,
                       const passtime_recorder *rec)
{
    if (entry->owner != NULL) {
        atomic_store_explicit(&entry->owner[pair], (uintptr_t)rec, memory_order_relaxed);
    }
}

void passtime_wgpu_ride_begin(struct passtime_wgpu *self, uint32_t index)
{
    struct passtime_wgpu_entry *entry = &self->entries[index];
    if (entry->owner == NULL) {
        return;
    }
    for (uint32_t pair = 0; pair < self->max_passes; pair++) {
        atomic_store_explicit(&entry->owner[pair], 0, memory_order_relaxed);
    }
    memset(entry->rode, 0, self->max_passes);
    atomic_store(&entry->ride_count, 0);
    entry->word++;
}

static bool owned(const struct passtime_wgpu_entry *entry, uint32_t pair,
                  const passtime_recorder *rec)
{
    return atomic_load_explicit(&entry->owner[pair], memory_order_relaxed) == (uintptr_t)rec;
}

static void encode_own_runs(struct passtime_wgpu *self, struct passtime_wgpu_entry *entry,
                            const passtime_recorder *rec, WGPUCommandEncoder encoder)
{
    uint32_t cursor = 0;
    for (uint32_t pair = 0; pair < entry->bank.pairs;) {
        struct passtime_run run = {pair, 0};
        while (pair < entry->bank.pairs && owned(entry, pair, rec)) {
            entry->rode[pair] = 1;
            run.pair_count++;
            pair++;
        }
        passtime_wgpu_encode_run(self, &entry->bank, encoder, run, &cursor);
        while (pair < entry->bank.pairs && !owned(entry, pair, rec)) {
            pair++;
        }
    }
}

void passtime_webgpu_ride(passtime_recorder *rec, WGPUCommandEncoder encoder)
{
    struct passtime_wgpu *self = passtime_front_recorder_self(rec, &passtime_wgpu_ops);
    if (self == NULL || encoder == NULL || !(self->gpu.flags & PASSTIME_WEBGPU_RIDE)) {
        return;
    }
    struct passtime_wgpu_entry *entry = &self->entries[passtime_front_recorder_entry(rec)];
    const uint32_t ride = atomic_fetch_add(&entry->ride_count, 1);
    if (ride >= self->max_rides || passtime_wgpu_is_lost(self)) {
        return;
    }
    const uint64_t at = 8 * (uint64_t)ride;
    self->gpu.procs.queue_write_buffer(self->gpu.queue, entry->bank.words, at, &entry->word, 8);
    encode_own_runs(self, entry, rec, encoder);
    self->gpu.procs.command_encoder_copy_buffer_to_buffer(
        encoder, entry->bank.words, at, entry->bank.staging,
        passtime_wgpu_word_offset(&entry->bank) + at, 8);
}

bool passtime_wgpu_ride_missed(const struct passtime_wgpu_entry *entry, const uint8_t *mapped)
{
    const uint32_t rides = atomic_load(&entry->ride_count);
    for (uint32_t ride = 0; ride < rides; ride++) {
        uint64_t word;
        memcpy(&word, mapped + passtime_wgpu_word_offset(&entry->bank) + 8 * (size_t)ride,
               sizeof word);
        if (word != entry->word) {
            return true;
        }
    }
    return false;
}
