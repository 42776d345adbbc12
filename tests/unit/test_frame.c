/* SPDX-License-Identifier: MIT */
/* Frame totals: small cases worked out by hand, and random ones counted instant by instant. */
#include "core/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = 40, MAX_SCOPES = 8, MS = 1000000 };

struct fixture {
    passtime_frame frame;
    passtime_sample samples[MAX_SAMPLES];
    passtime_scope scopes[MAX_SCOPES];
};

static passtime_sample *add(struct fixture *f, uint64_t begin_ns, uint64_t end_ns, uint32_t parent)
{
    assert_true(f->frame.sample_count < MAX_SAMPLES);
    passtime_sample *s = &f->samples[f->frame.sample_count++];
    *s = (passtime_sample){
        .parent = parent,
        .scope = PASSTIME_NONE,
        .verdict = begin_ns == end_ns ? PASSTIME_BELOW_RESOLUTION : PASSTIME_GOOD,
        .source = PASSTIME_GPU_STAMPS,
        .begin_ns = begin_ns,
        .end_ns = end_ns,
        .duration_ns = end_ns - begin_ns,
    };
    return s;
}

static passtime_sample *add_flat(struct fixture *f, uint64_t begin_ns, uint64_t end_ns)
{
    return add(f, begin_ns, end_ns, PASSTIME_NONE);
}

static passtime_sample *add_elapsed(struct fixture *f, uint64_t duration_ns, uint32_t parent)
{
    passtime_sample *s = add(f, 0, 0, parent);
    s->verdict = PASSTIME_GOOD;
    s->source = PASSTIME_GPU_ELAPSED;
    s->flags = PASSTIME_FLAG_NO_POSITION;
    s->duration_ns = duration_ns;
    return s;
}

static uint32_t add_scope(struct fixture *f, uint32_t parent)
{
    f->scopes[f->frame.scope_count] = (passtime_scope){.parent = parent};
    return f->frame.scope_count++;
}

/* Works out the totals. Every figure holds rubbish before, so that one which is not filled shows.
 */
static void work_out(struct fixture *f)
{
    struct passtime_frame_scratch scratch;
    size_t bytes = passtime_frame_scratch_bytes(f->frame.sample_count, f->frame.scope_count);
    void *memory = malloc(bytes + 1);
    assert_non_null(memory);
    memset(memory, 0xA5, bytes);
    passtime_frame_scratch_init(&scratch, memory, f->frame.sample_count, f->frame.scope_count);
    f->frame.busy_ns = f->frame.span_ns = f->frame.sum_ns = 77;
    f->frame.has_span = f->frame.sample_count % 2;
    f->frame.flags |= PASSTIME_FLAG_SERIAL_SUM;
    for (uint32_t i = 0; i < f->frame.sample_count; i++) {
        f->samples[i].exclusive_ns = f->samples[i].attributed_ns = 77;
        f->samples[i].flags |= PASSTIME_FLAG_OVERLAPS;
    }
    for (uint32_t i = 0; i < f->frame.scope_count; i++) {
        f->scopes[i].busy_ns = f->scopes[i].sample_count = 77;
        f->scopes[i].complete = false;
    }
    passtime_frame_totals(&f->frame, f->samples, f->scopes, &scratch);
    free(memory);
}

static void expect_totals(const struct fixture *f, uint64_t busy, uint64_t span, uint64_t sum)
{
    assert_int_equal(f->frame.busy_ns, busy);
    assert_int_equal(f->frame.span_ns, span);
    assert_int_equal(f->frame.sum_ns, sum);
    assert_true(f->frame.has_span);
    assert_false(f->frame.flags & PASSTIME_FLAG_SERIAL_SUM);
}

