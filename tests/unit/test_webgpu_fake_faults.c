/* SPDX-License-Identifier: MIT */
/* The WebGPU backend on a scripted device that fails: nothing false is shown, the app is not
 * harmed. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_rig.h"

#include <cmocka.h>

static const char *const names[] = {"shadow", "scene", "post"};
static const uint64_t work[] = {1000, 2000, 3000};

/* What the stamps of one pass, on pair 0, read. */
enum reading { TRUE_VALUE, ZERO, BEFORE_BEGIN, EQUAL_TO_BEGIN, AS_LAST_TIME };
struct script {
    enum reading reading[2];
    uint64_t last[2]; /* what was read in the frame before */
};

static uint64_t scripted(void *user, WGPUQuerySet set, uint32_t slot, uint64_t ticks)
{
    struct script *script = user;
    (void)set;
    if (slot > 1) {
        return ticks;
    }
    const uint64_t values[] = {ticks, 0, script->last[0] - 500, script->last[0],
                               script->last[slot]};
    script->last[slot] = values[script->reading[slot]];
    return script->last[slot];
}

/* A good frame, then one that reads like this. */
static passtime_verdict verdict_of(enum reading begin, enum reading end)
{
    struct wgpu_rig rig;
    struct script script = {{TRUE_VALUE, TRUE_VALUE}, {0, 0}};
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 1;
    wgpu_rig_open(&rig);
    rig.fake->stamp = scripted;
    rig.fake->stamp_user = &script;
    wgpu_rig_frame(&rig, 1, names, work);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
    rig.fake->gpu_ticks += 16000000;
    script.reading[0] = begin;
    script.reading[1] = end;
    wgpu_rig_frame(&rig, 1, names, work);
    frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    const passtime_verdict verdict = frame->samples[0].verdict;
    rig.fake->stamp = NULL;
    wgpu_rig_close(&rig);
    return verdict;
}

/* BR-02 and BR-06: what a driver gives when asked too soon, or in a bad moment. */
static void bad_pairs_are_named(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(TRUE_VALUE, TRUE_VALUE), PASSTIME_GOOD);
    assert_int_equal(verdict_of(TRUE_VALUE, EQUAL_TO_BEGIN), PASSTIME_BELOW_RESOLUTION);
    assert_int_equal(verdict_of(TRUE_VALUE, ZERO), PASSTIME_HALF_WRITTEN);
    assert_int_equal(verdict_of(ZERO, TRUE_VALUE), PASSTIME_HALF_WRITTEN);
    assert_int_equal(verdict_of(ZERO, ZERO), PASSTIME_NOT_EXECUTED);
    assert_int_equal(verdict_of(TRUE_VALUE, BEFORE_BEGIN), PASSTIME_BACKWARD);
    assert_int_equal(verdict_of(TRUE_VALUE, AS_LAST_TIME), PASSTIME_STALE);
    assert_int_equal(verdict_of(AS_LAST_TIME, TRUE_VALUE), PASSTIME_STALE);
    assert_int_equal(verdict_of(AS_LAST_TIME, AS_LAST_TIME), PASSTIME_STALE);
}

/* BR-02: one backward pair in a hundred leaves the mean of the others as it is. */
static void a_backward_pair_is_left_out(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    const uint64_t two_ms[] = {2000000 - 10};
    struct script script = {{TRUE_VALUE, TRUE_VALUE}, {0, 0}};
    rig.fake->stamp = scripted;
    rig.fake->stamp_user = &script;
    for (int i = 0; i < 100; i++) {
        script.reading[1] = i == 50 ? BEFORE_BEGIN : TRUE_VALUE;
        wgpu_rig_frame(&rig, 1, names, two_ms);
        assert_int_equal(wgpu_rig_drain(&rig), 1);
    }
    rig.fake->stamp = NULL;
    const passtime_ledger ledger = wgpu_rig_ledger(&rig);
    assert_int_equal(ledger.verdicts[PASSTIME_GOOD], 99);
    assert_int_equal(ledger.verdicts[PASSTIME_BACKWARD], 1);
    const passtime_series_info info = wgpu_rig_series(&rig, "shadow");
    assert_int_equal(info.stats.count, 99);
    assert_int_equal(info.stats.total_ns, 99 * 2000000ull);
    wgpu_rig_close(&rig);
}

