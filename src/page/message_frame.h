/* SPDX-License-Identifier: MIT */
/* The inside of the reader of messages: frames, the largest of them. */
#ifndef PASSTIME_PAGE_MESSAGE_FRAME_H
#define PASSTIME_PAGE_MESSAGE_FRAME_H

#include "page/message.h"

#include <jansson.h>

/* Reads a whole number from 0 to `most`. */
bool passtime_message_count(const json_t *value, uint64_t most, uint64_t *out);

/* Reads a frame into the reader's memory. The key of what is wrong with it, or NULL. */
const char *passtime_message_read_frame(struct passtime_message_reader *reader, const json_t *from,
                                        struct passtime_message_frame *frame);

#endif
