/* SPDX-License-Identifier: MIT */
/* What an event says: told by its annotations, not by the name of its track. */
#include "read/reader.h"

#include <string.h>

enum { BEGIN = 1, END = 2, INSTANT = 3 };

bool passtime_event_has(const struct passtime_read_event *event, enum passtime_key key)
{
    return (event->present >> key & 1) != 0;
}

uint64_t passtime_event_u64(const struct passtime_read_event *event, enum passtime_key key,
                            uint64_t otherwise)
{
    return passtime_event_has(event, key) && event->notes[key].type == PASSTIME_NOTE_NUMBER
               ? event->notes[key].number
               : otherwise;
}

uint32_t passtime_event_u32(const struct passtime_read_event *event, enum passtime_key key,
                            uint32_t otherwise)
{
    const uint64_t value = passtime_event_u64(event, key, otherwise);
    return value <= UINT32_MAX ? (uint32_t)value : otherwise;
}

bool passtime_bytes_are(struct passtime_bytes bytes, const char *text)
{
    return bytes.at != NULL && bytes.size == strlen(text) &&
           memcmp(bytes.at, text, bytes.size) == 0;
}

passtime_verdict passtime_verdict_of(struct passtime_bytes text)
{
    unsigned i = 0;
    while (i < PASSTIME_VERDICT_COUNT &&
           !passtime_bytes_are(text, passtime_verdict_name((passtime_verdict)i)))
        i++;
    return (passtime_verdict)i;
}

passtime_source passtime_source_of(struct passtime_bytes text)
{
    unsigned i = 0;
    while (i < PASSTIME_SOURCE_COUNT &&
           !passtime_bytes_are(text, passtime_source_name((passtime_source)i)))
        i++;
    return (passtime_source)i;
}

passtime_fate passtime_fate_of(struct passtime_bytes text)
{
    unsigned i = 0;
    while (i < PASSTIME_FATE_COUNT &&
           !passtime_bytes_are(text, passtime_fate_name((passtime_fate)i)))
        i++;
    return (passtime_fate)i;
}

/* What is open on a track is about one frame: one that begins ends what was left of the last. */
static void push(const struct passtime_reader *r, struct passtime_read_track *track,
                 uint32_t arrival)
{
    const uint64_t serial = r->contexts[track->context].frame.serial;
    if (track->serial != serial) {
        track->serial = serial;
        track->depth = 0;
    }
    if (track->depth < PASSTIME_READ_NESTING)
        track->open[track->depth] = arrival;
    track->depth++;
}

static void pop(struct passtime_reader *r, struct passtime_read_track *track,
                const struct passtime_read_event *event)
{
    if (track->depth == 0 || track->serial != r->contexts[track->context].frame.serial)
        return;
    track->depth--;
    if (track->depth < PASSTIME_READ_NESTING && track->open[track->depth] != PASSTIME_NONE)
        passtime_frame_sample_end(r, track->context, track->open[track->depth], event->at_ns);
}

static void read_main(struct passtime_reader *r, uint32_t number,
                      const struct passtime_read_event *event)
{
    struct passtime_read_context *context = &r->contexts[number];
    if (passtime_bytes_are(event->raw_name, "passtime.context")) {
        passtime_summary_context(r, context, event);
    } else if (passtime_bytes_are(event->raw_name, "passtime.summary")) {
        passtime_frame_finish(r, number);
        passtime_summary_start(r, context, event);
    } else if (passtime_bytes_are(event->raw_name, "passtime.series")) {
        passtime_summary_series(r, context, event);
    } else if (passtime_bytes_are(event->raw_name, "passtime.counter")) {
        passtime_summary_counter(r, context, event);
    }
}

static void read_begin(struct passtime_reader *r, struct passtime_read_track *track,
                       const struct passtime_read_event *event)
{
    uint32_t arrival = PASSTIME_NONE;
    if (passtime_event_has(event, PASSTIME_KEY_FATE))
        passtime_frame_start(r, track->context, event);
    else if (passtime_event_has(event, PASSTIME_KEY_VERDICT))
        arrival = passtime_frame_sample(r, track->context, event);
    push(r, track, arrival);
}

static void read_instant(struct passtime_reader *r, uint32_t context,
                         const struct passtime_read_event *event)
{
    if (passtime_event_has(event, PASSTIME_KEY_FATE))
        passtime_frame_start(r, context, event);
    else if (passtime_event_has(event, PASSTIME_KEY_VERDICT))
        (void)passtime_frame_sample(r, context, event);
    else if (passtime_event_has(event, PASSTIME_KEY_COMPLETE))
        passtime_frame_scope(r, context, event);
    else
        read_main(r, context, event);
}

void passtime_reader_event(struct passtime_reader *r, struct passtime_read_event *event)
{
    const struct passtime_map_entry *known =
        passtime_map_get(&r->map, PASSTIME_MAP_TRACK, 0, event->track_uuid);
    if (known == NULL)
        return;
    struct passtime_read_track *track = &r->tracks[known->number];
    if (event->type == BEGIN)
        read_begin(r, track, event);
    else if (event->type == END)
        pop(r, track, event);
    else if (event->type == INSTANT)
        read_instant(r, track->context, event);
}
