/* SPDX-License-Identifier: MIT */
/* The names of a context by their numbers: bounded, whatever a page calls its passes. */
#include "page/collect_state.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct passtime_collect_names *names)
{
    if (names->count < names->capacity)
        return true;
    uint32_t capacity = names->capacity > 0 ? 2 * names->capacity : 64;
    struct passtime_collect_name *grown = realloc(names->names, capacity * sizeof *grown);
    if (!grown)
        return false;
    names->names = grown;
    names->capacity = capacity;
    return true;
}

static struct passtime_collect_name *find(const struct passtime_collect_names *names, uint32_t id)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (names->names[i].id == id)
            return &names->names[i];
    }
    return NULL;
}

static struct passtime_collect_name *place_for(struct passtime_collect_names *names, uint32_t id)
{
    struct passtime_collect_name *place = find(names, id);
    if (place)
        return place;
    if (names->count < PASSTIME_COLLECT_NAMES_MAX) {
        if (!make_room(names))
            return NULL;
        names->names[names->count] = (struct passtime_collect_name){.id = id};
        return &names->names[names->count++];
    }
    place = &names->names[0];
    for (uint32_t i = 1; i < names->count; i++) {
        if (names->names[i].used < place->used)
            place = &names->names[i];
    }
    return place;
}

bool passtime_collect_names_add(struct passtime_collect_names *names, uint32_t id, const char *text)
{
    size_t bytes = strlen(text);
    bytes = bytes < 4 * PASSTIME_NAME_BYTES ? bytes : 4 * PASSTIME_NAME_BYTES;
    char *copy = malloc(bytes + 1);
    struct passtime_collect_name *place = copy ? place_for(names, id) : NULL;
    if (!place) {
        free(copy);
        return false;
    }
    memcpy(copy, text, bytes); /* The core cuts it further, at a code point. */
    copy[bytes] = '\0';
    free(place->text);
    *place = (struct passtime_collect_name){.id = id, .used = ++names->uses, .text = copy};
    return true;
}

const char *passtime_collect_names_find(struct passtime_collect_names *names, uint32_t id)
{
    /* Numbers are given in order, so that one usually stands where it was put. */
    struct passtime_collect_name *name =
        id >= 1 && id <= names->count && names->names[id - 1].id == id ? &names->names[id - 1]
                                                                       : find(names, id);
    if (!name)
        return NULL;
    name->used = ++names->uses;
    return name->text;
}

void passtime_collect_names_free(struct passtime_collect_names *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free(names->names[i].text);
    free(names->names);
    memset(names, 0, sizeof *names);
}

size_t passtime_collect_names_bytes(const struct passtime_collect_names *names)
{
    size_t bytes = names->capacity * sizeof *names->names;
    for (uint32_t i = 0; i < names->count; i++)
        bytes += strlen(names->names[i].text) + 1;
    return bytes;
}
