/* SPDX-License-Identifier: MIT */
/*
 * A scripted OpenGL: timer queries of one context over a clock that the test moves, as strict as
 * the specifications. Whatever breaks a rule becomes a GL error, and is counted. Both dialects,
 * desktop and ES.
 */
#ifndef PASSTIME_TESTS_GL_FAKE_H
#define PASSTIME_TESTS_GL_FAKE_H

#include <passtime/gl.h>

enum { GL_FAKE_QUERIES = 8192, GL_FAKE_LOG = 4096, GL_FAKE_MISSING = 4 };

/* What was called, in the log and the counts. */
enum gl_fake_call {
    GL_FAKE_GET_STRING,
    GL_FAKE_GET_ERROR,
    GL_FAKE_FLUSH,
    GL_FAKE_GEN,
    GL_FAKE_DELETE,
    GL_FAKE_IS_QUERY,
    GL_FAKE_BEGIN,
    GL_FAKE_END,
    GL_FAKE_COUNTER,
    GL_FAKE_BITS,
    GL_FAKE_CURRENT,
    GL_FAKE_AVAILABLE,
    GL_FAKE_RESULT,
    GL_FAKE_DISJOINT,
    GL_FAKE_CALLS
};

struct gl_fake_query {
    bool named;
    unsigned target; /* of its first use; 0: no object yet */
    uint64_t begin_ns;
    uint64_t result;
    uint64_t issued; /* counts commands; available once `done` reaches it */
    bool never;      /* scripted: never gets available */
};

struct gl_fake {
    /* The script. */
    bool es;
    const char *version; /* NULL: no context is current */
    const char *extensions;
    uint32_t timestamp_bits;
    uint32_t elapsed_bits;
    bool narrow;                          /* no 64-bit getter */
    bool clamps;                          /* the 32-bit getter clamps rather than wraps */
    bool wild_first;                      /* the first elapsed result is an absolute time */
    bool no_names;                        /* glGenQueries makes none */
    const char *missing[GL_FAKE_MISSING]; /* names that the loader does not know */
    int disjoint;                         /* what GPU_DISJOINT says next */
    int current; /* the context that is current, 0: none; queries are of 1 */
    bool reset;  /* the context was reset: calls do nothing, everything is available */
    /* The state. */
    uint64_t gpu_ns; /* the GPU's clock; commands run as they are issued */
    uint64_t issued;
    uint64_t done;   /* what was issued up to here is available */
    unsigned active; /* query on the TIME_ELAPSED target */
    unsigned next_name;
    unsigned error; /* what glGetError would say */
    uint64_t elapsed_count;
    struct gl_fake_query queries[GL_FAKE_QUERIES];
    /* What is seen of the caller. */
    uint32_t errors;  /* calls that broke a rule */
    uint32_t foreign; /* calls while the context was not current */
    uint32_t waits;   /* results read that were not available: a real GL would wait */
    uint32_t alive;   /* queries not deleted */
    uint32_t calls[GL_FAKE_CALLS];
    uint32_t logged;
    uint8_t log[GL_FAKE_LOG];
};

/* A desktop GL 4.6 with 64 bits of each, and current; the one fake that calls go to from now on. */
void gl_fake_init(struct gl_fake *fake);
/* The loader of a passtime_gl_desc. */
passtime_gl_proc gl_fake_get_proc(const char *name);
/* Lets all that was issued come to its end. */
void gl_fake_finish(struct gl_fake *fake);

/* The app's own calls. */
void gl_fake_work(struct gl_fake *fake, uint64_t ns);
unsigned gl_fake_app_query(void);
void gl_fake_app_begin(unsigned query);
void gl_fake_app_end(void);

#endif
