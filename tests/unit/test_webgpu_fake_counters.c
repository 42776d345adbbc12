/* SPDX-License-Identifier: MIT */
/* Shader counters on a scripted WebGPU device: what is counted comes back exactly, once, with the
 * frame that it is of, as counts and never as time. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_counted.h"

#include <cmocka.h>

/* What comes back ------------------------------------------------------------------------------ */

static void each_pass_of_each_frame_has_its_own_counts(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t bases[3] = {1000 * round + i + 1, 0, 50 + i};
            counted_frame(&c, 3, bases);
        }
        for (uint32_t i = 0; i < 4; i++) {
            const passtime_frame *frame = counted_next(&c);
            assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
            counted_expect(&c, frame, 0, 1000 * round + i + 1);
            counted_expect(&c, frame, 1, 0); /* its stamps prove that it ran */
            counted_expect(&c, frame, 2, 50 + i);
        }
    }
    wgpu_rig_close(&c.rig);
}

static void a_pass_that_takes_no_counters_has_none(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
    WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
    assert_int_equal(passtime_webgpu_counters(rec), 0); /* before any pass was named */
    wgpu_rig_pass(rec, encoder, "plain", 10);
    counted_pass(&c, rec, encoder, "counted", 5);
    wgpu_rig_pass(rec, encoder, "plain", 10);
    fake_app_submit(c.rig.fake, encoder);
    passtime_submitted(rec);
    assert_int_equal(passtime_webgpu_counters(rec), 0); /* it is finished */
    passtime_frame_end(c.rig.t, c.rig.number++);
    const passtime_frame *frame = counted_next(&c);
    counted_expect_none(&c, frame, 0, PASSTIME_COUNTS_NOT_ASKED);
    counted_expect(&c, frame, 1, 5);
    counted_expect_none(&c, frame, 2, PASSTIME_COUNTS_NOT_ASKED);
    wgpu_rig_close(&c.rig);
}

static void a_frame_without_counting_passes_costs_no_submission(void **state)
{
    struct counted c;
    const uint64_t work[1] = {10};
    const char *const plain[1] = {"plain"};
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    wgpu_rig_frame(&c.rig, 1, plain, work);
    counted_next(&c);
    assert_int_equal(fake_count(c.rig.fake, FAKE_CLEAR), 0);
    assert_int_equal(fake_count(c.rig.fake, FAKE_SUBMIT), 1);
    counted_one(&c, 3);
    counted_next(&c);
    assert_int_equal(fake_count(c.rig.fake, FAKE_SUBMIT), 3);
    wgpu_rig_close(&c.rig);
}

