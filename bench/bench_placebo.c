/* SPDX-License-Identifier: MIT */
/*
 * libplacebo's pl_timer and Passtime on the same operations: uploads of one pixel by libplacebo, 64
 * a frame. pl_timer can't be had without a real GL context, so the driver's own cost of a query is
 * in all figures; it is the calling thread's CPU time, less that of the same frames without timing.
 */
#include "bench_gl_device.h"

#include <passtime/gl.h>

#include <epoxy/gl.h>
#include <libplacebo/opengl.h>

#include <stdio.h>

enum { RING = 4, BLOCK_FRAMES = 50, ROUNDS = 31, ROUNDS_QUICK = 5 };

enum arm { ARM_NONE, ARM_HAND, ARM_STAMPS, ARM_ELAPSED, ARM_PLACEBO, ARM_COUNT };

struct placebo {
    pl_log log;
    pl_opengl gl;
    pl_tex texture;
    pl_timer timers[BENCH_PASSES];
    struct bench_gl_timer ours[ARM_COUNT];
    GLuint queries[2 * BENCH_PASSES];
    uint64_t results[ARM_COUNT];
};

static void upload(struct placebo *p, pl_timer timer)
{
    static uint8_t pixel[4] = {1, 2, 3, 4};
    struct pl_tex_transfer_params params = {.tex = p->texture, .ptr = pixel, .timer = timer};
    (void)pl_tex_upload(p->gl->gpu, &params);
}

static void draw_pass(struct placebo *p, enum arm arm, passtime_recorder *rec, uint32_t pass)
{
    switch (arm) {
    case ARM_HAND:
        glQueryCounter(p->queries[2 * pass], GL_TIMESTAMP);
        upload(p, NULL);
        glQueryCounter(p->queries[2 * pass + 1], GL_TIMESTAMP);
        break;
    case ARM_STAMPS:
    case ARM_ELAPSED:
        passtime_begin_id(rec, p->ours[arm].ids[pass]);
        upload(p, NULL);
        passtime_end(rec);
        break;
    default:
        upload(p, arm == ARM_PLACEBO ? p->timers[pass] : NULL);
    }
}

static void take_results(struct placebo *p, enum arm arm)
{
    bench_gl_timer_take(&p->ours[arm]);
    for (uint32_t pass = 0; arm == ARM_PLACEBO && pass < BENCH_PASSES; pass++) {
        while (pl_timer_query(p->gl->gpu, p->timers[pass]) > 0) {
            p->results[arm]++;
        }
    }
    for (uint32_t pass = 0; arm == ARM_HAND && pass < BENCH_PASSES; pass++) {
        GLuint64 ns[2] = {0, 0};
        GLuint available = 0;
        glGetQueryObjectuiv(p->queries[2 * pass + 1], GL_QUERY_RESULT_AVAILABLE, &available);
        glGetQueryObjectui64v(p->queries[2 * pass], GL_QUERY_RESULT, &ns[0]);
        glGetQueryObjectui64v(p->queries[2 * pass + 1], GL_QUERY_RESULT, &ns[1]);
        p->results[arm] += available > 0 && ns[1] >= ns[0] ? 1 : 0;
    }
}

/* The driver's work ends within the frame, off this thread: results are there to be taken. */
static void draw_frame(struct placebo *p, enum arm arm)
{
    struct bench_gl_timer *ours = &p->ours[arm];
    passtime_recorder *rec = passtime_frame_begin(ours->t, ours->frame);
    for (uint32_t pass = 0; pass < BENCH_PASSES; pass++) {
        draw_pass(p, arm, rec, pass);
    }
    passtime_submitted(rec);
    (void)passtime_frame_end(ours->t, ours->frame++);
    glFinish();
    take_results(p, arm);
}

/* ns of this thread a pass. */
static double draw_block(struct placebo *p, enum arm arm)
{
    uint64_t begin_ns = bench_cpu_ns();
    for (uint32_t i = 0; i < BLOCK_FRAMES; i++) {
        draw_frame(p, arm);
    }
    return (double)(bench_cpu_ns() - begin_ns) / (BLOCK_FRAMES * BENCH_PASSES);
}

