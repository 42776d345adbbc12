/* SPDX-License-Identifier: MIT */
/* Texts, the map and growing arrays; see store.h. */
#include "read/store.h"

#include "core/names.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16384, FIRST_ENTRIES = 256, FIRST_ITEMS = 16 };

struct passtime_block {
    struct passtime_block *next;
    char bytes[BLOCK_BYTES];
};

const char *passtime_texts_keep(struct passtime_texts *texts, const void *bytes, size_t size)
{
    char text[PASSTIME_NAME_BYTES];
    const size_t needed = passtime_names_clean(bytes, size, text) + 1;
    if (texts->free_bytes < needed) {
        struct passtime_block *block = malloc(sizeof *block);
        if (block == NULL)
            return NULL;
        block->next = texts->blocks;
        texts->blocks = block;
        texts->free_bytes = sizeof block->bytes;
    }
    char *kept = texts->blocks->bytes + (sizeof texts->blocks->bytes - texts->free_bytes);
    memcpy(kept, text, needed);
    texts->free_bytes -= needed;
    return kept;
}

void passtime_texts_finish(struct passtime_texts *texts)
{
    while (texts->blocks != NULL) {
        struct passtime_block *next = texts->blocks->next;
        free(texts->blocks);
        texts->blocks = next;
    }
    texts->free_bytes = 0;
}

static size_t hash_of(enum passtime_map_kind kind, uint32_t generation, uint64_t iid)
{
    uint64_t mix = iid * 0x9e3779b97f4a7c15u ^ ((uint64_t)generation << 3 | (uint64_t)kind);
    mix = (mix ^ mix >> 32) * 0xd6e8feb86659fd93u;
    return (size_t)(mix ^ mix >> 32);
}

static struct passtime_map_entry *place_of(const struct passtime_map *map,
                                           enum passtime_map_kind kind, uint32_t generation,
                                           uint64_t iid)
{
    size_t at = hash_of(kind, generation, iid) & (map->capacity - 1);
    for (;; at = (at + 1) & (map->capacity - 1)) {
        struct passtime_map_entry *entry = &map->entries[at];
        if (entry->kind == PASSTIME_MAP_FREE ||
            (entry->kind == kind && entry->generation == generation && entry->iid == iid))
            return entry;
    }
}

const struct passtime_map_entry *passtime_map_get(const struct passtime_map *map,
                                                  enum passtime_map_kind kind, uint32_t generation,
                                                  uint64_t iid)
{
    if (map->capacity == 0)
        return NULL;
    const struct passtime_map_entry *entry = place_of(map, kind, generation, iid);
    return entry->kind == PASSTIME_MAP_FREE ? NULL : entry;
}

static bool grow_map(struct passtime_map *map)
{
    struct passtime_map larger = {NULL, map->capacity > 0 ? 2 * map->capacity : FIRST_ENTRIES,
                                  map->count};
    larger.entries = calloc(larger.capacity, sizeof *larger.entries);
    if (larger.entries == NULL)
        return false;
    for (size_t i = 0; i < map->capacity; i++) {
        const struct passtime_map_entry *entry = &map->entries[i];
        if (entry->kind != PASSTIME_MAP_FREE)
            *place_of(&larger, entry->kind, entry->generation, entry->iid) = *entry;
    }
    free(map->entries);
    *map = larger;
    return true;
}

bool passtime_map_put(struct passtime_map *map, const struct passtime_map_entry *entry)
{
    if (map->count >= map->capacity / 4 * 3 && !grow_map(map))
        return false;
    struct passtime_map_entry *place = place_of(map, entry->kind, entry->generation, entry->iid);
    if (place->kind == PASSTIME_MAP_FREE)
        map->count++;
    *place = *entry;
    return true;
}

void passtime_map_finish(struct passtime_map *map)
{
    free(map->entries);
    *map = (struct passtime_map){NULL, 0, 0};
}

void *passtime_grown(void *array, uint32_t count, uint32_t *capacity, size_t item_bytes)
{
    if (count < *capacity)
        return array;
    if (*capacity > UINT32_MAX / 2 || 2 * (size_t)*capacity > SIZE_MAX / item_bytes / 2)
        return NULL;
    const uint32_t more = *capacity > 0 ? 2 * *capacity : FIRST_ITEMS;
    void *larger = realloc(array, more * item_bytes);
    if (larger != NULL)
        *capacity = more;
    return larger;
}
