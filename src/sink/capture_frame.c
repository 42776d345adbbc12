/* SPDX-License-Identifier: MIT */
/*
 * A frame as it stands in a capture: the frame itself, its scopes and the CPU's submission, then
 * its passes. A pass that was measured with a position is a slice; every other one is an instant
 * that says what became of it, and never a slice of a length that nobody measured.
 */
#include "sink/capture.h"
#include "sink/text.h"

#include <string.h>

#include "passtime_trace.pb.h"

static void write_counter(passtime_capture *c, uint32_t track, uint64_t at_ns, uint64_t value)
{
    const struct passtime_event event = {PASSTIME_EVENT_COUNTER, PASSTIME_CPU_CLOCK, at_ns,
                                         passtime_track_uuid(c, track)};
    passtime_event_open(c, &event);
    passtime_packet_i64(&c->packet, passtime_TrackEvent_counter_value_tag, (int64_t)value);
    passtime_event_close(c);
}

static void note_frame(passtime_capture *c, const passtime_frame *f)
{
    passtime_note_u64(c, PASSTIME_KEY_FRAME, f->number);
    passtime_note_value(c, PASSTIME_KEY_FATE, passtime_fate_iid(f->fate));
    passtime_note_u64(c, PASSTIME_KEY_SAMPLES, f->sample_count);
    if (f->scope_count != 0)
        passtime_note_u64(c, PASSTIME_KEY_SCOPES, f->scope_count);
    if (f->flags != 0)
        passtime_note_u64(c, PASSTIME_KEY_FLAGS, f->flags);
    if (f->passes_without_slot != 0)
        passtime_note_u64(c, PASSTIME_KEY_WITHOUT_SLOT, f->passes_without_slot);
    if (f->clock_epoch != 0)
        passtime_note_u64(c, PASSTIME_KEY_CLOCK_EPOCH, f->clock_epoch);
    if (f->over_budget)
        passtime_note_bool(c, PASSTIME_KEY_OVER_BUDGET, true);
    passtime_note_u64(c, PASSTIME_KEY_BUSY, f->busy_ns);
    if (f->has_span)
        passtime_note_u64(c, PASSTIME_KEY_SPAN, f->span_ns);
    passtime_note_u64(c, PASSTIME_KEY_SUM, f->sum_ns);
    passtime_note_u64(c, PASSTIME_KEY_CPU_BEGIN, f->cpu_begin_ns);
    passtime_note_u64(c, PASSTIME_KEY_CPU_SUBMIT, f->cpu_submit_ns);
    passtime_note_u64(c, PASSTIME_KEY_CPU_SEEN, f->cpu_seen_ns);
    if (f->frames_late != 0)
        passtime_note_u64(c, PASSTIME_KEY_FRAMES_LATE, f->frames_late);
    if (f->align_offset_ns != 0)
        passtime_note_i64(c, PASSTIME_KEY_ALIGN_OFFSET, f->align_offset_ns);
    if (f->align_bound_ns != UINT64_MAX)
        passtime_note_u64(c, PASSTIME_KEY_ALIGN_BOUND, f->align_bound_ns);
}

struct whole {
    passtime_capture *c;
    struct passtime_group *group;
    const passtime_frame *frame;
};

static void write_frame_event(const struct whole *w, enum passtime_event_type type,
                              uint32_t clock_id, uint64_t at_ns, uint64_t track)
{
    char name[40];
    const struct passtime_event event = {type, clock_id, at_ns, track};
    passtime_event_open(w->c, &event);
    if (type != PASSTIME_EVENT_END) {
        (void)passtime_text_add_u64(
            name, sizeof name, passtime_text_add(name, sizeof name, 0, "frame "), w->frame->number);
        passtime_event_name(w->c, name);
        note_frame(w->c, w->frame);
    }
    passtime_event_close(w->c);
}

static void emit_frame(void *user, uint32_t lane, uint32_t index, uint64_t at_ns, bool begin)
{
    const struct whole *w = user;
    (void)index;
    write_frame_event(w, begin ? PASSTIME_EVENT_BEGIN : PASSTIME_EVENT_END, w->c->clock.id,
                      passtime_clock_position(w->c, at_ns),
                      passtime_group_track(w->c, w->group, lane));
}

