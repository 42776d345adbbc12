/* SPDX-License-Identifier: MIT */
/* Making a GL context's timer, and the calls that are GL's own. */
#include "backend/gl_state.h"

static bool allocate_arrays(struct passtime_gl *gl)
{
    const passtime_desc *d = &gl->desc;
    size_t slots = 2 * (size_t)d->max_passes;
    size_t all = slots * d->frames_in_flight;
    size_t queries = 1 + PASSTIME_GL_CHECK_QUERIES + all;
    gl->entries = passtime_front_allocate(d, d->frames_in_flight * sizeof(*gl->entries));
    gl->queries = passtime_front_allocate(d, queries * sizeof(*gl->queries));
    gl->marks = passtime_front_allocate(d, all);
    gl->ticks = passtime_front_allocate(d, slots * sizeof(*gl->ticks));
    gl->available = passtime_front_allocate(d, slots);
    if (gl->elapsed) {
        gl->owner = passtime_front_allocate(d, all * sizeof(*gl->owner));
        gl->around = passtime_front_allocate(d, all / 2 * sizeof(*gl->around));
    }
    return gl->entries != NULL && gl->queries != NULL && gl->marks != NULL && gl->ticks != NULL &&
           gl->available != NULL && (!gl->elapsed || (gl->owner != NULL && gl->around != NULL));
}

static void hand_out_arrays(struct passtime_gl *gl)
{
    size_t slots = 2 * (size_t)gl->desc.max_passes;
    gl->check.queries = gl->queries + 1;
    for (size_t i = 0; i < gl->desc.frames_in_flight; i++) {
        struct passtime_gl_entry *e = &gl->entries[i];
        e->queries = gl->queries + 1 + PASSTIME_GL_CHECK_QUERIES + i * slots;
        e->marks = gl->marks + i * slots;
        e->owner = gl->elapsed ? gl->owner + i * slots : NULL;
        e->around = gl->elapsed ? gl->around + i * slots / 2 : NULL;
    }
}

