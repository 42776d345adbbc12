/* SPDX-License-Identifier: MIT */
/* The passes of a frame: slices in lanes, and instants for those that have no position. */
#include "sink/capture.h"

#include "passtime_trace.pb.h"

struct writing {
    passtime_capture *c;
    const passtime_frame *frame;
    struct passtime_group *group;
    uint32_t next; /* a sample that follows the one before in the frame needs no index */
};

static void note_links(struct writing *w, const passtime_sample *s, uint32_t index,
                       const struct passtime_interned *scope)
{
    passtime_capture *c = w->c;
    if (index != w->next)
        passtime_note_u64(c, PASSTIME_KEY_INDEX, index);
    w->next = index + 1;
    if (s->parent != PASSTIME_NONE)
        passtime_note_u64(c, PASSTIME_KEY_PARENT, s->parent);
    if (scope != NULL)
        passtime_note_value(c, PASSTIME_KEY_SCOPE, passtime_name_value_iid(c, scope));
    if (s->scope != PASSTIME_NONE)
        passtime_note_u64(c, PASSTIME_KEY_SCOPE_INDEX, s->scope);
    if (s->queue != 0)
        passtime_note_u64(c, PASSTIME_KEY_QUEUE, s->queue);
}

/* What a slice's own begin and end say is not said again. */
static void note_times(passtime_capture *c, const passtime_frame *f, const passtime_sample *s,
                       bool is_slice)
{
    if (!is_slice && s->duration_ns != 0)
        passtime_note_u64(c, PASSTIME_KEY_DURATION, s->duration_ns);
    if (!is_slice && (s->begin_ns != 0 || s->end_ns != 0)) {
        passtime_note_u64(c, PASSTIME_KEY_BEGIN, s->begin_ns);
        passtime_note_u64(c, PASSTIME_KEY_END, s->end_ns);
    }
    if (s->exclusive_ns != s->duration_ns)
        passtime_note_u64(c, PASSTIME_KEY_EXCLUSIVE, s->exclusive_ns);
    if (s->attributed_ns != s->duration_ns)
        passtime_note_u64(c, PASSTIME_KEY_ATTRIBUTED, s->attributed_ns);
    if (s->flags != 0)
        passtime_note_u64(c, PASSTIME_KEY_FLAGS, s->flags);
    if (s->clock_epoch != f->clock_epoch)
        passtime_note_u64(c, PASSTIME_KEY_CLOCK_EPOCH, s->clock_epoch);
    if (s->cpu_begin_ns != 0)
        passtime_note_u64(c, PASSTIME_KEY_CPU_BEGIN, s->cpu_begin_ns);
    if (s->cpu_end_ns != 0)
        passtime_note_u64(c, PASSTIME_KEY_CPU_END, s->cpu_end_ns);
}

static void write_sample(struct writing *w, uint32_t index, const struct passtime_event *event)
{
    passtime_capture *c = w->c;
    const passtime_frame *f = w->frame;
    const passtime_sample *s = &f->samples[index];
    const struct passtime_interned *names[2];
    passtime_names_write(c, s->name, s->scope < f->scope_count ? f->scopes[s->scope].name : NULL,
                         names);
    passtime_event_open(c, event);
    passtime_packet_u64(&c->packet, passtime_TrackEvent_name_iid_tag,
                        passtime_name_iid(c, names[0]));
    passtime_note_value(c, PASSTIME_KEY_VERDICT, passtime_verdict_iid(s->verdict));
    passtime_note_value(c, PASSTIME_KEY_SOURCE, passtime_source_iid(s->source));
    passtime_note_u64(c, PASSTIME_KEY_FRAME, f->number);
    note_links(w, s, index, names[1]);
    note_times(c, f, s, event->type == PASSTIME_EVENT_BEGIN);
    if (c->note_counts != NULL)
        c->note_counts(c, f, index);
    passtime_event_close(c);
}

static struct passtime_group *group_of(passtime_capture *c, const passtime_sample *s)
{
    return passtime_group_of(
        c, passtime_is_gpu_time(s->source) ? PASSTIME_GROUP_GPU : PASSTIME_GROUP_CPU, s->queue);
}

static void write_instant(struct writing *w, uint32_t index)
{
    passtime_capture *c = w->c;
    const passtime_sample *s = &w->frame->samples[index];
    struct passtime_group *group = group_of(c, s);
    if (group == NULL)
        group = &c->groups[PASSTIME_GROUP_GPU];
    const uint64_t cpu_ns = s->cpu_begin_ns != 0 ? s->cpu_begin_ns : w->frame->cpu_begin_ns;
    const struct passtime_event event = {PASSTIME_EVENT_INSTANT, PASSTIME_CPU_CLOCK,
                                         passtime_cpu_time(c, cpu_ns),
                                         passtime_group_track(c, group, PASSTIME_LOOSE_LANE)};
    write_sample(w, index, &event);
}

static void emit_sample(void *user, uint32_t lane, uint32_t index, uint64_t at_ns, bool begin)
{
    struct writing *w = user;
    const struct passtime_event event = {begin ? PASSTIME_EVENT_BEGIN : PASSTIME_EVENT_END,
                                         w->c->clock.id, passtime_clock_position(w->c, at_ns),
                                         passtime_group_track(w->c, w->group, lane)};
    if (begin) {
        write_sample(w, index, &event);
    } else {
        passtime_event_open(w->c, &event);
        passtime_event_close(w->c);
    }
}

static bool slice_of(const struct writing *w, uint32_t index, struct passtime_slice *slice)
{
    const passtime_sample *s = &w->frame->samples[index];
    slice->index = index;
    slice->parent = s->parent;
    slice->later =
        s->parent < w->frame->sample_count && w->frame->samples[s->parent].begin_ns < s->begin_ns;
    return passtime_sample_has_position(w->frame, s) &&
           passtime_clock_place(w->c, s->begin_ns, &slice->begin_ns) &&
           passtime_clock_place(w->c, s->end_ns, &slice->end_ns);
}

/* Takes a group's slices among the samples from `first` on, as many as there is room for. */
static uint32_t gather(struct writing *w, uint32_t *first)
{
    passtime_capture *c = w->c;
    uint32_t count = 0;
    uint32_t i = *first;
    for (; i < w->frame->sample_count && count < PASSTIME_LANES_CHUNK; i++)
        if (group_of(c, &w->frame->samples[i]) == w->group && slice_of(w, i, &c->slices[count]))
            count++;
    *first = i;
    return count;
}

static void write_group(struct writing *w)
{
    passtime_capture *c = w->c;
    for (uint32_t first = 0; first < w->frame->sample_count;) {
        const uint32_t count = gather(w, &first);
        passtime_lanes_sort(c->slices, c->scratch, count);
        for (uint32_t i = 0; i < count; i++)
            if (!passtime_lanes_put(&w->group->lanes, &c->slices[i], emit_sample, w))
                write_instant(w, c->slices[i].index);
        passtime_lanes_flush(&w->group->lanes, emit_sample, w);
    }
}

void passtime_capture_write_samples(passtime_capture *c, const passtime_frame *f)
{
    struct writing w = {c, f, NULL, 0};
    struct passtime_slice slice;
    for (uint32_t i = 0; i < f->sample_count; i++)
        if (group_of(c, &f->samples[i]) == NULL || !slice_of(&w, i, &slice))
            write_instant(&w, i);
    for (uint32_t i = PASSTIME_GROUP_GPU; i < c->group_count; i++) {
        w.group = &c->groups[i];
        write_group(&w);
    }
}
