/* SPDX-License-Identifier: MIT */
/*
 * The backend that JavaScript works for: the page's shim stamps, resolves and maps, and this relays
 * what came back to the core. It keeps per ring entry what a query set there may hold, so that the
 * shim decides nothing; the rules are those of the WebGPU backend in C (src/backend/webgpu_*.c),
 * less the priming, since a browser's new query sets read as zeros.
 */
#ifndef PASSTIME_WEB_RELAY_H
#define PASSTIME_WEB_RELAY_H

#include <passtime/passtime.h>

#include "core/backend.h"

enum {
    PASSTIME_WEB_NAME_BYTES = 1024, /* room for one name on its way in */
    PASSTIME_WEB_NOTES = 32         /* log items are numbered below this */
};

/* How a context is made. */
enum {
    PASSTIME_WEB_BANKS = 1u << 0, /* entries need query sets, made by the shim; 0: not written */
    PASSTIME_WEB_EXCLUSIVE = 1u << 1,  /* a duration is a pass's own; children's are added to it */
    PASSTIME_WEB_UNVERIFIED = 1u << 2, /* boundaries of passes are not proved (GL on a tiler) */
    PASSTIME_WEB_BITS_SHIFT = 8        /* above: bits of the counter, where they are not 64 */
};

/* What the shim says of one frame's results; pinned, as are passtime_feed_status's. */
enum passtime_web_status {
    PASSTIME_WEB_OK = 0,
    PASSTIME_WEB_LOST = 1,
    PASSTIME_WEB_MAP_FAILED = 2,
    PASSTIME_WEB_DISJOINT = 3,
    PASSTIME_WEB_LATE = 4
};

enum passtime_web_phase {
    PASSTIME_WEB_FREE = 0,
    PASSTIME_WEB_RECORDING,
    PASSTIME_WEB_TO_RESOLVE, /* the shim has to resolve, copy and map */
    PASSTIME_WEB_AWAITING,   /* the shim does */
    PASSTIME_WEB_GIVEN
};

struct passtime_web_entry {
    enum passtime_web_phase phase;
    enum passtime_web_status status;
    uint32_t life;        /* counts frames in this entry: results of another life are refused */
    uint32_t pairs;       /* of its query sets; 0: none yet */
    uint32_t wish;        /* pairs that new sets should have; 0: none are needed */
    uint32_t retry_wait;  /* lives to wait after sets could not be made … */
    uint32_t retry_in;    /* … and how many are left */
    uint32_t lives;       /* of these sets */
    uint32_t small_lives; /* of these, the last that needed a quarter of them or less */
    uint32_t pair_end;    /* last pair asked for, plus one */
    bool building;        /* the shim was told the wish */
    bool tainted;         /* slots may hold, or yet receive, stamps that nobody read: not usable */
    bool has_suspects;
    uint64_t seen_ns;
    uint64_t submitted_ns;
    uint64_t submitted_before_ns;
    uint64_t complete_begin_ns;
    uint64_t complete_end_ns;
    uint8_t *asked;     /* [max_passes]: this pair is to be read */
    uint8_t *known;     /* [max_passes]: was read from these sets before */
    uint8_t *suspect;   /* [max_passes]: a late stamp may yet land here: not handed out */
    uint8_t *available; /* [2 * max_passes], where the API says what is available */
    uint64_t *ticks;    /* [2 * max_passes]: written by the shim */
    uint64_t *last;     /* [2 * max_passes]: what the slots held before */
};

/* One kind of remark, by its passtime_log_item. */
struct passtime_web_note {
    uint32_t count;
    const char *message;
};

struct passtime_web {
    passtime *t;
    passtime_desc desc;
    passtime_source source;
    uint32_t flags;
    uint32_t valid_bits;
    uint32_t max_passes;
    uint32_t entry_count;
    bool lost;
    uint64_t now_ns; /* the clock: the shim sets it in each call that needs the time */
    struct passtime_web_entry *entries;
    const passtime_frame *frame; /* taken last */
    passtime_series_info series; /* what was asked for last */
    passtime_stats stats;
    passtime_ledger ledger;
    passtime_clock_info clock;
    struct passtime_web_note notes[PASSTIME_WEB_NOTES];
    char name[PASSTIME_WEB_NAME_BYTES];
};

extern const struct passtime_backend_ops passtime_web_ops;

/* relay.c, for the shim */
int32_t passtime_web_wish(struct passtime_web *web);
uint32_t passtime_web_wish_pairs(struct passtime_web *web, uint32_t entry);
bool passtime_web_bank_ready(struct passtime_web *web, uint32_t entry, uint32_t pairs);
void passtime_web_bank_failed(struct passtime_web *web, uint32_t entry);

#endif