static void expect_sample(const struct fixture *f, uint32_t i, uint64_t exclusive,
                          uint64_t attributed, bool overlaps)
{
    assert_int_equal(f->samples[i].exclusive_ns, exclusive);
    assert_int_equal(f->samples[i].attributed_ns, attributed);
    assert_int_equal((f->samples[i].flags & PASSTIME_FLAG_OVERLAPS) != 0, overlaps);
}

static void test_empty(void **state)
{
    (void)state;
    struct fixture f = {0};
    work_out(&f);
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
    struct fixture f = {0};
    uint32_t scope = add_scope(&f, PASSTIME_NONE);
    for (uint64_t i = 0; i < 5; i++)
        add_flat(&f, i * 3 * MS, i * 3 * MS + 2 * MS)->scope = scope;
    work_out(&f);
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
    struct fixture f = {0};
    add_flat(&f, 100, 200);
    add_flat(&f, 150, 260);
    add_flat(&f, 160, 170);
    add_flat(&f, 300, 310);
    work_out(&f);
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
    struct fixture f = {0};
    add_flat(&f, 300, 310);
    add_flat(&f, 150, 260);
    add_flat(&f, 100, 200);
    work_out(&f);
    expect_totals(&f, 170, 210, 220);
    expect_sample(&f, 0, 10, 10, false);
    expect_sample(&f, 1, 110, 60, true);
    expect_sample(&f, 2, 100, 100, false);
}

static void test_nested(void **state)
{
    (void)state;
    struct fixture f = {0};
    add_flat(&f, 0, 100);
    add(&f, 10, 60, 0);
    add(&f, 20, 30, 1);
    add(&f, 70, 80, 0);
    add_flat(&f, 90, 150);
    work_out(&f);
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
    struct fixture f = {0};
    add_flat(&f, 0, 100);
    add_flat(&f, 50, 120)->queue = 1;
    add_flat(&f, 110, 130);
    work_out(&f);
    expect_totals(&f, 130, 130, 190);
    expect_sample(&f, 0, 100, 100, false);
    expect_sample(&f, 1, 70, 70, false);
    expect_sample(&f, 2, 20, 20, false);
}

/* An overlap of a nanosecond is what rounding makes of two passes that touch. */
static void test_rounding_is_no_overlap(void **state)
{
    (void)state;
    struct fixture f = {0};
    add_flat(&f, 0, 11);
    add_flat(&f, 10, 20);
    add_flat(&f, 18, 30);
    add_flat(&f, 30, 30);
    add_flat(&f, 25, 25);
    work_out(&f);
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
    struct fixture f = {0};
    uint32_t outer = add_scope(&f, PASSTIME_NONE);
    uint32_t inner = add_scope(&f, outer);
    uint32_t other = add_scope(&f, PASSTIME_NONE);
    add_flat(&f, 0, 100)->scope = outer;
    passtime_sample *bad = add(&f, 0, 100000, 0);
    bad->verdict = PASSTIME_BACKWARD;
    bad->scope = inner;
    /* Within a rejected pass, within a good one: its time is still not counted twice. */
    add(&f, 40, 60, 1)->scope = inner;
    add_flat(&f, 100, 110)->scope = other;
    work_out(&f);
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
    struct fixture f = {0};
    add_flat(&f, 5, 5);
    add_flat(&f, 3, 3);
    work_out(&f);
    expect_totals(&f, 0, 2, 0);
}

/* Positions of another clock compare with nothing; their durations are still durations. */
static void test_another_epoch(void **state)
{
    (void)state;
    struct fixture f = {0};
    f.frame.clock_epoch = 3;
    uint32_t scope = add_scope(&f, PASSTIME_NONE);
    add_flat(&f, 10, 20)->clock_epoch = 3;
    passtime_sample *other = add_flat(&f, 900000, 900040);
    other->clock_epoch = 2;
    other->scope = scope;
    work_out(&f);
    expect_totals(&f, 10, 10, 50);
    expect_sample(&f, 1, 40, 0, false);
    assert_int_equal(f.scopes[scope].busy_ns, 0);
    assert_false(f.scopes[scope].complete);
}

