/* SPDX-License-Identifier: MIT */
/*
 * The GL backend: its life in the ring. Stamps are issued inline; once a poll it is asked which
 * frames are back, newest first, then whether the clock was disturbed, and only then are results
 * read.
 */
#include "backend/gl_state.h"

#include <string.h>

static void count_not_current(struct passtime_gl *gl, const char *message)
{
    gl->not_current++;
    if (gl->t != NULL) {
        passtime_front_log(gl->t, PASSTIME_LOG_NOT_CURRENT, message);
    }
}

bool passtime_gl_may_call(struct passtime_gl *gl)
{
    if (gl->lost) {
        return false;
    }
    const passtime_gl_desc *d = &gl->gl_desc;
    if (d->current_context == NULL || d->current_context(d->user) == gl->token) {
        return true;
    }
    count_not_current(
        gl, "Another GL context than this timer's was current, or none: nothing was done.");
    return false;
}

/* Without a current_context of the app's, the anchor gives a foreign or a reset context away. */
bool passtime_gl_is_usable(struct passtime_gl *gl)
{
    if (!passtime_gl_may_call(gl)) {
        return false;
    }
    if (!gl->anchored || gl->api.is_query(gl->queries[0])) {
        return true;
    }
    count_not_current(
        gl, "The current GL context does not know this timer's queries: nothing was done. If "
            "the context was reset, call passtime_gl_context_lost().");
    return false;
}

bool passtime_gl_is_available(const struct passtime_gl *gl, unsigned query)
{
    unsigned available = 0;
    gl->api.get_result(query, PASSTIME_GL_QUERY_RESULT_AVAILABLE, &available);
    return available != 0;
}

uint64_t passtime_gl_result(const struct passtime_gl *gl, unsigned query)
{
    uint64_t wide = 0;
    unsigned narrow = 0;
    if (gl->api.get_result64 != NULL) {
        gl->api.get_result64(query, PASSTIME_GL_QUERY_RESULT, &wide);
        return wide;
    }
    gl->api.get_result(query, PASSTIME_GL_QUERY_RESULT, &narrow);
    return narrow != UINT32_MAX ? narrow : UINT64_MAX; /* Drivers clamp what does not fit. */
}

void passtime_gl_flush_stamp(const struct passtime_gl *gl)
{
    if (gl->flush) {
        gl->api.flush();
    }
}

static void void_entry(struct passtime_gl_entry *e)
{
    if (e->state == PASSTIME_GL_OPEN) {
        e->disjoint_pairs = e->pairs;
    } else if (e->state != PASSTIME_GL_IDLE) {
        e->state = PASSTIME_GL_VOID;
    }
}

void passtime_gl_read_disjoint(struct passtime_gl *gl)
{
    int disjoint = 0;
    if (!gl->api.has_disjoint) {
        return;
    }
    gl->api.get_integer(PASSTIME_GL_GPU_DISJOINT, &disjoint);
    if (disjoint == 0) {
        return;
    }
    gl->disjoints++;
    gl->app_disjoint = true;
    for (uint32_t i = 0; i < gl->desc.frames_in_flight; i++) {
        void_entry(&gl->entries[i]);
    }
    passtime_front_log(
        gl->t, PASSTIME_LOG_DISJOINT,
        "The GPU's clock was disturbed: the passes open or in flight count as disjoint.");
}

/* The flying entry whose last query was issued latest, of those before `issue`, or NULL. */
static struct passtime_gl_entry *newest_before(struct passtime_gl *gl, uint64_t issue)
{
    struct passtime_gl_entry *newest = NULL;
    for (uint32_t i = 0; i < gl->desc.frames_in_flight; i++) {
        struct passtime_gl_entry *e = &gl->entries[i];
        if (e->state == PASSTIME_GL_FLYING && e->last_issue < issue &&
            (newest == NULL || e->last_issue > newest->last_issue)) {
            newest = e;
        }
    }
    return newest;
}

/* What was issued before an available query is available too: the newest that is settles
 * the rest. */
static void read_availability(struct passtime_gl *gl)
{
    bool available = false;
    struct passtime_gl_entry *e = newest_before(gl, UINT64_MAX);
    for (; e != NULL; e = newest_before(gl, e->last_issue)) {
        available = available || passtime_gl_is_available(gl, e->last_query);
        if (available) {
            e->state = PASSTIME_GL_READY;
        }
    }
}

static void gl_poll(void *self)
{
    struct passtime_gl *gl = self;
    gl->usable = passtime_gl_is_usable(gl);
    if (gl->usable) {
        if (gl->top == PASSTIME_NONE) {
            passtime_gl_elapsed_break(gl); /* Ends what was left active in a foreign context. */
        }
        read_availability(gl);
        passtime_gl_read_disjoint(gl);
    }
}

static void forget_marks(struct passtime_gl_entry *e)
{
    memset(e->marks, 0, 2 * (size_t)e->pairs);
    e->pairs = 0;
    e->disjoint_pairs = 0;
    e->pieces = 0;
    e->last_query = 0;
}

static void break_entry(struct passtime_gl *gl, uint32_t entry)
{
    if (gl->top != PASSTIME_NONE && gl->top_entry == entry) {
        passtime_gl_elapsed_break(gl);
    }
}

static uint32_t gl_entry_begin(void *self, uint32_t entry, uint32_t wanted,
                               struct passtime_unit *unit)
{
    struct passtime_gl *gl = self;
    (void)wanted;
    (void)unit;
    if (!passtime_gl_is_usable(gl)) {
        return 0;
    }
    if (!gl->anchored) {
        passtime_gl_anchor(gl);
    }
    forget_marks(&gl->entries[entry]);
    gl->entries[entry].state = PASSTIME_GL_OPEN;
    return gl->desc.max_passes;
}

