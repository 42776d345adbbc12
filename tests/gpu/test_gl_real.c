/* SPDX-License-Identifier: MIT */
/*
 * The GL backend on a real driver, without a window: GL and GLES, by stamps and by elapsed queries,
 * each pass flushed. Times are held against the wall clock around the same work, so that a busy
 * machine slows both.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <epoxy/gl.h>

#include <passtime/gl.h>

#include "cli/egl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* Rounds that count, after those that warm the driver up. */
enum { SIDE = 256, ROUNDS = 11, WARM_UP = 3 };

/* One way to measure. */
struct way {
    enum gl_api api;
    uint32_t version_most;
    uint32_t flags;
};

struct world {
    struct gl_system *system;
    struct gl *gl;
    passtime *t;
    GLuint programs[2]; /* the second works four times as long */
    GLuint vertices;
    GLuint array;
    GLuint target;
    GLuint framebuffer;
    uint64_t number;
};

static uint64_t now_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static GLuint compile(GLenum kind, const char *head, const char *text)
{
    const char *parts[] = {head, text};
    GLuint shader = glCreateShader(kind);
    GLint done = 0;
    glShaderSource(shader, 2, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    assert_int_equal(done, GL_TRUE);
    return shader;
}

/* The words of each version, so that one shader serves all. */
static const char *head_of(const struct gl *gl, bool vertex)
{
    if (gl->api == GL_API_ES) {
        return vertex ? "#version 100\n"
                      : "#version 100\nprecision highp float;\n"
                        "#define color gl_FragColor\n";
    }
    return vertex ? "#version 330\n#define attribute in\n" : "#version 330\nout vec4 color;\n";
}

static GLuint make_program(const struct gl *gl, int steps)
{
    static const char vertex[] =
        "attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }";
    char fragment[256];
    snprintf(fragment, sizeof(fragment),
             "void main() { float x = gl_FragCoord.x * 0.001;"
             " for (int i = 0; i < %d; i++) x = fract(x * 1.7 + 0.3);"
             " color = vec4(x); }",
             steps);
    GLuint program = glCreateProgram();
    GLint done = 0;
    glAttachShader(program, compile(GL_VERTEX_SHADER, head_of(gl, true), vertex));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, head_of(gl, false), fragment));
    glBindAttribLocation(program, 0, "at");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    assert_int_equal(done, GL_TRUE);
    return program;
}

static void make_things(struct world *w)
{
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    w->programs[0] = make_program(w->gl, 40);
    w->programs[1] = make_program(w->gl, 160);
    if (w->gl->api == GL_API_DESKTOP) {
        glGenVertexArrays(1, &w->array);
        glBindVertexArray(w->array);
    }
    glGenBuffers(1, &w->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, w->vertices);
    glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glGenTextures(1, &w->target);
    glBindTexture(GL_TEXTURE_2D, w->target);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &w->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, w->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, w->target, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, SIDE, SIDE);
}

static void draw(struct world *w, int which, uint32_t times)
{
    glUseProgram(w->programs[which]);
    for (uint32_t i = 0; i < times; i++) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
}

/* False: there is no GL here, or it can't time passes. */
static bool open_world(struct world *w, const struct way *way)
{
    char error[256] = "";
    *w = (struct world){.number = 1};
    w->system = gl_system_open(error, sizeof(error));
    struct gl_want want = {way->api, way->version_most};
    bool exists = false;
    w->gl = w->system != NULL
                ? gl_open_matching(w->system, &want, "", &exists, error, sizeof(error))
                : NULL;
    passtime_gl_desc desc = PASSTIME_GL_DESC_INIT;
    desc.flags = way->flags;
    desc.get_proc = gl_loader;
    desc.current_context = gl_current;
    passtime_result result =
        w->gl != NULL ? passtime_create_gl(&desc, NULL, &w->t) : PASSTIME_UNSUPPORTED;
    if (result != PASSTIME_OK) {
        print_message("left out: %s\n", error[0] != '\0' ? error : passtime_result_name(result));
        gl_close(w->gl);
        gl_system_close(w->system);
        return false;
    }
    make_things(w);
    return true;
}

static void close_world(struct world *w)
{
    passtime_destroy(&w->t);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_close(w->gl);
    gl_system_close(w->system);
}

