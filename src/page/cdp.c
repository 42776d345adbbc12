/* SPDX-License-Identifier: MIT */
/* The browser's protocol: commands out, replies and events in. */
#include "page/cdp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PENDING_MAX = 4096 };

struct cdp_pending {
    uint64_t id;
    uint64_t tag;
    uint64_t deadline_ns;
    cdp_on_reply on_reply;
    char session[CDP_ID_BYTES];
};

const char *passtime_json_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

int64_t passtime_json_integer(const json_t *object, const char *name)
{
    return (int64_t)json_integer_value(json_object_get(object, name));
}

bool passtime_json_true(const json_t *object, const char *name)
{
    return json_is_true(json_object_get(object, name));
}

void passtime_cdp_init(struct passtime_cdp *cdp, void *user, cdp_on_event on_event)
{
    memset(cdp, 0, sizeof *cdp);
    cdp->in.limit = CDP_MESSAGE_BYTES_MAX;
    cdp->user = user;
    cdp->on_event = on_event;
}

void passtime_cdp_finish(struct passtime_cdp *cdp)
{
    passtime_frames_finish(&cdp->in);
    free(cdp->out);
    free(cdp->pending);
    cdp->out = NULL;
    cdp->pending = NULL;
    cdp->pending_count = 0;
}

static bool reserve_out(struct passtime_cdp *cdp, size_t more)
{
    if (cdp->out_begun > 0) {
        memmove(cdp->out, cdp->out + cdp->out_begun, cdp->out_used - cdp->out_begun);
        cdp->out_used -= cdp->out_begun;
        cdp->out_begun = 0;
    }
    const size_t needed = cdp->out_used + more;
    if (needed > CDP_OUT_BYTES_MAX)
        return false;
    if (needed <= cdp->out_capacity)
        return true;
    const size_t capacity = needed * 2;
    char *grown = realloc(cdp->out, capacity);
    if (!grown)
        return false;
    cdp->out = grown;
    cdp->out_capacity = capacity;
    return true;
}

static bool add_pending(struct passtime_cdp *cdp, const struct cdp_command *command)
{
    if (cdp->pending_count == PENDING_MAX)
        return false;
    if (cdp->pending_count == cdp->pending_capacity) {
        const uint32_t capacity = cdp->pending_capacity ? cdp->pending_capacity * 2 : 64;
        struct cdp_pending *grown = realloc(cdp->pending, capacity * sizeof *grown);
        if (!grown)
            return false;
        cdp->pending = grown;
        cdp->pending_capacity = capacity;
    }
    struct cdp_pending *pending = &cdp->pending[cdp->pending_count++];
    *pending = (struct cdp_pending){.id = cdp->last_id,
                                    .tag = command->tag,
                                    .deadline_ns = command->deadline_ns,
                                    .on_reply = command->on_reply};
    (void)snprintf(pending->session, sizeof pending->session, "%s",
                   command->session ? command->session : "");
    return true;
}

void passtime_cdp_send(struct passtime_cdp *cdp, const struct cdp_command *command)
{
    json_t *message = json_object();
    cdp->last_id++;
    bool made = message != NULL &&
                json_object_set_new(message, "id", json_integer((json_int_t)cdp->last_id)) == 0 &&
                json_object_set_new(message, "method", json_string(command->method)) == 0 &&
                json_object_set_new(message, "params",
                                    command->params ? command->params : json_object()) == 0;
    if (command->session && command->session[0])
        made =
            made && json_object_set_new(message, "sessionId", json_string(command->session)) == 0;
    char *text = made ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    const size_t bytes = text ? strlen(text) + 1 : 0;
    if (!text || !reserve_out(cdp, bytes) || (command->on_reply && !add_pending(cdp, command))) {
        free(text);
        cdp->broken = true;
        if (command->on_reply) {
            const struct cdp_reply reply = {.session = command->session ? command->session : "",
                                            .tag = command->tag,
                                            .error = "the command could not be sent"};
            command->on_reply(cdp->user, &reply);
        }
        return;
    }
    memcpy(cdp->out + cdp->out_used, text, bytes);
    cdp->out_used += bytes;
    free(text);
}

