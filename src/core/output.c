/* SPDX-License-Identifier: MIT */
/* Judged frames on their way to the app: a bounded queue whose overflow is counted. */
#include "core/context.h"

/* A slot to write a judged frame to. There is one more slot than can wait or be held. */
struct passtime_output *passtime_output_take(passtime *t)
{
    struct passtime_outputs *o = &t->outputs;
    return &o->slots[o->spare[o->spare_count - 1]];
}

void passtime_output_push(passtime *t, struct passtime_output *output)
{
    struct passtime_outputs *o = &t->outputs;
    uint32_t room = t->desc.output_frames;
    o->spare_count--; /* It is the one that output_take looked at. */
    if (o->count == room) {
        o->spare[o->spare_count++] = o->queue[o->first];
        o->first = (o->first + 1) % room;
        o->count--;
        t->frames_not_taken++;
    }
    o->queue[(o->first + o->count) % room] = (uint32_t)(output - o->slots);
    o->count++;
}

uint64_t passtime_output_oldest_seq(const passtime *t)
{
    const struct passtime_outputs *o = &t->outputs;
    uint64_t oldest = o->held != PASSTIME_NONE ? o->slots[o->held].seq : UINT64_MAX;
    for (uint32_t i = 0; i < o->count; i++) {
        uint64_t seq = o->slots[o->queue[(o->first + i) % t->desc.output_frames]].seq;
        oldest = seq < oldest ? seq : oldest;
    }
    return oldest;
}

static bool any_in_flight(const passtime *t)
{
    for (uint32_t i = 0; i < t->desc.frames_in_flight; i++) {
        if (atomic_load_explicit(&t->entries[i].state, memory_order_acquire) !=
            PASSTIME_ENTRY_FREE) {
            return true;
        }
    }
    return false;
}

static passtime_result next_locked(passtime *t, const passtime_frame **frame)
{
    struct passtime_outputs *o = &t->outputs;
    if (o->held != PASSTIME_NONE) {
        o->spare[o->spare_count++] = o->held;
        o->held = PASSTIME_NONE;
    }
    if (o->count == 0) {
        return any_in_flight(t) ? PASSTIME_PENDING : PASSTIME_EMPTY;
    }
    o->held = o->queue[o->first];
    o->first = (o->first + 1) % t->desc.output_frames;
    o->count--;
    *frame = &o->slots[o->held].frame;
    return PASSTIME_OK;
}

passtime_result passtime_next(passtime *t, const passtime_frame **frame)
{
    if (frame == NULL) {
        return PASSTIME_INVALID;
    }
    *frame = NULL;
    if (t == NULL) {
        return PASSTIME_EMPTY;
    }
    passtime_lock_take(&t->results_lock);
    passtime_result result = next_locked(t, frame);
    passtime_lock_give(&t->results_lock);
    if (result != PASSTIME_PENDING) {
        return result;
    }
    passtime_collect(t);
    passtime_lock_take(&t->results_lock);
    result = next_locked(t, frame);
    passtime_lock_give(&t->results_lock);
    return result;
}
