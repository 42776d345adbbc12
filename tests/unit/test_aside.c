/* SPDX-License-Identifier: MIT */
/*
 * A recorder that is alone puts slots aside for its next passes. Nobody may notice: not when it
 * ends with some of them unused, not when another recorder takes slots behind them, not at the last
 * slot.
 */
#define _POSIX_C_SOURCE 200809L /* threads */

#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>

enum { MS = 1000000, STEP_NS = 1000, PASSES = 160, RECORDERS = 4 };

/* Passes of 0 to 45 in frames with room for 1 to 40: what has room is timed, the rest is counted.
 */
static void alone_up_to_the_last_slot(void **state)
{
    (void)state;
    static struct rig rig;
    for (uint32_t room = 1; room <= 40; room++) {
        rig_init(&rig);
        rig.desc.max_passes = room;
        rig_open(&rig);
        uint64_t recorded = 0;
        for (uint32_t count = 0; count <= 45; count++) {
            passtime_recorder *rec = rig_begin(&rig);
            uint64_t at = rig.now_ns + MS;
            for (uint32_t i = 0; i < count; i++) {
                assert_int_equal(rig_ledger(&rig).passes_in_flight, i);
                rig_pass(&rig, rec, "a", at + i * STEP_NS, at + i * STEP_NS + i + 1);
            }
            recorded += count;
            assert_int_equal(rig_ledger(&rig).passes_recorded, recorded);
            rig_finish(&rig, rec, 8 * MS);
            const passtime_frame *frame = rig_next(&rig);
            uint32_t timed = count < room ? count : room;
            assert_int_equal(frame->sample_count, timed);
            assert_int_equal(frame->passes_without_slot, count - timed);
            for (uint32_t i = 0; i < timed; i++) {
                assert_int_equal(frame->samples[i].duration_ns, i + 1);
            }
        }
        rig_check_ledger(&rig);
        rig_close(&rig);
    }
}

/* A second recorder comes once slots were put aside for the first: nothing shows of those left
 * over. */
static void another_comes_later(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig_open(&rig);
    passtime_recorder *a = rig_begin(&rig);
    uint64_t at = rig.now_ns + MS;
    rig_pass(&rig, a, "a", at, at + 10);
    passtime_recorder *b = passtime_recorder_begin(rig.t, 0);
    passtime_scope_begin(b, "scope");
    uint32_t before = rig.pairs;
    rig_pass(&rig, b, "b", at + 100, at + 120);
    assert_true(rig.pairs > before + 1); /* Else this tests nothing. */
    uint32_t outer = rig.pairs;
    passtime_begin(b, "outer");
    rig_pass(&rig, b, "inner", at + 300, at + 340);
    passtime_end(b);
    rig.ticks[2 * outer] = at + 200;
    rig.ticks[2 * outer + 1] = at + 400;
    passtime_scope_end(b);
    uint32_t pairs = rig.pairs;
    rig_pass(&rig, a, "a", at + 500, at + 550);
    rig.pairs = pairs;
    assert_int_equal(rig_ledger(&rig).passes_in_flight, 5);
    passtime_submitted(b);
    rig_finish(&rig, a, 8 * MS);
    const passtime_frame *frame = rig_next(&rig);
    static const char *const names[] = {"a", "a", "b", "outer", "inner"};
    static const uint64_t lengths[] = {10, 50, 20, 200, 40};
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->sample_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(frame->samples[i].name, names[i]);
        assert_int_equal(frame->samples[i].duration_ns, lengths[i]);
        assert_int_equal(frame->samples[i].scope, i < 2 ? PASSTIME_NONE : 0);
        assert_int_equal(frame->samples[i].parent, i == 4 ? 3 : PASSTIME_NONE);
    }
    assert_int_equal(frame->scopes[0].sample_count, 3);
    assert_true(frame->scopes[0].complete);
    assert_int_equal(frame->scopes[0].busy_ns, 220);
    assert_int_equal(frame->busy_ns, 280);
    assert_int_equal(frame->span_ns, 550);
    assert_int_equal(rig_series(&rig, "scope/outer/inner").stats.count, 1);
    rig_check_ledger(&rig);
    assert_int_equal(rig_ledger(&rig).passes_recorded, 5);
    rig_close(&rig);
}

