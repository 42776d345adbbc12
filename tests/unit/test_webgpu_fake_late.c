/* SPDX-License-Identifier: MIT */
/* A device that leaves 0 in slots where nothing ran, and an app that submits frames after it has
 * ended them: stamps that come late are not the next frame's. */
#include <setjmp.h>
#include <stdarg.h>

#include "fake/wgpu_rig.h"

#include <cmocka.h>

struct world {
    struct wgpu_rig rig;
    bool awake; /* stamps are written; before, they read 0 */
};

static uint64_t zero_at_first(void *user, WGPUQuerySet set, uint32_t slot, uint64_t ticks)
{
    const struct world *world = user;
    (void)set;
    (void)slot;
    return world->awake ? ticks : 0;
}

static void open_world(struct world *world)
{
    world->awake = false;
    wgpu_rig_setup(&world->rig);
    world->rig.desc.frames_in_flight = 1;
    world->rig.fake->stamp = zero_at_first;
    world->rig.fake->stamp_user = world;
    wgpu_rig_open(&world->rig);
    world->awake = true;
}

static void let_time_pass(struct world *world)
{
    world->rig.fake->gpu_ticks += 16000000;
}

/* A frame of a pass that runs in time, so that the clocks are known, and of "late", said to be
 * submitted and kept; `before` is submitted while it is recorded. NULL: it was not timed. */
static WGPUCommandEncoder late_frame(struct world *world, uint64_t work, WGPUCommandEncoder before)
{
    struct wgpu_rig *rig = &world->rig;
    const uint64_t number = rig->number++;
    passtime_recorder *rec = passtime_frame_begin(rig->t, number);
    passtime_recorder *late = passtime_recorder_begin(rig->t, number);
    WGPUCommandEncoder encoder = fake_app_encoder(rig->fake);
    WGPUCommandEncoder kept = fake_app_encoder(rig->fake);
    assert_true(wgpu_rig_pass(rec, encoder, "in time", 400));
    if (!wgpu_rig_pass(late, kept, "late", work)) {
        fake_app_drop(kept);
        kept = NULL;
    }
    fake_app_submit(rig->fake, encoder);
    if (before != NULL) { /* well within what the CPU saw of this frame */
        let_time_pass(world);
        fake_app_submit(rig->fake, before);
        let_time_pass(world);
    }
    passtime_submitted(rec);
    passtime_submitted(late);
    passtime_frame_end(rig->t, number);
    return kept;
}

static void stamps_of_the_frame_before_are_not_taken(void **state)
{
    (void)state;
    struct world world;
    WGPUCommandEncoder late = NULL;
    open_world(&world);
    for (uint32_t i = 0; i < 20; i++) {
        late = late_frame(&world, 500 + 100 * i, late);
        const passtime_frame *frame = wgpu_rig_next(&world.rig);
        assert_non_null(frame);
        assert_int_equal(frame->sample_count, 2);
        for (uint32_t s = 0; s < 2; s++) {
            const passtime_sample *sample = &frame->samples[s];
            const bool in_time = sample->name[0] == 'i';
            assert_int_equal(sample->verdict, in_time  ? PASSTIME_GOOD
                                              : i == 0 ? PASSTIME_NOT_EXECUTED
                                              : i == 1 ? PASSTIME_STALE
                                                       : PASSTIME_REFUSED);
        }
        let_time_pass(&world);
    }
    assert_null(late);
    const passtime_frame *frame = NULL;
    for (uint32_t i = 0; i < 50; i++) { /* In time again: with new queries they are timed. */
        static const char *const names[] = {"in time", "late"};
        static const uint64_t work[] = {400, 700};
        wgpu_rig_frame(&world.rig, 2, names, work);
        frame = wgpu_rig_next(&world.rig);
        let_time_pass(&world);
    }
    assert_non_null(frame);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_GOOD);
    assert_int_equal(frame->samples[1].duration_ns, 710);
    wgpu_rig_close(&world.rig);
}

/* A pass that never runs is no reason to suspect its slots, nor is the first run on slots that no
 * frame has asked for; and whoever runs beside it is timed. */
static void passes_that_never_run_are_not_suspected(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    for (uint32_t i = 0; i < 40; i++) {
        const uint64_t number = world.rig.number++;
        passtime_recorder *rec = passtime_frame_begin(world.rig.t, number);
        passtime_recorder *idle = passtime_recorder_begin(world.rig.t, number);
        WGPUCommandEncoder encoder = fake_app_encoder(world.rig.fake);
        WGPUCommandEncoder dropped = fake_app_encoder(world.rig.fake);
        assert_true(wgpu_rig_pass(idle, dropped, "never", 300));
        assert_true(wgpu_rig_pass(rec, encoder, "always", 400));
        fake_app_submit(world.rig.fake, encoder);
        fake_app_drop(dropped);
        passtime_submitted(idle);
        passtime_submitted(rec);
        passtime_frame_end(world.rig.t, number);
        const passtime_frame *frame = wgpu_rig_next(&world.rig);
        assert_non_null(frame);
        for (uint32_t s = 0; s < 2; s++) {
            const bool always = frame->samples[s].name[0] == 'a';
            assert_int_equal(frame->samples[s].verdict,
                             always ? PASSTIME_GOOD : PASSTIME_NOT_EXECUTED);
        }
        let_time_pass(&world);
    }
    wgpu_rig_close(&world.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamps_of_the_frame_before_are_not_taken),
        cmocka_unit_test(passes_that_never_run_are_not_suspected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
