/* SPDX-License-Identifier: MIT */
/*
 * Writes a capture from what a browser's capture was made of: frames and figures as they stood in
 * the memory of the WebAssembly core. The file must be the browser's, byte for byte; web/test holds
 * the two against each other. Usage: replay_records RECORDS FILE
 *
 * RECORDS is, little endian: number, budget and events lost (doubles), whether the adapter is
 * software (32 bits), four texts about it, the number of records, the records, whether figures
 * follow (32 bits), and these: clock, ledger, totals, the number of series, and for each whether it
 * is there (32 bits) and it. Texts and records have their bytes (32 bits) before them.
 */
#include "sink/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The frame's structures as a 32-bit target lays them out: pointers are offsets in the record. */
struct record_frame {
    uint64_t number;
    uint32_t fate, flags, sample_count, scope_count, samples, scopes, passes_without_slot,
        clock_epoch;
    bool over_budget, has_span;
    uint64_t busy_ns, span_ns, sum_ns, cpu_begin_ns, cpu_submit_ns, cpu_seen_ns, frames_late;
    int64_t align_offset_ns;
    uint64_t align_bound_ns;
};
struct record_sample {
    uint32_t name, series, parent, scope, queue, verdict, source, flags, clock_epoch;
    uint64_t begin_ns, end_ns, duration_ns, exclusive_ns, attributed_ns, cpu_begin_ns, cpu_end_ns;
};
struct record_scope {
    uint32_t name, series, parent, sample_count;
    bool complete;
    uint64_t busy_ns;
};

static void die(const char *what)
{
    (void)fprintf(stderr, "replay_records: %s\n", what);
    exit(1);
}

static void *need(size_t bytes)
{
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (memory == NULL)
        die("no memory");
    return memory;
}

static void take(FILE *in, void *to, size_t bytes)
{
    if (fread(to, 1, bytes, in) != bytes)
        die("the records end too early");
}

static uint32_t take_u32(FILE *in)
{
    uint32_t value = 0;
    take(in, &value, sizeof value);
    return value;
}

static double take_double(FILE *in)
{
    double value = 0;
    take(in, &value, sizeof value);
    return value;
}

/* NULL: empty, not known. */
static char *take_text(FILE *in)
{
    const uint32_t bytes = take_u32(in);
    char *text = need((size_t)bytes + 1);
    take(in, text, bytes);
    if (bytes > 0)
        return text;
    free(text);
    return NULL;
}

static passtime_sample sample_of(const uint8_t *record, size_t at)
{
    struct record_sample from;
    memcpy(&from, record + at, sizeof from);
    return (passtime_sample){.name = (const char *)record + from.name,
                             .series = from.series,
                             .parent = from.parent,
                             .scope = from.scope,
                             .queue = from.queue,
                             .verdict = (passtime_verdict)from.verdict,
                             .source = (passtime_source)from.source,
                             .flags = from.flags,
                             .clock_epoch = from.clock_epoch,
                             .begin_ns = from.begin_ns,
                             .end_ns = from.end_ns,
                             .duration_ns = from.duration_ns,
                             .exclusive_ns = from.exclusive_ns,
                             .attributed_ns = from.attributed_ns,
                             .cpu_begin_ns = from.cpu_begin_ns,
                             .cpu_end_ns = from.cpu_end_ns};
}

static passtime_scope scope_of(const uint8_t *record, size_t at)
{
    struct record_scope from;
    memcpy(&from, record + at, sizeof from);
    return (passtime_scope){.name = (const char *)record + from.name,
                            .series = from.series,
                            .parent = from.parent,
                            .sample_count = from.sample_count,
                            .complete = from.complete,
                            .busy_ns = from.busy_ns};
}

