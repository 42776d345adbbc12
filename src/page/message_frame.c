/* SPDX-License-Identifier: MIT */
/* A frame's message: its fields, and whether they fit together. */
#include "page/message_frame.h"

#include <passtime/passtime.h>

#include <stdlib.h>

/* Marks a pass's flags in a message may carry; its last bit says that the pass was refused. */
enum { FLAGS_KNOWN = PASSTIME_FLAG_IMPLIED_END, NS_BITS = 53 };

static const uint64_t ns_most = (uint64_t)1 << NS_BITS;

struct passtime_message_reader {
    struct passtime_message_recorder recorders[PASSTIME_MESSAGE_RECORDERS_MAX];
    struct passtime_message_pass passes[PASSTIME_MESSAGE_PASSES_MAX];
    uint64_t ticks[2 * PASSTIME_MESSAGE_PASSES_MAX];
    uint8_t available[2 * PASSTIME_MESSAGE_PASSES_MAX];
};

struct passtime_message_reader *passtime_message_reader_make(void)
{
    return calloc(1, sizeof(struct passtime_message_reader));
}

void passtime_message_reader_free(struct passtime_message_reader *reader)
{
    free(reader);
}

static bool number_at(const json_t *row, size_t index, uint64_t most, uint64_t *out)
{
    return passtime_message_count(json_array_get(row, index), most, out);
}

static bool field(const json_t *from, const char *key, uint64_t most, uint64_t *out)
{
    return passtime_message_count(json_object_get(from, key), most, out);
}

/* One that may be missing. */
static bool field_or_0(const json_t *from, const char *key, uint64_t most, uint64_t *out)
{
    *out = 0;
    return json_object_get(from, key) == NULL || field(from, key, most, out);
}

static bool read_recorders(struct passtime_message_reader *reader, const json_t *rows,
                           struct passtime_message_frame *frame)
{
    size_t count = json_array_size(rows);
    if (!json_is_array(rows) || count > PASSTIME_MESSAGE_RECORDERS_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        struct passtime_message_recorder *rec = &reader->recorders[i];
        uint64_t how;
        if (!number_at(row, 0, ns_most, &rec->began_ns) ||
            !number_at(row, 1, ns_most, &rec->finished_ns) ||
            !number_at(row, 2, PASSTIME_MESSAGE_FORGOTTEN, &how))
            return false;
        rec->how = (enum passtime_message_how)how;
    }
    frame->recorders = reader->recorders;
    frame->recorder_count = (uint32_t)count;
    return true;
}

/* -1, or a pass before this one, of the same recorder and with an end of its own. */
static bool read_parent(const json_t *value, const struct passtime_message_pass *passes,
                        uint32_t index, uint32_t *parent)
{
    uint64_t number;
    *parent = PASSTIME_NONE;
    if (json_is_integer(value) && json_integer_value(value) == -1)
        return true;
    if (!passtime_message_count(value, UINT32_MAX, &number) || number >= index)
        return false;
    *parent = (uint32_t)number;
    return passes[*parent].recorder == passes[index].recorder && passes[*parent].open_ns != 0;
}

static bool read_pass(const json_t *row, const struct passtime_message_frame *frame,
                      struct passtime_message_pass *passes, uint32_t index)
{
    struct passtime_message_pass *pass = &passes[index];
    uint64_t recorder, name, pair, flags;
    if (frame->recorder_count == 0 || !number_at(row, 0, frame->recorder_count - 1, &recorder) ||
        !number_at(row, 1, UINT32_MAX - 1, &name) || !number_at(row, 2, index, &pair) ||
        pair != index || !number_at(row, 4, ns_most, &pass->open_ns) ||
        !number_at(row, 5, ns_most, &pass->close_ns) || !number_at(row, 6, UINT32_MAX, &flags))
        return false;
    pass->recorder = (uint32_t)recorder;
    pass->name = (uint32_t)name;
    pass->refused = flags >> 31 != 0;
    pass->flags = (uint32_t)flags & FLAGS_KNOWN;
    return read_parent(json_array_get(row, 3), passes, index, &pass->parent);
}

static bool read_passes(struct passtime_message_reader *reader, const json_t *rows,
                        struct passtime_message_frame *frame)
{
    size_t count = json_array_size(rows);
    if (!json_is_array(rows) || count > PASSTIME_MESSAGE_PASSES_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!read_pass(json_array_get(rows, i), frame, reader->passes, (uint32_t)i))
            return false;
    }
    frame->passes = reader->passes;
    frame->pass_count = (uint32_t)count;
    return true;
}

/* Pairs of 32-bit words, low and high; whole pairs of ticks. */
static bool read_ticks(struct passtime_message_reader *reader, const json_t *words,
                       struct passtime_message_frame *frame)
{
    size_t count = json_array_size(words);
    if (!json_is_array(words) || count % 4 != 0 || count / 4 > frame->pass_count)
        return false;
    for (size_t i = 0; i < count / 2; i++) {
        uint64_t low, high;
        if (!number_at(words, 2 * i, UINT32_MAX, &low) ||
            !number_at(words, 2 * i + 1, UINT32_MAX, &high))
            return false;
        reader->ticks[i] = high << 32 | low;
    }
    frame->ticks = reader->ticks;
    frame->tick_count = (uint32_t)(count / 2);
    return true;
}

static bool read_available(struct passtime_message_reader *reader, const json_t *marks,
                           struct passtime_message_frame *frame)
{
    frame->available = NULL;
    if (marks == NULL)
        return true;
    if (!json_is_array(marks) || json_array_size(marks) != frame->tick_count)
        return false;
    for (uint32_t i = 0; i < frame->tick_count; i++) {
        uint64_t mark;
        if (!number_at(marks, i, 1, &mark))
            return false;
        reader->available[i] = (uint8_t)mark;
    }
    frame->available = reader->available;
    return true;
}

static const char *read_numbers(const json_t *from, struct passtime_message_frame *frame)
{
    uint64_t status, surplus;
    if (!field(from, "n", UINT64_MAX, &frame->number))
        return "n";
    if (!field(from, "b", ns_most, &frame->begin_ns) || frame->begin_ns == 0)
        return "b";
    if (!field(from, "e", ns_most, &frame->end_ns))
        return "e";
    if (!field(from, "s", ns_most, &frame->seen_ns))
        return "s";
    if (!field(from, "st", PASSTIME_MESSAGE_TIMED_OUT, &status))
        return "st";
    if (!field_or_0(from, "set", UINT64_MAX, &frame->set))
        return "set";
    if (!field_or_0(from, "cb", ns_most, &frame->complete_begin_ns))
        return "cb";
    if (!field_or_0(from, "ce", ns_most, &frame->complete_end_ns))
        return "ce";
    if (!field_or_0(from, "x", PASSTIME_MESSAGE_SURPLUS_MAX, &surplus))
        return "x";
    frame->status = (enum passtime_message_status)status;
    frame->surplus = (uint32_t)surplus;
    return NULL;
}

const char *passtime_message_read_frame(struct passtime_message_reader *reader, const json_t *from,
                                        struct passtime_message_frame *frame)
{
    const char *fault = read_numbers(from, frame);
    if (fault)
        return fault;
    if (!read_recorders(reader, json_object_get(from, "r"), frame))
        return "r";
    if (!read_passes(reader, json_object_get(from, "p"), frame))
        return "p";
    if (!read_ticks(reader, json_object_get(from, "t"), frame))
        return "t";
    if (!read_available(reader, json_object_get(from, "a"), frame))
        return "a";
    return NULL;
}
