/* SPDX-License-Identifier: MIT */
/*
 * What the files of the WebGPU backend share. Every ring entry has a bank: query sets of its own
 * and the buffers to read them back. A bank is made in the background, in two steps that may each
 * fail (create; then stamp every slot once and read that back), and hands out no slot before both
 * are known good.
 *
 * Callbacks of WebGPU may come late, on any thread, or after the context is gone. They touch
 * nothing but tickets, which live in a shared block that the last owner frees.
 */
#ifndef PASSTIME_BACKEND_WEBGPU_STATE_H
#define PASSTIME_BACKEND_WEBGPU_STATE_H

#include <stdatomic.h>

#include <passtime/webgpu.h>

#include "core/backend.h"

enum {
    PASSTIME_WGPU_PAIRS_PER_SET =
        2048,                       /* a set holds at most 4,096 slots; pairs don't straddle sets */
    PASSTIME_WGPU_SETS = 32,        /* 65,536 pairs at most */
    PASSTIME_WGPU_FIRST_PAIRS = 32, /* a bank's first size */
    PASSTIME_WGPU_PAIR_BYTES = 16,
    PASSTIME_WGPU_RESOLVE_ALIGN = 256, /* of a resolve's destination, bytes: the specification's */
    PASSTIME_WGPU_SCOPES = 2           /* validation, out of memory */
};

/* What an asynchronous call came to. */
enum passtime_wgpu_answer {
    PASSTIME_WGPU_IDLE = 0, /* nothing was asked */
    PASSTIME_WGPU_PENDING,
    PASSTIME_WGPU_DONE,
    PASSTIME_WGPU_FAILED,
    PASSTIME_WGPU_ABORTED, /* and not by us: the device may be lost */
    PASSTIME_WGPU_GONE     /* cancelled: the instance went away */
};

/* One asynchronous call at a time. A callback of an earlier use finds another generation and does
 * nothing. */
struct passtime_wgpu_ticket {
    struct passtime_wgpu_shared *shared;
    _Atomic uint32_t word;       /* generation * 8 + answer */
    _Atomic uint64_t seen_ns[2]; /* CPU clock of the answer, by the generation's lowest bit */
};

/* A piece of work that is checked: its end, and the error scopes around its calls. */
struct passtime_wgpu_job {
    struct passtime_wgpu_ticket end;
    struct passtime_wgpu_ticket scopes[PASSTIME_WGPU_SCOPES];
};

/* Outlives the context while callbacks are owed. */
struct passtime_wgpu_shared {
    _Atomic uint32_t references; /* the context, and one for each callback owed */
    _Atomic uint32_t callbacks;  /* that came in, at all */
    _Atomic uint32_t aborts;     /* maps aborted since the last that went well */
    _Atomic bool lost;
    passtime_desc desc;              /* resolved: the allocator and the clock */
    struct passtime_wgpu_job jobs[]; /* per entry: one of the frame, one of the bank being made;
                                        then, with counters, one an entry and one of their buffer */
};

struct passtime_wgpu_counters; /* webgpu_counters.c */

/* Query sets and the buffers to read them. Handles are NULL in an empty one. */
struct passtime_wgpu_bank {
    uint32_t pairs; /* that it can time; 0: empty */
    uint32_t set_count;
    WGPUQuerySet sets[PASSTIME_WGPU_SETS];
    WGPUBuffer resolved; /* QUERY_RESOLVE | COPY_SRC */
    WGPUBuffer staging;  /* COPY_DST | MAP_READ: slots by number, then one word a ride */
    WGPUBuffer words; /* COPY_SRC: what the rides copy to prove that they ran; NULL without RIDE */
};

enum passtime_wgpu_build {
    PASSTIME_WGPU_BUILD_NONE = 0,
    PASSTIME_WGPU_BUILD_CREATING, /* waits for the verdict on the creating calls */
    PASSTIME_WGPU_BUILD_PRIMING,  /* waits for the first stamps of all slots */
    PASSTIME_WGPU_BUILD_READY     /* takes over when the entry is next begun */
};

