/* SPDX-License-Identifier: MIT */
/*
 * Frames put together from their events. A frame is handed on when all of it has come and fits
 * together; one that is cut off or contradicts itself is counted and not used.
 */
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SEQUENCE_CLOCK = 64 };

static const char *name_of(struct passtime_reader *r, const struct passtime_read_event *event)
{
    if (event->name != NULL)
        return event->name;
    const char *kept = passtime_texts_keep(&r->texts, event->raw_name.at, event->raw_name.size);
    if (kept == NULL)
        r->no_memory = true;
    return kept != NULL ? kept : "";
}

static void fill_frame(passtime_frame *f, const struct passtime_read_event *event)
{
    memset(f, 0, sizeof *f);
    f->number = passtime_event_u64(event, PASSTIME_KEY_FRAME, 0);
    f->fate = passtime_fate_of(event->notes[PASSTIME_KEY_FATE].bytes);
    f->flags = passtime_event_u32(event, PASSTIME_KEY_FLAGS, 0);
    f->sample_count = passtime_event_u32(event, PASSTIME_KEY_SAMPLES, PASSTIME_NONE);
    f->scope_count = passtime_event_u32(event, PASSTIME_KEY_SCOPES, 0);
    f->passes_without_slot = passtime_event_u32(event, PASSTIME_KEY_WITHOUT_SLOT, 0);
    f->clock_epoch = passtime_event_u32(event, PASSTIME_KEY_CLOCK_EPOCH, 0);
    f->over_budget = passtime_event_u64(event, PASSTIME_KEY_OVER_BUDGET, 0) != 0;
    f->has_span = passtime_event_has(event, PASSTIME_KEY_SPAN);
    f->busy_ns = passtime_event_u64(event, PASSTIME_KEY_BUSY, 0);
    f->span_ns = passtime_event_u64(event, PASSTIME_KEY_SPAN, 0);
    f->sum_ns = passtime_event_u64(event, PASSTIME_KEY_SUM, 0);
    f->cpu_begin_ns = passtime_event_u64(event, PASSTIME_KEY_CPU_BEGIN, 0);
    f->cpu_submit_ns = passtime_event_u64(event, PASSTIME_KEY_CPU_SUBMIT, 0);
    f->cpu_seen_ns = passtime_event_u64(event, PASSTIME_KEY_CPU_SEEN, 0);
    f->frames_late = passtime_event_u64(event, PASSTIME_KEY_FRAMES_LATE, 0);
    f->align_offset_ns = (int64_t)passtime_event_u64(event, PASSTIME_KEY_ALIGN_OFFSET, 0);
    f->align_bound_ns = passtime_event_u64(event, PASSTIME_KEY_ALIGN_BOUND, UINT64_MAX);
}

void passtime_frame_start(struct passtime_reader *r, uint32_t context,
                          const struct passtime_read_event *event)
{
    passtime_frame_finish(r, context);
    struct passtime_read_frame *building = &r->contexts[context].frame;
    building->begun = true;
    building->serial++;
    building->next = 0;
    building->open = 0;
    building->arrived_count = 0;
    building->scopes_arrived = 0;
    fill_frame(&building->frame, event);
    building->broken = event->notes[PASSTIME_KEY_FATE].type != PASSTIME_NOTE_TEXT ||
                       building->frame.fate == PASSTIME_FATE_COUNT;
}

/* The frame that an event is part of, or NULL. */
static struct passtime_read_frame *frame_of(struct passtime_reader *r, uint32_t context,
                                            const struct passtime_read_event *event)
{
    struct passtime_read_frame *building = &r->contexts[context].frame;
    if (!building->begun)
        return NULL;
    if (passtime_event_u64(event, PASSTIME_KEY_FRAME, ~building->frame.number) !=
        building->frame.number)
        building->broken = true;
    return building->broken ? NULL : building;
}

