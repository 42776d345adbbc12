/* SPDX-License-Identifier: MIT */
/* The tool's own part of the frame: from what a pair costs and how many there are, or not at all.
 */
#include "sink/report_cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void near(double value, double expected)
{
    assert_true(value > expected - 1e-9 && value < expected + 1e-9);
}

/* A hundred frames of 1 ms with eight passes each; a pair costs 5 us, give or take two. */
static struct passtime_snapshot snapshot_of(passtime_series_info series[3])
{
    struct passtime_snapshot snapshot = {.series_count = 3, .series = series};
    static const double means_ns[3] = {49999.0, 50000.0, 3000.0};
    for (uint32_t i = 0; i < 3; i++) {
        series[i] =
            (passtime_series_info){.kind = PASSTIME_SERIES_PASS, .source = PASSTIME_GPU_STAMPS};
        series[i].stats.flags = PASSTIME_STATS_HAS_MEAN;
        series[i].stats.mean_ns = means_ns[i];
    }
    snapshot.clock.source = PASSTIME_GPU_STAMPS;
    snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 90;
    snapshot.ledger.fates[PASSTIME_FRAME_INCOMPLETE] = 10;
    snapshot.ledger.verdicts[PASSTIME_GOOD] = 700;
    snapshot.ledger.verdicts[PASSTIME_BELOW_RESOLUTION] = 90;
    snapshot.ledger.verdicts[PASSTIME_NOT_EXECUTED] = 10;
    snapshot.totals[PASSTIME_TOTAL_BUSY].flags = PASSTIME_STATS_HAS_MEAN;
    snapshot.totals[PASSTIME_TOTAL_BUSY].mean_ns = 1e6;
    return snapshot;
}

static const passtime_check_cost cost = {
    .count = 48, .known = true, .ns = 5000.0, .low_ns = 3000.0, .high_ns = 7000.0};

static void the_share_is_pairs_times_cost_by_busy(void **state)
{
    (void)state;
    passtime_series_info series[3];
    struct passtime_snapshot snapshot = snapshot_of(series);
    struct passtime_stamp_share share = passtime_stamp_share(&snapshot, &cost);
    assert_true(share.known);
    near(share.pairs_a_frame, 8.0);
    near(share.share, 0.04);
    near(share.low, 0.024);
    near(share.high, 0.056);
    assert_int_equal(share.short_passes, 2); /* ten times the cost is 50 us */
    series[2].stats.flags = 0;               /* without a mean nothing is said of it */
    assert_int_equal(passtime_stamp_share(&snapshot, &cost).short_passes, 1);
}

static void what_is_not_known_is_not_said(void **state)
{
    (void)state;
    passtime_series_info series[3];
    struct passtime_snapshot snapshot = snapshot_of(series);
    const passtime_check_cost none = {.known = false};
    assert_false(passtime_stamp_share(&snapshot, NULL).known);
    assert_false(passtime_stamp_share(&snapshot, &none).known);
    snapshot.clock.source = PASSTIME_CPU_RECORD;
    assert_false(passtime_stamp_share(&snapshot, &cost).known);
    snapshot = snapshot_of(series);
    snapshot.totals[PASSTIME_TOTAL_BUSY].flags = 0;
    assert_false(passtime_stamp_share(&snapshot, &cost).known);
    snapshot = snapshot_of(series);
    snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 0;
    snapshot.ledger.fates[PASSTIME_FRAME_INCOMPLETE] = 0;
    assert_false(passtime_stamp_share(&snapshot, &cost).known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_pairs_times_cost_by_busy),
        cmocka_unit_test(what_is_not_known_is_not_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
