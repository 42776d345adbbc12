/* SPDX-License-Identifier: MIT */
/*
 * The OpenGL backend: passes of desktop GL 3.3 and later and of OpenGL ES 2 and 3, timed by timer
 * queries. Passes are recorded with passtime_begin() and passtime_end() between the GL calls of the
 * pass.
 *
 * The library links no GL: it calls what the loader in passtime_gl_desc returns. It never waits for
 * a result, binds nothing, changes no state but its own query objects, and never calls glGetError,
 * so that the app's pending errors stay where they are.
 *
 * Method: glQueryCounter where TIMESTAMP has bits; passes may nest and overlap freely. Else
 * TIME_ELAPSED: one query can be active at a time, so a pass that others are nested in is measured
 * in pieces; samples then have a duration and no position (PASSTIME_FLAG_NO_POSITION).
 *
 * Threads: every call that takes the context or a recorder of it is made by a thread on which the
 * GL context is current. One GL context has one Passtime context; queries are not shared between
 * contexts.
 */
#ifndef PASSTIME_GL_H
#define PASSTIME_GL_H

#include <passtime/passtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options for passtime_gl_desc.flags. */
enum {
    /* glFlush after each stamp. Without it a tiled GPU may move stamps to the end of its render
     * pass; with it each stamp cuts the render pass in two, which costs. passtime_gl_self_check()
     * tells. */
    PASSTIME_GL_FLUSH_STAMPS = 1u << 0,
    /* Elapsed queries even where TIMESTAMP has bits. */
    PASSTIME_GL_METHOD_ELAPSED = 1u << 1
};

/* Any function of GL; cast to its type before it is called. */
typedef void (*passtime_gl_proc)(void);

/* The GL context to measure in. */
typedef struct passtime_gl_desc {
    uint32_t size;  /* sizeof(passtime_gl_desc); PASSTIME_GL_DESC_INIT sets it */
    uint32_t flags; /* PASSTIME_GL_FLUSH_STAMPS, PASSTIME_GL_METHOD_ELAPSED */
    /* Returns a GL function by name, or NULL: eglGetProcAddress and glfwGetProcAddress fit as they
     * are. */
    passtime_gl_proc (*get_proc)(const char *name);
    /* The same with `user`, for loaders that need it; asked in place of get_proc where it
     * is set. */
    passtime_gl_proc (*get_proc_user)(void *user, const char *name);
    /* Optional. Returns the GL context that is current on the calling thread, NULL for none, e.g.
     * what eglGetCurrentContext returns. With it, calls made while another context is current touch
     * no GL object: they are refused and counted. Without it, the app answers for the right one. */
    void *(*current_context)(void *user);
    void *user; /* handed to get_proc_user and current_context */
} passtime_gl_desc;

#define PASSTIME_GL_DESC_INIT                                                                      \
    {                                                                                              \
        sizeof(passtime_gl_desc), 0, NULL, NULL, NULL, NULL                                        \
    }

/* What is known of the places where a pass begins and ends. The numbers are pinned. */
typedef enum passtime_gl_boundary {
    PASSTIME_GL_BOUNDARY_UNKNOWN = 0, /* the self-check has not run to its end */
    PASSTIME_GL_BOUNDARY_TRUE = 1,    /* stamps stay where they are issued, also without a flush */
    PASSTIME_GL_BOUNDARY_FLUSHED = 2, /* only with PASSTIME_GL_FLUSH_STAMPS */
    PASSTIME_GL_BOUNDARY_FALSE = 3    /* not even then, or the work was too short to tell */
} passtime_gl_boundary;

