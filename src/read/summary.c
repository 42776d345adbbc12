/* SPDX-License-Identifier: MIT */
/*
 * The summary of a capture read back: the exact statistics as the program had them. What a file
 * says twice or leaves out is taken as it stands; a number that is none (NaN, infinite) counts as
 * absent.
 */
#include "read/reader.h"

#include "sink/fields.h"

#include "passtime_trace.pb.h"

#include <stdlib.h>
#include <string.h>

/* One entry of a dict. */
struct entry {
    struct passtime_bytes name;
    struct passtime_note note;
};

/* Takes the next entry of a dict; false at the end. Names and texts of summaries are never
 * interned. */
static bool next_entry(const struct passtime_reader *r, struct passtime_wire *dict,
                       struct entry *entry)
{
    struct passtime_wire_field field;
    enum passtime_key key = PASSTIME_KEY_COUNT;
    while (passtime_wire_next(dict, &field))
        if (field.tag == passtime_DebugAnnotation_dict_entries_tag &&
            passtime_note_read(r, 0, field.bytes, &entry->note, &entry->name, &key))
            return true;
    return false;
}

static struct passtime_wire dict_of(const struct passtime_note *note)
{
    const struct passtime_bytes none = {NULL, 0};
    return passtime_wire_of(note->type == PASSTIME_NOTE_DICT ? note->bytes : none);
}

static struct passtime_wire dict_of_event(const struct passtime_read_event *event,
                                          enum passtime_key key)
{
    const struct passtime_note none = {PASSTIME_NOTE_NUMBER, 0, 0.0, {NULL, 0}};
    return dict_of(passtime_event_has(event, key) ? &event->notes[key] : &none);
}

static bool is_finite(double real)
{
    return real - real == 0.0;
}

/* Sets one member; false: the value is none of its kind. */
static bool set_field(const struct passtime_field *field, const struct passtime_note *note,
                      void *object)
{
    char *at = (char *)object + field->offset;
    if (field->type == PASSTIME_FIELD_DOUBLE) {
        if (note->type != PASSTIME_NOTE_DOUBLE || !is_finite(note->real))
            return false;
        memcpy(at, &note->real, sizeof note->real);
        return true;
    }
    if (note->type != PASSTIME_NOTE_NUMBER)
        return false;
    if (field->type == PASSTIME_FIELD_U32) {
        const uint32_t small = (uint32_t)note->number;
        if (note->number > UINT32_MAX)
            return false;
        memcpy(at, &small, sizeof small);
        return true;
    }
    memcpy(at, &note->number, sizeof note->number);
    return true;
}

/* Returns the flags of the members that were there. */
static uint32_t read_field(struct passtime_fields fields, const struct entry *entry, void *object)
{
    for (uint32_t i = 0; i < fields.count; i++)
        if (passtime_bytes_are(entry->name, fields.rows[i].name))
            return set_field(&fields.rows[i], &entry->note, object) ? fields.rows[i].flag : 0;
    return 0;
}

static uint32_t all_flags(struct passtime_fields fields)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < fields.count; i++)
        flags |= fields.rows[i].flag;
    return flags;
}

/* A figure is there only if its flag says so and the file has it. */
static void read_stats(const struct passtime_reader *r, const struct passtime_note *note,
                       passtime_stats *stats)
{
    const struct passtime_fields fields = passtime_fields_of_stats();
    struct passtime_wire dict = dict_of(note);
    struct entry entry;
    uint32_t there = 0;
    memset(stats, 0, sizeof *stats);
    while (next_entry(r, &dict, &entry))
        there |= read_field(fields, &entry, stats);
    stats->size = sizeof *stats;
    stats->flags &= there | ~all_flags(fields);
}

static void read_verdicts(const struct passtime_reader *r, const struct passtime_note *note,
                          uint64_t *verdicts)
{
    struct passtime_wire dict = dict_of(note);
    struct entry entry;
    while (next_entry(r, &dict, &entry)) {
        const passtime_verdict verdict = passtime_verdict_of(entry.name);
        if (verdict != PASSTIME_VERDICT_COUNT && entry.note.type == PASSTIME_NOTE_NUMBER)
            verdicts[verdict] = entry.note.number;
    }
}

