/* SPDX-License-Identifier: MIT */
/* Messages that end with NUL, as a browser writes them to its debugging pipe, out of bytes as they
 * come. The bytes may be anything. */
#ifndef PASSTIME_PAGE_FRAMES_H
#define PASSTIME_PAGE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-filled but for `limit` to begin with. */
struct passtime_frames {
    char *bytes; /* the beginning of a message that has not ended yet */
    size_t used;
    size_t capacity;
    size_t limit;      /* a longer message is left out */
    bool skipping;     /* the one that comes in is such a one */
    uint64_t left_out; /* messages, too long or without memory for them */
};

/* `text` is the message, with a NUL after its `length` bytes; it may be changed in place. */
typedef void (*passtime_frames_each)(void *user, char *text, size_t length);

/* Takes bytes and gives each message that they end. */
void passtime_frames_take(struct passtime_frames *frames, const char *bytes, size_t count,
                          passtime_frames_each each, void *user);

void passtime_frames_finish(struct passtime_frames *frames);

/* Makes the JSON of a browser fit for a strict reader, in place and with the length unchanged: an
 * escaped half of a surrogate pair, which a script may put into any text, becomes U+FFFD. */
void passtime_frames_mend(char *text, size_t length);

#endif