static void counts_go_on_beyond_32_bits(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
    WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
    WGPUPassTimestampWrites writes;
    const WGPUPassTimestampWrites *given = passtime_webgpu_pass(rec, "large", &writes);
    for (uint32_t i = 0; i < 1000; i++)
        fake_app_count(encoder, c.buffer, passtime_webgpu_counters(rec), 1, UINT32_MAX);
    fake_app_pass(encoder, given, 1);
    fake_app_submit(c.rig.fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(c.rig.t, c.rig.number++);
    uint64_t counts[COUNTERS];
    assert_int_equal(passtime_counts(c.rig.t, counted_next(&c), 0, counts, COUNTERS),
                     PASSTIME_COUNTS_THERE);
    assert_int_equal(counts[0], 0);
    assert_int_equal(counts[1], 1000 * (uint64_t)UINT32_MAX);
    wgpu_rig_close(&c.rig);
}

static void passes_within_a_group_count_for_the_group(void **state)
{
    struct counted c;
    WGPUPassTimestampWrites writes;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
    WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
    fake_app_pass(encoder, passtime_webgpu_group_first(rec, "group", &writes), 1);
    fake_app_count(encoder, c.buffer, passtime_webgpu_counters(rec), 0, 10);
    fake_app_pass(encoder, NULL, 1);
    fake_app_count(encoder, c.buffer, passtime_webgpu_counters(rec), 0, 20);
    counted_pass(&c, rec, encoder, "middle", 5);
    fake_app_pass(encoder, passtime_webgpu_group_last(rec, &writes), 1);
    fake_app_count(encoder, c.buffer, passtime_webgpu_counters(rec), 0, 30);
    fake_app_submit(c.rig.fake, encoder);
    passtime_submitted(rec);
    passtime_frame_end(c.rig.t, c.rig.number++);
    const passtime_frame *frame = counted_next(&c);
    uint64_t counts[1];
    assert_int_equal(passtime_counts(c.rig.t, frame, 0, counts, 1), PASSTIME_COUNTS_THERE);
    assert_int_equal(counts[0], 60);
    counted_expect(&c, frame, 1, 5);
    wgpu_rig_close(&c.rig);
}

static void two_recorders_do_not_mix(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    for (uint32_t i = 0; i < 10; i++) {
        passtime_recorder *first = passtime_frame_begin(c.rig.t, c.rig.number);
        passtime_recorder *second = passtime_recorder_begin(c.rig.t, c.rig.number);
        WGPUCommandEncoder a = fake_app_encoder(c.rig.fake), b = fake_app_encoder(c.rig.fake);
        WGPUPassTimestampWrites wa, wb;
        const WGPUPassTimestampWrites *ga = passtime_webgpu_pass(first, "a", &wa);
        const WGPUPassTimestampWrites *gb = passtime_webgpu_pass(second, "b", &wb);
        fake_app_count(a, c.buffer, passtime_webgpu_counters(first), 0, 11);
        fake_app_count(b, c.buffer, passtime_webgpu_counters(second), 0, 22);
        fake_app_pass(a, ga, 1);
        fake_app_pass(b, gb, 1);
        fake_app_submit(c.rig.fake, b);
        fake_app_submit(c.rig.fake, a);
        passtime_submitted(second);
        passtime_submitted(first);
        passtime_frame_end(c.rig.t, c.rig.number++);
        const passtime_frame *frame = counted_next(&c);
        for (uint32_t s = 0; s < frame->sample_count; s++) {
            uint64_t counts[1];
            assert_int_equal(passtime_counts(c.rig.t, frame, s, counts, 1), PASSTIME_COUNTS_THERE);
            assert_int_equal(counts[0], frame->samples[s].name[0] == 'a' ? 11 : 22);
        }
    }
    wgpu_rig_close(&c.rig);
}

static void only_the_frame_at_hand_can_be_asked(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    counted_one(&c, 3);
    counted_one(&c, 4);
    const passtime_frame *frame = counted_next(&c);
    uint64_t counts[COUNTERS] = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
    assert_int_equal(passtime_counts(c.rig.t, frame, 0, counts, 1), PASSTIME_COUNTS_THERE);
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[1], UNTOUCHED);
    counted_expect_none(&c, frame, 1, PASSTIME_COUNTS_LOST);
    const passtime_frame copy = *frame;
    counted_expect_none(&c, &copy, 0, PASSTIME_COUNTS_LOST);
    counted_expect_none(&c, NULL, 0, PASSTIME_COUNTS_LOST);
    counted_expect(&c, counted_next(&c), 0, 4);
    assert_int_equal(passtime_counts(NULL, frame, 0, counts, 1), PASSTIME_COUNTS_NOT_ASKED);
    wgpu_rig_close(&c.rig);
}

/* Figures -------------------------------------------------------------------------------------- */

static void the_figures_of_a_series_are_of_its_counts(void **state)
{
    struct counted c;
    passtime_counter_stats stats;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    uint32_t random = 1, large = 0;
    for (uint32_t i = 0; i < 400; i++) {
        random = random * 1664525 + 1013904223;
        large += random >> 31;
        counted_one(&c, random >> 31 ? 30 : 10);
        counted_next(&c);
    }
    const uint32_t series = counted_series(&c, "a");
    assert_int_equal(passtime_counter_series(c.rig.t, series, 1, &stats), PASSTIME_OK);
    assert_int_equal(stats.count, 400);
    assert_int_equal(stats.min, 11);
    assert_int_equal(stats.max, 31);
    assert_int_equal(stats.total, 400 * 11 + 20 * large);
    assert_int_equal(stats.last, random >> 31 ? 31 : 11);
    assert_int_equal(stats.last_frame, c.rig.number - 1);
    assert_true(stats.mean > (double)stats.total / 400 - 1e-9);
    assert_true(stats.mean < (double)stats.total / 400 + 1e-9);
    /* 10 over the square root of 400, as the samples are independent. */
    assert_true(stats.flags & PASSTIME_STATS_HAS_SE);
    assert_true(stats.se > 0.3 && stats.se < 0.9);
    passtime_reset_stats(c.rig.t);
    assert_int_equal(passtime_counter_series(c.rig.t, series, 1, &stats), PASSTIME_INVALID);
    counted_one(&c, 5);
    counted_next(&c);
    assert_int_equal(passtime_counter_series(c.rig.t, series, 0, &stats), PASSTIME_OK);
    assert_int_equal(stats.count, 1);
    assert_true(stats.mean == 5.0 && stats.min == 5);
    assert_false(stats.flags & PASSTIME_STATS_HAS_SE);
    assert_int_equal(passtime_counter_series(c.rig.t, series, COUNTERS, &stats), PASSTIME_INVALID);
    assert_int_equal(passtime_counter_series(c.rig.t, 9999, 0, &stats), PASSTIME_INVALID);
    wgpu_rig_close(&c.rig);
}

