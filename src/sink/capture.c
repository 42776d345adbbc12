/* SPDX-License-Identifier: MIT */
/* A capture takes frames; see passtime/sink.h and docs/captures.md. */
#include "sink/capture.h"

passtime_result passtime_capture_begin(passtime_capture *c, uint64_t number)
{
    c->uuid_base = ((number & 0xffffff) | 1) << 10;
    c->sequence_id = (uint32_t)(number >> 24 & 0x3fff) + 1;
    passtime_sequence_begin(c);
    passtime_tracks_begin(c);
    return passtime_capture_flush(c);
}

/* Once a frame finds no room, none after it is written either: the events are the beginning of the
 * run. */
passtime_result passtime_capture_frame(passtime_capture *c, const passtime_frame *frame)
{
    if (c == NULL || frame == NULL || c->summed_up)
        return PASSTIME_INVALID;
    if (c->broken)
        return PASSTIME_IO;
    const uint64_t events = 1 + (uint64_t)frame->scope_count + frame->sample_count;
    if (c->events_lost != 0 || events > c->max_events - c->events) {
        c->events_lost += events;
        return PASSTIME_FULL;
    }
    c->events += events;
    passtime_capture_write_frame(c, frame);
    return c->broken ? PASSTIME_IO : PASSTIME_OK;
}

uint64_t passtime_capture_events_lost(const passtime_capture *c)
{
    return c != NULL ? c->events_lost : 0;
}