static void emit_submission(void *user, uint32_t lane, uint32_t index, uint64_t at_ns, bool begin)
{
    const struct whole *w = user;
    const struct passtime_interned *names[2] = {NULL, NULL};
    (void)index;
    if (begin)
        passtime_names_write(w->c, "record and submit", NULL, names);
    const struct passtime_event event = {begin ? PASSTIME_EVENT_BEGIN : PASSTIME_EVENT_END,
                                         PASSTIME_CPU_CLOCK, at_ns,
                                         passtime_group_track(w->c, w->group, lane)};
    passtime_event_open(w->c, &event);
    if (begin) {
        passtime_packet_u64(&w->c->packet, passtime_TrackEvent_name_iid_tag,
                            passtime_name_iid(w->c, names[0]));
        passtime_note_u64(w->c, PASSTIME_KEY_FRAME, w->frame->number);
    }
    passtime_event_close(w->c);
}

/* From the first begin to the last end of the passes that have a position. */
static bool slice_of_frame(const passtime_capture *c, const passtime_frame *f,
                           struct passtime_slice *slice)
{
    bool any = false;
    for (uint32_t i = 0; i < f->sample_count; i++) {
        uint64_t begin_ns = 0;
        uint64_t end_ns = 0;
        const passtime_sample *sample = &f->samples[i];
        if (!passtime_sample_has_position(f, sample) ||
            !passtime_clock_place(c, sample->begin_ns, &begin_ns) ||
            !passtime_clock_place(c, sample->end_ns, &end_ns))
            continue;
        slice->begin_ns = !any || begin_ns < slice->begin_ns ? begin_ns : slice->begin_ns;
        slice->end_ns = !any || end_ns > slice->end_ns ? end_ns : slice->end_ns;
        any = true;
    }
    return any;
}

static void write_frame_itself(passtime_capture *c, const passtime_frame *f)
{
    struct whole w = {c, passtime_group_of(c, PASSTIME_GROUP_FRAMES, 0), f};
    struct passtime_slice slice = {0, 0, 0, PASSTIME_NONE, false};
    const bool placed =
        slice_of_frame(c, f, &slice) && passtime_lanes_put(&w.group->lanes, &slice, emit_frame, &w);
    passtime_lanes_flush(&w.group->lanes, emit_frame, &w);
    if (!placed)
        write_frame_event(&w, PASSTIME_EVENT_INSTANT, PASSTIME_CPU_CLOCK,
                          passtime_cpu_time(c, f->cpu_begin_ns),
                          passtime_group_track(c, w.group, PASSTIME_LOOSE_LANE));
}

static void write_submission(passtime_capture *c, const passtime_frame *f)
{
    if (f->cpu_begin_ns == 0 || f->cpu_begin_ns > PASSTIME_CAPTURE_TIME_MAX ||
        f->cpu_submit_ns > PASSTIME_CAPTURE_TIME_MAX)
        return;
    struct whole w = {c, passtime_group_of(c, PASSTIME_GROUP_SUBMIT, 0), f};
    const struct passtime_slice slice = {f->cpu_begin_ns, f->cpu_begin_ns + f->cpu_submit_ns, 0,
                                         PASSTIME_NONE, false};
    (void)passtime_lanes_put(&w.group->lanes, &slice, emit_submission, &w);
    passtime_lanes_flush(&w.group->lanes, emit_submission, &w);
}

static void write_scope(passtime_capture *c, const passtime_frame *f, uint32_t index)
{
    const passtime_scope *scope = &f->scopes[index];
    const struct passtime_interned *names[2];
    passtime_names_write(c, scope->name, NULL, names);
    struct passtime_group *group = passtime_group_of(c, PASSTIME_GROUP_SCOPES, 0);
    const struct passtime_event event = {PASSTIME_EVENT_INSTANT, PASSTIME_CPU_CLOCK,
                                         passtime_cpu_time(c, f->cpu_begin_ns),
                                         passtime_group_track(c, group, PASSTIME_LOOSE_LANE)};
    passtime_event_open(c, &event);
    passtime_packet_u64(&c->packet, passtime_TrackEvent_name_iid_tag,
                        passtime_name_iid(c, names[0]));
    passtime_note_u64(c, PASSTIME_KEY_FRAME, f->number);
    passtime_note_u64(c, PASSTIME_KEY_SCOPE_INDEX, index);
    if (scope->parent != PASSTIME_NONE)
        passtime_note_u64(c, PASSTIME_KEY_PARENT, scope->parent);
    passtime_note_u64(c, PASSTIME_KEY_SAMPLES, scope->sample_count);
    passtime_note_bool(c, PASSTIME_KEY_COMPLETE, scope->complete);
    passtime_note_u64(c, PASSTIME_KEY_BUSY, scope->busy_ns);
    passtime_event_close(c);
}

