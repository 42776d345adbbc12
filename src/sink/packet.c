/* SPDX-License-Identifier: MIT */
/* The writer of packets; see packet.h. */
#include "sink/packet.h"

#include "passtime_trace.pb.h"

#include <string.h>

static void check(struct passtime_packet *p, bool written)
{
    if (!written)
        p->failed = true;
}

/* Most of a capture is small numbers in fields below 16: two bytes, which go out at once. */
static void put_tag_and_byte(struct passtime_packet *p, uint32_t tag, pb_wire_type_t type,
                             uint8_t byte)
{
    const uint8_t both[2] = {(uint8_t)(tag << 3 | (uint32_t)type), byte};
    if (tag < 16) {
        check(p, pb_write(&p->stream, both, sizeof both));
        return;
    }
    check(p, pb_encode_tag(&p->stream, type, tag));
    check(p, pb_write(&p->stream, &byte, 1));
}

void passtime_packet_begin(struct passtime_packet *p, uint8_t *bytes, size_t size)
{
    p->stream = pb_ostream_from_buffer(bytes, size);
    p->bytes = bytes;
    p->depth = 0;
    p->failed = false;
    passtime_packet_open(p, passtime_Trace_packet_tag);
}

size_t passtime_packet_end(struct passtime_packet *p)
{
    passtime_packet_close(p);
    return p->failed || p->depth != 0 ? 0 : p->stream.bytes_written;
}

void passtime_packet_open(struct passtime_packet *p, uint32_t tag)
{
    if (p->failed || p->depth == PASSTIME_PACKET_DEPTH) {
        p->failed = true;
        return;
    }
    /* One byte is kept for the length: nearly all messages are shorter than 128 bytes. */
    put_tag_and_byte(p, tag, PB_WT_STRING, 0);
    p->open[p->depth++] = p->stream.bytes_written;
}

static size_t varint_bytes(size_t value)
{
    size_t bytes = 1;
    while (value >= 128) {
        value >>= 7;
        bytes++;
    }
    return bytes;
}

void passtime_packet_close(struct passtime_packet *p)
{
    if (p->failed || p->depth == 0) {
        p->failed = true;
        return;
    }
    const size_t begin = p->open[--p->depth];
    const size_t length = p->stream.bytes_written - begin;
    const size_t extra = varint_bytes(length) - 1;
    if (extra > 0) {
        const uint8_t room[8] = {0};
        check(p, pb_write(&p->stream, room, extra));
        if (p->failed)
            return;
        memmove(p->bytes + begin + extra, p->bytes + begin, length);
    }
    pb_ostream_t front = pb_ostream_from_buffer(p->bytes + begin - 1, extra + 1);
    check(p, pb_encode_varint(&front, length));
}

void passtime_packet_u64(struct passtime_packet *p, uint32_t tag, uint64_t value)
{
    if (p->failed)
        return;
    if (value < 128) {
        put_tag_and_byte(p, tag, PB_WT_VARINT, (uint8_t)value);
        return;
    }
    check(p, pb_encode_tag(&p->stream, PB_WT_VARINT, tag));
    check(p, pb_encode_varint(&p->stream, value));
}

void passtime_packet_i64(struct passtime_packet *p, uint32_t tag, int64_t value)
{
    passtime_packet_u64(p, tag, (uint64_t)value);
}

void passtime_packet_double(struct passtime_packet *p, uint32_t tag, double value)
{
    if (p->failed)
        return;
    check(p, pb_encode_tag(&p->stream, PB_WT_64BIT, tag));
    check(p, pb_encode_fixed64(&p->stream, &value));
}

void passtime_packet_text(struct passtime_packet *p, uint32_t tag, const char *text, size_t bytes)
{
    if (p->failed)
        return;
    check(p, pb_encode_tag(&p->stream, PB_WT_STRING, tag));
    check(p, pb_encode_string(&p->stream, (const pb_byte_t *)text, bytes));
}