/* Whether it worked is seen from the names: glGetError would take the app's errors. */
static bool make_queries(struct passtime_gl *gl)
{
    uint32_t slots = 2 * gl->desc.max_passes;
    uint32_t count = 1 + PASSTIME_GL_CHECK_QUERIES + slots * gl->desc.frames_in_flight;
    bool all = true;
    gl->api.gen_queries((int)count, gl->queries);
    for (uint32_t i = 0; i < count; i++) {
        all = all && gl->queries[i] != 0;
    }
    if (!all) {
        gl->api.delete_queries((int)count, gl->queries); /* Zeros are ignored. */
        return false;
    }
    gl->query_count = count;
    return true;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Stamps where they can be read whole; elapsed queries fit in 32 bits where stamps do not. */
static bool choose_method(struct passtime_gl *gl)
{
    uint32_t result_bits = gl->api.get_result64 != NULL ? 64 : 32;
    bool force = (gl->gl_desc.flags & PASSTIME_GL_METHOD_ELAPSED) != 0;
    bool can_stamp = gl->timestamp_bits != 0 && gl->api.query_counter != NULL && !force;
    gl->elapsed = gl->elapsed_bits != 0 && (!can_stamp || result_bits < 64);
    gl->valid_bits = lesser(gl->elapsed ? gl->elapsed_bits : gl->timestamp_bits, result_bits);
    return gl->elapsed || can_stamp;
}

static passtime_result refuse(const passtime_desc *desc, passtime_result result, const char *reason)
{
    passtime_front_log_early(desc, PASSTIME_LOG_UNSUPPORTED, reason);
    return result;
}

static passtime_result set_up(struct passtime_gl *gl)
{
    char reason[PASSTIME_GL_REASON_BYTES];
    const passtime_gl_desc *d = &gl->gl_desc;
    gl->token = d->current_context != NULL ? d->current_context(d->user) : NULL;
    if (d->current_context != NULL && gl->token == NULL) {
        return refuse(&gl->desc, PASSTIME_UNSUPPORTED, "No GL context is current.");
    }
    if (!passtime_gl_api_load(&gl->api, d, reason)) {
        return refuse(&gl->desc, PASSTIME_UNSUPPORTED, reason);
    }
    gl->timestamp_bits = passtime_gl_api_bits(&gl->api, PASSTIME_GL_TIMESTAMP);
    gl->elapsed_bits = passtime_gl_api_bits(&gl->api, PASSTIME_GL_TIME_ELAPSED);
    if (!choose_method(gl)) {
        return refuse(&gl->desc, PASSTIME_UNSUPPORTED,
                      "The context's timer counters have no bits: it cannot time passes.");
    }
    gl->top = PASSTIME_NONE;
    gl->flush = (d->flags & PASSTIME_GL_FLUSH_STAMPS) != 0;
    gl->check.parts = 1;
    if (!allocate_arrays(gl)) {
        return PASSTIME_NO_MEMORY;
    }
    if (!make_queries(gl)) {
        return refuse(&gl->desc, PASSTIME_UNSUPPORTED, "The driver made no query objects.");
    }
    hand_out_arrays(gl);
    return PASSTIME_OK;
}

/* Warms the driver up, and clears what GPU_DISJOINT may say of times before. */
static void start(struct passtime_gl *gl)
{
    passtime_gl_anchor(gl);
    (void)passtime_gl_disjoint(gl->t);
    gl->disjoints = 0;
}

static passtime_result create(const passtime_gl_desc *gl_desc, const passtime_desc *resolved,
                              passtime **t)
{
    struct passtime_gl *gl = passtime_front_allocate(resolved, sizeof(*gl));
    if (gl == NULL) {
        return PASSTIME_NO_MEMORY;
    }
    gl->desc = *resolved;
    gl->gl_desc = *gl_desc;
    passtime_result result = set_up(gl);
    if (result == PASSTIME_OK) {
        struct passtime_traits traits = {.source = gl->elapsed ? PASSTIME_GPU_ELAPSED
                                                               : PASSTIME_GPU_STAMPS,
                                         .valid_bits = gl->valid_bits,
                                         .unit = {1, 1},
                                         .has_envelope = true};
        result = passtime_front_create(&passtime_gl_ops, gl, &traits, resolved, t);
    }
    if (result != PASSTIME_OK) {
        passtime_gl_ops.destroy(gl);
        return result;
    }
    gl->t = *t;
    start(gl);
    return PASSTIME_OK;
}

passtime_result passtime_create_gl(const passtime_gl_desc *gl, const passtime_desc *desc,
                                   passtime **t)
{
    enum { FLAGS = PASSTIME_GL_FLUSH_STAMPS | PASSTIME_GL_METHOD_ELAPSED, FRAMES_IN_FLIGHT = 8 };
    passtime_desc resolved;
    if (t == NULL) {
        return PASSTIME_INVALID;
    }
    *t = NULL;
    passtime_result result = passtime_front_resolve_desc(desc, FRAMES_IN_FLIGHT, &resolved);
    if (result != PASSTIME_OK) {
        return result;
    }
    if (gl == NULL || gl->size != sizeof(*gl) || (gl->flags & ~(uint32_t)FLAGS) != 0) {
        return refuse(&resolved, PASSTIME_INVALID,
                      "The passtime_gl_desc is missing, of another size, or has unknown flags.");
    }
    if (gl->get_proc == NULL && gl->get_proc_user == NULL) {
        return refuse(
            &resolved, PASSTIME_INVALID,
            "No loader: set get_proc of the passtime_gl_desc, e.g. to eglGetProcAddress.");
    }
    return create(gl, &resolved, t);
}

passtime_result passtime_gl_get_info(passtime *t, passtime_gl_info *out)
{
    const struct passtime_gl *gl = passtime_gl_self(t);
    if (gl == NULL || out == NULL) {
        return PASSTIME_INVALID;
    }
    *out = (passtime_gl_info){.size = sizeof(*out),
                              .flags = gl->gl_desc.flags,
                              .method = gl->elapsed ? PASSTIME_GPU_ELAPSED : PASSTIME_GPU_STAMPS,
                              .boundary = gl->boundary,
                              .major = gl->api.major,
                              .minor = gl->api.minor,
                              .timestamp_bits = gl->timestamp_bits,
                              .elapsed_bits = gl->elapsed_bits,
                              .result_bits = gl->api.get_result64 != NULL ? 64 : 32,
                              .queries = gl->lost ? 0 : gl->query_count,
                              .es = gl->api.es,
                              .has_disjoint = gl->api.has_disjoint,
                              .lost = gl->lost,
                              .paused = gl->paused > 0,
                              .disjoints = gl->disjoints,
                              .busy = gl->busy,
                              .not_current = gl->not_current};
    for (int i = 0; i < 4; i++) {
        out->self_check_ns[i] = gl->check.middle_ns[i];
    }
    return PASSTIME_OK;
}

bool passtime_gl_disjoint(passtime *t)
{
    struct passtime_gl *gl = passtime_gl_self(t);
    if (gl == NULL) {
        return false;
    }
    if (passtime_gl_may_call(gl)) {
        passtime_gl_read_disjoint(gl);
    }
    bool disjoint = gl->app_disjoint;
    gl->app_disjoint = false;
    return disjoint;
}

void passtime_gl_pause(passtime *t)
{
    struct passtime_gl *gl = passtime_gl_self(t);
    if (gl != NULL && gl->elapsed && !gl->lost) {
        gl->paused++;
        passtime_gl_elapsed_break(gl);
    }
}

void passtime_gl_resume(passtime *t)
{
    struct passtime_gl *gl = passtime_gl_self(t);
    if (gl != NULL && gl->paused > 0) {
        gl->paused--;
    }
}

void passtime_gl_context_lost(passtime *t)
{
    struct passtime_gl *gl = passtime_gl_self(t);
    if (gl == NULL || gl->lost) {
        return;
    }
    gl->lost = true;
    gl->active = 0;
    passtime_gl_elapsed_break(gl);
    passtime_front_log(
        t, PASSTIME_LOG_DEVICE_LOST,
        "The GL context is lost: frames in flight end as such, further ones are not timed.");
}
