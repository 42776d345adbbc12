/* SPDX-License-Identifier: MIT */
/*
 * Chained hashing over indices. Why a lookup needs no lock:
 *
 * A place is written while nothing leads to it, and is then put at the head of its chain by a store
 * with release order; a lookup loads the head and every link with acquire order, so it sees the
 * whole of each name that it reaches. Until its place is given back, hash, length and text of a
 * name never change.
 *
 * Retiring takes a name out of its chain by storing its successor into its predecessor. The name
 * keeps its own link: a lookup that stands on it walks on into the chain, perhaps over names that
 * were retired later, and may miss names entered meanwhile. A miss is harmless: whoever misses asks
 * again under the lock. A name brought back to life is put at the head again; a lookup that stands
 * on it then walks the chain once more from the start. A link leads to a name
 * entered or revived earlier than its own, so no walk goes in circles.
 *
 * A place may be written anew only when no lookup can reach it and no frame still means it. A
 * lookup runs in a frame that is open. A frame that began after the retiring has a larger seq
 * and finds only chains without the name. An older one may still have found it, or stand on it; so
 * the place is given back once all frames up to the newest one at the retiring are judged. Judging
 * touches the names of the frame, which brings back to life those still in use.
 *
 * A retired name stands in a second table (its grave) until then, so that entering it again revives
 * it: no text ever stands at two ids.
 */
#include "core/names.h"

#include <string.h>

enum { FREE = 0, LIVE = 1, RETIRED = 2 };

static const char other[] = "(other)";

static uint32_t bucket_count(uint32_t max)
{
    uint32_t count = 4;
    while (count < max && count < UINT32_C(1) << 30)
        count *= 2;
    return count * 2;
}

