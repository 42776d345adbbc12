/* SPDX-License-Identifier: MIT */
/* Packets taken apart: sequences and their interned texts, tracks, events. Unknown fields are
 * skipped. */
#include "read/reader.h"

#include "passtime_trace.pb.h"

#include <string.h>

enum { CPU_CLOCK = 3, ROOT_NAME_BYTES = 8 };

/* The parts of a packet that matter here, in the order that they are to be looked at. */
struct parts {
    uint32_t sequence_id;
    uint64_t flags;
    uint64_t at_ns;
    uint32_t clock_id; /* 0: the sequence's */
    struct passtime_bytes defaults;
    struct passtime_bytes interned;
    struct passtime_bytes descriptor;
    struct passtime_bytes event;
};

static void put(struct passtime_reader *r, enum passtime_map_kind kind, uint32_t generation,
                uint64_t iid, uint64_t number, const char *text)
{
    const struct passtime_map_entry entry = {iid, generation, kind, number, text};
    if (!passtime_map_put(&r->map, &entry))
        r->no_memory = true;
}

/* The state of a sequence, made where it is new; NULL: too many. */
static struct passtime_read_sequence *sequence_of(struct passtime_reader *r, uint32_t id)
{
    const struct passtime_map_entry *known =
        passtime_map_get(&r->map, PASSTIME_MAP_SEQUENCE, 0, id);
    if (known != NULL)
        return &r->sequences[known->number];
    if (r->sequence_count == PASSTIME_READ_SEQUENCES)
        return NULL;
    struct passtime_read_sequence *grown = passtime_grown(
        r->sequences, r->sequence_count, &r->sequence_capacity, sizeof *r->sequences);
    if (grown == NULL) {
        r->no_memory = true;
        return NULL;
    }
    r->sequences = grown;
    put(r, PASSTIME_MAP_SEQUENCE, 0, id, r->sequence_count, NULL);
    grown[r->sequence_count] = (struct passtime_read_sequence){++r->generations, CPU_CLOCK, 0};
    return &grown[r->sequence_count++];
}

static void read_defaults(struct passtime_read_sequence *sequence, struct passtime_bytes bytes)
{
    struct passtime_wire wire = passtime_wire_of(bytes);
    struct passtime_wire_field field;
    while (passtime_wire_next(&wire, &field)) {
        if (field.tag == passtime_TracePacketDefaults_timestamp_clock_id_tag)
            sequence->clock_id = (uint32_t)field.value;
        if (field.tag != passtime_TracePacketDefaults_track_event_defaults_tag)
            continue;
        struct passtime_wire inner = passtime_wire_of(field.bytes);
        while (passtime_wire_next(&inner, &field))
            if (field.tag == passtime_TrackEventDefaults_track_uuid_tag)
                sequence->track_uuid = field.value;
    }
}

/* EventName, DebugAnnotationName and InternedString have the same two fields. */
static bool read_interned_text(struct passtime_bytes bytes, uint64_t *iid,
                               struct passtime_bytes *text)
{
    struct passtime_wire wire = passtime_wire_of(bytes);
    struct passtime_wire_field field;
    *iid = 0;
    *text = (struct passtime_bytes){NULL, 0};
    while (passtime_wire_next(&wire, &field)) {
        if (field.tag == passtime_InternedString_iid_tag)
            *iid = field.value;
        if (field.tag == passtime_InternedString_str_tag)
            *text = field.bytes;
    }
    return !wire.bad && *iid != 0;
}

static void keep_text(struct passtime_reader *r, enum passtime_map_kind kind, uint32_t generation,
                      uint64_t iid, struct passtime_bytes text)
{
    const char *kept = passtime_texts_keep(&r->texts, text.at, text.size);
    if (kept == NULL)
        r->no_memory = true;
    else
        put(r, kind, generation, iid, 0, kept);
}

static void read_interned(struct passtime_reader *r, uint32_t generation,
                          struct passtime_bytes bytes)
{
    struct passtime_wire wire = passtime_wire_of(bytes);
    struct passtime_wire_field field;
    uint64_t iid = 0;
    struct passtime_bytes text;
    while (passtime_wire_next(&wire, &field)) {
        if (!read_interned_text(field.bytes, &iid, &text))
            continue;
        if (field.tag == passtime_InternedData_debug_annotation_names_tag) {
            const enum passtime_key key = passtime_key_find((const char *)text.at, text.size);
            if (key != PASSTIME_KEY_COUNT)
                put(r, PASSTIME_MAP_KEY, generation, iid, key, NULL);
        } else if (field.tag == passtime_InternedData_event_names_tag) {
            keep_text(r, PASSTIME_MAP_NAME, generation, iid, text);
        } else if (field.tag == passtime_InternedData_debug_annotation_string_values_tag) {
            keep_text(r, PASSTIME_MAP_VALUE, generation, iid, text);
        }
    }
}

