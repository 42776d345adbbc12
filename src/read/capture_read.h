/* SPDX-License-Identifier: MIT */
/*
 * Reads captures back. A capture is hostile input: every length, count and index in it is checked,
 * and the memory taken stays within a small multiple of the file's size. What is whole in a
 * truncated or damaged file is used, and it is said where the file ends being so.
 */
#ifndef PASSTIME_READ_CAPTURE_READ_H
#define PASSTIME_READ_CAPTURE_READ_H

#include "sink/snapshot.h"

#include <passtime/passtime.h>

enum { PASSTIME_CAPTURE_TEXT_BYTES = 256 };

/* What one context wrote. */
struct passtime_capture_context {
    struct passtime_snapshot snapshot; /* its origin says what it was made from */
    uint64_t frame_count;              /* whole frames among the events */
    uint64_t frames_broken;            /* frames cut off or damaged; not used */
};

struct passtime_capture_data {
    uint32_t context_count; /* at least 1 where reading gave PASSTIME_OK */
    struct passtime_capture_context *contexts;
    uint64_t bytes;       /* of the file */
    uint64_t whole_bytes; /* less than bytes: what follows is cut off or damaged */
    char note[PASSTIME_CAPTURE_TEXT_BYTES]; /* one sentence about that, or "" */
};

/* Receives every whole frame, in the order of the file. The frame and all it points at are valid
 * during the call; `series` of its samples and scopes are PASSTIME_NONE. */
struct passtime_frame_visitor {
    void (*frame)(void *user, uint32_t context, const passtime_frame *frame);
    void *user;
};

/*
 * Reads a capture from a file or from memory. `visitor` may be NULL. On failure (IO: not readable,
 * INVALID: not a capture of Passtime's, NO_MEMORY) `error` says what is wrong and what to do, and
 * *out is empty. Finish *out in either case.
 */
passtime_result passtime_capture_read(const char *path,
                                      const struct passtime_frame_visitor *visitor,
                                      struct passtime_capture_data *out, char *error,
                                      size_t error_bytes);
passtime_result passtime_capture_read_memory(const void *bytes, size_t size,
                                             const struct passtime_frame_visitor *visitor,
                                             struct passtime_capture_data *out, char *error,
                                             size_t error_bytes);
void passtime_capture_data_finish(struct passtime_capture_data *data);

/* A copy of a frame with all that it points at, in one piece of memory from malloc; NULL: no
 * memory. */
passtime_frame *passtime_frame_copy(const passtime_frame *frame);

#endif
