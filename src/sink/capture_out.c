/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a capture: packets gather in a buffer, and the buffer goes to the writer in one
 * piece.
 */
#include "sink/capture.h"

#include "passtime_trace.pb.h"

#include <string.h>

passtime_result passtime_capture_flush(passtime_capture *c)
{
    const size_t size = c->used;
    c->used = 0;
    if (c->broken)
        return PASSTIME_IO;
    if (size == 0)
        return PASSTIME_OK;
    c->broken = !c->writer.write(c->writer.user, c->buffer, size);
    return c->broken ? PASSTIME_IO : PASSTIME_OK;
}

struct passtime_packet *passtime_capture_packet(passtime_capture *c)
{
    if (sizeof c->buffer - c->used < PASSTIME_CAPTURE_ROOM)
        (void)passtime_capture_flush(c);
    passtime_packet_begin(&c->packet, c->buffer + c->used, sizeof c->buffer - c->used);
    return &c->packet;
}

void passtime_capture_commit(passtime_capture *c)
{
    const size_t bytes = passtime_packet_end(&c->packet);
    if (bytes == 0)
        c->events_lost++;
    c->used += bytes;
}

void passtime_event_open(passtime_capture *c, const struct passtime_event *event)
{
    struct passtime_packet *p = passtime_capture_packet(c);
    const uint32_t usual = c->clock.running ? c->clock.id : PASSTIME_CPU_CLOCK;
    passtime_packet_u64(p, passtime_TracePacket_timestamp_tag, event->at_ns);
    if (event->clock_id != usual)
        passtime_packet_u64(p, passtime_TracePacket_timestamp_clock_id_tag, event->clock_id);
    passtime_packet_u64(p, passtime_TracePacket_trusted_packet_sequence_id_tag, c->sequence_id);
    passtime_packet_u64(p, passtime_TracePacket_sequence_flags_tag,
                        passtime_TracePacket_SequenceFlags_SEQ_NEEDS_INCREMENTAL_STATE);
    passtime_packet_open(p, passtime_TracePacket_track_event_tag);
    passtime_packet_u64(p, passtime_TrackEvent_type_tag, event->type);
    if (event->track_uuid != passtime_default_track(c))
        passtime_packet_u64(p, passtime_TrackEvent_track_uuid_tag, event->track_uuid);
}

void passtime_event_close(passtime_capture *c)
{
    passtime_packet_close(&c->packet);
    passtime_capture_commit(c);
}

void passtime_event_name(passtime_capture *c, const char *name)
{
    passtime_packet_text(&c->packet, passtime_TrackEvent_name_tag, name, strlen(name));
}

static struct passtime_packet *note_open(passtime_capture *c, enum passtime_key key)
{
    passtime_packet_open(&c->packet, passtime_TrackEvent_debug_annotations_tag);
    passtime_packet_u64(&c->packet, passtime_DebugAnnotation_name_iid_tag, (uint64_t)key + 1);
    return &c->packet;
}

void passtime_note_u64(passtime_capture *c, enum passtime_key key, uint64_t value)
{
    passtime_packet_u64(note_open(c, key), passtime_DebugAnnotation_uint_value_tag, value);
    passtime_packet_close(&c->packet);
}

void passtime_note_i64(passtime_capture *c, enum passtime_key key, int64_t value)
{
    passtime_packet_i64(note_open(c, key), passtime_DebugAnnotation_int_value_tag, value);
    passtime_packet_close(&c->packet);
}

void passtime_note_bool(passtime_capture *c, enum passtime_key key, bool value)
{
    passtime_packet_u64(note_open(c, key), passtime_DebugAnnotation_bool_value_tag, value);
    passtime_packet_close(&c->packet);
}

void passtime_note_text(passtime_capture *c, enum passtime_key key, const char *text)
{
    passtime_packet_text(note_open(c, key), passtime_DebugAnnotation_string_value_tag, text,
                         strlen(text));
    passtime_packet_close(&c->packet);
}

void passtime_note_value(passtime_capture *c, enum passtime_key key, uint64_t value_iid)
{
    passtime_packet_u64(note_open(c, key), passtime_DebugAnnotation_string_value_iid_tag,
                        value_iid);
    passtime_packet_close(&c->packet);
}
