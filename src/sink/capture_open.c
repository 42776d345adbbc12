/* SPDX-License-Identifier: MIT */
/*
 * Opens and closes captures in a program: files, memory, and the statistics of a living context;
 * see passtime/sink.h. A file is not buffered by stdio, so that what was written is the system's
 * when the program is killed.
 */
#include "sink/capture.h"

#include "port/port.h"

#include <errno.h>
#include <stdio.h>
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

/* A write may be cut short by a signal; what is left is then written anew. */
static bool write_file(void *user, const void *data, size_t size)
{
    FILE *file = user;
    const uint8_t *bytes = data;
    size_t done = 0;
    while (done < size) {
        errno = 0;
        const size_t more = fwrite(bytes + done, 1, size - done, file);
        done += more;
        if (done < size && ferror(file) && errno != EINTR)
            return false;
        if (more == 0 && errno != EINTR)
            return false;
        clearerr(file);
    }
    return true;
}

static bool close_file(void *user)
{
    return fclose(user) == 0;
}

static passtime_result open_capture(const passtime_writer *writer, bool (*finish)(void *),
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
    c->writer = *writer;
    c->max_events = resolved.max_events;
    c->budget_ns = resolved.budget_ns;
    c->process_id = passtime_port_process_id();
    const passtime_result result = passtime_capture_begin(c, unlikely_number(c));
    if (result == PASSTIME_OK) {
        c->finish = finish;
        *out = c;
        return PASSTIME_OK;
    }
    (void)passtime_capture_close(&c); /* without finish: the file is the caller's yet */
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
    const passtime_writer writer = {write_file, file};
    const passtime_result result = open_capture(&writer, close_file, desc, c);
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
    return open_capture(writer, NULL, desc, c);
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
    passtime_capture_write_counters(c, &snapshot);
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
    if (c->finish != NULL && !c->finish(c->writer.user))
        result = PASSTIME_IO;
    passtime_snapshot_finish(&c->about);
    free(c);
    return result;
}
