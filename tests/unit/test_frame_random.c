/* SPDX-License-Identifier: MIT */
/* Frame totals of random frames, against their definitions counted instant by instant. */
#include "unit/frame_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* The definitions, taken literally, one instant at a time. */

enum { INSTANTS = 64 };

static bool is_counted(const struct frame_rig *f, uint32_t i)
{
    const passtime_sample *s = &f->samples[i];
    return passtime_is_good(s->verdict) && s->source == PASSTIME_GPU_STAMPS &&
           s->clock_epoch == f->frame.clock_epoch;
}

static bool runs(const struct frame_rig *f, uint32_t i, uint64_t instant)
{
    return is_counted(f, i) && f->samples[i].begin_ns <= instant && instant < f->samples[i].end_ns;
}

static uint32_t good_ancestor(const struct frame_rig *f, uint32_t i)
{
    uint32_t at = f->samples[i].parent;
    while (at != PASSTIME_NONE && !passtime_is_good(f->samples[at].verdict))
        at = f->samples[at].parent;
    return at;
}

static uint32_t outermost(const struct frame_rig *f, uint32_t i, uint32_t *depth)
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
static bool is_first(const struct frame_rig *f, uint32_t a, uint32_t b)
{
    uint64_t begin_a = f->samples[a].begin_ns;
    uint64_t begin_b = f->samples[b].begin_ns;
    return begin_a < begin_b || (begin_a == begin_b && a < b);
}

static bool beats(const struct frame_rig *f, uint32_t a, uint32_t b)
{
    uint32_t depth_a;
    uint32_t depth_b;
    uint32_t root_a = outermost(f, a, &depth_a);
    uint32_t root_b = outermost(f, b, &depth_b);
    if (root_a != root_b)
        return is_first(f, root_a, root_b);
    return depth_a > depth_b || (depth_a == depth_b && is_first(f, a, b));
}

static uint32_t owner(const struct frame_rig *f, uint32_t queue, uint64_t instant)
{
    uint32_t best = PASSTIME_NONE;
    for (uint32_t i = 0; i < f->frame.sample_count; i++) {
        if (f->samples[i].queue == queue && runs(f, i, instant) &&
            (best == PASSTIME_NONE || beats(f, i, best)))
            best = i;
    }
    return best;
}

static bool is_in_scope(const struct frame_rig *f, uint32_t i, uint32_t scope)
{
    uint32_t at = f->samples[i].scope;
    while (at != PASSTIME_NONE && at != scope)
        at = f->scopes[at].parent;
    return at == scope;
}

static void check_shares(const struct frame_rig *f)
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

static uint64_t instants_busy(const struct frame_rig *f, uint32_t scope)
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

static void check_frame(const struct frame_rig *f)
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

static void check_scopes(const struct frame_rig *f)
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
static void check_overlaps_of_flat_frame(const struct frame_rig *f)
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

static void spoil(struct frame_rig *f, passtime_sample *s, uint32_t *random)
{
    uint32_t how = pick(random, 4);
    if (how == 0)
        s->clock_epoch = f->frame.clock_epoch + 1;
    else if (how == 1)
        s->source = PASSTIME_CPU_RECORD;
    else
        s->verdict = PASSTIME_STALE;
}

static void random_pass(struct frame_rig *f, const struct plan *plan, uint32_t *random)
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
    passtime_sample *s = frame_add(f, begin, end, parent);
    s->queue = parent != PASSTIME_NONE && pick(random, 16) != 0 ? f->samples[parent].queue
                                                                : pick(random, plan->queues);
    s->scope =
        f->frame.scope_count > 0 ? pick(random, f->frame.scope_count + 1) - 1 : PASSTIME_NONE;
    s->clock_epoch = f->frame.clock_epoch;
    if (pick(random, 16) < plan->rejects)
        spoil(f, s, random);
}

static void random_frame(struct frame_rig *f, const struct plan *plan, uint32_t *random)
{
    memset(f, 0, sizeof *f);
    f->frame.clock_epoch = pick(random, 3);
    uint32_t scopes = pick(random, MAX_SCOPES + 1);
    for (uint32_t i = 0; i < scopes; i++)
        frame_add_scope(f, pick(random, i + 1) - 1); /* PASSTIME_NONE or one before */
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
        struct frame_rig f;
        const struct plan *plan = &plans[round % (sizeof plans / sizeof plans[0])];
        random_frame(&f, plan, &random);
        frame_work_out(&f);
        if (f.frame.flags & PASSTIME_FLAG_SERIAL_SUM)
            fail();
        check_frame(&f);
        check_shares(&f);
        check_scopes(&f);
        if (plan->nests == 0)
            check_overlaps_of_flat_frame(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
