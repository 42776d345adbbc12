/* SPDX-License-Identifier: MIT */
/* Names that come and go while several threads record with them (cases BR-38 and BR-40). */
#include "unit/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names in a table too small for them, with frames judged some frames after they were recorded. */
enum { NAMERS = 4, NAMED_FRAMES = 4200, NAMED_PASSES = 4, NAMED_SLOTS = NAMERS * NAMED_PASSES };
enum { PLACES = 96, LATE_FRAMES = 3, OWLS = 16 };

/* Names unseen for 1,024 frames give up their place: an "owl" comes again just before, at or after
 * that. */
static bool owl_of(uint64_t frame, uint32_t *owl)
{
    for (*owl = 0; *owl < OWLS; (*owl)++) {
        if (frame % (1018u + *owl) == *owl + 1) {
            return true;
        }
    }
    return false;
}

/* Pass 0 has a label of its frame and worker alone; pass 1 one that changes slowly, or an owl, the
 * same for all workers, so that several enter it at once; the others never change. */
static void label_of(uint32_t worker, uint64_t frame, uint32_t pass, char *label, size_t bytes)
{
    uint32_t owl = 0;
    if (pass == 0) {
        (void)snprintf(label, bytes, "worker %u frame %u", worker, (unsigned)frame);
    } else if (pass == 1 && owl_of(frame, &owl)) {
        (void)snprintf(label, bytes, "owl %u", owl);
    } else if (pass == 1) {
        (void)snprintf(label, bytes, "era %u", (unsigned)(frame / 300));
    } else {
        (void)snprintf(label, bytes, "steady %u", pass);
    }
}

/* The ticks of a frame; the last of the row is where its first pass begins. */
static uint64_t *row_of(struct stage *s, uint64_t frame)
{
    return &s->ticks[frame % (LATE_FRAMES + 1) * (2 * NAMED_SLOTS + 1)];
}

static void *name_passes(void *user)
{
    struct worker *w = user;
    struct stage *s = w->stage;
    char label[48];
    for (uint32_t f = 0; f < NAMED_FRAMES; f++) {
        pthread_barrier_wait(&s->barrier);
        uint64_t *row = row_of(s, s->frame);
        passtime_recorder *rec = passtime_recorder_begin(s->t, s->frame);
        for (uint32_t i = 0; i < NAMED_PASSES; i++) {
            label_of(w->number, s->frame, i, label, sizeof(label));
            uint32_t pair = i == 3 ? passtime_feed_pass_id(rec, passtime_intern(s->t, label))
                                   : passtime_feed_pass(rec, label);
            stage_expect(s, pair < NAMED_SLOTS);
            pair = pair < NAMED_SLOTS ? pair : 0;
            row[2 * pair] = row[2 * NAMED_SLOTS] + 100u * pair;
            row[2 * pair + 1] = row[2 * pair] + 1 + w->number * NAMED_PASSES + i;
        }
        passtime_submitted(rec);
        pthread_barrier_wait(&s->barrier);
    }
    return NULL;
}

/* A name is what the recorder said, or "(other)"; returns how many of pass 1 kept theirs. */
static uint32_t check_labels(const passtime_frame *frame)
{
    uint32_t kept = 0;
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->sample_count, NAMED_SLOTS);
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        uint32_t who = (uint32_t)(sample->duration_ns - 1);
        char label[48];
        label_of(who / NAMED_PASSES, frame->number, who % NAMED_PASSES, label, sizeof(label));
        if (strcmp(sample->name, label) != 0) {
            assert_string_equal(sample->name, "(other)");
            assert_true(who % NAMED_PASSES < 2);
        } else {
            kept += who % NAMED_PASSES == 1;
        }
    }
    return kept;
}

static uint32_t run_named_frame(struct stage *s)
{
    s->frame++;
    passtime_recorder *rec = passtime_frame_begin(s->t, s->frame);
    assert_non_null(rec);
    row_of(s, s->frame)[2 * NAMED_SLOTS] = atomic_fetch_add(&s->now_ns, 100000) + GPU_AHEAD_NS;
    pthread_barrier_wait(&s->barrier);
    passtime_submitted(rec);
    pthread_barrier_wait(&s->barrier);
    passtime_frame_end(s->t, s->frame);
    if (s->frame <= LATE_FRAMES) {
        return 0;
    }
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.ticks = row_of(s, s->frame - LATE_FRAMES);
    results.tick_count = 2 * NAMED_SLOTS;
    assert_int_equal(passtime_feed_results_ready(s->t, s->frame - LATE_FRAMES, &results),
                     PASSTIME_OK);
    const passtime_frame *frame = NULL;
    assert_int_equal(passtime_next(s->t, &frame), PASSTIME_OK);
    assert_int_equal(frame->number, s->frame - LATE_FRAMES);
    return check_labels(frame);
}

/* Labels that never repeat fill the table; those that stay keep their place, and old ones give
 * theirs up to new ones. No sample ever bears the name of another. */
static void names_come_and_go(void **state)
{
    (void)state;
    struct stage s;
    passtime_desc desc = stage_desc(&s);
    desc.max_passes = NAMED_SLOTS;
    desc.max_names = PLACES;
    desc.frames_in_flight = LATE_FRAMES + 2;
    assert_int_equal(passtime_create_feed(NULL, &desc, &s.t), PASSTIME_OK);
    s.ticks = calloc((LATE_FRAMES + 1) * (2 * NAMED_SLOTS + 1), sizeof(*s.ticks));
    assert_int_equal(pthread_barrier_init(&s.barrier, NULL, NAMERS + 1), 0);
    passtime_id steady = passtime_intern(s.t, "steady 2");
    assert_int_not_equal(steady, 0);
    assert_int_not_equal(passtime_intern(s.t, "steady 3"), 0);
    pthread_t threads[NAMERS];
    struct worker workers[NAMERS];
    for (uint32_t i = 0; i < NAMERS; i++) {
        workers[i] = (struct worker){&s, i};
        assert_int_equal(pthread_create(&threads[i], NULL, name_passes, &workers[i]), 0);
    }
    uint32_t kept_late = 0;
    for (uint32_t f = 0; f < NAMED_FRAMES; f++) {
        uint32_t kept = run_named_frame(&s);
        kept_late += f >= NAMED_FRAMES / 2 ? kept : 0;
    }
    for (uint32_t i = 0; i < NAMERS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(s.wrong, 0);
    assert_true(kept_late > 0); /* Names that came after the table was full found places. */
    assert_int_equal(passtime_intern(s.t, "steady 2"), steady);
    stage_check_ledger(s.t);
    passtime_destroy(&s.t);
    pthread_barrier_destroy(&s.barrier);
    free(s.ticks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_come_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