/* BR-09: no map ends, the ring fills, callbacks come late; each result keeps its frame. */
static void a_full_ring_skips_and_counts(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 2;
    wgpu_rig_open(&rig);
    rig.fake->hold_maps = true;
    for (int i = 0; i < 5; i++) {
        wgpu_rig_frame(&rig, 3, names, work);
    }
    assert_null(wgpu_rig_next(&rig));
    passtime_ledger ledger = wgpu_rig_ledger(&rig);
    assert_int_equal(ledger.fates[PASSTIME_FRAME_SKIPPED_FULL], 3);
    assert_int_equal(ledger.frames_in_flight, 2);
    assert_int_equal(rig.said[PASSTIME_LOG_RING_FULL], 2);
    rig.fake->hold_maps = false;
    const uint64_t first = rig.number - 5;
    for (uint64_t i = 0; i < 2; i++) {
        const passtime_frame *frame = wgpu_rig_next(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->number, first + i);
        assert_int_equal(frame->samples[1].duration_ns, 2010);
    }
    wgpu_rig_frame(&rig, 3, names, work);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    wgpu_rig_close(&rig);
}

/* The app's clock, which is gone with its context. */
struct mortal_clock {
    struct fake *fake;
    bool dead;
    uint32_t calls_when_dead;
};

static uint64_t read_mortal_clock(void *user)
{
    struct mortal_clock *clock = user;
    clock->calls_when_dead += clock->dead;
    return fake_clock(clock->fake);
}

/* BR-09: the context ends with maps and scopes pending; their callbacks come after. */
static void callbacks_after_destroy_touch_nothing(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    struct mortal_clock clock = {.fake = rig.fake};
    rig.desc.clock = read_mortal_clock;
    rig.desc.clock_user = &clock;
    wgpu_rig_open(&rig);
    rig.fake->hold_maps = true;
    rig.fake->hold_scopes = true;
    rig.fake->hold_gpu = true;
    for (int i = 0; i < 3; i++) {
        wgpu_rig_frame(&rig, 3, names, work);
    }
    passtime_destroy(&rig.t);
    assert_true(rig.allocated == 1);
    clock.dead = true;
    rig.fake->hold_maps = false;
    rig.fake->hold_scopes = false;
    fake_run(rig.fake);
    fake_fire(rig.fake);
    assert_int_equal(rig.allocated, 0);
    assert_int_equal(clock.calls_when_dead, 0);
    wgpu_rig_close(&rig);
}

/* BR-09, variant: the host never processes events. */
static void no_events_is_counted_and_said(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    wgpu_rig_frame(&rig, 3, names, work);
    rig.fake->cpu_ns += 2000000000;
    for (int i = 0; i < 200; i++) {
        passtime_collect(rig.t);
    }
    assert_int_equal(wgpu_rig_ledger(&rig).unpumped, 1);
    assert_int_equal(rig.said[PASSTIME_LOG_NO_EVENTS], 1);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    wgpu_rig_close(&rig);
}

static void pump_needs_no_help(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.gpu.flags = PASSTIME_WEBGPU_PUMP;
    assert_int_equal(passtime_create_webgpu(&rig.gpu, &rig.desc, &rig.t), PASSTIME_OK);
    const passtime_frame *frame = NULL;
    for (int i = 0; i < 20; i++) {
        wgpu_rig_frame(&rig, 3, names, work);
        passtime_collect(rig.t);
    }
    uint32_t good = 0;
    while (passtime_next(rig.t, &frame) == PASSTIME_OK) {
        good += frame->fate == PASSTIME_FRAME_COMPLETE;
    }
    assert_true(good >= 8);
    wgpu_rig_close(&rig);
}