/* The same frames with and without counters: all that is of time is the same. */
static void counts_are_never_time(void **state)
{
    passtime_stats busy[2], pass[2];
    (void)state;
    for (int with = 0; with < 2; with++) {
        struct counted c;
        const uint64_t work[2] = {100, 100};
        const char *const plain[2] = {"a", "b"};
        const uint32_t bases[2] = {123456789, 3000000000};
        counted_setup(&c);
        c.rig.gpu.counters = with ? &c.desc : NULL;
        wgpu_rig_open(&c.rig);
        c.buffer = passtime_webgpu_counters_buffer(c.rig.t, NULL);
        assert_int_equal(c.buffer != NULL, with);
        for (uint32_t i = 0; i < 40; i++) {
            if (with)
                counted_frame(&c, 2, bases);
            else
                wgpu_rig_frame(&c.rig, 2, plain, work);
            counted_next(&c);
        }
        passtime_frame_stats(c.rig.t, PASSTIME_TOTAL_BUSY, &busy[with]);
        pass[with] = wgpu_rig_series(&c.rig, "b").stats;
        wgpu_rig_close(&c.rig);
    }
    assert_memory_equal(&busy[0], &busy[1], sizeof busy[0]);
    assert_memory_equal(&pass[0], &pass[1], sizeof pass[0]);
}

/* Without stamps ------------------------------------------------------------------------------- */

static void without_stamps_counts_prove_themselves_or_are_absent(void **state)
{
    struct counted c;
    passtime_counter_stats stats;
    (void)state;
    counted_setup(&c);
    c.rig.fake->has_timestamps = false;
    c.rig.gpu.flags = PASSTIME_WEBGPU_FALLBACK_CPU;
    counted_open(&c);
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t bases[2] = {0, 40 + i};
        counted_frame(&c, 2, bases);
        const passtime_frame *frame = counted_next(&c);
        assert_int_equal(frame->sample_count, 3);
        assert_int_equal(frame->samples[1].source, PASSTIME_CPU_RECORD);
        counted_expect_none(&c, frame, 0, PASSTIME_COUNTS_UNPROVED);
        counted_expect(&c, frame, 1, 40 + i);
        counted_expect_none(&c, frame, 2, PASSTIME_COUNTS_NOT_ASKED); /* the submission */
    }
    assert_int_equal(passtime_counter_series(c.rig.t, counted_series(&c, "a"), 0, &stats),
                     PASSTIME_OK);
    assert_int_equal(stats.count, 0);
    assert_int_equal(stats.unproved, 20);
    assert_int_equal(stats.flags, 0);
    wgpu_rig_close(&c.rig);
}

/* Against the rule, on a device without stamps: a frame's commands are submitted after it was read.
 * Its counts are absent, and those of the next ones are not touched. */
static void late_commands_spoil_nobody_elses_counts(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    c.rig.gpu.flags = PASSTIME_WEBGPU_FORCE_CPU;
    c.rig.desc.frames_in_flight = 1;
    counted_open(&c);
    for (uint32_t i = 0; i < 20; i++) {
        passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
        WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
        counted_pass(&c, rec, encoder, "late", 9);
        passtime_submitted(rec);
        passtime_frame_end(c.rig.t, c.rig.number++);
        counted_expect_none(&c, counted_next(&c), 0, PASSTIME_COUNTS_UNPROVED);
        fake_app_submit(c.rig.fake, encoder);
        for (uint32_t k = 0; k < i % 4; k++) {
            counted_one(&c, 60 + k);
            counted_expect(&c, counted_next(&c), 0, 60 + k);
        }
    }
    wgpu_rig_close(&c.rig);
}

