/* SPDX-License-Identifier: MIT */
/* The tables of fields; see fields.h. */
#include "sink/fields.h"

#include <stddef.h>

#define STATS(member, type, flag)                                                                  \
    {                                                                                              \
#member, offsetof(passtime_stats, member), type, flag                                      \
    }
#define LEDGER(member, type)                                                                       \
    {                                                                                              \
#member, offsetof(passtime_ledger, member), type, 0                                        \
    }
#define CLOCK(member, type)                                                                        \
    {                                                                                              \
#member, offsetof(passtime_clock_info, member), type, 0                                    \
    }

#define COUNTER(member, type, flag)                                                                \
    {                                                                                              \
#member, offsetof(passtime_counter_stats, member), type, flag                              \
    }

static const struct passtime_field stats[] = {
    STATS(flags, PASSTIME_FIELD_U32, 0),
    STATS(count, PASSTIME_FIELD_U64, 0),
    STATS(rejected, PASSTIME_FIELD_U64, 0),
    STATS(mean_ns, PASSTIME_FIELD_DOUBLE, PASSTIME_STATS_HAS_MEAN),
    STATS(se_ns, PASSTIME_FIELD_DOUBLE, PASSTIME_STATS_HAS_SE),
    STATS(n_eff, PASSTIME_FIELD_DOUBLE, PASSTIME_STATS_HAS_SE),
    STATS(ci_low_ns, PASSTIME_FIELD_DOUBLE, PASSTIME_STATS_HAS_CI),
    STATS(ci_high_ns, PASSTIME_FIELD_DOUBLE, PASSTIME_STATS_HAS_CI),
    STATS(below_ns, PASSTIME_FIELD_DOUBLE, PASSTIME_STATS_HAS_BELOW),
    STATS(min_ns, PASSTIME_FIELD_U64, PASSTIME_STATS_HAS_MIN),
    STATS(max_ns, PASSTIME_FIELD_U64, PASSTIME_STATS_HAS_MAX),
    STATS(p50_ns, PASSTIME_FIELD_U64, PASSTIME_STATS_HAS_P50),
    STATS(p95_ns, PASSTIME_FIELD_U64, PASSTIME_STATS_HAS_P95),
    STATS(p99_ns, PASSTIME_FIELD_U64, PASSTIME_STATS_HAS_P99),
    STATS(total_ns, PASSTIME_FIELD_U64, 0),
    STATS(last_ns, PASSTIME_FIELD_U64, 0),
    STATS(last_frame, PASSTIME_FIELD_U64, 0),
    STATS(quantum_ns, PASSTIME_FIELD_U64, 0),
    STATS(frames_for_10_percent, PASSTIME_FIELD_U32, 0),
};

static const struct passtime_field ledger[] = {
    LEDGER(frames_in_flight, PASSTIME_FIELD_U32),
    LEDGER(frames_seen, PASSTIME_FIELD_U64),
    LEDGER(passes_recorded, PASSTIME_FIELD_U64),
    LEDGER(passes_in_flight, PASSTIME_FIELD_U64),
    LEDGER(frames_over_budget, PASSTIME_FIELD_U64),
    LEDGER(frames_not_taken, PASSTIME_FIELD_U64),
    LEDGER(samples_in_other, PASSTIME_FIELD_U64),
    LEDGER(entries_quarantined, PASSTIME_FIELD_U64),
    LEDGER(orphan_ends, PASSTIME_FIELD_U64),
    LEDGER(misuses, PASSTIME_FIELD_U64),
    LEDGER(unpumped, PASSTIME_FIELD_U64),
    LEDGER(skip_run_max, PASSTIME_FIELD_U64),
    LEDGER(frames_within_budget, PASSTIME_FIELD_U64),
    LEDGER(frames_budgeted, PASSTIME_FIELD_U64),
};

static const struct passtime_field clock[] = {
    CLOCK(valid_bits, PASSTIME_FIELD_U32),      CLOCK(clock_epoch, PASSTIME_FIELD_U32),
    CLOCK(tick_ns, PASSTIME_FIELD_DOUBLE),      CLOCK(quantum_ns, PASSTIME_FIELD_U64),
    CLOCK(align_offset_ns, PASSTIME_FIELD_I64), CLOCK(align_bound_ns, PASSTIME_FIELD_U64),
};

static const struct passtime_field counter[] = {
    COUNTER(flags, PASSTIME_FIELD_U32, 0),
    COUNTER(count, PASSTIME_FIELD_U64, 0),
    COUNTER(unproved, PASSTIME_FIELD_U64, 0),
    COUNTER(lost, PASSTIME_FIELD_U64, 0),
    COUNTER(mean, PASSTIME_FIELD_DOUBLE, PASSTIME_STATS_HAS_MEAN),
    COUNTER(se, PASSTIME_FIELD_DOUBLE, PASSTIME_STATS_HAS_SE),
    COUNTER(min, PASSTIME_FIELD_U64, PASSTIME_STATS_HAS_MIN),
    COUNTER(max, PASSTIME_FIELD_U64, PASSTIME_STATS_HAS_MAX),
    COUNTER(total, PASSTIME_FIELD_U64, 0),
    COUNTER(last, PASSTIME_FIELD_U64, 0),
    COUNTER(last_frame, PASSTIME_FIELD_U64, 0),
};

struct passtime_fields passtime_fields_of_counter(void)
{
    return (struct passtime_fields){counter, sizeof counter / sizeof counter[0]};
}

struct passtime_fields passtime_fields_of_stats(void)
{
    return (struct passtime_fields){stats, sizeof stats / sizeof stats[0]};
}

struct passtime_fields passtime_fields_of_ledger(void)
{
    return (struct passtime_fields){ledger, sizeof ledger / sizeof ledger[0]};
}

struct passtime_fields passtime_fields_of_clock(void)
{
    return (struct passtime_fields){clock, sizeof clock / sizeof clock[0]};
}

const char *passtime_total_name(passtime_total total)
{
    static const char *const names[PASSTIME_TOTAL_COUNT] = {"busy_ns", "span_ns", "sum_ns",
                                                            "cpu_submit_ns"};
    return (unsigned)total < PASSTIME_TOTAL_COUNT ? names[total] : "";
}