/* Where the state of a budget changes, for those who scroll through a trace. Readers take it from
 * the flags of frames and samples. */
static void write_mark(passtime_capture *c, const passtime_frame *f, uint64_t at_ns,
                       const char *text)
{
    struct passtime_group *group = passtime_group_of(c, PASSTIME_GROUP_FRAMES, 0);
    const struct passtime_event event = {PASSTIME_EVENT_INSTANT, PASSTIME_CPU_CLOCK, at_ns,
                                         passtime_group_track(c, group, PASSTIME_LOOSE_LANE)};
    passtime_event_open(c, &event);
    passtime_event_name(c, text);
    passtime_note_u64(c, PASSTIME_KEY_FRAME, f->number);
    passtime_event_close(c);
}

static const char *state_text(bool over)
{
    return over ? "budget: over" : "budget: no longer over";
}

static void mark_budget(passtime_capture *c, const passtime_frame *f, uint64_t at_ns)
{
    const bool over = (f->flags & PASSTIME_FLAG_BUDGET_OVER) != 0;
    if (over == c->budget_over)
        return;
    c->budget_over = over;
    write_mark(c, f, at_ns, state_text(over));
}

/* Where a pass stands among those that are over; their count: nowhere. */
static uint32_t place_among_over(const passtime_capture *c, const char *name)
{
    uint32_t at = 0;
    while (at < c->passes_over_count && strcmp(c->passes_over[at], name) != 0)
        at++;
    return at;
}

/* A pass that the frame does not have keeps its state. */
static void mark_pass(passtime_capture *c, const passtime_frame *f, const passtime_sample *s,
                      uint64_t at_ns)
{
    char text[PASSTIME_NAME_BYTES + 40];
    const bool over = (s->flags & PASSTIME_FLAG_BUDGET_OVER) != 0;
    const uint32_t at = place_among_over(c, s->name);
    const bool was_over = at < c->passes_over_count;
    if (over == was_over || (over && at == PASSTIME_PASS_BUDGETS_MAX))
        return;
    if (over) {
        c->passes_over_count++;
        (void)passtime_text_add(c->passes_over[at], PASSTIME_NAME_BYTES, 0, s->name);
    } else {
        memmove(c->passes_over[at], c->passes_over[--c->passes_over_count], PASSTIME_NAME_BYTES);
    }
    size_t used = passtime_text_add(text, sizeof text, 0, s->name);
    used = passtime_text_add(text, sizeof text, used, ": ");
    (void)passtime_text_add(text, sizeof text, used, state_text(over));
    write_mark(c, f, at_ns, text);
}

static void mark_passes(passtime_capture *c, const passtime_frame *f, uint64_t at_ns)
{
    for (uint32_t i = 0; i < f->sample_count; i++) {
        const passtime_sample *s = &f->samples[i];
        const bool over = (s->flags & PASSTIME_FLAG_BUDGET_OVER) != 0;
        if ((over || c->passes_over_count > 0) && passtime_is_gpu_time(s->source))
            mark_pass(c, f, s, at_ns);
    }
}

void passtime_capture_write_frame(passtime_capture *c, const passtime_frame *f)
{
    const uint64_t at_ns = passtime_cpu_time(c, f->cpu_begin_ns);
    if (!c->started && c->budget_ns != 0) {
        passtime_capture_start(c, at_ns);
        write_counter(c, PASSTIME_TRACK_BUDGET, at_ns, c->budget_ns);
    }
    passtime_capture_start(c, at_ns);
    passtime_clock_choose(c, f);
    write_frame_itself(c, f);
    for (uint32_t i = 0; i < f->scope_count; i++)
        write_scope(c, f, i);
    write_submission(c, f);
    /* Only a complete frame's busy is a total; others are lower bounds, and would be read as dips.
     */
    const bool on_gpu = f->has_span || (f->flags & PASSTIME_FLAG_SERIAL_SUM) != 0;
    if (f->fate == PASSTIME_FRAME_COMPLETE && on_gpu && f->busy_ns < PASSTIME_CAPTURE_TIME_MAX)
        write_counter(c, PASSTIME_TRACK_BUSY, at_ns, f->busy_ns);
    passtime_capture_write_samples(c, f);
    mark_budget(c, f, at_ns);
    mark_passes(c, f, at_ns);
    (void)passtime_capture_flush(c);
}
