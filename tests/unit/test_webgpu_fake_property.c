/* SPDX-License-Identifier: MIT */
/*
 * Random mixes of everything that can go wrong on a WebGPU device. Every pass works for a time of
 * its own, so a sample that is good and not exactly that is a false one: there must be none, ever.
 * And when the faults end, all passes are timed again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/wgpu_rig.h"

#include <cmocka.h>

enum { PASSES = 24, RECORDERS = 3, FRAMES = 600, LATE = 16, SEEDS = 40 };

/* What the passes of a frame truly took, by the number in their name; 0: the GPU never ran it in
 * time. */
struct truth {
    uint64_t ns[PASSES];
};

struct late {
    WGPUCommandEncoder encoder;
    passtime_recorder *rec; /* not finished yet, or NULL */
};

struct world {
    struct wgpu_rig rig;
    uint64_t random;
    uint64_t work; /* of the next pass, ticks: grows, so that no two are alike */
    bool faults;
    bool rides;
    struct truth *truths; /* by frame number */
    struct late late[LATE];
    uint64_t good;
    uint64_t bad;
};

static uint32_t roll(struct world *world, uint32_t sides)
{
    world->random ^= world->random << 13;
    world->random ^= world->random >> 7;
    world->random ^= world->random << 17;
    return (uint32_t)((world->random >> 20) % sides);
}

static bool one_in(struct world *world, uint32_t times)
{
    return world->faults && roll(world, times) == 0;
}

static void check(struct world *world, const passtime_frame *frame)
{
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        assert_int_equal(sample->name[0], 'p');
        const uint64_t truth = world->truths[frame->number].ns[atoi(sample->name + 1)];
        if (!passtime_is_good(sample->verdict)) {
            world->bad++;
            continue;
        }
        world->good++;
        if (truth == 0 || sample->duration_ns != truth) {
            fail_msg("frame %llu, %s: %llu ns was said, %llu is true",
                     (unsigned long long)frame->number, sample->name,
                     (unsigned long long)sample->duration_ns, (unsigned long long)truth);
        }
    }
}

static void take_all(struct world *world)
{
    const passtime_frame *frame;
    fake_fire(world->rig.fake);
    while (passtime_next(world->rig.t, &frame) == PASSTIME_OK) {
        check(world, frame);
    }
}

/* Sends or drops an encoder that is late, and finishes the recorder that waited with it. */
static void settle_late(struct world *world, struct late *late)
{
    if (late->encoder != NULL && roll(world, 2) == 0) {
        fake_app_submit(world->rig.fake, late->encoder);
    } else if (late->encoder != NULL) {
        fake_app_drop(late->encoder);
    }
    passtime_submitted(late->rec);
    *late = (struct late){NULL, NULL};
}

static void keep_late(struct world *world, WGPUCommandEncoder encoder, passtime_recorder *rec)
{
    struct late *late = &world->late[roll(world, LATE)];
    settle_late(world, late);
    *late = (struct late){encoder, rec};
}

/* A group inside a pass, which may lack its end. */
static void record_group(struct world *world, passtime_recorder *rec, WGPUCommandEncoder encoder,
                         const char *name, uint64_t work)
{
    WGPURenderPassEncoder pass = fake_app_render(encoder, NULL);
    passtime_webgpu_begin_in_render(rec, pass, name);
    fake_app_draw(pass, work);
    if (!one_in(world, 20)) {
        passtime_webgpu_end_in_render(rec, pass);
    }
    fake_app_render_end(pass);
}

/* Records passes number `first` to `last` in an encoder, and does with it what may be done with
 * one. */
static void record(struct world *world, uint64_t number, passtime_recorder *rec, uint32_t first,
                   uint32_t last)
{
    struct fake *fake = world->rig.fake;
    struct truth *truth = &world->truths[number];
    WGPUCommandEncoder encoder = fake_app_encoder(fake);
    for (uint32_t i = first; i < last; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%u", i);
        truth->ns[i] = world->work + fake->step_ticks;
        if (roll(world, 4) == 0) {
            record_group(world, rec, encoder, name, world->work);
        } else {
            wgpu_rig_pass(rec, encoder, name, world->work);
        }
        world->work++;
    }
    if (world->rides && !one_in(world, 40)) {
        passtime_webgpu_ride(rec, encoder);
    }
    const uint32_t fault = world->faults ? roll(world, 24) : 24;
    if (fault > 3 || (world->rides && fault > 1)) {
        fake_app_submit(fake, encoder);
        passtime_submitted(rec);
        return;
    }
    if (fault < 2) {
        memset(truth->ns + first, 0, (last - first) * sizeof truth->ns[0]);
    }
    if (fault == 0) {
        fake_app_drop(encoder);
        passtime_submitted(rec);
    } else if (fault == 1) {
        fake_app_drop(encoder);
        passtime_discarded(rec);
    } else if (fault == 2) {
        passtime_submitted(rec);
        keep_late(world, encoder, NULL);
    } else {
        keep_late(world, encoder, rec);
    }
}