static void test_cpu_time_is_no_gpu_time(void **state)
{
    (void)state;
    struct fixture f = {0};
    uint32_t scope = add_scope(&f, PASSTIME_NONE);
    passtime_sample *s = add_flat(&f, 0, 50);
    s->source = PASSTIME_CPU_RECORD;
    s->scope = scope;
    add(&f, 10, 20, 0)->source = PASSTIME_CPU_RECORD;
    add_flat(&f, 0, 500)->source = PASSTIME_CPU_COMPLETE;
    work_out(&f);
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
    struct fixture f = {0};
    uint32_t scope = add_scope(&f, PASSTIME_NONE);
    uint32_t inner = add_scope(&f, scope);
    add_elapsed(&f, 100, PASSTIME_NONE)->scope = scope;
    add_elapsed(&f, 30, 0)->scope = inner;
    add_elapsed(&f, 7, PASSTIME_NONE);
    work_out(&f);
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
    struct fixture f = {0};
    uint32_t outer = add_scope(&f, PASSTIME_NONE);
    uint32_t inner = add_scope(&f, outer);
    uint32_t other = add_scope(&f, PASSTIME_NONE);
    work_out(&f);
    passtime_frame_spoil_scope(f.scopes, PASSTIME_NONE);
    assert_true(f.scopes[inner].complete);
    passtime_frame_spoil_scope(f.scopes, inner);
    assert_false(f.scopes[outer].complete);
    assert_false(f.scopes[inner].complete);
    assert_true(f.scopes[other].complete);
}

/* The definitions, taken literally, one instant at a time. */

enum { INSTANTS = 64 };

static bool is_counted(const struct fixture *f, uint32_t i)
{
    const passtime_sample *s = &f->samples[i];
    return passtime_is_good(s->verdict) && s->source == PASSTIME_GPU_STAMPS &&
           s->clock_epoch == f->frame.clock_epoch;
}

static bool runs(const struct fixture *f, uint32_t i, uint64_t instant)
{
    return is_counted(f, i) && f->samples[i].begin_ns <= instant && instant < f->samples[i].end_ns;
}

static uint32_t good_ancestor(const struct fixture *f, uint32_t i)
{
    uint32_t at = f->samples[i].parent;
    while (at != PASSTIME_NONE && !passtime_is_good(f->samples[at].verdict))
        at = f->samples[at].parent;
    return at;
}

static uint32_t outermost(const struct fixture *f, uint32_t i, uint32_t *depth)
{
    *depth = 0;
    for (uint32_t up = good_ancestor(f, i); up != PASSTIME_NONE; up = good_ancestor(f, i)) {
        if (!is_counted(f, up) || f->samples[up].queue != f->samples[i].queue)
            break;
        i = up;
        ++*depth;
    }
    return i;
}

/* Which of two samples comes first by begin, then by order of recording. */
static bool is_first(const struct fixture *f, uint32_t a, uint32_t b)
{
    uint64_t begin_a = f->samples[a].begin_ns;
    uint64_t begin_b = f->samples[b].begin_ns;
    return begin_a < begin_b || (begin_a == begin_b && a < b);
}

static bool beats(const struct fixture *f, uint32_t a, uint32_t b)
{
    uint32_t depth_a;
    uint32_t depth_b;
    uint32_t root_a = outermost(f, a, &depth_a);
    uint32_t root_b = outermost(f, b, &depth_b);
    if (root_a != root_b)
        return is_first(f, root_a, root_b);
    return depth_a > depth_b || (depth_a == depth_b && is_first(f, a, b));
}

static uint32_t owner(const struct fixture *f, uint32_t queue, uint64_t instant)
{
    uint32_t best = PASSTIME_NONE;
    for (uint32_t i = 0; i < f->frame.sample_count; i++) {
        if (f->samples[i].queue == queue && runs(f, i, instant) &&
            (best == PASSTIME_NONE || beats(f, i, best)))
            best = i;
    }
    return best;
}

