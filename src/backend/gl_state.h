/* SPDX-License-Identifier: MIT */
/* The inside of the GL backend, shared by its files. Used on the GL context's thread only. */
#ifndef PASSTIME_BACKEND_GL_STATE_H
#define PASSTIME_BACKEND_GL_STATE_H

#include "backend/gl_api.h"
#include "core/backend.h"

enum passtime_gl_entry_state {
    PASSTIME_GL_IDLE = 0,
    PASSTIME_GL_OPEN,   /* being recorded */
    PASSTIME_GL_FLYING, /* its last query is not available yet, as far as is known */
    PASSTIME_GL_READY,  /* all its queries are available */
    PASSTIME_GL_VOID    /* the clock was disturbed since its first query */
};

/* What became of a pass measured in pieces. With stamps: whether a slot was stamped. */
enum passtime_gl_mark {
    PASSTIME_GL_UNMARKED = 0,
    PASSTIME_GL_MARKED,    /* elapsed: ended, and every piece of it was measured */
    PASSTIME_GL_MEASURING, /* elapsed: begun */
    PASSTIME_GL_BROKEN     /* elapsed: a piece of it was not measured */
};

struct passtime_gl_entry {
    enum passtime_gl_entry_state state;
    uint32_t pairs;          /* pairs marked so far, those refused between them included */
    uint32_t disjoint_pairs; /* as in struct passtime_raw */
    uint32_t pieces;         /* elapsed: queries used */
    unsigned last_query;     /* the query issued last; 0: none */
    uint64_t last_issue;     /* its place in the order of all that were issued */
    unsigned *queries;       /* two a pair */
    uint8_t *marks;          /* enum passtime_gl_mark by slot; elapsed: at the pair's first slot */
    uint32_t *owner;         /* elapsed: the pair that each piece is of */
    uint32_t *around;        /* elapsed: the pair that each pair interrupted, or NONE */
};

/* Rounds of the self-check: one to warm up, then as many unflushed as flushed. */
enum { PASSTIME_GL_CHECK_QUERIES = 3, PASSTIME_GL_CHECK_ROUNDS = 5 };

/* The self-check, between two calls of it. */
struct passtime_gl_check {
    unsigned *queries; /* PASSTIME_GL_CHECK_QUERIES of them */
    bool awaiting;     /* a round was issued */
    uint32_t round;    /* from 0, which warms up; odd ones flush */
    uint32_t parts;    /* of the shorter of its two passes */
    uint32_t failures; /* rounds without a believable result */
    uint64_t issued_ns;
    uint64_t disjoints;                             /* of the context when the round was issued */
    uint64_t round_ns[4][PASSTIME_GL_CHECK_ROUNDS]; /* sorted */
    uint64_t middle_ns[4];                          /* as passtime_gl_info.self_check_ns */
};

struct passtime_gl {
    passtime *t;
    passtime_desc desc;
    passtime_gl_desc gl_desc;
    struct passtime_gl_api api;
    void *token; /* what current_context returned at create */
    bool elapsed;
    bool flush;
    bool lost;
    bool usable;       /* the right context was current when this poll began */
    bool app_disjoint; /* the app has not been told of a disjoint yet */
    uint32_t timestamp_bits;
    uint32_t elapsed_bits;
    uint32_t valid_bits;
    uint32_t paused; /* pauses not resumed yet */
    uint64_t issues; /* queries issued */
    uint64_t disjoints;
    uint64_t busy;
    uint64_t not_current;
    passtime_gl_boundary boundary;
    struct passtime_gl_check check;
    /* Elapsed: the innermost pass being measured and its entry; NONE where there is none. */
    uint32_t top;
    uint32_t top_entry;
    unsigned active; /* our query that is active on the TIME_ELAPSED target, or 0 */
    struct passtime_gl_entry *entries;
    uint32_t query_count; /* made, all in one array; the first is the anchor */
    unsigned *queries;
    bool anchored;  /* the anchor was used, so that glIsQuery knows it */
    uint8_t *marks; /* of all entries, as owner and around */
    uint32_t *owner;
    uint32_t *around;
    uint64_t *ticks; /* of the entry being collected */
    uint8_t *available;
};

/* gl.c */
/* May GL be called now? Counts where not. The first costs no call of GL, the second one. */
bool passtime_gl_may_call(struct passtime_gl *gl);
bool passtime_gl_is_usable(struct passtime_gl *gl);
bool passtime_gl_is_available(const struct passtime_gl *gl, unsigned query);
/* The result of an available query; UINT64_MAX where the getter could not express it. */
uint64_t passtime_gl_result(const struct passtime_gl *gl, unsigned query);
/* The backend object of a context; NULL where it runs on another backend. */
struct passtime_gl *passtime_gl_self(passtime *t);
void passtime_gl_flush_stamp(const struct passtime_gl *gl);
/* Reads GPU_DISJOINT, which clears it, and acts on it. */
void passtime_gl_read_disjoint(struct passtime_gl *gl);
/* Did the self-check find this context's boundaries true, as they are stamped? */
bool passtime_gl_is_verified(const struct passtime_gl *gl);
extern const struct passtime_backend_ops passtime_gl_ops;

/* gl_elapsed.c */
/* Measures once with the anchor, so that it is a query and the driver is warm. */
void passtime_gl_anchor(struct passtime_gl *gl);
bool passtime_gl_elapsed_mark(struct passtime_gl *gl, uint32_t entry, uint32_t slot);
/* Gives up all passes being measured: they will have been measured in part. */
void passtime_gl_elapsed_break(struct passtime_gl *gl);
/* Fills gl->ticks and gl->available with the durations of an entry that is ready. */
void passtime_gl_elapsed_read(struct passtime_gl *gl, const struct passtime_gl_entry *e);
/* False: a query that is not ours is active. */
bool passtime_gl_elapsed_is_free(struct passtime_gl *gl);

#endif
