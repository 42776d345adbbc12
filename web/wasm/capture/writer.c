/* SPDX-License-Identifier: MIT */
/* Captures in a browser; see writer.h. */
#include "writer.h"

#include "port/port.h"
#include "sink/capture.h"

#include <string.h>

enum {
    TEXTS = 4,
    EVENT_BYTES = 1024,  /* more than an event takes, with its names and its end */
    SERIES_BYTES = 4096, /* more than a series takes */
    PAGE_PROCESS = 1     /* a page knows no number of its process */
};

struct passtime_web_capture {
    struct passtime_snapshot snapshot;
    uint32_t series_most;
    uint32_t series_asked;
    uint32_t *places; /* [series_most]: where each of the context's series stands */
    uint32_t record_most;
    uint8_t *record;
    uint8_t *out;
    size_t out_most;
    size_t out_size;
    char texts[TEXTS][PASSTIME_WEB_CAPTURE_TEXT_BYTES];
    passtime_capture capture;
};

static bool keep(void *user, const void *data, size_t bytes)
{
    struct passtime_web_capture *w = user;
    if (bytes > w->out_most - w->out_size) {
        return false;
    }
    memcpy(w->out + w->out_size, data, bytes);
    w->out_size += bytes;
    return true;
}

/* Memory that is new holds zeros, and nothing is ever given back here. */
static bool take_memory(struct passtime_web_capture *w, uint64_t out_bytes)
{
    if (out_bytes > UINT32_MAX / 2) {
        return false;
    }
    w->out_most = (size_t)out_bytes;
    w->out = passtime_port_allocate(w->out_most);
    w->record = passtime_port_allocate(w->record_most);
    w->places = passtime_port_allocate((size_t)w->series_most * sizeof(*w->places));
    w->snapshot.series =
        passtime_port_allocate((size_t)w->series_most * sizeof(*w->snapshot.series));
    return w->out != NULL && w->record != NULL && w->places != NULL && w->snapshot.series != NULL;
}

struct passtime_web_capture *
passtime_web_capture_create(uint32_t record_bytes, uint32_t record_events, uint32_t series_count)
{
    uint64_t frame_bytes = (uint64_t)record_events * EVENT_BYTES;
    uint64_t summary_bytes = (uint64_t)series_count * SERIES_BYTES;
    uint64_t most = frame_bytes > summary_bytes ? frame_bytes : summary_bytes;
    struct passtime_web_capture *w = passtime_port_allocate(sizeof(*w));
    if (w == NULL) {
        return NULL;
    }
    w->record_most = record_bytes;
    w->series_most = series_count;
    return take_memory(w, most + PASSTIME_CAPTURE_BUFFER) ? w : NULL;
}

char *passtime_web_capture_text(struct passtime_web_capture *w, uint32_t which)
{
    return w->texts[which];
}

static const char *known(const struct passtime_web_capture *w, uint32_t which)
{
    return w->texts[which][0] != '\0' ? w->texts[which] : NULL;
}

bool passtime_web_capture_begin(struct passtime_web_capture *w, double number, double budget_ns,
                                double events_lost, bool software)
{
    passtime_capture *c = &w->capture;
    c->about.adapter = (passtime_adapter_info){.api = known(w, 0),
                                               .name = known(w, 1),
                                               .driver = known(w, 2),
                                               .kind = known(w, 3),
                                               .software = software};
    w->snapshot.adapter = c->about.adapter;
    w->snapshot.budget_ns = c->budget_ns = (uint64_t)budget_ns;
    w->snapshot.events_lost = (uint64_t)events_lost;
    c->writer = (passtime_writer){keep, w};
    c->max_events = UINT64_MAX;
    c->process_id = PAGE_PROCESS;
    w->out_size = 0;
    return passtime_capture_begin(c, (uint64_t)number) == PASSTIME_OK;
}

uint8_t *passtime_web_capture_record(struct passtime_web_capture *w)
{
    return w->record;
}

/* An offset becomes the pointer that it stands for; both are 32 bits wide. */
static const void *settle(const struct passtime_web_capture *w, const void *offset)
{
    return w->record + (uintptr_t)offset;
}

bool passtime_web_capture_frame(struct passtime_web_capture *w, uint32_t record_bytes)
{
    passtime_frame *frame = (passtime_frame *)(void *)w->record;
    uint64_t wanted = sizeof(*frame) + (uint64_t)frame->scope_count * sizeof(passtime_scope) +
                      (uint64_t)frame->sample_count * sizeof(passtime_sample);
    if (wanted > record_bytes || record_bytes > w->record_most) {
        return false;
    }
    passtime_scope *scopes = (passtime_scope *)(uintptr_t)settle(w, frame->scopes);
    passtime_sample *samples = (passtime_sample *)(uintptr_t)settle(w, frame->samples);
    for (uint32_t i = 0; i < frame->scope_count; i++) {
        scopes[i].name = settle(w, scopes[i].name);
    }
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        samples[i].name = settle(w, samples[i].name);
    }
    frame->scopes = scopes;
    frame->samples = samples;
    w->out_size = 0;
    return passtime_capture_frame(&w->capture, frame) == PASSTIME_OK;
}

passtime_clock_info *passtime_web_capture_clock(struct passtime_web_capture *w)
{
    return &w->snapshot.clock;
}

passtime_ledger *passtime_web_capture_ledger(struct passtime_web_capture *w)
{
    return &w->snapshot.ledger;
}

passtime_stats *passtime_web_capture_total(struct passtime_web_capture *w, uint32_t which)
{
    return &w->snapshot.totals[which];
}

passtime_series_info *passtime_web_capture_series(struct passtime_web_capture *w, bool there)
{
    if (w->series_asked == w->series_most) {
        return NULL;
    }
    w->places[w->series_asked++] = there ? w->snapshot.series_count : PASSTIME_NONE;
    return there ? &w->snapshot.series[w->snapshot.series_count++] : NULL;
}

/* Were the figures copied from a core of the same make? */
static bool is_whole(const struct passtime_snapshot *s)
{
    bool whole = s->clock.size == sizeof(s->clock) && s->ledger.size == sizeof(s->ledger);
    for (uint32_t i = 0; i < PASSTIME_TOTAL_COUNT; i++) {
        whole = whole && s->totals[i].size == sizeof(s->totals[i]);
    }
    for (uint32_t i = 0; i < s->series_count; i++) {
        whole = whole && s->series[i].size == sizeof(s->series[i]);
    }
    return whole;
}

bool passtime_web_capture_summary(struct passtime_web_capture *w)
{
    if (!is_whole(&w->snapshot)) {
        return false;
    }
    passtime_snapshot_mend_parents(&w->snapshot, w->places, w->series_asked);
    w->out_size = 0;
    passtime_capture_write_summary(&w->capture, &w->snapshot);
    return passtime_capture_flush(&w->capture) == PASSTIME_OK;
}

const uint8_t *passtime_web_capture_bytes(const struct passtime_web_capture *w)
{
    return w->out;
}

uint32_t passtime_web_capture_size(const struct passtime_web_capture *w)
{
    return (uint32_t)w->out_size;
}
