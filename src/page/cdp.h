/* SPDX-License-Identifier: MIT */
/* The browser's protocol: commands out, replies and events in. It knows no descriptor; its caller
 * moves the bytes. For one thread. */
#ifndef PASSTIME_PAGE_CDP_H
#define PASSTIME_PAGE_CDP_H

#include <jansson.h>

#include "page/frames.h"

enum { CDP_MESSAGE_BYTES_MAX = 64 << 20, CDP_OUT_BYTES_MAX = 64 << 20, CDP_ID_BYTES = 80 };

/* What came of a command: a result, or NULL and why. */
struct cdp_reply {
    const char *session; /* "" for the browser itself */
    uint64_t tag;        /* as the sender gave it */
    const json_t *result;
    const char *error;
    bool timed_out;
};

typedef void (*cdp_on_reply)(void *user, const struct cdp_reply *reply);
typedef void (*cdp_on_event)(void *user, const char *session, const char *method,
                             const json_t *params);

struct cdp_pending;

struct passtime_cdp {
    struct passtime_frames in;
    char *out; /* bytes that wait to be written, from out_begun on */
    size_t out_begun;
    size_t out_used;
    size_t out_capacity;
    bool broken; /* memory ran out, or the browser reads nothing */
    struct cdp_pending *pending;
    uint32_t pending_count;
    uint32_t pending_capacity;
    uint64_t last_id;
    uint64_t bad_messages;
    void *user;
    cdp_on_event on_event;
};

void passtime_cdp_init(struct passtime_cdp *cdp, void *user, cdp_on_event on_event);
void passtime_cdp_finish(struct passtime_cdp *cdp);

/* A command and what it needs, so that a reply finds its way. */
struct cdp_command {
    const char *session; /* NULL: the browser itself */
    const char *method;
    json_t *params;        /* taken; NULL: none */
    cdp_on_reply on_reply; /* NULL: whatever comes of it */
    uint64_t tag;
    uint64_t deadline_ns; /* by passtime_port_now_ns; no reply by then is an error */
};

/* Puts a command in line. on_reply is called exactly once, later. */
void passtime_cdp_send(struct passtime_cdp *cdp, const struct cdp_command *command);

/* Takes bytes from the browser, and calls on_reply and on_event for what they hold. */
void passtime_cdp_take(struct passtime_cdp *cdp, const char *bytes, size_t count);

/* Ends the commands whose time is over. */
void passtime_cdp_expire(struct passtime_cdp *cdp, uint64_t now_ns);
/* Ends the commands of a session, or all of them (NULL), with this error. */
void passtime_cdp_drop(struct passtime_cdp *cdp, const char *session, const char *error);

/* What waits to be written, and how many bytes of it now are. */
const char *passtime_cdp_waiting(const struct passtime_cdp *cdp, size_t *count);
void passtime_cdp_written(struct passtime_cdp *cdp, size_t count);

/* Members by name; what is missing or of another type gives "", 0, false or NULL. */
const char *passtime_json_text(const json_t *object, const char *name);
int64_t passtime_json_integer(const json_t *object, const char *name);
bool passtime_json_true(const json_t *object, const char *name);

#endif
