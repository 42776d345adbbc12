/* SPDX-License-Identifier: MIT */
/* The public face of the reader: files, the stream of packets in them, and what came of it. */
#include "read/reader.h"

#include "passtime_trace.pb.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No packet of ours comes near this; a longer one is skipped without being kept. */
enum { PACKET_BYTES_MAX = 16 << 20, CHUNK_BYTES = 65536 };

/* Where a capture is read from: a file, or memory. */
struct input {
    FILE *file;
    const uint8_t *memory;
    uint64_t size; /* of memory */
    uint64_t at;
    bool failed;     /* the file could not be read on */
    uint8_t head[2]; /* its first bytes, to tell what kind of file it is */
    uint8_t *packet;
    size_t packet_capacity;
};

static bool take_byte(struct input *in, uint8_t *byte)
{
    int got = EOF;
    if (in->file != NULL)
        got = getc(in->file);
    else if (in->at < in->size)
        got = in->memory[in->at];
    if (got == EOF) {
        in->failed = in->failed || (in->file != NULL && ferror(in->file));
        return false;
    }
    *byte = (uint8_t)got;
    if (in->at < sizeof in->head)
        in->head[in->at] = *byte;
    in->at++;
    return true;
}

static bool take_varint(struct input *in, uint64_t *value)
{
    uint8_t byte = 0x80;
    *value = 0;
    for (unsigned shift = 0; shift < 64 && (byte & 0x80) != 0; shift += 7) {
        if (!take_byte(in, &byte))
            return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
    }
    return (byte & 0x80) == 0;
}

static bool skip(struct input *in, uint64_t size)
{
    if (in->file == NULL) {
        const uint64_t left = in->size - in->at;
        in->at += size < left ? size : left;
        return size <= left;
    }
    uint8_t byte = 0;
    while (size > 0 && take_byte(in, &byte))
        size--;
    return size == 0;
}

/* Memory is taken as the bytes arrive, whatever the file promises. */
static bool load(struct input *in, size_t size, struct passtime_reader *r)
{
    size_t done = 0;
    while (done < size) {
        const size_t more = size - done < CHUNK_BYTES ? size - done : CHUNK_BYTES;
        if (done + more > in->packet_capacity) {
            uint8_t *grown = realloc(in->packet, 2 * (done + more));
            if (grown == NULL) {
                r->no_memory = true;
                return false;
            }
            in->packet = grown;
            in->packet_capacity = 2 * (done + more);
        }
        const size_t got = fread(in->packet + done, 1, more, in->file);
        done += got;
        in->at += got;
        if (got < more) {
            in->failed = in->failed || ferror(in->file);
            return false;
        }
    }
    return true;
}

static bool take_packet(struct input *in, uint64_t size, struct passtime_reader *r)
{
    struct passtime_bytes packet = {NULL, (size_t)size};
    if (size > PACKET_BYTES_MAX)
        return skip(in, size);
    if (in->file == NULL) {
        if (size > in->size - in->at)
            return false;
        packet.at = in->memory + in->at;
        in->at += size;
    } else {
        if (!load(in, (size_t)size, r))
            return false;
        packet.at = in->packet;
    }
    passtime_reader_packet(r, packet);
    return true;
}

/* Takes one field of the trace; false: it is cut off or no field at all. */
static bool take_field(struct input *in, struct passtime_reader *r)
{
    uint64_t tag = 0;
    uint64_t value = 0;
    if (!take_varint(in, &tag) || tag >> 3 == 0)
        return false;
    switch (tag & 7) {
    case PB_WT_VARINT:
        return take_varint(in, &value);
    case PB_WT_64BIT:
        return skip(in, 8);
    case PB_WT_32BIT:
        return skip(in, 4);
    case PB_WT_STRING:
        if (!take_varint(in, &value))
            return false;
        return tag >> 3 == passtime_Trace_packet_tag ? take_packet(in, value, r) : skip(in, value);
    default:
        return false;
    }
}

