/* SPDX-License-Identifier: MIT */
/*
 * Threads, as engines use them: many recorders of one frame, frames pipelined between a recording
 * and a submitting thread, and observers beside them (case BR-40). The thread sanitizer watches the
 * same runs.
 */
#include "unit/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 8, SCOPES = 125, FRAMES = 8, SLOTS = WORKERS * SCOPES };
enum { STRIDE_NS = 2000 };

/* Who recorded a pass stands in its duration. */
static uint64_t length_of(uint32_t worker, uint32_t scope)
{
    return worker * SCOPES + scope + 1u;
}

static void record_scopes(struct worker *w, passtime_recorder *rec)
{
    struct stage *s = w->stage;
    char scope[32];
    char pass[32];
    (void)snprintf(pass, sizeof(pass), "worker %u", w->number);
    for (uint32_t i = 0; i < SCOPES; i++) {
        (void)snprintf(scope, sizeof(scope), "job %u", i);
        passtime_scope_begin(rec, scope);
        uint32_t pair = passtime_feed_pass(rec, pass);
        passtime_scope_end(rec);
        stage_expect(s, pair < SLOTS);
        if (pair < SLOTS) {
            stage_expect(s, atomic_exchange(&s->taken[pair], w->number + 1) == 0);
            uint64_t begin = atomic_load(&s->now_ns) + GPU_AHEAD_NS + (uint64_t)pair * STRIDE_NS;
            s->ticks[2 * pair] = begin;
            s->ticks[2 * pair + 1] = begin + length_of(w->number, i);
        }
    }
}

static void *work(void *user)
{
    struct worker *w = user;
    for (uint32_t f = 0; f < FRAMES; f++) {
        pthread_barrier_wait(&w->stage->barrier); /* the frame is begun */
        passtime_recorder *rec = passtime_recorder_begin(w->stage->t, w->stage->frame);
        stage_expect(w->stage, rec != NULL);
        record_scopes(w, rec);
        passtime_submitted(rec);
        pthread_barrier_wait(&w->stage->barrier); /* all are done */
    }
    return NULL;
}

/* Each sample bears the name of who recorded it and stands in the scope it was recorded in. */
static void check_shared_frame(struct stage *s)
{
    const passtime_frame *frame = NULL;
    bool seen[SLOTS] = {false};
    assert_int_equal(passtime_next(s->t, &frame), PASSTIME_OK);
    assert_int_equal(frame->number, s->frame);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->sample_count, SLOTS);
    assert_int_equal(frame->scope_count, SLOTS);
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        uint32_t who = (uint32_t)(sample->duration_ns - 1);
        char name[32];
        assert_true(who < SLOTS);
        assert_false(seen[who]);
        seen[who] = true;
        (void)snprintf(name, sizeof(name), "worker %u", who / SCOPES);
        assert_string_equal(sample->name, name);
        (void)snprintf(name, sizeof(name), "job %u", who % SCOPES);
        assert_true(sample->scope < frame->scope_count);
        assert_string_equal(frame->scopes[sample->scope].name, name);
        assert_int_equal(frame->scopes[sample->scope].sample_count, 1);
        assert_int_equal(frame->scopes[sample->scope].busy_ns, sample->duration_ns);
    }
}

static void run_shared_frame(struct stage *s)
{
    s->frame++;
    for (uint32_t i = 0; i < SLOTS; i++) {
        atomic_store(&s->taken[i], 0);
    }
    passtime_recorder *rec = passtime_frame_begin(s->t, s->frame);
    assert_non_null(rec);
    pthread_barrier_wait(&s->barrier);
    passtime_submitted(rec);
    pthread_barrier_wait(&s->barrier);
    assert_int_equal(passtime_frame_end(s->t, s->frame), PASSTIME_OK);
    atomic_fetch_add(&s->now_ns, 2 * (uint64_t)SLOTS * STRIDE_NS);
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.ticks = s->ticks;
    results.tick_count = 2 * SLOTS;
    assert_int_equal(passtime_feed_results_ready(s->t, s->frame, &results), PASSTIME_OK);
    check_shared_frame(s);
}

/* BR-40: eight threads, a thousand scopes each on recorders of their own: 8,000 results, none
 * twice. */