void passtime_frame_scope(struct passtime_reader *r, uint32_t context,
                          const struct passtime_read_event *event)
{
    struct passtime_read_frame *building = frame_of(r, context, event);
    if (building == NULL)
        return;
    const uint32_t index = building->scopes_arrived;
    passtime_scope *grown = passtime_grown(building->scopes, index, &building->scopes_capacity,
                                           sizeof *building->scopes);
    if (grown == NULL) {
        r->no_memory = true;
        return;
    }
    building->scopes = grown;
    passtime_scope *scope = &grown[index];
    building->scopes_arrived++;
    scope->name = name_of(r, event);
    scope->series = PASSTIME_NONE;
    scope->parent = passtime_event_u32(event, PASSTIME_KEY_PARENT, PASSTIME_NONE);
    scope->sample_count = passtime_event_u32(event, PASSTIME_KEY_SAMPLES, 0);
    scope->complete = passtime_event_u64(event, PASSTIME_KEY_COMPLETE, 0) != 0;
    scope->busy_ns = passtime_event_u64(event, PASSTIME_KEY_BUSY, 0);
    /* They come in order, and a scope opens after the one around it. */
    if (passtime_event_u32(event, PASSTIME_KEY_SCOPE_INDEX, PASSTIME_NONE) != index ||
        (scope->parent != PASSTIME_NONE && scope->parent >= index))
        building->broken = true;
}

static bool fill_sample(struct passtime_read_sample *s, const passtime_frame *frame,
                        const struct passtime_read_event *event)
{
    passtime_sample *sample = &s->sample;
    memset(s, 0, sizeof *s);
    sample->series = PASSTIME_NONE;
    sample->parent = passtime_event_u32(event, PASSTIME_KEY_PARENT, PASSTIME_NONE);
    sample->scope = passtime_event_u32(event, PASSTIME_KEY_SCOPE_INDEX, PASSTIME_NONE);
    sample->queue = passtime_event_u32(event, PASSTIME_KEY_QUEUE, 0);
    sample->flags = passtime_event_u32(event, PASSTIME_KEY_FLAGS, 0);
    sample->clock_epoch = passtime_event_u32(event, PASSTIME_KEY_CLOCK_EPOCH, frame->clock_epoch);
    sample->duration_ns = passtime_event_u64(event, PASSTIME_KEY_DURATION, 0);
    sample->begin_ns = passtime_event_u64(event, PASSTIME_KEY_BEGIN, 0);
    sample->end_ns = passtime_event_u64(event, PASSTIME_KEY_END, 0);
    s->has_exclusive = passtime_event_has(event, PASSTIME_KEY_EXCLUSIVE);
    s->has_attributed = passtime_event_has(event, PASSTIME_KEY_ATTRIBUTED);
    sample->exclusive_ns = passtime_event_u64(event, PASSTIME_KEY_EXCLUSIVE, sample->duration_ns);
    sample->attributed_ns = passtime_event_u64(event, PASSTIME_KEY_ATTRIBUTED, sample->duration_ns);
    sample->cpu_begin_ns = passtime_event_u64(event, PASSTIME_KEY_CPU_BEGIN, 0);
    sample->cpu_end_ns = passtime_event_u64(event, PASSTIME_KEY_CPU_END, 0);
    if (!passtime_event_has(event, PASSTIME_KEY_SOURCE) ||
        event->notes[PASSTIME_KEY_SOURCE].type != PASSTIME_NOTE_TEXT ||
        event->notes[PASSTIME_KEY_VERDICT].type != PASSTIME_NOTE_TEXT)
        return false;
    sample->verdict = passtime_verdict_of(event->notes[PASSTIME_KEY_VERDICT].bytes);
    sample->source = passtime_source_of(event->notes[PASSTIME_KEY_SOURCE].bytes);
    return sample->verdict != PASSTIME_VERDICT_COUNT && sample->source != PASSTIME_SOURCE_COUNT;
}

