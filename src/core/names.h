/* SPDX-License-Identifier: MIT */
/*
 * The table of names: a fixed number of places, looked up without a lock while it changes. Names
 * that no frame has used for long give up their place, so that an app whose labels never repeat
 * cannot fill memory, nor the table for good.
 *
 * Who may call what: passtime_names_find() and passtime_names_text() by anybody who holds the
 * caller's lock, or who records a frame that has begun and is not judged yet. Everything else under
 * the lock.
 *
 * `seq` numbers frames in the order of beginning and never falls. A frame begins under the lock, or
 * on the thread that retires, so that one begun after a retiring knows of it. What makes the reads
 * safe stands in names.c.
 */
#ifndef PASSTIME_CORE_NAMES_H
#define PASSTIME_CORE_NAMES_H

#include <passtime/passtime.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name that no frame has used for this many frames may give up its place. */
enum { PASSTIME_NAMES_KEEP_FRAMES = 1024 };

/* How many places one call of passtime_names_retire_old() looks at. */
enum { PASSTIME_NAMES_SWEEP = 32 };

struct passtime_name {
    /* Read without the lock: */
    _Atomic uint32_t next; /* in the chain of its bucket; 0: the last */
    uint32_t bytes;        /* of text, without its closing zero */
    uint64_t hash;
    char text[PASSTIME_NAME_BYTES];
    /* Under the lock only: */
    uint64_t last_seq; /* the last frame that used it */
    uint64_t retired_seq;
    uint32_t holds;      /* series that stand on it */
    uint32_t grave_next; /* in the chain of its grave; also links the free places */
    uint32_t queue_prev; /* neighbours in the queue of the retired */
    uint32_t queue_next;
    uint8_t state;
    bool pinned; /* for the life of the context */
};

struct passtime_names {
    struct passtime_name *place; /* by id; 0 is "(other)" */
    _Atomic uint32_t *bucket;    /* chains of live names */
    uint32_t *grave;             /* chains of retired ones, same hash */
    uint32_t bucket_mask;
    uint32_t max;
    uint32_t unused;      /* places from here on were never given out */
    uint32_t free;        /* chain of places given back */
    uint32_t queue_first; /* the retired, oldest first */
    uint32_t queue_last;
    uint32_t hand;      /* where the next sweep starts */
    uint32_t live;      /* names that lookups find */
    uint32_t retired;   /* names that wait for their readers */
    uint64_t full;      /* names that found no place and went to "(other)" */
    uint64_t reclaimed; /* places given back so far */
};

/* Memory for `max` places, "(other)" included, so that max - 1 names fit; at least 2. */
size_t passtime_names_bytes(uint32_t max);

/* `memory` holds passtime_names_bytes(max) bytes, is aligned as malloc's and need not be zeroed. */
void passtime_names_init(struct passtime_names *names, void *memory, uint32_t max);

/* The id of a name given as the app gave it; 0: not known. NULL and "" are "(unnamed)". Fast for
 * names that are UTF-8, without control characters, and shorter than PASSTIME_NAME_BYTES. */
passtime_id passtime_names_find(const struct passtime_names *names, const char *bytes, size_t n);

/* Finds or enters a name for frame `seq`, in its clean form. `pin`: for the life of the context.
 * 0: no place is free. */
passtime_id passtime_names_add(struct passtime_names *names, const char *bytes, size_t n, bool pin,
                               uint64_t seq);

/* UTF-8, never NULL; "(other)" for an id that is no place. */
static inline const char *passtime_names_text(const struct passtime_names *names, passtime_id id)
{
    return names->place[id < names->max ? id : 0].text;
}

/* Says that frame `seq` used a name; one that was retired meanwhile comes back to life. Returns the
 * id to use: the same, or 0 where the id names nothing. */
passtime_id passtime_names_touch(struct passtime_names *names, passtime_id id, uint64_t seq);

/* A name held is never retired. Holds are counted; holding a retired name revives it. */
void passtime_names_hold(struct passtime_names *names, passtime_id id);
void passtime_names_release(struct passtime_names *names, passtime_id id);

/* Looks at the next few places and retires what is neither pinned, held nor used of late. `seq` is
 * the newest frame begun. Returns how many it retired. Call it once a frame. */
uint32_t passtime_names_retire_old(struct passtime_names *names, uint64_t seq);

/* Gives back the places of names retired before `oldest_open_seq` began: the oldest frame that is
 * being recorded, is in flight, or is judged and still to be read by the app (its samples point at
 * the texts). With no such frame: the newest seq begun, plus 1. Returns how many it gave back. */
uint32_t passtime_names_reclaim(struct passtime_names *names, uint64_t oldest_open_seq);

/* Writes the clean form of a name and a closing zero to `out`, which holds PASSTIME_NAME_BYTES;
 * returns its length. What is not UTF-8 becomes U+FFFD, as do control characters but those that are
 * white space, which become spaces; what is too long is cut between code points. */
size_t passtime_names_clean(const char *bytes, size_t n, char *out);

#endif
