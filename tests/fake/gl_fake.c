/* SPDX-License-Identifier: MIT */
#include "fake/gl_fake.h"

#include <string.h>

#include "backend/gl_api.h"

enum { INVALID_ENUM = 0x0500, INVALID_VALUE = 0x0501, INVALID_OPERATION = 0x0502 };

/* GL's functions take no object: the fake that they speak for. */
static struct gl_fake *gl;

/* False: the call has no effect. */
static bool enter(enum gl_fake_call call)
{
    gl->calls[call]++;
    if (gl->logged < GL_FAKE_LOG) {
        gl->log[gl->logged++] = (uint8_t)call;
    }
    if (gl->current != 1) {
        gl->foreign++;
        return false;
    }
    return !gl->reset;
}

static void fail(unsigned error)
{
    gl->errors++;
    gl->error = gl->error == 0 ? error : gl->error;
}

static struct gl_fake_query *find(unsigned id)
{
    return id > 0 && id < GL_FAKE_QUERIES && gl->queries[id].named ? &gl->queries[id] : NULL;
}

static bool is_available(const struct gl_fake_query *q)
{
    return gl->reset || (q->issued <= gl->done && !q->never);
}

static const unsigned char *PASSTIME_SYSTEM_CALL get_string(unsigned name)
{
    (void)enter(GL_FAKE_GET_STRING);
    const char *text = name == PASSTIME_GL_VERSION ? gl->version : gl->extensions;
    return (const unsigned char *)text;
}

static unsigned PASSTIME_SYSTEM_CALL get_error(void)
{
    (void)enter(GL_FAKE_GET_ERROR);
    unsigned error = gl->error;
    gl->error = 0;
    return error;
}

static void PASSTIME_SYSTEM_CALL get_integer(unsigned name, int *value)
{
    if (!enter(GL_FAKE_DISJOINT)) {
        return;
    }
    if (name != PASSTIME_GL_GPU_DISJOINT || !gl->es) {
        fail(INVALID_ENUM);
        return;
    }
    *value = gl->disjoint;
    gl->disjoint = 0;
}

static void PASSTIME_SYSTEM_CALL flush(void)
{
    (void)enter(GL_FAKE_FLUSH);
}

static void PASSTIME_SYSTEM_CALL gen_queries(int count, unsigned *ids)
{
    if (!enter(GL_FAKE_GEN) || gl->no_names) {
        return;
    }
    for (int i = 0; i < count && gl->next_name < GL_FAKE_QUERIES; i++) {
        ids[i] = gl->next_name;
        gl->queries[gl->next_name++] = (struct gl_fake_query){.named = true};
        gl->alive++;
    }
}

static void PASSTIME_SYSTEM_CALL delete_queries(int count, const unsigned *ids)
{
    if (!enter(GL_FAKE_DELETE)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        struct gl_fake_query *q = find(ids[i]);
        if (q != NULL) {
            q->named = false; /* One that is active stays so: GL waits for its end. */
            gl->alive--;
        } else if (ids[i] != 0) {
            fail(INVALID_VALUE); /* GL ignores it; here it tells of a query deleted twice. */
        }
    }
}

static unsigned char PASSTIME_SYSTEM_CALL is_query(unsigned id)
{
    return enter(GL_FAKE_IS_QUERY) && find(id) != NULL && find(id)->target != 0;
}

static void PASSTIME_SYSTEM_CALL begin_query(unsigned target, unsigned id)
{
    if (!enter(GL_FAKE_BEGIN)) {
        return;
    }
    struct gl_fake_query *q = find(id);
    if (target != PASSTIME_GL_TIME_ELAPSED) {
        fail(INVALID_ENUM);
    } else if (gl->active != 0 || q == NULL || (q->target != 0 && q->target != target)) {
        fail(INVALID_OPERATION);
    } else {
        q->target = target;
        q->begin_ns = gl->gpu_ns;
        q->issued = UINT64_MAX;
        gl->active = id;
    }
}

static uint64_t of_bits(uint64_t value, uint32_t bits)
{
    return bits == 0 ? 0 : value & (UINT64_MAX >> (64 - bits));
}

static void PASSTIME_SYSTEM_CALL end_query(unsigned target)
{
    if (!enter(GL_FAKE_END)) {
        return;
    }
    if (target != PASSTIME_GL_TIME_ELAPSED || gl->active == 0) {
        fail(target == PASSTIME_GL_TIME_ELAPSED ? INVALID_OPERATION : INVALID_ENUM);
        return;
    }
    struct gl_fake_query *q = &gl->queries[gl->active];
    bool wild = gl->wild_first && gl->elapsed_count == 0;
    q->result = of_bits(wild ? gl->gpu_ns : gl->gpu_ns - q->begin_ns, gl->elapsed_bits);
    q->issued = ++gl->issued;
    gl->elapsed_count++;
    gl->active = 0;
}

static void PASSTIME_SYSTEM_CALL query_counter(unsigned id, unsigned target)
{
    if (!enter(GL_FAKE_COUNTER)) {
        return;
    }
    struct gl_fake_query *q = find(id);
    if (target != PASSTIME_GL_TIMESTAMP) {
        fail(INVALID_ENUM);
    } else if (q == NULL || gl->active == id || (q->target != 0 && q->target != target)) {
        fail(INVALID_OPERATION);
    } else {
        q->target = target;
        q->result = of_bits(gl->gpu_ns, gl->timestamp_bits);
        q->never = false;
        q->issued = ++gl->issued;
    }
}