/* Returns up to where the file is whole. */
static uint64_t take_all(struct input *in, struct passtime_reader *r)
{
    uint64_t whole = 0;
    uint8_t byte = 0;
    while (!r->no_memory && take_field(in, r))
        whole = in->at;
    while (in->at < sizeof in->head && take_byte(in, &byte))
        continue; /* what a file begins with tells what it is */
    for (uint32_t i = 0; i < r->context_count; i++)
        passtime_frame_finish(r, i);
    return whole;
}

static void say(char *text, size_t bytes, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (text != NULL && bytes > 0)
        (void)vsnprintf(text, bytes, format, list);
    va_end(list);
}

/* A context's snapshot: the summary if all of it is there, else what the events give. */
static bool settle(struct passtime_read_context *from, struct passtime_capture_context *to)
{
    to->frame_count = from->frame_count;
    to->frames_broken = from->frames_broken;
    if (from->summary.series_count == from->series_expected) {
        passtime_summary_settle(&from->summary);
        to->snapshot = from->summary;
        memset(&from->summary, 0, sizeof from->summary);
        return true;
    }
    struct passtime_snapshot *out = &to->snapshot;
    *out = from->about;
    memset(&from->about, 0, sizeof from->about);
    out->origin = PASSTIME_SNAPSHOT_EVENTS;
    out->ledger.size = sizeof out->ledger;
    out->clock.size = sizeof out->clock;
    out->clock.align_bound_ns = UINT64_MAX;
    for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT; i++)
        out->totals[i].size = sizeof out->totals[i];
    return from->rebuild == NULL || passtime_rebuild_snapshot(from->rebuild, out);
}

static passtime_result settle_all(struct passtime_reader *r, struct passtime_capture_data *out)
{
    out->contexts = calloc(r->context_count, sizeof *out->contexts);
    if (out->contexts == NULL)
        return PASSTIME_NO_MEMORY;
    for (uint32_t i = 0; i < r->context_count; i++) {
        out->context_count++;
        if (!settle(&r->contexts[i], &out->contexts[i]))
            return PASSTIME_NO_MEMORY;
    }
    return PASSTIME_OK;
}

static void release(struct passtime_reader *r)
{
    for (uint32_t i = 0; i < r->context_count; i++) {
        struct passtime_read_context *context = &r->contexts[i];
        free(context->frame.arrived);
        free(context->frame.samples);
        free(context->frame.scopes);
        passtime_rebuild_destroy(context->rebuild);
        passtime_snapshot_finish(&context->about);
        passtime_snapshot_finish(&context->summary);
    }
    free(r->contexts);
    free(r->tracks);
    free(r->sequences);
    passtime_map_finish(&r->map);
    passtime_texts_finish(&r->texts);
}

/* Why a file is no capture, and what to do about it. */
static const char *no_capture(const struct passtime_reader *r, const struct input *in)
{
    const uint8_t *head = in->head;
    if (in->at == 0)
        return "is empty: the program that was to write it ended before it began; run it again";
    if (r->packets > r->packets_bad)
        return "is a Perfetto trace, but nothing in it is Passtime's; write one with "
               "`passtime demo --capture FILE` or passtime_capture_open()";
    if (head[0] == '{' || head[0] == '[')
        return "is JSON, not a capture; give the .perfetto-trace file that --capture wrote";
    if (head[0] == 0x1f && head[1] == 0x8b)
        return "is compressed; unpack it first (gunzip)";
    if (head[0] == 0x0a)
        return "is cut off or damaged before anything in it could be read; copy it again";
    return "is not a Perfetto trace; give the .perfetto-trace file that --capture wrote";
}

