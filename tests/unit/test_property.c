/* SPDX-License-Identifier: MIT */
/*
 * A simulated GPU with slots that keep what was last written to them, under random mixes of every
 * fault. Two properties: no false sample (a good one is just what the GPU did), and nothing is lost
 * silently (fates and verdicts add up to what was begun and recorded).
 */
#include "unit/rig.h"

#include "core/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ENTRIES = 4, PAIRS = 12, LATE_MAX = 64, FRAMES = 20000, KEPT = 64 };

enum fault {
    FAULT_NONE,
    FAULT_ZERO,
    FAULT_HALF,
    FAULT_DROPPED,
    FAULT_LATE,
    FAULT_BACKWARD,
    FAULT_COUNT
};

struct truth {
    bool ran;             /* in time, whole and forward */
    uint64_t duration_ns; /* as its two rounded stamps say */
};

struct frame_truth {
    uint64_t number;
    uint32_t entry;
    uint32_t pairs;
    bool resolved;
    passtime_feed_status status;
    uint64_t slots[2 * PAIRS]; /* as they were at the resolve */
    struct truth truth[PAIRS];
};

/* Work that runs after the resolve of its frame. */
struct late_write {
    uint32_t entry;
    uint32_t slot;
    uint64_t ticks;
};

struct world {
    struct rig rig;
    uint64_t random;
    uint32_t fault_percent;
    uint64_t gpu_offset_ns;
    uint64_t quantum_ns;
    uint64_t mask;
    uint64_t num;
    uint64_t den;
    uint64_t slots[ENTRIES][2 * PAIRS];
    struct late_write late[LATE_MAX];
    uint32_t late_count;
    struct frame_truth kept[KEPT]; /* by number modulo KEPT */
    uint64_t false_samples;
    uint64_t good_samples;
    uint64_t true_passes;
};

static uint64_t draw(struct world *w, uint64_t below)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return w->random % below;
}

static bool chance(struct world *w, uint32_t percent)
{
    return draw(w, 100) < percent;
}

/* What the GPU writes at a CPU time: rounded down to the quantum, in ticks, wrapped. */
static uint64_t stamp(const struct world *w, uint64_t cpu_ns)
{
    uint64_t ns = cpu_ns + w->gpu_offset_ns;
    ns -= ns % w->quantum_ns;
    return ns * w->den / w->num & w->mask;
}

static uint64_t scaled(const struct world *w, uint64_t begin, uint64_t end)
{
    uint64_t ticks = (end - begin) & w->mask;
    return (ticks * w->num * 2 + w->den) / (2 * w->den);
}

static void run_late_work(struct world *w)
{
    for (uint32_t i = 0; i < w->late_count; i++) {
        w->slots[w->late[i].entry][w->late[i].slot] = w->late[i].ticks;
    }
    w->late_count = 0;
}

static enum fault draw_fault(struct world *w)
{
    return chance(w, w->fault_percent) ? (enum fault)draw(w, FAULT_COUNT) : FAULT_NONE;
}

/* The GPU runs one pass from `at_ns` for `length_ns`, or what the fault makes of it. */
static void run_pass(struct world *w, struct frame_truth *f, uint32_t pair, uint64_t at_ns,
                     uint64_t length_ns)
{
    uint64_t begin = stamp(w, at_ns);
    uint64_t end = stamp(w, at_ns + length_ns);
    uint64_t *slot = &w->slots[f->entry][2 * pair];
    enum fault fault = draw_fault(w);
    f->truth[pair] = (struct truth){fault == FAULT_NONE, scaled(w, begin, end)};
    if (fault == FAULT_NONE) {
        slot[0] = begin;
        slot[1] = end;
    } else if (fault == FAULT_ZERO) {
        slot[0] = slot[1] = 0;
    } else if (fault == FAULT_HALF) {
        slot[chance(w, 50)] = chance(w, 50) ? 0 : begin;
        f->truth[pair].ran = slot[0] == begin && slot[1] == end;
    } else if (fault == FAULT_LATE && w->late_count + 2 <= LATE_MAX) {
        w->late[w->late_count++] = (struct late_write){f->entry, 2 * pair, begin};
        w->late[w->late_count++] = (struct late_write){f->entry, 2 * pair + 1, end};
    } else if (fault == FAULT_BACKWARD) {
        slot[0] = begin;
        slot[1] = stamp(w, at_ns - 1 - w->quantum_ns - draw(w, 1000000));
    }
}

