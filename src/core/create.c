/* SPDX-License-Identifier: MIT */
/* Making and ending a context: defaults in one place, and all of its memory in one piece. */
#include "core/context.h"

#include "core/counts.h"
#include "core/ticks.h"

enum {
    DEFAULT_PASSES = 128,
    MAX_PASSES = 65536,
    DEFAULT_SCOPES = 32,
    DEFAULT_RECORDERS = 8,
    MAX_RECORDERS = 256,
    DEFAULT_FRAMES = 4,
    MAX_FRAMES = 64,
    NAMES_BESIDE_PASSES = 16,
    MAX_NAMES = 1 << 18,
    LIMIT = 1 << 20,
    DEFAULT_TIMEOUT_S = 10
};

static void *default_allocate(void *user, size_t bytes)
{
    (void)user;
    return passtime_port_allocate(bytes);
}

static void default_release(void *user, void *memory)
{
    (void)user;
    passtime_port_free(memory);
}

static uint64_t default_clock(void *user)
{
    (void)user;
    return passtime_port_now_ns();
}

static void default_log(void *user, passtime_log_item item, const char *message)
{
    (void)user;
    (void)item;
    (void)message;
}

static uint32_t value_or(uint32_t value, uint32_t fallback)
{
    return value != 0 ? value : fallback;
}

static bool in_range(const passtime_desc *d)
{
    return d->max_passes <= MAX_PASSES && d->max_scopes <= LIMIT &&
           d->max_recorders <= MAX_RECORDERS && d->max_names >= 2 && d->max_names <= MAX_NAMES &&
           d->frames_in_flight <= MAX_FRAMES && d->output_frames <= LIMIT && d->reserved == 0 &&
           (d->flags & ~(uint32_t)(PASSTIME_CPU_STAMPS | PASSTIME_START_DISABLED)) == 0 &&
           (d->allocator.allocate == NULL) == (d->allocator.release == NULL);
}

passtime_result passtime_front_resolve_desc(const passtime_desc *desc, uint32_t default_frames,
                                            passtime_desc *out)
{
    *out = (passtime_desc){.size = sizeof(*out)};
    if (desc != NULL) {
        if (desc->size != sizeof(*desc)) {
            return PASSTIME_INVALID;
        }
        *out = *desc;
    }
    out->max_passes = value_or(out->max_passes, DEFAULT_PASSES);
    out->max_scopes = value_or(out->max_scopes, DEFAULT_SCOPES);
    out->max_recorders = value_or(out->max_recorders, DEFAULT_RECORDERS);
    out->max_names = value_or(out->max_names, out->max_passes + NAMES_BESIDE_PASSES);
    out->frames_in_flight =
        value_or(out->frames_in_flight, value_or(default_frames, DEFAULT_FRAMES));
    out->output_frames = value_or(out->output_frames, 2 * out->frames_in_flight);
    out->every = value_or(out->every, 1);
    out->timeout_ns = out->timeout_ns != 0 ? out->timeout_ns : DEFAULT_TIMEOUT_S * 1000000000ull;
    if (out->allocator.allocate == NULL && out->allocator.release == NULL) {
        out->allocator = (passtime_allocator){default_allocate, default_release, NULL};
    }
    out->clock = out->clock != NULL ? out->clock : default_clock;
    out->log = out->log != NULL ? out->log : default_log;
    if (out->seed == 0) {
        out->seed = out->clock(out->clock_user) | 1u;
    }
    return in_range(out) ? PASSTIME_OK : PASSTIME_INVALID;
}

void *passtime_front_allocate(const passtime_desc *resolved, size_t bytes)
{
    unsigned char *memory = resolved->allocator.allocate(resolved->allocator.user, bytes);
    for (size_t i = 0; memory != NULL && i < bytes; i++) {
        memory[i] = 0;
    }
    return memory;
}

void passtime_front_free(const passtime_desc *resolved, void *memory)
{
    if (memory != NULL) {
        resolved->allocator.release(resolved->allocator.user, memory);
    }
}

/* Hands out parts of one block; with a NULL base it only adds up what is needed. */
struct arena {
    unsigned char *base;
    size_t used_bytes;
    bool too_large; /* more than a size_t counts */
};

static void *take(struct arena *arena, size_t count, size_t bytes)
{
    size_t at = (arena->used_bytes + 15u) & ~(size_t)15u;
    if (arena->too_large || at < arena->used_bytes || count > (SIZE_MAX - at) / bytes) {
        arena->too_large = true;
        return NULL;
    }
    arena->used_bytes = at + count * bytes;
    return arena->base != NULL ? arena->base + at : NULL;
}