static void read_fates(const struct passtime_reader *r, const struct passtime_note *note,
                       uint64_t *fates)
{
    struct passtime_wire dict = dict_of(note);
    struct entry entry;
    while (next_entry(r, &dict, &entry)) {
        const passtime_fate fate = passtime_fate_of(entry.name);
        if (fate != PASSTIME_FATE_COUNT && entry.note.type == PASSTIME_NOTE_NUMBER)
            fates[fate] = entry.note.number;
    }
}

static void read_ledger(const struct passtime_reader *r, const struct passtime_read_event *event,
                        passtime_ledger *ledger)
{
    struct passtime_wire dict = dict_of_event(event, PASSTIME_KEY_LEDGER);
    struct entry entry;
    ledger->size = sizeof *ledger;
    while (next_entry(r, &dict, &entry)) {
        if (passtime_bytes_are(entry.name, "fates"))
            read_fates(r, &entry.note, ledger->fates);
        else if (passtime_bytes_are(entry.name, "verdicts"))
            read_verdicts(r, &entry.note, ledger->verdicts);
        else
            (void)read_field(passtime_fields_of_ledger(), &entry, ledger);
    }
}

static passtime_source read_source(const struct passtime_note *note)
{
    const passtime_source source =
        note->type == PASSTIME_NOTE_TEXT ? passtime_source_of(note->bytes) : PASSTIME_SOURCE_COUNT;
    /* One that this version does not know is no GPU time that it could vouch for. */
    return source != PASSTIME_SOURCE_COUNT ? source : PASSTIME_CPU_RECORD;
}

static void read_clock(const struct passtime_reader *r, const struct passtime_read_event *event,
                       passtime_clock_info *clock)
{
    struct passtime_wire dict = dict_of_event(event, PASSTIME_KEY_CLOCK);
    struct entry entry;
    clock->size = sizeof *clock;
    clock->align_bound_ns = UINT64_MAX;
    while (next_entry(r, &dict, &entry)) {
        if (passtime_bytes_are(entry.name, "source"))
            clock->source = read_source(&entry.note);
        else
            (void)read_field(passtime_fields_of_clock(), &entry, clock);
    }
}

static void read_totals(const struct passtime_reader *r, const struct passtime_read_event *event,
                        passtime_stats *totals)
{
    struct passtime_wire dict = dict_of_event(event, PASSTIME_KEY_TOTALS);
    struct entry entry;
    while (next_entry(r, &dict, &entry))
        for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT; i++)
            if (passtime_bytes_are(entry.name, passtime_total_name((passtime_total)i)))
                read_stats(r, &entry.note, &totals[i]);
    for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT; i++)
        totals[i].size = sizeof totals[i];
}

/* Room for a text of an adapter: several names long. */
enum { TEXT_BYTES = 4 * PASSTIME_NAME_BYTES };

static const char *copy_text(char *to, const struct passtime_note *note)
{
    if (note->type != PASSTIME_NOTE_TEXT)
        return NULL;
    /* Cleaned a piece at a time: a name is shorter than what an adapter may be called. */
    size_t used = 0;
    for (size_t at = 0; at < note->bytes.size && used + PASSTIME_NAME_BYTES < TEXT_BYTES;) {
        size_t piece = note->bytes.size - at < 30 ? note->bytes.size - at : 30;
        while (at + piece < note->bytes.size && piece > 1 &&
               (note->bytes.at[at + piece] & 0xc0) == 0x80)
            piece--;
        used += passtime_names_clean((const char *)note->bytes.at + at, piece, to + used);
        at += piece;
    }
    to[used] = '\0';
    return to;
}

static void read_adapter(struct passtime_reader *r, const struct passtime_read_event *event,
                         struct passtime_snapshot *snapshot)
{
    struct passtime_wire dict = dict_of_event(event, PASSTIME_KEY_ADAPTER);
    struct entry entry;
    char texts[4][TEXT_BYTES];
    passtime_adapter_info info = {NULL, NULL, NULL, NULL, false};
    while (next_entry(r, &dict, &entry)) {
        if (passtime_bytes_are(entry.name, "api"))
            info.api = copy_text(texts[0], &entry.note);
        else if (passtime_bytes_are(entry.name, "name"))
            info.name = copy_text(texts[1], &entry.note);
        else if (passtime_bytes_are(entry.name, "driver"))
            info.driver = copy_text(texts[2], &entry.note);
        else if (passtime_bytes_are(entry.name, "kind"))
            info.kind = copy_text(texts[3], &entry.note);
        else if (passtime_bytes_are(entry.name, "software"))
            info.software = entry.note.number != 0;
    }
    if (passtime_snapshot_set_adapter(snapshot, &info) != PASSTIME_OK)
        r->no_memory = true;
}