static bool open_placebo(struct placebo *p, bool software)
{
    struct pl_log_params silent = {0};
    struct pl_opengl_params params = {.allow_software = software};
    p->log = pl_log_create(PL_API_VER, &silent);
    p->gl = pl_opengl_create(p->log, &params);
    if (p->gl == NULL) {
        return false;
    }
    pl_fmt format = pl_find_named_fmt(p->gl->gpu, "rgba8");
    struct pl_tex_params texture = {.w = 1, .h = 1, .format = format, .host_writable = true};
    p->texture = format != NULL ? pl_tex_create(p->gl->gpu, &texture) : NULL;
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        p->timers[i] = pl_timer_create(p->gl->gpu);
    }
    glGenQueries(2 * BENCH_PASSES, p->queries);
    return p->texture != NULL && p->timers[0] != NULL &&
           bench_gl_timer_open(&p->ours[ARM_STAMPS], 0, RING) &&
           bench_gl_timer_open(&p->ours[ARM_ELAPSED], PASSTIME_GL_METHOD_ELAPSED, RING);
}

static void close_placebo(struct placebo *p)
{
    for (uint32_t arm = 0; arm < ARM_COUNT; arm++) {
        passtime_destroy(&p->ours[arm].t);
    }
    glDeleteQueries(2 * BENCH_PASSES, p->queries);
    if (p->gl != NULL) {
        for (uint32_t i = 0; i < BENCH_PASSES; i++) {
            pl_timer_destroy(p->gl->gpu, &p->timers[i]);
        }
        pl_tex_destroy(p->gl->gpu, &p->texture);
        pl_opengl_destroy(&p->gl);
    }
    pl_log_destroy(&p->log);
}

static void measure(struct placebo *p, uint32_t rounds, struct bench_figures figures[ARM_COUNT])
{
    for (uint32_t round = 0; round < rounds; round++) {
        double ns[ARM_COUNT];
        for (uint32_t i = 0; i < ARM_COUNT; i++) {
            enum arm arm = (enum arm)((round + i) % ARM_COUNT);
            ns[arm] = draw_block(p, arm);
        }
        for (uint32_t arm = 0; arm < ARM_COUNT; arm++) {
            figures[arm].values[round] = ns[arm] - (arm == ARM_NONE ? 0 : ns[ARM_NONE]);
            figures[arm].count = round + 1;
        }
    }
}

static void add_rows(struct bench_table *table, const struct bench_figures figures[ARM_COUNT])
{
    static const struct {
        const char *name;
        const char *what;
    } rows[ARM_COUNT] = {
        {"placebo.upload", "GL: an upload of one pixel by libplacebo, CPU"},
        {"placebo.hand", "  two glQueryCounter calls and their results, more"},
        {"placebo.passtime", "  Passtime by timestamps, more"},
        {"placebo.passtime.elapsed", "  Passtime by elapsed queries, more"},
        {"placebo.pl_timer", "  libplacebo's pl_timer, more"},
    };
    for (uint32_t arm = 0; arm < ARM_COUNT; arm++) {
        (void)bench_row_add(table, rows[arm].name, rows[arm].what, "ns/pass", 0, &figures[arm]);
    }
}

/* Every frame but those that warm up came back whole. */
static bool is_sound(const struct placebo *p, uint64_t frames)
{
    uint64_t passes = frames * BENCH_PASSES;
    if (p->results[ARM_HAND] == passes && p->results[ARM_PLACEBO] > passes / 2 &&
        p->ours[ARM_STAMPS].complete == frames && p->ours[ARM_ELAPSED].complete == frames) {
        return true;
    }
    fprintf(stderr,
            "bench: of %llu uploads %llu were timed by hand, %llu by pl_timer; of %llu frames"
            " %llu by stamps, %llu by elapsed queries\n",
            (unsigned long long)passes, (unsigned long long)p->results[ARM_HAND],
            (unsigned long long)p->results[ARM_PLACEBO], (unsigned long long)frames,
            (unsigned long long)p->ours[ARM_STAMPS].complete,
            (unsigned long long)p->ours[ARM_ELAPSED].complete);
    return false;
}

bool bench_placebo(struct bench_table *table, const struct bench_options *options, struct gl *gl)
{
    static struct bench_figures figures[ARM_COUNT];
    static struct placebo p; /* some KiB */
    uint32_t rounds = options->quick ? ROUNDS_QUICK : ROUNDS;
    bool sound = true;
    if (open_placebo(&p, gl->software)) {
        measure(&p, rounds, figures);
        add_rows(table, figures);
        bench_note(table,
                   "pl_timer: libplacebo %d of the system, on %s; its timers keep no more than "
                   "a few results and drop the rest.",
                   PL_API_VER, gl->name);
        sound = is_sound(&p, (uint64_t)rounds * BLOCK_FRAMES);
    } else {
        bench_row_add_unknown(table, "placebo.pl_timer", "GL: libplacebo's pl_timer", "ns/pass");
        bench_note(table, "libplacebo's pl_timer can't be had in this GL context.");
    }
    close_placebo(&p);
    return sound;
}