/* BR-10: a loss ends each frame in flight once. */
static void a_lost_device_ends_each_frame_once(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        struct wgpu_rig rig;
        wgpu_rig_setup(&rig);
        wgpu_rig_open(&rig);
        rig.fake->hold_maps = true;
        for (int i = 0; i < 4; i++) {
            wgpu_rig_frame(&rig, 3, names, work);
        }
        fake_lose(rig.fake);
        if (told) {
            passtime_webgpu_device_lost(rig.t);
        }
        assert_int_equal(wgpu_rig_drain(&rig), 4);
        assert_null(passtime_frame_begin(rig.t, 1));
        const passtime_ledger ledger = wgpu_rig_ledger(&rig);
        assert_int_equal(ledger.verdicts[PASSTIME_LOST_DEVICE], 12);
        assert_int_equal(ledger.fates[PASSTIME_FRAME_NO_DATA], 4);
        assert_int_equal(ledger.fates[PASSTIME_FRAME_SKIPPED_LOST], 1);
        assert_true(wgpu_rig_info(&rig).lost);
        wgpu_rig_close(&rig);
    }
}

/* BR-10, variant: the map is asked for after the loss. Nobody tells; the second abort does. */
static void a_loss_between_frames_is_found(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    fake_lose(rig.fake);
    for (int i = 0; i < 3; i++) {
        wgpu_rig_frame(&rig, 3, names, work);
        wgpu_rig_drain(&rig);
    }
    const passtime_ledger ledger = wgpu_rig_ledger(&rig);
    assert_int_equal(ledger.verdicts[PASSTIME_LOST_DEVICE], 6);
    assert_int_equal(ledger.fates[PASSTIME_FRAME_SKIPPED_LOST], 1);
    wgpu_rig_close(&rig);
}

/* A failed map costs its frame; the entry comes back with queries that hold nothing unread. */
static void a_failed_map_costs_one_frame(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 1;
    wgpu_rig_open(&rig);
    rig.fake->fail_maps = 1;
    wgpu_rig_frame(&rig, 3, names, work);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_MAP_FAILED);
    assert_int_equal(rig.said[PASSTIME_LOG_MAP_FAILED], 1);
    wgpu_rig_warm(&rig);
    wgpu_rig_frame(&rig, 3, names, work);
    frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    wgpu_rig_close(&rig);
}

/* An encoder of ours that is not valid is an error of ours: caught, and its frame has no data. */
static void a_failed_resolve_is_caught(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    wgpu_rig_open(&rig);
    rig.fake->fail_finishes = 1;
    wgpu_rig_frame(&rig, 3, names, work);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[2].verdict, PASSTIME_MAP_FAILED);
    wgpu_rig_close(&rig);
}

static void a_result_that_never_comes_times_out(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 1;
    rig.desc.timeout_ns = 1000000000;
    wgpu_rig_open(&rig);
    rig.fake->hold_maps = true;
    wgpu_rig_frame(&rig, 3, names, work);
    rig.fake->cpu_ns += 3000000000;
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_TIMED_OUT);
    rig.fake->hold_maps = false;
    wgpu_rig_warm(&rig);
    wgpu_rig_frame(&rig, 3, names, work);
    frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[2].duration_ns, 3010);
    wgpu_rig_close(&rig);
}

static passtime_verdict verdict_of_dropped(struct wgpu_rig *rig, WGPUCommandEncoder *kept)
{
    const uint64_t number = rig->number++;
    passtime_recorder *rec = passtime_frame_begin(rig->t, number);
    WGPUCommandEncoder encoder = fake_app_encoder(rig->fake);
    if (!wgpu_rig_pass(rec, encoder, "p", 500)) {
        fake_app_drop(encoder);
        encoder = NULL;
    }
    passtime_submitted(rec);
    passtime_frame_end(rig->t, number);
    if (kept != NULL) {
        *kept = encoder;
    } else if (encoder != NULL) {
        fake_app_drop(encoder);
    }
    const passtime_frame *frame = wgpu_rig_next(rig);
    assert_non_null(frame);
    return frame->samples[0].verdict;
}

