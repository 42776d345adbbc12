/* SPDX-License-Identifier: MIT */
/* The self-check of pass boundaries, on a scripted GL that moves stamps as tiled GPUs do, or does
 * not. */
#include <setjmp.h>
#include <stdarg.h>

#include "fake/gl_rig.h"

#include <cmocka.h>

/* How the scripted GPU runs work: at once, or in one go with the next flush or poll, as a tiler. */
struct gpu {
    struct gl_rig *rig;
    uint64_t part_ns;
    bool tiler;
    bool even_flushed; /* stamps are wrong after a flush, too */
    uint32_t calls;
};

/* On a tiler the work of a render pass has no duration between stamps, unless a flush cuts it. */
static void work(void *user, uint32_t parts)
{
    struct gpu *gpu = user;
    gpu->calls++;
    uint64_t ns = parts * gpu->part_ns;
    bool flushed =
        gpu->rig->fake.logged > 0 && gpu->rig->fake.log[gpu->rig->fake.logged - 1] == GL_FAKE_FLUSH;
    if (gpu->tiler && (!flushed || gpu->even_flushed)) {
        gpu->rig->now_ns += ns;
        gl_fake_work(&gpu->rig->fake, ns / 16 + parts);
    } else {
        gl_rig_work(gpu->rig, ns);
    }
}

static passtime_result run(struct gl_rig *rig, struct gpu *gpu)
{
    passtime_result result = PASSTIME_PENDING;
    for (int i = 0; i < 1000 && result == PASSTIME_PENDING; i++) {
        rig->fake.logged = 0;
        rig->now_ns += 1000000;
        result = passtime_gl_self_check(rig->t, work, gpu);
        gl_fake_finish(&rig->fake);
    }
    return result;
}

static uint32_t flags_of_a_frame(struct gl_rig *rig)
{
    return gl_rig_frame(rig, 5000)->samples[0].flags & PASSTIME_FLAG_BOUNDARY_UNVERIFIED;
}

static void open_rig(struct gl_rig *rig, struct gpu *gpu, bool elapsed, uint32_t flags)
{
    gl_rig_setup(rig, elapsed);
    rig->gl.flags = flags;
    gl_rig_open(rig);
    *gpu = (struct gpu){.rig = rig, .part_ns = 500000};
}

/* Where stamps stay, samples lose their mark. */
static void true_boundaries(void **state)
{
    (void)state;
    for (int elapsed = 0; elapsed < 2; elapsed++) {
        struct gl_rig rig;
        struct gpu gpu;
        open_rig(&rig, &gpu, elapsed != 0, 0);
        assert_true(flags_of_a_frame(&rig) != 0);
        assert_int_equal(run(&rig, &gpu), PASSTIME_OK);
        assert_int_equal(gpu.calls, 22);
        passtime_gl_info info = gl_rig_info(&rig);
        assert_int_equal(info.boundary, PASSTIME_GL_BOUNDARY_TRUE);
        assert_int_equal(info.self_check_ns[0], 500000);
        assert_int_equal(info.self_check_ns[1], 2000000);
        assert_int_equal(info.self_check_ns[2], 500000);
        assert_int_equal(info.self_check_ns[3], 2000000);
        assert_int_equal(flags_of_a_frame(&rig), 0);
        gl_rig_close(&rig);
    }
}

/* A tiler: unverified without flushes, though the ratio of the wrong times is right;
 * verified with. */
static void a_tiler(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        struct gl_rig rig;
        struct gpu gpu;
        bool flush = variant % 2 == 1;
        open_rig(&rig, &gpu, variant >= 2, flush ? PASSTIME_GL_FLUSH_STAMPS : 0);
        gpu.tiler = true;
        assert_int_equal(run(&rig, &gpu), flush ? PASSTIME_OK : PASSTIME_UNSUPPORTED);
        assert_int_equal(gl_rig_info(&rig).boundary, PASSTIME_GL_BOUNDARY_FLUSHED);
        assert_int_equal(flags_of_a_frame(&rig) == 0, flush);
        gl_rig_close(&rig);
    }
}

/* Not even a flush helps: there is too little in the times to tell. */
static void not_even_flushed(void **state)
{
    (void)state;
    struct gl_rig rig;
    struct gpu gpu;
    open_rig(&rig, &gpu, false, PASSTIME_GL_FLUSH_STAMPS);
    gpu.tiler = true;
    gpu.even_flushed = true;
    gpu.part_ns = 10;
    assert_int_equal(run(&rig, &gpu), PASSTIME_UNSUPPORTED);
    assert_int_equal(gl_rig_info(&rig).boundary, PASSTIME_GL_BOUNDARY_FALSE);
    assert_true(flags_of_a_frame(&rig) != 0);
    gl_rig_close(&rig);
}

