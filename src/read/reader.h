/* SPDX-License-Identifier: MIT */
/*
 * The inside of the reader. packets.c takes packets apart, events.c says what an event means,
 * frames.c puts frames together, summary.c reads the statistics, rebuild.c makes them anew from the
 * frames, capture_read.c is the public face.
 */
#ifndef PASSTIME_READ_READER_H
#define PASSTIME_READ_READER_H

#include "core/quantum.h"
#include "core/tree.h"
#include "read/capture_read.h"
#include "read/store.h"
#include "read/wire.h"
#include "sink/keys.h"

/* Limits that no capture of ours comes near; what lies beyond is not read. */
enum {
    PASSTIME_READ_CONTEXTS = 16,
    PASSTIME_READ_SEQUENCES = 1024,
    PASSTIME_READ_TRACKS = 4096,
    PASSTIME_READ_SERIES = 65536,
    PASSTIME_READ_NESTING = 32,
    PASSTIME_REBUILD_SERIES_MIN = 256,
    PASSTIME_REBUILD_SERIES_MAX = 4096,
    PASSTIME_REBUILD_BYTES = 256 /* of the file for each series there is room for */
};

/* What the packets of one sequence refer to. */
struct passtime_read_sequence {
    uint32_t generation; /* of its interned texts: another one after each clear */
    uint32_t clock_id;   /* of timestamps that name none */
    uint64_t track_uuid; /* of events that name none; 0: none */
};

struct passtime_read_track {
    uint32_t context;
    uint32_t depth;                       /* slices open on it */
    uint64_t serial;                      /* of the frame that `open` is about */
    uint32_t open[PASSTIME_READ_NESTING]; /* samples, by arrival; NONE: another kind of slice */
};

/* A sample as it arrives. */
struct passtime_read_sample {
    passtime_sample sample;
    uint32_t index; /* its place in the frame */
    bool open;      /* its end is still to come */
    bool has_exclusive;
    bool has_attributed;
};

/* A frame being put together. */
struct passtime_read_frame {
    bool begun;
    bool broken;
    uint64_t serial; /* counts the context's frames */
    uint32_t next;   /* index of a sample that states none */
    uint32_t open;   /* samples whose end is still to come */
    passtime_frame frame;
    struct passtime_read_sample *arrived; /* as many as arrived_count */
    uint32_t arrived_count;
    uint32_t arrived_capacity;
    passtime_sample *samples; /* in the frame's order */
    uint32_t samples_capacity;
    passtime_scope *scopes;
    uint32_t scopes_arrived;
    uint32_t scopes_capacity;
};

/* Statistics made anew from frames, by the core's own series. */
struct passtime_rebuild {
    void *memory;
    struct passtime_names names;
    struct passtime_tree tree;
    struct passtime_quantum quantum;
    struct passtime_series totals[PASSTIME_TOTAL_COUNT];
    uint32_t *scope_nodes;
    uint32_t scope_capacity;
    passtime_ledger ledger;
    passtime_clock_info clock;
};

struct passtime_read_context {
    struct passtime_read_frame frame;
    struct passtime_rebuild *rebuild; /* NULL until its first frame */
    struct passtime_snapshot about;   /* adapter and budget, as said at the begin */
    struct passtime_snapshot summary;
    uint32_t series_capacity;
    uint64_t series_expected; /* UINT64_MAX: no summary yet */
    uint64_t frame_count;
    uint64_t frames_broken;
};

struct passtime_reader {
    const struct passtime_frame_visitor *visitor;
    uint64_t file_bytes;
    bool no_memory;
    uint64_t packets;     /* that were packets */
    uint64_t packets_bad; /* malformed inside: skipped */
    struct passtime_texts texts;
    struct passtime_map map;
    struct passtime_read_sequence *sequences;
    uint32_t sequence_count;
    uint32_t sequence_capacity;
    uint32_t generations;
    struct passtime_read_track *tracks;
    uint32_t track_count;
    uint32_t track_capacity;
    struct passtime_read_context *contexts;
    uint32_t context_count;
    uint32_t context_capacity;
};

