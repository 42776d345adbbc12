/* SPDX-License-Identifier: MIT */
/* The rules that decide which pairs of stamps are true. */
#include "core/judge.h"

#include "core/ticks.h"

/* Clocks of a GPU and a CPU were seen to differ by 50 ppm; twenty times that costs no sensitivity.
 */
enum { CLOCK_SLACK_DIVISOR = 1000, NO_ENVELOPE_CEILING_NS = 100000000 };

/* Did the slots give what they gave before? Where they come back so soon that a coarse clock may
 * not have moved on, one equal stamp proves nothing; but a pass that took time ended before the
 * next use began, so that not both can be equal by chance. */
static bool is_repeated(const struct passtime_evidence *e)
{
    bool begin = e->begin_ticks == e->last_begin_ticks;
    bool end = e->end_ticks == e->last_end_ticks;
    if (e->unseen || e->duration_only || !e->zero_means_unwritten) {
        return false;
    }
    return e->stale_rule ? begin || end : begin && end && e->begin_ticks != e->end_ticks;
}

/* Was it written, in this frame? GOOD: nothing speaks against it. */
static passtime_verdict judge_written(const struct passtime_evidence *e)
{
    bool begin_written = e->begin_available;
    bool end_written = e->end_available || e->duration_only;
    if (e->zero_means_unwritten && !e->duration_only) {
        begin_written = begin_written && e->begin_ticks != 0;
        end_written = end_written && e->end_ticks != 0;
    }
    if (e->duration_only && !begin_written) {
        return PASSTIME_NOT_EXECUTED;
    }
    if (!begin_written && !end_written) {
        return PASSTIME_NOT_EXECUTED;
    }
    if (!begin_written || !end_written) {
        return PASSTIME_HALF_WRITTEN;
    }
    if (is_repeated(e)) {
        return PASSTIME_STALE;
    }
    return PASSTIME_GOOD;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* How long it may have taken. */
struct limits {
    bool ambiguous;      /* the counter may have wrapped meanwhile: it can't be told */
    uint64_t most_ns;    /* the CPU saw it take no longer */
    uint64_t ceiling_ns; /* the app wants no longer ones */
};

static struct limits limits_of(const struct passtime_evidence *e)
{
    uint64_t ceiling_ns = e->ceiling_ns != 0 ? e->ceiling_ns : UINT64_MAX;
    if (e->envelope_ns == UINT64_MAX) {
        uint64_t default_ns = NO_ENVELOPE_CEILING_NS;
        return (struct limits){false, UINT64_MAX, e->ceiling_ns != 0 ? ceiling_ns : default_ns};
    }
    uint64_t tick_ns = e->unit.num / e->unit.den + 1;
    uint64_t slack_ns = add_saturating(e->envelope_ns / CLOCK_SLACK_DIVISOR, e->quantum_ns);
    uint64_t most_ns = add_saturating(e->envelope_ns, add_saturating(slack_ns, 2 * tick_ns));
    bool ambiguous = e->envelope_ns >= passtime_ticks_period_ns(e->valid_bits, e->unit);
    return (struct limits){ambiguous, most_ns, ceiling_ns};
}

/* May it have taken so long? */
static passtime_verdict judge_length(const struct passtime_evidence *e, uint64_t duration_ns)
{
    struct limits limits = limits_of(e);
    if (limits.ambiguous) {
        return PASSTIME_AMBIGUOUS;
    }
    if (duration_ns > limits.most_ns) {
        return PASSTIME_BACKWARD;
    }
    return duration_ns > limits.ceiling_ns ? PASSTIME_ABOVE_CEILING : PASSTIME_GOOD;
}

bool passtime_judge_longest(const struct passtime_evidence *e, uint64_t *longest_ns)
{
    if (e->unit.num == 0 || e->unit.den == 0) {
        return false;
    }
    struct limits limits = limits_of(e);
    *longest_ns = limits.most_ns < limits.ceiling_ns ? limits.most_ns : limits.ceiling_ns;
    return !limits.ambiguous;
}

passtime_verdict passtime_judge(const struct passtime_evidence *e, uint64_t *duration_ns)
{
    *duration_ns = 0;
    if (e->unit.num == 0 || e->unit.den == 0) {
        return PASSTIME_UNIT_UNKNOWN;
    }
    passtime_verdict verdict = judge_written(e);
    if (verdict != PASSTIME_GOOD) {
        return verdict;
    }
    uint64_t ticks = e->duration_only
                         ? e->begin_ticks & passtime_ticks_mask(e->valid_bits)
                         : passtime_ticks_sub(e->end_ticks, e->begin_ticks, e->valid_bits);
    uint64_t ns = 0;
    if (!passtime_ticks_to_ns(ticks, e->unit, &ns)) {
        return PASSTIME_BACKWARD; /* No pass takes 584 years. */
    }
    verdict = judge_length(e, ns);
    if (verdict != PASSTIME_GOOD) {
        return verdict;
    }
    *duration_ns = ns;
    return ticks == 0 ? PASSTIME_BELOW_RESOLUTION : PASSTIME_GOOD;
}
