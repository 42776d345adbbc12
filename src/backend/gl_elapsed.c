/* SPDX-License-Identifier: MIT */
/*
 * Elapsed queries: only one can be active, so a pass that another is nested in is measured in
 * pieces, around it. A pass's time is that of its own pieces and of the passes that interrupted it.
 */
#include "backend/gl_state.h"

static unsigned current_query(const struct passtime_gl *gl)
{
    int current = 0;
    gl->api.get_query(PASSTIME_GL_TIME_ELAPSED, PASSTIME_GL_CURRENT_QUERY, &current);
    return (unsigned)current;
}

static void begin(struct passtime_gl *gl, unsigned query)
{
    gl->api.begin_query(PASSTIME_GL_TIME_ELAPSED, query);
    passtime_gl_flush_stamp(gl);
    gl->active = query;
}

/* False: our query is not active any more, since an end of the app's hit it. */
static bool end(struct passtime_gl *gl)
{
    bool ours = current_query(gl) == gl->active;
    gl->active = 0;
    if (ours) {
        gl->api.end_query(PASSTIME_GL_TIME_ELAPSED);
        passtime_gl_flush_stamp(gl);
    }
    return ours;
}

bool passtime_gl_elapsed_is_free(struct passtime_gl *gl)
{
    unsigned current = current_query(gl);
    if (current != 0 && current == gl->active) {
        return end(gl); /* Left active while another context was current. */
    }
    gl->active = 0;
    return current == 0;
}

void passtime_gl_anchor(struct passtime_gl *gl)
{
    if (!gl->elapsed) {
        gl->api.query_counter(gl->queries[0], PASSTIME_GL_TIMESTAMP);
        gl->anchored = true;
    } else if (gl->paused == 0 && passtime_gl_elapsed_is_free(gl)) {
        begin(gl, gl->queries[0]);
        gl->anchored = end(gl);
    }
}

static bool begin_piece(struct passtime_gl *gl, struct passtime_gl_entry *e, uint32_t pair)
{
    if (e->pieces >= 2 * gl->desc.max_passes) {
        return false;
    }
    e->owner[e->pieces] = pair;
    e->last_query = e->queries[e->pieces++];
    e->last_issue = ++gl->issues;
    begin(gl, e->last_query);
    return true;
}

void passtime_gl_elapsed_break(struct passtime_gl *gl)
{
    if (gl->active != 0 && passtime_gl_may_call(gl)) {
        (void)end(gl);
    }
    while (gl->top != PASSTIME_NONE) {
        struct passtime_gl_entry *e = &gl->entries[gl->top_entry];
        e->marks[2 * (size_t)gl->top] = PASSTIME_GL_BROKEN;
        gl->top = e->around[gl->top];
    }
}

/* Does the pass begin in the innermost one being measured, those around it that are not measured
 * left out? */
static bool is_nested(const struct passtime_gl *gl, uint32_t entry, uint32_t pair)
{
    const struct passtime_gl_entry *e = &gl->entries[entry];
    if (entry != gl->top_entry) {
        return false;
    }
    do {
        pair = passtime_front_parent(gl->t, (struct passtime_place){entry, pair});
    } while (pair != PASSTIME_NONE && e->marks[2 * (size_t)pair] != PASSTIME_GL_MEASURING);
    return pair == gl->top;
}

static bool make_room(struct passtime_gl *gl)
{
    if (gl->top != PASSTIME_NONE) {
        if (end(gl)) {
            return true;
        }
        passtime_gl_elapsed_break(gl);
    }
    if (passtime_gl_elapsed_is_free(gl)) {
        return true;
    }
    gl->busy++;
    passtime_front_log(
        gl->t, PASSTIME_LOG_TARGET_BUSY,
        "A pass was not timed: another elapsed query was active where it began. Call "
        "passtime_gl_pause() and passtime_gl_resume() around the app's own.");
    return false;
}

static bool begin_pass(struct passtime_gl *gl, uint32_t entry, uint32_t pair)
{
    struct passtime_gl_entry *e = &gl->entries[entry];
    if (gl->paused > 0) {
        return false;
    }
    if (gl->top != PASSTIME_NONE && !is_nested(gl, entry, pair)) {
        passtime_gl_elapsed_break(gl);
    }
    if (!make_room(gl) || !begin_piece(gl, e, pair)) {
        return false;
    }
    e->around[pair] = gl->top;
    e->marks[2 * (size_t)pair] = PASSTIME_GL_MEASURING;
    gl->top = pair;
    gl->top_entry = entry;
    return true;
}

static bool end_pass(struct passtime_gl *gl, uint32_t entry, uint32_t pair)
{
    struct passtime_gl_entry *e = &gl->entries[entry];
    if (e->marks[2 * (size_t)pair] != PASSTIME_GL_MEASURING) {
        return false;
    }
    if (entry != gl->top_entry || pair != gl->top || !end(gl)) {
        passtime_gl_elapsed_break(gl);
        return false;
    }
    e->marks[2 * (size_t)pair] = PASSTIME_GL_MARKED;
    gl->top = e->around[pair];
    if (gl->top != PASSTIME_NONE && !begin_piece(gl, e, gl->top)) {
        passtime_gl_elapsed_break(gl);
    }
    return true;
}

bool passtime_gl_elapsed_mark(struct passtime_gl *gl, uint32_t entry, uint32_t slot)
{
    if (!passtime_gl_may_call(gl)) {
        passtime_gl_elapsed_break(gl);
        return false;
    }
    return slot % 2 == 0 ? begin_pass(gl, entry, slot / 2) : end_pass(gl, entry, slot / 2);
}

/* What does not fit is as long as can be, which no envelope allows. */
static uint64_t add_saturating(const struct passtime_gl *gl, uint64_t a, uint64_t b)
{
    uint64_t most = UINT64_MAX >> (64 - gl->valid_bits);
    return a > most || b > most - a ? most : a + b;
}

void passtime_gl_elapsed_read(struct passtime_gl *gl, const struct passtime_gl_entry *e)
{
    for (size_t pair = 0; pair < e->pairs; pair++) {
        gl->ticks[2 * pair] = 0;
        gl->ticks[2 * pair + 1] = 0;
        gl->available[2 * pair] = e->marks[2 * pair] == PASSTIME_GL_MARKED;
        gl->available[2 * pair + 1] = gl->available[2 * pair];
    }
    for (uint32_t piece = 0; piece < e->pieces; piece++) {
        size_t slot = 2 * (size_t)e->owner[piece];
        if (gl->available[slot]) {
            uint64_t result = passtime_gl_result(gl, e->queries[piece]);
            gl->ticks[slot] = add_saturating(gl, gl->ticks[slot], result);
        }
    }
    for (size_t pair = e->pairs; pair-- > 0;) {
        if (gl->available[2 * pair] && e->around[pair] != PASSTIME_NONE) {
            size_t slot = 2 * (size_t)e->around[pair];
            gl->ticks[slot] = add_saturating(gl, gl->ticks[slot], gl->ticks[2 * pair]);
        }
    }
}