static passtime_recorder *begin(struct world *w)
{
    passtime_recorder *rec = passtime_frame_begin(w->t, w->number);
    assert_non_null(rec);
    return rec;
}

/* Ends the frame and takes it; the work is done by then. */
static const passtime_frame *end(struct world *w, passtime_recorder *rec)
{
    const passtime_frame *frame = NULL;
    passtime_submitted(rec);
    passtime_frame_end(w->t, w->number++);
    glFinish();
    uint64_t until_ns = now_ns() + 60000000000u;
    while (passtime_next(w->t, &frame) != PASSTIME_OK) {
        assert_true(now_ns() < until_ns);
    }
    return frame;
}

static const struct way ways[] = {
    {GL_API_DESKTOP, 0, PASSTIME_GL_FLUSH_STAMPS},
    {GL_API_DESKTOP, 0, PASSTIME_GL_FLUSH_STAMPS | PASSTIME_GL_METHOD_ELAPSED},
    {GL_API_DESKTOP, 33, PASSTIME_GL_FLUSH_STAMPS},
    {GL_API_ES, 0, PASSTIME_GL_FLUSH_STAMPS},
    {GL_API_ES, 0, PASSTIME_GL_FLUSH_STAMPS | PASSTIME_GL_METHOD_ELAPSED},
    {GL_API_ES, 20, PASSTIME_GL_FLUSH_STAMPS},
    {GL_API_ES, 20, PASSTIME_GL_FLUSH_STAMPS | PASSTIME_GL_METHOD_ELAPSED},
};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), by_size);
    return values[count / 2];
}

/* llvmpipe gives the clock itself as the first elapsed time of a context: it is caught, or not
 * there. */
static void check_verdict(const passtime_sample *sample, bool warming_up)
{
    if (!warming_up || sample->verdict != PASSTIME_BACKWARD) {
        assert_int_equal(sample->verdict, PASSTIME_GOOD);
    }
}

/* Most frames are measured within a quarter of the wall clock, none as longer than it. */
static void check_wall(struct world *w)
{
    double ratios[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
        glFinish();
        passtime_recorder *rec = begin(w);
        uint64_t from_ns = now_ns();
        passtime_begin(rec, "pass");
        draw(w, 1, 4);
        passtime_end(rec);
        glFinish();
        double wall_ns = (double)(now_ns() - from_ns);
        const passtime_frame *frame = end(w, rec);
        check_verdict(&frame->samples[0], i < 0);
        assert_true((double)frame->samples[0].duration_ns <= wall_ns);
        if (i >= 0) {
            ratios[i] = (double)frame->samples[0].duration_ns / wall_ns;
        }
    }
    double middle = median(ratios, ROUNDS);
    print_message("GPU time is %.3f of the wall clock's, median; %.3f to %.3f\n", middle, ratios[0],
                  ratios[ROUNDS - 1]);
    assert_true(middle >= 0.75);
}

static void times_match_the_wall_clock(void **state)
{
    (void)state;
    int opened = 0;
    for (int i = 0; i < WAYS; i++) {
        struct world w;
        if (open_world(&w, &ways[i])) {
            opened++;
            check_wall(&w);
            close_world(&w);
        }
    }
    if (opened == 0) {
        skip();
    }
}

/* Four times the work, and a pass around both, whose own time is what is not theirs. Fills in how
 * long the larger and the outer one's own work took, the smaller one's being 1; medians. */
static void time_nested(struct world *w, bool elapsed, double *larger, double *own)
{
    double larger_ratios[ROUNDS];
    double own_ratios[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
        passtime_recorder *rec = begin(w);
        passtime_begin(rec, "outer");
        draw(w, 0, 4);
        passtime_begin(rec, "large");
        draw(w, 1, 4);
        passtime_end(rec);
        passtime_begin(rec, "small");
        draw(w, 0, 4);
        passtime_end(rec);
        passtime_end(rec);
        const passtime_sample *s = end(w, rec)->samples;
        for (int k = 0; k < 3; k++) {
            check_verdict(&s[k], i < 0);
            assert_int_equal(s[k].source, elapsed ? PASSTIME_GPU_ELAPSED : PASSTIME_GPU_STAMPS);
        }
        if (i >= 0) {
            uint64_t inner_ns = s[1].duration_ns + s[2].duration_ns;
            assert_true(s[0].duration_ns >= inner_ns);
            assert_int_equal(s[0].exclusive_ns, s[0].duration_ns - inner_ns);
            larger_ratios[i] = (double)s[1].duration_ns / (double)s[2].duration_ns;
            own_ratios[i] = (double)s[0].exclusive_ns / (double)s[2].duration_ns;
        }
    }
    *larger = median(larger_ratios, ROUNDS);
    *own = median(own_ratios, ROUNDS);
}

