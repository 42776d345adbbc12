/* SPDX-License-Identifier: MIT */
/* Frames recorded by one thread and submitted by another. */
#define _POSIX_C_SOURCE 200809L /* threads */

#include "conformance/conformance_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

enum { FRAMES = 400 };

/* A frame on its way to the thread that submits. */
struct handed {
    uint64_t number;
    passtime_recorder *rec;
    void *encoder;
};

struct hand_over {
    struct conform_run *run;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct handed item;
    bool there;
    bool done;
};

static void hand(struct hand_over *h, const struct handed *item)
{
    pthread_mutex_lock(&h->lock);
    while (h->there) {
        pthread_cond_wait(&h->changed, &h->lock);
    }
    h->there = item != NULL;
    h->done = item == NULL;
    if (item != NULL) {
        h->item = *item;
    }
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

static bool take(struct hand_over *h, struct handed *item)
{
    pthread_mutex_lock(&h->lock);
    while (!h->there && !h->done) {
        pthread_cond_wait(&h->changed, &h->lock);
    }
    bool there = h->there;
    *item = h->item;
    h->there = false;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
    return there;
}

static void *submit_frames(void *user)
{
    struct hand_over *h = user;
    struct handed item;
    while (take(h, &item)) {
        h->run->d->submit(h->run->d, item.encoder);
        passtime_submitted(item.rec);
        passtime_frame_end(h->run->t, item.number);
        h->run->d->pump(h->run->d);
    }
    return NULL;
}

/* Frames come in the order of judging, which among threads need not be that of beginning; each
 * once. */
static uint32_t check_pipelined(struct conform_run *run, bool *seen)
{
    const passtime_frame *f = NULL;
    uint32_t count = 0;
    while (passtime_next(run->t, &f) == PASSTIME_OK) {
        assert_true(f->number >= 1 && f->number <= FRAMES);
        assert_false(seen[f->number]);
        seen[f->number] = true;
        assert_int_equal(f->fate, PASSTIME_FRAME_COMPLETE);
        conform_check_good(run, &f->samples[0], "a", 100 + (uint32_t)(f->number % 50));
        conform_check_good(run, &f->samples[1], "b", 10);
        count++;
    }
    return count;
}

/* Frame N + 1 is recorded while another thread submits N. */
void conform_frames_are_pipelined(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    if (d->one_thread) {
        skip();
    }
    run.desc.frames_in_flight = CONFORMANCE_FRAMES;
    run.desc.output_frames = 64;
    conform_open(&run);
    struct hand_over h = {.run = &run};
    pthread_mutex_init(&h.lock, NULL);
    pthread_cond_init(&h.changed, NULL);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, submit_frames, &h), 0);
    uint64_t frames = FRAMES / d->slowness;
    static bool seen[FRAMES + 1];
    memset(seen, 0, sizeof(seen));
    uint32_t timed = 0;
    uint32_t judged = 0;
    for (uint64_t n = 1; n <= frames; n++) {
        struct handed item = {n, d->begin(d, n), d->encode(d, n)};
        timed += item.rec != NULL;
        conform_pass(&run, item.rec, item.encoder, "a", 100 + (uint32_t)(n % 50));
        conform_pass(&run, item.rec, item.encoder, "b", 10);
        hand(&h, &item);
        judged += check_pipelined(&run, seen);
    }
    hand(&h, NULL);
    pthread_join(thread, NULL);
    while (conform_ledger(&run).frames_in_flight > 0) {
        d->pump(d);
        passtime_collect(run.t);
    }
    judged += check_pipelined(&run, seen);
    assert_true(timed > 0);
    assert_int_equal(judged + conform_ledger(&run).frames_not_taken, timed);
    assert_int_equal(conform_ledger(&run).fates[PASSTIME_FRAME_SKIPPED_FULL], frames - timed);
    pthread_cond_destroy(&h.changed);
    pthread_mutex_destroy(&h.lock);
    conform_close(&run);
}