/* What a GL context works with now. */
typedef struct passtime_gl_info {
    uint32_t size;                 /* sizeof(passtime_gl_info), set by the library */
    uint32_t flags;                /* PASSTIME_GL_ bits that were asked for */
    passtime_source method;        /* PASSTIME_GPU_STAMPS or PASSTIME_GPU_ELAPSED */
    passtime_gl_boundary boundary; /* what the self-check found */
    uint32_t major;                /* of the GL or GLES version */
    uint32_t minor;                /* of the same */
    uint32_t timestamp_bits;       /* QUERY_COUNTER_BITS of TIMESTAMP; 0: no such counter */
    uint32_t elapsed_bits;         /* QUERY_COUNTER_BITS of TIME_ELAPSED; 0: no such counter */
    uint32_t result_bits;          /* what the getter returns: 64 or 32 */
    uint32_t queries;              /* query objects alive */
    bool es;                       /* OpenGL ES */
    bool has_disjoint;             /* the context reports GPU_DISJOINT */
    bool lost;                     /* passtime_gl_context_lost() was called */
    bool paused;                   /* between passtime_gl_pause() and passtime_gl_resume() */
    uint64_t disjoints;            /* times that GPU_DISJOINT was read as set */
    uint64_t busy;                 /* passes refused: the app's own elapsed query was active */
    uint64_t not_current;          /* calls refused: another GL context was current, or none */
    uint64_t self_check_ns[4]; /* of the self-check: one part unflushed, four parts unflushed, one
                                  part flushed, four parts flushed; 0: not there */
} passtime_gl_info;

/* Makes a context on the GL context that is current. `desc` may be NULL for all defaults;
 * frames_in_flight is 8 then. Query objects are made here and nowhere else. UNSUPPORTED where
 * the loader lacks a function, the version or extension is not there, or both counters have no
 * bits; desc->log was told the reason. On failure *t is NULL. Read GPU_DISJOINT by
 * passtime_gl_disjoint() from here on. */
PASSTIME_API passtime_result passtime_create_gl(const passtime_gl_desc *gl,
                                                const passtime_desc *desc, passtime **t);

/* Copies what the context works with. INVALID where it is no GL context. */
PASSTIME_API passtime_result passtime_gl_get_info(passtime *t, passtime_gl_info *out);

/* Reads GPU_DISJOINT for both the app and Passtime: reading clears it, so an app that times
 * something of its own calls this and never reads the flag itself. True: the clock was disturbed
 * since the app asked last. False where the context has no such flag. */
PASSTIME_API bool passtime_gl_disjoint(passtime *t);

/* Frees the TIME_ELAPSED target for a query of the app's own, and takes it up again. Passes that
 * are open then or begun in between count as REFUSED, since they would be measured short. With
 * stamps these do nothing: stamps and the app's elapsed queries coexist. Calls nest. An app that
 * does not pause has its query left alone all the same: passes begun while it is active count as
 * REFUSED. */
PASSTIME_API void passtime_gl_pause(passtime *t);
PASSTIME_API void passtime_gl_resume(passtime *t);

/* Says that the GL context is lost or about to be destroyed. From here on no GL function is called;
 * frames in flight end once, as LOST_DEVICE, and further ones are not timed. For a new GL context
 * make a new context. */
PASSTIME_API void passtime_gl_context_lost(passtime *t);

/* Draws `parts` times the same work, of half a millisecond or so, into the framebuffer that the app
 * times; binds what it needs, and leaves no query open. */
typedef void (*passtime_gl_work)(void *user, uint32_t parts);

/* Finds out whether passes begin and end where they are said to: times one part and four parts of
 * `work`, with and without a flush. To be called once a frame, outside of any pass, until it
 * returns something other than PENDING; it draws in some of the calls and never waits. OK: the
 * boundaries of this context are true, and its samples lose PASSTIME_FLAG_BOUNDARY_UNVERIFIED.
 * UNSUPPORTED: they are not, with the flags of this context; passtime_gl_info.boundary says whether
 * a flush would help. INVALID: a pass is open, or no GL context. LOST: the GL context is lost. Once
 * ended it starts anew. */
PASSTIME_API passtime_result passtime_gl_self_check(passtime *t, passtime_gl_work work, void *user);

#ifdef __cplusplus
}
#endif

#endif
