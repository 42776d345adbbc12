/* SPDX-License-Identifier: MIT */
/*
 * The seam between the core and its backends: what a backend must do (the ops table), and what the
 * core offers it (the front). A backend stamps, resolves and brings back raw ticks; it never
 * judges, scales or remembers. Nothing else of the core is visible to it.
 */
#ifndef PASSTIME_CORE_BACKEND_H
#define PASSTIME_CORE_BACKEND_H

#include <passtime/counters.h>

/* Nanoseconds per tick as an exact ratio; num or den 0: not known. */
struct passtime_unit {
    uint64_t num;
    uint64_t den;
};

/* A stretch of consecutive slot pairs that were all handed out and whose recorders were submitted.
 */
struct passtime_run {
    uint32_t first_pair;
    uint32_t pair_count;
};

enum passtime_raw_state {
    PASSTIME_RAW_NOT_READY = 0,
    PASSTIME_RAW_READY,      /* ticks holds what the GPU wrote */
    PASSTIME_RAW_LOST,       /* device or context lost */
    PASSTIME_RAW_MAP_FAILED, /* cannot be read back */
    PASSTIME_RAW_DISJOINT,   /* the GPU's clock was disturbed */
    PASSTIME_RAW_LATE,       /* proved to have run after the resolve, or not at all */
    PASSTIME_RAW_TIMED_OUT   /* given up by who waited for it */
};

/* What a backend brings back of one entry. The arrays stay valid until entry_release. */
struct passtime_raw {
    enum passtime_raw_state state;
    bool durations;           /* ticks[2 * pair] is a duration, ticks[2 * pair + 1] is not read */
    uint32_t tick_count;      /* ticks present; pairs beyond count as not executed */
    const uint64_t *ticks;    /* begin and end of each pair, by pair number; any alignment of 8 */
    const uint8_t *available; /* one byte a tick, 0: not written; NULL: the API does not say */
    const uint64_t
        *baseline;            /* not NULL: what each slot held before this frame, tick_count long
                                 (a query set that is new to this entry); replaces the core's memory */
    uint32_t disjoint_pairs;  /* pairs below it had begun when the GPU's clock was disturbed */
    bool boundary_unverified; /* as in the traits, where it may change */
    uint64_t seen_ns;         /* CPU clock when the completion was seen; 0: now */
    uint64_t
        complete_begin_ns;    /* CPU clock around a whole submission, for a CPU_COMPLETE sample; */
    uint64_t complete_end_ns; /* both 0: none */
    uint32_t counted_pairs;   /* pairs below it may have taken shader counters … */
    const uint8_t *counted;   /* … and those with a 1 here did; NULL: none */
    const uint64_t *counts;   /* their counts by pair, one a counter; NULL: did not come back */
};

/* What holds for a backend from create on. */
struct passtime_traits {
    passtime_source source;
    uint32_t valid_bits;       /* 1 to 64 */
    struct passtime_unit unit; /* until entry_begin states another */
    bool has_envelope;         /* CPU times bound the stamps */
    bool boundary_unverified;  /* samples carry PASSTIME_FLAG_BOUNDARY_UNVERIFIED */
    bool zero_means_unwritten; /* the API has no availability: a tick of 0 was not written */
    uint32_t default_frames_in_flight; /* 0: 4 */
};

/*
 * Entries are numbered 0 … frames_in_flight - 1. In the life of one entry the core calls
 *   entry_begin, (marks), entry_resolve, entry_collect until it is not NOT_READY, entry_release
 * or, without results, entry_begin, (marks), entry_abandon. mark runs on the recorder's thread,
 * which may be any; entry_begin on the caller of frame_begin; the others are never called for one
 * context by two threads at once. None may wait for the GPU, allocate on the heap of the OS, or
 * fail the app.
 */
struct passtime_backend_ops {
    uint32_t size;   /* sizeof(struct passtime_backend_ops) */
    const char *api; /* "webgpu", "cpu", "feed" … */
    /* Frees everything; frames may be in flight. */
    void (*destroy)(void *self);
    /* Prepares an entry; returns how many pairs it may hand out now (at most max_passes), 0: not
     * yet, the core then tries the next free entry.
     * `wanted` is how many pairs recent frames needed. May change *unit, which holds the last one.
     */
    uint32_t (*entry_begin)(void *self, uint32_t entry, uint32_t wanted,
                            struct passtime_unit *unit);
    /* Stamps a slot inline (2 * pair: begin, 2 * pair + 1: end). False: it could not. NULL: this
     * backend does not stamp inline. */
    bool (*mark)(void *self, uint32_t entry, uint32_t slot);
    /* The frame is closed and all its recorders are finished: resolve and copy these runs. Zero
     * runs do not occur. */
    void (*entry_resolve)(void *self, uint32_t entry, uint64_t frame_number,
                          const struct passtime_run *runs, uint32_t run_count);
    /* Fills *raw (zeroed by the core). Polls; never waits. */
    void (*entry_collect)(void *self, uint32_t entry, struct passtime_raw *raw);
    /* raw was judged: its arrays are no longer needed, the entry is free. */
    void (*entry_release)(void *self, uint32_t entry);
    /* The entry ends without results (nothing to resolve, timed out, or destroyed queries): what
     * may still be written or called back later must not touch the entry's next life. */
    void (*entry_abandon)(void *self, uint32_t entry);
    /* True once the device or context is gone; entries in flight then come back as RAW_LOST. */
    bool (*is_lost)(void *self);
    /* Optional. Called once for each collecting call, before the entries are polled. */
    void (*poll)(void *self);
    /* Optional. The recorder is about to be finished, as submitted or discarded, and is still
     * usable: the backend may close what it left open. */
    void (*recorder_finish)(void *self, passtime_recorder *rec);
};