enum passtime_wgpu_phase {
    PASSTIME_WGPU_FREE = 0,
    PASSTIME_WGPU_RECORDING,
    PASSTIME_WGPU_DEFERRED, /* DEFER_RESOLVE: waits for the end of the stamped work */
    PASSTIME_WGPU_MAPPING,
    PASSTIME_WGPU_COLLECTED
};

/* In suspect[]: a group whose begin is written and whose end is not. Suspect too, should it stay.
 */
enum { PASSTIME_WGPU_OPEN = 2 };

/*
 * Belongs to the caller of frame_begin while it is free; while a frame is in flight to whoever
 * collects, but for the build, which stays with frame_begin. What several may touch is atomic.
 */
struct passtime_wgpu_entry {
    _Atomic uint32_t phase; /* enum passtime_wgpu_phase */
    struct passtime_wgpu_bank bank;
    struct passtime_wgpu_bank next; /* being made */
    enum passtime_wgpu_build build;
    uint32_t build_pairs; /* asked for, of the build under way */
    bool smaller;         /* the build under way is the second, smaller try */
    uint32_t build_floor; /* a smaller try must give more pairs than this to be of use */
    _Atomic bool
        tainted;       /* slots may hold, or yet receive, stamps that were never read: not usable */
    bool late;         /* RIDE: a recorder did not ride */
    bool has_suspects; /* any of suspect[] is set */
    bool overdue_said; /* this frame was counted as unpumped */
    uint32_t retry_wait;   /* lives to wait after a failed build … */
    uint32_t retry_in;     /* … and how many are left */
    uint32_t lives;        /* of the bank, since it took over */
    uint32_t small_lives;  /* of these, the last ones that needed a quarter of it or less */
    uint32_t pair_end;     /* of the frame being read: last pair asked for, plus one */
    uint32_t callbacks_at; /* shared->callbacks when the frame was submitted */
    uint32_t polls;        /* since then */
    uint64_t submitted_ns;
    uint64_t submitted_before_ns; /* of the frame before in this entry */
    uint64_t word;                /* RIDE: names this life; never 0 while recording */
    _Atomic uint32_t ride_count;  /* rides of this life */
    struct passtime_run *runs;    /* [max_passes / 2 + 1]: what of the frame is to be read */
    uint32_t run_count;
    uint8_t *known;            /* [max_passes]: was read from this bank before */
    uint8_t *suspect;          /* [max_passes]: a late stamp may yet land in this pair: not handed
                                             out; also while a group inside a pass is begun and not ended */
    uint8_t *rode;             /* [max_passes], RIDE only: resolved by a ride */
    _Atomic(uintptr_t) *owner; /* [max_passes], RIDE only: the recorder */
    uint64_t *ticks;           /* [2 * max_passes]: read back */
    uint64_t *last;            /* [2 * max_passes]: what the slots held before */
};

/* The backend object. */
struct passtime_wgpu {
    passtime *t; /* NULL until the context exists */
    struct passtime_wgpu_shared *shared;
    passtime_webgpu_desc gpu;
    uint32_t max_passes;
    uint32_t max_rides; /* words in a bank: max_recorders */
    struct passtime_unit unit;
    bool in_render;
    bool in_compute;
    _Atomic uint32_t failures;
    uint32_t entry_count;
    struct passtime_wgpu_entry *entries;
    struct passtime_wgpu_counters *counters; /* NULL: none were asked for */
};

extern const struct passtime_backend_ops passtime_wgpu_ops;     /* with stamps */
extern const struct passtime_backend_ops passtime_wgpu_cpu_ops; /* the CPU fallback */