uint32_t passtime_frame_sample(struct passtime_reader *r, uint32_t context,
                               const struct passtime_read_event *event)
{
    struct passtime_read_frame *building = frame_of(r, context, event);
    if (building == NULL)
        return PASSTIME_NONE;
    struct passtime_read_sample *grown =
        passtime_grown(building->arrived, building->arrived_count, &building->arrived_capacity,
                       sizeof *building->arrived);
    if (grown == NULL) {
        r->no_memory = true;
        return PASSTIME_NONE;
    }
    building->arrived = grown;
    struct passtime_read_sample *s = &grown[building->arrived_count];
    building->broken = !fill_sample(s, &building->frame, event);
    s->sample.name = name_of(r, event);
    s->index = passtime_event_u32(event, PASSTIME_KEY_INDEX, building->next);
    building->next = s->index + 1;
    s->open = event->type == 1;
    if (s->open) {
        s->sample.begin_ns = event->at_ns;
        building->open++;
        building->broken = building->broken || event->clock_id < FIRST_SEQUENCE_CLOCK;
    }
    return building->arrived_count++;
}

void passtime_frame_sample_end(struct passtime_reader *r, uint32_t context, uint32_t arrival,
                               uint64_t end_ns)
{
    struct passtime_read_frame *building = &r->contexts[context].frame;
    if (arrival >= building->arrived_count || !building->arrived[arrival].open)
        return;
    struct passtime_read_sample *s = &building->arrived[arrival];
    s->open = false;
    building->open--;
    building->broken = building->broken || end_ns < s->sample.begin_ns;
    s->sample.end_ns = end_ns;
    s->sample.duration_ns = end_ns - s->sample.begin_ns;
    if (!s->has_exclusive)
        s->sample.exclusive_ns = s->sample.duration_ns;
    if (!s->has_attributed)
        s->sample.attributed_ns = s->sample.duration_ns;
}

/* Puts the samples in the frame's order; false where the indices are no order, or a parent comes
 * after. */
static bool arrange(struct passtime_read_frame *building)
{
    const uint32_t count = building->arrived_count;
    for (uint32_t i = 0; i < count; i++)
        building->samples[i].name = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct passtime_read_sample *s = &building->arrived[i];
        const passtime_sample *sample = &s->sample;
        if (s->index >= count || building->samples[s->index].name != NULL ||
            (sample->parent != PASSTIME_NONE && sample->parent >= s->index) ||
            (sample->scope != PASSTIME_NONE && sample->scope >= building->scopes_arrived))
            return false;
        building->samples[s->index] = *sample;
    }
    return true;
}

static bool make_whole(struct passtime_reader *r, struct passtime_read_frame *building)
{
    passtime_frame *f = &building->frame;
    if (building->broken || building->open != 0 || f->sample_count != building->arrived_count ||
        f->scope_count != building->scopes_arrived)
        return false;
    if (building->samples_capacity < building->arrived_capacity) {
        passtime_sample *grown =
            realloc(building->samples, building->arrived_capacity * sizeof *building->samples);
        if (grown == NULL) {
            r->no_memory = true;
            return false;
        }
        building->samples = grown;
        building->samples_capacity = building->arrived_capacity;
    }
    f->samples = building->samples;
    f->scopes = building->scopes;
    return arrange(building);
}

void passtime_frame_finish(struct passtime_reader *r, uint32_t number)
{
    struct passtime_read_context *context = &r->contexts[number];
    if (!context->frame.begun)
        return;
    context->frame.begun = false;
    if (!make_whole(r, &context->frame)) {
        context->frames_broken++;
        return;
    }
    context->frame_count++;
    if (context->rebuild == NULL)
        context->rebuild = passtime_rebuild_create(r->file_bytes);
    if (context->rebuild == NULL ||
        !passtime_rebuild_frame(context->rebuild, &context->frame.frame, context->frame.samples))
        r->no_memory = true;
    if (r->visitor != NULL && !r->no_memory)
        r->visitor->frame(r->visitor->user, number, &context->frame.frame);
}
