/* SPDX-License-Identifier: MIT */
/* Walks the fields of one protobuf message in memory, through nanopb's decoder, and never beyond
 * it. */
#ifndef PASSTIME_READ_WIRE_H
#define PASSTIME_READ_WIRE_H

#include <pb_decode.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a message that stand in the reader's memory. */
struct passtime_bytes {
    const uint8_t *at;
    size_t size;
};

struct passtime_wire {
    pb_istream_t stream;
    struct passtime_bytes message;
    bool bad; /* the message is malformed; what came before the fault was given */
};

struct passtime_wire_field {
    uint32_t tag;
    pb_wire_type_t type;
    uint64_t value;              /* of a varint or a fixed field */
    struct passtime_bytes bytes; /* of a string or message */
};

struct passtime_wire passtime_wire_of(struct passtime_bytes message);
/* Takes the next field; false at the end and at a fault. */
bool passtime_wire_next(struct passtime_wire *wire, struct passtime_wire_field *field);

#endif
