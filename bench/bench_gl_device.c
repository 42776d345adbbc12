/* SPDX-License-Identifier: MIT */
/*
 * What timing costs in a real GL context. Frames of 64 small draws, blocks of them timed in several
 * ways by turns, each ratio from two neighbours; then what one timed operation costs the CPU,
 * beside libplacebo's pl_timer, which can time nothing but libplacebo's own operations.
 */
#include "bench_gl_device.h"

#include <passtime/gl.h>

#include "cli/gl_work.h"

#include <epoxy/gl.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCK_FRAMES = 8, RING = BLOCK_FRAMES + 2, ROUNDS = 36, ROUNDS_QUICK = 6, PARTS_MAX = 64 };

/* So much CPU time does a frame take that is not timed. */
static const double frame_goal_ns = 12e6;
static const double frame_goal_quick_ns = 3e6;

uint64_t bench_process_cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool bench_gl_timer_open(struct bench_gl_timer *timer, uint32_t flags, uint32_t ring)
{
    passtime_gl_desc gl = PASSTIME_GL_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    gl.get_proc = gl_loader;
    gl.flags = flags;
    desc.max_passes = BENCH_PASSES;
    desc.frames_in_flight = ring;
    *timer = (struct bench_gl_timer){0};
    if (passtime_create_gl(&gl, &desc, &timer->t) != PASSTIME_OK) {
        return false;
    }
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "pass %02u", (unsigned)i);
        timer->ids[i] = passtime_intern(timer->t, name);
    }
    return true;
}

void bench_gl_timer_take(struct bench_gl_timer *timer)
{
    const passtime_frame *frame;
    while (passtime_next(timer->t, &frame) == PASSTIME_OK) {
        timer->complete += frame->fate == PASSTIME_FRAME_COMPLETE ? 1 : 0;
    }
}

/* How the frames of a block are timed. */
enum arm { ARM_OFF, ARM_BARE, ARM_TIMED, ARM_ELAPSED, ARM_FLUSHED, ARM_COUNT };

struct bench_gl {
    struct gl *gl;
    struct gl_work *work;
    struct bench_gl_timer timers[ARM_COUNT]; /* of the arms that Passtime times */
    GLuint queries[RING][2 * BENCH_PASSES];  /* of the arm that is stamped by hand */
    uint32_t parts;                          /* draws a pass */
};

static bool is_passtime(enum arm arm)
{
    return arm >= ARM_TIMED;
}

static void draw_frame(struct bench_gl *b, enum arm arm, uint32_t place)
{
    struct bench_gl_timer *timer = &b->timers[arm];
    passtime_recorder *rec = passtime_frame_begin(timer->t, timer->frame);
    for (uint32_t pass = 0; pass < BENCH_PASSES; pass++) {
        if (arm == ARM_BARE) {
            glQueryCounter(b->queries[place][2 * pass], GL_TIMESTAMP);
        } else if (is_passtime(arm)) {
            passtime_begin_id(rec, timer->ids[pass]);
        }
        gl_work_draw(b->work, b->parts);
        if (arm == ARM_BARE) {
            glQueryCounter(b->queries[place][2 * pass + 1], GL_TIMESTAMP);
        } else if (is_passtime(arm)) {
            passtime_end(rec);
        }
    }
    glFlush();
    passtime_submitted(rec);
    (void)passtime_frame_end(timer->t, timer->frame++);
}

/* What an app without Passtime would do with its stamps, once they are all there. */
static bool read_by_hand(struct bench_gl *b)
{
    bool ordered = true;
    for (uint32_t place = 0; place < BLOCK_FRAMES; place++) {
        for (uint32_t pass = 0; pass < BENCH_PASSES; pass++) {
            GLuint64 begin = 0;
            GLuint64 end = 0;
            glGetQueryObjectui64v(b->queries[place][2 * pass], GL_QUERY_RESULT, &begin);
            glGetQueryObjectui64v(b->queries[place][2 * pass + 1], GL_QUERY_RESULT, &end);
            ordered = ordered && begin > 0 && end >= begin;
        }
    }
    return ordered;
}