static void many_recorders_of_one_frame(void **state)
{
    (void)state;
    struct stage s;
    passtime_desc desc = stage_desc(&s);
    desc.max_passes = SLOTS;
    desc.max_scopes = SLOTS;
    desc.max_recorders = WORKERS + 1;
    desc.max_names = 4 * SLOTS;
    assert_int_equal(passtime_create_feed(NULL, &desc, &s.t), PASSTIME_OK);
    s.ticks = calloc(2 * SLOTS, sizeof(*s.ticks));
    s.taken = calloc(SLOTS, sizeof(*s.taken));
    assert_int_equal(pthread_barrier_init(&s.barrier, NULL, WORKERS + 1), 0);
    pthread_t threads[WORKERS];
    struct worker workers[WORKERS];
    for (uint32_t i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){&s, i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (uint32_t f = 0; f < FRAMES; f++) {
        run_shared_frame(&s);
    }
    for (uint32_t i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(s.wrong, 0);
    passtime_ledger ledger;
    assert_int_equal(passtime_get_ledger(s.t, &ledger), PASSTIME_OK);
    assert_int_equal(ledger.verdicts[PASSTIME_GOOD], FRAMES * SLOTS);
    assert_int_equal(ledger.misuses, 0);
    stage_check_ledger(s.t);
    passtime_destroy(&s.t);
    pthread_barrier_destroy(&s.barrier);
    free(s.taken);
    free(s.ticks);
}

/* Frames on their way from the recording thread to the submitting one. */
enum { PIPE = 3, PIPED_FRAMES = 3000, PIPED_PASSES = 6 };

struct piped {
    uint64_t number;
    passtime_recorder *rec;
    passtime_recorder *other;
    uint64_t at_ns;
    uint32_t pairs[PIPED_PASSES];
};

struct pipeline {
    struct stage stage;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct piped items[PIPE];
    uint32_t first;
    uint32_t count;
    atomic_bool done; /* no frame follows */
    atomic_bool all;  /* and all of them have ended */
    uint64_t begun;
    uint64_t skipped;
    uint64_t judged;
    bool seen[PIPED_FRAMES + 1]; /* by number: it was judged */
    bool disturb;                /* the observer also turns knobs */
};

static void pipe_put(struct pipeline *p, const struct piped *item)
{
    pthread_mutex_lock(&p->lock);
    while (p->count == PIPE) {
        pthread_cond_wait(&p->changed, &p->lock);
    }
    p->items[(p->first + p->count++) % PIPE] = *item;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static bool pipe_take(struct pipeline *p, struct piped *item)
{
    pthread_mutex_lock(&p->lock);
    while (p->count == 0 && !atomic_load(&p->done)) {
        pthread_cond_wait(&p->changed, &p->lock);
    }
    bool there = p->count > 0;
    if (there) {
        *item = p->items[p->first];
        p->first = (p->first + 1) % PIPE;
        p->count--;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return there;
}

/* Records frame N + 1 while N is being submitted elsewhere; half the passes on a
 * second recorder. */
static void *record_frames(void *user)
{
    struct pipeline *p = user;
    passtime *t = p->stage.t;
    for (uint64_t n = 1; n <= PIPED_FRAMES; n++) {
        struct piped item = {.number = n, .rec = passtime_frame_begin(t, n)};
        p->begun++;
        p->skipped += item.rec == NULL;
        item.other = passtime_recorder_begin(t, n);
        stage_expect(&p->stage, (item.rec == NULL) == (item.other == NULL));
        item.at_ns = atomic_fetch_add(&p->stage.now_ns, 100000);
        for (uint32_t i = 0; i < PIPED_PASSES; i++) {
            item.pairs[i] =
                passtime_feed_pass(i % 2 == 0 ? item.rec : item.other, i % 2 == 0 ? "even" : "odd");
            stage_expect(&p->stage, (item.pairs[i] == PASSTIME_NONE) == (item.rec == NULL));
        }
        pipe_put(p, &item);
    }
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->done, true);
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Submits and ends frames, and brings back what a GPU would: pass i takes 10 i + (number
 * modulo 7). */
static void *submit_frames(void *user)
{
    struct pipeline *p = user;
    struct piped item;
    while (pipe_take(p, &item)) {
        passtime_submitted(item.other);
        passtime_submitted(item.rec);
        passtime_result ended = passtime_frame_end(p->stage.t, item.number);
        stage_expect(&p->stage, ended == (item.rec != NULL ? PASSTIME_OK : PASSTIME_EMPTY));
        if (item.rec == NULL) {
            continue;
        }
        uint64_t ticks[2 * PIPED_PASSES] = {0};
        for (uint32_t i = 0; i < PIPED_PASSES; i++) {
            uint64_t begin = item.at_ns + GPU_AHEAD_NS + 1000u * i;
            ticks[2 * item.pairs[i]] = begin;
            ticks[2 * item.pairs[i] + 1] = begin + 10u * i + item.number % 7;
        }
        passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
        results.ticks = ticks;
        results.tick_count = 2 * PIPED_PASSES;
        results.seen_ns = item.at_ns + 50000;
        /* Where another thread holds the results, frame_end leaves the resolve to
         * whoever collects. */
        while (passtime_feed_results_ready(p->stage.t, item.number, &results) != PASSTIME_OK) {
            passtime_collect(p->stage.t);
            sched_yield();
        }
    }
    atomic_store(&p->all, true);
    return NULL;
}

static void check_piped(struct pipeline *p, const passtime_frame *frame)
{
    p->judged++;
    stage_expect(&p->stage, frame->number <= PIPED_FRAMES && !p->seen[frame->number]);
    p->seen[frame->number] = true;
    stage_expect(&p->stage,
                 frame->fate == PASSTIME_FRAME_COMPLETE && frame->sample_count == PIPED_PASSES);
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *s = &frame->samples[i];
        stage_expect(&p->stage, s->duration_ns == 10u * i + frame->number % 7);
        stage_expect(&p->stage, strcmp(s->name, i % 2 == 0 ? "even" : "odd") == 0);
    }
}

static void *take_frames(void *user)
{
    struct pipeline *p = user;
    const passtime_frame *frame = NULL;
    for (;;) {
        bool all = atomic_load(&p->all);
        passtime_result result = passtime_next(p->stage.t, &frame);
        if (result == PASSTIME_OK) {
            check_piped(p, frame);
        } else if (all && result == PASSTIME_EMPTY) {
            return NULL;
        } else {
            sched_yield();
        }
    }
}

static void look(struct pipeline *p)
{
    passtime *t = p->stage.t;
    passtime_series_info info;
    passtime_stats stats;
    passtime_ledger ledger;
    passtime_clock_info clock;
    for (uint32_t i = 0; i < passtime_series_count(t); i++) {
        passtime_result result = passtime_series(t, i, &info);
        stage_expect(&p->stage, result == PASSTIME_OK || result == PASSTIME_INVALID);
        stage_expect(&p->stage, result != PASSTIME_OK || info.stats.max_ns <= 56);
    }
    stage_expect(&p->stage, passtime_frame_stats(t, PASSTIME_TOTAL_BUSY, &stats) == PASSTIME_OK);
    stage_expect(&p->stage, passtime_get_ledger(t, &ledger) == PASSTIME_OK);
    stage_expect(&p->stage,
                 ledger.verdicts[PASSTIME_GOOD] + ledger.verdicts[PASSTIME_BELOW_RESOLUTION] <=
                     ledger.passes_recorded);
    stage_expect(&p->stage, passtime_get_clock(t, &clock) == PASSTIME_OK);
    passtime_collect(t);
}

static void *observe(void *user)
{
    struct pipeline *p = user;
    for (uint32_t n = 0; !atomic_load(&p->all); n++) {
        look(p);
        if (p->disturb) {
            passtime_enable(p->stage.t, n % 3 != 0);
            passtime_set_every(p->stage.t, n % 4);
            passtime_set_budget(p->stage.t, n % 100);
            if (n % 5 == 0) {
                passtime_reset_stats(p->stage.t);
            }
        }
        sched_yield();
    }
    return NULL;
}

static void run_pipeline(bool disturb)
{
    struct pipeline p = {.disturb = disturb};
    passtime_desc desc = stage_desc(&p.stage);
    desc.max_passes = PIPED_PASSES;
    desc.frames_in_flight = 6;
    desc.output_frames = 64;
    assert_int_equal(passtime_create_feed(NULL, &desc, &p.stage.t), PASSTIME_OK);
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    void *(*const roles[])(void *) = {record_frames, submit_frames, take_frames, observe};
    pthread_t threads[4];
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, roles[i], &p), 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    passtime_ledger ledger;
    assert_int_equal(passtime_get_ledger(p.stage.t, &ledger), PASSTIME_OK);
    assert_int_equal(p.stage.wrong, 0);
    assert_int_equal(ledger.frames_in_flight, 0);
    assert_int_equal(ledger.misuses, 0);
    assert_int_equal(p.begun, PIPED_FRAMES);
    assert_true(p.judged > 0);
    if (!disturb) {
        assert_int_equal(ledger.fates[PASSTIME_FRAME_SKIPPED_FULL], p.skipped);
        assert_int_equal(p.judged + ledger.frames_not_taken, PIPED_FRAMES - p.skipped);
    }
    stage_check_ledger(p.stage.t); /* Also where the statistics were reset meanwhile. */
    passtime_destroy(&p.stage.t);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
}

/* Frame N + 1 is recorded while N is submitted by a second thread, taken by a third, and watched by
 * a fourth: every frame that was timed comes back once, with its own figures. */
static void frames_are_pipelined(void **state)
{
    (void)state;
    run_pipeline(false);
}

/* The same while the fourth turns every knob. */
static void knobs_are_turned_meanwhile(void **state)
{
    (void)state;
    run_pipeline(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_recorders_of_one_frame),
        cmocka_unit_test(frames_are_pipelined),
        cmocka_unit_test(knobs_are_turned_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
