/* SPDX-License-Identifier: MIT */
/* The simulated GPU with faults, and the check of what Passtime makes of it. */
#include "unit/faulty.h"

#include "core/backend.h"

#include <passtime/feed.h>

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 4, PAIRS = 12, LATE_MAX = 64, KEPT = 64 };

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
    struct faulty_gpu gpu;
    struct faulty_outcome out;
    passtime *t;
    uint64_t now_ns;
    uint64_t next; /* frame */
    uint64_t random;
    uint64_t gpu_offset_ns;
    uint64_t mask;
    uint64_t slots[ENTRIES][2 * PAIRS];
    struct late_write late[LATE_MAX];
    uint32_t late_count;
    struct frame_truth kept[KEPT]; /* by number modulo KEPT */
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
    ns -= ns % w->gpu.quantum_ns;
    return ns * w->gpu.tick_ns_den / w->gpu.tick_ns_num & w->mask;
}

static uint64_t scaled(const struct world *w, uint64_t begin, uint64_t end)
{
    uint64_t ticks = (end - begin) & w->mask;
    return (ticks * w->gpu.tick_ns_num * 2 + w->gpu.tick_ns_den) / (2 * w->gpu.tick_ns_den);
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
    return chance(w, w->gpu.fault_percent) ? (enum fault)draw(w, FAULT_COUNT) : FAULT_NONE;
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
        /* By a quantum and a tick at least, or both stamps would be the same true ones. */
        uint64_t step_ns = w->gpu.quantum_ns + w->gpu.tick_ns_num / w->gpu.tick_ns_den + 1;
        slot[0] = begin;
        slot[1] = stamp(w, at_ns - step_ns - draw(w, 1000000));
    }
}

static struct frame_truth *record_frame(struct world *w)
{
    w->now_ns += 16000000;
    uint64_t number = w->next++;
    passtime_recorder *rec = passtime_frame_begin(w->t, number);
    struct frame_truth *f = &w->kept[number % KEPT];
    memset(f, 0, sizeof(*f));
    f->number = number;
    if (rec == NULL) {
        return f;
    }
    f->entry = passtime_front_recorder_entry(rec);
    uint64_t at_ns = w->now_ns + draw(w, 3000000);
    uint32_t passes = (uint32_t)draw(w, PAIRS + 2);
    bool discard = chance(w, w->gpu.fault_percent / 4); /* Then the GPU sees nothing of it. */
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
    passtime_frame_end(w->t, f->number);
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
    if (chance(w, w->gpu.fault_percent / 4)) {
        f->status = (passtime_feed_status)draw(w, 5);
    }
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.status = f->status;
    results.ticks = f->slots;
    results.tick_count = 2 * f->pairs;
    /* Given up meanwhile (timed out) is legal. */
    (void)passtime_feed_results_ready(w->t, f->number, &results);
}

static bool is_true(const struct frame_truth *f, uint32_t index, const passtime_sample *s)
{
    return f->truth[index].ran && f->status == PASSTIME_FEED_OK &&
           s->duration_ns == f->truth[index].duration_ns;
}

static void check_frames(struct world *w)
{
    const passtime_frame *frame = NULL;
    while (passtime_next(w->t, &frame) == PASSTIME_OK) {
        const struct frame_truth *f = &w->kept[frame->number % KEPT];
        bool known = f->number == frame->number;
        for (uint32_t i = 0; i < frame->sample_count; i++) {
            const passtime_sample *s = &frame->samples[i];
            bool good = passtime_is_good(s->verdict);
            w->out.good_samples += good;
            w->out.rejected_samples += !good;
            w->out.false_samples += good ? !known || !is_true(f, i, s) : s->duration_ns != 0;
        }
    }
}

static bool books_balance(passtime *t)
{
    passtime_ledger ledger;
    if (passtime_get_ledger(t, &ledger) != PASSTIME_OK) {
        return false;
    }
    uint64_t frames = ledger.frames_in_flight;
    uint64_t passes = ledger.passes_in_flight;
    for (uint32_t i = 0; i < PASSTIME_FATE_COUNT; i++) {
        frames += ledger.fates[i];
    }
    for (uint32_t i = 0; i < PASSTIME_VERDICT_COUNT; i++) {
        passes += ledger.verdicts[i];
    }
    return frames == ledger.frames_seen && passes == ledger.passes_recorded;
}

static uint64_t world_clock(void *user)
{
    return ((const struct world *)user)->now_ns;
}

static passtime *open_context(struct world *w)
{
    passtime *t = NULL;
    passtime_feed_desc feed = PASSTIME_FEED_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    desc.clock = world_clock;
    desc.clock_user = w;
    desc.seed = 12345;
    desc.frames_in_flight = ENTRIES;
    desc.max_passes = PAIRS;
    desc.timeout_ns = 500000000;
    feed.valid_bits = w->gpu.valid_bits;
    feed.tick_ns_num = w->gpu.tick_ns_num;
    feed.tick_ns_den = w->gpu.tick_ns_den;
    (void)passtime_create_feed(&feed, &desc, &t);
    return t;
}

static void run(struct world *w, uint32_t frames)
{
    struct frame_truth *pending[2] = {NULL, NULL};
    for (uint32_t i = 0; i < frames; i++) {
        struct frame_truth *f = record_frame(w);
        w->now_ns += 20000000;
        if (pending[1] != NULL && !chance(w, w->gpu.fault_percent / 10)) {
            deliver(w, pending[1]);
        }
        pending[1] = pending[0];
        pending[0] = f;
        check_frames(w);
    }
}

struct faulty_outcome faulty_run(const struct faulty_gpu *gpu, uint64_t seed, uint32_t frames)
{
    struct faulty_outcome none = {0};
    struct world *w = calloc(1, sizeof(*w));
    if (w == NULL) {
        return none;
    }
    w->gpu = *gpu;
    w->now_ns = 1000000000;
    w->random = seed;
    w->mask = gpu->valid_bits == 64 ? UINT64_MAX : (UINT64_C(1) << gpu->valid_bits) - 1;
    w->gpu_offset_ns = 3600000000000u;
    w->t = open_context(w);
    if (w->t != NULL) {
        run(w, frames);
        w->out.books_balance = books_balance(w->t);
    }
    struct faulty_outcome out = w->out;
    passtime_destroy(&w->t);
    free(w);
    return out;
}
