/* SPDX-License-Identifier: MIT */
/* What happens to a frame after it was recorded: resolve, poll, judge. One collector at a time. */
#include "core/context.h"

#include "core/counts.h"

/* A recorder unfinished for so many frames is taken to be forgotten; its entry rests until it is
 * not. */
enum { QUARANTINE_FRAMES = 64 };

enum { WANTED_FRAMES = 128 };

/* Will the GPU have written both stamps of this pair once its work is done? */
static inline bool is_written(const struct passtime_recorder *recorders,
                              const struct passtime_pass *pass)
{
    return pass->state == PASSTIME_PASS_DONE &&
           atomic_load_explicit(&recorders[pass->recorder].state, memory_order_relaxed) ==
               PASSTIME_RECORDER_SUBMITTED;
}

/* The stretches of pairs that are written; nothing else may be resolved (cases BR-03). */
static uint32_t find_runs(const struct passtime_entry *e, struct passtime_run *runs)
{
    const struct passtime_recorder *recorders = e->recorder_pool;
    const struct passtime_pass *passes = e->passes;
    const uint32_t end = passtime_handed_out(e);
    uint32_t count = 0;
    for (uint32_t pair = 0; pair < end; pair++) {
        uint32_t first = pair;
        while (pair < end && is_written(recorders, &passes[pair])) {
            pair++;
        }
        if (pair > first) {
            runs[count++] = (struct passtime_run){first, pair - first};
        }
    }
    return count;
}

