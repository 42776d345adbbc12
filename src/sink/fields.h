/* SPDX-License-Identifier: MIT */
/*
 * The plain numbers of the public structs that a summary carries, as tables, so that what is
 * written and what is read back can't differ.
 */
#ifndef PASSTIME_SINK_FIELDS_H
#define PASSTIME_SINK_FIELDS_H

#include <passtime/counters.h>
#include <passtime/passtime.h>

enum passtime_field_type {
    PASSTIME_FIELD_U32,
    PASSTIME_FIELD_U64,
    PASSTIME_FIELD_I64,
    PASSTIME_FIELD_DOUBLE
};

struct passtime_field {
    const char *name;
    uint32_t offset;
    enum passtime_field_type type;
    uint32_t flag; /* the bit of passtime_stats.flags that says it is there; 0: it always is */
};

struct passtime_fields {
    const struct passtime_field *rows;
    uint32_t count;
};

/* Every member but size and arrays. */
struct passtime_fields passtime_fields_of_stats(void);
struct passtime_fields passtime_fields_of_ledger(void);
struct passtime_fields passtime_fields_of_clock(void);
struct passtime_fields passtime_fields_of_counter(void);
/* "busy_ns", "span_ns", "sum_ns", "cpu_submit_ns". */
const char *passtime_total_name(passtime_total total);

#endif
