/* SPDX-License-Identifier: MIT */
/*
 * Writes one packet of a trace, in protobuf's encoding, into memory of fixed size. Nested messages
 * are written once: the length goes in front of a message when it is closed. What a capture needs
 * of the encoding is so little that it stands here, and so the same code writes captures in a
 * browser.
 */
#ifndef PASSTIME_SINK_PACKET_H
#define PASSTIME_SINK_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PASSTIME_PACKET_DEPTH = 8 };

struct passtime_packet {
    uint8_t *bytes;
    size_t size; /* room at `bytes` */
    size_t used;
    size_t open[PASSTIME_PACKET_DEPTH]; /* where the messages that are open begin */
    uint32_t depth;
    bool failed; /* it did not fit, or nests too deep */
};

/* Begins a packet in `bytes`, its tag and length within the trace included. */
void passtime_packet_begin(struct passtime_packet *p, uint8_t *bytes, size_t size);
/* Closes the packet. Returns its bytes, or 0 where it did not fit. */
size_t passtime_packet_end(struct passtime_packet *p);

void passtime_packet_open(struct passtime_packet *p, uint32_t tag);
void passtime_packet_close(struct passtime_packet *p);
void passtime_packet_u64(struct passtime_packet *p, uint32_t tag, uint64_t value);
void passtime_packet_i64(struct passtime_packet *p, uint32_t tag, int64_t value);
void passtime_packet_double(struct passtime_packet *p, uint32_t tag, double value);
void passtime_packet_text(struct passtime_packet *p, uint32_t tag, const char *text, size_t bytes);

#endif
