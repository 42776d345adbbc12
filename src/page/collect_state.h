/* SPDX-License-Identifier: MIT */
/* The inside of the collector. */
#ifndef PASSTIME_PAGE_COLLECT_STATE_H
#define PASSTIME_PAGE_COLLECT_STATE_H

#include "page/collect.h"
#include "page/message.h"

#include "core/series.h"

#include <stdio.h>

enum { PASSTIME_COLLECT_NAMES_MAX = 4096, PASSTIME_COLLECT_SETS_MAX = 32 };

/* What is known of a pair of slots between frames. */
enum passtime_slot_state {
    PASSTIME_SLOT_ZERO = 0, /* never written: new sets hold zeros */
    PASSTIME_SLOT_KNOWN,    /* holds the ticks that were read last */
    PASSTIME_SLOT_UNSEEN, /* may hold stamps that nobody read: what it gives next is not believed */
    PASSTIME_SLOT_SPOILED /* stamps may still come into it: it is not believed any more */
};

/* The slots of one query set. */
struct passtime_slot_set {
    uint64_t id;
    uint64_t used; /* when it was used last, counted in frames */
    uint64_t begun_ns;
    uint32_t pairs;
    uint64_t *ticks; /* two a pair */
    uint8_t *states; /* enum passtime_slot_state */
};

struct passtime_slots {
    struct passtime_slot_set sets[PASSTIME_COLLECT_SETS_MAX];
    uint32_t count;
    uint64_t uses;
    uint64_t forgotten; /* the highest number of a set that was dropped; 0: none was */
};

/* The set of that number, with room for so many pairs; NULL: no memory. */
struct passtime_slot_set *passtime_slots_find(struct passtime_slots *slots, uint64_t id,
                                              uint32_t pairs);
/* Whether what the pair gives can't be believed any more. */
bool passtime_slot_is_spoiled(const struct passtime_slot_set *set, uint32_t pair);
/* What the slots of this frame held before it: two for each pair that has ticks. A pair that was
 * not seen is given the frame's own ticks, so that it is stale. */
void passtime_slots_baseline(const struct passtime_slot_set *set,
                             const struct passtime_message_frame *frame, uint64_t *baseline);
/* Takes what the frame did to them. `has_ticks`: its ticks were read. */
void passtime_slots_update(struct passtime_slot_set *set,
                           const struct passtime_message_frame *frame, bool has_ticks);
void passtime_slots_free(struct passtime_slots *slots);
size_t passtime_slots_bytes(const struct passtime_slots *slots);

struct passtime_collect_name {
    uint32_t id;   /* 0: a free place */
    uint64_t used; /* as of the sets */
    char *text;
};

/* Names by number. The one unused for longest gives up its place. */
struct passtime_collect_names {
    struct passtime_collect_name *names; /* grows up to PASSTIME_COLLECT_NAMES_MAX */
    uint32_t count, capacity;
    uint64_t uses;
};

/* False: no memory. */
bool passtime_collect_names_add(struct passtime_collect_names *names, uint32_t id,
                                const char *text);
/* The text; NULL: not known (any more). */
const char *passtime_collect_names_find(struct passtime_collect_names *names, uint32_t id);
void passtime_collect_names_free(struct passtime_collect_names *names);
size_t passtime_collect_names_bytes(const struct passtime_collect_names *names);

/* One device or GL context. */
struct passtime_collect_context {
    uint32_t number; /* the realm's for it */
    struct passtime_collect_about about;
    char api[8], adapter[PASSTIME_COLLECT_TEXT_BYTES], driver[PASSTIME_COLLECT_TEXT_BYTES];
    char adapter_kind[32];
    uint32_t valid_bits, max_passes;
    bool unverified;
    bool warm;        /* the frames of the warm-up are behind it */
    int64_t shift_ns; /* from the realm's times to the collector's */
    uint64_t now_ns;  /* the clock that the core sees */
    passtime *t;      /* NULL: no frame yet */
    passtime_capture *capture;
    struct passtime_slots slots;
    struct passtime_collect_names names;
    struct passtime_series *budgets; /* one a budget; NULL: there are none */
};

/* Where captures of several contexts go, one behind the other. */
struct passtime_collect_file {
    char *path; /* NULL: none is asked for */
    FILE *file; /* NULL: not open yet */
    bool failed;
    bool hold; /* what is written is kept back in `held` */
    char *held;
    size_t held_bytes;
};

struct passtime_collector {
    struct passtime_collect_options options;
    char *budget_passes[PASSTIME_COLLECT_BUDGETS_MAX];
    struct passtime_message_reader *reader;
    struct passtime_collect_counts counts;
    struct passtime_collect_file file;
    uint32_t from;  /* the realm whose text is being taken */
    double base_ms; /* the first realm's origin */
    bool has_base;
    uint32_t realm_count;
    struct passtime_collect_realm realms[PASSTIME_COLLECT_REALMS_MAX];
    double origins_ms[PASSTIME_COLLECT_REALMS_MAX]; /* of the realms */
    uint32_t context_count;
    struct passtime_collect_context *contexts[PASSTIME_COLLECT_CONTEXTS_MAX];
    /* Of the frame being replayed: */
    passtime_recorder *recorders[PASSTIME_MESSAGE_RECORDERS_MAX];
    uint32_t open[PASSTIME_MESSAGE_RECORDERS_MAX]; /* the innermost open pass of each */
    uint64_t ticks[2 * PASSTIME_MESSAGE_PASSES_MAX];
    uint64_t baseline[2 * PASSTIME_MESSAGE_PASSES_MAX];
};

/* collect_replay.c: records a frame anew and has it judged. False: its parts do not fit together.
 */
bool passtime_collect_replay(struct passtime_collector *collector,
                             struct passtime_collect_context *context,
                             const struct passtime_message_frame *frame);

/* collect_context.c */
struct passtime_collect_context *
passtime_collect_context_make(struct passtime_collector *collector,
                              const struct passtime_message *message);
void passtime_collect_context_free(struct passtime_collect_context *context);
/* Makes its core; false: no memory. */
bool passtime_collect_context_open(struct passtime_collector *collector,
                                   struct passtime_collect_context *context);
/* Takes the judged frames. */
void passtime_collect_context_drain(struct passtime_collector *collector, uint32_t index);
size_t passtime_collect_context_bytes(const struct passtime_collect_context *context,
                                      uint32_t budgets);

/* collect_file.c */
/* Opens the capture of a context, told apart from the others in the file. */
void passtime_collect_file_add(struct passtime_collector *collector,
                               struct passtime_collect_context *context);
/* Ends all of them. False: not everything could be written. */
bool passtime_collect_file_end(struct passtime_collector *collector);

#endif
