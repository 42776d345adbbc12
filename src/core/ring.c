/* SPDX-License-Identifier: MIT */
/* Frames and recorders: taking a place in the ring, and giving it up. Never waits. */
#include "core/context.h"

static void count_fate(passtime *t, passtime_fate fate)
{
    atomic_fetch_add_explicit(&t->tally.fates[fate], 1, memory_order_relaxed);
}

static void count_misuse(passtime *t, passtime_log_item item, const char *message)
{
    atomic_fetch_add_explicit(&t->tally.misuses, 1, memory_order_relaxed);
    passtime_front_log(t, item, message);
}

static uint32_t state_of(const struct passtime_entry *e)
{
    return atomic_load_explicit(&e->state, memory_order_acquire);
}

struct passtime_entry *passtime_ring_find(passtime *t, uint64_t number)
{
    for (uint32_t i = 0; i < t->desc.frames_in_flight; i++) {
        struct passtime_entry *e = &t->entries[i];
        if (state_of(e) != PASSTIME_ENTRY_FREE &&
            atomic_load_explicit(&e->number, memory_order_relaxed) == number) {
            return e;
        }
    }
    return NULL;
}

uint32_t passtime_front_frame_entry(passtime *t, uint64_t number)
{
    const struct passtime_entry *e = t != NULL ? passtime_ring_find(t, number) : NULL;
    return e != NULL ? e->index : PASSTIME_NONE;
}

static uint64_t next_random(passtime *t)
{
    /* Marsaglia's xorshift: enough to keep the stride from aliasing with the app's own rhythm. */
    t->random_state ^= t->random_state << 13;
    t->random_state ^= t->random_state >> 7;
    t->random_state ^= t->random_state << 17;
    return t->random_state;
}

/* One frame in each block of `every` is timed, at a place drawn anew for each block. */
static bool stride_picks(passtime *t)
{
    uint32_t every = atomic_load_explicit(&t->every, memory_order_relaxed);
    if (every <= 1) {
        return true;
    }
    if (t->stride_position == 0 || t->stride_position >= every) {
        t->stride_position = 0;
        t->stride_pick = next_random(t) % every;
    }
    return t->stride_position++ == t->stride_pick;
}

/* A free entry that the backend can use now, with *capacity pairs, or NULL; *free says whether one
 * was free at all. One whose queries are being made anew costs no frame while others are ready. */
static struct passtime_entry *ready_entry(passtime *t, uint32_t *capacity, bool *free)
{
    uint32_t wanted = atomic_load_explicit(&t->wanted_pairs, memory_order_relaxed);
    uint32_t first = t->next_entry;
    *free = false;
    for (uint32_t i = 0; i < t->desc.frames_in_flight; i++) {
        struct passtime_entry *e = &t->entries[(first + i) % t->desc.frames_in_flight];
        if (state_of(e) != PASSTIME_ENTRY_FREE) {
            continue;
        }
        *free = true;
        *capacity = t->ops->entry_begin(t->self, e->index, wanted, &t->unit);
        if (*capacity > 0) {
            t->next_entry = (e->index + 1) % t->desc.frames_in_flight;
            return e;
        }
    }
    return NULL;
}

/* A run of skipped frames: they cluster after slow ones, so the longest run is kept. */
static void count_skip_run(passtime *t, bool skipped)
{
    uint64_t run = skipped ? atomic_load_explicit(&t->tally.skip_run, memory_order_relaxed) + 1 : 0;
    atomic_store_explicit(&t->tally.skip_run, run, memory_order_relaxed);
    if (run > atomic_load_explicit(&t->tally.skip_run_max, memory_order_relaxed)) {
        atomic_store_explicit(&t->tally.skip_run_max, run, memory_order_relaxed);
    }
}