/* Other programs may come between short passes: the ratios are right in one of some tries, or
 * wrong. */
static void check_nesting(struct world *w, bool elapsed)
{
    double larger = 0;
    double own = 0;
    bool right = false;
    for (int tries = 0; tries < 8 && !right; tries++) {
        time_nested(w, elapsed, &larger, &own);
        right = larger > 2.5 && larger < 6.4 && own > 0.6 && own < 1.6;
    }
    print_message("four times the work takes %.2f times as long; the same work, outside, %.2f\n",
                  larger, own);
    assert_true(right);
}

static void passes_nest(void **state)
{
    (void)state;
    int opened = 0;
    for (int i = 0; i < WAYS; i++) {
        struct world w;
        if (open_world(&w, &ways[i])) {
            opened++;
            check_nesting(&w, (ways[i].flags & PASSTIME_GL_METHOD_ELAPSED) != 0);
            close_world(&w);
        }
    }
    if (opened == 0) {
        skip();
    }
}

static void draw_parts(void *user, uint32_t parts)
{
    draw(user, 0, parts);
}

static passtime_result self_check(struct world *w)
{
    passtime_result result = PASSTIME_PENDING;
    uint64_t until_ns = now_ns() + 60000000000u;
    while (result == PASSTIME_PENDING && now_ns() < until_ns) {
        result = passtime_gl_self_check(w->t, draw_parts, w);
    }
    return result;
}

/* What the self-check says holds of the marks on samples. llvmpipe runs a render pass after it was
 * recorded, as tiled GPUs do: its boundaries are true after a flush only. */
static void check_boundary(struct world *w, uint32_t flags)
{
    passtime_gl_info info = {0};
    passtime_result result = PASSTIME_UNSUPPORTED;
    bool flushes = (flags & PASSTIME_GL_FLUSH_STAMPS) != 0;
    bool tiler = strstr(w->gl->name, "llvmpipe") != NULL;
    passtime_gl_boundary expected =
        tiler ? PASSTIME_GL_BOUNDARY_FLUSHED : PASSTIME_GL_BOUNDARY_TRUE;
    for (int tries = 0; tries < 10 && info.boundary != expected; tries++) {
        result = self_check(w); /* Again, where another program came between. */
        assert_int_equal(passtime_gl_get_info(w->t, &info), PASSTIME_OK);
    }
    print_message("boundary %d: %.3f and %.3f ms, flushed %.3f and %.3f ms\n", (int)info.boundary,
                  (double)info.self_check_ns[0] / 1e6, (double)info.self_check_ns[1] / 1e6,
                  (double)info.self_check_ns[2] / 1e6, (double)info.self_check_ns[3] / 1e6);
    assert_true(!tiler || info.boundary == expected);
    bool verified = info.boundary == PASSTIME_GL_BOUNDARY_TRUE ||
                    (info.boundary == PASSTIME_GL_BOUNDARY_FLUSHED && flushes);
    assert_int_equal(result, verified ? PASSTIME_OK : PASSTIME_UNSUPPORTED);
    passtime_recorder *rec = begin(w);
    passtime_begin(rec, "pass");
    draw(w, 0, 1);
    passtime_end(rec);
    const passtime_frame *frame = end(w, rec);
    assert_int_equal((frame->samples[0].flags & PASSTIME_FLAG_BOUNDARY_UNVERIFIED) == 0, verified);
}

