/* SPDX-License-Identifier: MIT */
/*
 * Collects what the scripts of a page send: raw frames of many devices and GL contexts. Each of
 * these is a context of the core, in which its frames are recorded anew, by the times and ticks
 * that they carry, and judged. Memory does not grow with the number of frames.
 *
 * One thread. Nothing that a page sends can make a call fail: it is left out, and counted.
 */
#ifndef PASSTIME_PAGE_COLLECT_H
#define PASSTIME_PAGE_COLLECT_H

#include "sink/snapshot.h"

#include <passtime/passtime.h>
#include <passtime/sink.h>

enum {
    PASSTIME_COLLECT_CONTEXTS_MAX = 64, /* a run; those that measured nothing give up their place */
    PASSTIME_COLLECT_REALMS_MAX = 256,
    PASSTIME_COLLECT_TEXT_BYTES = 256,
    PASSTIME_COLLECT_BUDGETS_MAX = 32
};

/* All of it is copied. */
struct passtime_collect_options {
    uint64_t warmup_frames; /* of each context: not counted, unless no others follow */
    uint64_t frames;        /* of a context, then no more of it are taken; 0: without end */
    uint64_t budget_ns;     /* of a frame's busy time, for the live picture and captures; 0: none */
    const char *const *budget_passes; /* names whose sums in a frame are to be followed */
    uint32_t budget_count;
    const char *capture_path; /* written once there is a frame; NULL: none */
    void *user;
    /* A frame was judged. May be NULL. */
    void (*on_frame)(void *user, uint32_t context, const passtime_frame *frame);
    /* Something that the script in the page says, once. May be NULL. */
    void (*on_note)(void *user, uint32_t realm, const char *text);
};

/* What a realm's script says of itself. Texts are cut where they do not fit. */
struct passtime_collect_realm {
    uint32_t id;
    uint64_t animation_frames; /* that it has seen */
    char url[PASSTIME_COLLECT_TEXT_BYTES];
    char kind[16];
    char webgpu[16], webgl[16]; /* "hooked", "absent", "own", "late"; "": not told */
    char text[PASSTIME_COLLECT_TEXT_BYTES];
};

/* What is known of a context. */
struct passtime_collect_about {
    uint32_t realm;
    bool measured; /* the core has seen frames of it */
    bool lost, gone;
    passtime_source source;
    uint64_t frames;            /* with passes, that count */
    uint64_t warmup;            /* with passes, that do not */
    uint64_t begun_ns, seen_ns; /* when the first that counts was begun, and the last came back */
    passtime_adapter_info adapter;
    char name[PASSTIME_COLLECT_TEXT_BYTES];   /* its label, or "device 1" */
    char reason[PASSTIME_COLLECT_TEXT_BYTES]; /* why there are only CPU times; or "" */
};

/* What was left out, and why. */
struct passtime_collect_counts {
    uint64_t frames;            /* taken, of all contexts */
    uint64_t malformed;         /* messages that were not as they should be */
    uint64_t unknown;           /* messages of kinds that this version does not know */
    uint64_t frames_refused;    /* frames whose parts do not fit together */
    uint64_t contexts_left_out; /* beyond the limit */
    uint64_t no_memory;
    char first_fault[160]; /* of the malformed */
};

struct passtime_collector;

/* NULL: no memory. */
struct passtime_collector *passtime_collector_make(const struct passtime_collect_options *options);
/* Ends what there is. False: the capture could not be written to its end. NULL is fine. */
bool passtime_collector_end(struct passtime_collector **collector);

/* A text that a realm sent. */
void passtime_collector_take(struct passtime_collector *collector, uint32_t realm, const char *json,
                             size_t bytes);

uint32_t passtime_collector_contexts(const struct passtime_collector *collector);
/* NULL beyond the last. Valid until the next text is taken. */
const struct passtime_collect_about *
passtime_collector_about(const struct passtime_collector *collector, uint32_t context);
/* The most frames that any context has counted. */
uint64_t passtime_collector_most_frames(const struct passtime_collector *collector);
/* The context that has counted most; PASSTIME_NONE: none has any. */
uint32_t passtime_collector_busiest(const struct passtime_collector *collector);

/* What a context measured. INVALID: it has not. */
passtime_result passtime_collector_snapshot(struct passtime_collector *collector, uint32_t context,
                                            struct passtime_snapshot *out);
/* The statistics of a budget's pass in a context: the sums of its runs in a frame. False: there are
 * none. */
bool passtime_collector_budget(struct passtime_collector *collector, uint32_t context,
                               uint32_t budget, passtime_stats *out);

/* What a realm says of itself; NULL: nothing yet. */
const struct passtime_collect_realm *
passtime_collector_realm(const struct passtime_collector *collector, uint32_t id);
const struct passtime_collect_counts *
passtime_collector_counts(const struct passtime_collector *collector);
/* Bytes that the collector holds, the core's included. */
size_t passtime_collector_bytes(const struct passtime_collector *collector);

#endif
