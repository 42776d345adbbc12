/* SPDX-License-Identifier: MIT */
#include "unit/report_cases.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const uint32_t full = PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_SE |
                             PASSTIME_STATS_HAS_CI | PASSTIME_STATS_HAS_MIN |
                             PASSTIME_STATS_HAS_MAX | PASSTIME_STATS_HAS_P50 |
                             PASSTIME_STATS_HAS_P95 | PASSTIME_STATS_HAS_P99;

static void begin(struct report_case *out, const char *id)
{
    memset(out, 0, sizeof *out);
    out->context = (struct passtime_report_context){.snapshot = &out->snapshot, .id = id};
    out->snapshot.series = out->series;
    out->snapshot.clock = (passtime_clock_info){.size = sizeof(passtime_clock_info),
                                                .source = PASSTIME_GPU_STAMPS,
                                                .valid_bits = 64,
                                                .tick_ns = 1.0,
                                                .align_bound_ns = UINT64_MAX};
}

/* Statistics about a middle value, in nanoseconds, with a spread that is easy to see. */
static passtime_stats stats_about(uint64_t count, double mean_ns, double se_ns)
{
    passtime_stats stats = {.size = sizeof stats, .flags = full, .count = count};
    stats.mean_ns = mean_ns;
    stats.se_ns = se_ns;
    stats.n_eff = (double)count / 2.0;
    stats.ci_low_ns = mean_ns - 2.0 * se_ns;
    stats.ci_high_ns = mean_ns + 2.0 * se_ns;
    stats.min_ns = (uint64_t)(mean_ns * 0.9);
    stats.p50_ns = (uint64_t)(mean_ns * 0.99);
    stats.p95_ns = (uint64_t)(mean_ns * 1.1);
    stats.p99_ns = (uint64_t)(mean_ns * 1.25);
    stats.max_ns = (uint64_t)(mean_ns * 1.5);
    stats.total_ns = (uint64_t)(mean_ns * (double)count);
    if (count < 100)
        stats.flags &= ~(uint32_t)PASSTIME_STATS_HAS_P99;
    return stats;
}

static passtime_series_info *add(struct report_case *out, const char *name, uint32_t parent,
                                 passtime_stats stats)
{
    passtime_series_info *series = &out->series[out->snapshot.series_count++];
    series->size = sizeof *series;
    series->parent = parent;
    snprintf(series->name, sizeof series->name, "%s", name);
    if (parent != PASSTIME_NONE) {
        strcpy(series->path, out->series[parent].name);
        strcat(series->path, "/");
    }
    strcat(series->path, name);
    series->stats = stats;
    series->attributed_ns = stats.total_ns;
    series->verdicts[PASSTIME_GOOD] = stats.count;
    return series;
}

static void set_totals(struct report_case *out, uint64_t count, double busy_ns, double gaps_ns)
{
    out->snapshot.totals[PASSTIME_TOTAL_BUSY] = stats_about(count, busy_ns, busy_ns / 400);
    out->snapshot.totals[PASSTIME_TOTAL_SPAN] =
        stats_about(count, busy_ns + gaps_ns, busy_ns / 400);
    out->snapshot.totals[PASSTIME_TOTAL_SUM] = stats_about(count, busy_ns, busy_ns / 400);
    out->snapshot.totals[PASSTIME_TOTAL_CPU_SUBMIT] = stats_about(count, 412345.0, 1200.0);
}

static void count_verdicts(struct report_case *out)
{
    passtime_ledger *ledger = &out->snapshot.ledger;
    for (uint32_t i = 0; i < out->snapshot.series_count; i++) {
        if (out->series[i].kind != PASSTIME_SERIES_PASS)
            continue;
        for (int verdict = 0; verdict < PASSTIME_VERDICT_COUNT; verdict++) {
            ledger->verdicts[verdict] += out->series[i].verdicts[verdict];
            ledger->passes_recorded += out->series[i].verdicts[verdict];
        }
    }
}

void report_case_gpu(struct report_case *out)
{
    begin(out, "demo");
    out->snapshot.adapter = (passtime_adapter_info){
        .api = "webgpu", .name = "Radeon RX 7800", .driver = "radv 24.1", .kind = "discrete"};
    out->snapshot.clock.tick_ns = 10.0;
    out->snapshot.clock.quantum_ns = 10;
    out->snapshot.clock.align_bound_ns = 1500;
    passtime_series_info *scope = add(out, "build", PASSTIME_NONE, stats_about(120, 4.1e6, 12e3));
    scope->kind = PASSTIME_SERIES_SCOPE;
    scope->attributed_ns = 0;
    add(out, "scatter", 0, stats_about(120, 3901234.0, 11500.0));
    add(out, "cull", 0, stats_about(120, 198765.0, 912.0));
    passtime_series_info *paint = add(out, "paint", PASSTIME_NONE, stats_about(120, 12e5, 4200.0));
    paint->flags = PASSTIME_FLAG_OVERLAPS;
    set_totals(out, 120, 5.2e6, 2e5);
    out->snapshot.budget_ns = 14000000;
    out->snapshot.ledger.frames_seen = 120;
    out->snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 120;
    out->snapshot.ledger.frames_within_budget = 120;
    out->snapshot.ledger.frames_budgeted = 120;
    out->context.warmup_frames = 3;
    out->context.wall_ns = 720000000;
    count_verdicts(out);
}