void passtime_summary_context(struct passtime_reader *r, struct passtime_read_context *context,
                              const struct passtime_read_event *event)
{
    read_adapter(r, event, &context->about);
    context->about.budget_ns = passtime_event_u64(event, PASSTIME_KEY_BUDGET, 0);
}

void passtime_summary_start(struct passtime_reader *r, struct passtime_read_context *context,
                            const struct passtime_read_event *event)
{
    struct passtime_snapshot *summary = &context->summary;
    passtime_snapshot_finish(summary);
    context->series_capacity = 0;
    summary->origin = PASSTIME_SNAPSHOT_SUMMARY;
    read_adapter(r, event, summary);
    read_clock(r, event, &summary->clock);
    read_ledger(r, event, &summary->ledger);
    read_totals(r, event, summary->totals);
    summary->budget_ns = passtime_event_u64(event, PASSTIME_KEY_BUDGET, 0);
    summary->events_lost = passtime_event_u64(event, PASSTIME_KEY_EVENTS_LOST, 0);
    context->series_expected = passtime_event_u64(event, PASSTIME_KEY_SERIES_COUNT, UINT64_MAX);
}

/* Keeps a text as a path: each of its names in its clean form. */
static void read_path(const struct passtime_note *note, char *path, size_t bytes)
{
    size_t used = 0;
    path[0] = '\0';
    for (size_t at = 0; note->type == PASSTIME_NOTE_TEXT && at < note->bytes.size;) {
        char name[PASSTIME_NAME_BYTES];
        size_t end = at;
        while (end < note->bytes.size && note->bytes.at[end] != '/')
            end++;
        const size_t length =
            passtime_names_clean((const char *)note->bytes.at + at, end - at, name);
        if (used + length + 2 > bytes)
            return;
        if (used > 0)
            path[used++] = '/';
        memcpy(path + used, name, length + 1);
        used += length;
        at = end + 1;
    }
}

static void series_entry(const struct passtime_reader *r, const struct entry *entry,
                         passtime_series_info *info)
{
    const struct passtime_note *note = &entry->note;
    const uint32_t small = note->type == PASSTIME_NOTE_NUMBER && note->number <= UINT32_MAX
                               ? (uint32_t)note->number
                               : 0;
    if (passtime_bytes_are(entry->name, "kind"))
        info->kind =
            passtime_bytes_are(note->bytes, "scope") ? PASSTIME_SERIES_SCOPE : PASSTIME_SERIES_PASS;
    else if (passtime_bytes_are(entry->name, "name") && note->type == PASSTIME_NOTE_TEXT)
        (void)passtime_names_clean((const char *)note->bytes.at, note->bytes.size, info->name);
    else if (passtime_bytes_are(entry->name, "path"))
        read_path(note, info->path, sizeof info->path);
    else if (passtime_bytes_are(entry->name, "source"))
        info->source = read_source(note);
    else if (passtime_bytes_are(entry->name, "parent") && note->type == PASSTIME_NOTE_NUMBER)
        info->parent = small;
    else if (passtime_bytes_are(entry->name, "queue"))
        info->queue = small;
    else if (passtime_bytes_are(entry->name, "flags"))
        info->flags = small;
    else if (passtime_bytes_are(entry->name, "attributed_ns"))
        info->attributed_ns = note->number;
    else if (passtime_bytes_are(entry->name, "verdicts"))
        read_verdicts(r, note, info->verdicts);
    else if (passtime_bytes_are(entry->name, "stats"))
        read_stats(r, note, &info->stats);
}

void passtime_summary_series(struct passtime_reader *r, struct passtime_read_context *context,
                             const struct passtime_read_event *event)
{
    struct passtime_snapshot *summary = &context->summary;
    const uint32_t index = summary->series_count;
    /* Counters have a place for each series there was when the first of them came. */
    if (summary->counts != NULL || index >= PASSTIME_READ_SERIES ||
        index >= context->series_expected ||
        passtime_event_u32(event, PASSTIME_KEY_INDEX, PASSTIME_NONE) != index)
        return;
    passtime_series_info *grown =
        passtime_grown(summary->series, index, &context->series_capacity, sizeof *summary->series);
    if (grown == NULL) {
        r->no_memory = true;
        return;
    }
    summary->series = grown;
    passtime_series_info *info = &grown[index];
    memset(info, 0, sizeof *info);
    info->size = sizeof *info;
    info->stats.size = sizeof info->stats;
    info->parent = PASSTIME_NONE;
    struct passtime_wire dict = dict_of_event(event, PASSTIME_KEY_SERIES);
    struct entry entry;
    while (next_entry(r, &dict, &entry))
        series_entry(r, &entry, info);
    summary->series_count++;
}