static void free_entry(struct passtime_entry *e)
{
    for (uint32_t i = 0; i < atomic_load_explicit(&e->recorders, memory_order_relaxed); i++) {
        atomic_store_explicit(&e->recorder_pool[i].state, PASSTIME_RECORDER_FREE,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&e->state, PASSTIME_ENTRY_FREE, memory_order_release);
}

static void judge(passtime *t, struct passtime_entry *e, const struct passtime_raw *raw,
                  passtime_verdict verdict)
{
    passtime_lock_take(&t->results_lock);
    passtime_assemble(t, e, raw, verdict);
    passtime_lock_give(&t->results_lock);
}

/* Ends an entry that brings no results. */
static void give_up(passtime *t, struct passtime_entry *e, passtime_verdict verdict)
{
    struct passtime_raw none = {.state = PASSTIME_RAW_NOT_READY};
    passtime_counts_ask(t, e->index, &none);
    judge(t, e, &none, verdict);
    t->ops->entry_abandon(t->self, e->index);
    free_entry(e);
}

/* What frames need is the most of the last WANTED_FRAMES to twice as many: one odd frame is
 * forgotten. */
static void note_wanted(passtime *t, const struct passtime_entry *e)
{
    uint32_t pairs = atomic_load_explicit(&e->pairs, memory_order_relaxed);
    t->wanted_lately = pairs > t->wanted_lately ? pairs : t->wanted_lately;
    uint32_t most = t->wanted_lately > t->wanted_before ? t->wanted_lately : t->wanted_before;
    atomic_store_explicit(&t->wanted_pairs, most, memory_order_relaxed);
    if (++t->wanted_frames == WANTED_FRAMES) {
        t->wanted_before = t->wanted_lately;
        t->wanted_lately = 0;
        t->wanted_frames = 0;
    }
}

/* Resolves an entry whose frame has ended and whose recorders are all finished. */
static void close_entry(passtime *t, struct passtime_entry *e)
{
    if (atomic_load_explicit(&e->state, memory_order_acquire) != PASSTIME_ENTRY_OPEN ||
        !atomic_load_explicit(&e->ended, memory_order_acquire) ||
        atomic_load_explicit(&e->unfinished, memory_order_acquire) != 0) {
        return;
    }
    note_wanted(t, e);
    uint32_t runs = find_runs(e, t->runs);
    if (runs == 0) {
        give_up(t, e, PASSTIME_GOOD); /* Each pass has its own reason. */
    } else if (t->ops->is_lost(t->self)) {
        give_up(t, e, PASSTIME_LOST_DEVICE);
    } else {
        uint64_t number = atomic_load_explicit(&e->number, memory_order_relaxed);
        t->ops->entry_resolve(t->self, e->index, number, t->runs, runs);
        e->flying_since_ns = 0; /* The first look that finds nothing sets it. */
        atomic_store_explicit(&e->state, PASSTIME_ENTRY_FLYING, memory_order_release);
    }
}

static passtime_verdict verdict_of(enum passtime_raw_state state)
{
    switch (state) {
    case PASSTIME_RAW_LOST:
        return PASSTIME_LOST_DEVICE;
    case PASSTIME_RAW_MAP_FAILED:
        return PASSTIME_MAP_FAILED;
    case PASSTIME_RAW_DISJOINT:
        return PASSTIME_DISJOINT;
    case PASSTIME_RAW_LATE:
        return PASSTIME_LATE_SUBMIT;
    case PASSTIME_RAW_TIMED_OUT:
        return PASSTIME_TIMED_OUT;
    case PASSTIME_RAW_READY:
    case PASSTIME_RAW_NOT_READY:
        break;
    }
    return PASSTIME_GOOD;
}

static void poll_flying(passtime *t, struct passtime_entry *e)
{
    struct passtime_raw raw = {.state = PASSTIME_RAW_NOT_READY};
    t->ops->entry_collect(t->self, e->index, &raw);
    if (raw.state != PASSTIME_RAW_NOT_READY) {
        judge(t, e, &raw, verdict_of(raw.state));
        t->ops->entry_release(t->self, e->index);
        free_entry(e);
        return;
    }
    uint64_t now_ns = passtime_front_now(t);
    e->flying_since_ns = e->flying_since_ns != 0 ? e->flying_since_ns : now_ns;
    if (now_ns > e->flying_since_ns && now_ns - e->flying_since_ns > t->desc.timeout_ns) {
        passtime_front_log(t, PASSTIME_LOG_TIMED_OUT,
                           "The results of a frame did not come within timeout_ns: given up.");
        give_up(t, e, PASSTIME_TIMED_OUT);
    }
}

static void watch_open(passtime *t, struct passtime_entry *e)
{
    uint64_t seen = atomic_load_explicit(&t->tally.frames_begun, memory_order_relaxed);
    if (seen > e->seen_at_begin + QUARANTINE_FRAMES &&
        !atomic_exchange(&e->quarantine_told, true)) {
        passtime_front_log(
            t, PASSTIME_LOG_QUARANTINE,
            "A frame begun long ago was not ended, or a recorder of it neither submitted nor "
            "discarded: its place rests until it is.");
    }
}

/* Oldest first, so that frames are judged in the order of beginning where they can be. */
static struct passtime_entry *oldest_after(passtime *t, uint64_t seq)
{
    struct passtime_entry *oldest = NULL;
    for (uint32_t i = 0; i < t->desc.frames_in_flight; i++) {
        struct passtime_entry *e = &t->entries[i];
        if (atomic_load_explicit(&e->state, memory_order_acquire) != PASSTIME_ENTRY_FREE &&
            e->seq > seq && (oldest == NULL || e->seq < oldest->seq)) {
            oldest = e;
        }
    }
    return oldest;
}

static void collect_all(passtime *t)
{
    if (t->ops->poll != NULL) {
        t->ops->poll(t->self);
    }
    uint64_t seq = 0;
    for (;;) {
        struct passtime_entry *e = oldest_after(t, seq);
        if (e == NULL) {
            break;
        }
        seq = e->seq;
        close_entry(t, e);
        uint32_t state = atomic_load_explicit(&e->state, memory_order_acquire);
        if (state == PASSTIME_ENTRY_FLYING) {
            poll_flying(t, e);
        } else if (state == PASSTIME_ENTRY_OPEN) {
            watch_open(t, e);
        }
    }
}

void passtime_collect(passtime *t)
{
    /* With nothing in flight, as in most frames of an app that times few of them, there is nothing
     * to lock for. */
    bool idle = t == NULL || (t->ops->poll == NULL && oldest_after(t, 0) == NULL);
    if (!idle && passtime_lock_try(&t->collect_lock)) {
        collect_all(t);
        passtime_lock_give(&t->collect_lock);
    }
    if (t != NULL) {
        passtime_tell_budgets(t);
    }
}