enum passtime_note_type {
    PASSTIME_NOTE_NUMBER, /* bool, unsigned and signed: 64 bits */
    PASSTIME_NOTE_DOUBLE,
    PASSTIME_NOTE_TEXT,
    PASSTIME_NOTE_DICT
};

/* One annotation: a name and a value. */
struct passtime_note {
    enum passtime_note_type type;
    uint64_t number;
    double real;
    struct passtime_bytes bytes; /* of a text, or of the annotation that holds the dict */
};

/* An event with its annotations sorted by key. */
struct passtime_read_event {
    uint64_t at_ns;
    uint32_t clock_id;
    uint64_t type;
    uint64_t track_uuid;
    const char *name;               /* kept; NULL where it is not interned */
    struct passtime_bytes raw_name; /* not interned; its `at` is NULL where there is none */
    uint64_t present;               /* a bit for each key */
    struct passtime_note notes[PASSTIME_KEY_COUNT];
};

_Static_assert((int)PASSTIME_KEY_COUNT <= 64,
               "a key must have a bit in passtime_read_event.present");

/* packets.c */
void passtime_reader_packet(struct passtime_reader *r, struct passtime_bytes packet);
/* Reads one annotation; *name gets its name where it is not interned, *key where it is. */
bool passtime_note_read(const struct passtime_reader *r, uint32_t generation,
                        struct passtime_bytes bytes, struct passtime_note *note,
                        struct passtime_bytes *name, enum passtime_key *key);

/* events.c */
void passtime_reader_event(struct passtime_reader *r, struct passtime_read_event *event);
bool passtime_event_has(const struct passtime_read_event *event, enum passtime_key key);
uint64_t passtime_event_u64(const struct passtime_read_event *event, enum passtime_key key,
                            uint64_t otherwise);
/* Below 2^32, or `otherwise`. */
uint32_t passtime_event_u32(const struct passtime_read_event *event, enum passtime_key key,
                            uint32_t otherwise);
bool passtime_bytes_are(struct passtime_bytes bytes, const char *text);
/* Numbers of words as the library says them; the COUNT of them for one it does not know. */
passtime_verdict passtime_verdict_of(struct passtime_bytes text);
passtime_source passtime_source_of(struct passtime_bytes text);
passtime_fate passtime_fate_of(struct passtime_bytes text);

/* frames.c */
void passtime_frame_start(struct passtime_reader *r, uint32_t context,
                          const struct passtime_read_event *event);
void passtime_frame_scope(struct passtime_reader *r, uint32_t context,
                          const struct passtime_read_event *event);
/* Returns the number of the sample by arrival, or NONE. */
uint32_t passtime_frame_sample(struct passtime_reader *r, uint32_t context,
                               const struct passtime_read_event *event);
void passtime_frame_sample_end(struct passtime_reader *r, uint32_t context, uint32_t arrival,
                               uint64_t end_ns);
/* The frame is over: hands it on if it is whole. */
void passtime_frame_finish(struct passtime_reader *r, uint32_t context);

/* summary.c */
void passtime_summary_context(struct passtime_reader *r, struct passtime_read_context *context,
                              const struct passtime_read_event *event);
void passtime_summary_start(struct passtime_reader *r, struct passtime_read_context *context,
                            const struct passtime_read_event *event);
void passtime_summary_series(struct passtime_reader *r, struct passtime_read_context *context,
                             const struct passtime_read_event *event);
void passtime_summary_counter(struct passtime_reader *r, struct passtime_read_context *context,
                              const struct passtime_read_event *event);
void passtime_summary_settle(struct passtime_snapshot *summary);

/* rebuild.c */
struct passtime_rebuild *passtime_rebuild_create(uint64_t file_bytes);
/* `samples` are the frame's own; their `series` are used meanwhile. False: no memory. */
bool passtime_rebuild_frame(struct passtime_rebuild *rebuild, const passtime_frame *frame,
                            passtime_sample *samples);
bool passtime_rebuild_snapshot(const struct passtime_rebuild *rebuild,
                               struct passtime_snapshot *out);
void passtime_rebuild_destroy(struct passtime_rebuild *rebuild);

#endif