/* CPU time of all threads for frames to the end of their work, results taken; 0: results are wrong.
 */
static double draw_block(struct bench_gl *b, enum arm arm)
{
    uint64_t begin_ns = bench_process_cpu_ns();
    for (uint32_t i = 0; i < BLOCK_FRAMES; i++) {
        draw_frame(b, arm, i);
    }
    glFinish();
    bench_gl_timer_take(&b->timers[arm]);
    if (arm == ARM_BARE && !read_by_hand(b)) {
        return 0;
    }
    return (double)(bench_process_cpu_ns() - begin_ns);
}

static bool open_arms(struct bench_gl *b, char *error, size_t error_bytes)
{
    b->work = gl_work_create(b->gl, 64, error, error_bytes);
    if (b->work == NULL || !bench_gl_timer_open(&b->timers[ARM_TIMED], 0, RING) ||
        !bench_gl_timer_open(&b->timers[ARM_ELAPSED], PASSTIME_GL_METHOD_ELAPSED, RING) ||
        !bench_gl_timer_open(&b->timers[ARM_FLUSHED], PASSTIME_GL_FLUSH_STAMPS, RING)) {
        return false;
    }
    for (uint32_t i = 0; i < RING; i++) {
        glGenQueries(2 * BENCH_PASSES, b->queries[i]);
    }
    return true;
}

static void close_arms(struct bench_gl *b)
{
    for (uint32_t arm = 0; arm < ARM_COUNT; arm++) {
        passtime_destroy(&b->timers[arm].t);
    }
    for (uint32_t i = 0; i < RING; i++) {
        glDeleteQueries(2 * BENCH_PASSES, b->queries[i]);
    }
    gl_work_destroy(b->work);
}

static void size_passes(struct bench_gl *b, double goal_ns)
{
    for (b->parts = 1; b->parts < PARTS_MAX; b->parts *= 2) {
        if (draw_block(b, ARM_OFF) / BLOCK_FRAMES > goal_ns) {
            return;
        }
    }
}

struct arm_row {
    enum arm arm;
    enum arm to;
    const char *name;
    const char *what;
    double target;
};

static const struct arm_row arm_rows[] = {
    {ARM_BARE, ARM_OFF, "gl.stamps", "  frames stamped by hand to not timed", 0},
    {ARM_TIMED, ARM_OFF, "gl.timed", "  frames timed by Passtime to not timed", 1.01},
    {ARM_TIMED, ARM_BARE, "gl.added", "  frames timed by Passtime to stamped by hand", 1.01},
    {ARM_ELAPSED, ARM_OFF, "gl.elapsed", "  frames timed by elapsed queries to not timed", 0},
    {ARM_FLUSHED, ARM_OFF, "gl.flushed", "  frames timed with a flush a stamp to not timed", 0},
};
enum { ARM_ROWS = sizeof arm_rows / sizeof arm_rows[0] };

struct arm_figures {
    struct bench_figures frame_ms; /* not timed */
    struct bench_figures ratios[ARM_ROWS];
};

/* Which arm comes first changes from round to round, so that a drift of the machine cancels. */
static bool measure_arms(struct bench_gl *b, uint32_t rounds, struct arm_figures *figures)
{
    for (uint32_t round = 0; round < rounds; round++) {
        double cost[ARM_COUNT];
        for (uint32_t i = 0; i < ARM_COUNT; i++) {
            enum arm arm = (enum arm)((round + i) % ARM_COUNT);
            cost[arm] = draw_block(b, arm);
            if (cost[arm] <= 0) {
                return false;
            }
        }
        figures->frame_ms.values[round] = cost[ARM_OFF] / BLOCK_FRAMES / 1e6;
        figures->frame_ms.count = round + 1;
        for (uint32_t i = 0; i < ARM_ROWS; i++) {
            figures->ratios[i].values[round] = cost[arm_rows[i].arm] / cost[arm_rows[i].to];
            figures->ratios[i].count = round + 1;
        }
    }
    return true;
}

