/* SPDX-License-Identifier: MIT */
/*
 * What a capture's events refer to: the packet sequence with its interned texts, and the tracks.
 * Both are written before their first use, so that a file cut off anywhere can be read up to there.
 */
#include "sink/capture.h"
#include "sink/text.h"

#include "core/names.h"

#include "passtime_trace.pb.h"

#include <string.h>

/* Interned values: the library's own words first, names of scopes after them. */
enum { VERDICT_IID = 1, SOURCE_IID = 32, FATE_IID = 48, NAME_IID = 64 };

uint64_t passtime_verdict_iid(passtime_verdict verdict)
{
    return VERDICT_IID + (uint64_t)verdict;
}

uint64_t passtime_source_iid(passtime_source source)
{
    return SOURCE_IID + (uint64_t)source;
}

uint64_t passtime_fate_iid(passtime_fate fate)
{
    return FATE_IID + (uint64_t)fate;
}

uint64_t passtime_name_iid(const passtime_capture *c, const struct passtime_interned *name)
{
    return (uint64_t)(name - c->names.names) + 1;
}

uint64_t passtime_name_value_iid(const passtime_capture *c, const struct passtime_interned *name)
{
    return NAME_IID + (uint64_t)(name - c->names.names);
}

/* EventName, DebugAnnotationName and InternedString all have the number as 1 and the text as 2. */
static void intern(struct passtime_packet *p, uint32_t tag, uint64_t iid, const char *text)
{
    passtime_packet_open(p, tag);
    passtime_packet_u64(p, passtime_InternedString_iid_tag, iid);
    passtime_packet_text(p, passtime_InternedString_str_tag, text, strlen(text));
    passtime_packet_close(p);
}

static void intern_words(struct passtime_packet *p)
{
    const uint32_t value = passtime_InternedData_debug_annotation_string_values_tag;
    for (unsigned i = 0; i < PASSTIME_KEY_COUNT; i++)
        intern(p, passtime_InternedData_debug_annotation_names_tag, i + 1,
               passtime_key_name((enum passtime_key)i));
    for (unsigned i = 0; i < PASSTIME_VERDICT_COUNT; i++)
        intern(p, value, VERDICT_IID + i, passtime_verdict_name((passtime_verdict)i));
    for (unsigned i = 0; i < PASSTIME_SOURCE_COUNT; i++)
        intern(p, value, SOURCE_IID + i, passtime_source_name((passtime_source)i));
    for (unsigned i = 0; i < PASSTIME_FATE_COUNT; i++)
        intern(p, value, FATE_IID + i, passtime_fate_name((passtime_fate)i));
}

void passtime_sequence_begin(passtime_capture *c)
{
    passtime_intern_clear(&c->names);
    struct passtime_packet *p = passtime_capture_packet(c);
    passtime_packet_u64(p, passtime_TracePacket_trusted_packet_sequence_id_tag, c->sequence_id);
    passtime_packet_u64(p, passtime_TracePacket_sequence_flags_tag,
                        passtime_TracePacket_SequenceFlags_SEQ_INCREMENTAL_STATE_CLEARED);
    passtime_packet_open(p, passtime_TracePacket_trace_packet_defaults_tag);
    passtime_packet_open(p, passtime_TracePacketDefaults_track_event_defaults_tag);
    passtime_packet_u64(p, passtime_TrackEventDefaults_track_uuid_tag, passtime_default_track(c));
    passtime_packet_close(p);
    passtime_packet_u64(p, passtime_TracePacketDefaults_timestamp_clock_id_tag,
                        c->clock.running ? c->clock.id : PASSTIME_CPU_CLOCK);
    passtime_packet_close(p);
    passtime_packet_open(p, passtime_TracePacket_interned_data_tag);
    intern_words(p);
    passtime_packet_close(p);
    passtime_capture_commit(c);
}

static void write_name(passtime_capture *c, struct passtime_interned *name, bool as_name,
                       bool as_value)
{
    as_name = as_name && !name->as_name;
    as_value = as_value && !name->as_value;
    if (!as_name && !as_value)
        return;
    struct passtime_packet *p = passtime_capture_packet(c);
    passtime_packet_u64(p, passtime_TracePacket_trusted_packet_sequence_id_tag, c->sequence_id);
    passtime_packet_u64(p, passtime_TracePacket_sequence_flags_tag,
                        passtime_TracePacket_SequenceFlags_SEQ_NEEDS_INCREMENTAL_STATE);
    passtime_packet_open(p, passtime_TracePacket_interned_data_tag);
    if (as_name)
        intern(p, passtime_InternedData_event_names_tag, passtime_name_iid(c, name), name->text);
    if (as_value)
        intern(p, passtime_InternedData_debug_annotation_string_values_tag,
               passtime_name_value_iid(c, name), name->text);
    passtime_packet_close(p);
    passtime_capture_commit(c);
    name->as_name = name->as_name || as_name;
    name->as_value = name->as_value || as_value;
}

/* Sees to it that the file knows a name for events and, unless `value` is NULL, one for values. */
void passtime_names_write(passtime_capture *c, const char *name, const char *value,
                          const struct passtime_interned *out[2])
{
    struct passtime_interned *first = passtime_intern_get(&c->names, name);
    struct passtime_interned *second = NULL;
    if (value != NULL)
        second = passtime_intern_get(&c->names, value);
    if (first == NULL || (value != NULL && second == NULL)) {
        passtime_sequence_begin(c);
        first = passtime_intern_get(&c->names, name);
        if (value != NULL)
            second = passtime_intern_get(&c->names, value);
    }
    write_name(c, first, true, false);
    if (second != NULL)
        write_name(c, second, false, true);
    out[0] = first;
    out[1] = second;
}