/* An encoder that was said to be submitted and was not: the stamps of priming, or of the frame
 * before, are no result. */
static void a_dropped_encoder_gives_no_sample(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 1;
    wgpu_rig_open(&rig);
    assert_int_equal(verdict_of_dropped(&rig, NULL), PASSTIME_STALE);
    wgpu_rig_close(&rig);
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 1;
    wgpu_rig_open(&rig);
    wgpu_rig_frame(&rig, 1, names, work);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    rig.fake->gpu_ticks += 16000000;
    assert_int_equal(verdict_of_dropped(&rig, NULL), PASSTIME_STALE);
    wgpu_rig_close(&rig);
}

/* The same pair is asked for the first time in a later frame of the bank: priming's stamps again.
 */
static void a_slot_new_to_the_core_is_still_known(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 1;
    wgpu_rig_open(&rig);
    wgpu_rig_frame(&rig, 1, names, work);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    rig.fake->gpu_ticks += 16000000;
    passtime_recorder *rec = passtime_frame_begin(rig.t, 1);
    passtime_recorder *lost = passtime_recorder_begin(rig.t, 1);
    WGPUCommandEncoder encoder = fake_app_encoder(rig.fake);
    WGPUCommandEncoder dropped = fake_app_encoder(rig.fake);
    wgpu_rig_pass(rec, encoder, "there", 100);
    wgpu_rig_pass(lost, dropped, "not there", 100);
    fake_app_submit(rig.fake, encoder);
    fake_app_drop(dropped);
    passtime_submitted(rec);
    passtime_submitted(lost);
    passtime_frame_end(rig.t, 1);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_STALE);
    wgpu_rig_close(&rig);
}

/* A late submit leaves stamps that nobody reads. A later frame on the same slots, whose encoder is
 * dropped, must not take them for its own. */
static void late_stamps_are_nobodys(void **state)
{
    (void)state;
    struct wgpu_rig rig;
    wgpu_rig_setup(&rig);
    rig.desc.frames_in_flight = 1;
    wgpu_rig_open(&rig);
    wgpu_rig_frame(&rig, 1, names, work);
    assert_int_equal(wgpu_rig_drain(&rig), 1);
    rig.fake->gpu_ticks += 16000000;
    WGPUCommandEncoder late = NULL;
    assert_int_equal(verdict_of_dropped(&rig, &late), PASSTIME_STALE);
    assert_non_null(late);
    rig.fake->gpu_ticks += 16000000;
    fake_app_submit(rig.fake, late);
    const passtime_verdict verdict = verdict_of_dropped(&rig, NULL);
    assert_false(passtime_is_good(verdict));
    /* It heals: with new queries, passes are timed again. */
    for (int i = 0; i < 50; i++) {
        wgpu_rig_frame(&rig, 1, names, work);
        wgpu_rig_drain(&rig);
        rig.fake->gpu_ticks += 16000000;
    }
    wgpu_rig_frame(&rig, 1, names, work);
    const passtime_frame *frame = wgpu_rig_next(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
    wgpu_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_pairs_are_named),
        cmocka_unit_test(a_backward_pair_is_left_out),
        cmocka_unit_test(a_full_ring_skips_and_counts),
        cmocka_unit_test(callbacks_after_destroy_touch_nothing),
        cmocka_unit_test(no_events_is_counted_and_said),
        cmocka_unit_test(pump_needs_no_help),
        cmocka_unit_test(a_lost_device_ends_each_frame_once),
        cmocka_unit_test(a_loss_between_frames_is_found),
        cmocka_unit_test(a_failed_map_costs_one_frame),
        cmocka_unit_test(a_failed_resolve_is_caught),
        cmocka_unit_test(a_result_that_never_comes_times_out),
        cmocka_unit_test(a_dropped_encoder_gives_no_sample),
        cmocka_unit_test(a_slot_new_to_the_core_is_still_known),
        cmocka_unit_test(late_stamps_are_nobodys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
