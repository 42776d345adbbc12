/* SPDX-License-Identifier: MIT */
/* Enters judged frames into series, totals and ledger. Only what was judged gets here. */
#include "core/context.h"

#include "core/judge.h"

enum { SAMPLES_AHEAD = 4 };

static uint32_t find_node(passtime *t, uint64_t seq, const struct passtime_node_key *key)
{
    uint32_t found = passtime_tree_find(&t->tree, key);
    if (found != PASSTIME_NONE) {
        return found;
    }
    uint64_t held = passtime_output_oldest_seq(t);
    passtime_lock_take(&t->names_lock);
    found = passtime_tree_add(&t->tree, *key, seq, held < seq ? held : seq);
    passtime_lock_give(&t->names_lock);
    return found;
}

/* The series of a key, through a guess that nearly always holds. */
static inline uint32_t node_of(passtime *t, uint64_t seq, const struct passtime_node_key *key,
                               uint32_t guess)
{
    if (guess < t->tree.count && passtime_node_is(&t->tree.nodes[guess], key)) {
        return guess;
    }
    return find_node(t, seq, key);
}

static void account_scopes(passtime *t, const struct passtime_entry *e,
                           struct passtime_output *output)
{
    for (uint32_t i = 0; i < output->frame.scope_count; i++) {
        passtime_scope *scope = &output->scopes[i];
        struct passtime_node_key key = {.parent = scope->parent != PASSTIME_NONE
                                                      ? t->scope_nodes[scope->parent]
                                                      : PASSTIME_NONE,
                                        .name = e->scope_records[i].name,
                                        .kind = PASSTIME_SERIES_SCOPE,
                                        .source = t->traits.source};
        uint32_t index = node_of(t, output->seq, &key, PASSTIME_NONE);
        struct passtime_node *node = &t->tree.nodes[index];
        t->scope_nodes[i] = index;
        scope->series = index;
        node->last_seq = output->seq;
        if (index == PASSTIME_NODE_OTHER) {
            continue; /* Busy times of scopes and durations of passes do not mix. */
        }
        if (scope->complete && scope->sample_count > 0) {
            passtime_series_add(&node->series, scope->busy_ns, output->frame.number);
        } else if (!scope->complete) {
            passtime_series_reject(&node->series);
        }
    }
}

/* What is asked for with every sample, looked up once a frame. */
struct books {
    passtime_sample *samples;
    const struct passtime_pass *passes;
    uint32_t *guesses; /* the series that the sample of each index fell into the last time */
    uint64_t seq;
    uint64_t number;
    bool complete;
};

static inline struct passtime_node_key key_of(const passtime *t, const struct books *b,
                                              uint32_t index)
{
    const passtime_sample *sample = &b->samples[index];
    struct passtime_node_key key = {.parent = PASSTIME_NONE,
                                    .name = b->passes[index].name,
                                    .kind = PASSTIME_SERIES_PASS,
                                    .source = sample->source};
    if (sample->source == PASSTIME_CPU_COMPLETE) {
        key.name = t->submission_name;
    }
    if (sample->parent != PASSTIME_NONE) {
        key.parent = b->samples[sample->parent].series;
    } else if (sample->scope != PASSTIME_NONE) {
        key.parent = t->scope_nodes[sample->scope];
    }
    return key;
}

static void account_other(passtime *t, passtime_sample *sample)
{
    sample->flags |= PASSTIME_FLAG_OTHER;
    t->samples_in_other++;
}

static inline void account_sample(passtime *t, const struct books *b, uint32_t index)
{
    passtime_sample *sample = &b->samples[index];
    struct passtime_node_key key = key_of(t, b, index);
    uint32_t found = node_of(t, b->seq, &key, b->guesses[index]);
    struct passtime_node *node = &t->tree.nodes[found];
    b->guesses[index] = found;
    sample->series = found;
    node->last_seq = b->seq;
    node->verdicts[sample->verdict]++;
    t->verdicts[sample->verdict]++;
    if (found == PASSTIME_NODE_OTHER) {
        account_other(t, sample);
    }
    if (passtime_verdict_counts(sample->verdict)) {
        node->flags |= sample->flags;
        node->attributed_ns += b->complete ? sample->attributed_ns : 0;
        passtime_series_add(&node->series, sample->duration_ns, b->number);
    } else {
        passtime_series_reject(&node->series);
    }
}