static uint64_t oldest_in_use(passtime *t, uint64_t seq)
{
    uint64_t oldest = passtime_output_oldest_seq(t);
    oldest = oldest < seq ? oldest : seq;
    for (uint32_t i = 0; i < t->desc.frames_in_flight; i++) {
        const struct passtime_entry *e = &t->entries[i];
        if (state_of(e) != PASSTIME_ENTRY_FREE && e->seq < oldest) {
            oldest = e->seq;
        }
    }
    return oldest;
}

/*
 * Names and series unseen for long give up their places; only once the table of names has run full.
 * It needs both locks, so that nothing is judged or taken meanwhile, and runs where frames begin,
 * so that none begins meanwhile. Where a lock is busy, the next frame does it.
 */
static void tidy_names(passtime *t, uint64_t seq)
{
    if (!atomic_load_explicit(&t->names_crowded, memory_order_relaxed) ||
        !passtime_lock_try(&t->names_lock)) {
        return;
    }
    if (passtime_lock_try(&t->results_lock)) {
        uint64_t oldest = oldest_in_use(t, seq);
        passtime_tree_tidy(&t->tree, seq, oldest);
        (void)passtime_names_retire_old(&t->names, seq);
        (void)passtime_names_reclaim(&t->names, oldest);
        passtime_lock_give(&t->results_lock);
        atomic_store_explicit(&t->names_crowded, t->names.retired > 0, memory_order_relaxed);
    }
    passtime_lock_give(&t->names_lock);
}

/* One more of what only the caller of frame_begin counts: no locked instruction for that. */
static uint64_t count_one(_Atomic uint64_t *counter)
{
    uint64_t count = atomic_load_explicit(counter, memory_order_relaxed) + 1;
    atomic_store_explicit(counter, count, memory_order_relaxed);
    return count;
}

static passtime_recorder *open_recorder(passtime *t, struct passtime_entry *e)
{
    uint32_t index = atomic_load_explicit(&e->recorders, memory_order_relaxed);
    do {
        if (index >= t->desc.max_recorders) {
            return NULL;
        }
    } while (!atomic_compare_exchange_weak_explicit(&e->recorders, &index, index + 1,
                                                    memory_order_relaxed, memory_order_relaxed));
    passtime_recorder *rec = &e->recorder_pool[index];
    rec->scope = PASSTIME_NONE;
    rec->pass = PASSTIME_NONE;
    rec->untimed_passes = 0;
    rec->untimed_scopes = 0;
    atomic_store_explicit(&rec->next_pair, 0, memory_order_relaxed);
    atomic_store_explicit(&rec->end_pair, 0, memory_order_relaxed);
    atomic_store_explicit(&rec->state, PASSTIME_RECORDER_OPEN, memory_order_release);
    return rec;
}

static void open_entry(passtime *t, struct passtime_entry *e, uint64_t number, uint32_t capacity)
{
    uint64_t now_ns = passtime_front_now(t);
    e->seq = count_one(&t->seq);
    e->capacity = capacity < t->desc.max_passes ? capacity : t->desc.max_passes;
    e->unit = t->unit;
    e->reuse_ns =
        e->last_begin_ns != 0 && now_ns > e->last_begin_ns ? now_ns - e->last_begin_ns : 0;
    e->cpu_begin_ns = now_ns;
    e->last_begin_ns = now_ns;
    atomic_store_explicit(&e->quarantine_told, false, memory_order_relaxed);
    e->seen_at_begin = atomic_load_explicit(&t->tally.frames_begun, memory_order_relaxed);
    atomic_store_explicit(&e->cpu_end_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&e->number, number, memory_order_relaxed);
    atomic_store_explicit(&e->pairs, 0, memory_order_relaxed);
    atomic_store_explicit(&e->unused_pairs, 0, memory_order_relaxed);
    atomic_store_explicit(&e->scopes, 0, memory_order_relaxed);
    atomic_store_explicit(&e->recorders, 0, memory_order_relaxed);
    atomic_store_explicit(&e->ended, false, memory_order_relaxed);
    /* One for the frame itself until frame_end, one for its first recorder. Released, so that
     * whoever claims one more sees the number of this frame. */
    atomic_store_explicit(&e->unfinished, 2, memory_order_release);
    atomic_store_explicit(&e->state, PASSTIME_ENTRY_OPEN, memory_order_release);
}

