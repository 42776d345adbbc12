/* SPDX-License-Identifier: MIT */
/*
 * The inside of a capture that is being written: what has been said in the file so far, and the
 * steps that write more. capture_open.c opens and closes captures in a program, capture.c takes
 * frames, capture_out.c is the bytes, capture_tracks.c tracks and names, capture_clock.c clocks,
 * capture_frame.c frames, capture_summary.c the statistics at the end. All but capture_open.c use
 * neither an allocator nor stdio: a browser runs the same code as WebAssembly.
 */
#ifndef PASSTIME_SINK_CAPTURE_H
#define PASSTIME_SINK_CAPTURE_H

#include "sink/intern.h"
#include "sink/keys.h"
#include "sink/lanes.h"
#include "sink/packet.h"
#include "sink/snapshot.h"

enum {
    PASSTIME_CAPTURE_BUFFER = 65536,
    PASSTIME_CAPTURE_ROOM = 12288, /* no packet is longer */
    PASSTIME_GROUPS = 12,
    PASSTIME_CPU_CLOCK = 3,        /* BUILTIN_CLOCK_MONOTONIC */
    PASSTIME_FIRST_GPU_CLOCK = 64, /* up to 127: clocks of one packet sequence */
    PASSTIME_LAST_GPU_CLOCK = 127,
    PASSTIME_LOOSE_LANE = 31 /* the track of a group's instants */
};

/* No time in a trace is later than this, so that sums stay within 63 bits. */
#define PASSTIME_CAPTURE_TIME_MAX (UINT64_MAX >> 2)

/* Tracks come in groups of lanes. The first four groups are always there. */
enum passtime_group_kind {
    PASSTIME_GROUP_FRAMES,
    PASSTIME_GROUP_SUBMIT,
    PASSTIME_GROUP_SCOPES,
    PASSTIME_GROUP_GPU, /* passes of one queue by GPU time */
    PASSTIME_GROUP_CPU  /* passes of one queue by CPU time */
};

struct passtime_group {
    enum passtime_group_kind kind;
    uint32_t queue;
    uint32_t described; /* a bit for each lane whose track the file knows */
    struct passtime_lane_set lanes;
};

/* The clock that positions are written on, and how it stands to the CPU's. */
struct passtime_capture_clock {
    bool running;
    bool anchored; /* the alignment is not known: the frame's begin on the CPU stands in for it */
    uint32_t id;
    uint32_t epoch;
    int64_t offset_ns; /* from position to the CPU's clock */
    uint64_t bound_ns;
};

/* The tracks that are no lanes, by the low bits of their uuid. */
enum {
    PASSTIME_TRACK_ROOT = 0,
    PASSTIME_TRACK_MAIN = 1,
    PASSTIME_TRACK_BUSY = 2,
    PASSTIME_TRACK_BUDGET = 3
};

/* Perfetto's numbers. */
enum passtime_event_type {
    PASSTIME_EVENT_BEGIN = 1,
    PASSTIME_EVENT_END = 2,
    PASSTIME_EVENT_INSTANT = 3,
    PASSTIME_EVENT_COUNTER = 4
};

struct passtime_capture {
    passtime_writer writer;
    bool (*finish)(void *user); /* of the writer: the file is closed; NULL: nothing to do */
    bool broken;                /* a write failed: nothing more is written */
    bool started;
    bool summed_up;             /* the summary is written: nothing may follow that it leaves out */
    bool budget_over;           /* as of the last frame written */
    uint32_t passes_over_count; /* passes whose budget is over, and their names */
    char passes_over[PASSTIME_PASS_BUDGETS_MAX][PASSTIME_NAME_BYTES];
    struct passtime_snapshot about; /* the adapter's texts */
    uint64_t max_events;
    uint64_t budget_ns;
    uint64_t events;
    uint64_t events_lost;
    uint64_t last_cpu_ns; /* the latest CPU time seen: stands in where one is missing */
    uint64_t snapshots;   /* clock snapshots written, and the CPU time of the last */
    uint64_t last_snapshot_ns;
    uint64_t uuid_base;
    uint32_t sequence_id;
    int32_t process_id; /* whose tracks they are */
    /* Adds the shader counters of a sample; NULL: none are wanted. A pointer, since the browser's
     * build has no such thing. */
    void (*note_counts)(passtime_capture *c, const passtime_frame *frame, uint32_t sample);
    passtime *counting; /* whose counters */
    struct passtime_capture_clock clock;
    uint32_t group_count;
    struct passtime_group groups[PASSTIME_GROUPS];
    struct passtime_packet packet;
    struct passtime_intern names;
    struct passtime_slice slices[PASSTIME_LANES_CHUNK];
    struct passtime_slice scratch[PASSTIME_LANES_CHUNK];
    size_t used;
    uint8_t buffer[PASSTIME_CAPTURE_BUFFER];
};

