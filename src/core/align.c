/* SPDX-License-Identifier: MIT */
/* Positions, epochs, and the interval of offsets between the GPU's clock and the CPU's. */
#include "core/align.h"

#include "core/ticks.h"

enum {
    DRIFT_DIVISOR = 10000,              /* 100 ppm: twice the drift that was seen */
    BACKWARD_TOLERANCE_NS = 1000000000, /* without an envelope: further back than this is a reset */
    HEADROOM_NS = 1000000000            /* room for frames that come back after a later one did */
};

void passtime_align_init(struct passtime_align *a, uint32_t valid_bits, bool has_envelope)
{
    *a = (struct passtime_align){.valid_bits = valid_bits, .has_envelope = has_envelope};
}

/* The difference between two ticks as the shorter way around the counter. */
static inline int64_t signed_difference(uint64_t to, uint64_t from, uint64_t mask)
{
    uint64_t up = (to - from) & mask;
    uint64_t down = (from - to) & mask;
    return up <= down ? (int64_t)up : -(int64_t)(down & INT64_MAX);
}

/* Moves a signed tick distance forward by whole turns of the counter, as the CPU saw time pass. */
static inline int64_t add_missed_turns(const struct passtime_align *a, int64_t delta,
                                       uint64_t seen_ns)
{
    uint64_t passed_ticks = 0;
    if (!a->has_envelope || a->valid_bits >= 63 || seen_ns <= a->last_cpu_ns ||
        !passtime_ns_to_ticks(seen_ns - a->last_cpu_ns, a->unit, &passed_ticks) ||
        passed_ticks > INT64_MAX / 2) {
        return delta;
    }
    int64_t turn = (int64_t)(passtime_ticks_mask(a->valid_bits) + 1);
    int64_t missing = (int64_t)passed_ticks - delta;
    int64_t turns = missing > 0 ? (missing + turn / 2) / turn : 0;
    return delta + turns * turn;
}

/* Adds a signed distance; false where the result lies before the segment's first tick. */
static inline bool offset_ticks(uint64_t base, int64_t delta, uint64_t *out)
{
    if (delta < 0 && base < 0 - (uint64_t)delta) {
        return false;
    }
    *out = base + (uint64_t)delta;
    return delta <= 0 || *out >= base;
}

/* The position of a tick `delta` away from the newest one placed. */
static inline bool position(const struct passtime_align *a, int64_t delta, uint64_t *ns)
{
    uint64_t extended = 0;
    if (!offset_ticks(a->last_extended, delta, &extended) ||
        !passtime_ticks_to_ns(extended, a->unit, ns) || *ns > INT64_MAX / 2) {
        return false;
    }
    *ns += a->segment_ns;
    return true;
}

/* Counts ticks of `unit` from a point so far before a->segment_ns that earlier stamps have a place
 * too. */
static void start_segment(struct passtime_align *a, struct passtime_unit unit)
{
    uint64_t ticks = 0;
    uint64_t ns = 0;
    a->unit = unit;
    a->last_extended = 0;
    if (passtime_ns_to_ticks(HEADROOM_NS, unit, &ticks) && passtime_ticks_to_ns(ticks, unit, &ns) &&
        ns <= a->segment_ns) {
        a->last_extended = ticks;
        a->segment_ns -= ns;
    }
}

static void start_epoch(struct passtime_align *a, struct passtime_unit unit,
                        const struct passtime_stamp *stamps, uint32_t count)
{
    const uint64_t mask = passtime_ticks_mask(a->valid_bits);
    uint64_t first = 0;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!stamps[i].unproven &&
            (!found || signed_difference(stamps[i].begin_ticks, first, mask) < 0)) {
            first = stamps[i].begin_ticks;
            found = true;
        }
    }
    if (a->started) {
        a->epoch++;
    }
    a->started = true;
    a->segment_ns = HEADROOM_NS;
    start_segment(a, unit);
    a->last_ticks = first;
    a->last_cpu_ns = stamps[0].envelope.seen_ns;
    a->latest_ns = 0;
    a->bounded = false;
}

/* A changed unit continues at the newest position, so that positions stay in order. */
static void change_unit(struct passtime_align *a, struct passtime_unit unit)
{
    uint64_t ns = 0;
    if (passtime_ticks_to_ns(a->last_extended, a->unit, &ns)) {
        a->segment_ns += ns;
    }
    start_segment(a, unit);
}

/* At the ends of what an offset can be, room for drift has no meaning. */
static inline int64_t earlier(int64_t ns, int64_t by_ns)
{
    return ns < INT64_MIN + by_ns ? INT64_MIN : ns - by_ns;
}

