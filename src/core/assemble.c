/* SPDX-License-Identifier: MIT */
/* Turns what was recorded and what came back into one judged frame. */
#include "core/context.h"

#include "core/counts.h"
#include "core/judge.h"
#include "core/plain.h"
#include "core/ticks.h"

/* Until the quantum is known, stamps are taken to be as coarse as the coarsest seen in the field.
 */
enum { ASSUMED_QUANTUM_NS = 65536 };

uint64_t passtime_quantum_ns(const passtime *t)
{
    uint64_t ns = 0;
    uint64_t ticks = passtime_quantum_ticks(&t->quantum);
    return ticks != 0 && passtime_ticks_to_ns(ticks, t->align.unit, &ns) ? ns : 0;
}

/* What its recording alone says about a pass; GOOD: it was handed to the GPU. */
static inline passtime_verdict judge_recording(const struct passtime_entry *e,
                                               const struct passtime_pass *pass)
{
    uint32_t how =
        atomic_load_explicit(&e->recorder_pool[pass->recorder].state, memory_order_relaxed);
    if (how == PASSTIME_RECORDER_DISCARDED) {
        return PASSTIME_DISCARDED;
    }
    if (how != PASSTIME_RECORDER_SUBMITTED) {
        return PASSTIME_NOT_SUBMITTED;
    }
    if (pass->state == PASSTIME_PASS_REFUSED) {
        return PASSTIME_REFUSED;
    }
    return pass->state == PASSTIME_PASS_DONE ? PASSTIME_GOOD : PASSTIME_UNFINISHED;
}

static uint64_t stale_quantum_ns(const passtime *t)
{
    uint64_t quantum_ns = passtime_quantum_ns(t);
    return quantum_ns != 0 ? quantum_ns : ASSUMED_QUANTUM_NS;
}

static struct passtime_envelope envelope_of(const struct passtime_entry *e, uint32_t pair,
                                            uint64_t seen_ns)
{
    uint64_t begin_ns = e->cpu_pairs != NULL ? e->cpu_pairs[pair].begin_ns : e->cpu_begin_ns;
    return (struct passtime_envelope){begin_ns, seen_ns};
}

static uint64_t length_of(const passtime *t, struct passtime_envelope envelope)
{
    if (!t->traits.has_envelope) {
        return UINT64_MAX;
    }
    return envelope.seen_ns > envelope.begin_ns ? envelope.seen_ns - envelope.begin_ns : 0;
}

/* Were both stamps new when they were read? Else they may come yet, unseen, and look fresh in the
 * slot's next life. */
static bool is_written_out(const struct passtime_evidence *evidence, passtime_verdict verdict)
{
    return passtime_verdict_counts(verdict) || verdict == PASSTIME_ABOVE_CEILING ||
           ((verdict == PASSTIME_BACKWARD || verdict == PASSTIME_AMBIGUOUS) && !evidence->unseen);
}

/* Fills in what one pair's ticks say. */
static void judge_pair(passtime *t, struct passtime_entry *e, const struct passtime_raw *raw,
                       struct passtime_evidence *evidence, uint32_t pair, passtime_sample *sample)
{
    uint64_t *last = &e->last_ticks[2 * (size_t)pair];
    if (2 * pair + 1 >= raw->tick_count) {
        sample->verdict = PASSTIME_NOT_EXECUTED;
        last[0] = last[1] = PASSTIME_UNSEEN;
        return;
    }
    uint64_t mask = passtime_ticks_mask(t->traits.valid_bits);
    evidence->begin_ticks = raw->ticks[2 * (size_t)pair] & mask;
    evidence->end_ticks = raw->ticks[2 * (size_t)pair + 1] & mask;
    evidence->begin_available = raw->available == NULL || raw->available[2 * (size_t)pair] != 0;
    evidence->end_available = raw->available == NULL || raw->available[2 * (size_t)pair + 1] != 0;
    evidence->last_begin_ticks =
        raw->baseline != NULL ? raw->baseline[2 * (size_t)pair] & mask : last[0];
    evidence->last_end_ticks =
        raw->baseline != NULL ? raw->baseline[2 * (size_t)pair + 1] & mask : last[1];
    evidence->unseen =
        evidence->zero_means_unwritten && raw->baseline == NULL && last[0] == PASSTIME_UNSEEN;
    sample->verdict = passtime_judge(evidence, &sample->duration_ns);
    bool known = is_written_out(evidence, sample->verdict);
    last[0] = known ? evidence->begin_ticks : PASSTIME_UNSEEN;
    last[1] = known ? evidence->end_ticks : PASSTIME_UNSEEN;
}