static void the_self_check_tells_a_tiler(void **state)
{
    (void)state;
    int opened = 0;
    for (int i = 0; i < 2 * WAYS; i++) {
        struct world w;
        struct way way = ways[i / 2];
        way.flags &= i % 2 == 0 ? ~(uint32_t)0 : ~(uint32_t)PASSTIME_GL_FLUSH_STAMPS;
        if (way.version_most == 0 && open_world(&w, &way)) {
            opened++;
            check_boundary(&w, way.flags);
            close_world(&w);
        }
    }
    if (opened == 0) {
        skip();
    }
}

/* The app's elapsed query lives beside stamps, and in turns with ours. The app's errors and its
 * state stay. */
static void check_manners(struct world *w)
{
    GLuint query = 0;
    GLuint64 elapsed_ns = 0;
    bool es = w->gl->api == GL_API_ES;
    es ? glGenQueriesEXT(1, &query) : glGenQueries(1, &query);
    passtime_recorder *rec = begin(w);
    passtime_gl_pause(w->t);
    es ? glBeginQueryEXT(GL_TIME_ELAPSED, query) : glBeginQuery(GL_TIME_ELAPSED, query);
    passtime_begin(rec, "in the app's");
    draw(w, 0, 4);
    passtime_end(rec);
    es ? glEndQueryEXT(GL_TIME_ELAPSED) : glEndQuery(GL_TIME_ELAPSED);
    passtime_gl_resume(w->t);
    passtime_begin(rec, "after");
    draw(w, 0, 4);
    passtime_end(rec);
    const passtime_frame *frame = end(w, rec);
    bool stamps = frame->samples[1].source == PASSTIME_GPU_STAMPS;
    assert_int_equal(frame->samples[0].verdict, stamps ? PASSTIME_GOOD : PASSTIME_REFUSED);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_GOOD);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    es ? glGetQueryObjectui64vEXT(query, GL_QUERY_RESULT, &elapsed_ns)
       : glGetQueryObjectui64v(query, GL_QUERY_RESULT, &elapsed_ns);
    assert_true(elapsed_ns > 0);
    es ? glDeleteQueriesEXT(1, &query) : glDeleteQueries(1, &query);

    GLint program = 0;
    GLint framebuffer = 0;
    glEnable(0xFFFF); /* An error that the app has not asked for yet. */
    rec = begin(w);
    passtime_begin(rec, "pass");
    draw(w, 0, 1);
    passtime_end(rec);
    (void)end(w, rec);
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer);
    assert_int_equal(program, w->programs[0]);
    assert_int_equal(framebuffer, w->framebuffer);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
}

static void the_app_is_not_disturbed(void **state)
{
    (void)state;
    int opened = 0;
    for (int i = 0; i < WAYS; i++) {
        struct world w;
        if (open_world(&w, &ways[i])) {
            opened++;
            check_manners(&w);
            close_world(&w);
        }
    }
    if (opened == 0) {
        skip();
    }
}

/* Destroyed while queries fly and one is active; another takes its place in the same GL context. */
static void destroyed_in_flight(void **state)
{
    (void)state;
    struct way way = {GL_API_DESKTOP, 0, PASSTIME_GL_METHOD_ELAPSED};
    struct world w;
    if (!open_world(&w, &way)) {
        skip();
    }
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 3; k++) {
            passtime_recorder *rec = begin(&w);
            passtime_begin(rec, "pass");
            draw(&w, 0, 1);
            if (k < 2) {
                passtime_end(rec);
                passtime_submitted(rec);
                passtime_frame_end(w.t, w.number++);
            }
        }
        passtime_destroy(&w.t);
        passtime_gl_desc desc = PASSTIME_GL_DESC_INIT;
        desc.get_proc = gl_loader;
        assert_int_equal(passtime_create_gl(&desc, NULL, &w.t), PASSTIME_OK);
    }
    close_world(&w);
}

int main(void)
{
    char error[256] = "";
    struct gl_system *system = gl_system_open(error, sizeof(error));
    if (system == NULL) {
        fprintf(stderr, "skipped: %s\n", error);
        return 77;
    }
    gl_system_close(system);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_match_the_wall_clock),   cmocka_unit_test(passes_nest),
        cmocka_unit_test(the_self_check_tells_a_tiler), cmocka_unit_test(the_app_is_not_disturbed),
        cmocka_unit_test(destroyed_in_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