static void PASSTIME_SYSTEM_CALL get_query(unsigned target, unsigned name, int *value)
{
    bool elapsed = target == PASSTIME_GL_TIME_ELAPSED;
    if (!enter(name == PASSTIME_GL_CURRENT_QUERY ? GL_FAKE_CURRENT : GL_FAKE_BITS)) {
        return;
    }
    if (!elapsed && target != PASSTIME_GL_TIMESTAMP) {
        fail(INVALID_ENUM);
    } else if (name == PASSTIME_GL_CURRENT_QUERY) {
        *value = elapsed ? (int)gl->active : 0;
    } else {
        *value = (int)(elapsed ? gl->elapsed_bits : gl->timestamp_bits);
    }
}

/* A query whose value may be asked for; NULL: it may not. */
static const struct gl_fake_query *readable(unsigned id)
{
    const struct gl_fake_query *q = find(id);
    if (q == NULL || q->target == 0 || gl->active == id) {
        fail(INVALID_OPERATION);
        return NULL;
    }
    return q;
}

static uint64_t read_result(const struct gl_fake_query *q)
{
    gl->waits += !is_available(q);
    return q->result;
}

static void PASSTIME_SYSTEM_CALL get_result(unsigned id, unsigned name, unsigned *value)
{
    bool asks = name == PASSTIME_GL_QUERY_RESULT_AVAILABLE;
    if (!enter(asks ? GL_FAKE_AVAILABLE : GL_FAKE_RESULT)) {
        *value = asks && gl->reset ? 1 : *value;
        return;
    }
    const struct gl_fake_query *q = readable(id);
    if (q == NULL) {
        return;
    }
    if (asks) {
        *value = is_available(q);
        return;
    }
    uint64_t result = read_result(q);
    *value = gl->clamps && result > UINT32_MAX ? UINT32_MAX : (unsigned)result;
}

static void PASSTIME_SYSTEM_CALL get_result64(unsigned id, unsigned name, uint64_t *value)
{
    if (!enter(GL_FAKE_RESULT)) {
        return;
    }
    const struct gl_fake_query *q = readable(id);
    if (name != PASSTIME_GL_QUERY_RESULT) {
        fail(INVALID_ENUM);
    } else if (q != NULL) {
        *value = read_result(q);
    }
}

struct row {
    const char *name;
    bool suffixed; /* with EXT on ES */
    passtime_gl_proc proc;
};

static const struct row rows[] = {
    {"glGetString", false, (passtime_gl_proc)get_string},
    {"glGetError", false, (passtime_gl_proc)get_error},
    {"glGetIntegerv", false, (passtime_gl_proc)get_integer},
    {"glFlush", false, (passtime_gl_proc)flush},
    {"glGenQueries", true, (passtime_gl_proc)gen_queries},
    {"glDeleteQueries", true, (passtime_gl_proc)delete_queries},
    {"glIsQuery", true, (passtime_gl_proc)is_query},
    {"glBeginQuery", true, (passtime_gl_proc)begin_query},
    {"glEndQuery", true, (passtime_gl_proc)end_query},
    {"glQueryCounter", true, (passtime_gl_proc)query_counter},
    {"glGetQueryiv", true, (passtime_gl_proc)get_query},
    {"glGetQueryObjectuiv", true, (passtime_gl_proc)get_result},
    {"glGetQueryObjectui64v", true, (passtime_gl_proc)get_result64},
};

static bool is_called(const struct row *row, const char *name)
{
    size_t bytes = strlen(row->name);
    const char *suffix = row->suffixed && gl->es ? "EXT" : "";
    return strncmp(row->name, name, bytes) == 0 && strcmp(name + bytes, suffix) == 0;
}

passtime_gl_proc gl_fake_get_proc(const char *name)
{
    for (int i = 0; i < GL_FAKE_MISSING; i++) {
        if (gl->missing[i] != NULL && strcmp(gl->missing[i], name) == 0) {
            return NULL;
        }
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool narrow = gl->narrow && rows[i].proc == (passtime_gl_proc)get_result64;
        if (is_called(&rows[i], name) && !narrow) {
            return rows[i].proc;
        }
    }
    return NULL;
}

void gl_fake_init(struct gl_fake *fake)
{
    memset(fake, 0, sizeof(*fake));
    fake->version = "4.6 (Core Profile) Fake 1.0";
    fake->timestamp_bits = 64;
    fake->elapsed_bits = 64;
    fake->current = 1;
    fake->next_name = 1;
    fake->gpu_ns = 833000000000ull;
    gl = fake;
}

void gl_fake_finish(struct gl_fake *fake)
{
    fake->done = fake->issued;
}

void gl_fake_work(struct gl_fake *fake, uint64_t ns)
{
    fake->gpu_ns += ns;
}

unsigned gl_fake_app_query(void)
{
    unsigned query = 0;
    gen_queries(1, &query);
    return query;
}

void gl_fake_app_begin(unsigned query)
{
    begin_query(PASSTIME_GL_TIME_ELAPSED, query);
}

void gl_fake_app_end(void)
{
    end_query(PASSTIME_GL_TIME_ELAPSED);
}
