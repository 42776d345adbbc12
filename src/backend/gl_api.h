/* SPDX-License-Identifier: MIT */
/*
 * The few functions and constants of OpenGL that timing needs, declared here so that the library
 * builds where there is no GL header, and loaded so that it links no GL.
 */
#ifndef PASSTIME_BACKEND_GL_API_H
#define PASSTIME_BACKEND_GL_API_H

#include <passtime/gl.h>

#include "port/call.h"

enum {
    PASSTIME_GL_VERSION = 0x1F02,
    PASSTIME_GL_EXTENSIONS = 0x1F03,
    PASSTIME_GL_QUERY_COUNTER_BITS = 0x8864,
    PASSTIME_GL_CURRENT_QUERY = 0x8865,
    PASSTIME_GL_QUERY_RESULT = 0x8866,
    PASSTIME_GL_QUERY_RESULT_AVAILABLE = 0x8867,
    PASSTIME_GL_TIME_ELAPSED = 0x88BF,
    PASSTIME_GL_TIMESTAMP = 0x8E28,
    PASSTIME_GL_GPU_DISJOINT = 0x8FBB
};

struct passtime_gl_api {
    bool es;
    bool has_disjoint;
    uint32_t major;
    uint32_t minor;
    const unsigned char *(PASSTIME_SYSTEM_CALL *get_string)(unsigned name);
    void(PASSTIME_SYSTEM_CALL *get_integer)(unsigned name, int *value);
    void(PASSTIME_SYSTEM_CALL *flush)(void);
    void(PASSTIME_SYSTEM_CALL *gen_queries)(int count, unsigned *ids);
    void(PASSTIME_SYSTEM_CALL *delete_queries)(int count, const unsigned *ids);
    unsigned char(PASSTIME_SYSTEM_CALL *is_query)(unsigned id);
    void(PASSTIME_SYSTEM_CALL *begin_query)(unsigned target, unsigned id);
    void(PASSTIME_SYSTEM_CALL *end_query)(unsigned target);
    void(PASSTIME_SYSTEM_CALL *query_counter)(unsigned id, unsigned target); /* may be NULL */
    void(PASSTIME_SYSTEM_CALL *get_query)(unsigned target, unsigned name, int *value);
    void(PASSTIME_SYSTEM_CALL *get_result)(unsigned id, unsigned name, unsigned *value);
    void(PASSTIME_SYSTEM_CALL *get_result64)(unsigned id, unsigned name,
                                             uint64_t *value); /* may be
                                                                  NULL */
};

enum { PASSTIME_GL_REASON_BYTES = 192 };

/* Loads what the current GL context offers. False: it cannot time passes, and `reason` says why. */
bool passtime_gl_api_load(struct passtime_gl_api *api, const passtime_gl_desc *desc,
                          char reason[PASSTIME_GL_REASON_BYTES]);

/* The bits of the counter of `target`, 0 to 64. */
uint32_t passtime_gl_api_bits(const struct passtime_gl_api *api, unsigned target);

#endif
