/* SPDX-License-Identifier: MIT */
/* Frames at random on a scripted WebGPU device, faults at random: whatever counts are there are
 * exactly what the pass of that frame counted. Late commands come within a round of the ring, as
 * the header asks for no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_counted.h"

#include <cmocka.h>

enum { SEEDS = 40, ROUNDS = 400, PASSES = 4, KEPT = 4096 };

static const char *const names[PASSES] = {"a", "b", "c", "d"};

struct world {
    struct counted c;
    uint64_t random;
    bool stamps;
    uint32_t counted[KEPT][PASSES]; /* by frame number: what each pass counted */
    WGPUCommandEncoder late;        /* to be submitted after its frame was ended */
    uint64_t there;
    uint64_t missing;
};

static uint32_t draw(struct world *w, uint32_t below)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(w->random >> 33) % below;
}

static bool chance(struct world *w, uint32_t one_in)
{
    return draw(w, one_in) == 0;
}

static void check(struct world *w, const passtime_frame *frame)
{
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        uint64_t counts[COUNTERS];
        const passtime_counts_state state = passtime_counts(w->c.rig.t, frame, i, counts, COUNTERS);
        if (state != PASSTIME_COUNTS_THERE) {
            w->missing++;
            continue;
        }
        const uint32_t pass = (uint32_t)(frame->samples[i].name[0] - 'a');
        assert_true(pass < PASSES);
        const uint32_t base = w->counted[frame->number % KEPT][pass];
        for (uint32_t k = 0; k < COUNTERS; k++)
            assert_int_equal(counts[k], base > 0 ? (uint64_t)base + k : 0);
        w->there++;
    }
}

static void take(struct world *w)
{
    const passtime_frame *frame;
    fake_fire(w->c.rig.fake);
    passtime_collect(w->c.rig.t);
    while (passtime_next(w->c.rig.t, &frame) == PASSTIME_OK)
        check(w, frame);
}

static void faults(struct world *w)
{
    struct fake *fake = w->c.rig.fake;
    fake->fail_maps = chance(w, 12) ? 1 + draw(w, 2) : 0;
    fake->fail_finishes = chance(w, 12) ? 1 + draw(w, 2) : 0;
    fake->hold_gpu = chance(w, 4) ? chance(w, 2) : fake->hold_gpu;
    fake->hold_maps = chance(w, 6) ? chance(w, 2) : fake->hold_maps;
    if (!fake->hold_gpu)
        fake_run(fake);
    fake->cpu_ns += chance(w, 40) ? 5000000 : 1000; /* now and then longer than timeout_ns */
}

static WGPUCommandEncoder record(struct world *w, passtime_recorder *rec, uint64_t number)
{
    WGPUCommandEncoder encoder = fake_app_encoder(w->c.rig.fake);
    const uint32_t count = draw(w, PASSES + 1);
    for (uint32_t pass = 0; pass < count; pass++) {
        if (chance(w, 5)) {
            wgpu_rig_pass(rec, encoder, names[pass], 10);
        } else {
            const uint32_t base = chance(w, 8) ? 0 : 1 + draw(w, 1000000);
            w->counted[number % KEPT][pass] = base;
            counted_pass(&w->c, rec, encoder, names[pass], base);
        }
    }
    return encoder;
}

static void submit_late(struct world *w)
{
    if (w->late != NULL)
        fake_app_submit(w->c.rig.fake, w->late);
    w->late = NULL;
}

static void frame(struct world *w)
{
    const uint64_t number = w->c.rig.number++;
    passtime_recorder *rec = passtime_frame_begin(w->c.rig.t, number);
    WGPUCommandEncoder encoder = record(w, rec, number);
    const uint32_t fate = draw(w, 12);
    submit_late(w);
    if (fate == 0) {
        fake_app_drop(encoder);
        passtime_discarded(rec);
    } else if (fate == 1) {
        fake_app_submit(w->c.rig.fake, encoder); /* against the rule */
        passtime_discarded(rec);
    } else if (fate == 2 && !w->stamps) {
        w->late = encoder; /* against the rule, where no stamp gives it away */
        passtime_submitted(rec);
    } else {
        fake_app_submit(w->c.rig.fake, encoder);
        passtime_submitted(rec);
    }
    passtime_frame_end(w->c.rig.t, number);
}

static void run(uint64_t seed, bool stamps, uint64_t *there, uint64_t *missing)
{
    static struct world w;
    memset(&w, 0, sizeof w);
    w.random = seed * 977 + stamps;
    w.stamps = stamps;
    counted_setup(&w.c);
    w.c.rig.gpu.flags = !stamps         ? PASSTIME_WEBGPU_FORCE_CPU
                        : seed % 2 == 0 ? PASSTIME_WEBGPU_DEFER_RESOLVE
                                        : 0;
    w.c.rig.desc.frames_in_flight = 1 + draw(&w, 4);
    w.c.rig.desc.timeout_ns = 4000000;
    counted_open(&w.c);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        faults(&w);
        frame(&w);
        if (!chance(&w, 3))
            take(&w);
    }
    submit_late(&w);
    w.c.rig.fake->hold_gpu = w.c.rig.fake->hold_maps = false;
    fake_run(w.c.rig.fake);
    take(&w);
    *there += w.there;
    *missing += w.missing;
    wgpu_rig_close(&w.c.rig);
}

static void whatever_is_there_is_exact(void **state)
{
    (void)state;
    for (int stamps = 0; stamps < 2; stamps++) {
        uint64_t there = 0, missing = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            run(seed, stamps, &there, &missing);
        print_message("%s stamps: %llu there, %llu not\n", stamps ? "with" : "without",
                      (unsigned long long)there, (unsigned long long)missing);
        assert_true(there > SEEDS * 20 && missing > SEEDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_there_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