static void account_totals(passtime *t, const passtime_frame *frame)
{
    if (frame->fate == PASSTIME_FRAME_COMPLETE && passtime_is_gpu_time(t->traits.source)) {
        passtime_series_add(&t->totals[PASSTIME_TOTAL_BUSY], frame->busy_ns, frame->number);
        passtime_series_add(&t->totals[PASSTIME_TOTAL_SUM], frame->sum_ns, frame->number);
        if (frame->has_span) {
            passtime_series_add(&t->totals[PASSTIME_TOTAL_SPAN], frame->span_ns, frame->number);
        }
    }
    if (t->traits.has_envelope) {
        passtime_series_add(&t->totals[PASSTIME_TOTAL_CPU_SUBMIT], frame->cpu_submit_ns,
                            frame->number);
    }
}

/* The series of a frame take more memory than the nearest cache holds: their lines are asked for a
 * few samples ahead. */
static inline void look_ahead(const passtime *t, const struct books *b, uint32_t index)
{
    uint32_t guess = b->guesses[index] < t->tree.count ? b->guesses[index] : PASSTIME_NODE_OTHER;
    const struct passtime_node *node = &t->tree.nodes[guess];
    __builtin_prefetch(node, 1);
    __builtin_prefetch(&node->series, 1);
    __builtin_prefetch(&node->series.window[node->series.count % PASSTIME_SERIES_WINDOW], 1);
}

/* Frames from before a budget was set are held against none: another budget begins anew. */
static void account_budget(passtime *t, const passtime_frame *frame)
{
    const uint64_t budget_ns = atomic_load_explicit(&t->budget_ns, memory_order_relaxed);
    if (budget_ns != t->counted_budget_ns) {
        t->counted_budget_ns = budget_ns;
        t->frames_budgeted = t->frames_over_budget = t->frames_within_budget = 0;
    }
    if (budget_ns != 0 && frame->fate <= PASSTIME_FRAME_NO_DATA &&
        passtime_is_gpu_time(t->traits.source)) {
        t->frames_budgeted++;
        t->frames_over_budget += frame->over_budget;
        t->frames_within_budget += frame->fate == PASSTIME_FRAME_COMPLETE && !frame->over_budget;
    }
}

void passtime_account(passtime *t, struct passtime_entry *e, struct passtime_output *output)
{
    const passtime_frame *frame = &output->frame;
    account_scopes(t, e, output);
    const struct books books = {.samples = output->samples,
                                .passes = e->passes,
                                .guesses = e->pass_nodes,
                                .seq = output->seq,
                                .number = frame->number,
                                .complete = frame->fate == PASSTIME_FRAME_COMPLETE};
    const uint32_t count = frame->sample_count;
    const uint32_t unused = atomic_load_explicit(&e->unused_pairs, memory_order_relaxed);
    for (uint32_t i = 0; i < count; i++) {
        if (i + SAMPLES_AHEAD < count) {
            look_ahead(t, &books, i + SAMPLES_AHEAD);
        }
        if (unused == 0 || (uint32_t)output->samples[i].verdict != PASSTIME_NO_PASS) {
            account_sample(t, &books, i);
        }
    }
    t->passes_judged += frame->sample_count - unused + frame->passes_without_slot;
    t->verdicts[PASSTIME_NO_SLOT] += frame->passes_without_slot;
    account_budget(t, frame);
    atomic_fetch_add_explicit(&t->tally.fates[frame->fate], 1, memory_order_relaxed);
    account_totals(t, frame);
}
