/* SPDX-License-Identifier: MIT */
/*
 * The clocks of a capture. Positions are written as they are, on a clock of the capture's own, and
 * a clock snapshot says how that clock stands to the CPU's. A capture's clock is never bent
 * afterwards, since that would stretch slices: where the alignment turns out wrong, or the GPU's
 * clock was reset, a new clock is begun.
 */
#include "sink/capture.h"

#include "passtime_trace.pb.h"

/* How far off an alignment may be before it is worth a new clock. */
enum { SLACK_KNOWN_NS = 100000, SLACK_ANCHORED_NS = 1000000 };

bool passtime_sample_has_position(const passtime_frame *frame, const passtime_sample *sample)
{
    return passtime_is_good(sample->verdict) && (sample->flags & PASSTIME_FLAG_NO_POSITION) == 0 &&
           sample->source != PASSTIME_GPU_ELAPSED && sample->clock_epoch == frame->clock_epoch &&
           sample->begin_ns <= sample->end_ns && sample->end_ns < PASSTIME_CAPTURE_TIME_MAX &&
           sample->end_ns - sample->begin_ns == sample->duration_ns;
}

/* Adds an offset to a time; false where the sum is no time of a trace. */
static bool shift(uint64_t time_ns, int64_t offset_ns, uint64_t *out)
{
    const int64_t limit = (int64_t)PASSTIME_CAPTURE_TIME_MAX;
    if (time_ns > PASSTIME_CAPTURE_TIME_MAX || offset_ns > limit || offset_ns < -limit)
        return false;
    const int64_t sum = (int64_t)time_ns + offset_ns;
    *out = (uint64_t)sum;
    return sum >= 0 && sum <= limit;
}

bool passtime_clock_place(const passtime_capture *c, uint64_t position_ns, uint64_t *trace_ns)
{
    return c->clock.running && shift(position_ns, c->clock.offset_ns, trace_ns);
}

uint64_t passtime_clock_position(const passtime_capture *c, uint64_t trace_ns)
{
    return (uint64_t)((int64_t)trace_ns - c->clock.offset_ns);
}

struct extent {
    bool known;
    uint64_t begin_ns;
    uint64_t end_ns;
};

static struct extent extent_of(const passtime_frame *frame)
{
    struct extent extent = {false, UINT64_MAX, 0};
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        if (!passtime_sample_has_position(frame, sample))
            continue;
        extent.known = true;
        if (sample->begin_ns < extent.begin_ns)
            extent.begin_ns = sample->begin_ns;
        if (sample->end_ns > extent.end_ns)
            extent.end_ns = sample->end_ns;
    }
    return extent;
}

static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Whether the running clock puts a frame where it can have been. */
static bool still_right(const passtime_capture *c, const passtime_frame *frame,
                        const struct extent *extent)
{
    uint64_t begin_ns = 0;
    uint64_t end_ns = 0;
    if (!c->clock.running || c->clock.epoch != frame->clock_epoch ||
        !passtime_clock_place(c, extent->begin_ns, &begin_ns) ||
        !passtime_clock_place(c, extent->end_ns, &end_ns))
        return false;
    if (frame->align_bound_ns < PASSTIME_CAPTURE_TIME_MAX)
        return distance(c->clock.offset_ns, frame->align_offset_ns) <=
               frame->align_bound_ns + SLACK_KNOWN_NS;
    if (frame->cpu_begin_ns > begin_ns && frame->cpu_begin_ns - begin_ns > SLACK_ANCHORED_NS)
        return false;
    return frame->cpu_seen_ns == 0 || end_ns <= frame->cpu_seen_ns ||
           end_ns - frame->cpu_seen_ns <= SLACK_ANCHORED_NS;
}

static void snapshot_clock(struct passtime_packet *p, uint32_t id, uint64_t at_ns)
{
    passtime_packet_open(p, passtime_ClockSnapshot_clocks_tag);
    passtime_packet_u64(p, passtime_ClockSnapshot_Clock_clock_id_tag, id);
    passtime_packet_u64(p, passtime_ClockSnapshot_Clock_timestamp_tag, at_ns);
    passtime_packet_close(p);
}

/* The two clocks at one instant: no earlier than cpu_ns, and later than in the snapshot before,
 * since readers want the instants of snapshots in order. */
