/* SPDX-License-Identifier: MIT */
/* What the stamps themselves cost of a frame. */
#include "sink/report_cost.h"

/* A pair of stamps then adds more than a tenth to the pass. */
static const double short_pass_pairs = 10.0;

static uint32_t count_short(const struct passtime_snapshot *snapshot, double cost_ns)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < snapshot->series_count; i++) {
        const passtime_series_info *series = &snapshot->series[i];
        if (series->kind == PASSTIME_SERIES_PASS && series->source == PASSTIME_GPU_STAMPS &&
            (series->stats.flags & PASSTIME_STATS_HAS_MEAN) != 0 &&
            series->stats.mean_ns < short_pass_pairs * cost_ns)
            count++;
    }
    return count;
}

struct passtime_stamp_share passtime_stamp_share(const struct passtime_snapshot *snapshot,
                                                 const passtime_check_cost *cost)
{
    struct passtime_stamp_share out = {.known = false};
    const passtime_ledger *ledger = &snapshot->ledger;
    const passtime_stats *busy = &snapshot->totals[PASSTIME_TOTAL_BUSY];
    uint64_t frames =
        ledger->fates[PASSTIME_FRAME_COMPLETE] + ledger->fates[PASSTIME_FRAME_INCOMPLETE];
    if (!cost || !cost->known || snapshot->clock.source != PASSTIME_GPU_STAMPS || frames == 0 ||
        !(busy->flags & PASSTIME_STATS_HAS_MEAN) || !(busy->mean_ns > 0.0))
        return out;
    uint64_t judged = 0;
    for (uint32_t i = 0; i < PASSTIME_VERDICT_COUNT; i++)
        judged += ledger->verdicts[i];
    out.known = true;
    out.pairs_a_frame = (double)judged / (double)frames;
    out.share = out.pairs_a_frame * cost->ns / busy->mean_ns;
    out.low = out.pairs_a_frame * cost->low_ns / busy->mean_ns;
    out.high = out.pairs_a_frame * cost->high_ns / busy->mean_ns;
    out.short_passes = count_short(snapshot, cost->ns);
    return out;
}