static passtime_recorder *skip(passtime *t, passtime_fate fate)
{
    count_fate(t, fate);
    count_skip_run(t, fate == PASSTIME_FRAME_SKIPPED_FULL);
    return NULL;
}

void passtime_front_skip(passtime *t, passtime_fate why)
{
    (void)count_one(&t->tally.frames_begun);
    (void)skip(t, why);
}

passtime_recorder *passtime_frame_begin(passtime *t, uint64_t number)
{
    if (t == NULL) {
        return NULL;
    }
    (void)count_one(&t->tally.frames_begun);
    if (!atomic_load_explicit(&t->enabled, memory_order_relaxed)) {
        return skip(t, PASSTIME_FRAME_SKIPPED_OFF);
    }
    passtime_collect(t);
    if (t->ops->is_lost(t->self)) {
        return skip(t, PASSTIME_FRAME_SKIPPED_LOST);
    }
    if (passtime_ring_find(t, number) != NULL) {
        count_misuse(
            t, PASSTIME_LOG_FRAME_REUSED,
            "A frame was begun under a number that is still in flight: not timed. Give each frame "
            "a number of its own.");
        return skip(t, PASSTIME_FRAME_REFUSED);
    }
    if (!stride_picks(t)) {
        return skip(t, PASSTIME_FRAME_SKIPPED_STRIDE);
    }
    uint32_t capacity = 0;
    bool free = false;
    struct passtime_entry *e = ready_entry(t, &capacity, &free);
    if (!free) {
        passtime_front_log(
            t, PASSTIME_LOG_RING_FULL,
            "A frame was not timed: all frames_in_flight entries await their results. If this "
            "goes on, process events, end each frame, or raise frames_in_flight.");
        return skip(t, PASSTIME_FRAME_SKIPPED_FULL);
    }
    if (e == NULL) {
        return skip(t, t->ops->is_lost(t->self) ? PASSTIME_FRAME_SKIPPED_LOST
                                                : PASSTIME_FRAME_SKIPPED_WARMUP);
    }
    count_skip_run(t, false);
    open_entry(t, e, number, capacity);
    tidy_names(t, e->seq);
    return open_recorder(t, e);
}

/* Drops one claim on an open entry. */
static void finish_claim(struct passtime_entry *e)
{
    atomic_fetch_sub_explicit(&e->unfinished, 1, memory_order_acq_rel);
}

passtime_recorder *passtime_recorder_begin(passtime *t, uint64_t number)
{
    struct passtime_entry *e = t != NULL ? passtime_ring_find(t, number) : NULL;
    if (e == NULL) {
        return NULL; /* Not timed: frame_begin has counted it. */
    }
    /* Claim only while something else holds the entry open, or it might be closing under us. */
    uint32_t claims = atomic_load_explicit(&e->unfinished, memory_order_acquire);
    do {
        if (claims == 0 || atomic_load_explicit(&e->ended, memory_order_acquire)) {
            count_misuse(t, PASSTIME_LOG_FRAME_NOT_OPEN,
                         "A recorder was asked for a frame that has ended: not timed.");
            return NULL;
        }
    } while (!atomic_compare_exchange_weak_explicit(&e->unfinished, &claims, claims + 1,
                                                    memory_order_acq_rel, memory_order_acquire));
    if (atomic_load_explicit(&e->number, memory_order_relaxed) != number) {
        finish_claim(e); /* The place went to another frame between look and claim. */
        return NULL;
    }
    atomic_store_explicit(&t->many_recorders, true, memory_order_relaxed);
    passtime_recorder *rec = open_recorder(t, e);
    if (rec == NULL) {
        finish_claim(e);
        passtime_front_log(
            t, PASSTIME_LOG_RECORDER_OVERFLOW,
            "More recorders in a frame than max_recorders: what it records is not timed.");
    }
    return rec;
}