/* One counter of one series, as it is in the file. */
struct counter {
    uint64_t number;
    uint64_t of; /* how many there are */
    passtime_counter_info info;
    passtime_counter_stats stats;
};

static void counter_entry(const struct entry *entry, struct counter *counter, uint32_t *there)
{
    char unit[PASSTIME_NAME_BYTES];
    const struct passtime_note *note = &entry->note;
    const bool is_number = note->type == PASSTIME_NOTE_NUMBER;
    if (passtime_bytes_are(entry->name, "number")) {
        counter->number = is_number ? note->number : UINT64_MAX;
    } else if (passtime_bytes_are(entry->name, "of")) {
        counter->of = is_number ? note->number : 0;
    } else if (passtime_bytes_are(entry->name, "name")) {
        if (note->type == PASSTIME_NOTE_TEXT)
            (void)passtime_names_clean((const char *)note->bytes.at, note->bytes.size,
                                       counter->info.name);
    } else if (passtime_bytes_are(entry->name, "unit")) {
        /* A longer one is none of ours. */
        if (note->type == PASSTIME_NOTE_TEXT && note->bytes.size > 0 &&
            passtime_names_clean((const char *)note->bytes.at, note->bytes.size, unit) <
                sizeof counter->info.unit)
            memcpy(counter->info.unit, unit, strlen(unit) + 1);
    } else {
        *there |= read_field(passtime_fields_of_counter(), entry, &counter->stats);
    }
}

/* Room for the counters of all series, once; false: there is none. */
static bool counters_room(struct passtime_reader *r, struct passtime_snapshot *summary, uint64_t of)
{
    const size_t most = (size_t)1 << 20;
    if (summary->counts != NULL)
        return summary->counter_count == of;
    if (of == 0 || of > PASSTIME_COUNTERS_MAX || summary->series_count == 0 ||
        summary->series_count > most / of)
        return false;
    summary->counters = calloc((size_t)of, sizeof *summary->counters);
    summary->counts = calloc((size_t)of * summary->series_count, sizeof *summary->counts);
    r->no_memory = r->no_memory || summary->counters == NULL || summary->counts == NULL;
    /* What is not all there counts as nothing. */
    summary->counter_count =
        summary->counters != NULL && summary->counts != NULL ? (uint32_t)of : 0;
    return summary->counter_count != 0;
}

void passtime_summary_counter(struct passtime_reader *r, struct passtime_read_context *context,
                              const struct passtime_read_event *event)
{
    struct passtime_snapshot *summary = &context->summary;
    struct counter counter = {.number = UINT64_MAX, .info = {.size = sizeof counter.info}};
    struct passtime_wire dict = dict_of_event(event, PASSTIME_KEY_COUNTER);
    const uint32_t series = passtime_event_u32(event, PASSTIME_KEY_INDEX, PASSTIME_NONE);
    struct entry entry;
    uint32_t there = 0;
    while (next_entry(r, &dict, &entry))
        counter_entry(&entry, &counter, &there);
    if (summary->series_count != context->series_expected || series >= summary->series_count ||
        counter.number >= counter.of || counter.info.name[0] == '\0' ||
        !counters_room(r, summary, counter.of))
        return;
    counter.stats.size = sizeof counter.stats;
    counter.stats.flags &= there;
    summary->counters[counter.number] = counter.info;
    summary->counts[(size_t)series * summary->counter_count + counter.number] = counter.stats;
}

static bool reaches_root(const struct passtime_snapshot *summary, uint32_t index)
{
    for (uint32_t steps = 0; steps <= PASSTIME_READ_NESTING; steps++) {
        index = summary->series[index].parent;
        if (index == PASSTIME_NONE)
            return true;
        if (index >= summary->series_count)
            return false;
    }
    return false;
}

/* Parents that are not there, or form a circle, are cut off, so that each walk up the tree ends. */
void passtime_summary_settle(struct passtime_snapshot *summary)
{
    for (uint32_t i = 0; i < summary->series_count; i++)
        if (!reaches_root(summary, i))
            summary->series[i].parent = PASSTIME_NONE;
}