static inline int64_t later(int64_t ns, int64_t by_ns)
{
    return ns > INT64_MAX - by_ns ? INT64_MAX : ns + by_ns;
}

/* Time has passed since the interval was drawn: the clocks may have drifted apart. */
static void widen(struct passtime_align *a, uint64_t seen_ns)
{
    if (a->bounded && seen_ns > a->last_cpu_ns) {
        int64_t drift_ns = (int64_t)((seen_ns - a->last_cpu_ns) / DRIFT_DIVISOR) + 1;
        a->low_ns = earlier(a->low_ns, drift_ns);
        a->high_ns = later(a->high_ns, drift_ns);
    }
}

/* The offsets that a stamp allows. A rounded stamp was taken up to a quantum later than it says. */
struct interval {
    int64_t low_ns;
    int64_t high_ns;
};

/* What is known of the begin and of the end is known of two moments: between them, too, the clocks
 * may drift apart. */
static inline int64_t drift_within(struct passtime_envelope envelope)
{
    return envelope.seen_ns > envelope.begin_ns
               ? (int64_t)((envelope.seen_ns - envelope.begin_ns) / DRIFT_DIVISOR) + 1
               : 1;
}

static inline struct interval allowed_by(const struct passtime_stamp *s, uint64_t quantum_ns)
{
    int64_t low_ns = (int64_t)s->envelope.begin_ns - (int64_t)(s->begin_ns + quantum_ns);
    int64_t high_ns = (int64_t)s->envelope.seen_ns - (int64_t)(s->begin_ns + s->duration_ns);
    int64_t drift_ns = drift_within(s->envelope);
    /* As long as its envelope, within the judge's slack: it allows a single offset. */
    high_ns = high_ns > low_ns ? high_ns : low_ns;
    return (struct interval){earlier(low_ns, drift_ns), later(high_ns, drift_ns)};
}

static inline struct interval common_part(struct interval a, struct interval b)
{
    return (struct interval){a.low_ns > b.low_ns ? a.low_ns : b.low_ns,
                             a.high_ns < b.high_ns ? a.high_ns : b.high_ns};
}

/* Narrows the running interval; false, and nothing is changed, where it would become empty. */
static bool narrow(struct passtime_align *a, struct interval by)
{
    struct interval running = {a->low_ns, a->high_ns};
    struct interval both = a->bounded ? common_part(running, by) : by;
    if (both.low_ns > both.high_ns) {
        return false;
    }
    a->low_ns = both.low_ns;
    a->high_ns = both.high_ns;
    a->bounded = true;
    return true;
}

/* What one look at all stamps of a frame tells. */
struct sweep {
    bool complete; /* every proven stamp has a position */
    bool any_unproven;
    struct interval allowed; /* the offsets that all proven stamps allow; low above high: none */
    int64_t furthest_ticks;  /* of the deltas of those that have a position; at least 0 */
    uint64_t latest_ns;      /* of their positions */
};

/* Gives each stamp its position on the running segment. */
static struct sweep find_positions(const struct passtime_align *a, struct passtime_stamp *stamps,
                                   uint32_t count, uint64_t quantum_ns)
{
    const struct passtime_align now = *a;
    const uint64_t mask = passtime_ticks_mask(a->valid_bits);
    struct sweep sweep = {true, false, {INT64_MIN, INT64_MAX}, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        struct passtime_stamp *s = &stamps[i];
        uint64_t begin_ns = 0;
        int64_t delta = signed_difference(s->begin_ticks, now.last_ticks, mask);
        delta = add_missed_turns(&now, delta, s->envelope.seen_ns);
        s->delta_ticks = delta;
        s->placed = position(&now, delta, &begin_ns);
        s->begin_ns = begin_ns;
        if (s->unproven) {
            sweep.any_unproven = true;
            continue;
        }
        sweep.complete = sweep.complete && s->placed;
        sweep.allowed = common_part(sweep.allowed, allowed_by(s, quantum_ns));
        sweep.furthest_ticks = delta > sweep.furthest_ticks ? delta : sweep.furthest_ticks;
        sweep.latest_ns = begin_ns > sweep.latest_ns ? begin_ns : sweep.latest_ns;
    }
    return sweep;
}

/* An unproven stamp counts only if under every offset left it was taken after its recording began.
 */
