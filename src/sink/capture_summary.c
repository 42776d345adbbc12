/* SPDX-License-Identifier: MIT */
/*
 * The exact statistics, as nested annotations of instants on the "passtime" track: one event for
 * the context, one for each series. They are written in full words rather than interned, so that
 * each can be read by itself.
 */
#include "sink/capture.h"
#include "sink/fields.h"

#include "core/names.h"

#include "passtime_trace.pb.h"

#include <string.h>

enum {
    NOTES = passtime_TrackEvent_debug_annotations_tag,
    ENTRIES = passtime_DebugAnnotation_dict_entries_tag
};

static void put_name(struct passtime_packet *p, uint32_t tag, const char *name)
{
    passtime_packet_open(p, tag);
    passtime_packet_text(p, passtime_DebugAnnotation_name_tag, name, strlen(name));
}

static void put_u64(struct passtime_packet *p, uint32_t tag, const char *name, uint64_t value)
{
    put_name(p, tag, name);
    passtime_packet_u64(p, passtime_DebugAnnotation_uint_value_tag, value);
    passtime_packet_close(p);
}

/* Cuts a text so that no packet outgrows its room; NULL is left out: not known. */
static void put_text(struct passtime_packet *p, uint32_t tag, const char *name, const char *text,
                     size_t most)
{
    if (text == NULL)
        return;
    size_t bytes = strlen(text);
    for (bytes = bytes < most ? bytes : most; bytes > 0 && (text[bytes] & 0xc0) == 0x80;)
        bytes--;
    put_name(p, tag, name);
    passtime_packet_text(p, passtime_DebugAnnotation_string_value_tag, text, bytes);
    passtime_packet_close(p);
}

static void put_field(struct passtime_packet *p, const struct passtime_field *field,
                      const void *object)
{
    const char *at = (const char *)object + field->offset;
    uint32_t small = 0;
    uint64_t large = 0;
    double real = 0.0;
    put_name(p, ENTRIES, field->name);
    if (field->type == PASSTIME_FIELD_U32) {
        memcpy(&small, at, sizeof small);
        passtime_packet_u64(p, passtime_DebugAnnotation_uint_value_tag, small);
    } else if (field->type == PASSTIME_FIELD_DOUBLE) {
        memcpy(&real, at, sizeof real);
        passtime_packet_double(p, passtime_DebugAnnotation_double_value_tag, real);
    } else {
        memcpy(&large, at, sizeof large);
        passtime_packet_u64(p,
                            field->type == PASSTIME_FIELD_I64
                                ? (uint32_t)passtime_DebugAnnotation_int_value_tag
                                : (uint32_t)passtime_DebugAnnotation_uint_value_tag,
                            large);
    }
    passtime_packet_close(p);
}

static void put_fields(struct passtime_packet *p, struct passtime_fields fields, const void *object,
                       uint32_t flags)
{
    for (uint32_t i = 0; i < fields.count; i++)
        if (fields.rows[i].flag == 0 || (flags & fields.rows[i].flag) != 0)
            put_field(p, &fields.rows[i], object);
}

static void put_stats(struct passtime_packet *p, uint32_t tag, const char *name,
                      const passtime_stats *stats)
{
    put_name(p, tag, name);
    put_fields(p, passtime_fields_of_stats(), stats, stats->flags);
    passtime_packet_close(p);
}

static void put_verdicts(struct passtime_packet *p, const uint64_t *verdicts)
{
    put_name(p, ENTRIES, "verdicts");
    for (unsigned i = 0; i < PASSTIME_VERDICT_COUNT; i++)
        if (verdicts[i] != 0)
            put_u64(p, ENTRIES, passtime_verdict_name((passtime_verdict)i), verdicts[i]);
    passtime_packet_close(p);
}

static void put_adapter(struct passtime_packet *p, const passtime_adapter_info *adapter)
{
    put_name(p, NOTES, passtime_key_name(PASSTIME_KEY_ADAPTER));
    put_text(p, ENTRIES, "api", adapter->api, 32);
    put_text(p, ENTRIES, "name", adapter->name, 256);
    put_text(p, ENTRIES, "driver", adapter->driver, 256);
    put_text(p, ENTRIES, "kind", adapter->kind, 32);
    put_name(p, ENTRIES, "software");
    passtime_packet_u64(p, passtime_DebugAnnotation_bool_value_tag, adapter->software);
    passtime_packet_close(p);
    passtime_packet_close(p);
}

static void put_clock(struct passtime_packet *p, const passtime_clock_info *clock)
{
    put_name(p, NOTES, passtime_key_name(PASSTIME_KEY_CLOCK));
    put_text(p, ENTRIES, "source", passtime_source_name(clock->source), 32);
    put_fields(p, passtime_fields_of_clock(), clock, 0);
    passtime_packet_close(p);
}

static void put_ledger(struct passtime_packet *p, const passtime_ledger *ledger)
{
    put_name(p, NOTES, passtime_key_name(PASSTIME_KEY_LEDGER));
    put_fields(p, passtime_fields_of_ledger(), ledger, 0);
    put_name(p, ENTRIES, "fates");
    for (unsigned i = 0; i < PASSTIME_FATE_COUNT; i++)
        if (ledger->fates[i] != 0)
            put_u64(p, ENTRIES, passtime_fate_name((passtime_fate)i), ledger->fates[i]);
    passtime_packet_close(p);
    put_verdicts(p, ledger->verdicts);
    passtime_packet_close(p);
}