/* Gives back the pairs that were put aside and not used. Where another recorder has taken pairs
 * behind them they stay, marked as what they are. */
static void return_pairs(passtime_recorder *rec)
{
    struct passtime_entry *e = rec->entry;
    uint32_t next = atomic_load_explicit(&rec->next_pair, memory_order_relaxed);
    uint32_t end = atomic_load_explicit(&rec->end_pair, memory_order_relaxed);
    uint32_t expected = end;
    if (next == end ||
        atomic_compare_exchange_strong_explicit(&e->pairs, &expected, next, memory_order_relaxed,
                                                memory_order_relaxed)) {
        return;
    }
    for (uint32_t pair = next; pair < end; pair++) {
        e->passes[pair] = (struct passtime_pass){
            .scope = PASSTIME_NONE, .parent = PASSTIME_NONE, .state = PASSTIME_PASS_NONE};
    }
    atomic_fetch_add_explicit(&e->unused_pairs, end - next, memory_order_relaxed);
}

static void finish_recorder(passtime_recorder *rec, uint32_t how)
{
    if (rec == NULL) {
        return;
    }
    passtime *t = rec->t;
    if (atomic_load_explicit(&rec->state, memory_order_relaxed) != PASSTIME_RECORDER_OPEN) {
        count_misuse(t, PASSTIME_LOG_FINISHED_TWICE,
                     "A recorder was submitted or discarded a second time: ignored.");
        return;
    }
    if (t->ops->recorder_finish != NULL) {
        t->ops->recorder_finish(t->self, rec);
    }
    return_pairs(rec);
    atomic_store_explicit(&rec->state, how, memory_order_release);
    finish_claim(rec->entry);
}

void passtime_submitted(passtime_recorder *rec)
{
    finish_recorder(rec, PASSTIME_RECORDER_SUBMITTED);
}

void passtime_discarded(passtime_recorder *rec)
{
    finish_recorder(rec, PASSTIME_RECORDER_DISCARDED);
}

void passtime_front_forgotten(passtime_recorder *rec)
{
    finish_recorder(rec, PASSTIME_RECORDER_FORGOTTEN);
}

passtime_result passtime_frame_end(passtime *t, uint64_t number)
{
    if (t == NULL) {
        return PASSTIME_OK;
    }
    struct passtime_entry *e = passtime_ring_find(t, number);
    if (e == NULL) {
        return PASSTIME_EMPTY; /* Not timed. */
    }
    if (atomic_exchange_explicit(&e->ended, true, memory_order_acq_rel)) {
        count_misuse(t, PASSTIME_LOG_FRAME_NOT_OPEN, "A frame was ended a second time: ignored.");
        return PASSTIME_INVALID;
    }
    uint64_t end_ns = passtime_front_now(t);
    atomic_store_explicit(&e->cpu_end_ns, end_ns, memory_order_relaxed);
    finish_claim(e);
    /* Where another thread collects, the next collecting call resolves this frame. */
    passtime_collect(t);
    /* The resolve belongs to the frame's CPU time, unless the entry has gone to another frame. */
    (void)atomic_compare_exchange_strong_explicit(&e->cpu_end_ns, &end_ns, passtime_front_now(t),
                                                  memory_order_relaxed, memory_order_relaxed);
    return PASSTIME_OK;
}

void passtime_enable(passtime *t, bool enabled)
{
    if (t != NULL) {
        atomic_store_explicit(&t->enabled, enabled, memory_order_relaxed);
    }
}

void passtime_set_every(passtime *t, uint32_t every)
{
    if (t != NULL) {
        atomic_store_explicit(&t->every, every > 0 ? every : 1, memory_order_relaxed);
    }
}

void passtime_set_budget(passtime *t, uint64_t budget_ns)
{
    if (t != NULL) {
        atomic_store_explicit(&t->budget_ns, budget_ns, memory_order_relaxed);
    }
}