static void lay_out_entry(struct arena *arena, const passtime_desc *d, bool cpu_pairs,
                          struct passtime_entry *e)
{
    e->passes = take(arena, d->max_passes, sizeof(*e->passes));
    e->cpu_pairs = cpu_pairs ? take(arena, d->max_passes, sizeof(*e->cpu_pairs)) : NULL;
    e->scope_records = take(arena, d->max_scopes, sizeof(*e->scope_records));
    e->recorder_pool = take(arena, d->max_recorders, sizeof(*e->recorder_pool));
    e->last_ticks = take(arena, 2 * (size_t)d->max_passes, sizeof(*e->last_ticks));
    e->pass_nodes = take(arena, (size_t)d->max_passes + 1, sizeof(*e->pass_nodes));
}

static void lay_out_outputs(struct arena *arena, const passtime_desc *d, struct passtime_outputs *o)
{
    size_t slots = (size_t)d->output_frames + 2;
    o->slots = take(arena, slots, sizeof(*o->slots));
    o->queue = take(arena, d->output_frames, sizeof(*o->queue));
    o->spare = take(arena, slots, sizeof(*o->spare));
    for (size_t i = 0; i < slots; i++) {
        passtime_sample *samples = take(arena, (size_t)d->max_passes + 1, sizeof(*samples));
        passtime_scope *scopes = take(arena, d->max_scopes, sizeof(*scopes));
        if (arena->base != NULL) {
            o->slots[i].samples = samples;
            o->slots[i].scopes = scopes;
            o->spare[i] = (uint32_t)i;
        }
    }
    o->spare_count = (uint32_t)slots;
    o->held = PASSTIME_NONE;
}

/* Memory that others lay out themselves. */
struct blocks {
    void *names;
    void *tree;
    void *scratch;
};

static passtime *lay_out(struct arena *arena, const passtime_desc *d, struct blocks *blocks)
{
    bool cpu_pairs = (d->flags & PASSTIME_CPU_STAMPS) != 0;
    struct passtime *t = take(arena, 1, sizeof(*t));
    struct passtime counting;
    struct passtime *to = arena->base != NULL ? t : &counting;
    to->entries = take(arena, d->frames_in_flight, sizeof(*to->entries));
    for (uint32_t i = 0; i < d->frames_in_flight; i++) {
        struct passtime_entry dummy;
        lay_out_entry(arena, d, cpu_pairs, arena->base != NULL ? &to->entries[i] : &dummy);
    }
    lay_out_outputs(arena, d, &to->outputs);
    to->runs = take(arena, (size_t)d->max_passes / 2 + 1, sizeof(*to->runs));
    to->stamps = take(arena, (size_t)d->max_passes + 1, sizeof(*to->stamps));
    to->stamp_samples = take(arena, (size_t)d->max_passes + 1, sizeof(*to->stamp_samples));
    to->scope_nodes = take(arena, d->max_scopes, sizeof(*to->scope_nodes));
    blocks->names = take(arena, passtime_names_bytes(d->max_names + 1), 1);
    blocks->tree = take(arena, passtime_tree_bytes(d->max_names + 1), 1);
    blocks->scratch =
        take(arena, passtime_frame_scratch_bytes(d->max_passes + 1, d->max_scopes), 1);
    return t;
}

static void init_entries(passtime *t)
{
    for (uint32_t i = 0; i < t->desc.frames_in_flight; i++) {
        struct passtime_entry *e = &t->entries[i];
        e->index = i;
        for (uint32_t r = 0; r < t->desc.max_recorders; r++) {
            e->recorder_pool[r].t = t;
            e->recorder_pool[r].entry = e;
            e->recorder_pool[r].index = r;
        }
        for (uint32_t p = 0; p <= t->desc.max_passes; p++) {
            e->pass_nodes[p] = PASSTIME_NONE;
        }
    }
}

