/* SPDX-License-Identifier: MIT */
/*
 * The GL backend on a GL that does nothing: a stamp is a call that notes a time made up beforehand,
 * and every result is there at once.
 */
#include "bench_stamps.h"

#include <passtime/gl.h>

#include <stdlib.h>
#include <string.h>

enum {
    GL_VERSION_NAME = 0x1F02,
    GL_COUNTER_BITS_NAME = 0x8864,
    QUERIES_MAX = 2 * BENCH_PASSES * BENCH_FRAMES_IN_FLIGHT + 64
};

struct null_gl {
    struct bench_stamps stamps;
    unsigned queries;     /* names given out */
    uint32_t stamped;     /* in this frame */
    uint64_t begun_ns;    /* when its first stamp was */
    const uint64_t *made; /* its stamps, from then on */
    uint64_t ticks[QUERIES_MAX];
};

/* GL's functions know their context from nowhere else: the one that is current. */
static struct null_gl *current;

static const unsigned char *get_string(unsigned name)
{
    return (const unsigned char *)(name == GL_VERSION_NAME ? "4.6.0 null" : "");
}

static void get_integer(unsigned name, int *value)
{
    (void)name;
    *value = 0;
}

static void flush(void)
{
}

static void gen_queries(int count, unsigned *ids)
{
    for (int i = 0; i < count; i++) {
        ids[i] = current->queries + 1 < QUERIES_MAX ? ++current->queries : 0;
    }
}

static void delete_queries(int count, const unsigned *ids)
{
    (void)count;
    (void)ids;
}

static unsigned char is_query(unsigned id)
{
    return id != 0;
}

static void begin_query(unsigned target, unsigned id)
{
    (void)target;
    (void)id;
}

static void end_query(unsigned target)
{
    (void)target;
}

/* The next stamp of the frame made up; after its last one, the GPU's clock jumps past all of it. */
static void query_counter(unsigned id, unsigned target)
{
    struct null_gl *gl = current;
    (void)target;
    if (gl->stamped == 0) {
        gl->begun_ns = bench_stamps_clock(&gl->stamps);
        gl->made = gl->stamps.made[gl->stamps.next];
        gl->stamps.next = (gl->stamps.next + 1) % BENCH_STAMPS_FRAMES;
    }
    gl->ticks[id] = gl->begun_ns + gl->made[gl->stamped];
    if (++gl->stamped == 2 * BENCH_PASSES) {
        gl->stamped = 0;
        gl->stamps.shift_ns += BENCH_STAMPS_FRAME_NS;
    }
}

static void get_query(unsigned target, unsigned name, int *value)
{
    (void)target;
    *value = name == GL_COUNTER_BITS_NAME ? 64 : 0;
}

static void get_result(unsigned id, unsigned name, unsigned *value)
{
    (void)id;
    (void)name;
    *value = 1;
}

static void get_result64(unsigned id, unsigned name, uint64_t *value)
{
    (void)name;
    *value = current->ticks[id];
}

static passtime_gl_proc get_proc(const char *name)
{
    static const struct {
        const char *name;
        passtime_gl_proc proc;
    } procs[] = {
        {"glGetString", (passtime_gl_proc)get_string},
        {"glGetIntegerv", (passtime_gl_proc)get_integer},
        {"glFlush", flush},
        {"glGenQueries", (passtime_gl_proc)gen_queries},
        {"glDeleteQueries", (passtime_gl_proc)delete_queries},
        {"glIsQuery", (passtime_gl_proc)is_query},
        {"glBeginQuery", (passtime_gl_proc)begin_query},
        {"glEndQuery", (passtime_gl_proc)end_query},
        {"glQueryCounter", (passtime_gl_proc)query_counter},
        {"glGetQueryiv", (passtime_gl_proc)get_query},
        {"glGetQueryObjectuiv", (passtime_gl_proc)get_result},
        {"glGetQueryObjectui64v", (passtime_gl_proc)get_result64},
    };
    for (size_t i = 0; i < sizeof procs / sizeof procs[0]; i++) {
        if (strcmp(procs[i].name, name) == 0) {
            return procs[i].proc;
        }
    }
    return NULL;
}

static void record_by_id(struct bench_subject *subject, passtime_recorder *rec)
{
    current = subject->self;
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        passtime_begin_id(rec, subject->ids[i]);
        passtime_end(rec);
    }
}

static void record_by_string(struct bench_subject *subject, passtime_recorder *rec)
{
    current = subject->self;
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        passtime_begin(rec, subject->names[i]);
        passtime_end(rec);
    }
}

double bench_gl_by_hand(struct bench_subject *subject, uint32_t frames, bool reads)
{
    void (*volatile stamp)(unsigned, unsigned) = query_counter;
    void (*volatile read)(unsigned, unsigned, uint64_t *) = get_result64;
    uint64_t ticks[2], total = 0;
    uint64_t begin_ns = bench_cpu_ns();
    current = subject->self;
    for (uint32_t f = 0; f < frames; f++) {
        for (unsigned i = 0; i < BENCH_PASSES; i++) {
            stamp(1 + 2 * i, 0);
            stamp(2 + 2 * i, 0);
        }
        for (unsigned i = 0; reads && i < BENCH_PASSES; i++) {
            read(1 + 2 * i, 0, &ticks[0]);
            read(2 + 2 * i, 0, &ticks[1]);
            total += ticks[1] - ticks[0];
        }
    }
    double ns = (double)(bench_cpu_ns() - begin_ns) / ((double)frames * BENCH_PASSES);
    return !reads || total > 0 ? ns : 0;
}

static void null_close(struct bench_subject *subject)
{
    current = subject->self;
    passtime_destroy(&subject->t);
    current = NULL;
    free(subject->self);
    subject->self = NULL;
}

bool bench_gl_open(struct bench_subject *subject, enum bench_naming naming)
{
    *subject = (struct bench_subject){
        .record = naming == BENCH_BY_ID ? record_by_id : record_by_string, .close = null_close};
    struct null_gl *null_gl = calloc(1, sizeof *null_gl);
    if (null_gl == NULL) {
        return false;
    }
    bench_stamps_init(&null_gl->stamps, BENCH_IN_SEQUENCE, 1);
    subject->self = null_gl;
    current = null_gl;
    passtime_gl_desc gl = PASSTIME_GL_DESC_INIT;
    gl.get_proc = get_proc;
    passtime_desc desc = PASSTIME_DESC_INIT;
    desc.max_passes = BENCH_PASSES;
    desc.frames_in_flight = BENCH_FRAMES_IN_FLIGHT;
    desc.clock = bench_stamps_clock;
    desc.clock_user = &null_gl->stamps;
    if (passtime_create_gl(&gl, &desc, &subject->t) != PASSTIME_OK) {
        null_close(subject);
        return false;
    }
    null_gl->stamped = 0; /* Passtime has stamped once, to see whether it can. */
    bench_subject_name(subject, naming);
    return true;
}
