/* SPDX-License-Identifier: MIT */
/* The hot path: recorders take places in their entry, with one atomic addition and no lock. */
#include "core/context.h"

#include <string.h>

static inline size_t length_of(const char *text)
{
    return text != NULL ? strlen(text) : 0;
}

static inline bool is_open(const passtime_recorder *rec)
{
    return rec != NULL &&
           atomic_load_explicit(&rec->state, memory_order_relaxed) == PASSTIME_RECORDER_OPEN;
}

/* A call on a recorder that is finished; NULL is no misuse. */
static void count_misuse(const passtime_recorder *rec)
{
    if (rec != NULL) {
        atomic_fetch_add_explicit(&rec->t->tally.misuses, 1, memory_order_relaxed);
    }
}

static void spoil_scope(const passtime_recorder *rec)
{
    if (rec->scope != PASSTIME_NONE) {
        rec->entry->scope_records[rec->scope].spoiled = true;
    }
}

static void refuse_pair(const passtime_recorder *rec)
{
    spoil_scope(rec);
    passtime_front_log(rec->t, PASSTIME_LOG_PASS_OVERFLOW,
                       "More passes in a frame than there are slots: some are not timed. "
                       "Raise max_passes if this goes on.");
}

static bool is_alone(const passtime_recorder *rec)
{
    return atomic_load_explicit(&rec->entry->recorders, memory_order_relaxed) == 1 &&
           !atomic_load_explicit(&rec->t->many_recorders, memory_order_relaxed);
}

/*
 * Takes a pair from the counter that the recorders of a frame share. That costs more than all the
 * rest of a begin, so a recorder that is alone puts aside the next few as well; what it does not
 * use it gives back when it ends. Once a frame had several, each takes one at a time, so that none
 * is left over. NONE: there is none left.
 */
static uint32_t reserve_pairs(passtime_recorder *rec)
{
    struct passtime_entry *e = rec->entry;
    uint32_t count = is_alone(rec) ? PASSTIME_PAIRS_ASIDE : 1;
    uint32_t first = atomic_fetch_add_explicit(&e->pairs, count, memory_order_relaxed);
    uint32_t room = first < e->capacity ? e->capacity - first : 0;
    uint32_t kept = room == 0      ? 1
                    : room < count ? room
                                   : count; /* a pass without slot counts too */
    if (kept < count) {
        atomic_fetch_sub_explicit(&e->pairs, count - kept, memory_order_relaxed);
    }
    if (room == 0) {
        refuse_pair(rec);
        return PASSTIME_NONE;
    }
    atomic_store_explicit(&rec->end_pair, first + kept, memory_order_relaxed);
    return first;
}

/* Takes a pair of slots for a pass; NONE where there is none left. */
static inline uint32_t take_pair(passtime_recorder *rec, passtime_id id, uint8_t state)
{
    uint32_t pair = atomic_load_explicit(&rec->next_pair, memory_order_relaxed);
    if (pair == atomic_load_explicit(&rec->end_pair, memory_order_relaxed)) {
        pair = reserve_pairs(rec);
        if (pair == PASSTIME_NONE) {
            return PASSTIME_NONE;
        }
    }
    atomic_store_explicit(&rec->next_pair, pair + 1, memory_order_relaxed);
    rec->entry->passes[pair] = (struct passtime_pass){.name = id,
                                                      .scope = rec->scope,
                                                      .parent = rec->pass,
                                                      .state = state,
                                                      .recorder = (uint8_t)rec->index};
    return pair;
}

static void read_cpu_clock(const passtime_recorder *rec, uint32_t pair, bool begin)
{
    struct passtime_cpu_pair *cpu = rec->entry->cpu_pairs;
    uint64_t now_ns = passtime_front_now(rec->t);
    if (begin) {
        cpu[pair].begin_ns = now_ns;
    }
    cpu[pair].end_ns = now_ns;
}

static inline void stamp_cpu(const passtime_recorder *rec, uint32_t pair, bool begin)
{
    if (rec->entry->cpu_pairs != NULL) {
        read_cpu_clock(rec, pair, begin);
    }
}

bool passtime_front_pass(passtime_recorder *rec, passtime_id id, struct passtime_place *place)
{
    if (!is_open(rec)) {
        count_misuse(rec);
        return false;
    }
    uint32_t pair = take_pair(rec, id, PASSTIME_PASS_DONE);
    *place = (struct passtime_place){rec->entry->index, pair};
    if (pair == PASSTIME_NONE) {
        return false;
    }
    stamp_cpu(rec, pair, true);
    return true;
}

