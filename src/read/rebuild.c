/* SPDX-License-Identifier: MIT */
/*
 * Statistics made anew from the frames of a capture that has no summary, with the core's own names,
 * series and quantum, and by the rules of the core's account.c.
 */
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

enum { NO_QUANTUM_NS = 1, ALIGNMENT = 16 };

static uint32_t series_for(uint64_t file_bytes)
{
    const uint64_t room = file_bytes / PASSTIME_REBUILD_BYTES;
    if (room < PASSTIME_REBUILD_SERIES_MIN)
        return PASSTIME_REBUILD_SERIES_MIN;
    return room < PASSTIME_REBUILD_SERIES_MAX ? (uint32_t)room : PASSTIME_REBUILD_SERIES_MAX;
}

struct passtime_rebuild *passtime_rebuild_create(uint64_t file_bytes)
{
    const uint32_t max = series_for(file_bytes);
    const size_t names_bytes = (passtime_names_bytes(max) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct passtime_rebuild *rebuild = calloc(1, sizeof *rebuild);
    char *memory = malloc(names_bytes + passtime_tree_bytes(max));
    if (rebuild == NULL || memory == NULL) {
        free(rebuild);
        free(memory);
        return NULL;
    }
    rebuild->memory = memory;
    passtime_names_init(&rebuild->names, memory, max);
    passtime_tree_init(&rebuild->tree, memory + names_bytes, max, &rebuild->names);
    passtime_quantum_init(&rebuild->quantum, 64);
    for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT; i++)
        passtime_series_init(&rebuild->totals[i]);
    rebuild->ledger.size = sizeof rebuild->ledger;
    rebuild->clock.size = sizeof rebuild->clock;
    rebuild->clock.align_bound_ns = UINT64_MAX;
    return rebuild;
}

static uint32_t node_of(struct passtime_rebuild *rebuild, const char *name, uint32_t parent,
                        passtime_series_kind kind, passtime_source source)
{
    struct passtime_names *names = &rebuild->names;
    passtime_id id = passtime_names_find(names, name, strlen(name));
    if (id == 0)
        id = passtime_names_add(names, name, strlen(name), true, 1);
    const struct passtime_node_key key = {parent, id, kind, source};
    const uint32_t found = passtime_tree_find(&rebuild->tree, &key);
    if (found != PASSTIME_NONE)
        return found;
    /* A full tree gives up nothing here: looking for what it might would take long on hostile
     * files. */
    if (rebuild->tree.count == rebuild->tree.max)
        return PASSTIME_NODE_OTHER;
    return passtime_tree_add(&rebuild->tree, key, 1, 1);
}

static bool add_scopes(struct passtime_rebuild *rebuild, const passtime_frame *frame,
                       passtime_source source)
{
    for (uint32_t i = 0; i < frame->scope_count; i++) {
        const passtime_scope *scope = &frame->scopes[i];
        uint32_t *grown = passtime_grown(rebuild->scope_nodes, i, &rebuild->scope_capacity,
                                         sizeof *rebuild->scope_nodes);
        if (grown == NULL)
            return false;
        rebuild->scope_nodes = grown;
        const uint32_t parent =
            scope->parent != PASSTIME_NONE ? grown[scope->parent] : PASSTIME_NONE;
        grown[i] = node_of(rebuild, scope->name, parent, PASSTIME_SERIES_SCOPE, source);
        if (grown[i] == PASSTIME_NODE_OTHER)
            continue;
        struct passtime_series *series = &rebuild->tree.nodes[grown[i]].series;
        if (!scope->complete)
            passtime_series_reject(series);
        else if (scope->sample_count > 0)
            passtime_series_add(series, scope->busy_ns, frame->number);
    }
    return true;
}

/* The node of the pass around a sample is kept in the sample's own place for the frame. */
static uint32_t parent_of(const struct passtime_rebuild *rebuild, const passtime_sample *samples,
                          const passtime_sample *sample)
{
    if (sample->parent != PASSTIME_NONE)
        return samples[sample->parent].series;
    return sample->scope != PASSTIME_NONE ? rebuild->scope_nodes[sample->scope] : PASSTIME_NONE;
}

static void add_sample(struct passtime_rebuild *rebuild, const passtime_frame *frame,
                       passtime_sample *samples, uint32_t index)
{
    passtime_sample *sample = &samples[index];
    const uint32_t found = node_of(rebuild, sample->name, parent_of(rebuild, samples, sample),
                                   PASSTIME_SERIES_PASS, sample->source);
    struct passtime_node *node = &rebuild->tree.nodes[found];
    sample->series = found;
    node->verdicts[sample->verdict]++;
    rebuild->ledger.verdicts[sample->verdict]++;
    rebuild->ledger.samples_in_other += found == PASSTIME_NODE_OTHER ? 1 : 0;
    if (!passtime_is_good(sample->verdict)) {
        passtime_series_reject(&node->series);
        return;
    }
    node->flags |= sample->flags & ~(uint32_t)PASSTIME_FLAG_BUDGET_OVER;
    passtime_series_add(&node->series, sample->duration_ns, frame->number);
    if (frame->fate == PASSTIME_FRAME_COMPLETE)
        node->attributed_ns += sample->attributed_ns;
    if (sample->source == PASSTIME_GPU_STAMPS && (sample->flags & PASSTIME_FLAG_NO_POSITION) == 0) {
        (void)passtime_quantum_add(&rebuild->quantum, sample->begin_ns);
        (void)passtime_quantum_add(&rebuild->quantum, sample->end_ns);
    }
}