/* Remembers a good pair to be placed on the time line. */
static void note_stamp(passtime *t, const struct passtime_evidence *evidence,
                       struct passtime_envelope envelope, const passtime_sample *sample,
                       uint32_t index, uint32_t *count)
{
    t->stamps[*count] = (struct passtime_stamp){.begin_ticks = evidence->begin_ticks,
                                                .duration_ns = sample->duration_ns,
                                                .envelope = envelope,
                                                .unproven = evidence->unseen};
    t->stamp_samples[(*count)++] = index;
    if (evidence->unseen) {
        return;
    }
    (void)passtime_quantum_add(&t->quantum, evidence->begin_ticks);
    (void)passtime_quantum_add(&t->quantum, evidence->end_ticks);
}

static uint32_t frame_flags(const passtime *t, const struct passtime_raw *raw)
{
    bool unverified = t->traits.boundary_unverified || raw->boundary_unverified;
    return (unverified ? PASSTIME_FLAG_BOUNDARY_UNVERIFIED : 0u) |
           (t->unit_doubtful ? PASSTIME_FLAG_UNIT_DOUBTFUL : 0u);
}

/* What holds for all samples of a frame. */
struct common {
    const struct passtime_raw *raw;
    passtime_verdict entry_verdict;
    uint32_t flags;
    uint64_t seen_ns;
    struct passtime_evidence evidence;
};

/* Field by field, as compilers clear a structure of this size at once, at many times the cost. What
 * is of one pair alone is filled in for that pair. */
static void look_at_frame(const passtime *t, const struct passtime_entry *e,
                          const struct passtime_raw *raw, passtime_verdict entry_verdict,
                          uint64_t seen_ns, struct common *c)
{
    const bool by_value = t->traits.zero_means_unwritten && raw->available == NULL;
    const uint64_t quantum_ns = stale_quantum_ns(t);
    struct passtime_evidence *evidence = &c->evidence;
    c->raw = raw;
    c->entry_verdict = entry_verdict;
    c->flags = frame_flags(t, raw) | (raw->durations ? PASSTIME_FLAG_NO_POSITION : 0u);
    c->seen_ns = seen_ns;
    evidence->duration_only = raw->durations;
    evidence->zero_means_unwritten = by_value;
    evidence->stale_rule = by_value && (raw->baseline != NULL || e->reuse_ns >= 2 * quantum_ns);
    evidence->valid_bits = t->traits.valid_bits;
    evidence->unit = e->unit;
    evidence->envelope_ns = length_of(t, (struct passtime_envelope){e->cpu_begin_ns, seen_ns});
    evidence->quantum_ns = quantum_ns;
    evidence->ceiling_ns = t->desc.ceiling_ns;
}

/* Returns how many stamps there are to be placed then. */
static uint32_t judge_pair_in_full(passtime *t, struct passtime_entry *e, struct common *c,
                                   uint32_t pair, passtime_sample *sample, uint32_t stamps)
{
    if (e->cpu_pairs != NULL && (t->desc.flags & PASSTIME_CPU_STAMPS) != 0) {
        sample->cpu_begin_ns = e->cpu_pairs[pair].begin_ns;
        sample->cpu_end_ns = e->cpu_pairs[pair].end_ns;
    }
    if (e->passes[pair].state == PASSTIME_PASS_NONE) {
        sample->verdict = (passtime_verdict)PASSTIME_NO_PASS;
        return stamps;
    }
    sample->verdict = judge_recording(e, &e->passes[pair]);
    if (sample->verdict == PASSTIME_UNFINISHED) {
        e->last_ticks[2 * (size_t)pair] =
            PASSTIME_UNSEEN; /* Its begin was stamped and is not read. */
    }
    if (sample->verdict != PASSTIME_GOOD) {
        return stamps;
    }
    if (c->entry_verdict != PASSTIME_GOOD || pair < c->raw->disjoint_pairs) {
        sample->verdict = c->entry_verdict != PASSTIME_GOOD ? c->entry_verdict : PASSTIME_DISJOINT;
        e->last_ticks[2 * (size_t)pair] = PASSTIME_UNSEEN;
        return stamps;
    }
    struct passtime_envelope envelope = envelope_of(e, pair, c->seen_ns);
    c->evidence.envelope_ns = length_of(t, envelope);
    judge_pair(t, e, c->raw, &c->evidence, pair, sample);
    if (passtime_verdict_counts(sample->verdict) && !c->raw->durations) {
        note_stamp(t, &c->evidence, envelope, sample, pair, &stamps);
    }
    return stamps;
}