static inline bool open_pass(passtime_recorder *rec, passtime_id id, struct passtime_place *place)
{
    if (!is_open(rec)) {
        count_misuse(rec);
        return false;
    }
    uint32_t pair = take_pair(rec, id, PASSTIME_PASS_OPEN);
    *place = (struct passtime_place){rec->entry->index, pair};
    if (pair == PASSTIME_NONE) {
        rec->untimed_passes++;
        return false;
    }
    rec->pass = pair;
    stamp_cpu(rec, pair, true);
    return true;
}

bool passtime_front_open(passtime_recorder *rec, passtime_id id, struct passtime_place *place)
{
    return open_pass(rec, id, place);
}

/* The ways of a close that closes nothing. */
static void close_nothing(passtime_recorder *rec)
{
    if (!is_open(rec)) {
        count_misuse(rec);
    } else if (rec->untimed_passes > 0) {
        rec->untimed_passes--;
    } else {
        atomic_fetch_add_explicit(&rec->t->tally.orphan_ends, 1, memory_order_relaxed);
        passtime_front_log(rec->t, PASSTIME_LOG_ORPHAN_END,
                           "An end of a pass without its begin: ignored.");
    }
}

static inline bool close_pass(passtime_recorder *rec, struct passtime_place *place)
{
    if (!is_open(rec) || rec->untimed_passes > 0 || rec->pass == PASSTIME_NONE) {
        close_nothing(rec);
        return false;
    }
    struct passtime_pass *pass = &rec->entry->passes[rec->pass];
    *place = (struct passtime_place){rec->entry->index, rec->pass};
    stamp_cpu(rec, rec->pass, false);
    rec->pass = pass->parent;
    if (pass->state == PASSTIME_PASS_REFUSED) {
        return false;
    }
    pass->state = PASSTIME_PASS_DONE;
    return true;
}

bool passtime_front_close(passtime_recorder *rec, struct passtime_place *place)
{
    return close_pass(rec, place);
}

bool passtime_front_owns(const passtime_recorder *rec, uint32_t pair)
{
    if (!is_open(rec) || pair >= passtime_handed_out(rec->entry)) {
        return false;
    }
    const struct passtime_pass *pass = &rec->entry->passes[pair];
    return pass->recorder == rec->index && pass->state != PASSTIME_PASS_NONE;
}

void passtime_front_refuse(passtime_recorder *rec, struct passtime_place place)
{
    rec->entry->passes[place.pair].state = PASSTIME_PASS_REFUSED;
}

void passtime_front_rename(passtime_recorder *rec, struct passtime_place place, passtime_id id)
{
    if (is_open(rec)) {
        rec->entry->passes[place.pair].name = id;
    }
}

void passtime_front_flag(passtime_recorder *rec, struct passtime_place place, uint32_t flags)
{
    struct passtime_pass *pass = &rec->entry->passes[place.pair];
    pass->flags = (uint16_t)(pass->flags | flags);
}

uint32_t passtime_front_parent(const passtime *t, struct passtime_place place)
{
    return t->entries[place.entry].passes[place.pair].parent;
}

uint32_t passtime_front_depth(const passtime_recorder *rec)
{
    if (rec == NULL) {
        return 0;
    }
    uint32_t depth = rec->untimed_passes;
    for (uint32_t pair = rec->pass; pair != PASSTIME_NONE; pair = rec->entry->passes[pair].parent) {
        depth++;
    }
    return depth;
}

uint32_t passtime_front_recorder_entry(const passtime_recorder *rec)
{
    return rec != NULL ? rec->entry->index : PASSTIME_NONE;
}

uint32_t passtime_front_recorder_index(const passtime_recorder *rec)
{
    return is_open(rec) ? rec->index : PASSTIME_NONE;
}

uint32_t passtime_front_pairs_used(const passtime_recorder *rec)
{
    uint32_t next = atomic_load_explicit(&rec->next_pair, memory_order_relaxed);
    if (next != atomic_load_explicit(&rec->end_pair, memory_order_relaxed)) {
        return next;
    }
    uint32_t pairs = atomic_load_explicit(&rec->entry->pairs, memory_order_acquire);
    return pairs < rec->entry->capacity ? pairs : rec->entry->capacity;
}