static void run_frame(struct world *world)
{
    const uint64_t number = world->rig.number++;
    passtime_recorder *recs[RECORDERS] = {passtime_frame_begin(world->rig.t, number)};
    const uint32_t count = 1 + roll(world, RECORDERS);
    for (uint32_t i = 1; i < count; i++) {
        recs[i] = passtime_recorder_begin(world->rig.t, number);
    }
    const uint32_t passes = roll(world, PASSES / RECORDERS + 1);
    for (uint32_t i = 0; i < count; i++) {
        record(world, number, recs[i], i * passes, (i + 1) * passes);
    }
    passtime_frame_end(world->rig.t, number);
}

static void stir(struct world *world)
{
    struct fake *fake = world->rig.fake;
    fake->gpu_ticks += roll(world, 3) == 0 ? 20000000 : 1000 * roll(world, 200);
    fake->hold_gpu = one_in(world, 3);
    fake->hold_maps = one_in(world, 5);
    fake->hold_scopes = one_in(world, 7);
    fake->fail_maps = one_in(world, 30);
    fake->fail_finishes = one_in(world, 60);
    fake->null_buffers = one_in(world, 60);
    fake->fail_sets_from = one_in(world, 20) ? fake->sets_made + 1 : 0;
    fake->fail_sets_to = fake->fail_sets_from;
    if (one_in(world, 150)) {
        fake->gpu_ticks += 11000000000;
    }
    if (one_in(world, 4)) {
        settle_late(world, &world->late[roll(world, LATE)]);
    }
    if (roll(world, 2) == 0) {
        fake_run(fake);
    }
}

static void end_faults(struct world *world)
{
    world->faults = false;
    stir(world);
    for (uint32_t i = 0; i < LATE; i++) {
        settle_late(world, &world->late[i]);
    }
    fake_run(world->rig.fake);
    for (int i = 0; i < 10; i++) {
        take_all(world);
    }
}

/* After quiet frames enough for queries to be made anew, everything is good again. */
static void expect_health(struct world *world)
{
    for (uint32_t i = 0; i < 6000; i++) {
        run_frame(world);
        world->rig.fake->gpu_ticks += 16000000;
        take_all(world);
    }
    passtime_reset_stats(world->rig.t);
    for (uint32_t i = 0; i < 100; i++) {
        run_frame(world);
        take_all(world);
        world->rig.fake->gpu_ticks += 16000000;
    }
    for (uint32_t i = 0; i < 10; i++) {
        take_all(world);
    }
    const passtime_ledger ledger = wgpu_rig_ledger(&world->rig);
    for (int i = 2; i < PASSTIME_VERDICT_COUNT; i++) {
        assert_int_equal(ledger.verdicts[i], 0);
    }
    assert_int_equal(ledger.verdicts[0] + ledger.verdicts[1], ledger.passes_recorded);
    assert_true(ledger.passes_recorded > 200);
}

static void run_world(uint64_t seed, uint32_t flags)
{
    struct world world = {.random = seed * 0x9E3779B97F4A7C15u + 1, .work = 1000, .faults = true};
    wgpu_rig_setup(&world.rig);
    world.rig.gpu.flags = flags;
    world.rig.fake->has_inside_native = true;
    world.rig.gpu.write_in_render = fake_write_in_render;
    world.rig.desc.max_passes = PASSES;
    world.rig.desc.output_frames = 64;
    world.rig.desc.frames_in_flight = 1 + (uint32_t)(seed % 4);
    world.rides = (flags & PASSTIME_WEBGPU_RIDE) != 0;
    world.truths = calloc(FRAMES + 10000, sizeof *world.truths);
    assert_non_null(world.truths);
    wgpu_rig_open(&world.rig);
    world.rig.number = 0;
    for (uint32_t i = 0; i < FRAMES; i++) {
        run_frame(&world);
        stir(&world);
        if (roll(&world, 3) != 0) {
            take_all(&world);
        }
    }
    end_faults(&world);
    const passtime_ledger ledger = wgpu_rig_ledger(&world.rig);
    uint64_t verdicts = 0;
    for (int i = 0; i < PASSTIME_VERDICT_COUNT; i++) {
        verdicts += ledger.verdicts[i];
    }
    assert_int_equal(ledger.frames_in_flight, 0);
    assert_int_equal(verdicts, ledger.passes_recorded);
    assert_true(world.good > 0 && world.bad > 0);
    expect_health(&world);
    wgpu_rig_close(&world.rig);
    free(world.truths);
}

static void no_false_sample_in_submissions_of_ours(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run_world(seed, seed % 3 == 0 ? PASSTIME_WEBGPU_DEFER_RESOLVE : 0);
    }
}

static void no_false_sample_in_rides(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run_world(seed, PASSTIME_WEBGPU_RIDE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_false_sample_in_submissions_of_ours),
        cmocka_unit_test(no_false_sample_in_rides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