uint64_t passtime_track_uuid(const passtime_capture *c, uint32_t number)
{
    return c->uuid_base + number;
}

/* The first lane of GPU queue 0 is what an event is on that names no track. */
uint64_t passtime_default_track(const passtime_capture *c)
{
    return passtime_track_uuid(c, (PASSTIME_GROUP_GPU + 1) * 32);
}

static void describe(passtime_capture *c, uint32_t number, const char *name, int rank, bool counter)
{
    struct passtime_packet *p = passtime_capture_packet(c);
    passtime_packet_u64(p, passtime_TracePacket_trusted_packet_sequence_id_tag, c->sequence_id);
    passtime_packet_open(p, passtime_TracePacket_track_descriptor_tag);
    passtime_packet_u64(p, passtime_TrackDescriptor_uuid_tag, passtime_track_uuid(c, number));
    passtime_packet_text(p, passtime_TrackDescriptor_name_tag, name, strlen(name));
    passtime_packet_u64(p, passtime_TrackDescriptor_parent_uuid_tag,
                        passtime_track_uuid(c, PASSTIME_TRACK_ROOT));
    if (counter) {
        passtime_packet_open(p, passtime_TrackDescriptor_counter_tag);
        passtime_packet_u64(p, passtime_CounterDescriptor_unit_tag,
                            passtime_CounterDescriptor_Unit_UNIT_TIME_NS);
        passtime_packet_close(p);
    }
    passtime_packet_i64(p, passtime_TrackDescriptor_sibling_order_rank_tag, rank);
    passtime_packet_close(p);
    passtime_capture_commit(c);
}

static void describe_root(passtime_capture *c)
{
    char name[PASSTIME_NAME_BYTES + 16] = "passtime";
    const char *adapter = c->about.adapter.name;
    if (adapter != NULL) {
        memcpy(name + 8, ": ", 2);
        (void)passtime_names_clean(adapter, strlen(adapter), name + 10);
    }
    struct passtime_packet *p = passtime_capture_packet(c);
    passtime_packet_u64(p, passtime_TracePacket_trusted_packet_sequence_id_tag, c->sequence_id);
    passtime_packet_open(p, passtime_TracePacket_track_descriptor_tag);
    passtime_packet_u64(p, passtime_TrackDescriptor_uuid_tag,
                        passtime_track_uuid(c, PASSTIME_TRACK_ROOT));
    passtime_packet_open(p, passtime_TrackDescriptor_process_tag);
    passtime_packet_i64(p, passtime_ProcessDescriptor_pid_tag, c->process_id);
    passtime_packet_text(p, passtime_ProcessDescriptor_process_name_tag, name, strlen(name));
    passtime_packet_close(p);
    passtime_packet_u64(p, passtime_TrackDescriptor_child_ordering_tag,
                        passtime_TrackDescriptor_ChildTracksOrdering_EXPLICIT);
    passtime_packet_close(p);
    passtime_capture_commit(c);
}

void passtime_tracks_begin(passtime_capture *c)
{
    describe_root(c);
    describe(c, PASSTIME_TRACK_BUSY, "GPU busy", 10, true);
    if (c->budget_ns != 0)
        describe(c, PASSTIME_TRACK_BUDGET, "budget", 11, true);
    describe(c, PASSTIME_TRACK_MAIN, "passtime", 40, false);
    for (unsigned kind = 0; kind <= PASSTIME_GROUP_GPU; kind++)
        (void)passtime_group_of(c, (enum passtime_group_kind)kind, 0);
}

struct passtime_group *passtime_group_of(passtime_capture *c, enum passtime_group_kind kind,
                                         uint32_t queue)
{
    for (uint32_t i = 0; i < c->group_count; i++)
        if (c->groups[i].kind == kind && c->groups[i].queue == queue)
            return &c->groups[i];
    if (c->group_count == PASSTIME_GROUPS)
        return NULL;
    struct passtime_group *group = &c->groups[c->group_count++];
    memset(group, 0, sizeof *group);
    group->kind = kind;
    group->queue = queue;
    return group;
}

/* Lanes share a name: viewers then draw them as one track that is several slices high. */
static void describe_lane(passtime_capture *c, const struct passtime_group *group, uint32_t lane,
                          uint32_t number)
{
    static const int ranks[] = {1, 2, 4, 20, 30};
    static const char *const names[] = {"frames", "CPU submit", "scopes", "GPU queue",
                                        "CPU time of passes, queue"};
    char name[96];
    const char *loose = lane == PASSTIME_LOOSE_LANE && group->kind != PASSTIME_GROUP_SCOPES
                            ? ": rejected or without position"
                            : "";
    size_t used = passtime_text_add(name, sizeof name, 0, names[group->kind]);
    if (group->kind >= PASSTIME_GROUP_GPU) {
        used = passtime_text_add(name, sizeof name, used, " ");
        used = passtime_text_add_u64(name, sizeof name, used, group->queue);
    }
    (void)passtime_text_add(name, sizeof name, used, loose);
    describe(c, number, name, ranks[group->kind] + (loose[0] != '\0' ? 1 : 0), false);
}

uint64_t passtime_group_track(passtime_capture *c, struct passtime_group *group, uint32_t lane)
{
    const uint32_t number = (uint32_t)(group - c->groups + 1) * 32 + lane;
    if ((group->described & (1u << lane)) == 0) {
        group->described |= 1u << lane;
        describe_lane(c, group, lane, number);
    }
    return passtime_track_uuid(c, number);
}
