/* SPDX-License-Identifier: MIT */
/* What the app may read of a context at any time: series, totals, ledger, clock. */
#include "core/context.h"

uint32_t passtime_series_count(passtime *t)
{
    if (t == NULL) {
        return 0;
    }
    passtime_lock_take(&t->results_lock);
    uint32_t count = t->tree.count;
    passtime_lock_give(&t->results_lock);
    return count;
}

static void copy_text(char *to, const char *from, size_t bytes)
{
    size_t i = 0;
    for (; from[i] != '\0' && i + 1 < bytes; i++) {
        to[i] = from[i];
    }
    to[i] = '\0';
}

static void sum_up(const passtime *t, const struct passtime_series *series, bool stamps,
                   passtime_stats *out)
{
    passtime_series_summary(series, stamps ? passtime_quantum_ns(t) : 1, out);
    if (stamps && passtime_phase_is_locked(&t->phase)) {
        passtime_stats_lock(out);
    }
}

static passtime_result copy_series(passtime *t, uint32_t index, passtime_series_info *out)
{
    if (index >= t->tree.count || !t->tree.nodes[index].used) {
        return PASSTIME_INVALID;
    }
    const struct passtime_node *node = &t->tree.nodes[index];
    uint64_t seen = 0;
    for (uint32_t v = 0; v < PASSTIME_VERDICT_COUNT; v++) {
        seen += node->verdicts[v];
    }
    if (index == PASSTIME_NODE_OTHER && seen == 0) {
        return PASSTIME_INVALID; /* Nothing ever went to "(other)". */
    }
    *out = (passtime_series_info){.size = sizeof(*out),
                                  .kind = node->key.kind,
                                  .parent = node->key.parent,
                                  .source = node->key.source,
                                  .flags = node->flags,
                                  .attributed_ns = node->attributed_ns};
    for (uint32_t v = 0; v < PASSTIME_VERDICT_COUNT; v++) {
        out->verdicts[v] = node->verdicts[v];
    }
    copy_text(out->name, passtime_names_text(&t->names, node->key.name), sizeof(out->name));
    passtime_tree_path(&t->tree, index, out->path, sizeof(out->path));
    sum_up(t, &node->series, node->key.source == PASSTIME_GPU_STAMPS, &out->stats);
    return PASSTIME_OK;
}

passtime_result passtime_series(passtime *t, uint32_t index, passtime_series_info *out)
{
    if (t == NULL || out == NULL) {
        return PASSTIME_INVALID;
    }
    passtime_lock_take(&t->results_lock);
    passtime_result result = copy_series(t, index, out);
    passtime_lock_give(&t->results_lock);
    return result;
}

passtime_result passtime_frame_stats(passtime *t, passtime_total total, passtime_stats *out)
{
    if (t == NULL || out == NULL || (uint32_t)total >= PASSTIME_TOTAL_COUNT) {
        return PASSTIME_INVALID;
    }
    passtime_lock_take(&t->results_lock);
    bool stamps = total != PASSTIME_TOTAL_CPU_SUBMIT && t->traits.source == PASSTIME_GPU_STAMPS;
    sum_up(t, &t->totals[total], stamps, out);
    passtime_lock_give(&t->results_lock);
    return PASSTIME_OK;
}