static void add_totals(struct passtime_rebuild *rebuild, const passtime_frame *frame,
                       passtime_source source)
{
    struct passtime_series *totals = rebuild->totals;
    if (frame->fate == PASSTIME_FRAME_COMPLETE && passtime_is_gpu_time(source)) {
        passtime_series_add(&totals[PASSTIME_TOTAL_BUSY], frame->busy_ns, frame->number);
        passtime_series_add(&totals[PASSTIME_TOTAL_SUM], frame->sum_ns, frame->number);
        if (frame->has_span)
            passtime_series_add(&totals[PASSTIME_TOTAL_SPAN], frame->span_ns, frame->number);
    }
    if (frame->cpu_begin_ns != 0)
        passtime_series_add(&totals[PASSTIME_TOTAL_CPU_SUBMIT], frame->cpu_submit_ns,
                            frame->number);
}

static void add_ledger(struct passtime_rebuild *rebuild, const passtime_frame *frame)
{
    passtime_ledger *ledger = &rebuild->ledger;
    ledger->frames_seen++;
    ledger->fates[frame->fate]++;
    ledger->passes_recorded += (uint64_t)frame->sample_count + frame->passes_without_slot;
    ledger->verdicts[PASSTIME_NO_SLOT] += frame->passes_without_slot;
    ledger->frames_budgeted += frame->fate <= PASSTIME_FRAME_NO_DATA;
    ledger->frames_over_budget += frame->over_budget ? 1 : 0;
    ledger->frames_within_budget += frame->fate == PASSTIME_FRAME_COMPLETE && !frame->over_budget &&
                                    frame->sample_count > 0 &&
                                    passtime_is_gpu_time(frame->samples[0].source);
}

bool passtime_rebuild_frame(struct passtime_rebuild *rebuild, const passtime_frame *frame,
                            passtime_sample *samples)
{
    /* A frame's passes are measured in one way, but for the submission that CPU fallbacks add. */
    const passtime_source source =
        frame->sample_count > 0 ? samples[0].source : rebuild->clock.source;
    rebuild->clock.source = source;
    rebuild->clock.clock_epoch = frame->clock_epoch;
    rebuild->clock.align_offset_ns = frame->align_offset_ns;
    rebuild->clock.align_bound_ns = frame->align_bound_ns;
    if (!add_scopes(rebuild, frame, source))
        return false;
    for (uint32_t i = 0; i < frame->sample_count; i++)
        add_sample(rebuild, frame, samples, i);
    for (uint32_t i = 0; i < frame->sample_count; i++)
        samples[i].series = PASSTIME_NONE;
    add_ledger(rebuild, frame);
    add_totals(rebuild, frame, source);
    return true;
}

static void fill_series(const struct passtime_rebuild *rebuild, uint32_t index, uint64_t quantum_ns,
                        passtime_series_info *info)
{
    const struct passtime_node *node = &rebuild->tree.nodes[index];
    memset(info, 0, sizeof *info);
    info->size = sizeof *info;
    info->kind = node->key.kind;
    info->parent = node->key.parent;
    info->source = node->key.source;
    info->flags = node->flags;
    info->attributed_ns = node->attributed_ns;
    memcpy(info->verdicts, node->verdicts, sizeof info->verdicts);
    (void)passtime_names_clean(passtime_names_text(&rebuild->names, node->key.name),
                               strlen(passtime_names_text(&rebuild->names, node->key.name)),
                               info->name);
    passtime_tree_path(&rebuild->tree, index, info->path, sizeof info->path);
    passtime_series_summary(&node->series,
                            node->key.source == PASSTIME_GPU_STAMPS ? quantum_ns : NO_QUANTUM_NS,
                            &info->stats);
}

/* "(other)" is series 0 and is left out while nothing went there: indices shift by one then. */
static void fill_all(const struct passtime_rebuild *rebuild, uint64_t quantum_ns,
                     struct passtime_snapshot *out)
{
    const uint32_t first = rebuild->ledger.samples_in_other > 0 ? 0 : 1;
    for (uint32_t i = first; i < rebuild->tree.count; i++) {
        passtime_series_info *info = &out->series[out->series_count++];
        fill_series(rebuild, i, quantum_ns, info);
        if (info->parent != PASSTIME_NONE)
            info->parent = info->parent >= first ? info->parent - first : PASSTIME_NONE;
    }
}

bool passtime_rebuild_snapshot(const struct passtime_rebuild *rebuild,
                               struct passtime_snapshot *out)
{
    const uint64_t quantum_ns = passtime_quantum_ticks(&rebuild->quantum);
    const bool stamps = rebuild->clock.source == PASSTIME_GPU_STAMPS;
    out->series = calloc(rebuild->tree.count, sizeof *out->series);
    if (out->series == NULL)
        return false;
    fill_all(rebuild, quantum_ns, out);
    for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT; i++)
        passtime_series_summary(
            &rebuild->totals[i],
            stamps && i != PASSTIME_TOTAL_CPU_SUBMIT ? quantum_ns : NO_QUANTUM_NS, &out->totals[i]);
    out->ledger = rebuild->ledger;
    out->clock = rebuild->clock;
    out->clock.quantum_ns = stamps ? quantum_ns : 0;
    return true;
}

void passtime_rebuild_destroy(struct passtime_rebuild *rebuild)
{
    if (rebuild == NULL)
        return;
    free(rebuild->memory);
    free(rebuild->scope_nodes);
    free(rebuild);
}
