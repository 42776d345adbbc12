/* SPDX-License-Identifier: MIT */
/* Puts short texts together in memory of fixed size, without stdio. What does not fit is cut. */
#ifndef PASSTIME_SINK_TEXT_H
#define PASSTIME_SINK_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Adds to the `used` bytes at `out`, which has room for `size` bytes and at least one more than
 * `used`; ends it with a zero. Returns how many bytes are used then, the zero aside. */
size_t passtime_text_add(char *out, size_t size, size_t used, const char *text);
/* Adds a number in decimal, in the same way. */
size_t passtime_text_add_u64(char *out, size_t size, size_t used, uint64_t value);

#endif