/* Judges all pairs; returns how many stamps are to be placed. */
static uint32_t judge_pairs(passtime *t, struct passtime_entry *e, struct common *common,
                            passtime_sample *samples)
{
    uint32_t count = passtime_handed_out(e);
    uint32_t stamps = 0;
    for (uint32_t pair = 0; pair < count; pair++) {
        const struct passtime_pass *pass = &e->passes[pair];
        passtime_sample_clear(pass, passtime_names_text(&t->names, pass->name), t->traits.source,
                              common->flags, &samples[pair]);
        stamps = judge_pair_in_full(t, e, common, pair, &samples[pair], stamps);
    }
    return stamps;
}

/* Judges and places the whole frame at once, if it is one that allows it. */
static bool take_plain(passtime *t, struct passtime_entry *e, const struct common *c,
                       passtime_sample *samples, struct passtime_sequence *sequence)
{
    const struct passtime_raw *raw = c->raw;
    struct passtime_plain plain = {.ticks = raw->ticks,
                                   .count = passtime_handed_out(e),
                                   .flags = c->flags,
                                   .quantum_ns = c->evidence.quantum_ns,
                                   .envelope = {e->cpu_begin_ns, c->seen_ns}};
    return c->entry_verdict == PASSTIME_GOOD && raw->state == PASSTIME_RAW_READY &&
           !raw->durations && raw->available == NULL && raw->baseline == NULL &&
           raw->disjoint_pairs == 0 && raw->complete_end_ns == 0 && e->cpu_pairs == NULL &&
           plain.count > 0 && plain.count <= raw->tick_count / 2 && e->cpu_begin_ns <= c->seen_ns &&
           passtime_judge_longest(&c->evidence, &plain.longest_ns) &&
           passtime_plain_frame(t, e, &plain, samples, sequence);
}

/* The CPU's time from a submission to its completion, as one more sample. */
static uint32_t add_completion(passtime *t, const struct passtime_entry *e,
                               const struct passtime_raw *raw, passtime_sample *samples,
                               uint32_t count, uint32_t *stamps)
{
    if (raw->complete_end_ns == 0 || raw->complete_end_ns < raw->complete_begin_ns) {
        return count;
    }
    samples[count] =
        (passtime_sample){.name = passtime_names_text(&t->names, t->submission_name),
                          .series = PASSTIME_NONE,
                          .parent = PASSTIME_NONE,
                          .scope = PASSTIME_NONE,
                          .verdict = PASSTIME_GOOD,
                          .source = PASSTIME_CPU_COMPLETE,
                          .duration_ns = raw->complete_end_ns - raw->complete_begin_ns};
    t->stamps[*stamps] =
        (struct passtime_stamp){.begin_ticks = raw->complete_begin_ns,
                                .duration_ns = samples[count].duration_ns,
                                .envelope = {e->cpu_begin_ns, raw->complete_end_ns}};
    t->stamp_samples[(*stamps)++] = count;
    return count + 1;
}

/* Puts the good samples on the time line; false where one fits nowhere. */
static bool place_samples(passtime *t, struct passtime_entry *e, uint64_t quantum_ns,
                          passtime_sample *samples, uint32_t count)
{
    if (passtime_align_frame(&t->align, e->unit, quantum_ns, t->stamps, count) &&
        t->align.epoch > 0) {
        passtime_front_log(t, PASSTIME_LOG_CLOCK_RESET,
                           "The GPU's clock jumped: positions start anew, durations stay good.");
    }
    bool all = true;
    for (uint32_t i = 0; i < count; i++) {
        passtime_sample *sample = &samples[t->stamp_samples[i]];
        sample->clock_epoch = t->align.epoch;
        if (t->align.stands && !t->stamps[i].unproven) {
            sample->verdict = PASSTIME_STALE; /* of a clock that stands still */
        } else if (t->stamps[i].placed) {
            sample->begin_ns = t->stamps[i].begin_ns;
            sample->end_ns = sample->begin_ns + sample->duration_ns;
        } else if (t->stamps[i].unproven) {
            sample->verdict = PASSTIME_STALE;
            sample->duration_ns = 0;
            /* Without an envelope nothing could ever prove it: one look must do. */
            if (t->traits.has_envelope) {
                e->last_ticks[2 * (size_t)t->stamp_samples[i]] = PASSTIME_UNSEEN;
            }
        } else {
            sample->flags |= PASSTIME_FLAG_OUTSIDE_ENVELOPE | PASSTIME_FLAG_NO_POSITION;
            all = false;
        }
    }
    return all;
}

