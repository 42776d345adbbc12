/* SPDX-License-Identifier: MIT */
/* Messages that end with NUL, out of bytes as they come. */
#include "page/frames.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 4096, KEPT_BYTES = 1 << 20 };

static bool reserve(struct passtime_frames *frames, size_t more)
{
    const size_t needed = frames->used + more + 1;
    if (needed > frames->limit + 1)
        return false;
    if (needed <= frames->capacity)
        return true;
    size_t capacity = frames->capacity ? frames->capacity : FIRST_BYTES;
    while (capacity < needed)
        capacity *= 2;
    char *grown = realloc(frames->bytes, capacity);
    if (!grown)
        return false;
    frames->bytes = grown;
    frames->capacity = capacity;
    return true;
}

static void add(struct passtime_frames *frames, const char *bytes, size_t count)
{
    if (frames->skipping)
        return;
    if (!reserve(frames, count)) {
        frames->skipping = true;
        frames->left_out++;
        frames->used = 0;
        return;
    }
    memcpy(frames->bytes + frames->used, bytes, count);
    frames->used += count;
}

void passtime_frames_take(struct passtime_frames *frames, const char *bytes, size_t count,
                          passtime_frames_each each, void *user)
{
    while (count > 0) {
        const char *end = memchr(bytes, 0, count);
        const size_t part = end ? (size_t)(end - bytes) : count;
        add(frames, bytes, part);
        bytes += part;
        count -= part;
        if (!end)
            return;
        if (!frames->skipping && frames->used > 0) {
            frames->bytes[frames->used] = '\0';
            each(user, frames->bytes, frames->used);
        }
        frames->skipping = false;
        frames->used = 0;
        bytes++;
        count--;
        /* One large message, a picture, is no reason to hold on to its memory. */
        if (frames->capacity > KEPT_BYTES)
            passtime_frames_finish(frames);
    }
}

void passtime_frames_finish(struct passtime_frames *frames)
{
    free(frames->bytes);
    frames->bytes = NULL;
    frames->used = 0;
    frames->capacity = 0;
}

static int hex(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* The unit that \uXXXX at `text` stands for, or -1. */
static int unit_at(const char *text, size_t length)
{
    if (length < 6 || text[0] != '\\' || text[1] != 'u')
        return -1;
    int unit = 0;
    for (int i = 2; i < 6; i++) {
        const int digit = hex(text[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

void passtime_frames_mend(char *text, size_t length)
{
    for (size_t i = 0; i + 1 < length;) {
        if (text[i] != '\\') {
            i++;
            continue;
        }
        const int unit = unit_at(text + i, length - i);
        if (unit < 0) {
            i += 2;
            continue;
        }
        const bool high = unit >= 0xd800 && unit < 0xdc00;
        const bool low = unit >= 0xdc00 && unit < 0xe000;
        const int next = high && length - i > 6 ? unit_at(text + i + 6, length - i - 6) : -1;
        if (high && next >= 0xdc00 && next < 0xe000) {
            i += 12;
            continue;
        }
        if (high || low)
            memcpy(text + i + 2, "fffd", 4);
        i += 6;
    }
}
