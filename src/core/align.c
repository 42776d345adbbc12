/* SPDX-License-Identifier: MIT */
/* Positions, epochs, and the interval of offsets between the GPU's clock and the CPU's. */
#include "core/align.h"

#include "core/ticks.h"

enum {
    DRIFT_DIVISOR = 10000,               /* 100 ppm: twice the drift that was seen */
    BACKWARD_TOLERANCE_NS = 1000000000   /* without an envelope: further back than this is a reset */
};

void passtime_align_init(struct passtime_align *a, uint32_t valid_bits, bool has_envelope)
{
    *a = (struct passtime_align){.valid_bits = valid_bits, .has_envelope = has_envelope};
}

/* The difference between two ticks as the shorter way around the counter. */
static int64_t signed_difference(uint64_t to, uint64_t from, uint32_t bits)
{
    uint64_t up = passtime_ticks_sub(to, from, bits);
    uint64_t down = passtime_ticks_sub(from, to, bits);
    return up <= down ? (int64_t)up : -(int64_t)(down & INT64_MAX);
}

/* Moves a signed tick distance forward by whole turns of the counter, as the CPU saw time pass. */
static int64_t add_missed_turns(const struct passtime_align *a, int64_t delta, uint64_t seen_ns)
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
static bool offset_ticks(uint64_t base, int64_t delta, uint64_t *out)
{
    if (delta < 0 && base < (uint64_t)-delta) {
        return false;
    }
    *out = base + (uint64_t)delta;
    return delta <= 0 || *out >= base;
}

/* The position of a tick `delta` away from the newest one placed. */
static bool position(const struct passtime_align *a, int64_t delta, uint64_t *ns)
{
    uint64_t extended = 0;
    if (!offset_ticks(a->last_extended, delta, &extended) ||
        !passtime_ticks_to_ns(extended, a->unit, ns) || *ns > INT64_MAX / 2) {
        return false;
    }
    *ns += a->segment_ns;
    return true;
}

static void start_epoch(struct passtime_align *a, struct passtime_unit unit,
                        const struct passtime_stamp *stamps, uint32_t count)
{
    uint64_t first = stamps[0].begin_ticks;
    for (uint32_t i = 1; i < count; i++) {
        if (signed_difference(stamps[i].begin_ticks, first, a->valid_bits) < 0) {
            first = stamps[i].begin_ticks;
        }
    }
    if (a->started) {
        a->epoch++;
    }
    a->started = true;
    a->unit = unit;
    a->segment_ns = 0;
    a->last_ticks = first;
    a->last_extended = 0;
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
    a->last_extended = 0;
    a->unit = unit;
}

/* Time has passed since the interval was drawn: the clocks may have drifted apart. */
static void widen(struct passtime_align *a, uint64_t seen_ns)
{
    if (a->bounded && seen_ns > a->last_cpu_ns) {
        int64_t drift_ns = (int64_t)((seen_ns - a->last_cpu_ns) / DRIFT_DIVISOR) + 1;
        a->low_ns -= drift_ns;
        a->high_ns += drift_ns;
    }
}

/* Narrows the interval by one placed stamp; false, and nothing is changed, where it contradicts. */
static bool narrow(struct passtime_align *a, const struct passtime_stamp *s, uint64_t quantum_ns)
{
    if (!a->has_envelope) {
        return s->begin_ns + BACKWARD_TOLERANCE_NS >= a->latest_ns;
    }
    /* A rounded stamp was taken up to a quantum later than it says. */
    int64_t low_ns = (int64_t)s->envelope.begin_ns - (int64_t)(s->begin_ns + quantum_ns);
    int64_t high_ns = (int64_t)s->envelope.seen_ns - (int64_t)(s->begin_ns + s->duration_ns);
    if (low_ns > high_ns) {
        high_ns = low_ns; /* As long as its envelope, within the judge's slack. */
    }
    if (!a->bounded) {
        a->low_ns = low_ns;
        a->high_ns = high_ns;
        a->bounded = true;
        return true;
    }
    low_ns = low_ns > a->low_ns ? low_ns : a->low_ns;
    high_ns = high_ns < a->high_ns ? high_ns : a->high_ns;
    if (low_ns > high_ns) {
        return false;
    }
    a->low_ns = low_ns;
    a->high_ns = high_ns;
    return true;
}

/* Places what fits and returns how many did. */
static uint32_t place_all(struct passtime_align *a, uint64_t quantum_ns, struct passtime_stamp *stamps,
                          uint32_t count)
{
    int64_t first_delta = signed_difference(stamps[0].begin_ticks, a->last_ticks, a->valid_bits);
    first_delta = add_missed_turns(a, first_delta, stamps[0].envelope.seen_ns);
    uint32_t placed = 0;
    int64_t furthest = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct passtime_stamp *s = &stamps[i];
        int64_t delta = first_delta + signed_difference(s->begin_ticks, stamps[0].begin_ticks,
                                                        a->valid_bits);
        s->placed = position(a, delta, &s->begin_ns) && narrow(a, s, quantum_ns);
        if (s->placed) {
            placed++;
            furthest = delta > furthest ? delta : furthest;
            a->latest_ns = s->begin_ns > a->latest_ns ? s->begin_ns : a->latest_ns;
        } else {
            s->begin_ns = 0;
        }
    }
    a->last_extended += (uint64_t)furthest;
    a->last_ticks = (a->last_ticks + (uint64_t)furthest) & passtime_ticks_mask(a->valid_bits);
    return placed;
}

bool passtime_align_frame(struct passtime_align *a, struct passtime_unit unit, uint64_t quantum_ns,
                          struct passtime_stamp *stamps, uint32_t count)
{
    if (count == 0) {
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
    if (place_all(a, quantum_ns, stamps, count) == 0 && !fresh) {
        start_epoch(a, unit, stamps, count);
        (void)place_all(a, quantum_ns, stamps, count);
        fresh = true;
    }
    a->last_cpu_ns = seen_ns > a->last_cpu_ns ? seen_ns : a->last_cpu_ns;
    return fresh;
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