static void begin_context(struct passtime_reader *r, uint64_t uuid)
{
    if (r->context_count == PASSTIME_READ_CONTEXTS ||
        passtime_map_get(&r->map, PASSTIME_MAP_ROOT, 0, uuid) != NULL)
        return;
    struct passtime_read_context *grown =
        passtime_grown(r->contexts, r->context_count, &r->context_capacity, sizeof *r->contexts);
    if (grown == NULL) {
        r->no_memory = true;
        return;
    }
    r->contexts = grown;
    memset(&grown[r->context_count], 0, sizeof grown[0]);
    grown[r->context_count].series_expected = UINT64_MAX;
    put(r, PASSTIME_MAP_ROOT, 0, uuid, r->context_count++, NULL);
}

/* Only tracks right below a root of ours matter, so that no chain of parents is ever followed. */
static void begin_track(struct passtime_reader *r, uint64_t uuid, uint64_t parent_uuid)
{
    const struct passtime_map_entry *root =
        passtime_map_get(&r->map, PASSTIME_MAP_ROOT, 0, parent_uuid);
    if (root == NULL || r->track_count == PASSTIME_READ_TRACKS ||
        passtime_map_get(&r->map, PASSTIME_MAP_TRACK, 0, uuid) != NULL)
        return;
    struct passtime_read_track *grown =
        passtime_grown(r->tracks, r->track_count, &r->track_capacity, sizeof *r->tracks);
    if (grown == NULL) {
        r->no_memory = true;
        return;
    }
    r->tracks = grown;
    memset(&grown[r->track_count], 0, sizeof grown[0]);
    grown[r->track_count].context = (uint32_t)root->number;
    put(r, PASSTIME_MAP_TRACK, 0, uuid, r->track_count++, NULL);
}

/* A process that calls itself "passtime" or "passtime: …" is the root of a context. */
static bool is_root(struct passtime_bytes process)
{
    struct passtime_wire wire = passtime_wire_of(process);
    struct passtime_wire_field field;
    bool found = false;
    while (passtime_wire_next(&wire, &field))
        if (field.tag == passtime_ProcessDescriptor_process_name_tag)
            found = field.bytes.size >= ROOT_NAME_BYTES &&
                    memcmp(field.bytes.at, "passtime", ROOT_NAME_BYTES) == 0 &&
                    (field.bytes.size == ROOT_NAME_BYTES || field.bytes.at[ROOT_NAME_BYTES] == ':');
    return found;
}

static void read_descriptor(struct passtime_reader *r, struct passtime_bytes bytes)
{
    struct passtime_wire wire = passtime_wire_of(bytes);
    struct passtime_wire_field field;
    uint64_t uuid = 0;
    uint64_t parent_uuid = 0;
    bool root = false;
    while (passtime_wire_next(&wire, &field)) {
        if (field.tag == passtime_TrackDescriptor_uuid_tag)
            uuid = field.value;
        else if (field.tag == passtime_TrackDescriptor_parent_uuid_tag)
            parent_uuid = field.value;
        else if (field.tag == passtime_TrackDescriptor_process_tag)
            root = is_root(field.bytes);
    }
    if (wire.bad)
        return;
    if (root)
        begin_context(r, uuid);
    else
        begin_track(r, uuid, parent_uuid);
}

static const char *text_of(const struct passtime_reader *r, enum passtime_map_kind kind,
                           uint32_t generation, uint64_t iid)
{
    const struct passtime_map_entry *entry = passtime_map_get(&r->map, kind, generation, iid);
    return entry != NULL ? entry->text : NULL;
}

static void set_text(struct passtime_note *note, const char *text)
{
    note->type = PASSTIME_NOTE_TEXT;
    note->bytes.at = (const uint8_t *)text;
    note->bytes.size = text != NULL ? strlen(text) : 0;
}

static void note_field(const struct passtime_reader *r, uint32_t generation,
                       const struct passtime_wire_field *field, struct passtime_note *note)
{
    switch (field->tag) {
    case passtime_DebugAnnotation_bool_value_tag:
    case passtime_DebugAnnotation_uint_value_tag:
    case passtime_DebugAnnotation_int_value_tag:
        note->type = PASSTIME_NOTE_NUMBER;
        note->number = field->value;
        break;
    case passtime_DebugAnnotation_double_value_tag:
        note->type = PASSTIME_NOTE_DOUBLE;
        memcpy(&note->real, &field->value, sizeof note->real);
        break;
    case passtime_DebugAnnotation_string_value_tag:
        note->type = PASSTIME_NOTE_TEXT;
        note->bytes = field->bytes;
        break;
    case passtime_DebugAnnotation_string_value_iid_tag:
        set_text(note, text_of(r, PASSTIME_MAP_VALUE, generation, field->value));
        break;
    default:
        break;
    }
}