static void put_totals(struct passtime_packet *p, const passtime_stats *totals)
{
    put_name(p, NOTES, passtime_key_name(PASSTIME_KEY_TOTALS));
    for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT; i++)
        put_stats(p, ENTRIES, passtime_total_name((passtime_total)i), &totals[i]);
    passtime_packet_close(p);
}

static void put_series(struct passtime_packet *p, const passtime_series_info *series)
{
    put_name(p, NOTES, passtime_key_name(PASSTIME_KEY_SERIES));
    put_text(p, ENTRIES, "kind", series->kind == PASSTIME_SERIES_SCOPE ? "scope" : "pass", 8);
    put_text(p, ENTRIES, "name", series->name, sizeof series->name);
    put_text(p, ENTRIES, "path", series->path, sizeof series->path);
    put_text(p, ENTRIES, "source", passtime_source_name(series->source), 32);
    if (series->parent != PASSTIME_NONE)
        put_u64(p, ENTRIES, "parent", series->parent);
    put_u64(p, ENTRIES, "queue", series->queue);
    put_u64(p, ENTRIES, "flags", series->flags);
    put_u64(p, ENTRIES, "attributed_ns", series->attributed_ns);
    put_verdicts(p, series->verdicts);
    put_stats(p, ENTRIES, "stats", &series->stats);
    passtime_packet_close(p);
}

void passtime_capture_write_context(passtime_capture *c, const struct passtime_event *event)
{
    passtime_event_open(c, event);
    passtime_event_name(c, "passtime.context");
    put_text(&c->packet, NOTES, passtime_key_name(PASSTIME_KEY_TOOL), passtime_version_string(),
             32);
    put_adapter(&c->packet, &c->about.adapter);
    if (c->budget_ns != 0)
        put_u64(&c->packet, NOTES, passtime_key_name(PASSTIME_KEY_BUDGET), c->budget_ns);
    passtime_event_close(c);
}

void passtime_capture_write_summary(passtime_capture *c, const struct passtime_snapshot *snapshot)
{
    passtime_capture_start(c, 0);
    const struct passtime_event event = {PASSTIME_EVENT_INSTANT, PASSTIME_CPU_CLOCK, c->last_cpu_ns,
                                         passtime_track_uuid(c, PASSTIME_TRACK_MAIN)};
    passtime_event_open(c, &event);
    passtime_event_name(c, "passtime.summary");
    struct passtime_packet *p = &c->packet;
    put_text(p, NOTES, passtime_key_name(PASSTIME_KEY_TOOL), passtime_version_string(), 32);
    put_adapter(p, &snapshot->adapter);
    put_clock(p, &snapshot->clock);
    put_ledger(p, &snapshot->ledger);
    put_totals(p, snapshot->totals);
    put_u64(p, NOTES, passtime_key_name(PASSTIME_KEY_BUDGET), snapshot->budget_ns);
    put_u64(p, NOTES, passtime_key_name(PASSTIME_KEY_EVENTS_LOST), snapshot->events_lost);
    put_u64(p, NOTES, passtime_key_name(PASSTIME_KEY_SERIES_COUNT), snapshot->series_count);
    passtime_event_close(c);
    for (uint32_t i = 0; i < snapshot->series_count; i++) {
        passtime_event_open(c, &event);
        passtime_event_name(c, "passtime.series");
        put_u64(p, NOTES, passtime_key_name(PASSTIME_KEY_INDEX), i);
        put_series(p, &snapshot->series[i]);
        passtime_event_close(c);
    }
}

/* One event for each counter of each series: readers that know none of them pass them by. */
static void write_counter(passtime_capture *c, const struct passtime_event *event,
                          const struct passtime_snapshot *snapshot, uint32_t series,
                          uint32_t number)
{
    struct passtime_packet *p = &c->packet;
    const passtime_counter_info *info = &snapshot->counters[number];
    const passtime_counter_stats *stats =
        &snapshot->counts[(size_t)series * snapshot->counter_count + number];
    passtime_event_open(c, event);
    passtime_event_name(c, "passtime.counter");
    put_u64(p, NOTES, passtime_key_name(PASSTIME_KEY_INDEX), series);
    put_name(p, NOTES, passtime_key_name(PASSTIME_KEY_COUNTER));
    put_u64(p, ENTRIES, "number", number);
    put_u64(p, ENTRIES, "of", snapshot->counter_count);
    put_text(p, ENTRIES, "name", info->name, sizeof info->name);
    put_text(p, ENTRIES, "unit", info->unit, sizeof info->unit);
    put_fields(p, passtime_fields_of_counter(), stats, stats->flags);
    passtime_packet_close(p);
    passtime_event_close(c);
}

void passtime_capture_write_counters(passtime_capture *c, const struct passtime_snapshot *snapshot)
{
    const struct passtime_event event = {PASSTIME_EVENT_INSTANT, PASSTIME_CPU_CLOCK, c->last_cpu_ns,
                                         passtime_track_uuid(c, PASSTIME_TRACK_MAIN)};
    for (uint32_t series = 0; series < snapshot->series_count; series++)
        for (uint32_t i = 0; i < snapshot->counter_count; i++)
            if (snapshot->counts[(size_t)series * snapshot->counter_count + i].size != 0)
                write_counter(c, &event, snapshot, series, i);
}
