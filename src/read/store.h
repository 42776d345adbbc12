/* SPDX-License-Identifier: MIT */
/*
 * The reader's memory: texts that keep their place, a map from the numbers that a file uses to what
 * they stand for, and arrays that grow as data arrives, never as a file promises.
 */
#ifndef PASSTIME_READ_STORE_H
#define PASSTIME_READ_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct passtime_block;

struct passtime_texts {
    struct passtime_block *blocks;
    size_t free_bytes; /* of the newest block */
};

/* Keeps the clean form of a name, as the core makes it; NULL: no memory. */
const char *passtime_texts_keep(struct passtime_texts *texts, const void *bytes, size_t size);
void passtime_texts_finish(struct passtime_texts *texts);

enum passtime_map_kind {
    PASSTIME_MAP_FREE = 0,
    PASSTIME_MAP_SEQUENCE, /* by its id: index of its state */
    PASSTIME_MAP_ROOT,     /* by uuid: index of a context */
    PASSTIME_MAP_TRACK,    /* by uuid: index of a track */
    PASSTIME_MAP_NAME,     /* by generation and iid: a kept text */
    PASSTIME_MAP_KEY,      /* by generation and iid: an annotation's key */
    PASSTIME_MAP_VALUE     /* by generation and iid: a kept text */
};

struct passtime_map_entry {
    uint64_t iid;
    uint32_t generation;
    enum passtime_map_kind kind;
    uint64_t number;
    const char *text;
};

struct passtime_map {
    struct passtime_map_entry *entries;
    size_t capacity; /* a power of two */
    size_t count;
};

/* The entry of a number, or NULL. */
const struct passtime_map_entry *passtime_map_get(const struct passtime_map *map,
                                                  enum passtime_map_kind kind, uint32_t generation,
                                                  uint64_t iid);
/* Enters one or replaces it. False: no memory. */
bool passtime_map_put(struct passtime_map *map, const struct passtime_map_entry *entry);
void passtime_map_finish(struct passtime_map *map);

/* Room for one more than `count` items of `item_bytes` in an array of *capacity; the array may
 * move. NULL: no memory, and the old array still stands. */
void *passtime_grown(void *array, uint32_t count, uint32_t *capacity, size_t item_bytes);

#endif
