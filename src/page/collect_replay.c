/* SPDX-License-Identifier: MIT */
/* Records a frame of a page anew: the core's clock shows the times that the frame's message gives,
 * and its ticks come back at once. */
#include "page/collect_state.h"

#include <passtime/feed.h>

#include <string.h>

static uint64_t shifted(const struct passtime_collect_context *context, uint64_t ns)
{
    /* Times are below 2^53 and shifts are bounded. */
    return (uint64_t)((int64_t)ns + context->shift_ns);
}

static void set_clock(struct passtime_collect_context *context, uint64_t ns)
{
    if (ns != 0)
        context->now_ns = shifted(context, ns);
}

/* Closes what is open on a recorder until `parent` is the innermost. */
static uint32_t open_after(const struct passtime_message_frame *frame, uint32_t open,
                           uint32_t parent)
{
    while (open != parent && open != PASSTIME_NONE)
        open = frame->passes[open].parent;
    return open;
}

/* Do the passes of each recorder nest, and the times follow one another? */
static bool holds_together(struct passtime_collector *collector,
                           const struct passtime_collect_context *context,
                           const struct passtime_message_frame *frame)
{
    if (frame->pass_count > context->max_passes || (frame->pass_count == 0 && frame->surplus > 0) ||
        frame->end_ns < frame->begin_ns ||
        (frame->seen_ns != 0 && frame->seen_ns < frame->begin_ns))
        return false;
    for (uint32_t i = 0; i < frame->recorder_count; i++) {
        collector->open[i] = PASSTIME_NONE;
        if (frame->recorders[i].began_ns < frame->begin_ns)
            return false;
    }
    for (uint32_t i = 0; i < frame->pass_count; i++) {
        const struct passtime_message_pass *pass = &frame->passes[i];
        uint32_t *open = &collector->open[pass->recorder];
        *open = open_after(frame, *open, pass->parent);
        if (*open != pass->parent)
            return false;
        *open = pass->open_ns != 0 ? i : *open;
    }
    return true;
}

static bool is_unfinished(const struct passtime_message_pass *pass)
{
    return pass->open_ns != 0 && pass->close_ns == 0;
}

/* Is no pass from this one outwards ended? */
static bool stays_open(const struct passtime_message_frame *frame, uint32_t pass)
{
    for (; pass != PASSTIME_NONE; pass = frame->passes[pass].parent) {
        if (!is_unfinished(&frame->passes[pass]))
            return false;
    }
    return true;
}

/* Closes the passes of a recorder up to `parent`; at its end, those that were never closed stay
 * open. */
static void close_passes(struct passtime_collector *collector,
                         struct passtime_collect_context *context,
                         const struct passtime_message_frame *frame, uint32_t recorder,
                         uint32_t parent, bool at_end)
{
    passtime_recorder *rec = collector->recorders[recorder];
    uint32_t *open = &collector->open[recorder];
    while (*open != parent && *open != PASSTIME_NONE) {
        const struct passtime_message_pass *pass = &frame->passes[*open];
        if (at_end && stays_open(frame, *open))
            return;
        if (is_unfinished(pass))
            passtime_feed_refuse(rec, *open); /* It was closed by nobody, and others follow it. */
        set_clock(context, pass->close_ns);
        passtime_end(rec);
        *open = pass->parent;
    }
}

static bool record_pass(struct passtime_collector *collector,
                        struct passtime_collect_context *context,
                        const struct passtime_message_frame *frame,
                        const struct passtime_slot_set *set, uint32_t index)
{
    const struct passtime_message_pass *pass = &frame->passes[index];
    passtime_recorder *rec = collector->recorders[pass->recorder];
    const char *name = passtime_collect_names_find(&context->names, pass->name);
    close_passes(collector, context, frame, pass->recorder, pass->parent, false);
    set_clock(context, pass->open_ns);
    name = name ? name : "(unnamed)";
    uint32_t pair =
        pass->open_ns != 0 ? passtime_feed_open(rec, name) : passtime_feed_pass(rec, name);
    if (pair != index)
        return false;
    if (pass->open_ns != 0)
        collector->open[pass->recorder] = index;
    if (pass->refused || passtime_slot_is_spoiled(set, index))
        passtime_feed_refuse(rec, pair);
    passtime_feed_flag(rec, pair, pass->flags);
    return true;
}

static void finish_recorders(struct passtime_collector *collector,
                             struct passtime_collect_context *context,
                             const struct passtime_message_frame *frame)
{
    for (uint32_t i = 0; i < frame->recorder_count; i++) {
        passtime_recorder *rec = collector->recorders[i];
        close_passes(collector, context, frame, i, PASSTIME_NONE, true);
        set_clock(context, frame->recorders[i].finished_ns);
        if (frame->recorders[i].how == PASSTIME_MESSAGE_SUBMITTED)
            passtime_submitted(rec);
        else if (frame->recorders[i].how == PASSTIME_MESSAGE_DISCARDED)
            passtime_discarded(rec);
        else
            passtime_feed_forgotten(rec);
    }
}