static bool is_in_scope(const struct fixture *f, uint32_t i, uint32_t scope)
{
    uint32_t at = f->samples[i].scope;
    while (at != PASSTIME_NONE && at != scope)
        at = f->scopes[at].parent;
    return at == scope;
}

static void check_shares(const struct fixture *f)
{
    uint64_t expected[MAX_SAMPLES] = {0};
    for (uint32_t queue = 0; queue < 3; queue++) {
        for (uint64_t instant = 0; instant < INSTANTS; instant++) {
            uint32_t i = owner(f, queue, instant);
            if (i != PASSTIME_NONE)
                expected[i]++;
        }
    }
    for (uint32_t i = 0; i < f->frame.sample_count; i++)
        assert_int_equal(f->samples[i].attributed_ns, expected[i]);
}

static uint64_t instants_busy(const struct fixture *f, uint32_t scope)
{
    uint64_t busy = 0;
    for (uint64_t instant = 0; instant < INSTANTS; instant++) {
        bool any = false;
        for (uint32_t i = 0; i < f->frame.sample_count; i++)
            any = any ||
                  (runs(f, i, instant) && (scope == PASSTIME_NONE || is_in_scope(f, i, scope)));
        busy += any;
    }
    return busy;
}

static void check_frame(const struct fixture *f)
{
    uint64_t sum = 0;
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    for (uint32_t i = 0; i < f->frame.sample_count; i++) {
        const passtime_sample *s = &f->samples[i];
        int64_t exclusive = passtime_is_good(s->verdict) ? (int64_t)s->duration_ns : 0;
        for (uint32_t j = 0; j < f->frame.sample_count; j++) {
            if (passtime_is_good(f->samples[j].verdict) && good_ancestor(f, j) == i &&
                passtime_is_gpu_time(f->samples[j].source) == passtime_is_gpu_time(s->source))
                exclusive -= (int64_t)f->samples[j].duration_ns;
        }
        exclusive = exclusive < 0 ? 0 : exclusive;
        assert_int_equal(s->exclusive_ns, exclusive);
        if (passtime_is_good(s->verdict) && passtime_is_gpu_time(s->source))
            sum += (uint64_t)exclusive;
        if (is_counted(f, i)) {
            first = s->begin_ns < first ? s->begin_ns : first;
            last = s->end_ns > last ? s->end_ns : last;
        }
    }
    assert_int_equal(f->frame.sum_ns, sum);
    assert_int_equal(f->frame.has_span, first != UINT64_MAX);
    assert_int_equal(f->frame.span_ns, first != UINT64_MAX ? last - first : 0);
    assert_int_equal(f->frame.busy_ns, instants_busy(f, PASSTIME_NONE));
    assert_true(f->frame.busy_ns <= f->frame.span_ns);
}

static void check_scopes(const struct fixture *f)
{
    for (uint32_t scope = 0; scope < f->frame.scope_count; scope++) {
        uint32_t count = 0;
        bool complete = true;
        for (uint32_t i = 0; i < f->frame.sample_count; i++) {
            bool in = is_in_scope(f, i, scope);
            count += in;
            complete = complete && (!in || is_counted(f, i));
        }
        assert_int_equal(f->scopes[scope].sample_count, count);
        assert_int_equal(f->scopes[scope].complete, complete);
        assert_int_equal(f->scopes[scope].busy_ns, instants_busy(f, scope));
    }
}

/* A pass whose share is short for another reason than the passes in it says so, and no other does.
 */
static void check_overlaps_of_flat_frame(const struct fixture *f)
{
    for (uint32_t i = 0; i < f->frame.sample_count; i++) {
        const passtime_sample *s = &f->samples[i];
        bool expected = is_counted(f, i) && s->attributed_ns + 1 < s->duration_ns;
        assert_int_equal((s->flags & PASSTIME_FLAG_OVERLAPS) != 0, expected);
    }
}