/* The same where the first is discarded, or nothing comes back. */
static void leftovers_of_what_fails(void **state)
{
    (void)state;
    for (uint32_t how = 0; how < 3; how++) {
        struct rig rig;
        rig_init(&rig);
        rig_open(&rig);
        passtime_recorder *a = rig_begin(&rig);
        uint64_t at = rig.now_ns + MS;
        rig_pass(&rig, a, "a", at, at + 10);
        passtime_recorder *b = passtime_recorder_begin(rig.t, 0);
        rig_pass(&rig, b, "b", at + 100, at + 120);
        if (how == 0) {
            passtime_discarded(a);
        } else {
            passtime_submitted(a);
        }
        passtime_submitted(b);
        passtime_frame_end(rig.t, 0);
        rig.now_ns += 8 * MS;
        if (how == 2) {
            rig.now_ns += 11000ull * MS;
        } else {
            rig_results(&rig, 0, how == 0 ? PASSTIME_FEED_OK : PASSTIME_FEED_MAP_FAILED);
        }
        const passtime_frame *frame = rig_next(&rig);
        static const passtime_verdict first[] = {PASSTIME_DISCARDED, PASSTIME_MAP_FAILED,
                                                 PASSTIME_TIMED_OUT};
        static const passtime_verdict second[] = {PASSTIME_GOOD, PASSTIME_MAP_FAILED,
                                                  PASSTIME_TIMED_OUT};
        assert_int_equal(frame->sample_count, 2);
        assert_int_equal(frame->samples[0].verdict, first[how]);
        assert_int_equal(frame->samples[1].verdict, second[how]);
        assert_int_equal(frame->fate,
                         how == 0 ? PASSTIME_FRAME_INCOMPLETE : PASSTIME_FRAME_NO_DATA);
        rig_check_ledger(&rig);
        assert_int_equal(rig_ledger(&rig).passes_recorded, 2);
        rig_close(&rig);
    }
}

struct world {
    struct rig rig;
    uint64_t random;
    passtime_recorder *recs[RECORDERS];
    uint32_t recorder_of[PASSES]; /* by pair */
    uint32_t passes;
    uint32_t refused;
};

static uint32_t draw(struct world *w, uint32_t below)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (uint32_t)(w->random % below);
}

static void record_pass(struct world *w, uint32_t r)
{
    static const char *const names[] = {"r0", "r1", "r2", "r3"};
    uint32_t pair = passtime_feed_pass(w->recs[r], names[r]);
    w->passes++;
    if (pair == PASSTIME_NONE) {
        w->refused++;
        return;
    }
    assert_true(pair < PASSES);
    assert_int_equal(w->recorder_of[pair], PASSTIME_NONE); /* Nobody else has it. */
    w->recorder_of[pair] = r;
    w->rig.ticks[2 * pair] = w->rig.now_ns + pair * (uint64_t)STEP_NS;
    w->rig.ticks[2 * pair + 1] = w->rig.ticks[2 * pair] + pair + 1;
    w->rig.pairs = pair + 1 > w->rig.pairs ? pair + 1 : w->rig.pairs;
}

/* Recorders begin, record and end in any order. */
static void random_frame(struct world *w)
{
    passtime_recorder *first = rig_begin(&w->rig);
    memset(w->recs, 0, sizeof(w->recs));
    memset(w->recorder_of, 0xFF, sizeof(w->recorder_of));
    w->passes = w->refused = 0;
    w->recs[0] = first;
    bool ended[RECORDERS] = {false};
    for (uint32_t step = 0, steps = draw(w, 120); step < steps; step++) {
        uint32_t r = draw(w, RECORDERS);
        if (w->recs[r] == NULL && draw(w, 20) == 0) {
            w->recs[r] = passtime_recorder_begin(w->rig.t, w->rig.frame - 1);
        } else if (w->recs[r] != NULL && !ended[r] && draw(w, 30) == 0) {
            passtime_submitted(w->recs[r]);
            ended[r] = true;
        } else if (w->recs[r] != NULL && !ended[r]) {
            record_pass(w, r);
        }
        assert_int_equal(rig_ledger(&w->rig).passes_in_flight, w->passes);
    }
    for (uint32_t r = 0; r < RECORDERS; r++) {
        if (w->recs[r] != NULL && !ended[r]) {
            passtime_submitted(w->recs[r]);
        }
    }
    passtime_frame_end(w->rig.t, w->rig.frame - 1);
    w->rig.now_ns += 8 * MS;
    if (w->rig.pairs > 0) {
        rig_results(&w->rig, w->rig.frame - 1, PASSTIME_FEED_OK);
    }
}