static passtime_id add_name(passtime *t, const char *name, size_t bytes, bool pin)
{
    passtime_lock_take(&t->names_lock);
    uint64_t seq = atomic_load_explicit(&t->seq, memory_order_relaxed);
    passtime_id id = passtime_names_add(&t->names, name, bytes, pin, seq);
    if (id == 0) {
        atomic_store_explicit(&t->names_crowded, true, memory_order_relaxed);
    }
    passtime_lock_give(&t->names_lock);
    if (id == 0) {
        passtime_front_log(t, PASSTIME_LOG_NAME_OVERFLOW,
                           "More names than max_names: the surplus counts under \"(other)\". Leave "
                           "counters out of labels, or raise max_names.");
    }
    return id;
}

passtime_id passtime_intern_n(passtime *t, const char *name, size_t bytes)
{
    return t != NULL ? add_name(t, name, name != NULL ? bytes : 0, true) : 0;
}

passtime_id passtime_intern(passtime *t, const char *name)
{
    return passtime_intern_n(t, name, length_of(name));
}

static inline passtime_id name_n(passtime_recorder *rec, const char *name, size_t bytes)
{
    if (!is_open(rec)) {
        return 0;
    }
    bytes = name != NULL ? bytes : 0;
    passtime_id id = passtime_names_find(&rec->t->names, name, bytes);
    return id != 0 ? id : add_name(rec->t, name, bytes, false);
}

passtime_id passtime_front_name_n(passtime_recorder *rec, const char *name, size_t bytes)
{
    return name_n(rec, name, bytes);
}

passtime_id passtime_front_name(passtime_recorder *rec, const char *name)
{
    return name_n(rec, name, length_of(name));
}

void passtime_begin_id(passtime_recorder *rec, passtime_id id)
{
    struct passtime_place place;
    if (!open_pass(rec, id, &place)) {
        return;
    }
    const passtime *t = rec->t;
    if (t->ops->mark == NULL || !t->ops->mark(t->self, place.entry, 2 * place.pair)) {
        passtime_front_refuse(rec, place);
    }
}

void passtime_begin_n(passtime_recorder *rec, const char *name, size_t bytes)
{
    passtime_begin_id(rec, name_n(rec, name, bytes));
}

void passtime_begin(passtime_recorder *rec, const char *name)
{
    passtime_begin_id(rec, name_n(rec, name, length_of(name)));
}

void passtime_end(passtime_recorder *rec)
{
    struct passtime_place place;
    if (!close_pass(rec, &place)) {
        return;
    }
    const passtime *t = rec->t;
    if (t->ops->mark == NULL || !t->ops->mark(t->self, place.entry, 2 * place.pair + 1)) {
        passtime_front_refuse(rec, place);
    }
}

void passtime_scope_begin_id(passtime_recorder *rec, passtime_id id)
{
    if (!is_open(rec)) {
        count_misuse(rec);
        return;
    }
    struct passtime_entry *e = rec->entry;
    uint32_t place = rec->untimed_scopes > 0
                         ? PASSTIME_NONE
                         : atomic_fetch_add_explicit(&e->scopes, 1, memory_order_relaxed);
    if (place >= rec->t->desc.max_scopes) {
        rec->untimed_scopes++;
        passtime_front_log(rec->t, PASSTIME_LOG_SCOPE_OVERFLOW,
                           "More scopes in a frame than max_scopes: the surplus is left out.");
        return;
    }
    e->scope_records[place] = (struct passtime_scope_record){.name = id, .parent = rec->scope};
    rec->scope = place;
}

void passtime_scope_begin(passtime_recorder *rec, const char *name)
{
    passtime_scope_begin_id(rec, name_n(rec, name, length_of(name)));
}

void passtime_scope_end(passtime_recorder *rec)
{
    if (!is_open(rec)) {
        count_misuse(rec);
    } else if (rec->untimed_scopes > 0) {
        rec->untimed_scopes--;
    } else if (rec->scope != PASSTIME_NONE) {
        rec->scope = rec->entry->scope_records[rec->scope].parent;
    } else {
        atomic_fetch_add_explicit(&rec->t->tally.orphan_ends, 1, memory_order_relaxed);
        passtime_front_log(rec->t, PASSTIME_LOG_ORPHAN_END,
                           "An end of a scope without its begin: ignored.");
    }
}
