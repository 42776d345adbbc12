/* SPDX-License-Identifier: MIT */
/*
 * The inside of a context. Who may touch what:
 *  - an entry's passes and scopes: the recorder that took their place, until it is finished; then
 *    the collector;
 *  - atomics: anybody;
 *  - names: names_lock (lookups need none, see names.h);
 *  - judged frames, series and everything else: the holder of results_lock.
 * The collector is who holds collect_lock, which is only ever tried: a backend's calls may fire the
 * app's callbacks, and one that comes back into Passtime must find no lock that it would wait for.
 * results_lock is held while frames are judged and read, never while a backend is called. The hot
 * path (begin, end, scopes) takes no lock at all.
 */
#ifndef PASSTIME_CORE_CONTEXT_H
#define PASSTIME_CORE_CONTEXT_H

#include "core/align.h"
#include "core/backend.h"
#include "core/budget.h"
#include "core/frame.h"
#include "core/names.h"
#include "core/phase.h"
#include "core/quantum.h"
#include "core/series.h"
#include "core/tree.h"
#include "port/port.h"

#include <stdatomic.h>

enum passtime_pass_state {
    PASSTIME_PASS_NONE = 0, /* its pair was put aside for a recorder that did not use it */
    PASSTIME_PASS_OPEN = 1, /* begun */
    PASSTIME_PASS_DONE,     /* ended, or stamped whole by a descriptor */
    PASSTIME_PASS_REFUSED   /* the backend could not stamp it */
};

/* The verdict, until the frame is whole, on a pair without a pass. */
enum { PASSTIME_NO_PASS = PASSTIME_VERDICT_COUNT };

/* A slot whose contents nobody has seen since it may have been written. */
#define PASSTIME_UNSEEN UINT64_MAX

/* One pass as it was recorded. */
struct passtime_pass {
    passtime_id name;
    uint32_t scope;   /* index of the scope around it, or NONE */
    uint32_t parent;  /* pair of the pass around it, or NONE */
    uint16_t flags;   /* PASSTIME_FLAG_ bits */
    uint8_t state;    /* enum passtime_pass_state */
    uint8_t recorder; /* index in the entry */
};

/* CPU stamps of a pass, kept apart since they are opt-in. */
struct passtime_cpu_pair {
    uint64_t begin_ns;
    uint64_t end_ns;
};

/* One scope as it was recorded. */
struct passtime_scope_record {
    passtime_id name;
    uint32_t parent; /* index of the scope around it, or NONE */
    bool spoiled;    /* a pass in it found no slot */
};

/* Pairs that a recorder which is alone puts aside at once. */
enum { PASSTIME_PAIRS_ASIDE = 16 };

enum passtime_recorder_state {
    PASSTIME_RECORDER_FREE = 0,
    PASSTIME_RECORDER_OPEN,
    PASSTIME_RECORDER_SUBMITTED,
    PASSTIME_RECORDER_DISCARDED,
    PASSTIME_RECORDER_FORGOTTEN /* given up before it was either */
};

struct passtime_recorder {
    passtime *t;
    struct passtime_entry *entry;
    uint32_t index;
    atomic_uint state;          /* enum passtime_recorder_state */
    uint32_t scope;             /* innermost open scope, or NONE */
    uint32_t pass;              /* innermost open pass that has a slot, or NONE */
    uint32_t untimed_passes;    /* passes opened within it that found no slot */
    uint32_t untimed_scopes;    /* scopes opened within `scope` that found no place */
    _Atomic uint32_t next_pair; /* pairs from here on … */
    _Atomic uint32_t end_pair;  /* up to here are put aside for it */
};

enum passtime_entry_state {
    PASSTIME_ENTRY_FREE = 0,
    PASSTIME_ENTRY_OPEN,  /* being recorded, or waiting for its recorders */
    PASSTIME_ENTRY_FLYING /* resolved; its results are awaited */
};

/* One place of the ring: a frame in flight. */
struct passtime_entry {
    uint32_t index;
    atomic_uint state;        /* enum passtime_entry_state */
    _Atomic uint64_t number;  /* the app's frame number */
    _Atomic uint64_t seq;     /* counts frames as they begin */
    uint64_t seen_at_begin;   /* frames seen when it was begun */
    uint32_t capacity;        /* pairs that may be handed out */
    atomic_uint pairs;        /* pairs asked for or put aside; beyond capacity they are not timed */
    atomic_uint unused_pairs; /* of these, put aside and left over by recorders that have ended */
    atomic_uint scopes;       /* scopes asked for */
    atomic_uint recorders;    /* recorders asked for */
    atomic_uint unfinished;   /* recorders open, and one for the frame until frame_end */
    atomic_bool ended;        /* frame_end was called */
    atomic_bool quarantine_told;
    struct passtime_unit unit; /* in force when it was begun */
    uint64_t cpu_begin_ns;
    _Atomic uint64_t cpu_end_ns;
    uint64_t flying_since_ns;
    uint64_t reuse_ns;      /* CPU time since this entry was begun before; 0: first use */
    uint64_t last_begin_ns; /* cpu_begin_ns of its life before */
    struct passtime_pass *passes;
    struct passtime_cpu_pair *cpu_pairs; /* NULL: not asked for */
    struct passtime_scope_record *scope_records;
    struct passtime_recorder *recorder_pool;
    uint64_t *last_ticks; /* two for each pair */
    uint32_t *pass_nodes; /* the series each pair fell into in its last life: a guess */
};

