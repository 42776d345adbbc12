/* SPDX-License-Identifier: MIT */
/*
 * The feed backend: the caller supplies ticks, their status and their envelope. Tests script it,
 * the browser's hooks and offline converters run on it.
 */
#ifndef PASSTIME_FEED_H
#define PASSTIME_FEED_H

#include <passtime/passtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The clock that fed ticks are of. */
typedef struct passtime_feed_desc {
    uint32_t size;          /* sizeof(passtime_feed_desc); PASSTIME_FEED_DESC_INIT sets it */
    uint32_t valid_bits;    /* of a tick, 1 to 64; default 64 */
    uint64_t tick_ns_num;   /* nanoseconds per tick, numerator; both 0: 1 ns */
    uint64_t tick_ns_den;   /* denominator; 0 with a numerator: the unit is unknown */
    passtime_source source; /* of its samples; default PASSTIME_GPU_STAMPS */
    uint32_t no_envelope;   /* 1: CPU times are unknown, only ceiling_ns bounds a sample */
    uint32_t unverified;    /* 1: samples carry PASSTIME_FLAG_BOUNDARY_UNVERIFIED */
} passtime_feed_desc;

#define PASSTIME_FEED_DESC_INIT                                                                    \
    {                                                                                              \
        sizeof(passtime_feed_desc), 0, 0, 0, PASSTIME_GPU_STAMPS, 0, 0                             \
    }

/* How the results of one frame came back. */
typedef enum passtime_feed_status {
    PASSTIME_FEED_OK = 0,         /* the ticks are there */
    PASSTIME_FEED_LOST = 1,       /* device or context lost */
    PASSTIME_FEED_MAP_FAILED = 2, /* not readable */
    PASSTIME_FEED_DISJOINT = 3,   /* the clock was disturbed */
    PASSTIME_FEED_LATE = 4,       /* the work ran after its stamps were resolved */
    PASSTIME_FEED_TIMED_OUT = 5   /* given up by who waited for them */
} passtime_feed_status;

/* The results of one frame. */
typedef struct passtime_feed_results {
    uint32_t size; /* sizeof(passtime_feed_results); PASSTIME_FEED_RESULTS_INIT sets it */
    passtime_feed_status status; /* other than OK: the ticks are not read */
    const uint64_t *ticks;       /* begin and end of pair 0, of pair 1, …; copied.
                                    Of elapsed queries: duration of pair 0, unused, of pair 1, … */
    uint32_t tick_count;         /* ticks given; passes beyond are "not executed" */
    const uint8_t *available;    /* one byte a tick, 0: not available; NULL: the API does not say */
    uint64_t seen_ns;            /* CPU clock when the completion was seen; 0: desc.clock, now */
    const uint64_t *baseline;    /* what each slot held before this frame, tick_count long: a stamp
                                    equal to it is stale. Copied. NULL: what the same slot of this
                                    context gave before, which holds where it is one query */
    uint64_t complete_begin_ns;  /* CPU clock around a whole submission, up to its completion, which
                                    makes a sample of PASSTIME_CPU_COMPLETE; */
    uint64_t complete_end_ns;    /* both 0: not known. Not read where the source is GPU time */
} passtime_feed_results;

#define PASSTIME_FEED_RESULTS_INIT                                                                 \
    {                                                                                              \
        sizeof(passtime_feed_results), PASSTIME_FEED_OK, NULL, 0, NULL, 0, NULL, 0, 0              \
    }

/* Makes a context that is fed by hand. `feed` and `desc` may be NULL for defaults. On failure *t is
 * NULL. */
PASSTIME_API passtime_result passtime_create_feed(const passtime_feed_desc *feed,
                                                  const passtime_desc *desc, passtime **t);

/* Records one whole pass and returns the number of its pair of slots in this frame: its ticks are
 * expected at [2 * pair] and [2 * pair + 1]. PASSTIME_NONE: not timed. passtime_begin/end work too.
 */
PASSTIME_API uint32_t passtime_feed_pass(passtime_recorder *rec, const char *name);
PASSTIME_API uint32_t passtime_feed_pass_id(passtime_recorder *rec, passtime_id id);

/* Begins a pass that passtime_end() closes, and returns the number of its pair; they nest.
 * PASSTIME_NONE: not timed; close it all the same. */
PASSTIME_API uint32_t passtime_feed_open(passtime_recorder *rec, const char *name);
/* Marks a pass, by its pair, as one that could not be stamped: its verdict is REFUSED. Before its
 * recorder is finished. The pair of another recorder is left as it is; with flags too. */
PASSTIME_API void passtime_feed_refuse(passtime_recorder *rec, uint32_t pair);
/* Sets PASSTIME_FLAG_ bits on a pass, by its pair. Before its recorder is finished. */
PASSTIME_API void passtime_feed_flag(passtime_recorder *rec, uint32_t pair, uint32_t flags);
/* Limits how many passes of a frame have a pair, from the next frame begun on; what is recorded
 * beyond is NO_SLOT. 0: max_passes. On the thread that calls passtime_frame_begin(). */
PASSTIME_API void passtime_feed_limit(passtime *t, uint32_t pairs);
/* Counts a frame that was seen and not timed; `why` is one of the fates SKIPPED. INVALID: it is
 * not. On the thread that calls passtime_frame_begin(). */
PASSTIME_API passtime_result passtime_feed_skip(passtime *t, passtime_fate why);
/* Ends a recorder of which nobody will ever say whether its commands ran: its passes are
 * NOT_SUBMITTED. */
PASSTIME_API void passtime_feed_forgotten(passtime_recorder *rec);

/* Gives the results of frame `number`, once, after passtime_frame_end(). INVALID: that frame awaits
 * none. The frame is judged in the next collecting call. */
PASSTIME_API passtime_result passtime_feed_results_ready(passtime *t, uint64_t number,
                                                         const passtime_feed_results *results);
/* Changes the unit from the next frame begun on. Numerator or denominator 0: unknown. On the thread
 * that calls passtime_frame_begin(). */
PASSTIME_API passtime_result passtime_feed_set_tick(passtime *t, uint64_t tick_ns_num,
                                                    uint64_t tick_ns_den);
/* Says that the device is lost: every frame in flight ends once as LOST_DEVICE, further ones are
 * not timed. With false, a new one was taken up; frames from before stay lost, and results given
 * for them are refused. */
PASSTIME_API void passtime_feed_lost(passtime *t, bool lost);

#ifdef __cplusplus
}
#endif

#endif
