/* SPDX-License-Identifier: MIT */
/*
 * The clean form of a name: what any strict reader of JSON, protobuf or a terminal takes. Apps hand
 * over whatever they have, and one bad label must not cost a whole trace.
 */
#include "core/names.h"

#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
static const char unnamed[] = "(unnamed)";

/* What may follow a lead byte: how many bytes, and the range of the first of them, which keeps out
 * overlong forms, surrogates and what lies beyond U+10FFFF (Unicode 15, table 3-7). 0 bytes: no
 * lead. */
struct lead {
    uint8_t follow;
    uint8_t low;
    uint8_t high;
};

static struct lead lead_of(uint8_t byte)
{
    if (byte >= 0xC2 && byte <= 0xDF)
        return (struct lead){1, 0x80, 0xBF};
    if (byte >= 0xE0 && byte <= 0xEF)
        return (struct lead){2, byte == 0xE0 ? 0xA0 : 0x80, byte == 0xED ? 0x9F : 0xBF};
    if (byte >= 0xF0 && byte <= 0xF4)
        return (struct lead){3, byte == 0xF0 ? 0x90 : 0x80, byte == 0xF4 ? 0x8F : 0xBF};
    return (struct lead){0, 0, 0};
}

/* Length of the code point at `bytes`, or of the longest part of one that stands there broken. */
static size_t code_point(const uint8_t *bytes, size_t n, bool *good)
{
    struct lead lead = lead_of(bytes[0]);
    *good = bytes[0] < 0x80;
    size_t length = 1;
    for (uint8_t i = 0; i < lead.follow; i++) {
        uint8_t low = i == 0 ? lead.low : 0x80;
        uint8_t high = i == 0 ? lead.high : 0xBF;
        if (length == n || bytes[length] < low || bytes[length] > high)
            return length;
        length++;
        *good = i + 1 == lead.follow;
    }
    return length;
}

static bool is_control(const uint8_t *point, size_t length)
{
    return (length == 1 && (point[0] < 0x20 || point[0] == 0x7F)) ||
           (length == 2 && point[0] == 0xC2 && point[1] < 0xA0);
}

/* What a code point is written as. */
static const char *written(const uint8_t *point, bool good, size_t *length)
{
    if (good && !is_control(point, *length))
        return (const char *)point;
    if (good && *length == 1 && point[0] >= '\t' && point[0] <= '\r')
        return " ";
    *length = sizeof replacement - 1;
    return replacement;
}

size_t passtime_names_clean(const char *bytes, size_t n, char *out)
{
    if (bytes == NULL || n == 0) {
        bytes = unnamed;
        n = sizeof unnamed - 1;
    }
    size_t at = 0;
    size_t length = 0;
    while (at < n) {
        bool good;
        size_t read = code_point((const uint8_t *)bytes + at, n - at, &good);
        size_t put = read;
        const char *text = written((const uint8_t *)bytes + at, good, &put);
        if (length + put >= PASSTIME_NAME_BYTES)
            break;
        memcpy(out + length, text, put);
        length += put;
        at += read;
    }
    out[length] = 0;
    return length;
}
