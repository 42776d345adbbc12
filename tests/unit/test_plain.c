/* SPDX-License-Identifier: MIT */
/*
 * The short way for plain frames against the long way for any frame: two contexts are fed the same
 * random frames, one of them with an availability byte for every tick, which takes the long way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "unit/rig.h"

enum { PASSES = 12, FRAMES = 400 };

/* A clock, and how wild the frames on it are. */
struct setting {
    uint32_t valid_bits;
    uint64_t num;
    uint64_t den;
    uint64_t quantum_ticks;
    uint32_t jump_every; /* the clock is reset once in so many frames; 0: never */
};

static const struct setting settings[] = {
    {64, 1, 1, 1, 0},      {64, 1, 1, 1, 20},         {64, 1, 1, 65536, 0},
    {36, 1, 1, 1, 0},      {32, 250, 3, 1, 30},       {48, 5864062014805333, 70368744177664, 1, 0},
    {64, 3, 2, 1, 7},      {64, 1, 16, 1, 0},         {40, 1000, 12, 100, 15},
    {64, 125, 3, 8192, 9}, {33, 4096, 4095, 1, 1000},
};

struct world {
    struct setting setting;
    uint64_t random;
    uint64_t base_ticks;
    struct rig shortly;
    struct rig fully;
};

static uint64_t below(struct world *w, uint64_t limit)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (w->random >> 8) % limit;
}

static void open_world(struct world *w, const struct setting *setting)
{
    struct rig *rigs[] = {&w->shortly, &w->fully};
    w->setting = *setting;
    w->random = 88172645463325252u + setting->valid_bits;
    w->base_ticks = 1000000007u;
    for (uint32_t i = 0; i < 2; i++) {
        rig_init(rigs[i]);
        rigs[i]->desc.max_passes = PASSES;
        rigs[i]->feed.valid_bits = setting->valid_bits;
        rigs[i]->feed.tick_ns_num = setting->num;
        rigs[i]->feed.tick_ns_den = setting->den;
        rig_open(rigs[i]);
    }
}

static uint64_t stamp(const struct world *w, double ns)
{
    uint64_t ticks =
        w->base_ticks + (uint64_t)(ns * (double)w->setting.den / (double)w->setting.num);
    ticks -= ticks % w->setting.quantum_ticks;
    return w->setting.valid_bits < 64 ? ticks & ((UINT64_C(1) << w->setting.valid_bits) - 1)
                                      : ticks;
}

/* Passes in order or not, apart, touching or overlapping, mostly within what the CPU saw. */
static uint32_t make_ticks(struct world *w, uint64_t *ticks)
{
    uint32_t count = 1 + (uint32_t)below(w, PASSES);
    double start_ns = (double)w->shortly.now_ns + (double)below(w, 500000);
    uint64_t most_ns = below(w, 20) == 0 ? 30000000 : 400000;
    for (uint32_t i = 0; i < count; i++) {
        double begin_ns = start_ns + (double)below(w, 3000000);
        ticks[2 * i] = stamp(w, begin_ns);
        ticks[2 * i + 1] = stamp(w, begin_ns + (double)below(w, most_ns));
        if (ticks[2 * i] == 0 || ticks[2 * i + 1] == 0) {
            ticks[2 * i] = ticks[2 * i + 1] = 1;
        }
    }
    return count;
}

static void feed(struct rig *rig, const uint64_t *ticks, uint32_t count, bool fully)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    uint8_t available[2 * PASSES];
    passtime_recorder *rec = rig_begin(rig);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(passtime_feed_pass(rec, names[i % 4]), i);
    }
    passtime_submitted(rec);
    assert_int_equal(passtime_frame_end(rig->t, rig->frame - 1), PASSTIME_OK);
    rig->now_ns += 8000000;
    memset(available, 1, sizeof available);
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.ticks = ticks;
    results.tick_count = 2 * count;
    results.available = fully ? available : NULL;
    assert_int_equal(passtime_feed_results_ready(rig->t, rig->frame - 1, &results), PASSTIME_OK);
}

static void expect_same_sample(const passtime_sample *a, const passtime_sample *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->series, b->series);
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->clock_epoch, b->clock_epoch);
    assert_int_equal(a->begin_ns, b->begin_ns);
    assert_int_equal(a->end_ns, b->end_ns);
    assert_int_equal(a->duration_ns, b->duration_ns);
    assert_int_equal(a->exclusive_ns, b->exclusive_ns);
    assert_int_equal(a->attributed_ns, b->attributed_ns);
}

static void expect_same_frame(const passtime_frame *a, const passtime_frame *b)
{
    assert_int_equal(a->fate, b->fate);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->clock_epoch, b->clock_epoch);
    assert_int_equal(a->busy_ns, b->busy_ns);
    assert_int_equal(a->span_ns, b->span_ns);
    assert_int_equal(a->sum_ns, b->sum_ns);
    assert_int_equal(a->align_offset_ns, b->align_offset_ns);
    assert_int_equal(a->align_bound_ns, b->align_bound_ns);
    assert_int_equal(a->sample_count, b->sample_count);
    for (uint32_t i = 0; i < a->sample_count; i++) {
        expect_same_sample(&a->samples[i], &b->samples[i]);
    }
}

static void both_ways_agree(void **state)
{
    (void)state;
    static struct world w;
    for (uint32_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        open_world(&w, &settings[s]);
        for (uint32_t f = 0; f < FRAMES; f++) {
            uint64_t ticks[2 * PASSES];
            if (w.setting.jump_every != 0 && below(&w, w.setting.jump_every) == 0) {
                w.base_ticks += below(&w, UINT64_C(1) << 40);
            }
            uint32_t count = make_ticks(&w, ticks);
            feed(&w.shortly, ticks, count, false);
            feed(&w.fully, ticks, count, true);
            expect_same_frame(rig_next(&w.shortly), rig_next(&w.fully));
        }
        passtime_ledger a = rig_ledger(&w.shortly);
        passtime_ledger b = rig_ledger(&w.fully);
        assert_memory_equal(&a, &b, sizeof a);
        rig_close(&w.shortly);
        rig_close(&w.fully);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_ways_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