/* Threads -------------------------------------------------------------------------------------- */

enum { THREADS = 4, THREAD_FRAMES = 60, THREAD_PASSES = 5 };

struct worker {
    struct counted *c;
    uint64_t frame;
    uint32_t index;
};

/* Each pass counts the number of its thread and of its frame. */
static void *record_passes(void *user)
{
    struct worker *worker = user;
    struct counted *c = worker->c;
    const char *const name[THREADS] = {"t0", "t1", "t2", "t3"};
    passtime_recorder *rec = passtime_recorder_begin(c->rig.t, worker->frame);
    WGPUCommandEncoder encoder = fake_app_encoder(c->rig.fake);
    for (uint32_t i = 0; i < THREAD_PASSES; i++)
        counted_pass(c, rec, encoder, name[worker->index],
                     (uint32_t)worker->frame * THREADS + worker->index + 1);
    fake_app_submit(c->rig.fake, encoder);
    passtime_submitted(rec);
    return NULL;
}

struct taker {
    struct counted *c;
    atomic_bool stop;
    atomic_uint there;
    atomic_uint wrong;
};

static void look(struct taker *taker, const passtime_frame *frame)
{
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        uint64_t counts[COUNTERS];
        const uint64_t thread = (uint64_t)(frame->samples[i].name[1] - '0');
        if (passtime_counts(taker->c->rig.t, frame, i, counts, COUNTERS) != PASSTIME_COUNTS_THERE)
            continue;
        taker->there++;
        taker->wrong += counts[0] != frame->number * THREADS + thread + 1;
    }
}

static void *fire_and_take(void *user)
{
    struct taker *taker = user;
    const passtime_frame *frame;
    do {
        fake_fire(taker->c->rig.fake);
        while (passtime_next(taker->c->rig.t, &frame) == PASSTIME_OK)
            look(taker, frame);
        for (uint32_t s = 0; s < passtime_series_count(taker->c->rig.t); s++) {
            passtime_counter_stats stats;
            (void)passtime_counter_series(taker->c->rig.t, s, 0, &stats);
        }
    } while (!taker->stop);
    return NULL;
}

static void threads_count_each_for_itself(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    c.rig.gpu.flags = PASSTIME_WEBGPU_SPONTANEOUS;
    counted_open(&c);
    struct taker taker = {.c = &c};
    pthread_t taking;
    assert_int_equal(pthread_create(&taking, NULL, fire_and_take, &taker), 0);
    for (uint64_t n = 1; n < THREAD_FRAMES || taker.there == 0; n++) {
        passtime_recorder *rec = passtime_frame_begin(c.rig.t, n);
        struct worker workers[THREADS];
        pthread_t threads[THREADS];
        for (uint32_t i = 0; i < THREADS; i++) {
            workers[i] = (struct worker){&c, n, i};
            assert_int_equal(pthread_create(&threads[i], NULL, record_passes, &workers[i]), 0);
        }
        for (uint32_t i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        passtime_discarded(rec);
        passtime_frame_end(c.rig.t, n);
    }
    taker.stop = true;
    pthread_join(taking, NULL);
    assert_int_equal(taker.wrong, 0);
    assert_true(taker.there > 0);
    wgpu_rig_close(&c.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pass_of_each_frame_has_its_own_counts),
        cmocka_unit_test(a_pass_that_takes_no_counters_has_none),
        cmocka_unit_test(a_frame_without_counting_passes_costs_no_submission),
        cmocka_unit_test(counts_go_on_beyond_32_bits),
        cmocka_unit_test(passes_within_a_group_count_for_the_group),
        cmocka_unit_test(two_recorders_do_not_mix),
        cmocka_unit_test(only_the_frame_at_hand_can_be_asked),
        cmocka_unit_test(the_figures_of_a_series_are_of_its_counts),
        cmocka_unit_test(counts_are_never_time),
        cmocka_unit_test(without_stamps_counts_prove_themselves_or_are_absent),
        cmocka_unit_test(late_commands_spoil_nobody_elses_counts),
        cmocka_unit_test(threads_count_each_for_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
