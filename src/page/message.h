/* SPDX-License-Identifier: MIT */
/*
 * The messages that the script in a page sends: JSON texts, one array of messages each. A page can
 * forge them, so every field is checked here, and what is not as it should be is left out and
 * counted. docs/page.md says what they carry.
 */
#ifndef PASSTIME_PAGE_MESSAGE_H
#define PASSTIME_PAGE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PASSTIME_MESSAGE_BYTES_MAX = 1 << 20, /* of one text */
    PASSTIME_MESSAGE_PASSES_MAX = 4096,   /* of one frame */
    PASSTIME_MESSAGE_RECORDERS_MAX = 256,
    PASSTIME_MESSAGE_SURPLUS_MAX = 65536
};

enum passtime_message_kind {
    PASSTIME_MESSAGE_HELLO = 0, /* a realm says what it is and what is hooked in it */
    PASSTIME_MESSAGE_CONTEXT,   /* a device or GL context is timed from here on */
    PASSTIME_MESSAGE_NAME,      /* a number stands for a name */
    PASSTIME_MESSAGE_FRAME,     /* a frame, whole */
    PASSTIME_MESSAGE_SKIP,      /* a frame that was not timed */
    PASSTIME_MESSAGE_LOST,      /* the device or GL context is lost */
    PASSTIME_MESSAGE_RESTORED,  /* it is back */
    PASSTIME_MESSAGE_GONE,      /* nothing more comes of it */
    PASSTIME_MESSAGE_TICK,      /* animation frames since the last of these */
    PASSTIME_MESSAGE_NOTE       /* something to be said once */
};

/* How a frame came back. */
enum passtime_message_status {
    PASSTIME_MESSAGE_OK = 0,
    PASSTIME_MESSAGE_DEVICE_LOST = 1,
    PASSTIME_MESSAGE_MAP_FAILED = 2,
    PASSTIME_MESSAGE_DISJOINT = 3,
    PASSTIME_MESSAGE_LATE = 4,
    PASSTIME_MESSAGE_TIMED_OUT = 5
};

enum passtime_message_how {
    PASSTIME_MESSAGE_DISCARDED = 0,
    PASSTIME_MESSAGE_SUBMITTED = 1,
    PASSTIME_MESSAGE_FORGOTTEN = 2 /* neither, as long as anybody waited */
};

enum passtime_message_why {
    PASSTIME_MESSAGE_FULL = 0,
    PASSTIME_MESSAGE_WARMUP = 1,
    PASSTIME_MESSAGE_WHILE_LOST = 2
};

struct passtime_message_hello {
    const char *url, *kind, *webgpu, *webgl, *text;
    double origin_ms; /* what the realm's times count from, since 1970 */
};

struct passtime_message_context {
    const char *api, *adapter, *driver, *adapter_kind, *name, *reason;
    bool software;
    bool unverified;
    uint32_t source;     /* as passtime_source */
    uint32_t valid_bits; /* 1 to 64 */
    uint32_t max_passes; /* 1 to PASSTIME_MESSAGE_PASSES_MAX */
};

struct passtime_message_recorder {
    uint64_t began_ns, finished_ns; /* finished at 0: not known */
    enum passtime_message_how how;
};

/* A pass; its pair of slots has the number that it has in the frame. */
struct passtime_message_pass {
    uint32_t recorder;
    uint32_t name;              /* its number */
    uint32_t parent;            /* the pass around it, which comes before it; or PASSTIME_NONE */
    uint64_t open_ns, close_ns; /* open at 0: stamped whole; close at 0 then only: never closed */
    uint32_t flags;             /* PASSTIME_FLAG_ bits */
    bool refused;               /* it could not be stamped */
};

struct passtime_message_frame {
    uint64_t number;
    uint64_t begin_ns, end_ns, seen_ns; /* seen at 0: nothing came back */
    enum passtime_message_status status;
    uint64_t set;                                /* the query set that its slots are in; 0: none */
    uint64_t complete_begin_ns, complete_end_ns; /* both 0: not known */
    uint32_t surplus;                            /* passes without a slot, not among the passes */
    uint32_t recorder_count, pass_count;
    uint32_t tick_count; /* begin and end of each pair from 0 on; may be fewer than the passes' */
    const struct passtime_message_recorder *recorders;
    const struct passtime_message_pass *passes;
    const uint64_t *ticks;
    const uint8_t *available; /* one byte a tick; NULL: the API does not say */
};

/* One message. Texts are UTF-8, never NULL, and live as long as the call that hands it over. Times
 * are nanoseconds of the realm's clock, below 2^53. */
struct passtime_message {
    enum passtime_message_kind kind;
    uint32_t context; /* of all but HELLO, TICK and NOTE: the realm's number for it, from 1 */
    uint32_t name;    /* NAME: its number */
    const char *text; /* NAME, LOST, NOTE */
    uint64_t number;  /* SKIP: the frame's; TICK: how many */
    enum passtime_message_why why; /* SKIP */
    struct passtime_message_hello hello;
    struct passtime_message_context about;
    struct passtime_message_frame frame;
};

/* What was wrong with a text. */
struct passtime_message_faults {
    uint32_t taken;     /* messages handed over */
    uint32_t unknown;   /* of a kind that this version does not know */
    uint32_t malformed; /* messages, or the whole text, left out */
    char first[160];    /* what was wrong with the first of these; "" where none was */
};

/* The memory that frames are read into. */
struct passtime_message_reader;
/* NULL: no memory. */
struct passtime_message_reader *passtime_message_reader_make(void);
void passtime_message_reader_free(struct passtime_message_reader *reader);

/* Reads a text and hands its messages over, one after another. */
struct passtime_message_faults
passtime_messages_read(struct passtime_message_reader *reader, const char *json, size_t bytes,
                       void (*take)(void *user, const struct passtime_message *message),
                       void *user);

#endif