/* A judged frame with the memory of its samples. */
struct passtime_output {
    passtime_frame frame;
    uint64_t seq;
    passtime_sample *samples;
    passtime_scope *scopes;
};

/* Judged frames wait here, the oldest to be overwritten, while the app holds one. */
struct passtime_outputs {
    struct passtime_output *slots; /* desc.output_frames waiting, one held, one being written */
    uint32_t *queue;               /* slots that wait, a circle of desc.output_frames */
    uint32_t first;
    uint32_t count;
    uint32_t held;   /* slot that the app holds, or NONE */
    uint32_t *spare; /* slots that are neither */
    uint32_t spare_count;
};

enum { PASSTIME_LOG_ITEM_MAX = 32 };

/* Counters that are counted outside of results_lock. */
struct passtime_tally {
    _Atomic uint64_t frames_begun; /* never falls, also not when statistics are reset */
    _Atomic uint64_t fates[PASSTIME_FATE_COUNT];
    _Atomic uint64_t orphan_ends;
    _Atomic uint64_t misuses;
    _Atomic uint64_t unpumped;
    _Atomic uint64_t skip_run;
    _Atomic uint64_t skip_run_max;
    _Atomic uint32_t said[PASSTIME_LOG_ITEM_MAX];
};

struct passtime {
    passtime_desc desc;
    const struct passtime_backend_ops *ops;
    void *self;
    struct passtime_traits traits;
    size_t memory_bytes;
    struct passtime_lock collect_lock; /* only ever tried */
    struct passtime_lock results_lock;
    struct passtime_lock names_lock;

    /* Written by frame_begin only. */
    uint64_t stride_position;
    uint64_t stride_pick;
    uint64_t random_state;
    uint32_t next_entry;
    struct passtime_unit unit;

    _Atomic uint64_t seq; /* of the newest frame begun and timed */
    atomic_bool enabled;
    atomic_uint every;
    _Atomic uint64_t budget_ns;
    atomic_uint wanted_pairs;
    atomic_bool names_crowded;  /* a name found no place, or retired ones wait to give up theirs */
    atomic_bool many_recorders; /* a frame had more than one: pairs are no longer put aside */
    struct passtime_tally tally;

    struct passtime_entry *entries;
    struct passtime_names names;
    passtime_id submission_name; /* of CPU_COMPLETE samples */
    struct passtime_tree tree;
    struct passtime_series totals[PASSTIME_TOTAL_COUNT];
    struct passtime_quantum quantum;
    struct passtime_phase phase;
    struct passtime_align align;
    struct passtime_outputs outputs;
    struct passtime_budgets budgets;
    struct passtime_counts *counts; /* NULL: no shader counters */
    struct passtime_frame_scratch scratch;
    struct passtime_run *runs;     /* room for every second pair alone */
    struct passtime_stamp *stamps; /* room for every pair of a frame */
    uint32_t *stamp_samples;       /* the sample that each stamp is of */
    uint32_t *scope_nodes;         /* the series of each scope of the frame being judged */
    uint64_t verdicts[PASSTIME_VERDICT_COUNT];
    uint64_t passes_judged;
    uint64_t frames_placed; /* that had a stamp to place */
    bool unit_doubtful;     /* so many of them began a new epoch that the unit must be wrong */
    uint32_t wanted_lately; /* the most pairs that a frame asked for, of the last wanted_frames */
    uint32_t wanted_before; /* the same, of the WANTED_FRAMES before these */
    uint32_t wanted_frames;
    uint64_t fates_base[PASSTIME_FATE_COUNT]; /* as they stood when the statistics were reset */
    uint64_t frames_base;                     /* the sum of these */
    uint64_t counted_budget_ns;               /* the budget that these three are of */
    uint64_t frames_budgeted;
    uint64_t frames_over_budget;
    uint64_t frames_within_budget;
    uint64_t frames_not_taken;
    uint64_t samples_in_other;
};

/* ring.c */
/* The entry of a frame that is being recorded or in flight, or NULL. */
struct passtime_entry *passtime_ring_find(passtime *t, uint64_t number);

/* Pairs of an entry that have a slot, used or put aside. */
static inline uint32_t passtime_handed_out(const struct passtime_entry *e)
{
    uint32_t pairs = atomic_load_explicit(&e->pairs, memory_order_relaxed);
    return pairs < e->capacity ? pairs : e->capacity;
}

/* assemble.c; under results_lock. Turns an entry and its raw results into a judged frame in the
 * output. */
void passtime_assemble(passtime *t, struct passtime_entry *e, const struct passtime_raw *raw,
                       passtime_verdict entry_verdict);

/* output.c; under results_lock. */
struct passtime_output *passtime_output_take(passtime *t);
void passtime_output_push(passtime *t, struct passtime_output *output);
/* The seq of the oldest frame that the app may still read, or UINT64_MAX. */
uint64_t passtime_output_oldest_seq(const passtime *t);

/* account.c; under results_lock. Enters a judged frame into series, totals and ledger. */
void passtime_account(passtime *t, struct passtime_entry *e, struct passtime_output *output);

/* budget.c; outside of all locks. Tells the app of budgets whose state has changed. */
void passtime_tell_budgets(passtime *t);

/* The quantum as nanoseconds; 0: not known yet, or without unit. */
uint64_t passtime_quantum_ns(const passtime *t);

#endif