static void place_unproven(const struct passtime_align *a, struct passtime_stamp *stamps,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct passtime_stamp *s = &stamps[i];
        if (s->unproven) {
            s->placed =
                s->placed && a->bounded &&
                (int64_t)s->begin_ns + a->low_ns >= (int64_t)s->envelope.begin_ns &&
                (int64_t)(s->begin_ns + s->duration_ns) + a->low_ns <= (int64_t)s->envelope.seen_ns;
        }
    }
}

static void forget_unproven(struct passtime_stamp *stamps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        stamps[i].placed = stamps[i].placed && !stamps[i].unproven;
    }
}

/* Without an envelope only a long step back tells that the counter was reset. */
static bool is_forward(const struct passtime_align *a, const struct passtime_stamp *stamps,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (stamps[i].begin_ns + BACKWARD_TOLERANCE_NS < a->latest_ns) {
            return false;
        }
    }
    return true;
}

/* The frame contradicts itself: keep the stamps that fit what is known, one by one. */
static void place_singly(struct passtime_align *a, uint64_t quantum_ns,
                         struct passtime_stamp *stamps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!stamps[i].unproven) {
            stamps[i].placed = stamps[i].placed && narrow(a, allowed_by(&stamps[i], quantum_ns));
        }
    }
}

/* The newest tick placed is what the next frame is measured from. */
static void advance(struct passtime_align *a, int64_t furthest_ticks, uint64_t latest_ns)
{
    a->latest_ns = latest_ns > a->latest_ns ? latest_ns : a->latest_ns;
    a->last_extended += (uint64_t)furthest_ticks;
    a->last_ticks = (a->last_ticks + (uint64_t)furthest_ticks) & passtime_ticks_mask(a->valid_bits);
}

/* The same where not every stamp may be placed. */
static void advance_by_placed(struct passtime_align *a, const struct passtime_stamp *stamps,
                              uint32_t count)
{
    int64_t furthest_ticks = 0;
    uint64_t latest_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (stamps[i].placed && stamps[i].delta_ticks > furthest_ticks) {
            furthest_ticks = stamps[i].delta_ticks;
        }
        if (stamps[i].placed && stamps[i].begin_ns > latest_ns) {
            latest_ns = stamps[i].begin_ns;
        }
    }
    advance(a, furthest_ticks, latest_ns);
}

/* Places the frame where it fits the running epoch; false: it speaks of another one. *whole: every
 * stamp of it has its place, and *sweep says where. */
static bool place_frame(struct passtime_align *a, uint64_t quantum_ns,
                        struct passtime_stamp *stamps, uint32_t count, struct sweep *sweep,
                        bool *whole)
{
    *sweep = find_positions(a, stamps, count, quantum_ns);
    *whole = sweep->complete && !sweep->any_unproven;
    if (!sweep->complete) {
        return false;
    }
    if (!a->has_envelope) {
        return is_forward(a, stamps, count);
    }
    if (sweep->allowed.low_ns <= sweep->allowed.high_ns) {
        return narrow(a, sweep->allowed);
    }
    *whole = false;
    place_singly(a, quantum_ns, stamps, count);
    for (uint32_t i = 0; i < count; i++) {
        if (stamps[i].placed && !stamps[i].unproven) {
            return true;
        }
    }
    return false;
}

static bool any_proven(const struct passtime_stamp *stamps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!stamps[i].unproven) {
            return true;
        }
    }
    return false;
}

/* A frame that speaks of another epoch: does it speak of a clock that goes on? One that was reset
 * shows another tick with its second frame at the latest. */
static bool stands_still(struct passtime_align *a, const struct passtime_stamp *stamps,
                         uint32_t count)
{
    bool goes_on = !a->has_envelope;
    bool any = a->stands;
    uint64_t at = a->stands_at;
    for (uint32_t i = 0; i < count; i++) {
        if (!stamps[i].unproven) {
            goes_on = goes_on || stamps[i].duration_ns != 0 || (any && stamps[i].begin_ticks != at);
            at = stamps[i].begin_ticks;
            any = true;
        }
    }
    a->stands_at = at;
    a->stands = !goes_on;
    return a->stands;
}

/* Judged by what was known before this frame, which nothing unproven may speak for. */
static void settle_unproven(const struct passtime_align *before, struct passtime_stamp *stamps,
                            uint32_t count, bool fresh)
{
    if (fresh) {
        forget_unproven(stamps, count);
    } else {
        place_unproven(before, stamps, count);
    }
}