static void note_damage(const struct passtime_reader *r, struct passtime_capture_data *out)
{
    uint64_t broken = 0;
    for (uint32_t i = 0; i < r->context_count; i++)
        broken += r->contexts[i].frames_broken;
    if (out->whole_bytes < out->bytes)
        say(out->note, sizeof out->note,
            "cut off or damaged at byte %llu of %llu; what stands before is used",
            (unsigned long long)out->whole_bytes, (unsigned long long)out->bytes);
    else if (r->packets_bad > 0 || broken > 0)
        say(out->note, sizeof out->note,
            "%llu damaged packets and %llu frames that are not whole are left out",
            (unsigned long long)r->packets_bad, (unsigned long long)broken);
}

static passtime_result read_input(struct input *in, struct passtime_reader *r,
                                  struct passtime_capture_data *out, char *error,
                                  size_t error_bytes)
{
    out->whole_bytes = take_all(in, r);
    out->bytes = r->file_bytes > in->at ? r->file_bytes : in->at;
    passtime_result result = r->no_memory ? PASSTIME_NO_MEMORY : PASSTIME_OK;
    if (result == PASSTIME_OK && r->context_count == 0) {
        say(error, error_bytes, "%s",
            in->failed ? "could not be read; is it a file, and may you read it?"
                       : no_capture(r, in));
        return in->failed ? PASSTIME_IO : PASSTIME_INVALID;
    }
    if (result == PASSTIME_OK)
        result = settle_all(r, out);
    if (result == PASSTIME_OK)
        note_damage(r, out);
    else
        say(error, error_bytes, "needs more memory than there is");
    return result;
}

static passtime_result finish_read(struct input *in, struct passtime_reader *r,
                                   struct passtime_capture_data *out, passtime_result result)
{
    release(r);
    free(in->packet);
    if (result != PASSTIME_OK)
        passtime_capture_data_finish(out);
    return result;
}

passtime_result passtime_capture_read_memory(const void *bytes, size_t size,
                                             const struct passtime_frame_visitor *visitor,
                                             struct passtime_capture_data *out, char *error,
                                             size_t error_bytes)
{
    static const uint8_t nothing[1] = {0};
    struct passtime_reader r;
    struct input in;
    memset(&r, 0, sizeof r);
    memset(&in, 0, sizeof in);
    memset(out, 0, sizeof *out);
    r.visitor = visitor;
    r.file_bytes = size;
    in.memory = bytes != NULL ? bytes : nothing;
    in.size = bytes != NULL ? size : 0;
    return finish_read(&in, &r, out, read_input(&in, &r, out, error, error_bytes));
}

/* A pipe has no size, and some systems open folders as files: what can't be told is 0. */
static uint64_t size_of(FILE *file)
{
    long end = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    clearerr(file);
    return fseek(file, 0, SEEK_SET) == 0 && end > 0 && end < LONG_MAX ? (uint64_t)end : 0;
}

passtime_result passtime_capture_read(const char *path,
                                      const struct passtime_frame_visitor *visitor,
                                      struct passtime_capture_data *out, char *error,
                                      size_t error_bytes)
{
    struct passtime_reader r;
    struct input in;
    memset(&r, 0, sizeof r);
    memset(&in, 0, sizeof in);
    memset(out, 0, sizeof *out);
    errno = 0;
    in.file = path != NULL ? fopen(path, "rb") : NULL;
    if (in.file == NULL) {
        say(error, error_bytes, "could not be opened: %s",
            errno != 0 ? strerror(errno) : "no name was given");
        return PASSTIME_IO;
    }
    r.visitor = visitor;
    r.file_bytes = size_of(in.file);
    const passtime_result result = read_input(&in, &r, out, error, error_bytes);
    (void)fclose(in.file);
    return finish_read(&in, &r, out, result);
}

void passtime_capture_data_finish(struct passtime_capture_data *data)
{
    if (data == NULL)
        return;
    for (uint32_t i = 0; i < data->context_count; i++)
        passtime_snapshot_finish(&data->contexts[i].snapshot);
    free(data->contexts);
    memset(data, 0, sizeof *data);
}
