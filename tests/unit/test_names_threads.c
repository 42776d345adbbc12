/* SPDX-License-Identifier: MIT */
/*
 * Names under threads that follow the protocol of names.h: four record frames and look names up
 * without the lock, while a fifth enters, retires and gives back. No text may change under a frame
 * that is open. The thread sanitizer watches the same run for races.
 */
#include "core/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDERS = 4, FRAMES = 4000, PASSES = 12, PLACES = 96, LABEL_BYTES = 32 };

/* Frames that pass between two of one recorder, so that names grow old within the test. */
enum { STRIDE = 150 };

struct shared {
    pthread_mutex_t lock;
    struct passtime_names names;
    uint64_t newest;          /* the rest under the lock */
    uint64_t open[RECORDERS]; /* each recorder's frame; 0: none */
    uint64_t revived;         /* names that were retired while a frame used them */
};

struct recorder {
    struct shared *shared;
    uint32_t number;
    uint32_t wrong; /* a thread must not assert: cmocka would jump out of it */
    uint32_t placed;
};

struct pass {
    char label[LABEL_BYTES];
    passtime_id id;
};

static void advance(struct shared *s, uint64_t frames)
{
    s->newest += frames;
    (void)passtime_names_retire_old(&s->names, s->newest);
    uint64_t oldest = s->newest + 1;
    for (int i = 0; i < RECORDERS; i++) {
        if (s->open[i] != 0 && s->open[i] < oldest)
            oldest = s->open[i];
    }
    (void)passtime_names_reclaim(&s->names, oldest);
}

/* Labels slide along slowly and are shared by neighbours, so that some are entered by one thread
 * while another looks for them, and some are retired just as they are used again. */
static void label_pass(struct pass *pass, uint32_t number, uint32_t frame, uint32_t index)
{
    uint32_t which = frame / 64 + number / 2 + index * (frame % 8 == 0 ? 3 : 1);
    (void)snprintf(pass->label, LABEL_BYTES, "pass number %u", which);
}

static void name_pass(struct recorder *r, struct pass *pass, uint64_t seq)
{
    struct shared *s = r->shared;
    size_t n = strlen(pass->label);
    pass->id = passtime_names_find(&s->names, pass->label, n);
    if (pass->id == 0) {
        pthread_mutex_lock(&s->lock);
        pass->id = passtime_names_add(&s->names, pass->label, n, false, seq);
        pthread_mutex_unlock(&s->lock);
    }
}

static void check_pass(struct recorder *r, const struct pass *pass)
{
    if (pass->id != 0) {
        r->placed++;
        r->wrong += strcmp(passtime_names_text(&r->shared->names, pass->id), pass->label) != 0;
    }
}

static void judge_frame(struct recorder *r, struct pass *passes, uint64_t seq)
{
    struct shared *s = r->shared;
    for (uint32_t i = 0; i < PASSES; i++) {
        uint32_t retired = s->names.retired;
        r->wrong += passtime_names_touch(&s->names, passes[i].id, seq) != passes[i].id;
        s->revived += s->names.retired < retired;
        check_pass(r, &passes[i]);
    }
}

static void *record(void *argument)
{
    struct recorder *r = argument;
    struct shared *s = r->shared;
    struct pass passes[PASSES];
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        pthread_mutex_lock(&s->lock);
        advance(s, STRIDE);
        uint64_t seq = s->newest;
        s->open[r->number] = seq;
        pthread_mutex_unlock(&s->lock);
        for (uint32_t i = 0; i < PASSES; i++) {
            label_pass(&passes[i], r->number, frame, i);
            name_pass(r, &passes[i], seq);
        }
        for (uint32_t i = 0; i < PASSES; i++)
            check_pass(r, &passes[i]);
        pthread_mutex_lock(&s->lock);
        judge_frame(r, passes, seq);
        s->open[r->number] = 0;
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

/* Frames that name each pass anew: the pressure that makes places change hands. */
static void *churn(void *argument)
{
    struct shared *s = argument;
    for (uint32_t i = 0; i < FRAMES * 2; i++) {
        char label[LABEL_BYTES];
        (void)snprintf(label, sizeof label, "never again %u", i);
        pthread_mutex_lock(&s->lock);
        advance(s, STRIDE);
        (void)passtime_names_add(&s->names, label, strlen(label), false, s->newest);
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

static void test_names_under_threads(void **state)
{
    (void)state;
    struct shared s = {.newest = 1};
    struct recorder recorders[RECORDERS];
    pthread_t threads[RECORDERS + 1];
    void *memory = malloc(passtime_names_bytes(PLACES));
    assert_non_null(memory);
    passtime_names_init(&s.names, memory, PLACES);
    pthread_mutex_init(&s.lock, NULL);
    for (uint32_t i = 0; i < RECORDERS; i++) {
        recorders[i] = (struct recorder){.shared = &s, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, record, &recorders[i]), 0);
    }
    assert_int_equal(pthread_create(&threads[RECORDERS], NULL, churn, &s), 0);
    for (uint32_t i = 0; i <= RECORDERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);

    for (uint32_t i = 0; i < RECORDERS; i++) {
        assert_int_equal(recorders[i].wrong, 0);
        assert_true(recorders[i].placed > 0);
    }
    /* Far more names passed through than there are places. */
    assert_true(s.names.reclaimed > PLACES);
    print_message("%u live, %u reclaimed, %u revived, %u without a place\n", s.names.live,
                  (unsigned)s.names.reclaimed, (unsigned)s.revived, (unsigned)s.names.full);
    for (uint32_t i = 0; i < PLACES; i++)
        advance(&s, 2 * PASSTIME_NAMES_KEEP_FRAMES);
    assert_int_equal(s.names.live + s.names.retired, 0);
    pthread_mutex_destroy(&s.lock);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_under_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