bool passtime_align_frame(struct passtime_align *a, struct passtime_unit unit, uint64_t quantum_ns,
                          struct passtime_stamp *stamps, uint32_t count)
{
    if (count == 0 || (!a->started && !any_proven(stamps, count))) {
        return false;
    }
    bool fresh = !a->started;
    uint64_t seen_ns = stamps[0].envelope.seen_ns;
    if (fresh) {
        start_epoch(a, unit, stamps, count);
    } else if (unit.num != a->unit.num || unit.den != a->unit.den) {
        change_unit(a, unit);
    }
    widen(a, seen_ns);
    struct passtime_align before = *a;
    struct sweep sweep;
    bool whole = false;
    if (!any_proven(stamps, count)) {
        (void)find_positions(a, stamps, count, quantum_ns);
    } else if (place_frame(a, quantum_ns, stamps, count, &sweep, &whole)) {
        a->stands = false;
    } else if (!fresh && !stands_still(a, stamps, count)) {
        start_epoch(a, unit, stamps, count);
        fresh = true;
        (void)place_frame(a, quantum_ns, stamps, count, &sweep, &whole);
    }
    if (whole) {
        advance(a, sweep.furthest_ticks, sweep.latest_ns);
    } else {
        settle_unproven(&before, stamps, count, fresh);
        advance_by_placed(a, stamps, count);
    }
    a->last_cpu_ns = seen_ns > a->last_cpu_ns ? seen_ns : a->last_cpu_ns;
    return fresh;
}

bool passtime_placer_begin(const struct passtime_align *a, struct passtime_unit unit,
                           uint64_t seen_ns, struct passtime_placer *p)
{
    uint64_t passed_ticks = 0;
    uint64_t mask = passtime_ticks_mask(a->valid_bits);
    if (!a->started || !a->has_envelope || unit.num != a->unit.num || unit.den != a->unit.den ||
        seen_ns < a->last_cpu_ns ||
        !passtime_ns_to_ticks(seen_ns - a->last_cpu_ns, unit, &passed_ticks) ||
        passed_ticks > mask / 4) {
        return false; /* Not started, another unit, or perhaps a turn of the counter missed. */
    }
    p->mask = mask;
    p->last_ticks = a->last_ticks;
    p->last_extended = a->last_extended;
    p->segment_ns = a->segment_ns;
    p->unit = unit;
    bool power = (unit.den & (unit.den - 1)) == 0;
    p->half = power ? unit.den / 2 : 0;
    p->shift = power ? (uint32_t)__builtin_ctzll(unit.den) : 0;
    p->short_ticks = power ? (UINT64_MAX - p->half) / unit.num : 0;
    p->lowest_ticks = INT64_MAX;
    p->furthest_ticks = INT64_MIN;
    p->end_ns = 0;
    p->longest_ns = 0;
    return true;
}

/* Positions grow with ticks, so that the lowest and the furthest one vouch for all between them. */
bool passtime_placer_finish(struct passtime_align *a, const struct passtime_placer *p,
                            struct passtime_envelope envelope, uint64_t quantum_ns)
{
    uint64_t first_ns = 0;
    uint64_t last_ns = 0;
    uint64_t slack_ns = envelope.seen_ns - envelope.begin_ns + quantum_ns;
    if (p->lowest_ticks < -(int64_t)(p->mask / 4) || p->longest_ns > slack_ns ||
        !position(a, p->lowest_ticks, &first_ns) || !position(a, p->furthest_ticks, &last_ns)) {
        return false;
    }
    struct passtime_align next = *a;
    int64_t drift_ns = drift_within(envelope);
    int64_t low_ns = (int64_t)envelope.begin_ns - (int64_t)(first_ns + quantum_ns);
    int64_t high_ns = (int64_t)envelope.seen_ns - (int64_t)p->end_ns;
    struct interval allowed = {earlier(low_ns, drift_ns), later(high_ns, drift_ns)};
    widen(&next, envelope.seen_ns);
    if (allowed.low_ns > allowed.high_ns || !narrow(&next, allowed)) {
        return false;
    }
    advance(&next, p->furthest_ticks > 0 ? p->furthest_ticks : 0, last_ns);
    next.last_cpu_ns = envelope.seen_ns;
    next.stands = false;
    *a = next;
    return true;
}

void passtime_align_offset(const struct passtime_align *a, int64_t *offset_ns, uint64_t *bound_ns)
{
    *offset_ns = 0;
    *bound_ns = UINT64_MAX;
    if (a->bounded) {
        uint64_t width_ns = (uint64_t)(a->high_ns - a->low_ns);
        *offset_ns = a->low_ns + (int64_t)(width_ns / 2);
        *bound_ns = width_ns - width_ns / 2;
    }
}