static void add_arms(struct bench_table *table, const struct arm_figures *figures)
{
    (void)bench_row_add(table, "gl.frame", "GL: a frame of 64 passes, not timed", "ms of CPU", 0,
                        &figures->frame_ms);
    for (uint32_t i = 0; i < ARM_ROWS; i++) {
        const struct arm_row *row = &arm_rows[i];
        struct bench_figures sorted = figures->ratios[i];
        double low;
        double high;
        (void)bench_row_add(table, row->name, row->what, "ratio", row->target, &sorted);
        if (bench_median_interval(&sorted, &low, &high)) {
            bench_note(table, "GL:%s: the median lies in %.4f to %.4f (95 %%, %u rounds).",
                       row->what + 1, low, high, (unsigned)sorted.count);
        }
    }
}

static bool is_sound(struct bench_gl *b, uint64_t frames)
{
    bool sound = true;
    for (enum arm arm = ARM_TIMED; arm < ARM_COUNT; arm++) {
        if (b->timers[arm].complete != frames) {
            fprintf(stderr, "bench: %llu of %llu frames on %s were timed in full\n",
                    (unsigned long long)b->timers[arm].complete, (unsigned long long)frames,
                    b->gl->name);
            sound = false;
        }
    }
    gl_check(b->gl, "the benchmark");
    if (b->gl->error_count > 0) {
        fprintf(stderr, "bench: %s\n", b->gl->first_error);
    }
    return sound && b->gl->error_count == 0;
}

static bool bench_frames(struct bench_gl *b, struct bench_table *table,
                         const struct bench_options *options)
{
    static struct arm_figures figures;
    uint32_t rounds = options->quick ? ROUNDS_QUICK : ROUNDS;
    size_passes(b, options->quick ? frame_goal_quick_ns : frame_goal_ns);
    for (enum arm arm = ARM_OFF; arm < ARM_COUNT; arm++) {
        (void)draw_block(b, arm);
        b->timers[arm].complete = 0;
    }
    if (!measure_arms(b, rounds, &figures)) {
        fprintf(stderr, "bench: stamps by hand are not in order on %s\n", b->gl->name);
        return false;
    }
    add_arms(table, &figures);
    bench_note(table, "GL: %s, %s; by the process's CPU time.", b->gl->name, b->gl->driver);
    return is_sound(b, (uint64_t)rounds * BLOCK_FRAMES);
}

static bool bench_context(struct gl *gl, struct bench_table *table,
                          const struct bench_options *options)
{
    static struct bench_gl b; /* some 20 KiB */
    char error[512] = "no timer can be made";
    bool sound = false;
    b.gl = gl;
    if (open_arms(&b, error, sizeof error)) {
        sound = bench_frames(&b, table, options);
    } else {
        fprintf(stderr, "bench: %s: %s\n", gl->name, error);
    }
    close_arms(&b);
    return bench_placebo(table, options, gl) && sound;
}

bool bench_gl_device(struct bench_table *table, const struct bench_options *options)
{
    char error[512] = "";
    bool exists;
    bool sound = true;
    const struct gl_want want = {.api = GL_API_DESKTOP};
    struct gl_system *system = gl_system_open(error, sizeof error);
    struct gl *gl = NULL;
    if (system != NULL) {
        gl = gl_open_matching(system, &want, NULL, &exists, error, sizeof error);
    }
    if (gl != NULL) {
        sound = bench_context(gl, table, options);
    } else {
        bench_row_add_unknown(table, "gl.timed", "GL: frames timed to not timed", "ratio");
        bench_note(table, "No GL context to measure in: %.200s", error);
    }
    gl_close(gl);
    gl_system_close(system);
    return sound;
}
