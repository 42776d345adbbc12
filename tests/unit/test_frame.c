/* SPDX-License-Identifier: MIT */
/* Frame totals in small cases worked out by hand, and in the largest frame there may be. */
#include "unit/frame_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

enum { MS = 1000000 };

static void expect_totals(const struct frame_rig *f, uint64_t busy, uint64_t span, uint64_t sum)
{
    assert_int_equal(f->frame.busy_ns, busy);
    assert_int_equal(f->frame.span_ns, span);
    assert_int_equal(f->frame.sum_ns, sum);
    assert_true(f->frame.has_span);
    assert_false(f->frame.flags & PASSTIME_FLAG_SERIAL_SUM);
}

static void expect_sample(const struct frame_rig *f, uint32_t i, uint64_t exclusive,
                          uint64_t attributed, bool overlaps)
{
    assert_int_equal(f->samples[i].exclusive_ns, exclusive);
    assert_int_equal(f->samples[i].attributed_ns, attributed);
    assert_int_equal((f->samples[i].flags & PASSTIME_FLAG_OVERLAPS) != 0, overlaps);
}

static void test_empty(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    frame_work_out(&f);
    assert_int_equal(f.frame.busy_ns, 0);
    assert_int_equal(f.frame.span_ns, 0);
    assert_int_equal(f.frame.sum_ns, 0);
    assert_false(f.frame.has_span);
    assert_false(f.frame.flags & PASSTIME_FLAG_SERIAL_SUM);
}

/* BR-36: one name five times at 2 ms is 10 ms, in its scope as well. */
static void test_five_times_the_same_pass(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    uint32_t scope = frame_add_scope(&f, PASSTIME_NONE);
    for (uint64_t i = 0; i < 5; i++)
        frame_add_flat(&f, i * 3 * MS, i * 3 * MS + 2 * MS)->scope = scope;
    frame_work_out(&f);
    expect_totals(&f, 10 * MS, 14 * MS, 10 * MS);
    for (uint32_t i = 0; i < 5; i++)
        expect_sample(&f, i, 2 * MS, 2 * MS, false);
    assert_int_equal(f.scopes[scope].sample_count, 5);
    assert_int_equal(f.scopes[scope].busy_ns, 10 * MS);
    assert_true(f.scopes[scope].complete);
}

static void test_overlap(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    frame_add_flat(&f, 100, 200);
    frame_add_flat(&f, 150, 260);
    frame_add_flat(&f, 160, 170);
    frame_add_flat(&f, 300, 310);
    frame_work_out(&f);
    expect_totals(&f, 170, 210, 230);
    expect_sample(&f, 0, 100, 100, false);
    expect_sample(&f, 1, 110, 60, true);
    expect_sample(&f, 2, 10, 0, true);
    expect_sample(&f, 3, 10, 10, false);
}

/* Recorded in another order than they ran in. */
static void test_out_of_order(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    frame_add_flat(&f, 300, 310);
    frame_add_flat(&f, 150, 260);
    frame_add_flat(&f, 100, 200);
    frame_work_out(&f);
    expect_totals(&f, 170, 210, 220);
    expect_sample(&f, 0, 10, 10, false);
    expect_sample(&f, 1, 110, 60, true);
    expect_sample(&f, 2, 100, 100, false);
}

static void test_nested(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    frame_add_flat(&f, 0, 100);
    frame_add(&f, 10, 60, 0);
    frame_add(&f, 20, 30, 1);
    frame_add(&f, 70, 80, 0);
    frame_add_flat(&f, 90, 150);
    frame_work_out(&f);
    expect_totals(&f, 150, 150, 160);
    expect_sample(&f, 0, 40, 40, false);
    expect_sample(&f, 1, 40, 40, false);
    expect_sample(&f, 2, 10, 10, false);
    expect_sample(&f, 3, 10, 10, false);
    expect_sample(&f, 4, 60, 50, true);
}