static void init_context(passtime *t, const struct blocks *blocks)
{
    t->random_state = t->desc.seed;
    t->unit = t->traits.unit;
    atomic_store(&t->enabled, (t->desc.flags & PASSTIME_START_DISABLED) == 0);
    atomic_store(&t->every, t->desc.every);
    atomic_store(&t->budget_ns, t->desc.budget_ns);
    init_entries(t);
    passtime_names_init(&t->names, blocks->names, t->desc.max_names + 1);
    passtime_tree_init(&t->tree, blocks->tree, t->desc.max_names + 1, &t->names);
    passtime_frame_scratch_init(&t->scratch, blocks->scratch, t->desc.max_passes + 1,
                                t->desc.max_scopes);
    for (uint32_t i = 0; i < PASSTIME_TOTAL_COUNT; i++) {
        passtime_series_init(&t->totals[i]);
    }
    passtime_budgets_init(&t->budgets);
    passtime_quantum_init(&t->quantum, t->traits.valid_bits);
    passtime_align_init(&t->align, t->traits.valid_bits, t->traits.has_envelope);
    t->align.unit = t->traits.unit;
    if (!passtime_is_gpu_time(t->traits.source)) {
        static const char name[] = "(submission)";
        t->submission_name = passtime_names_add(&t->names, name, sizeof(name) - 1, true, 0);
    }
}

static bool init_locks(passtime *t)
{
    struct passtime_lock *locks[] = {&t->collect_lock, &t->results_lock, &t->names_lock};
    const size_t count = sizeof locks / sizeof locks[0];
    for (size_t made = 0; made < count; made++) {
        if (!passtime_lock_init(locks[made])) {
            while (made > 0) {
                passtime_lock_finish(locks[--made]);
            }
            return false;
        }
    }
    return true;
}

passtime_result passtime_front_create(const struct passtime_backend_ops *ops, void *self,
                                      const struct passtime_traits *traits,
                                      const passtime_desc *resolved, passtime **t)
{
    *t = NULL;
    struct blocks blocks;
    struct arena arena = {NULL, 0, false};
    (void)lay_out(&arena, resolved, &blocks);
    arena.base = arena.too_large ? NULL : passtime_front_allocate(resolved, arena.used_bytes);
    if (arena.base == NULL) {
        return PASSTIME_NO_MEMORY;
    }
    size_t bytes = arena.used_bytes;
    arena.used_bytes = 0;
    passtime *made = lay_out(&arena, resolved, &blocks);
    made->desc = *resolved;
    made->ops = ops;
    made->self = self;
    made->traits = *traits;
    made->memory_bytes = bytes;
    if (!init_locks(made)) {
        passtime_front_free(resolved, made);
        return PASSTIME_NO_MEMORY;
    }
    init_context(made, &blocks);
    *t = made;
    return PASSTIME_OK;
}

void passtime_destroy(passtime **t)
{
    if (t == NULL || *t == NULL) {
        return;
    }
    passtime *ended = *t;
    *t = NULL;
    ended->ops->destroy(ended->self);
    passtime_counts_finish(ended);
    passtime_lock_finish(&ended->collect_lock);
    passtime_lock_finish(&ended->results_lock);
    passtime_lock_finish(&ended->names_lock);
    passtime_desc desc = ended->desc;
    passtime_front_free(&desc, ended);
}

passtime_result passtime_get_desc(const passtime *t, passtime_desc *out)
{
    if (t == NULL || out == NULL) {
        return PASSTIME_INVALID;
    }
    *out = t->desc;
    out->every = atomic_load_explicit(&t->every, memory_order_relaxed);
    out->budget_ns = atomic_load_explicit(&t->budget_ns, memory_order_relaxed);
    return PASSTIME_OK;
}

size_t passtime_memory_bytes(const passtime *t)
{
    return t != NULL ? t->memory_bytes : 0;
}

void *passtime_front_self(passtime *t, const struct passtime_backend_ops *ops)
{
    return t != NULL && t->ops == ops ? t->self : NULL;
}

void *passtime_front_recorder_self(const passtime_recorder *rec,
                                   const struct passtime_backend_ops *ops)
{
    return rec != NULL ? passtime_front_self(rec->t, ops) : NULL;
}

uint64_t passtime_front_now(const passtime *t)
{
    return t->desc.clock(t->desc.clock_user);
}

void passtime_front_log(passtime *t, passtime_log_item item, const char *message)
{
    uint32_t said = atomic_fetch_add_explicit(&t->tally.said[item], 1, memory_order_relaxed) + 1;
    if ((said & (said - 1)) == 0) {
        t->desc.log(t->desc.log_user, item, message);
    }
}

void passtime_front_log_early(const passtime_desc *resolved, passtime_log_item item,
                              const char *message)
{
    resolved->log(resolved->log_user, item, message);
}

void passtime_front_count_unpumped(passtime *t)
{
    atomic_fetch_add_explicit(&t->tally.unpumped, 1, memory_order_relaxed);
    passtime_front_log(
        t, PASSTIME_LOG_NO_EVENTS,
        "Results are overdue and no event was processed: call wgpuInstanceProcessEvents() each "
        "frame, or let Passtime do it.");
}
