/* SPDX-License-Identifier: MIT */
/* A context on the scripted GL, with a clock, a counting allocator and a log. */
#ifndef PASSTIME_TESTS_GL_RIG_H
#define PASSTIME_TESTS_GL_RIG_H

#include "fake/gl_fake.h"

struct gl_rig {
    struct gl_fake fake;
    passtime_gl_desc gl;
    passtime_desc desc;
    passtime *t;
    uint64_t now_ns;     /* the CPU's clock */
    uint64_t number;     /* of the next frame */
    uint32_t said[32];   /* log items, by number */
    char text[256];      /* the last one */
    int32_t allocated;   /* pieces of memory that are not released */
    int32_t allocations; /* made so far */
    int32_t fail_at;     /* the one that fails, from 1; 0: none */
    uint32_t app_errors; /* GL errors that the test expects */
};

/* A fake and its descs, ready to be changed; `elapsed`: that method, by counters without bits. */
void gl_rig_setup(struct gl_rig *rig, bool elapsed);
/* GLES 3.2 with the extension, in place of desktop GL. */
void gl_rig_es(struct gl_rig *rig);
void gl_rig_open(struct gl_rig *rig);
/* Destroys, and fails the test where GL's rules were broken, a read would have waited, glGetError
 * was called, or anything leaked. */
void gl_rig_close(struct gl_rig *rig);

/* Work on both clocks, and a pass of it. */
void gl_rig_work(struct gl_rig *rig, uint64_t ns);
void gl_rig_pass(struct gl_rig *rig, passtime_recorder *rec, const char *name, uint64_t ns);
passtime_recorder *gl_rig_begin(struct gl_rig *rig);
void gl_rig_end(struct gl_rig *rig, passtime_recorder *rec);
/* Lets the GPU finish and takes the next frame; fails the test where there is none. */
const passtime_frame *gl_rig_next(struct gl_rig *rig);
/* A frame of one pass, taken. */
const passtime_frame *gl_rig_frame(struct gl_rig *rig, uint64_t ns);
passtime_ledger gl_rig_ledger(struct gl_rig *rig);
passtime_gl_info gl_rig_info(struct gl_rig *rig);
/* That sample i of the frame has this verdict and, where it is good, this duration. */
void gl_rig_check(const passtime_frame *frame, uint32_t i, passtime_verdict verdict, uint64_t ns);

#endif
