/* SPDX-License-Identifier: MIT */
/*
 * What the slots of each query set held before a frame. Ticks that a frame did not write are those
 * of an earlier one, and only who knows these can tell.
 */
#include "page/collect_state.h"

#include <stdlib.h>
#include <string.h>

/* Twice the coarsest step of stamps in the field: used again later than that, a slot's new stamp
 * differs from its old one. */
static const uint64_t soon_ns = 2 * 65536;

static bool grow(struct passtime_slot_set *set, uint32_t pairs, enum passtime_slot_state state)
{
    if (pairs <= set->pairs)
        return true;
    uint64_t *ticks = realloc(set->ticks, 2 * (size_t)pairs * sizeof *ticks);
    set->ticks = ticks ? ticks : set->ticks;
    uint8_t *states = realloc(set->states, pairs);
    set->states = states ? states : set->states;
    if (!ticks || !states)
        return false;
    uint32_t more = pairs - set->pairs;
    memset(&ticks[2 * (size_t)set->pairs], 0, 2 * (size_t)more * sizeof *ticks);
    memset(&states[set->pairs], (int)state, more);
    set->pairs = pairs;
    return true;
}

/* A place for another set: a new one, or that of the set unused for longest. */
static struct passtime_slot_set *place_for(struct passtime_slots *slots)
{
    if (slots->count < PASSTIME_COLLECT_SETS_MAX)
        return &slots->sets[slots->count++];
    struct passtime_slot_set *oldest = &slots->sets[0];
    for (uint32_t i = 1; i < slots->count; i++) {
        if (slots->sets[i].used < oldest->used)
            oldest = &slots->sets[i];
    }
    slots->forgotten = oldest->id > slots->forgotten ? oldest->id : slots->forgotten;
    oldest->pairs = 0;
    return oldest;
}

struct passtime_slot_set *passtime_slots_find(struct passtime_slots *slots, uint64_t id,
                                              uint32_t pairs)
{
    struct passtime_slot_set *set = NULL;
    for (uint32_t i = 0; i < slots->count && !set; i++)
        set = slots->sets[i].id == id ? &slots->sets[i] : NULL;
    if (!set) {
        set = place_for(slots);
        set->id = id;
        set->begun_ns = 0;
    }
    set->used = ++slots->uses;
    /* Sets are numbered as they are made: one that was dropped here is no new one. */
    bool is_forgotten = slots->forgotten != 0 && id <= slots->forgotten;
    return grow(set, pairs, is_forgotten ? PASSTIME_SLOT_UNSEEN : PASSTIME_SLOT_ZERO) ? set : NULL;
}

bool passtime_slot_is_spoiled(const struct passtime_slot_set *set, uint32_t pair)
{
    return set != NULL && set->states[pair] == PASSTIME_SLOT_SPOILED;
}

void passtime_slots_baseline(const struct passtime_slot_set *set,
                             const struct passtime_message_frame *frame, uint64_t *baseline)
{
    for (uint32_t i = 0; i < frame->tick_count; i++) {
        bool unseen = set->states[i / 2] >= PASSTIME_SLOT_UNSEEN;
        baseline[i] = unseen ? frame->ticks[i] : set->ticks[i];
    }
}

/* Both stamps are there and new; or the pair has never been written, as by a pass that never runs.
 */
static bool is_settled(const struct passtime_slot_set *set, uint32_t pair, const uint64_t now[2],
                       bool soon)
{
    const uint64_t *before = &set->ticks[2 * (size_t)pair];
    if (now[0] == 0 && now[1] == 0 && before[0] == 0 && before[1] == 0)
        return true;
    bool same_begin = now[0] == before[0];
    bool same_end = now[1] == before[1];
    bool repeated = soon ? same_begin && same_end : same_begin || same_end;
    return now[0] != 0 && now[1] != 0 && !repeated;
}

/* Who did not write a stamp of this frame may do so later, when another frame reads it. */
static void take_ticks(struct passtime_slot_set *set, uint32_t pair, const uint64_t now[2],
                       bool soon)
{
    uint8_t *state = &set->states[pair];
    if (*state == PASSTIME_SLOT_SPOILED)
        return;
    bool settled = *state == PASSTIME_SLOT_UNSEEN || is_settled(set, pair, now, soon);
    *state = settled ? PASSTIME_SLOT_KNOWN : PASSTIME_SLOT_SPOILED;
    set->ticks[2 * (size_t)pair] = now[0];
    set->ticks[2 * (size_t)pair + 1] = now[1];
}

void passtime_slots_update(struct passtime_slot_set *set,
                           const struct passtime_message_frame *frame, bool has_ticks)
{
    bool soon = frame->begin_ns < set->begun_ns + soon_ns;
    for (uint32_t pair = 0; pair < frame->pass_count; pair++) {
        const struct passtime_message_pass *pass = &frame->passes[pair];
        enum passtime_message_how how = frame->recorders[pass->recorder].how;
        uint8_t *state = &set->states[pair];
        bool is_asked = how == PASSTIME_MESSAGE_SUBMITTED && !pass->refused;
        if (pass->refused || how == PASSTIME_MESSAGE_DISCARDED)
            continue; /* Nothing of ours writes it. */
        if (how == PASSTIME_MESSAGE_FORGOTTEN || frame->status == PASSTIME_MESSAGE_LATE)
            *state = PASSTIME_SLOT_SPOILED;
        else if (is_asked && has_ticks && 2 * pair + 1 < frame->tick_count)
            take_ticks(set, pair, &frame->ticks[2 * (size_t)pair], soon);
        else if (*state != PASSTIME_SLOT_SPOILED)
            *state = PASSTIME_SLOT_UNSEEN;
    }
    set->begun_ns = frame->begin_ns;
}

void passtime_slots_free(struct passtime_slots *slots)
{
    for (uint32_t i = 0; i < slots->count; i++) {
        free(slots->sets[i].ticks);
        free(slots->sets[i].states);
    }
    memset(slots, 0, sizeof *slots);
}

size_t passtime_slots_bytes(const struct passtime_slots *slots)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < slots->count; i++)
        bytes += slots->sets[i].pairs * (2 * sizeof(uint64_t) + 1);
    return bytes;
}