/* capture.c. Begins a capture in zeroed memory whose writer, limits, budget, process and adapter
 * are set. `number` tells captures apart, so that two files can be put one behind the other. */
passtime_result passtime_capture_begin(passtime_capture *c, uint64_t number);

/* capture_out.c: bytes. */
passtime_result passtime_capture_flush(passtime_capture *c);
struct passtime_packet *passtime_capture_packet(passtime_capture *c);
void passtime_capture_commit(passtime_capture *c);

/* An event on a track: open, annotations, close. */
struct passtime_event {
    enum passtime_event_type type;
    uint32_t clock_id;
    uint64_t at_ns;
    uint64_t track_uuid;
};
void passtime_event_open(passtime_capture *c, const struct passtime_event *event);
void passtime_event_close(passtime_capture *c);
void passtime_event_name(passtime_capture *c, const char *name);
void passtime_note_u64(passtime_capture *c, enum passtime_key key, uint64_t value);
void passtime_note_i64(passtime_capture *c, enum passtime_key key, int64_t value);
void passtime_note_bool(passtime_capture *c, enum passtime_key key, bool value);
void passtime_note_text(passtime_capture *c, enum passtime_key key, const char *text);
void passtime_note_value(passtime_capture *c, enum passtime_key key, uint64_t value_iid);

/* capture_tracks.c: tracks, names, clocks. */
uint64_t passtime_verdict_iid(passtime_verdict verdict);
uint64_t passtime_source_iid(passtime_source source);
uint64_t passtime_fate_iid(passtime_fate fate);
uint64_t passtime_name_iid(const passtime_capture *c, const struct passtime_interned *name);
uint64_t passtime_name_value_iid(const passtime_capture *c, const struct passtime_interned *name);
void passtime_sequence_begin(passtime_capture *c);
void passtime_tracks_begin(passtime_capture *c);
void passtime_names_write(passtime_capture *c, const char *name, const char *value,
                          const struct passtime_interned *out[2]);
struct passtime_group *passtime_group_of(passtime_capture *c, enum passtime_group_kind kind,
                                         uint32_t queue);
uint64_t passtime_group_track(passtime_capture *c, struct passtime_group *group, uint32_t lane);
uint64_t passtime_track_uuid(const passtime_capture *c, uint32_t number);
uint64_t passtime_default_track(const passtime_capture *c);

/* capture_clock.c: clocks, and the first packets that carry a time. */
void passtime_capture_start(passtime_capture *c, uint64_t cpu_ns);
uint64_t passtime_cpu_time(passtime_capture *c, uint64_t cpu_ns);
void passtime_clock_choose(passtime_capture *c, const passtime_frame *frame);
bool passtime_clock_place(const passtime_capture *c, uint64_t position_ns, uint64_t *trace_ns);
uint64_t passtime_clock_position(const passtime_capture *c, uint64_t trace_ns);

/* capture_frame.c, capture_summary.c */
bool passtime_sample_has_position(const passtime_frame *frame, const passtime_sample *sample);
void passtime_capture_write_frame(passtime_capture *c, const passtime_frame *frame);
void passtime_capture_write_samples(passtime_capture *c, const passtime_frame *frame);
void passtime_capture_write_context(passtime_capture *c, const struct passtime_event *event);
void passtime_capture_write_summary(passtime_capture *c, const struct passtime_snapshot *snapshot);
/* The shader counters of its series; after it. Nothing where there are none. */
void passtime_capture_write_counters(passtime_capture *c, const struct passtime_snapshot *snapshot);

#endif
