/* SPDX-License-Identifier: MIT */
/*
 * Shader counters: what shaders count while they run, beside the times of their passes or in their
 * place where a device can't stamp. A count is an amount in a unit of its own (invocations, steps,
 * bytes); it is never a time, and nothing here turns it into one.
 *
 * A backend whose shaders can count takes a passtime_counters_desc at its create
 * (passtime/webgpu.h). What comes back is judged with the frame's stamps and read here.
 *
 * Threads and NULL: as passtime/passtime.h says.
 */
#ifndef PASSTIME_COUNTERS_H
#define PASSTIME_COUNTERS_H

#include <passtime/passtime.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PASSTIME_COUNTERS_MAX = 32, /* counters that each pass of a context can have */
    PASSTIME_COUNTER_UNIT_BYTES =
        32 /* bytes that a unit takes at most, its closing zero included */
};

/* One counter to be made. Both texts are copied. */
typedef struct passtime_counter_desc {
    const char *name; /* UTF-8, not empty: "loop steps" */
    const char *unit; /* what one of it is, UTF-8: "steps"; NULL or "": it has none */
} passtime_counter_desc;

/* The counters of a context: each pass has one of each. */
typedef struct passtime_counters_desc {
    uint32_t size;  /* sizeof(passtime_counters_desc); PASSTIME_COUNTERS_DESC_INIT sets it */
    uint32_t count; /* how many, 1 to PASSTIME_COUNTERS_MAX */
    const passtime_counter_desc *counters; /* so many; needed during the create only */
} passtime_counters_desc;

#define PASSTIME_COUNTERS_DESC_INIT                                                                \
    {                                                                                              \
        sizeof(passtime_counters_desc), 0, NULL                                                    \
    }

/* A counter as it was made. */
typedef struct passtime_counter_info {
    uint32_t size;                          /* sizeof(passtime_counter_info), set by the library */
    char name[PASSTIME_NAME_BYTES];         /* UTF-8; cut at a code point if longer */
    char unit[PASSTIME_COUNTER_UNIT_BYTES]; /* UTF-8; "": it has none */
} passtime_counter_info;

/* What is known of the counts of one sample. The numbers are pinned. */
typedef enum passtime_counts_state {
    PASSTIME_COUNTS_THERE = 0,     /* counted, and read back whole */
    PASSTIME_COUNTS_NOT_ASKED = 1, /* the pass took no counters */
    PASSTIME_COUNTS_UNPROVED = 2,  /* all are 0, and no stamp proves that the pass ran at all */
    PASSTIME_COUNTS_LOST = 3 /* they did not come back, or did not run before they were read */
} passtime_counts_state;

/* The statistics of one counter of one pass, of the samples whose counts are there. */
typedef struct passtime_counter_stats {
    uint32_t size;       /* sizeof(passtime_counter_stats), set by the library */
    uint32_t flags;      /* PASSTIME_STATS_HAS_MEAN, HAS_SE, HAS_MIN, HAS_MAX */
    uint64_t count;      /* samples whose counts are there */
    uint64_t unproved;   /* samples whose counts are all 0, without proof that the pass ran */
    uint64_t lost;       /* samples that took counters which did not come back */
    double mean;         /* of the counter, in its unit */
    double se;           /* standard error of the mean, autocorrelation included; 0: all alike */
    uint64_t min;        /* least of any sample */
    uint64_t max;        /* most of any sample */
    uint64_t total;      /* sum of all; saturates */
    uint64_t last;       /* of the last sample */
    uint64_t last_frame; /* the frame that `last` is of */
} passtime_counter_stats;

/* How many counters the context has; 0: none. */
PASSTIME_API uint32_t passtime_counter_count(passtime *t);
/* Copies what counter `index` is called. INVALID: no such counter. */
PASSTIME_API passtime_result passtime_counter(passtime *t, uint32_t index,
                                              passtime_counter_info *out);

/* The counts of sample `sample` of the frame that passtime_next() gave last: writes at most
 * `capacity` of them, one a counter, where the state is THERE; else it writes nothing. Exact up to
 * 2^64 - 1. A frame that is no longer held, or no such sample: LOST. To be called by the thread
 * that calls passtime_next(). */
PASSTIME_API passtime_counts_state passtime_counts(passtime *t, const passtime_frame *frame,
                                                   uint32_t sample, uint64_t *counts,
                                                   uint32_t capacity);
/* Copies the statistics of counter `counter` of series `series`. INVALID: no such series or
 * counter, or none of its samples took counters. */
PASSTIME_API passtime_result passtime_counter_series(passtime *t, uint32_t series, uint32_t counter,
                                                     passtime_counter_stats *out);
/* Names for people and files, static, never NULL: "there", "not asked", "unproved", "lost". */
PASSTIME_API const char *passtime_counts_state_name(passtime_counts_state state);

#ifdef __cplusplus
}
#endif

#endif