static void write_snapshot(passtime_capture *c, uint64_t cpu_ns)
{
    if (c->snapshots > 0 && cpu_ns <= c->last_snapshot_ns)
        cpu_ns = c->last_snapshot_ns + 1;
    c->snapshots++;
    c->last_snapshot_ns = cpu_ns;
    struct passtime_packet *p = passtime_capture_packet(c);
    passtime_packet_u64(p, passtime_TracePacket_trusted_packet_sequence_id_tag, c->sequence_id);
    passtime_packet_open(p, passtime_TracePacket_clock_snapshot_tag);
    if (c->clock.running)
        snapshot_clock(p, c->clock.id, passtime_clock_position(c, cpu_ns));
    snapshot_clock(p, PASSTIME_CPU_CLOCK, cpu_ns);
    passtime_packet_u64(p, passtime_ClockSnapshot_primary_trace_clock_tag, PASSTIME_CPU_CLOCK);
    passtime_packet_close(p);
    passtime_capture_commit(c);
}

static void write_clock_event(passtime_capture *c, uint64_t cpu_ns)
{
    const struct passtime_event event = {PASSTIME_EVENT_INSTANT, PASSTIME_CPU_CLOCK, cpu_ns,
                                         passtime_track_uuid(c, PASSTIME_TRACK_MAIN)};
    passtime_event_open(c, &event);
    passtime_event_name(c, "passtime.clock");
    passtime_note_u64(c, PASSTIME_KEY_CLOCK_EPOCH, c->clock.epoch);
    passtime_note_i64(c, PASSTIME_KEY_ALIGN_OFFSET, c->clock.offset_ns);
    if (!c->clock.anchored)
        passtime_note_u64(c, PASSTIME_KEY_ALIGN_BOUND, c->clock.bound_ns);
    passtime_note_text(c, PASSTIME_KEY_ALIGNED_BY,
                       c->clock.anchored ? "unknown: begins at the frame's CPU begin"
                                         : "envelopes of frames");
    passtime_event_close(c);
}

static void begin_clock(passtime_capture *c, const passtime_frame *frame, uint64_t first_ns)
{
    uint64_t placed_ns = 0;
    struct passtime_capture_clock *clock = &c->clock;
    if (clock->running && clock->id == PASSTIME_LAST_GPU_CLOCK)
        c->sequence_id++; /* its clocks are used up; those of another sequence are not */
    clock->id = clock->running && clock->id < PASSTIME_LAST_GPU_CLOCK ? clock->id + 1
                                                                      : PASSTIME_FIRST_GPU_CLOCK;
    clock->running = true;
    clock->epoch = frame->clock_epoch;
    clock->bound_ns = frame->align_bound_ns;
    clock->offset_ns = frame->align_offset_ns;
    clock->anchored = frame->align_bound_ns >= PASSTIME_CAPTURE_TIME_MAX ||
                      !shift(first_ns, frame->align_offset_ns, &placed_ns);
    const uint64_t cpu_ns = passtime_cpu_time(c, frame->cpu_begin_ns);
    if (clock->anchored)
        clock->offset_ns = (int64_t)cpu_ns - (int64_t)first_ns;
    (void)shift(first_ns, clock->offset_ns, &placed_ns);
    passtime_sequence_begin(c);
    write_snapshot(c, placed_ns);
    write_clock_event(c, cpu_ns);
}

void passtime_clock_choose(passtime_capture *c, const passtime_frame *frame)
{
    const struct extent extent = extent_of(frame);
    if (extent.known && !still_right(c, frame, &extent))
        begin_clock(c, frame, extent.begin_ns);
}

uint64_t passtime_cpu_time(passtime_capture *c, uint64_t cpu_ns)
{
    if (cpu_ns == 0 || cpu_ns > PASSTIME_CAPTURE_TIME_MAX)
        return c->last_cpu_ns;
    if (cpu_ns > c->last_cpu_ns)
        c->last_cpu_ns = cpu_ns;
    return cpu_ns;
}

void passtime_capture_start(passtime_capture *c, uint64_t cpu_ns)
{
    if (c->started)
        return;
    c->started = true;
    const uint64_t at_ns = passtime_cpu_time(c, cpu_ns);
    const struct passtime_event event = {PASSTIME_EVENT_INSTANT, PASSTIME_CPU_CLOCK, at_ns,
                                         passtime_track_uuid(c, PASSTIME_TRACK_MAIN)};
    write_snapshot(c, at_ns);
    passtime_capture_write_context(c, &event);
}