bool passtime_note_read(const struct passtime_reader *r, uint32_t generation,
                        struct passtime_bytes bytes, struct passtime_note *note,
                        struct passtime_bytes *name, enum passtime_key *key)
{
    struct passtime_wire wire = passtime_wire_of(bytes);
    struct passtime_wire_field field;
    const struct passtime_map_entry *known = NULL;
    /* What has no value at all is an empty dict. */
    *note = (struct passtime_note){PASSTIME_NOTE_DICT, 0, 0.0, bytes};
    *name = (struct passtime_bytes){NULL, 0};
    while (passtime_wire_next(&wire, &field)) {
        if (field.tag == passtime_DebugAnnotation_name_tag)
            *name = field.bytes;
        else if (field.tag == passtime_DebugAnnotation_name_iid_tag)
            known = passtime_map_get(&r->map, PASSTIME_MAP_KEY, generation, field.value);
        else
            note_field(r, generation, &field, note);
    }
    *key = known != NULL ? (enum passtime_key)known->number : PASSTIME_KEY_COUNT;
    if (name->at != NULL)
        *key = passtime_key_find((const char *)name->at, name->size);
    return !wire.bad;
}

static void read_event(struct passtime_reader *r, const struct passtime_read_sequence *sequence,
                       const struct parts *parts)
{
    struct passtime_read_event event;
    struct passtime_wire wire = passtime_wire_of(parts->event);
    struct passtime_wire_field field;
    event.at_ns = parts->at_ns;
    event.clock_id = parts->clock_id != 0 ? parts->clock_id : sequence->clock_id;
    event.type = 0;
    event.track_uuid = sequence->track_uuid;
    event.name = NULL;
    event.raw_name = (struct passtime_bytes){NULL, 0};
    event.present = 0;
    while (passtime_wire_next(&wire, &field)) {
        if (field.tag == passtime_TrackEvent_type_tag) {
            event.type = field.value;
        } else if (field.tag == passtime_TrackEvent_track_uuid_tag) {
            event.track_uuid = field.value;
        } else if (field.tag == passtime_TrackEvent_name_tag) {
            event.raw_name = field.bytes;
        } else if (field.tag == passtime_TrackEvent_name_iid_tag) {
            event.name = text_of(r, PASSTIME_MAP_NAME, sequence->generation, field.value);
        } else if (field.tag == passtime_TrackEvent_debug_annotations_tag) {
            struct passtime_note note;
            struct passtime_bytes name;
            enum passtime_key key = PASSTIME_KEY_COUNT;
            if (passtime_note_read(r, sequence->generation, field.bytes, &note, &name, &key) &&
                key != PASSTIME_KEY_COUNT) {
                event.present |= (uint64_t)1 << key;
                event.notes[key] = note;
            }
        }
    }
    if (wire.bad)
        r->packets_bad++;
    else
        passtime_reader_event(r, &event);
}

static bool take_apart(struct passtime_bytes packet, struct parts *parts)
{
    struct passtime_wire wire = passtime_wire_of(packet);
    struct passtime_wire_field field;
    memset(parts, 0, sizeof *parts);
    while (passtime_wire_next(&wire, &field)) {
        if (field.tag == passtime_TracePacket_timestamp_tag)
            parts->at_ns = field.value;
        else if (field.tag == passtime_TracePacket_trusted_packet_sequence_id_tag)
            parts->sequence_id = (uint32_t)field.value;
        else if (field.tag == passtime_TracePacket_sequence_flags_tag)
            parts->flags = field.value;
        else if (field.tag == passtime_TracePacket_timestamp_clock_id_tag)
            parts->clock_id = (uint32_t)field.value;
        else if (field.tag == passtime_TracePacket_trace_packet_defaults_tag)
            parts->defaults = field.bytes;
        else if (field.tag == passtime_TracePacket_interned_data_tag)
            parts->interned = field.bytes;
        else if (field.tag == passtime_TracePacket_track_descriptor_tag)
            parts->descriptor = field.bytes;
        else if (field.tag == passtime_TracePacket_track_event_tag)
            parts->event = field.bytes;
    }
    return !wire.bad;
}

void passtime_reader_packet(struct passtime_reader *r, struct passtime_bytes packet)
{
    struct parts parts;
    r->packets++;
    if (!take_apart(packet, &parts)) {
        r->packets_bad++;
        return;
    }
    if (parts.descriptor.at != NULL)
        read_descriptor(r, parts.descriptor);
    const bool cleared =
        (parts.flags & passtime_TracePacket_SequenceFlags_SEQ_INCREMENTAL_STATE_CLEARED) != 0;
    if (!cleared && parts.defaults.at == NULL && parts.interned.at == NULL &&
        parts.event.at == NULL)
        return;
    struct passtime_read_sequence *sequence = sequence_of(r, parts.sequence_id);
    if (sequence == NULL)
        return;
    if (cleared)
        *sequence = (struct passtime_read_sequence){++r->generations, CPU_CLOCK, 0};
    if (parts.defaults.at != NULL)
        read_defaults(sequence, parts.defaults);
    if (parts.interned.at != NULL)
        read_interned(r, sequence->generation, parts.interned);
    if (parts.event.at != NULL)
        read_event(r, sequence, &parts);
}