/* webgpu.c */
/* The object behind a recorder, whichever of the two ops it runs on; *stamps says which. */
struct passtime_wgpu *passtime_wgpu_of(const passtime_recorder *rec, bool *stamps);
struct passtime_wgpu *passtime_wgpu_of_context(passtime *t);
/* The query set that holds a pair, and the pair's first slot in it. */
WGPUQuerySet passtime_wgpu_slot(const struct passtime_wgpu *self, struct passtime_place place,
                                uint32_t *slot);
/* Says something, also before the context exists. */
void passtime_wgpu_log(const struct passtime_wgpu *self, passtime_log_item item,
                       const char *message);
bool passtime_wgpu_is_lost(void *self);
void passtime_wgpu_destroy(void *self);

/* webgpu_tickets.c: asynchronous calls and error scopes */
WGPUCallbackMode passtime_wgpu_mode(const struct passtime_wgpu *self);
void passtime_wgpu_shared_drop(struct passtime_wgpu_shared *shared);
struct passtime_wgpu_job *passtime_wgpu_frame_job(struct passtime_wgpu *self, uint32_t entry);
struct passtime_wgpu_job *passtime_wgpu_build_job(struct passtime_wgpu *self, uint32_t entry);
/* `entry` may be one more than there are: of the counters' buffer. */
struct passtime_wgpu_job *passtime_wgpu_counters_job(struct passtime_wgpu *self, uint32_t entry);
enum passtime_wgpu_answer passtime_wgpu_ticket_answer(const struct passtime_wgpu_ticket *ticket);
uint64_t passtime_wgpu_ticket_seen_ns(const struct passtime_wgpu_ticket *ticket);
/* Of the end and the scopes together: PENDING until all are there, else the worst. */
enum passtime_wgpu_answer passtime_wgpu_job_answer(const struct passtime_wgpu_job *job);
/* Draws the conclusion from how a map ended: the second abort in a row, or a cancel, is a lost
 * device. */
void passtime_wgpu_weigh(struct passtime_wgpu *self, enum passtime_wgpu_answer answer);
/* What was asked no longer matters; callbacks yet to come do nothing. */
void passtime_wgpu_job_void(struct passtime_wgpu_job *job);
void passtime_wgpu_push_scopes(struct passtime_wgpu *self);
void passtime_wgpu_pop_scopes(struct passtime_wgpu *self, struct passtime_wgpu_job *job);
void passtime_wgpu_map(struct passtime_wgpu *self, WGPUBuffer buffer, size_t bytes,
                       struct passtime_wgpu_ticket *ticket);
/* Ends the mapping that `job` asked for, if there is one or may yet be; voids its ticket first, so
 * that the abort is not taken for a loss. */
void passtime_wgpu_unmap(struct passtime_wgpu *self, WGPUBuffer buffer,
                         struct passtime_wgpu_job *job);
void passtime_wgpu_work_done(struct passtime_wgpu *self, struct passtime_wgpu_ticket *ticket);

/* webgpu_queries.c: banks */
WGPUBuffer passtime_wgpu_create_buffer(struct passtime_wgpu *self, uint64_t bytes,
                                       WGPUBufferUsage usage);
/* NULL does nothing; sets it to NULL. */
void passtime_wgpu_release_buffer(const struct passtime_wgpu *self, WGPUBuffer *buffer);
/* Begins to make a bank of at least `pairs`, in entry->next. */
void passtime_wgpu_build_begin(struct passtime_wgpu *self, uint32_t entry, uint32_t pairs);
/* Takes the next steps of all banks being made, as far as they are due. */
void passtime_wgpu_build_steps(struct passtime_wgpu *self);
void passtime_wgpu_build_cancel(struct passtime_wgpu *self, uint32_t entry);
void passtime_wgpu_bank_release(struct passtime_wgpu *self, struct passtime_wgpu_bank *bank);
uint32_t passtime_wgpu_entry_begin(void *self, uint32_t entry, uint32_t wanted,
                                   struct passtime_unit *unit);