/* The front: what the core offers to backends. ------------------------------------------------- */

/* Copies `desc` (NULL: all defaults) to `out` with every default resolved; INVALID where a field is
 * out of range. The allocator, clock and log in `out` are never NULL afterwards. */
passtime_result passtime_front_resolve_desc(const passtime_desc *desc, uint32_t default_frames,
                                            passtime_desc *out);
/* Memory from the desc's allocator, zeroed. For create only. */
void *passtime_front_allocate(const passtime_desc *resolved, size_t bytes);
void passtime_front_free(const passtime_desc *resolved, void *memory);

/* Makes the context around `self`. On failure the caller still owns `self`; on success
 * ops->destroy(self) will free it. `resolved` comes from passtime_front_resolve_desc. */
passtime_result passtime_front_create(const struct passtime_backend_ops *ops, void *self,
                                      const struct passtime_traits *traits,
                                      const passtime_desc *resolved, passtime **t);

/* Fills counted and counted_pairs of *raw for an entry that is about to be abandoned. */
typedef void passtime_counted_fn(void *self, uint32_t entry, struct passtime_raw *raw);

/* Shader counters: may they be made so; and makes them, right after the context. */
bool passtime_front_counters_are_valid(const passtime_counters_desc *desc);
passtime_result passtime_front_counters(passtime *t, const passtime_counters_desc *desc,
                                        passtime_counted_fn *counted);

/* The backend object of a context or recorder that runs on `ops`; NULL where it runs on others. */
void *passtime_front_self(passtime *t, const struct passtime_backend_ops *ops);
void *passtime_front_recorder_self(const passtime_recorder *rec,
                                   const struct passtime_backend_ops *ops);

/* A pass's place in the ring. */
struct passtime_place {
    uint32_t entry;
    uint32_t pair;
};

/* Records one whole pass (begin and end are stamped by descriptor). False: not timed, and counted.
 */
bool passtime_front_pass(passtime_recorder *rec, passtime_id id, struct passtime_place *place);
/* Records a pass that is ended by passtime_front_close; they nest. False as above; close it all the
 * same: the nesting is kept right. */
bool passtime_front_open(passtime_recorder *rec, passtime_id id, struct passtime_place *place);
/* False: no pass is open, or the one closed is not timed. */
bool passtime_front_close(passtime_recorder *rec, struct passtime_place *place);
/* Is it the pair of a pass that this recorder, which still records, has named? For pairs that an
 * app hands in. */
bool passtime_front_owns(const passtime_recorder *rec, uint32_t pair);
/* Marks a pass as refused by the backend (verdict REFUSED). */
void passtime_front_refuse(passtime_recorder *rec, struct passtime_place place);
/* Gives a pass that is being recorded another name: what it runs is known only later. */
void passtime_front_rename(passtime_recorder *rec, struct passtime_place place, passtime_id id);
/* Sets flags on a pass that is being recorded, e.g. PASSTIME_FLAG_IMPLIED_END. */
void passtime_front_flag(passtime_recorder *rec, struct passtime_place place, uint32_t flags);
/* The pair of the pass around it, PASSTIME_NONE where there is none. */
uint32_t passtime_front_parent(const passtime *t, struct passtime_place place);
/* How many passes are open on the recorder. */
uint32_t passtime_front_depth(const passtime_recorder *rec);
/* The entry of a recorder, and of a frame being recorded or in flight (PASSTIME_NONE: no such
 * frame). */
uint32_t passtime_front_recorder_entry(const passtime_recorder *rec);
/* Its number among the recorders of its frame; PASSTIME_NONE where it is finished. */
uint32_t passtime_front_recorder_index(const passtime_recorder *rec);
uint32_t passtime_front_frame_entry(passtime *t, uint64_t number);
/* The id of a name as passtime_begin finds it: known, or entered now, or 0. */
passtime_id passtime_front_name(passtime_recorder *rec, const char *name);
passtime_id passtime_front_name_n(passtime_recorder *rec, const char *name, size_t bytes);
/* Pairs of the entry handed out so far, as far as a recorder that is alone in its frame knows. */
uint32_t passtime_front_pairs_used(const passtime_recorder *rec);

/* Counts a frame that was seen and not timed: `why` is one of the fates SKIPPED. By the caller of
 * frame_begin. */
void passtime_front_skip(passtime *t, passtime_fate why);
/* Ends a recorder of which nobody will ever say whether its commands ran: NOT_SUBMITTED. */
void passtime_front_forgotten(passtime_recorder *rec);

/* Says something, at powers of two of its count. `message` is one sentence: what, where, what to
 * do. */
void passtime_front_log(passtime *t, passtime_log_item item, const char *message);
/* Says something before a context exists. */
void passtime_front_log_early(const passtime_desc *resolved, passtime_log_item item,
                              const char *message);
/* The context's CPU clock. */
uint64_t passtime_front_now(const passtime *t);
/* Counts in the ledger: results are overdue while no event was processed. */
void passtime_front_count_unpumped(passtime *t);
/* `period_ns` as an exact ratio (a float is one); 0/0 where it is NaN, infinite, zero or negative.
 */
struct passtime_unit passtime_front_unit(double period_ns);

#endif