static uint64_t counted(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Passes of an entry: its pairs, but for those that were put aside for a recorder and are not used.
 */
static uint64_t count_passes(const passtime *t, const struct passtime_entry *e)
{
    uint32_t pairs = atomic_load_explicit(&e->pairs, memory_order_relaxed);
    uint32_t unused = atomic_load_explicit(&e->unused_pairs, memory_order_relaxed);
    for (uint32_t i = 0; i < t->desc.max_recorders; i++) {
        const struct passtime_recorder *rec = &e->recorder_pool[i];
        if (atomic_load_explicit(&rec->state, memory_order_acquire) == PASSTIME_RECORDER_OPEN) {
            uint32_t next = atomic_load_explicit(&rec->next_pair, memory_order_relaxed);
            unused += atomic_load_explicit(&rec->end_pair, memory_order_relaxed) - next;
        }
    }
    return pairs > unused ? pairs - unused : 0;
}

static void count_in_flight(passtime *t, passtime_ledger *out)
{
    uint64_t begun = counted(&t->tally.frames_begun);
    for (uint32_t i = 0; i < t->desc.frames_in_flight; i++) {
        const struct passtime_entry *e = &t->entries[i];
        if (atomic_load_explicit(&e->state, memory_order_acquire) == PASSTIME_ENTRY_FREE) {
            continue;
        }
        out->frames_in_flight++;
        out->passes_in_flight += count_passes(t, e);
        out->entries_quarantined +=
            atomic_load_explicit(&e->state, memory_order_relaxed) == PASSTIME_ENTRY_OPEN &&
            e->quarantine_told;
    }
    out->frames_seen = begun - t->frames_base;
}

passtime_result passtime_get_ledger(passtime *t, passtime_ledger *out)
{
    if (t == NULL || out == NULL) {
        return PASSTIME_INVALID;
    }
    *out = (passtime_ledger){.size = sizeof(*out)};
    passtime_lock_take(&t->results_lock);
    count_in_flight(t, out);
    for (uint32_t f = 0; f < PASSTIME_FATE_COUNT; f++) {
        out->fates[f] = counted(&t->tally.fates[f]) - t->fates_base[f];
    }
    for (uint32_t v = 0; v < PASSTIME_VERDICT_COUNT; v++) {
        out->verdicts[v] = t->verdicts[v];
    }
    out->passes_recorded = t->passes_judged + out->passes_in_flight;
    out->frames_over_budget = t->frames_over_budget;
    out->frames_within_budget = t->frames_within_budget;
    out->frames_budgeted = t->frames_budgeted;
    out->frames_not_taken = t->frames_not_taken;
    out->samples_in_other = t->samples_in_other;
    out->orphan_ends = counted(&t->tally.orphan_ends);
    out->misuses = counted(&t->tally.misuses);
    out->unpumped = counted(&t->tally.unpumped);
    out->skip_run_max = counted(&t->tally.skip_run_max);
    passtime_lock_give(&t->results_lock);
    return PASSTIME_OK;
}

passtime_result passtime_get_clock(passtime *t, passtime_clock_info *out)
{
    if (t == NULL || out == NULL) {
        return PASSTIME_INVALID;
    }
    *out = (passtime_clock_info){.size = sizeof(*out)};
    passtime_lock_take(&t->results_lock);
    struct passtime_unit unit = t->align.started ? t->align.unit : t->traits.unit;
    out->source = t->traits.source;
    out->valid_bits = t->traits.valid_bits;
    out->clock_epoch = t->align.epoch;
    out->tick_ns = unit.den != 0 ? (double)unit.num / (double)unit.den : 0.0;
    out->quantum_ns = t->traits.source == PASSTIME_GPU_STAMPS ? passtime_quantum_ns(t) : 0;
    passtime_align_offset(&t->align, &out->align_offset_ns, &out->align_bound_ns);
    passtime_lock_give(&t->results_lock);
    return PASSTIME_OK;
}

void passtime_reset_stats(passtime *t)
{
    if (t == NULL) {
        return;
    }
    passtime_lock_take(&t->results_lock);
    passtime_tree_reset(&t->tree);
    passtime_phase_init(&t->phase);
    for (uint32_t i = 0; i < PASSTIME_TOTAL_COUNT; i++) {
        passtime_series_init(&t->totals[i]);
    }
    /* Counters that frame_begin adds to meanwhile are not set back: a frame on its way would count
     * on one side only. */
    t->frames_base = 0;
    for (uint32_t f = 0; f < PASSTIME_FATE_COUNT; f++) {
        t->fates_base[f] = counted(&t->tally.fates[f]);
        t->frames_base += t->fates_base[f];
    }
    for (uint32_t v = 0; v < PASSTIME_VERDICT_COUNT; v++) {
        t->verdicts[v] = 0;
    }
    t->passes_judged = 0;
    passtime_budgets_forget(&t->budgets);
    t->frames_over_budget = 0;
    t->frames_within_budget = 0;
    t->frames_budgeted = 0;
    t->frames_not_taken = 0;
    t->samples_in_other = 0;
    atomic_store_explicit(&t->tally.orphan_ends, 0, memory_order_relaxed);
    atomic_store_explicit(&t->tally.misuses, 0, memory_order_relaxed);
    atomic_store_explicit(&t->tally.unpumped, 0, memory_order_relaxed);
    atomic_store_explicit(&t->tally.skip_run_max, 0, memory_order_relaxed);
    passtime_lock_give(&t->results_lock);
}
