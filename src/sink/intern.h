/* SPDX-License-Identifier: MIT */
/*
 * The names that a capture has written already, so that each is written once. Fixed memory: when
 * the table is full the caller clears it, and the file with it (SEQ_INCREMENTAL_STATE_CLEARED).
 */
#ifndef PASSTIME_SINK_INTERN_H
#define PASSTIME_SINK_INTERN_H

#include <passtime/passtime.h>

enum { PASSTIME_INTERN_NAMES = 512, PASSTIME_INTERN_BUCKETS = 1024 };

struct passtime_interned {
    uint32_t hash;
    uint8_t bytes;
    bool as_name;  /* written as a name of events */
    bool as_value; /* written as a value of annotations */
    char text[PASSTIME_NAME_BYTES];
};

struct passtime_intern {
    uint32_t count;
    uint16_t bucket[PASSTIME_INTERN_BUCKETS]; /* number of a name plus 1; 0: free */
    struct passtime_interned names[PASSTIME_INTERN_NAMES];
};

void passtime_intern_clear(struct passtime_intern *table);
/* Finds or enters the clean form of a name; NULL: the table is full. */
struct passtime_interned *passtime_intern_get(struct passtime_intern *table, const char *name);

#endif
