/* SPDX-License-Identifier: MIT */
/* The WebGPU backend used from many threads at once. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_rig.h"

#include <cmocka.h>

static const passtime_frame *frame_of(struct wgpu_rig *rig, uint32_t passes)
{
    wgpu_rig_many(rig, passes, 100);
    const passtime_frame *frame = wgpu_rig_next(rig);
    assert_non_null(frame);
    return frame;
}

enum { THREADS = 8, FRAMES = 10, SCOPES_A_FRAME = 100 };

struct worker {
    struct wgpu_rig *rig;
    uint64_t frame;
    uint32_t index;
    passtime_recorder *rec;
};

/* BR-40: each thread has an encoder and a recorder of its own. The work says whose pass it was. */
static void *record_passes(void *user)
{
    struct worker *worker = user;
    worker->rec = passtime_recorder_begin(worker->rig->t, worker->frame);
    WGPUCommandEncoder encoder = fake_app_encoder(worker->rig->fake);
    const char *const name[THREADS] = {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"};
    for (uint32_t i = 0; i < SCOPES_A_FRAME; i++) {
        wgpu_rig_pass(worker->rec, encoder, name[worker->index], 1000 * (worker->index + 1));
    }
    fake_app_submit(worker->rig->fake, encoder);
    passtime_submitted(worker->rec);
    return NULL;
}

static void eight_threads_lose_nothing(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.max_passes = 1024;
    rig.desc.max_recorders = THREADS + 1;
    wgpu_rig_open(&rig);
    frame_of(&rig, 1024);
    for (int i = 0; i < 12; i++) {
        frame_of(&rig, 1);
    }
    passtime_reset_stats(rig.t);
    for (uint64_t n = 0; n < FRAMES; n++) {
        passtime_recorder *rec = passtime_frame_begin(rig.t, n);
        assert_non_null(rec);
        struct worker workers[THREADS];
        pthread_t threads[THREADS];
        for (uint32_t i = 0; i < THREADS; i++) {
            workers[i] = (struct worker){&rig, n, i, NULL};
            assert_int_equal(pthread_create(&threads[i], NULL, record_passes, &workers[i]), 0);
        }
        for (uint32_t i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
        }
        passtime_discarded(rec);
        passtime_frame_end(rig.t, n);
        const passtime_frame *frame = wgpu_rig_next(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->sample_count, THREADS * SCOPES_A_FRAME);
        for (uint32_t i = 0; i < frame->sample_count; i++) {
            const uint64_t thread = (uint64_t)(frame->samples[i].name[1] - '0');
            assert_int_equal(frame->samples[i].verdict, PASSTIME_GOOD);
            assert_int_equal(frame->samples[i].duration_ns, 1000 * (thread + 1) + 10);
        }
    }
    assert_int_equal(wgpu_rig_ledger(&rig).verdicts[PASSTIME_GOOD], 8000);
    wgpu_rig_close(&rig);
}

/* Callbacks and results on another thread than the frames. */
struct pump {
    struct wgpu_rig *rig;
    atomic_bool stop;
    atomic_uint frames; /* taken */
    atomic_uint wrong;  /* samples with another time than their own */
};

static void *fire_and_take(void *user)
{
    struct pump *pump = user;
    const passtime_frame *frame;
    do {
        fake_fire(pump->rig->fake);
        while (passtime_next(pump->rig->t, &frame) == PASSTIME_OK) {
            for (uint32_t i = 0; i < frame->sample_count; i++) {
                if (passtime_is_good(frame->samples[i].verdict) &&
                    frame->samples[i].duration_ns != 110 + i) {
                    pump->wrong++;
                }
            }
            pump->frames++;
        }
    } while (!pump->stop);
    return NULL;
}

static void spontaneous_callbacks_on_another_thread(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_SPONTANEOUS;
    assert_int_equal(passtime_create_webgpu(&rig.gpu, &rig.desc, &rig.t), PASSTIME_OK);
    struct pump pump = {.rig = &rig};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fire_and_take, &pump), 0);
    uint32_t begun = 0;
    /* However the threads are scheduled, until some frame met its queries made and its results
     * taken. */
    while (pump.frames < 200 || wgpu_rig_ledger(&rig).verdicts[PASSTIME_GOOD] == 0) {
        wgpu_rig_many(&rig, 1 + begun++ % 64, 100);
        sched_yield();
    }
    pump.stop = true;
    pthread_join(thread, NULL);
    pump.frames += wgpu_rig_drain(&rig);
    const passtime_ledger ledger = wgpu_rig_ledger(&rig);
    const uint64_t skipped =
        ledger.fates[PASSTIME_FRAME_SKIPPED_FULL] + ledger.fates[PASSTIME_FRAME_SKIPPED_WARMUP];
    assert_int_equal(pump.frames + skipped + ledger.frames_not_taken, begun);
    assert_int_equal(pump.wrong, 0);
    assert_true(ledger.verdicts[PASSTIME_GOOD] > 0);
    wgpu_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_threads_lose_nothing),
        cmocka_unit_test(spontaneous_callbacks_on_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