static bool gl_mark(void *self, uint32_t entry, uint32_t slot)
{
    struct passtime_gl *gl = self;
    struct passtime_gl_entry *e = &gl->entries[entry];
    e->pairs = slot / 2 + 1 > e->pairs ? slot / 2 + 1 : e->pairs;
    if (gl->elapsed) {
        return passtime_gl_elapsed_mark(gl, entry, slot);
    }
    if (!passtime_gl_may_call(gl)) {
        return false;
    }
    e->last_query = e->queries[slot];
    e->last_issue = ++gl->issues;
    e->marks[slot] = PASSTIME_GL_MARKED;
    gl->api.query_counter(e->last_query, PASSTIME_GL_TIMESTAMP);
    passtime_gl_flush_stamp(gl);
    return true;
}

static void gl_recorder_finish(void *self, passtime_recorder *rec)
{
    if (passtime_front_depth(rec) > 0) {
        break_entry(self, passtime_front_recorder_entry(rec));
    }
}

static void gl_entry_resolve(void *self, uint32_t entry, uint64_t frame_number,
                             const struct passtime_run *runs, uint32_t run_count)
{
    struct passtime_gl *gl = self;
    struct passtime_gl_entry *e = &gl->entries[entry];
    (void)frame_number;
    (void)runs;
    (void)run_count;
    break_entry(gl, entry);
    e->state = e->disjoint_pairs == e->pairs ? PASSTIME_GL_VOID : PASSTIME_GL_FLYING;
}

/* True: every stamp is there. */
static bool read_stamps(struct passtime_gl *gl, const struct passtime_gl_entry *e)
{
    bool all = true;
    for (size_t slot = 0; slot < 2 * (size_t)e->pairs; slot++) {
        uint64_t ticks = UINT64_MAX;
        if (e->marks[slot] == PASSTIME_GL_MARKED) {
            ticks = passtime_gl_result(gl, e->queries[slot]);
        }
        gl->ticks[slot] = ticks;
        gl->available[slot] = ticks != UINT64_MAX;
        all = all && ticks != UINT64_MAX;
    }
    return all;
}

/* Where every stamp is there, which of them are need not be said: the core judges such frames
 * faster. */
static void fill_raw(struct passtime_gl *gl, const struct passtime_gl_entry *e,
                     struct passtime_raw *raw)
{
    bool all = false;
    if (gl->elapsed) {
        passtime_gl_elapsed_read(gl, e);
    } else {
        all = read_stamps(gl, e);
    }
    raw->state = PASSTIME_RAW_READY;
    raw->durations = gl->elapsed;
    raw->disjoint_pairs = e->disjoint_pairs;
    raw->ticks = gl->ticks;
    raw->available = all ? NULL : gl->available;
    raw->tick_count = 2 * e->pairs;
}

bool passtime_gl_is_verified(const struct passtime_gl *gl)
{
    return gl->boundary == PASSTIME_GL_BOUNDARY_TRUE ||
           (gl->boundary == PASSTIME_GL_BOUNDARY_FLUSHED && gl->flush);
}

static void gl_entry_collect(void *self, uint32_t entry, struct passtime_raw *raw)
{
    struct passtime_gl *gl = self;
    const struct passtime_gl_entry *e = &gl->entries[entry];
    raw->boundary_unverified = !passtime_gl_is_verified(gl);
    if (e->state == PASSTIME_GL_VOID) {
        raw->state = PASSTIME_RAW_DISJOINT;
    } else if (gl->lost) {
        raw->state = PASSTIME_RAW_LOST;
    } else if (e->state == PASSTIME_GL_READY && gl->usable) {
        fill_raw(gl, e, raw);
    }
}

static void gl_entry_end(void *self, uint32_t entry)
{
    struct passtime_gl *gl = self;
    break_entry(gl, entry);
    gl->entries[entry].state = PASSTIME_GL_IDLE;
}

static bool gl_is_lost(void *self)
{
    const struct passtime_gl *gl = self;
    return gl->lost;
}

static void free_memory(struct passtime_gl *gl)
{
    passtime_desc desc = gl->desc;
    passtime_front_free(&desc, gl->available);
    passtime_front_free(&desc, gl->ticks);
    passtime_front_free(&desc, gl->around);
    passtime_front_free(&desc, gl->owner);
    passtime_front_free(&desc, gl->marks);
    passtime_front_free(&desc, gl->queries);
    passtime_front_free(&desc, gl->entries);
    passtime_front_free(&desc, gl);
}

/* Queries of a context that is gone or not current are let be: they ended, or will end, with it. */
static void gl_destroy(void *self)
{
    struct passtime_gl *gl = self;
    if (gl->query_count > 0 && passtime_gl_is_usable(gl)) {
        passtime_gl_elapsed_break(gl);
        gl->api.delete_queries((int)gl->query_count, gl->queries);
    }
    free_memory(gl);
}

const struct passtime_backend_ops passtime_gl_ops = {
    .size = sizeof(struct passtime_backend_ops),
    .api = "gl",
    .destroy = gl_destroy,
    .entry_begin = gl_entry_begin,
    .mark = gl_mark,
    .entry_resolve = gl_entry_resolve,
    .entry_collect = gl_entry_collect,
    .entry_release = gl_entry_end,
    .entry_abandon = gl_entry_end,
    .is_lost = gl_is_lost,
    .poll = gl_poll,
    .recorder_finish = gl_recorder_finish,
};

struct passtime_gl *passtime_gl_self(passtime *t)
{
    return passtime_front_self(t, &passtime_gl_ops);
}