/* Queues run at once: each has its own shares, and the frame is busy once. */
static void test_queues(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    frame_add_flat(&f, 0, 100);
    frame_add_flat(&f, 50, 120)->queue = 1;
    frame_add_flat(&f, 110, 130);
    frame_work_out(&f);
    expect_totals(&f, 130, 130, 190);
    expect_sample(&f, 0, 100, 100, false);
    expect_sample(&f, 1, 70, 70, false);
    expect_sample(&f, 2, 20, 20, false);
}

/* An overlap of a nanosecond is what rounding makes of two passes that touch. */
static void test_rounding_is_no_overlap(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    frame_add_flat(&f, 0, 11);
    frame_add_flat(&f, 10, 20);
    frame_add_flat(&f, 18, 30);
    frame_add_flat(&f, 30, 30);
    frame_add_flat(&f, 25, 25);
    frame_work_out(&f);
    expect_totals(&f, 30, 30, 33);
    expect_sample(&f, 0, 11, 11, false);
    expect_sample(&f, 1, 10, 9, false);
    expect_sample(&f, 2, 12, 10, true);
    expect_sample(&f, 3, 0, 0, false);
    expect_sample(&f, 4, 0, 0, false);
}

static void test_rejected_passes_count_nowhere(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    uint32_t outer = frame_add_scope(&f, PASSTIME_NONE);
    uint32_t inner = frame_add_scope(&f, outer);
    uint32_t other = frame_add_scope(&f, PASSTIME_NONE);
    frame_add_flat(&f, 0, 100)->scope = outer;
    passtime_sample *bad = frame_add(&f, 0, 100000, 0);
    bad->verdict = PASSTIME_BACKWARD;
    bad->scope = inner;
    /* Within a rejected pass, within a good one: its time is still not counted twice. */
    frame_add(&f, 40, 60, 1)->scope = inner;
    frame_add_flat(&f, 100, 110)->scope = other;
    frame_work_out(&f);
    expect_totals(&f, 110, 110, 110);
    expect_sample(&f, 0, 80, 80, false);
    expect_sample(&f, 1, 0, 0, false);
    expect_sample(&f, 2, 20, 20, false);
    assert_int_equal(f.scopes[outer].busy_ns, 100);
    assert_int_equal(f.scopes[outer].sample_count, 3);
    assert_false(f.scopes[outer].complete);
    assert_int_equal(f.scopes[inner].busy_ns, 20);
    assert_int_equal(f.scopes[inner].sample_count, 2);
    assert_false(f.scopes[inner].complete);
    assert_true(f.scopes[other].complete);
}

static void test_instants_have_a_span(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    frame_add_flat(&f, 5, 5);
    frame_add_flat(&f, 3, 3);
    frame_work_out(&f);
    expect_totals(&f, 0, 2, 0);
}

/* Positions of another clock compare with nothing; their durations are still durations. */
static void test_another_epoch(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    f.frame.clock_epoch = 3;
    uint32_t scope = frame_add_scope(&f, PASSTIME_NONE);
    frame_add_flat(&f, 10, 20)->clock_epoch = 3;
    passtime_sample *other = frame_add_flat(&f, 900000, 900040);
    other->clock_epoch = 2;
    other->scope = scope;
    frame_work_out(&f);
    expect_totals(&f, 10, 10, 50);
    expect_sample(&f, 1, 40, 0, false);
    assert_int_equal(f.scopes[scope].busy_ns, 0);
    assert_false(f.scopes[scope].complete);
}

static void test_cpu_time_is_no_gpu_time(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    uint32_t scope = frame_add_scope(&f, PASSTIME_NONE);
    passtime_sample *s = frame_add_flat(&f, 0, 50);
    s->source = PASSTIME_CPU_RECORD;
    s->scope = scope;
    frame_add(&f, 10, 20, 0)->source = PASSTIME_CPU_RECORD;
    frame_add_flat(&f, 0, 500)->source = PASSTIME_CPU_COMPLETE;
    frame_work_out(&f);
    assert_int_equal(f.frame.busy_ns, 0);
    assert_int_equal(f.frame.sum_ns, 0);
    assert_false(f.frame.has_span);
    assert_false(f.frame.flags & PASSTIME_FLAG_SERIAL_SUM);
    expect_sample(&f, 0, 40, 0, false);
    expect_sample(&f, 1, 10, 0, false);
    assert_false(f.scopes[scope].complete);
}

