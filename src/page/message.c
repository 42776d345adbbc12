/* SPDX-License-Identifier: MIT */
/* Texts of a page taken apart, and everything in them checked. */
#include "page/message_frame.h"

#include <passtime/passtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double exact_below = 9007199254740992.0; /* 2^53 */

bool passtime_message_count(const json_t *value, uint64_t most, uint64_t *out)
{
    if (json_is_integer(value)) {
        json_int_t number = json_integer_value(value);
        *out = number > 0 ? (uint64_t)number : 0;
        return number >= 0 && *out <= most;
    }
    double number = json_is_real(value) ? json_real_value(value) : -1.0;
    if (!(number >= 0.0 && number < exact_below))
        return false;
    *out = (uint64_t)number;
    return *out <= most;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool number_of(const json_t *object, const char *key, uint64_t least, uint64_t most,
                      uint32_t *out)
{
    uint64_t value;
    if (!passtime_message_count(json_object_get(object, key), most, &value) || value < least)
        return false;
    *out = (uint32_t)value;
    return true;
}

static const char *read_hello(const json_t *from, struct passtime_message *m)
{
    struct passtime_message_hello *hello = &m->hello;
    const json_t *origin = json_object_get(from, "origin_ms");
    double origin_ms = json_is_number(origin) ? json_number_value(origin) : -1.0;
    hello->url = text_of(from, "url");
    hello->kind = text_of(from, "kind");
    hello->webgpu = text_of(from, "webgpu");
    hello->webgl = text_of(from, "webgl");
    hello->text = text_of(from, "text");
    hello->origin_ms = origin_ms;
    return origin_ms >= 0.0 && origin_ms < exact_below ? NULL : "origin_ms";
}

static const char *read_context(const json_t *from, struct passtime_message *m)
{
    struct passtime_message_context *about = &m->about;
    const json_t *adapter = json_object_get(from, "adapter");
    about->api = text_of(from, "api");
    about->name = text_of(from, "name");
    about->reason = text_of(from, "reason");
    about->adapter = text_of(adapter, "name");
    about->driver = text_of(adapter, "driver");
    about->adapter_kind = text_of(adapter, "kind");
    about->software = json_is_true(json_object_get(adapter, "software"));
    about->unverified = json_is_true(json_object_get(from, "unverified"));
    if (!number_of(from, "source", 0, PASSTIME_SOURCE_COUNT - 1, &about->source))
        return "source";
    if (!number_of(from, "bits", 1, 64, &about->valid_bits))
        return "bits";
    if (!number_of(from, "max_passes", 1, PASSTIME_MESSAGE_PASSES_MAX, &about->max_passes))
        return "max_passes";
    static const char *const apis[] = {"webgpu", "webgl", "webgl2"};
    for (size_t i = 0; i < sizeof apis / sizeof apis[0]; i++) {
        if (strcmp(about->api, apis[i]) == 0)
            return NULL;
    }
    return "api";
}

static const char *read_name(const json_t *from, struct passtime_message *m)
{
    m->text = text_of(from, "s");
    if (!json_is_string(json_object_get(from, "s")))
        return "s";
    return number_of(from, "i", 1, UINT32_MAX - 1, &m->name) ? NULL : "i";
}

static const char *read_skip(const json_t *from, struct passtime_message *m)
{
    const char *why = text_of(from, "why");
    m->why = strcmp(why, "warmup") == 0 ? PASSTIME_MESSAGE_WARMUP
             : strcmp(why, "lost") == 0 ? PASSTIME_MESSAGE_WHILE_LOST
                                        : PASSTIME_MESSAGE_FULL;
    return passtime_message_count(json_object_get(from, "n"), UINT64_MAX, &m->number) ? NULL : "n";
}

static const char *read_text(const json_t *from, struct passtime_message *m)
{
    m->text = text_of(from, "text");
    return NULL;
}

static const char *read_tick(const json_t *from, struct passtime_message *m)
{
    /* A screen shows no more in the seconds that one of these covers. */
    return passtime_message_count(json_object_get(from, "f"), 1000000, &m->number) ? NULL : "f";
}

static const struct {
    const char *name;
    bool of_context;
    const char *(*read)(const json_t *from, struct passtime_message *m);
} kinds[] = {
    [PASSTIME_MESSAGE_HELLO] = {"hello", false, read_hello},
    [PASSTIME_MESSAGE_CONTEXT] = {"ctx", true, read_context},
    [PASSTIME_MESSAGE_NAME] = {"name", true, read_name},
    [PASSTIME_MESSAGE_FRAME] = {"frame", true, NULL},
    [PASSTIME_MESSAGE_SKIP] = {"skip", true, read_skip},
    [PASSTIME_MESSAGE_LOST] = {"lost", true, read_text},
    [PASSTIME_MESSAGE_RESTORED] = {"restored", true, read_text},
    [PASSTIME_MESSAGE_GONE] = {"gone", true, read_text},
    [PASSTIME_MESSAGE_TICK] = {"tick", false, read_tick},
    [PASSTIME_MESSAGE_NOTE] = {"note", false, read_text},
};

static void note_fault(struct passtime_message_faults *faults, const char *kind, const char *field)
{
    if (faults->malformed++ == 0)
        snprintf(faults->first, sizeof faults->first,
                 "a message of kind '%.32s' whose '%.32s' is "
                 "not as it should be",
                 kind, field);
}

static void read_one(struct passtime_message_reader *reader, const json_t *from,
                     struct passtime_message_faults *faults,
                     void (*take)(void *user, const struct passtime_message *message), void *user)
{
    const char *name = text_of(from, "k");
    struct passtime_message m = {.text = ""};
    size_t kind = 0, count = sizeof kinds / sizeof kinds[0];
    while (kind < count && strcmp(kinds[kind].name, name) != 0)
        kind++;
    if (kind == count) {
        if (name[0])
            faults->unknown++;
        else
            note_fault(faults, "", "k");
        return;
    }
    m.kind = (enum passtime_message_kind)kind;
    const char *fault = NULL;
    if (kinds[kind].of_context && !number_of(from, "c", 1, UINT32_MAX - 1, &m.context))
        fault = "c";
    else if (m.kind == PASSTIME_MESSAGE_FRAME)
        fault = passtime_message_read_frame(reader, from, &m.frame);
    else
        fault = kinds[kind].read(from, &m);
    if (fault) {
        note_fault(faults, kinds[kind].name, fault);
        return;
    }
    faults->taken++;
    take(user, &m);
}

struct passtime_message_faults
passtime_messages_read(struct passtime_message_reader *reader, const char *json, size_t bytes,
                       void (*take)(void *user, const struct passtime_message *message), void *user)
{
    struct passtime_message_faults faults = {0};
    if (bytes > PASSTIME_MESSAGE_BYTES_MAX) {
        faults.malformed = 1;
        snprintf(faults.first, sizeof faults.first, "a text of %zu bytes; at most %d are read",
                 bytes, PASSTIME_MESSAGE_BYTES_MAX);
        return faults;
    }
    json_error_t error;
    json_t *root = json_loadb(json, bytes, 0, &error);
    if (!json_is_array(root)) {
        faults.malformed = 1;
        snprintf(faults.first, sizeof faults.first, "a text that is no JSON array%s%.100s",
                 root ? "" : ": ", root ? "" : error.text);
        json_decref(root);
        return faults;
    }
    for (size_t i = 0; i < json_array_size(root); i++)
        read_one(reader, json_array_get(root, i), &faults, take, user);
    json_decref(root);
    return faults;
}