const char *passtime_cdp_waiting(const struct passtime_cdp *cdp, size_t *count)
{
    *count = cdp->out_used - cdp->out_begun;
    return *count > 0 ? cdp->out + cdp->out_begun : NULL;
}

void passtime_cdp_written(struct passtime_cdp *cdp, size_t count)
{
    cdp->out_begun += count;
    if (cdp->out_begun >= cdp->out_used)
        cdp->out_begun = cdp->out_used = 0;
}

static struct cdp_pending take_pending(struct passtime_cdp *cdp, uint32_t index)
{
    const struct cdp_pending taken = cdp->pending[index];
    cdp->pending_count--;
    memmove(&cdp->pending[index], &cdp->pending[index + 1],
            (cdp->pending_count - index) * sizeof cdp->pending[0]);
    return taken;
}

static void fail_pending(struct passtime_cdp *cdp, uint32_t index, const char *error, bool late)
{
    const struct cdp_pending pending = take_pending(cdp, index);
    const struct cdp_reply reply = {
        .session = pending.session, .tag = pending.tag, .error = error, .timed_out = late};
    pending.on_reply(cdp->user, &reply);
}

void passtime_cdp_expire(struct passtime_cdp *cdp, uint64_t now_ns)
{
    for (uint32_t i = 0; i < cdp->pending_count;) {
        /* A reply's handler may send and drop others: begin anew after each. */
        if (cdp->pending[i].deadline_ns <= now_ns) {
            fail_pending(cdp, i, "no answer in time", true);
            i = 0;
        } else {
            i++;
        }
    }
}

void passtime_cdp_drop(struct passtime_cdp *cdp, const char *session, const char *error)
{
    /* Only what is there now: a handler may send more, which must not keep this going for ever. */
    const uint64_t last = cdp->last_id;
    for (uint32_t i = 0; i < cdp->pending_count;) {
        const struct cdp_pending *pending = &cdp->pending[i];
        if (pending->id <= last && (!session || strcmp(pending->session, session) == 0)) {
            fail_pending(cdp, i, error, false);
            i = 0;
        } else {
            i++;
        }
    }
}

static bool take_reply(struct passtime_cdp *cdp, const json_t *message)
{
    const json_t *id = json_object_get(message, "id");
    if (!json_is_integer(id))
        return false;
    const char *session = passtime_json_text(message, "sessionId");
    for (uint32_t i = 0; i < cdp->pending_count; i++) {
        if ((json_int_t)cdp->pending[i].id != json_integer_value(id))
            continue;
        const struct cdp_pending pending = take_pending(cdp, i);
        const json_t *result = json_object_get(message, "result");
        const json_t *error = json_object_get(message, "error");
        const char *text = passtime_json_text(error, "message");
        /* A session that is gone is answered for by the browser itself. */
        const bool right = session[0] == '\0' || strcmp(session, pending.session) == 0;
        struct cdp_reply reply = {.session = pending.session, .tag = pending.tag};
        if (right && json_is_object(result) && !error)
            reply.result = result;
        else if (right && error)
            reply.error = text[0] ? text : "refused";
        else
            reply.error = "an answer that makes no sense";
        pending.on_reply(cdp->user, &reply);
        return true;
    }
    /* Nobody asked for this one, or nobody waits for it any more. */
    return true;
}

static void take_message(void *user, char *text, size_t length)
{
    struct passtime_cdp *cdp = user;
    json_error_t error;
    passtime_frames_mend(text, length);
    json_t *message = json_loadb(text, length, JSON_ALLOW_NUL, &error);
    const char *method = passtime_json_text(message, "method");
    if (!json_is_object(message)) {
        cdp->bad_messages++;
    } else if (method[0] != '\0') {
        cdp->on_event(cdp->user, passtime_json_text(message, "sessionId"), method,
                      json_object_get(message, "params"));
    } else if (!take_reply(cdp, message)) {
        cdp->bad_messages++;
    }
    json_decref(message);
}

void passtime_cdp_take(struct passtime_cdp *cdp, const char *bytes, size_t count)
{
    const uint64_t before = cdp->in.left_out;
    passtime_frames_take(&cdp->in, bytes, count, take_message, cdp);
    cdp->bad_messages += cdp->in.left_out - before;
}