struct plan {
    uint32_t nests;    /* of 16 passes so many lie in another */
    uint32_t contains; /* of 16 of those so many within its interval */
    uint32_t rejects;  /* of 16 so many are rejected or of another kind */
    uint32_t queues;
    bool in_sequence;
};

static uint32_t pick(uint32_t *random, uint32_t below)
{
    *random = *random * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)*random * below) >> 32);
}

static void spoil(struct fixture *f, passtime_sample *s, uint32_t *random)
{
    uint32_t how = pick(random, 4);
    if (how == 0)
        s->clock_epoch = f->frame.clock_epoch + 1;
    else if (how == 1)
        s->source = PASSTIME_CPU_RECORD;
    else
        s->verdict = PASSTIME_STALE;
}

static void random_pass(struct fixture *f, const struct plan *plan, uint32_t *random)
{
    uint32_t i = f->frame.sample_count;
    uint64_t low = 0;
    uint64_t high = INSTANTS;
    uint32_t parent = PASSTIME_NONE;
    if (i > 0 && pick(random, 16) < plan->nests) {
        parent = pick(random, i);
        if (pick(random, 16) < plan->contains) {
            low = f->samples[parent].begin_ns;
            high = f->samples[parent].end_ns;
        }
    } else if (plan->in_sequence && i > 0) {
        low = f->samples[i - 1].end_ns;
    }
    uint64_t begin = low + pick(random, (uint32_t)(high - low) + 1);
    uint64_t end = begin + pick(random, (uint32_t)(high - begin) / (plan->in_sequence ? 4 : 1) + 1);
    passtime_sample *s = add(f, begin, end, parent);
    s->queue = parent != PASSTIME_NONE && pick(random, 16) != 0 ? f->samples[parent].queue
                                                                : pick(random, plan->queues);
    s->scope =
        f->frame.scope_count > 0 ? pick(random, f->frame.scope_count + 1) - 1 : PASSTIME_NONE;
    s->clock_epoch = f->frame.clock_epoch;
    if (pick(random, 16) < plan->rejects)
        spoil(f, s, random);
}

static void random_frame(struct fixture *f, const struct plan *plan, uint32_t *random)
{
    memset(f, 0, sizeof *f);
    f->frame.clock_epoch = pick(random, 3);
    uint32_t scopes = pick(random, MAX_SCOPES + 1);
    for (uint32_t i = 0; i < scopes; i++)
        add_scope(f, pick(random, i + 1) - 1); /* PASSTIME_NONE or one before */
    uint32_t count = pick(random, plan->in_sequence ? 12 : MAX_SAMPLES / 2) + 1;
    while (f->frame.sample_count < count)
        random_pass(f, plan, random);
}

static void test_random_frames(void **state)
{
    (void)state;
    const struct plan plans[] = {
        {0, 0, 0, 1, true},   {0, 0, 1, 1, true},    {0, 0, 0, 1, false},  {0, 0, 3, 3, false},
        {8, 16, 0, 1, false}, {12, 16, 3, 2, false}, {12, 8, 3, 3, false}, {8, 16, 0, 1, true},
    };
    uint32_t random = 99;
    for (uint32_t round = 0; round < 24000; round++) {
        struct fixture f;
        const struct plan *plan = &plans[round % (sizeof plans / sizeof plans[0])];
        random_frame(&f, plan, &random);
        work_out(&f);
        if (f.frame.flags & PASSTIME_FLAG_SERIAL_SUM)
            fail();
        check_frame(&f);
        check_shares(&f);
        check_scopes(&f);
        if (plan->nests == 0)
            check_overlaps_of_flat_frame(&f);
    }
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
        cmocka_unit_test(test_random_frames),
        cmocka_unit_test(test_largest_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
