/* SPDX-License-Identifier: MIT */
/* The table of names written; see intern.h. */
#include "sink/intern.h"

#include "core/names.h"

#include <string.h>

void passtime_intern_clear(struct passtime_intern *table)
{
    table->count = 0;
    memset(table->bucket, 0, sizeof table->bucket);
}

static uint32_t hash_of(const char *text, size_t bytes)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash;
}

/* Reads no further than it must: a name that has no end within reason is cut as if it had. */
static size_t length_of(const char *name)
{
    size_t bytes = 0;
    while (bytes < 4 * PASSTIME_NAME_BYTES && name[bytes] != '\0')
        bytes++;
    return bytes;
}

struct passtime_interned *passtime_intern_get(struct passtime_intern *table, const char *name)
{
    char text[PASSTIME_NAME_BYTES];
    const size_t bytes = passtime_names_clean(name, name != NULL ? length_of(name) : 0, text);
    const uint32_t hash = hash_of(text, bytes);
    uint32_t at = hash % PASSTIME_INTERN_BUCKETS;
    for (; table->bucket[at] != 0; at = (at + 1) % PASSTIME_INTERN_BUCKETS) {
        struct passtime_interned *known = &table->names[table->bucket[at] - 1];
        if (known->hash == hash && known->bytes == bytes && memcmp(known->text, text, bytes) == 0)
            return known;
    }
    if (table->count == PASSTIME_INTERN_NAMES)
        return NULL;
    struct passtime_interned *entry = &table->names[table->count++];
    table->bucket[at] = (uint16_t)table->count;
    entry->hash = hash;
    entry->bytes = (uint8_t)bytes;
    entry->as_name = false;
    entry->as_value = false;
    memcpy(entry->text, text, bytes + 1);
    return entry;
}
