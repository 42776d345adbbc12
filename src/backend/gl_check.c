/* SPDX-License-Identifier: MIT */
/*
 * The self-check: are the boundaries of passes where they are said to be? Tiled GPUs, and software
 * ones, record a render pass and run it later; a stamp in the midst of it may then read its end. A
 * flush cuts the render pass there. So work of a known ratio is timed both ways, and the flushed
 * times are what the unflushed ones must agree with.
 */
#include "backend/gl_state.h"

enum {
    CHECK_RATIO = 4,
    CHECK_ROUNDS = 2 * PASSTIME_GL_CHECK_ROUNDS + 1,
    CHECK_MAX_FAILURES = 32,
    CHECK_MAX_PARTS = 4096,
    CHECK_LEAST_NS = 400000,  /* for the longer pass; shorter ones say too little */
    CHECK_LONG_NS = 50000000, /* what a time slice of another program no longer spoils */
    CHECK_SLACK_NS = 20000
};

static bool is_flushed(const struct passtime_gl_check *c)
{
    return c->round % 2 == 1;
}

static void flush_if(const struct passtime_gl *gl, bool flushed)
{
    if (flushed) {
        gl->api.flush();
    }
}

static void issue_stamps(struct passtime_gl *gl, passtime_gl_work work, void *user, bool flushed)
{
    const struct passtime_gl_check *c = &gl->check;
    for (uint32_t i = 0; i < PASSTIME_GL_CHECK_QUERIES; i++) {
        if (i > 0) {
            work(user, i == 1 ? c->parts : CHECK_RATIO * c->parts);
        }
        gl->api.query_counter(c->queries[i], PASSTIME_GL_TIMESTAMP);
        flush_if(gl, flushed);
    }
}

static void issue_elapsed(struct passtime_gl *gl, passtime_gl_work work, void *user, bool flushed)
{
    const struct passtime_gl_check *c = &gl->check;
    for (uint32_t i = 0; i < 2; i++) {
        gl->api.begin_query(PASSTIME_GL_TIME_ELAPSED, c->queries[i]);
        flush_if(gl, flushed);
        work(user, i == 0 ? c->parts : CHECK_RATIO * c->parts);
        gl->api.end_query(PASSTIME_GL_TIME_ELAPSED);
        flush_if(gl, flushed);
    }
}

static void issue(struct passtime_gl *gl, passtime_gl_work work, void *user)
{
    struct passtime_gl_check *c = &gl->check;
    c->issued_ns = passtime_front_now(gl->t);
    c->disjoints = gl->disjoints;
    c->awaiting = true;
    if (gl->elapsed) {
        issue_elapsed(gl, work, user, is_flushed(c));
    } else {
        issue_stamps(gl, work, user, is_flushed(c));
    }
}

static void read_round(const struct passtime_gl *gl, uint64_t ns[2])
{
    const struct passtime_gl_check *c = &gl->check;
    uint64_t mask = UINT64_MAX >> (64 - gl->valid_bits);
    for (uint32_t i = 0; i < 2; i++) {
        ns[i] = passtime_gl_result(gl, c->queries[i]) & mask;
        if (!gl->elapsed) {
            ns[i] = (passtime_gl_result(gl, c->queries[i + 1]) - ns[i]) & mask;
        }
    }
}

/* Puts a time in its place among those of its kind before. */
static void insert(uint64_t *sorted_ns, uint32_t count, uint64_t ns)
{
    uint32_t at = count;
    for (; at > 0 && sorted_ns[at - 1] > ns; at--) {
        sorted_ns[at] = sorted_ns[at - 1];
    }
    sorted_ns[at] = ns;
}

static void take_round(struct passtime_gl *gl)
{
    struct passtime_gl_check *c = &gl->check;
    uint64_t ns[2];
    uint64_t seen_ns = passtime_front_now(gl->t) - c->issued_ns;
    uint64_t most_ns = seen_ns + seen_ns / 1000 + CHECK_SLACK_NS;
    read_round(gl, ns);
    bool believable = ns[0] <= most_ns && ns[1] <= most_ns && c->disjoints == gl->disjoints;
    if (!believable && c->round > 0) {
        c->failures++;
        return;
    }
    uint32_t kind = is_flushed(c) ? 2 : 0;
    for (uint32_t i = 0; i < 2 && c->round > 0; i++) {
        insert(c->round_ns[kind + i], (c->round - 1) / 2, ns[i]);
    }
    c->round++;
}

