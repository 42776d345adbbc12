/* SPDX-License-Identifier: MIT */
/* The CPU backend: the clock is read where a GPU would be asked to stamp. Never shown as
 * GPU time. */
#include <passtime/cpu.h>

#include "core/backend.h"

#include <stdatomic.h>

struct cpu_entry {
    uint64_t *ticks;
    uint64_t submitted_ns;
    _Atomic uint64_t completed_ns; /* 0: not told */
};

struct cpu {
    passtime_desc desc;
    atomic_bool wait;
    struct cpu_entry *entries;
    uint64_t *ticks; /* of all entries */
};

static uint64_t now_ns(const struct cpu *cpu)
{
    return cpu->desc.clock(cpu->desc.clock_user);
}

static void cpu_destroy(void *self)
{
    struct cpu *cpu = self;
    passtime_desc desc = cpu->desc;
    passtime_front_free(&desc, cpu->ticks);
    passtime_front_free(&desc, cpu->entries);
    passtime_front_free(&desc, cpu);
}

static uint32_t cpu_entry_begin(void *self, uint32_t entry, uint32_t wanted,
                                struct passtime_unit *unit)
{
    struct cpu *cpu = self;
    (void)wanted;
    (void)unit;
    atomic_store(&cpu->entries[entry].completed_ns, 0);
    return cpu->desc.max_passes;
}

static bool cpu_mark(void *self, uint32_t entry, uint32_t slot)
{
    struct cpu *cpu = self;
    cpu->entries[entry].ticks[slot] = now_ns(cpu);
    return true;
}

static void cpu_entry_resolve(void *self, uint32_t entry, uint64_t frame_number,
                              const struct passtime_run *runs, uint32_t run_count)
{
    struct cpu *cpu = self;
    (void)frame_number;
    (void)runs;
    (void)run_count;
    cpu->entries[entry].submitted_ns = now_ns(cpu);
}

static void cpu_entry_collect(void *self, uint32_t entry, struct passtime_raw *raw)
{
    struct cpu *cpu = self;
    const struct cpu_entry *e = &cpu->entries[entry];
    uint64_t completed_ns = atomic_load(&e->completed_ns);
    if (completed_ns == 0 && atomic_load(&cpu->wait)) {
        return;
    }
    raw->state = PASSTIME_RAW_READY;
    raw->ticks = e->ticks;
    raw->tick_count = 2 * cpu->desc.max_passes;
    if (completed_ns >= e->submitted_ns) { /* Told earlier, it bounds nothing. */
        raw->seen_ns = completed_ns;
        raw->complete_begin_ns = e->submitted_ns;
        raw->complete_end_ns = completed_ns;
    }
}

static void cpu_entry_end(void *self, uint32_t entry)
{
    (void)self;
    (void)entry;
}

static bool cpu_is_lost(void *self)
{
    (void)self;
    return false;
}

static const struct passtime_backend_ops cpu_ops = {
    .size = sizeof(struct passtime_backend_ops),
    .api = "cpu",
    .destroy = cpu_destroy,
    .entry_begin = cpu_entry_begin,
    .mark = cpu_mark,
    .entry_resolve = cpu_entry_resolve,
    .entry_collect = cpu_entry_collect,
    .entry_release = cpu_entry_end,
    .entry_abandon = cpu_entry_end,
    .is_lost = cpu_is_lost,
};

static bool allocate_arrays(struct cpu *cpu)
{
    size_t entries = cpu->desc.frames_in_flight;
    size_t slots = 2 * (size_t)cpu->desc.max_passes;
    cpu->entries = passtime_front_allocate(&cpu->desc, entries * sizeof(*cpu->entries));
    cpu->ticks = passtime_front_allocate(&cpu->desc, entries * slots * sizeof(*cpu->ticks));
    if (cpu->entries == NULL || cpu->ticks == NULL) {
        return false;
    }
    for (size_t i = 0; i < entries; i++) {
        cpu->entries[i].ticks = &cpu->ticks[i * slots];
    }
    return true;
}

passtime_result passtime_create_cpu(const passtime_desc *desc, passtime **t)
{
    static const struct passtime_traits traits = {
        .source = PASSTIME_CPU_RECORD, .valid_bits = 64, .unit = {1, 1}, .has_envelope = true};
    passtime_desc resolved;
    if (t == NULL) {
        return PASSTIME_INVALID;
    }
    *t = NULL;
    passtime_result result = passtime_front_resolve_desc(desc, 0, &resolved);
    if (result != PASSTIME_OK) {
        return result;
    }
    struct cpu *cpu = passtime_front_allocate(&resolved, sizeof(*cpu));
    if (cpu == NULL) {
        return PASSTIME_NO_MEMORY;
    }
    cpu->desc = resolved;
    result = allocate_arrays(cpu) ? passtime_front_create(&cpu_ops, cpu, &traits, &resolved, t)
                                  : PASSTIME_NO_MEMORY;
    if (result != PASSTIME_OK) {
        cpu_destroy(cpu);
    }
    return result;
}

void passtime_cpu_completed(passtime *t, uint64_t number)
{
    struct cpu *cpu = passtime_front_self(t, &cpu_ops);
    uint32_t entry = cpu != NULL ? passtime_front_frame_entry(t, number) : PASSTIME_NONE;
    if (entry != PASSTIME_NONE) {
        atomic_store(&cpu->entries[entry].completed_ns, now_ns(cpu));
    }
}

void passtime_cpu_wait_for_completion(passtime *t, bool wait)
{
    struct cpu *cpu = passtime_front_self(t, &cpu_ops);
    if (cpu != NULL) {
        atomic_store(&cpu->wait, wait);
    }
}