static void check_random_frame(struct world *w)
{
    const passtime_frame *frame = rig_next(&w->rig);
    assert_int_equal(frame->sample_count + frame->passes_without_slot, w->passes);
    assert_int_equal(frame->passes_without_slot, w->refused);
    uint64_t last = 0;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *s = &frame->samples[i];
        uint32_t pair = (uint32_t)s->duration_ns - 1;
        assert_int_equal(s->verdict, PASSTIME_GOOD);
        assert_true(s->duration_ns > last && pair < PASSES);
        last = s->duration_ns;
        assert_int_equal(s->name[1] - '0', w->recorder_of[pair]);
    }
    rig_check_ledger(&w->rig);
}

static void any_order_of_recorders(void **state)
{
    (void)state;
    static struct world w;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        w.random = seed * 0x9E3779B97F4A7C15u;
        rig_init(&w.rig);
        w.rig.desc.max_passes = 1 + draw(&w, PASSES);
        rig_open(&w.rig);
        for (uint32_t i = 0; i < 3; i++) {
            random_frame(&w);
            check_random_frame(&w);
        }
        rig_close(&w.rig);
    }
}

struct other {
    passtime *t;
    pthread_barrier_t start;
    uint32_t pairs[8];
};

static void *record_beside(void *user)
{
    struct other *o = user;
    pthread_barrier_wait(&o->start);
    passtime_recorder *rec = passtime_recorder_begin(o->t, 0);
    for (uint32_t i = 0; i < 8; i++) {
        o->pairs[i] = passtime_feed_pass(rec, "beside");
    }
    passtime_submitted(rec);
    return NULL;
}

/* The second comes on another thread just while the first puts slots aside. */
static void another_comes_meanwhile(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 200; round++) {
        struct rig rig;
        rig_init(&rig);
        rig.desc.max_passes = 40;
        rig.desc.log = NULL;
        rig_open(&rig);
        struct other o = {.t = rig.t};
        passtime_recorder *rec = rig_begin(&rig);
        pthread_t thread;
        assert_int_equal(pthread_barrier_init(&o.start, NULL, 2), 0);
        assert_int_equal(pthread_create(&thread, NULL, record_beside, &o), 0);
        pthread_barrier_wait(&o.start);
        uint64_t at = rig.now_ns + MS;
        for (uint32_t i = 0; i < 8; i++) {
            rig_pass(&rig, rec, "first", at + i * STEP_NS, at + i * STEP_NS + 1 + i);
        }
        (void)rig_ledger(&rig);
        pthread_join(thread, NULL);
        for (uint32_t i = 0; i < 8; i++) {
            assert_true(o.pairs[i] < 40);
            rig.ticks[2 * o.pairs[i]] = at + (8 + i) * STEP_NS;
            rig.ticks[2 * o.pairs[i] + 1] = at + (8 + i) * STEP_NS + 101 + i;
            rig.pairs = o.pairs[i] + 1 > rig.pairs ? o.pairs[i] + 1 : rig.pairs;
        }
        rig_finish(&rig, rec, 8 * MS);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->sample_count, 16);
        for (uint32_t i = 0; i < 16; i++) {
            const passtime_sample *s = &frame->samples[i];
            assert_string_equal(s->name, s->duration_ns > 100 ? "beside" : "first");
        }
        assert_int_equal(frame->sum_ns, 36 + 836);
        rig_check_ledger(&rig);
        pthread_barrier_destroy(&o.start);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_up_to_the_last_slot), cmocka_unit_test(another_comes_later),
        cmocka_unit_test(leftovers_of_what_fails),   cmocka_unit_test(any_order_of_recorders),
        cmocka_unit_test(another_comes_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