/* Work of a microsecond is taken in more parts until it can be measured. */
static void short_work_grows(void **state)
{
    (void)state;
    struct gl_rig rig;
    struct gpu gpu;
    open_rig(&rig, &gpu, false, 0);
    gpu.part_ns = 1000;
    assert_int_equal(run(&rig, &gpu), PASSTIME_OK);
    assert_int_equal(gl_rig_info(&rig).self_check_ns[3], 4 * 256 * 1000);
    gl_rig_close(&rig);
}

/* It never waits: nothing available is PENDING, until the time-out. */
static void results_that_do_not_come(void **state)
{
    (void)state;
    struct gl_rig rig;
    struct gpu gpu;
    open_rig(&rig, &gpu, false, 0);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(passtime_gl_self_check(rig.t, work, &gpu), PASSTIME_PENDING);
    }
    assert_int_equal(gpu.calls, 2);
    rig.now_ns += 11000000000ull;
    assert_int_equal(passtime_gl_self_check(rig.t, work, &gpu), PASSTIME_UNSUPPORTED);
    assert_int_equal(gl_rig_info(&rig).boundary, PASSTIME_GL_BOUNDARY_FALSE);
    assert_int_equal(run(&rig, &gpu), PASSTIME_OK);
    gl_rig_close(&rig);
}

/* A disturbed clock makes a round void, and it is drawn again. */
static void a_disjoint_in_a_round(void **state)
{
    (void)state;
    struct gl_rig rig;
    struct gpu gpu;
    gl_rig_setup(&rig, false);
    gl_rig_es(&rig);
    gl_rig_open(&rig);
    gpu = (struct gpu){.rig = &rig, .part_ns = 500000};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(passtime_gl_self_check(rig.t, work, &gpu), PASSTIME_PENDING);
        gl_fake_finish(&rig.fake);
    }
    rig.fake.disjoint = 1;
    assert_int_equal(run(&rig, &gpu), PASSTIME_OK);
    assert_int_equal(gpu.calls, 24);
    assert_int_equal(gl_rig_info(&rig).disjoints, 1);
    gl_rig_close(&rig);
}

static void out_of_place(void **state)
{
    (void)state;
    struct gl_rig rig;
    struct gpu gpu;
    open_rig(&rig, &gpu, true, 0);
    assert_int_equal(passtime_gl_self_check(rig.t, NULL, NULL), PASSTIME_INVALID);
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_begin(rec, "open");
    assert_int_equal(passtime_gl_self_check(rig.t, work, &gpu), PASSTIME_INVALID);
    passtime_end(rec);
    passtime_gl_pause(rig.t);
    assert_int_equal(passtime_gl_self_check(rig.t, work, &gpu), PASSTIME_PENDING);
    passtime_gl_resume(rig.t);
    assert_int_equal(gpu.calls, 0);
    passtime_gl_context_lost(rig.t);
    assert_int_equal(passtime_gl_self_check(rig.t, work, &gpu), PASSTIME_LOST);
    rig.fake.alive = 0;
    gl_rig_close(&rig);
}

/* Also on stamps, which need no active query: the check's work would count as the pass's. */
static void not_within_a_pass(void **state)
{
    (void)state;
    struct gl_rig rig;
    struct gpu gpu;
    open_rig(&rig, &gpu, false, 0);
    passtime_recorder *rec = gl_rig_begin(&rig);
    passtime_begin(rec, "open");
    assert_int_equal(passtime_gl_self_check(rig.t, work, &gpu), PASSTIME_INVALID);
    passtime_end(rec);
    gl_rig_end(&rig, rec);
    assert_int_equal(gpu.calls, 0);
    assert_int_equal(passtime_gl_self_check(rig.t, work, &gpu), PASSTIME_PENDING);
    gl_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(true_boundaries),
        cmocka_unit_test(a_tiler),
        cmocka_unit_test(not_even_flushed),
        cmocka_unit_test(short_work_grows),
        cmocka_unit_test(results_that_do_not_come),
        cmocka_unit_test(a_disjoint_in_a_round),
        cmocka_unit_test(out_of_place),
        cmocka_unit_test(not_within_a_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