/*
 * A clock that is reset is an event; one that has to be found anew time and again runs at another
 * pace than its unit says, for a wrong unit stretches or shrinks positions until they fit no
 * envelope.
 */
static void doubt_unit(passtime *t, bool had_stamps)
{
    enum { RESETS_AT_LEAST = 4, FRAMES_A_RESET = 20 };
    t->frames_placed += had_stamps;
    if (!t->unit_doubtful && t->align.epoch >= RESETS_AT_LEAST &&
        (uint64_t)t->align.epoch * FRAMES_A_RESET >= t->frames_placed) {
        t->unit_doubtful = true;
        passtime_front_log(
            t, PASSTIME_LOG_UNIT_DOUBTFUL,
            "The GPU's clock does not keep pace with the CPU's: the tick length given is "
            "probably wrong, and with it every time. Check tick_ns.");
    }
}

/* Where stamps are rounded, the frame's first one tells at which phase it began. */
static void watch_phase(passtime *t, const passtime_frame *frame)
{
    if (passtime_quantum_ticks(&t->quantum) <= 1) {
        return;
    }
    uint64_t quantum_ns = passtime_quantum_ns(t);
    for (uint32_t i = 0; i < frame->sample_count && quantum_ns > 1; i++) {
        const passtime_sample *sample = &frame->samples[i];
        if (passtime_verdict_counts(sample->verdict) && sample->begin_ns != 0) {
            passtime_phase_add(&t->phase, sample->clock_epoch, sample->begin_ns, quantum_ns);
            return;
        }
    }
}

static void tell_clock(const passtime *t, passtime_frame *frame)
{
    frame->clock_epoch = t->align.epoch;
    passtime_align_offset(&t->align, &frame->align_offset_ns, &frame->align_bound_ns);
}

static uint32_t copy_scopes(const passtime *t, const struct passtime_entry *e,
                            passtime_scope *scopes)
{
    uint32_t asked = atomic_load_explicit(&e->scopes, memory_order_relaxed);
    uint32_t count = asked < t->desc.max_scopes ? asked : t->desc.max_scopes;
    for (uint32_t i = 0; i < count; i++) {
        const struct passtime_scope_record *record = &e->scope_records[i];
        scopes[i] = (passtime_scope){.name = passtime_names_text(&t->names, record->name),
                                     .series = PASSTIME_NONE,
                                     .parent = record->parent};
    }
    return count;
}

static passtime_fate decide_fate(const passtime_frame *frame, const struct passtime_raw *raw,
                                 bool placed)
{
    bool good = false;
    bool bad = !placed || frame->passes_without_slot > 0;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        uint32_t verdict = frame->samples[i].verdict;
        bool counts = passtime_verdict_counts((passtime_verdict)verdict);
        good = good || counts;
        bad = bad || (!counts && verdict != PASSTIME_NO_PASS);
    }
    if (!good && !bad) {
        return PASSTIME_FRAME_EMPTY;
    }
    if (!good && raw->state != PASSTIME_RAW_READY) {
        return PASSTIME_FRAME_NO_DATA;
    }
    return bad ? PASSTIME_FRAME_INCOMPLETE : PASSTIME_FRAME_COMPLETE;
}

static void fill_cpu_times(const passtime *t, const struct passtime_entry *e, uint64_t seen_ns,
                           passtime_frame *frame)
{
    uint64_t end_ns = atomic_load_explicit(&e->cpu_end_ns, memory_order_relaxed);
    uint64_t seen = atomic_load_explicit(&t->tally.frames_begun, memory_order_relaxed);
    frame->cpu_begin_ns = e->cpu_begin_ns;
    frame->cpu_submit_ns = end_ns > e->cpu_begin_ns ? end_ns - e->cpu_begin_ns : 0;
    frame->cpu_seen_ns = seen_ns;
    frame->frames_late = seen - e->seen_at_begin;
}