static passtime_frame frame_of(const struct record_frame *from, const passtime_sample *samples,
                               const passtime_scope *scopes)
{
    return (passtime_frame){.number = from->number,
                            .fate = (passtime_fate)from->fate,
                            .flags = from->flags,
                            .sample_count = from->sample_count,
                            .scope_count = from->scope_count,
                            .samples = samples,
                            .scopes = scopes,
                            .passes_without_slot = from->passes_without_slot,
                            .clock_epoch = from->clock_epoch,
                            .over_budget = from->over_budget,
                            .has_span = from->has_span,
                            .busy_ns = from->busy_ns,
                            .span_ns = from->span_ns,
                            .sum_ns = from->sum_ns,
                            .cpu_begin_ns = from->cpu_begin_ns,
                            .cpu_submit_ns = from->cpu_submit_ns,
                            .cpu_seen_ns = from->cpu_seen_ns,
                            .frames_late = from->frames_late,
                            .align_offset_ns = from->align_offset_ns,
                            .align_bound_ns = from->align_bound_ns};
}

static void replay_frame(FILE *in, passtime_capture *c)
{
    const uint32_t bytes = take_u32(in);
    uint8_t *record = need((size_t)bytes + 1); /* the last name has an end, come what may */
    struct record_frame from;
    take(in, record, bytes);
    memcpy(&from, record, sizeof from);
    passtime_sample *samples = need(from.sample_count * sizeof *samples);
    passtime_scope *scopes = need(from.scope_count * sizeof *scopes);
    for (uint32_t i = 0; i < from.sample_count; i++)
        samples[i] = sample_of(record, from.samples + i * sizeof(struct record_sample));
    for (uint32_t i = 0; i < from.scope_count; i++)
        scopes[i] = scope_of(record, from.scopes + i * sizeof(struct record_scope));
    const passtime_frame frame = frame_of(&from, samples, scopes);
    if (passtime_capture_frame(c, &frame) != PASSTIME_OK)
        die("a frame could not be written");
    free(samples);
    free(scopes);
    free(record);
}

static void replay_summary(FILE *in, passtime_capture *c, double events_lost)
{
    struct passtime_snapshot s = {.adapter = c->about.adapter,
                                  .budget_ns = c->budget_ns,
                                  .events_lost = (uint64_t)events_lost};
    take(in, &s.clock, sizeof s.clock);
    take(in, &s.ledger, sizeof s.ledger);
    take(in, s.totals, sizeof s.totals);
    const uint32_t count = take_u32(in);
    uint32_t *places = need(count * sizeof *places);
    s.series = need(count * sizeof *s.series);
    for (uint32_t i = 0; i < count; i++) {
        places[i] = take_u32(in) != 0 ? s.series_count : PASSTIME_NONE;
        if (places[i] != PASSTIME_NONE)
            take(in, &s.series[s.series_count++], sizeof *s.series);
    }
    passtime_snapshot_mend_parents(&s, places, count);
    passtime_capture_write_summary(c, &s);
    free(places);
    free(s.series);
}

static bool write_file(void *user, const void *data, size_t bytes)
{
    return fwrite(data, 1, bytes, user) == bytes;
}

int main(int argc, char **argv)
{
    FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;
    FILE *out = argc == 3 ? fopen(argv[2], "wb") : NULL;
    if (in == NULL || out == NULL)
        die("usage: replay_records RECORDS FILE");
    passtime_capture *c = need(sizeof *c);
    const double number = take_double(in);
    c->budget_ns = (uint64_t)take_double(in);
    const double events_lost = take_double(in);
    c->about.adapter.software = take_u32(in) != 0;
    char *texts[4];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        texts[i] = take_text(in);
    c->about.adapter.api = texts[0];
    c->about.adapter.name = texts[1];
    c->about.adapter.driver = texts[2];
    c->about.adapter.kind = texts[3];
    c->writer = (passtime_writer){write_file, out};
    c->max_events = UINT64_MAX;
    c->process_id = 1; /* a page knows none of its own */
    if (passtime_capture_begin(c, (uint64_t)number) != PASSTIME_OK)
        die("the file could not be begun");
    for (uint32_t left = take_u32(in); left > 0; left--)
        replay_frame(in, c);
    if (take_u32(in) != 0)
        replay_summary(in, c, events_lost);
    if (passtime_capture_flush(c) != PASSTIME_OK || fclose(out) != 0 || fgetc(in) != EOF)
        die("the file could not be finished");
    (void)fclose(in);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    free(c);
    return 0;
}
