/* SPDX-License-Identifier: MIT */
/* The writer of packets; see packet.h. */
#include "sink/packet.h"

#include "passtime_trace.pb.h"

#include <string.h>

/* How a field's value is encoded, in the low bits of its key. */
enum wire { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

/* Room for `bytes` more, or NULL; then the packet has failed. */
static uint8_t *take(struct passtime_packet *p, size_t bytes)
{
    if (p->failed || bytes > p->size - p->used) {
        p->failed = true;
        return NULL;
    }
    uint8_t *at = p->bytes + p->used;
    p->used += bytes;
    return at;
}

static size_t varint_bytes(uint64_t value)
{
    size_t bytes = 1;
    while (value >= 128) {
        value >>= 7;
        bytes++;
    }
    return bytes;
}

/* Seven bits a byte, the lowest first; all bytes but the last say that more follow. */
static void write_varint(uint8_t *at, uint64_t value)
{
    while (value >= 128) {
        *at++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *at = (uint8_t)value;
}

static void put_varint(struct passtime_packet *p, uint64_t value)
{
    uint8_t *at = take(p, varint_bytes(value));
    if (at != NULL)
        write_varint(at, value);
}

static void put_key(struct passtime_packet *p, uint32_t tag, enum wire wire)
{
    put_varint(p, (uint64_t)tag << 3 | (uint64_t)wire);
}

void passtime_packet_begin(struct passtime_packet *p, uint8_t *bytes, size_t size)
{
    p->bytes = bytes;
    p->size = size;
    p->used = 0;
    p->depth = 0;
    p->failed = false;
    passtime_packet_open(p, passtime_Trace_packet_tag);
}

size_t passtime_packet_end(struct passtime_packet *p)
{
    passtime_packet_close(p);
    return p->failed || p->depth != 0 ? 0 : p->used;
}

void passtime_packet_open(struct passtime_packet *p, uint32_t tag)
{
    if (p->failed || p->depth == PASSTIME_PACKET_DEPTH) {
        p->failed = true;
        return;
    }
    /* One byte is kept for the length: nearly all messages are shorter than 128 bytes. */
    put_key(p, tag, WIRE_BYTES);
    (void)take(p, 1);
    p->open[p->depth++] = p->used;
}

void passtime_packet_close(struct passtime_packet *p)
{
    if (p->failed || p->depth == 0) {
        p->failed = true;
        return;
    }
    const size_t begin = p->open[--p->depth];
    const size_t length = p->used - begin;
    const size_t extra = varint_bytes(length) - 1;
    if (extra > 0) {
        if (take(p, extra) == NULL)
            return;
        memmove(p->bytes + begin + extra, p->bytes + begin, length);
    }
    write_varint(p->bytes + begin - 1, length);
}

void passtime_packet_u64(struct passtime_packet *p, uint32_t tag, uint64_t value)
{
    put_key(p, tag, WIRE_VARINT);
    put_varint(p, value);
}

void passtime_packet_i64(struct passtime_packet *p, uint32_t tag, int64_t value)
{
    passtime_packet_u64(p, tag, (uint64_t)value);
}

void passtime_packet_double(struct passtime_packet *p, uint32_t tag, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    put_key(p, tag, WIRE_FIXED64);
    uint8_t *at = take(p, sizeof bits);
    for (size_t i = 0; at != NULL && i < sizeof bits; i++)
        at[i] = (uint8_t)(bits >> 8 * i);
}

void passtime_packet_text(struct passtime_packet *p, uint32_t tag, const char *text, size_t bytes)
{
    put_key(p, tag, WIRE_BYTES);
    put_varint(p, bytes);
    uint8_t *at = take(p, bytes);
    if (at != NULL)
        memcpy(at, text, bytes);
}