void report_case_faults(struct report_case *out)
{
    begin(out, "broken.perfetto-trace");
    out->snapshot.origin = PASSTIME_SNAPSHOT_EVENTS;
    out->snapshot.events_lost = 17;
    out->snapshot.adapter = (passtime_adapter_info){.api = "webgpu",
                                                    .name = "llvmpipe (LLVM 15.0.6, 256 bits)",
                                                    .driver = "Mesa 22.3.6",
                                                    .kind = "software",
                                                    .software = true};
    passtime_series_info *first =
        add(out, "scatter, \"the big one\"", PASSTIME_NONE, stats_about(96, 190.21e6, 0.83e6));
    first->verdicts[PASSTIME_STALE] = 3;
    first->verdicts[PASSTIME_BACKWARD] = 1;
    first->stats.rejected = 4;
    first->stats.flags |= PASSTIME_STATS_BIASED;
    add(out, "t\x1b[31miny \xc3\xa9", PASSTIME_NONE, stats_about(100, 52345.0, 312.0));
    passtime_series_info *dead =
        add(out, "never ran", PASSTIME_NONE, (passtime_stats){.size = sizeof(passtime_stats)});
    dead->verdicts[PASSTIME_NOT_EXECUTED] = 100;
    dead->stats.rejected = 100;
    dead->flags = PASSTIME_FLAG_BOUNDARY_UNVERIFIED;
    set_totals(out, 96, 190.3e6, 1e5);
    out->snapshot.budget_ns = 14000000;
    passtime_ledger *ledger = &out->snapshot.ledger;
    ledger->frames_seen = 110;
    ledger->fates[PASSTIME_FRAME_COMPLETE] = 96;
    ledger->fates[PASSTIME_FRAME_INCOMPLETE] = 4;
    ledger->fates[PASSTIME_FRAME_NO_DATA] = 1;
    ledger->fates[PASSTIME_FRAME_SKIPPED_FULL] = 9;
    ledger->frames_over_budget = 96;
    ledger->frames_budgeted = 101;
    ledger->misuses = 2;
    ledger->orphan_ends = 1;
    ledger->skip_run_max = 4;
    out->context.truncated_bytes = 123456;
    count_verdicts(out);
}

void report_case_quantized(struct report_case *out)
{
    begin(out, "demo");
    out->snapshot.adapter = (passtime_adapter_info){
        .api = "webgpu", .name = "SwiftShader", .kind = "software", .software = true};
    out->snapshot.clock.quantum_ns = 65536;
    passtime_stats small = {.size = sizeof small, .count = 1000, .quantum_ns = 65536};
    small.flags = PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_SE | PASSTIME_STATS_HAS_CI |
                  PASSTIME_STATS_QUANTIZED;
    small.mean_ns = 2949.1;
    small.se_ns = 430.0;
    small.n_eff = 1000.0;
    small.ci_low_ns = 2200.0;
    small.ci_high_ns = 3900.0;
    small.total_ns = 2949120;
    small.frames_for_10_percent = 1135;
    passtime_series_info *clear = add(out, "clear", PASSTIME_NONE, small);
    clear->verdicts[PASSTIME_GOOD] = 45;
    clear->verdicts[PASSTIME_BELOW_RESOLUTION] = 955;
    small.flags = PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_CI | PASSTIME_STATS_QUANTIZED;
    passtime_series_info *rare = add(out, "rare", PASSTIME_NONE, small);
    rare->stats.mean_ns = 131.0;
    rare->stats.ci_low_ns = 32.0;
    rare->stats.ci_high_ns = 472.0;
    rare->stats.total_ns = 131072;
    rare->attributed_ns = 131072;
    rare->verdicts[PASSTIME_GOOD] = 2;
    rare->verdicts[PASSTIME_BELOW_RESOLUTION] = 998;
    small.flags = PASSTIME_STATS_HAS_BELOW | PASSTIME_STATS_QUANTIZED;
    small.total_ns = 0;
    small.below_ns = 196.6;
    passtime_series_info *empty = add(out, "empty", PASSTIME_NONE, small);
    empty->verdicts[PASSTIME_GOOD] = 0;
    empty->verdicts[PASSTIME_BELOW_RESOLUTION] = 1000;
    out->snapshot.ledger.frames_seen = 1000;
    out->snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 1000;
    out->snapshot.ledger.frames_within_budget = 1000;
    out->snapshot.ledger.frames_budgeted = 1000;
    out->snapshot.totals[PASSTIME_TOTAL_CPU_SUBMIT] = stats_about(1000, 50123.0, 212.0);
    count_verdicts(out);
}

void report_case_cpu(struct report_case *out)
{
    begin(out, "demo");
    out->snapshot.adapter = (passtime_adapter_info){
        .api = "webgpu", .name = "GeForce 210", .driver = "nouveau", .kind = "discrete"};
    out->snapshot.clock.source = PASSTIME_CPU_RECORD;
    out->snapshot.clock.valid_bits = 64;
    add(out, "scatter", PASSTIME_NONE, stats_about(50, 31234.0, 212.0))->source =
        PASSTIME_CPU_RECORD;
    passtime_series_info *all =
        add(out, "(submission)", PASSTIME_NONE, stats_about(50, 5.123e6, 21e3));
    all->source = PASSTIME_CPU_COMPLETE;
    set_totals(out, 50, 5.123e6, 0.0);
    out->snapshot.budget_ns = 4000000;
    out->snapshot.ledger.frames_seen = 50;
    out->snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 50;
    out->snapshot.ledger.frames_within_budget = 50;
    out->snapshot.ledger.frames_budgeted = 50;
    count_verdicts(out);
}

void report_case_nothing(struct report_case *out)
{
    begin(out, "demo");
    out->snapshot.clock.tick_ns = 0.0;
    out->snapshot.clock.valid_bits = 0;
    out->snapshot.ledger.frames_seen = 40;
    out->snapshot.ledger.fates[PASSTIME_FRAME_SKIPPED_OFF] = 40;
}