static struct frame_truth *record_frame(struct world *w)
{
    struct rig *rig = &w->rig;
    passtime_recorder *rec = rig_begin(rig);
    struct frame_truth *f = &w->kept[(rig->frame - 1) % KEPT];
    memset(f, 0, sizeof(*f));
    f->number = rig->frame - 1;
    if (rec == NULL) {
        return f;
    }
    f->entry = passtime_front_recorder_entry(rec);
    uint64_t at_ns = rig->now_ns + draw(w, 3000000);
    uint32_t passes = (uint32_t)draw(w, PAIRS + 2);
    bool discard = chance(w, w->fault_percent / 4); /* Then the GPU sees nothing of it. */
    for (uint32_t p = 0; p < passes; p++) {
        uint64_t length_ns = draw(w, chance(w, 50) ? 3000 : 900000);
        uint32_t pair = passtime_feed_pass(rec, "p");
        if (pair != PASSTIME_NONE) {
            f->pairs++;
        }
        if (pair != PASSTIME_NONE && !discard) {
            run_pass(w, f, pair, at_ns, length_ns);
        }
        at_ns += length_ns + draw(w, 2000);
    }
    if (discard) {
        passtime_discarded(rec);
    } else {
        passtime_submitted(rec);
    }
    passtime_frame_end(rig->t, f->number);
    f->resolved = !discard && f->pairs > 0;
    memcpy(f->slots, w->slots[f->entry], sizeof(f->slots));
    run_late_work(w);
    return f;
}

static void deliver(struct world *w, struct frame_truth *f)
{
    if (!f->resolved) {
        return;
    }
    f->status = PASSTIME_FEED_OK;
    if (chance(w, w->fault_percent / 4)) {
        f->status = (passtime_feed_status)draw(w, 5);
    }
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.status = f->status;
    results.ticks = f->slots;
    results.tick_count = 2 * f->pairs;
    /* Given up meanwhile (timed out) is legal. */
    (void)passtime_feed_results_ready(w->rig.t, f->number, &results);
}

static void check_frames(struct world *w)
{
    const passtime_frame *frame = NULL;
    while (passtime_next(w->rig.t, &frame) == PASSTIME_OK) {
        const struct frame_truth *f = &w->kept[frame->number % KEPT];
        assert_int_equal(f->number, frame->number);
        for (uint32_t i = 0; i < frame->sample_count; i++) {
            const passtime_sample *s = &frame->samples[i];
            if (!passtime_is_good(s->verdict)) {
                assert_int_equal(s->duration_ns, 0);
                continue;
            }
            w->good_samples++;
            bool right = f->truth[i].ran && f->status == PASSTIME_FEED_OK &&
                         s->duration_ns == f->truth[i].duration_ns;
            w->false_samples += !right;
        }
    }
}

static void run_world(uint64_t seed, uint32_t fault_percent, uint64_t quantum_ns, uint32_t bits,
                      uint64_t num, uint64_t den)
{
    struct world *w = calloc(1, sizeof(*w));
    assert_non_null(w);
    rig_init(&w->rig);
    w->random = seed;
    w->fault_percent = fault_percent;
    w->quantum_ns = quantum_ns;
    w->mask = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    w->num = num;
    w->den = den;
    w->gpu_offset_ns = 3600000000000u;
    w->rig.desc.frames_in_flight = ENTRIES;
    w->rig.desc.max_passes = PAIRS;
    w->rig.desc.timeout_ns = 500000000;
    w->rig.feed.valid_bits = bits;
    w->rig.feed.tick_ns_num = num;
    w->rig.feed.tick_ns_den = den;
    rig_open(&w->rig);
    struct frame_truth *pending[2] = {NULL, NULL};
    for (uint32_t i = 0; i < FRAMES; i++) {
        struct frame_truth *f = record_frame(w);
        w->rig.now_ns += 20000000;
        if (pending[1] != NULL && !chance(w, w->fault_percent / 10)) {
            deliver(w, pending[1]);
        }
        pending[1] = pending[0];
        pending[0] = f;
        check_frames(w);
    }
    rig_check_ledger(&w->rig);
    assert_int_equal(w->false_samples, 0);
    assert_true(w->good_samples > (fault_percent < 50 ? 20000 : 1000)); /* The test has teeth. */
    rig_close(&w->rig);
    free(w);
}

static void no_faults(void **state)
{
    (void)state;
    run_world(1, 0, 1, 64, 1, 1);
    run_world(2, 0, 65536, 64, 1, 1);
    run_world(3, 0, 1, 36, 1, 1);
}

static void some_faults(void **state)
{
    (void)state;
    run_world(11, 5, 1, 64, 1, 1);
    run_world(12, 20, 65536, 64, 1, 1);
    run_world(13, 20, 100000, 64, 1, 1);
    run_world(14, 20, 1, 36, 1, 1);
    run_world(15, 20, 1, 48, 625, 12);
}

static void mostly_faults(void **state)
{
    (void)state;
    run_world(21, 80, 1, 64, 1, 1);
    run_world(22, 80, 65536, 64, 1, 1);
    run_world(23, 80, 1, 40, 8333, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_faults),
        cmocka_unit_test(some_faults),
        cmocka_unit_test(mostly_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
