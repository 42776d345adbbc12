/* SPDX-License-Identifier: MIT */
/* A capture in memory, and what is read back of it. */
#ifndef PASSTIME_TESTS_CAPTURED_H
#define PASSTIME_TESTS_CAPTURED_H

#include "read/capture_read.h"

#include <passtime/sink.h>

enum { CAPTURED_FRAMES = 4096 };

struct captured {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    size_t limit; /* bytes that the writer takes, then it fails: a full disk */
    passtime_frame *frames[CAPTURED_FRAMES];
    uint32_t frame_count;
    struct passtime_capture_data data;
    char error[PASSTIME_CAPTURE_TEXT_BYTES];
};

/* Opens a capture that writes into `m`, whose limit is set. */
passtime_result captured_open(struct captured *m, const passtime_capture_desc *desc,
                              passtime_capture **c);
/* Reads back the first `size` bytes; frames are copied into m->frames. */
passtime_result captured_read(struct captured *m, size_t size);
/* Forgets what was read, and keeps the bytes. */
void captured_forget(struct captured *m);
void captured_finish(struct captured *m);

/* Asserts that two frames are the same, `series` aside. Names are compared in their clean form. */
void assert_same_frame(const passtime_frame *a, const passtime_frame *b);

#endif
