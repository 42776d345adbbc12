/* SPDX-License-Identifier: MIT */
/*
 * The feed backend as a GPU that stamps to the nanosecond: it works while passes are recorded, and
 * its ticks are given when the suite lets results come back. Passes go in whole and inline.
 */
#include "conformance/conformance.h"

#include <passtime/feed.h>

#include "core/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>

enum { KEPT = 32, AHEAD_NS = 123456789, DEPTH = 8 };

/* What the GPU wrote in one frame. */
struct fed_frame {
    uint64_t number;
    bool awaited;
    uint64_t ticks[2 * CONFORMANCE_PASSES];
};

struct fed_encoder {
    struct fed_frame *frame;
    uint32_t open[DEPTH];
    uint32_t depth;
    bool used;
};

struct feed_driver {
    struct conformance_driver base;
    pthread_mutex_t lock;
    uint64_t now_ns;
    struct fed_frame frames[KEPT];
    uint64_t begun;
    struct fed_encoder encoders[4 * KEPT];
    uint32_t encoder_count;
};

static uint64_t clock_of(void *user)
{
    struct feed_driver *f = user;
    pthread_mutex_lock(&f->lock);
    uint64_t now_ns = ++f->now_ns;
    pthread_mutex_unlock(&f->lock);
    return now_ns;
}

static void pass_time(struct feed_driver *f, uint64_t ns)
{
    pthread_mutex_lock(&f->lock);
    f->now_ns += ns;
    pthread_mutex_unlock(&f->lock);
}

static void feed_open(struct conformance_driver *d, passtime_desc *desc)
{
    struct feed_driver *f = (struct feed_driver *)d;
    desc->clock = clock_of;
    desc->clock_user = f;
    assert_int_equal(passtime_create_feed(NULL, desc, &d->t), PASSTIME_OK);
}

static void feed_close(struct conformance_driver *d)
{
    struct feed_driver *f = (struct feed_driver *)d;
    passtime_destroy(&d->t);
    memset(f->frames, 0, sizeof(f->frames));
}

static void feed_finish(struct conformance_driver *d)
{
    (void)d;
}

static passtime_recorder *feed_begin(struct conformance_driver *d, uint64_t number)
{
    struct feed_driver *f = (struct feed_driver *)d;
    passtime_recorder *rec = passtime_frame_begin(d->t, number);
    pass_time(f, 200000);
    pthread_mutex_lock(&f->lock);
    f->frames[f->begun % KEPT] = (struct fed_frame){.number = number, .awaited = rec != NULL};
    f->begun++;
    pthread_mutex_unlock(&f->lock);
    return rec;
}

/* The newest frame of that number: the one that is being recorded. */
static void *feed_encode(struct conformance_driver *d, uint64_t number)
{
    struct feed_driver *f = (struct feed_driver *)d;
    struct fed_encoder *encoder = &f->encoders[f->encoder_count++ % (4 * KEPT)];
    *encoder = (struct fed_encoder){.used = true};
    pthread_mutex_lock(&f->lock);
    for (uint64_t i = f->begun; i-- > 0 && encoder->frame == NULL;) {
        encoder->frame = f->frames[i % KEPT].number == number ? &f->frames[i % KEPT] : NULL;
    }
    pthread_mutex_unlock(&f->lock);
    assert_non_null(encoder->frame);
    return encoder;
}

static void stamp(struct feed_driver *f, const struct fed_encoder *encoder, uint32_t slot)
{
    if (slot < 2 * CONFORMANCE_PASSES) {
        pthread_mutex_lock(&f->lock);
        encoder->frame->ticks[slot] = f->now_ns + AHEAD_NS;
        pthread_mutex_unlock(&f->lock);
    }
}

static void feed_pass_begin(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                            const char *name)
{
    struct fed_encoder *e = encoder;
    uint32_t pair = rec != NULL ? passtime_front_pairs_used(rec) : 0;
    passtime_begin(rec, name);
    e->open[e->depth++] = pair;
    stamp((struct feed_driver *)d, e, 2 * pair);
}

static void feed_pass_end(struct conformance_driver *d, passtime_recorder *rec, void *encoder)
{
    struct fed_encoder *e = encoder;
    if (e->depth > 0) {
        e->depth--;
        stamp((struct feed_driver *)d, e, 2 * e->open[e->depth] + 1);
    }
    passtime_end(rec);
}

static void feed_pass(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                      struct conformance_name name, uint32_t length)
{
    struct feed_driver *f = (struct feed_driver *)d;
    uint32_t pair = PASSTIME_NONE;
    pass_time(f, 100);
    if (name.text == NULL) {
        pair = passtime_feed_pass_id(rec, name.id);
    } else if (name.bytes == 0) {
        pair = passtime_feed_pass(rec, name.text);
    } else {
        pair = passtime_front_pairs_used(rec);
        passtime_begin_n(rec, name.text, name.bytes);
        passtime_end(rec);
    }
    if (pair != PASSTIME_NONE) {
        pthread_mutex_lock(&f->lock);
        struct fed_frame *frame = ((struct fed_encoder *)encoder)->frame;
        frame->ticks[2 * pair] = f->now_ns + AHEAD_NS;
        f->now_ns += length;
        frame->ticks[2 * pair + 1] = frame->ticks[2 * pair] + length;
        pthread_mutex_unlock(&f->lock);
    }
    pass_time(f, 100);
}

static void feed_submit(struct conformance_driver *d, void *encoder)
{
    (void)d;
    ((struct fed_encoder *)encoder)->used = false;
}

static void feed_pump(struct conformance_driver *d)
{
    struct feed_driver *f = (struct feed_driver *)d;
    passtime_collect(d->t);
    for (uint32_t i = 0; i < KEPT; i++) {
        pthread_mutex_lock(&f->lock);
        struct fed_frame frame = f->frames[(f->begun + i) % KEPT]; /* the oldest first */
        pthread_mutex_unlock(&f->lock);
        passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
        results.ticks = frame.ticks;
        results.tick_count = 2 * CONFORMANCE_PASSES;
        if (frame.awaited) {
            (void)passtime_feed_results_ready(d->t, frame.number,
                                              &results); /* Not ended yet: later. */
        }
    }
}

static uint64_t feed_duration(const struct conformance_driver *d, uint32_t length)
{
    (void)d;
    return length;
}

int main(void)
{
    static struct feed_driver f = {.base = {.api = "feed",
                                            .source = PASSTIME_GPU_STAMPS,
                                            .exact = true,
                                            .holds = true,
                                            .nests = true,
                                            .slowness = 1,
                                            .open = feed_open,
                                            .close = feed_close,
                                            .finish = feed_finish,
                                            .begin = feed_begin,
                                            .encode = feed_encode,
                                            .pass = feed_pass,
                                            .pass_begin = feed_pass_begin,
                                            .pass_end = feed_pass_end,
                                            .submit = feed_submit,
                                            .drop = feed_submit,
                                            .pump = feed_pump,
                                            .duration_ns = feed_duration},
                                   .now_ns = 1000000000};
    pthread_mutex_init(&f.lock, NULL);
    int failed = conformance_run(&f.base);
    pthread_mutex_destroy(&f.lock);
    return failed;
}