static void test_elapsed_only(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    uint32_t scope = frame_add_scope(&f, PASSTIME_NONE);
    uint32_t inner = frame_add_scope(&f, scope);
    frame_add_elapsed(&f, 100, PASSTIME_NONE)->scope = scope;
    frame_add_elapsed(&f, 30, 0)->scope = inner;
    frame_add_elapsed(&f, 7, PASSTIME_NONE);
    frame_work_out(&f);
    assert_int_equal(f.frame.busy_ns, 107);
    assert_int_equal(f.frame.sum_ns, 107);
    assert_int_equal(f.frame.span_ns, 0);
    assert_false(f.frame.has_span);
    assert_true(f.frame.flags & PASSTIME_FLAG_SERIAL_SUM);
    expect_sample(&f, 0, 70, 70, false);
    expect_sample(&f, 1, 30, 30, false);
    expect_sample(&f, 2, 7, 7, false);
    assert_int_equal(f.scopes[scope].busy_ns, 100);
    assert_int_equal(f.scopes[scope].sample_count, 2);
    assert_true(f.scopes[scope].complete);
    assert_int_equal(f.scopes[inner].busy_ns, 30);
}

static void test_spoil_scope(void **state)
{
    (void)state;
    struct frame_rig f = {0};
    uint32_t outer = frame_add_scope(&f, PASSTIME_NONE);
    uint32_t inner = frame_add_scope(&f, outer);
    uint32_t other = frame_add_scope(&f, PASSTIME_NONE);
    frame_work_out(&f);
    passtime_frame_spoil_scope(f.scopes, PASSTIME_NONE);
    assert_true(f.scopes[inner].complete);
    passtime_frame_spoil_scope(f.scopes, inner);
    assert_false(f.scopes[outer].complete);
    assert_false(f.scopes[inner].complete);
    assert_true(f.scopes[other].complete);
}
/* The most passes allowed, in the orders that cost the most: it ends, and the sums are right. */
static void test_largest_frame(void **state)
{
    (void)state;
    enum { N = 65536 };
    passtime_sample *samples = calloc(N, sizeof *samples);
    void *memory = malloc(passtime_frame_scratch_bytes(N, 0));
    assert_non_null(samples);
    assert_non_null(memory);
    for (int shape = 0; shape < 3; shape++) {
        for (uint32_t i = 0; i < N; i++) {
            uint64_t begin = shape == 0 ? i : shape == 1 ? N - i : i * UINT64_C(40503) % N;
            uint64_t end = shape == 0 ? 2 * N - i : begin + N;
            samples[i] = (passtime_sample){
                .parent = shape == 0 ? i - 1 : PASSTIME_NONE, /* i = 0: PASSTIME_NONE */
                .scope = PASSTIME_NONE,
                .begin_ns = begin,
                .end_ns = end,
                .duration_ns = end - begin,
            };
        }
        passtime_frame frame = {.sample_count = N};
        struct passtime_frame_scratch scratch;
        passtime_frame_scratch_init(&scratch, memory, N, 0);
        passtime_frame_totals(&frame, samples, NULL, &scratch);
        uint64_t attributed = 0;
        for (uint32_t i = 0; i < N; i++)
            attributed += samples[i].attributed_ns;
        assert_int_equal(frame.busy_ns, shape == 0 ? 2 * N : 2 * N - 1);
        assert_int_equal(attributed, frame.busy_ns);
    }
    free(memory);
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_five_times_the_same_pass),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_out_of_order),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_queues),
        cmocka_unit_test(test_rounding_is_no_overlap),
        cmocka_unit_test(test_rejected_passes_count_nowhere),
        cmocka_unit_test(test_instants_have_a_span),
        cmocka_unit_test(test_another_epoch),
        cmocka_unit_test(test_cpu_time_is_no_gpu_time),
        cmocka_unit_test(test_elapsed_only),
        cmocka_unit_test(test_spoil_scope),
        cmocka_unit_test(test_largest_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