/* Is neither of the two more than `percent` of the other? */
static bool agree(uint64_t a_ns, uint64_t b_ns, uint64_t percent)
{
    uint64_t less_ns = a_ns < b_ns ? a_ns : b_ns;
    uint64_t more_ns = a_ns < b_ns ? b_ns : a_ns;
    return more_ns <= less_ns / 100 * percent + CHECK_SLACK_NS;
}

/* That boundaries are true without a flush takes more to believe than that a flush makes
 * them so. */
static passtime_gl_boundary judge(const struct passtime_gl_check *c)
{
    enum { FLUSHED_PERCENT = 200, UNFLUSHED_PERCENT = 135 };
    const uint64_t *ns = c->middle_ns;
    if (c->failures >= CHECK_MAX_FAILURES || ns[3] < CHECK_LEAST_NS ||
        !agree(CHECK_RATIO * ns[2], ns[3], FLUSHED_PERCENT)) {
        return PASSTIME_GL_BOUNDARY_FALSE;
    }
    bool unflushed =
        agree(ns[0], ns[2], UNFLUSHED_PERCENT) && agree(ns[1], ns[3], UNFLUSHED_PERCENT);
    return unflushed ? PASSTIME_GL_BOUNDARY_TRUE : PASSTIME_GL_BOUNDARY_FLUSHED;
}

/* False: the work was too short to tell, and starts anew with more of it. */
static bool conclude(struct passtime_gl *gl)
{
    struct passtime_gl_check *c = &gl->check;
    bool whole = c->round == CHECK_ROUNDS;
    for (int i = 0; i < 4; i++) {
        c->middle_ns[i] = whole ? c->round_ns[i][PASSTIME_GL_CHECK_ROUNDS / 2] : 0;
    }
    passtime_gl_boundary boundary = judge(c);
    c->round = 0;
    if (whole && boundary == PASSTIME_GL_BOUNDARY_FALSE && c->middle_ns[3] < CHECK_LONG_NS &&
        c->parts < CHECK_MAX_PARTS) {
        c->parts *= CHECK_RATIO;
        return false;
    }
    gl->boundary = boundary;
    c->failures = 0;
    return true;
}

static passtime_result result_of(const struct passtime_gl *gl)
{
    return passtime_gl_is_verified(gl) ? PASSTIME_OK : PASSTIME_UNSUPPORTED;
}

static bool is_overdue(const struct passtime_gl *gl)
{
    return passtime_front_now(gl->t) - gl->check.issued_ns > gl->desc.timeout_ns;
}

/* True: the check has come to its end. */
static bool step(struct passtime_gl *gl)
{
    struct passtime_gl_check *c = &gl->check;
    bool available = passtime_gl_is_available(gl, c->queries[gl->elapsed ? 1 : 2]);
    if (!available && !is_overdue(gl)) {
        return false;
    }
    c->awaiting = false;
    if (available) {
        passtime_gl_read_disjoint(gl);
        take_round(gl);
    } else {
        c->failures = CHECK_MAX_FAILURES;
    }
    return (c->round == CHECK_ROUNDS || c->failures >= CHECK_MAX_FAILURES) && conclude(gl);
}

/* The check's own work must not land in a pass of the app. */
static bool has_open_pass(const struct passtime_gl *gl)
{
    if (gl->elapsed) {
        return gl->top != PASSTIME_NONE;
    }
    for (uint32_t i = 0; i < gl->desc.frames_in_flight; i++) {
        const struct passtime_gl_entry *e = &gl->entries[i];
        for (uint32_t pair = 0; e->state == PASSTIME_GL_OPEN && pair < e->pairs; pair++) {
            const uint8_t *marks = e->marks + 2 * (size_t)pair;
            if (marks[0] == PASSTIME_GL_MARKED && marks[1] != PASSTIME_GL_MARKED) {
                return true;
            }
        }
    }
    return false;
}

passtime_result passtime_gl_self_check(passtime *t, passtime_gl_work work, void *user)
{
    struct passtime_gl *gl = passtime_gl_self(t);
    if (gl == NULL || work == NULL) {
        return PASSTIME_INVALID;
    }
    if (gl->lost) {
        return PASSTIME_LOST;
    }
    if (has_open_pass(gl)) {
        return PASSTIME_INVALID;
    }
    if (!passtime_gl_is_usable(gl)) {
        return PASSTIME_PENDING;
    }
    if (gl->check.awaiting && step(gl)) {
        return result_of(gl);
    }
    bool busy = gl->elapsed && (gl->paused > 0 || !passtime_gl_elapsed_is_free(gl));
    if (!gl->check.awaiting && !busy) {
        issue(gl, work, user);
    }
    return PASSTIME_PENDING;
}
