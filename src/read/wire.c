/* SPDX-License-Identifier: MIT */
/* The walk over a message; see wire.h. */
#include "read/wire.h"

struct passtime_wire passtime_wire_of(struct passtime_bytes message)
{
    return (struct passtime_wire){pb_istream_from_buffer(message.at, message.size), message, false};
}

static bool take_bytes(struct passtime_wire *wire, struct passtime_bytes *bytes)
{
    uint32_t size = 0;
    if (!pb_decode_varint32(&wire->stream, &size) || size > wire->stream.bytes_left)
        return false;
    bytes->at = wire->message.at + (wire->message.size - wire->stream.bytes_left);
    bytes->size = size;
    return pb_read(&wire->stream, NULL, size);
}

static bool take_value(struct passtime_wire *wire, struct passtime_wire_field *field)
{
    uint32_t half = 0;
    switch (field->type) {
    case PB_WT_VARINT:
        return pb_decode_varint(&wire->stream, &field->value);
    case PB_WT_64BIT:
        return pb_decode_fixed64(&wire->stream, &field->value);
    case PB_WT_32BIT:
        if (!pb_decode_fixed32(&wire->stream, &half))
            return false;
        field->value = half;
        return true;
    case PB_WT_STRING:
        return take_bytes(wire, &field->bytes);
    default:
        return false; /* groups, which Perfetto does not use, and what is no wire type */
    }
}

bool passtime_wire_next(struct passtime_wire *wire, struct passtime_wire_field *field)
{
    bool end = false;
    if (wire->bad || wire->stream.bytes_left == 0)
        return false;
    field->value = 0;
    field->bytes = (struct passtime_bytes){NULL, 0};
    wire->bad = !pb_decode_tag(&wire->stream, &field->type, &field->tag, &end) || field->tag == 0 ||
                !take_value(wire, field);
    return !wire->bad;
}