/* All recorders are there before the first pass, so that pairs go one by one. */
static bool begin_recorders(struct passtime_collector *collector,
                            struct passtime_collect_context *context,
                            const struct passtime_message_frame *frame)
{
    passtime_recorder *rec = passtime_frame_begin(context->t, frame->number);
    if (rec && frame->recorder_count == 0)
        passtime_submitted(rec); /* It recorded nothing. */
    for (uint32_t i = 0; i < frame->recorder_count && rec; i++) {
        set_clock(context, frame->recorders[i].began_ns);
        if (i > 0)
            rec = passtime_recorder_begin(context->t, frame->number);
        collector->recorders[i] = rec;
        collector->open[i] = PASSTIME_NONE;
    }
    return rec != NULL;
}

static bool is_asked(const struct passtime_message_frame *frame, uint32_t index)
{
    const struct passtime_message_pass *pass = &frame->passes[index];
    return frame->recorders[pass->recorder].how == PASSTIME_MESSAGE_SUBMITTED && !pass->refused &&
           !is_unfinished(pass);
}

static bool wants_ticks(const struct passtime_message_frame *frame)
{
    for (uint32_t i = 0; i < frame->pass_count; i++) {
        if (is_asked(frame, i))
            return true;
    }
    return false;
}

/* The CPU's times are its ticks. */
static void take_cpu_ticks(struct passtime_collector *collector,
                           const struct passtime_collect_context *context,
                           const struct passtime_message_frame *frame)
{
    for (uint32_t i = 0; i < frame->pass_count; i++) {
        const struct passtime_message_pass *pass = &frame->passes[i];
        bool whole = pass->open_ns != 0 && pass->close_ns != 0;
        collector->ticks[2 * i] = whole ? shifted(context, pass->open_ns) : 0;
        collector->ticks[2 * i + 1] = whole ? shifted(context, pass->close_ns) : 0;
    }
}

static passtime_feed_results results_of(struct passtime_collector *collector,
                                        const struct passtime_collect_context *context,
                                        const struct passtime_message_frame *frame,
                                        const struct passtime_slot_set *set)
{
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    bool is_gpu = passtime_is_gpu_time(context->about.source);
    results.status = (passtime_feed_status)frame->status;
    results.seen_ns = shifted(context, frame->seen_ns != 0 ? frame->seen_ns : frame->end_ns);
    if (frame->complete_begin_ns != 0 && frame->complete_end_ns >= frame->complete_begin_ns) {
        results.complete_begin_ns = shifted(context, frame->complete_begin_ns);
        results.complete_end_ns = shifted(context, frame->complete_end_ns);
    }
    if (is_gpu && frame->status == PASSTIME_MESSAGE_OK && frame->tick_count == 0 &&
        wants_ticks(frame))
        results.status = PASSTIME_FEED_TIMED_OUT; /* Whoever waited has given up. */
    results.ticks = collector->ticks;
    results.tick_count = 2 * frame->pass_count;
    if (!is_gpu) {
        take_cpu_ticks(collector, context, frame);
        return results;
    }
    memcpy(collector->ticks, frame->ticks, frame->tick_count * sizeof *frame->ticks);
    results.tick_count = frame->tick_count;
    results.available = frame->available;
    if (set) {
        passtime_slots_baseline(set, frame, collector->baseline);
        results.baseline = collector->baseline;
    }
    return results;
}

static void bring_results(struct passtime_collector *collector,
                          struct passtime_collect_context *context,
                          const struct passtime_message_frame *frame, struct passtime_slot_set *set)
{
    passtime_feed_results results = results_of(collector, context, frame, set);
    /* A frame without anything to read is judged already: the results are refused then. */
    (void)passtime_feed_results_ready(context->t, frame->number, &results);
    if (results.seen_ns > context->now_ns)
        context->now_ns = results.seen_ns;
    passtime_collect(context->t);
    if (set)
        passtime_slots_update(set, frame, results.status == PASSTIME_FEED_OK);
}

bool passtime_collect_replay(struct passtime_collector *collector,
                             struct passtime_collect_context *context,
                             const struct passtime_message_frame *frame)
{
    struct passtime_slot_set *set = NULL;
    if (!holds_together(collector, context, frame))
        return false;
    if (frame->set != 0 && context->about.source == PASSTIME_GPU_STAMPS && !frame->available) {
        set = passtime_slots_find(&context->slots, frame->set, frame->pass_count);
        collector->counts.no_memory += set == NULL;
        if (!set)
            return true;
    }
    set_clock(context, frame->begin_ns);
    passtime_feed_limit(context->t, frame->pass_count);
    if (!begin_recorders(collector, context, frame))
        return false;
    bool whole = true;
    for (uint32_t i = 0; i < frame->pass_count && whole; i++)
        whole = record_pass(collector, context, frame, set, i);
    for (uint32_t i = 0; i < frame->surplus; i++)
        (void)passtime_feed_pass(collector->recorders[0], "(surplus)");
    finish_recorders(collector, context, frame);
    set_clock(context, frame->end_ns);
    (void)passtime_frame_end(context->t, frame->number);
    bring_results(collector, context, frame, set);
    return whole;
}