static uint64_t read_8(const char *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint32_t read_4(const char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* The product carries bits upwards only, so its upper half is folded onto the lower. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static inline uint64_t last_bytes(const char *bytes, size_t n)
{
    if (n >= 8)
        return read_8(bytes + n - 8);
    if (n >= 4)
        return (uint64_t)read_4(bytes) << 32 | read_4(bytes + n - 4);
    uint64_t value = 0;
    for (size_t at = 0; at < n; at++)
        value = value << 8 | (uint8_t)bytes[at];
    return value;
}

/* Eight bytes at a time, the last eight overlapping those before. A second round at the end brings
 * the last characters, in which names differ most, down to the bits that choose the bucket. */
static inline uint64_t hash_of(const char *bytes, size_t n)
{
    uint64_t hash = n * UINT64_C(0xA0761D6478BD642F);
    for (size_t at = 0; at + 8 < n; at += 8)
        hash = mix(hash, read_8(bytes + at));
    return mix(mix(hash, last_bytes(bytes, n)), 0);
}

static bool is_name(const struct passtime_name *name, uint64_t hash, const char *bytes, size_t n)
{
    return name->hash == hash && name->bytes == n && memcmp(name->text, bytes, n) == 0;
}

static passtime_id find_live(const struct passtime_names *names, uint64_t hash, const char *bytes,
                             size_t n)
{
    uint32_t id =
        atomic_load_explicit(&names->bucket[hash & names->bucket_mask], memory_order_acquire);
    while (id != 0 && !is_name(&names->place[id], hash, bytes, n))
        id = atomic_load_explicit(&names->place[id].next, memory_order_acquire);
    return id;
}

static passtime_id find_retired(const struct passtime_names *names, uint64_t hash,
                                const char *bytes, size_t n)
{
    uint32_t id = names->grave[hash & names->bucket_mask];
    while (id != 0 && !is_name(&names->place[id], hash, bytes, n))
        id = names->place[id].grave_next;
    return id;
}

/* Puts a name at the head of its chain: from here on lookups find it. */
static void link_live(struct passtime_names *names, passtime_id id)
{
    struct passtime_name *name = &names->place[id];
    _Atomic uint32_t *head = &names->bucket[name->hash & names->bucket_mask];
    uint32_t first = atomic_load_explicit(head, memory_order_relaxed);
    atomic_store_explicit(&name->next, first, memory_order_release);
    atomic_store_explicit(head, id, memory_order_release);
    name->state = LIVE;
    names->live++;
}

static void unlink_live(struct passtime_names *names, passtime_id id)
{
    struct passtime_name *name = &names->place[id];
    _Atomic uint32_t *link = &names->bucket[name->hash & names->bucket_mask];
    uint32_t at = atomic_load_explicit(link, memory_order_relaxed);
    while (at != id) {
        link = &names->place[at].next;
        at = atomic_load_explicit(link, memory_order_relaxed);
    }
    uint32_t next = atomic_load_explicit(&name->next, memory_order_relaxed);
    atomic_store_explicit(link, next, memory_order_release);
    names->live--;
}

/* Puts a name into its grave and at the end of the queue. */
static void bury(struct passtime_names *names, passtime_id id, uint64_t seq)
{
    struct passtime_name *name = &names->place[id];
    uint32_t *grave = &names->grave[name->hash & names->bucket_mask];
    name->state = RETIRED;
    name->retired_seq = seq;
    name->grave_next = *grave;
    *grave = id;
    name->queue_prev = names->queue_last;
    name->queue_next = 0;
    if (names->queue_last != 0)
        names->place[names->queue_last].queue_next = id;
    else
        names->queue_first = id;
    names->queue_last = id;
    names->retired++;
}

/* Takes a name out of its grave and the queue. */
static void unbury(struct passtime_names *names, passtime_id id)
{
    struct passtime_name *name = &names->place[id];
    uint32_t *grave = &names->grave[name->hash & names->bucket_mask];
    while (*grave != id)
        grave = &names->place[*grave].grave_next;
    *grave = name->grave_next;
    /* Where there is no neighbour, the queue's own end takes its part. */
    *(name->queue_prev != 0 ? &names->place[name->queue_prev].queue_next : &names->queue_first) =
        name->queue_next;
    *(name->queue_next != 0 ? &names->place[name->queue_next].queue_prev : &names->queue_last) =
        name->queue_prev;
    names->retired--;
}

static void revive(struct passtime_names *names, passtime_id id)
{
    if (names->place[id].state == RETIRED) {
        unbury(names, id);
        link_live(names, id);
    }
}

static bool is_used(const struct passtime_names *names, passtime_id id)
{
    return id > 0 && id < names->unused && names->place[id].state != FREE;
}

static passtime_id take_place(struct passtime_names *names)
{
    passtime_id id = names->free;
    if (id != 0)
        names->free = names->place[id].grave_next;
    else if (names->unused < names->max)
        id = names->unused++;
    return id;
}

size_t passtime_names_bytes(uint32_t max)
{
    return max * sizeof(struct passtime_name) +
           bucket_count(max) * (sizeof(_Atomic uint32_t) + sizeof(uint32_t));
}

void passtime_names_init(struct passtime_names *names, void *memory, uint32_t max)
{
    uint32_t buckets = bucket_count(max);
    memset(memory, 0, passtime_names_bytes(max));
    memset(names, 0, sizeof *names);
    names->place = memory;
    names->bucket = (_Atomic uint32_t *)(names->place + max);
    names->grave = (uint32_t *)(names->bucket + buckets);
    names->bucket_mask = buckets - 1;
    names->max = max;
    names->unused = 1;
    names->hand = 1;
    for (uint32_t i = 0; i < buckets; i++)
        atomic_init(&names->bucket[i], 0);
    for (uint32_t i = 0; i < max; i++)
        atomic_init(&names->place[i].next, 0);
    memcpy(names->place[0].text, other, sizeof other);
}

/* The clean form of a name that is not known as it stands. */
static passtime_id find_cleaned(const struct passtime_names *names, const char *bytes, size_t n)
{
    char clean[PASSTIME_NAME_BYTES];
    size_t length = passtime_names_clean(bytes, n, clean);
    if (length == n && memcmp(clean, bytes, n) == 0)
        return 0;
    return find_live(names, hash_of(clean, length), clean, length);
}

passtime_id passtime_names_find(const struct passtime_names *names, const char *bytes, size_t n)
{
    if (bytes != NULL && n > 0 && n < PASSTIME_NAME_BYTES) {
        passtime_id id = find_live(names, hash_of(bytes, n), bytes, n);
        if (id != 0)
            return id;
    }
    return find_cleaned(names, bytes, n);
}

/* Enters a name that is not there. */
static passtime_id enter(struct passtime_names *names, uint64_t hash, const char *clean,
                         size_t length)
{
    passtime_id id = take_place(names);
    if (id == 0) {
        names->full++;
        return 0;
    }
    struct passtime_name *name = &names->place[id];
    memcpy(name->text, clean, length + 1);
    name->bytes = (uint32_t)length;
    name->hash = hash;
    name->last_seq = 0;
    name->holds = 0;
    name->pinned = false;
    link_live(names, id);
    return id;
}

passtime_id passtime_names_add(struct passtime_names *names, const char *bytes, size_t n, bool pin,
                               uint64_t seq)
{
    char clean[PASSTIME_NAME_BYTES];
    size_t length = passtime_names_clean(bytes, n, clean);
    uint64_t hash = hash_of(clean, length);
    passtime_id id = find_live(names, hash, clean, length);
    if (id == 0)
        id = find_retired(names, hash, clean, length);
    if (id == 0)
        id = enter(names, hash, clean, length);
    if (id == 0)
        return 0;
    if (pin)
        names->place[id].pinned = true;
    return passtime_names_touch(names, id, seq);
}

passtime_id passtime_names_touch(struct passtime_names *names, passtime_id id, uint64_t seq)
{
    if (!is_used(names, id))
        return 0;
    if (names->place[id].last_seq < seq)
        names->place[id].last_seq = seq;
    revive(names, id);
    return id;
}

void passtime_names_hold(struct passtime_names *names, passtime_id id)
{
    if (is_used(names, id)) {
        names->place[id].holds++;
        revive(names, id);
    }
}

void passtime_names_release(struct passtime_names *names, passtime_id id)
{
    if (is_used(names, id) && names->place[id].holds > 0)
        names->place[id].holds--;
}

static bool is_old(const struct passtime_name *name, uint64_t seq)
{
    return name->state == LIVE && !name->pinned && name->holds == 0 && seq > name->last_seq &&
           seq - name->last_seq >= PASSTIME_NAMES_KEEP_FRAMES;
}

uint32_t passtime_names_retire_old(struct passtime_names *names, uint64_t seq)
{
    uint32_t given_out = names->unused - 1;
    uint32_t looks = given_out < PASSTIME_NAMES_SWEEP ? given_out : PASSTIME_NAMES_SWEEP;
    uint32_t count = 0;
    for (; looks > 0; looks--) {
        if (is_old(&names->place[names->hand], seq)) {
            unlink_live(names, names->hand);
            bury(names, names->hand, seq);
            count++;
        }
        names->hand = names->hand + 1 < names->unused ? names->hand + 1 : 1;
    }
    return count;
}

uint32_t passtime_names_reclaim(struct passtime_names *names, uint64_t oldest_open_seq)
{
    uint32_t count = 0;
    while (names->queue_first != 0) {
        passtime_id id = names->queue_first;
        struct passtime_name *name = &names->place[id];
        if (name->retired_seq >= oldest_open_seq)
            break;
        unbury(names, id);
        name->state = FREE;
        name->grave_next = names->free;
        names->free = id;
        count++;
    }
    names->reclaimed += count;
    return count;
}