/* webgpu_readback.c */
/* Resolves and copies slots of one run of pairs, set by set, to their places in staging. *cursor is
 * the next free byte of bank->resolved and wraps round. */
void passtime_wgpu_encode_run(struct passtime_wgpu *self, const struct passtime_wgpu_bank *bank,
                              WGPUCommandEncoder encoder, struct passtime_run run,
                              uint32_t *cursor);
WGPUCommandEncoder passtime_wgpu_encoder(struct passtime_wgpu *self);
/* Finishes and submits the encoder, and releases it. */
void passtime_wgpu_submit(struct passtime_wgpu *self, WGPUCommandEncoder encoder);
void passtime_wgpu_entry_resolve(void *self, uint32_t entry, uint64_t frame_number,
                                 const struct passtime_run *runs, uint32_t run_count);
void passtime_wgpu_entry_collect(void *self, uint32_t entry, struct passtime_raw *raw);
void passtime_wgpu_entry_release(void *self, uint32_t entry);
void passtime_wgpu_entry_abandon(void *self, uint32_t entry);
void passtime_wgpu_poll(void *self);

/* webgpu_cpu.c */
void passtime_wgpu_cpu_open(struct passtime_wgpu *self, passtime_recorder *rec, passtime_id id);
void passtime_wgpu_cpu_close(struct passtime_wgpu *self, passtime_recorder *rec, uint32_t flags);
void passtime_wgpu_cpu_pass(passtime_recorder *rec, passtime_id id);

/* webgpu_counters.c; all of it does nothing where there are none. */
/* Does their buffer stay within what every device allows? */
bool passtime_wgpu_counters_fit(const passtime_desc *resolved);
/* False: no memory. The device's answer comes later. */
bool passtime_wgpu_counters_create(struct passtime_wgpu *self, uint32_t count);
void passtime_wgpu_counters_destroy(struct passtime_wgpu *self);
/* A frame begins in this entry. */
void passtime_wgpu_counters_begin(struct passtime_wgpu *self, uint32_t entry);
void passtime_wgpu_counters_note(struct passtime_wgpu *self, const passtime_recorder *rec,
                                 uint32_t pair);
/* The recorder named a pass: its pair, or NONE where it is not timed. */
static inline void passtime_wgpu_counters_name(struct passtime_wgpu *self,
                                               const passtime_recorder *rec, uint32_t pair)
{
    if (self->counters != NULL) {
        passtime_wgpu_counters_note(self, rec, pair);
    }
}
/* Reads these runs and clears the counters, in a submission of its own. */
void passtime_wgpu_counters_resolve(struct passtime_wgpu *self, uint32_t entry,
                                    const struct passtime_run *runs, uint32_t run_count);
/* True once the counts are here, or known not to come. */
bool passtime_wgpu_counters_settle(struct passtime_wgpu *self, uint32_t entry);
/* Says which passes of the entry took counters; with bring, adds what they counted too. */
void passtime_wgpu_counters_asked(void *self, uint32_t entry, struct passtime_raw *raw);
void passtime_wgpu_counters_bring(struct passtime_wgpu *self, uint32_t entry,
                                  struct passtime_raw *raw);
/* The entry's life ends, with or without results. */
void passtime_wgpu_counters_end(struct passtime_wgpu *self, uint32_t entry);

/* webgpu_ride.c */
size_t passtime_wgpu_word_offset(const struct passtime_wgpu_bank *bank);
/* RIDE: notes whose pair it is. */
void passtime_wgpu_own(struct passtime_wgpu_entry *entry, uint32_t pair,
                       const passtime_recorder *rec);
void passtime_wgpu_ride_begin(struct passtime_wgpu *self, uint32_t entry);
/* True where a ride of the frame is proved not to have run. `mapped` is the staging buffer. */
bool passtime_wgpu_ride_missed(const struct passtime_wgpu_entry *entry, const uint8_t *mapped);

#endif
