/* SPDX-License-Identifier: MIT */
/* The public face of captures; see passtime/sink.h and docs/captures.md. */
#include "sink/capture.h"

#include "port/port.h"

#include <stdlib.h>
#include <time.h>

enum { DEFAULT_MAX_EVENTS = 4000000 };

static passtime_capture_desc resolve(const passtime_capture_desc *desc)
{
    passtime_capture_desc resolved = PASSTIME_CAPTURE_DESC_INIT;
    if (desc != NULL)
        resolved = *desc;
    if (resolved.max_events == 0)
        resolved.max_events = DEFAULT_MAX_EVENTS;
    return resolved;
}

/* Differs between captures, so that two files can be put one behind the other. */
static uint64_t unlikely_number(const passtime_capture *c)
{
    uint64_t mix = (uint64_t)(uintptr_t)c ^ passtime_port_now_ns() ^ (uint64_t)time(NULL) << 32;
    mix = (mix ^ mix >> 31) * 0x7fb5d329728ea185u;
    mix = (mix ^ mix >> 27) * 0x81dadef4bc2dd44du;
    return mix ^ mix >> 33;
}

static passtime_result open_capture(FILE *file, const passtime_writer *writer,
                                    const passtime_capture_desc *desc, passtime_capture **out)
{
    const passtime_capture_desc resolved = resolve(desc);
    passtime_capture *c = calloc(1, sizeof *c);
    if (c == NULL)
        return PASSTIME_NO_MEMORY;
    if (passtime_snapshot_set_adapter(&c->about, resolved.adapter) != PASSTIME_OK) {
        free(c);
        return PASSTIME_NO_MEMORY;
    }
    c->file = file;
    if (writer != NULL)
        c->writer = *writer;
    c->max_events = resolved.max_events;
    c->budget_ns = resolved.budget_ns;
    const uint64_t number = unlikely_number(c);
    c->uuid_base = ((number & 0xffffff) | 1) << 10;
    c->sequence_id = (uint32_t)(number >> 24 & 0x3fff) + 1;
    passtime_sequence_begin(c);
    passtime_tracks_begin(c);
    const passtime_result result = passtime_capture_flush(c);
    if (result == PASSTIME_OK) {
        *out = c;
        return PASSTIME_OK;
    }
    c->file = NULL; /* the caller's again */
    (void)passtime_capture_close(&c);
    return result;
}

passtime_result passtime_capture_open(const char *path, const passtime_capture_desc *desc,
                                      passtime_capture **c)
{
    if (c == NULL)
        return PASSTIME_INVALID;
    *c = NULL;
    if (path == NULL || path[0] == '\0' || (desc != NULL && desc->size != sizeof *desc))
        return PASSTIME_INVALID;
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return PASSTIME_IO;
    (void)setvbuf(file, NULL, _IONBF, 0);
    const passtime_result result = open_capture(file, NULL, desc, c);
    if (result != PASSTIME_OK)
        (void)fclose(file);
    return result;
}

passtime_result passtime_capture_open_writer(const passtime_writer *writer,
                                             const passtime_capture_desc *desc,
                                             passtime_capture **c)
{
    if (c == NULL)
        return PASSTIME_INVALID;
    *c = NULL;
    if (writer == NULL || writer->write == NULL || (desc != NULL && desc->size != sizeof *desc))
        return PASSTIME_INVALID;
    return open_capture(NULL, writer, desc, c);
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

passtime_result passtime_capture_summary(passtime_capture *c, passtime *t)
{
    if (c == NULL || t == NULL || c->summed_up)
        return PASSTIME_INVALID;
    if (c->broken)
        return PASSTIME_IO;
    struct passtime_snapshot snapshot;
    const passtime_result result = passtime_snapshot_take(t, &c->about.adapter, &snapshot);
    if (result != PASSTIME_OK)
        return result;
    if (snapshot.budget_ns == 0)
        snapshot.budget_ns = c->budget_ns;
    snapshot.events_lost = c->events_lost;
    passtime_capture_write_summary(c, &snapshot);
    c->summed_up = true;
    passtime_snapshot_finish(&snapshot);
    return passtime_capture_flush(c);
}

passtime_result passtime_capture_close(passtime_capture **capture)
{
    if (capture == NULL || *capture == NULL)
        return PASSTIME_OK;
    passtime_capture *c = *capture;
    *capture = NULL;
    passtime_result result = passtime_capture_flush(c);
    if (!passtime_capture_finish_file(c))
        result = PASSTIME_IO;
    passtime_snapshot_finish(&c->about);
    free(c);
    return result;
}

uint64_t passtime_capture_events_lost(const passtime_capture *c)
{
    return c != NULL ? c->events_lost : 0;
}