static bool is_over_budget(const passtime *t, const passtime_frame *frame)
{
    uint64_t budget_ns = atomic_load_explicit(&t->budget_ns, memory_order_relaxed);
    return budget_ns != 0 && passtime_is_gpu_time(t->traits.source) && frame->busy_ns > budget_ns;
}

static void watch_budgets(passtime *t, passtime_frame *frame, passtime_sample *samples)
{
    uint64_t budget_ns = atomic_load_explicit(&t->budget_ns, memory_order_relaxed);
    if (passtime_is_gpu_time(t->traits.source) &&
        passtime_budgets_add(&t->budgets, frame, samples, budget_ns)) {
        frame->flags |= PASSTIME_FLAG_BUDGET_OVER;
    }
}

/* A frame of passes one after another has its totals already. */
static void find_totals(const struct passtime_entry *e, struct passtime_output *output,
                        const struct passtime_sequence *sequence,
                        struct passtime_frame_scratch *scratch)
{
    passtime_frame *frame = &output->frame;
    if (sequence != NULL && frame->scope_count == 0) {
        frame->busy_ns = frame->sum_ns = sequence->busy_ns;
        frame->span_ns = sequence->span_ns;
        frame->has_span = true;
        return;
    }
    passtime_frame_totals(frame, output->samples, output->scopes, scratch);
    for (uint32_t i = 0; i < frame->scope_count; i++) {
        if (e->scope_records[i].spoiled) {
            passtime_frame_spoil_scope(output->scopes, i);
        }
    }
}

/* Closes the gaps that pairs without a pass have left among the samples. */
static void close_gaps(passtime *t, struct passtime_output *output)
{
    passtime_frame *frame = &output->frame;
    passtime_sample *samples = output->samples;
    uint32_t *place = t->scratch.spare; /* by the index that a sample had before */
    uint32_t count = 0;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        place[i] = count;
        if ((uint32_t)samples[i].verdict != PASSTIME_NO_PASS) {
            samples[count] = samples[i];
            uint32_t parent = samples[count].parent;
            samples[count].parent = parent != PASSTIME_NONE ? place[parent] : PASSTIME_NONE;
            count++;
        }
    }
    frame->sample_count = count;
}

void passtime_assemble(passtime *t, struct passtime_entry *e, const struct passtime_raw *raw,
                       passtime_verdict entry_verdict)
{
    struct passtime_output *output = passtime_output_take(t);
    passtime_frame *frame = &output->frame;
    uint64_t seen_ns = raw->seen_ns != 0 ? raw->seen_ns : passtime_front_now(t);
    uint32_t asked = atomic_load_explicit(&e->pairs, memory_order_relaxed);
    uint32_t count = passtime_handed_out(e);
    *frame = (passtime_frame){.number = atomic_load_explicit(&e->number, memory_order_relaxed),
                              .flags = frame_flags(t, raw),
                              .samples = output->samples,
                              .scopes = output->scopes,
                              .passes_without_slot = asked - count};
    output->seq = e->seq;
    struct common common;
    look_at_frame(t, e, raw, entry_verdict, seen_ns, &common);
    struct passtime_sequence sequence = {false, 0, 0};
    bool plain = take_plain(t, e, &common, output->samples, &sequence);
    bool placed = plain;
    bool had_stamps = plain;
    frame->sample_count = count;
    if (!plain) {
        uint32_t stamps = judge_pairs(t, e, &common, output->samples);
        frame->sample_count = add_completion(t, e, raw, output->samples, count, &stamps);
        had_stamps = stamps > 0;
        placed = place_samples(t, e, common.evidence.quantum_ns, output->samples, stamps);
    }
    doubt_unit(t, had_stamps);
    watch_phase(t, frame);
    tell_clock(t, frame);
    frame->scope_count = copy_scopes(t, e, output->scopes);
    find_totals(e, output, plain && sequence.holds ? &sequence : NULL, &t->scratch);
    bool whole = plain && frame->passes_without_slot == 0;
    frame->fate = whole ? PASSTIME_FRAME_COMPLETE : decide_fate(frame, raw, placed);
    fill_cpu_times(t, e, seen_ns, frame);
    frame->over_budget = is_over_budget(t, frame);
    passtime_account(t, e, output);
    passtime_counts_enter(t, raw, output);
    if (atomic_load_explicit(&e->unused_pairs, memory_order_relaxed) > 0) {
        close_gaps(t, output);
    }
    watch_budgets(t, frame, output->samples);
    passtime_output_push(t, output);
}
