/* SPDX-License-Identifier: MIT */
/*
 * The report for programs: the document "passtime.report/1". What is not known is null and never 0;
 * every time is in nanoseconds.
 */
#include "sink/report.h"

#include <jansson.h>

#include "sink/report_advice.h"
#include "sink/report_cost.h"
#include "sink/report_counters.h"
#include "sink/report_document.h"
#include "sink/report_figures.h"

/* Nine digits say more than any of these means holds. */
enum { REAL_DIGITS = 9 };

/* jansson makes NULL of NaN and infinities, which these sets turn into null. */
static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value ? value : json_null());
}

static json_t *count_json(uint64_t value)
{
    if (value > (uint64_t)INT64_MAX)
        return json_real((double)value);
    return json_integer((json_int_t)value);
}

static json_t *count_or_null(uint64_t value, bool known)
{
    return known ? count_json(value) : json_null();
}

static json_t *text_json(const char *text)
{
    return text && text[0] ? json_string(text) : json_null();
}

static json_t *figure_json(const passtime_stats *stats, enum passtime_figure which)
{
    double value;
    if (!passtime_figure(stats, which, &value))
        return json_null();
    if (which >= PASSTIME_FIGURE_MIN && value < 9e18)
        return count_json((uint64_t)value);
    return json_real(value);
}

static json_t *adapter_json(const passtime_adapter_info *adapter)
{
    json_t *object = json_object();
    set(object, "name", text_json(adapter->name));
    set(object, "driver", text_json(adapter->driver));
    set(object, "kind", text_json(adapter->kind));
    set(object, "software", json_boolean(adapter->software));
    return object;
}

static json_t *clock_json(const passtime_clock_info *clock)
{
    json_t *object = json_object();
    set(object, "tick_ns", clock->tick_ns > 0.0 ? json_real(clock->tick_ns) : NULL);
    set(object, "valid_bits", count_or_null(clock->valid_bits, clock->valid_bits > 0));
    set(object, "quantum_ns", count_or_null(clock->quantum_ns, clock->quantum_ns > 0));
    set(object, "align_bound_ns",
        count_or_null(clock->align_bound_ns, clock->align_bound_ns != UINT64_MAX));
    return object;
}

static json_t *counts_json(const uint64_t *counts, int first, int end, bool all,
                           const char *(*name)(int index))
{
    json_t *object = json_object();
    for (int i = first; i < end; i++) {
        char key[64];
        if (counts[i] == 0 && !all)
            continue;
        passtime_key(key, sizeof key, name(i));
        set(object, key, count_json(counts[i]));
    }
    return object;
}

static const char *verdict_name(int index)
{
    return passtime_verdict_name((passtime_verdict)index);
}

static json_t *frames_json(const struct passtime_report_context *context,
                           const struct passtime_figures *figures)
{
    static const char *const keys[PASSTIME_FATE_COUNT] = {
        [PASSTIME_FRAME_COMPLETE] = "complete",
        [PASSTIME_FRAME_INCOMPLETE] = "incomplete",
        [PASSTIME_FRAME_NO_DATA] = "no_data",
        [PASSTIME_FRAME_EMPTY] = "empty",
        [PASSTIME_FRAME_SKIPPED_FULL] = "skipped_full",
        [PASSTIME_FRAME_SKIPPED_STRIDE] = "skipped_stride",
        [PASSTIME_FRAME_SKIPPED_OFF] = "skipped_off",
        [PASSTIME_FRAME_SKIPPED_LOST] = "skipped_lost",
        [PASSTIME_FRAME_SKIPPED_WARMUP] = "skipped_warmup",
        [PASSTIME_FRAME_REFUSED] = "refused",
    };
    const passtime_ledger *ledger = &context->snapshot->ledger;
    json_t *object = json_object();
    set(object, "seen", count_json(ledger->frames_seen));
    set(object, "timed", count_json(figures->timed));
    set(object, "skipped", count_json(figures->skipped));
    for (int fate = 0; fate < PASSTIME_FATE_COUNT; fate++)
        set(object, keys[fate], count_json(ledger->fates[fate]));
    set(object, "in_flight", count_json(ledger->frames_in_flight));
    set(object, "not_taken", count_json(ledger->frames_not_taken));
    set(object, "skip_run_max", count_json(ledger->skip_run_max));
    set(object, "warmup", count_json(context->warmup_frames));
    return object;
}

static json_t *total_json(const passtime_stats *stats)
{
    json_t *object = json_object();
    set(object, "mean", figure_json(stats, PASSTIME_FIGURE_MEAN));
    set(object, "se", figure_json(stats, PASSTIME_FIGURE_SE));
    set(object, "p50", figure_json(stats, PASSTIME_FIGURE_P50));
    set(object, "p95", figure_json(stats, PASSTIME_FIGURE_P95));
    set(object, "p99", figure_json(stats, PASSTIME_FIGURE_P99));
    set(object, "max", figure_json(stats, PASSTIME_FIGURE_MAX));
    return object;
}

static json_t *submit_json(const passtime_stats *stats)
{
    json_t *object = json_object();
    set(object, "mean", figure_json(stats, PASSTIME_FIGURE_MEAN));
    set(object, "se", figure_json(stats, PASSTIME_FIGURE_SE));
    return object;
}

static json_t *gaps_json(const struct passtime_snapshot *snapshot)
{
    double busy, span;
    if (!passtime_figure(&snapshot->totals[PASSTIME_TOTAL_BUSY], PASSTIME_FIGURE_MEAN, &busy) ||
        !passtime_figure(&snapshot->totals[PASSTIME_TOTAL_SPAN], PASSTIME_FIGURE_MEAN, &span))
        return json_null();
    return json_real(span > busy ? span - busy : 0.0);
}

static json_t *frame_json(const struct passtime_snapshot *snapshot,
                          const struct passtime_figures *figures)
{
    static const char *const bounds[] = {NULL, "gpu", "cpu"};
    bool decided =
        figures->budget == PASSTIME_BUDGET_KEPT || figures->budget == PASSTIME_BUDGET_MISSED;
    json_t *object = json_object();
    set(object, "busy_ns", total_json(&snapshot->totals[PASSTIME_TOTAL_BUSY]));
    set(object, "span_ns", total_json(&snapshot->totals[PASSTIME_TOTAL_SPAN]));
    set(object, "sum_ns", total_json(&snapshot->totals[PASSTIME_TOTAL_SUM]));
    set(object, "cpu_submit_ns", submit_json(&snapshot->totals[PASSTIME_TOTAL_CPU_SUBMIT]));
    set(object, "unattributed_ns", gaps_json(snapshot));
    set(object, "budget_ns", count_or_null(snapshot->budget_ns, snapshot->budget_ns > 0));
    set(object, "over_budget",
        count_or_null(snapshot->ledger.frames_over_budget,
                      figures->gpu_time && snapshot->budget_ns > 0));
    set(object, "budget_frames",
        count_or_null(figures->held, figures->gpu_time && snapshot->budget_ns > 0));
    set(object, "within_budget",
        decided ? json_boolean(figures->budget == PASSTIME_BUDGET_KEPT) : NULL);
    set(object, "bound_by", text_json(bounds[figures->bound]));
    return object;
}

static json_t *flags_json(uint32_t flags, uint32_t stats_flags)
{
    json_t *array = json_array();
    uint32_t at = 0;
    const char *name;
    while ((name = passtime_flag_next(flags, stats_flags, &at)) != NULL)
        json_array_append_new(array, json_string(name));
    return array;
}

/* How many more frames bring the mean within 10 %: none where it is, null where more don't help. */
static json_t *frames_wanted_json(const passtime_stats *stats)
{
    bool known = stats->frames_for_10_percent > 0 || (stats->flags & PASSTIME_STATS_HAS_SE);
    return count_or_null(stats->frames_for_10_percent,
                         known && stats->frames_for_10_percent < UINT32_MAX);
}

static void set_stats(json_t *object, const passtime_stats *stats)
{
    bool any = stats->count > 0;
    set(object, "count", count_json(stats->count));
    set(object, "mean_ns", figure_json(stats, PASSTIME_FIGURE_MEAN));
    set(object, "se_ns", figure_json(stats, PASSTIME_FIGURE_SE));
    set(object, "n_eff", figure_json(stats, PASSTIME_FIGURE_N_EFF));
    set(object, "ci_low_ns", figure_json(stats, PASSTIME_FIGURE_CI_LOW));
    set(object, "ci_high_ns", figure_json(stats, PASSTIME_FIGURE_CI_HIGH));
    set(object, "below_ns", figure_json(stats, PASSTIME_FIGURE_BELOW));
    set(object, "frames_for_10_percent", frames_wanted_json(stats));
    set(object, "min_ns", figure_json(stats, PASSTIME_FIGURE_MIN));
    set(object, "max_ns", figure_json(stats, PASSTIME_FIGURE_MAX));
    set(object, "p50_ns", figure_json(stats, PASSTIME_FIGURE_P50));
    set(object, "p95_ns", figure_json(stats, PASSTIME_FIGURE_P95));
    set(object, "p99_ns", figure_json(stats, PASSTIME_FIGURE_P99));
    set(object, "total_ns", count_or_null(stats->total_ns, any));
    set(object, "quantum_ns", count_or_null(stats->quantum_ns, stats->quantum_ns > 0));
}

static json_t *series_json(const struct passtime_snapshot *snapshot, uint32_t index,
                           const struct passtime_figures *figures)
{
    const passtime_series_info *series = &snapshot->series[index];
    json_t *object = json_object();
    char source[64];
    double share = passtime_share(figures, series);
    passtime_key(source, sizeof source, passtime_source_name(series->source));
    set(object, "name", json_string(series->name));
    set(object, "path", json_string(series->path));
    set(object, "source", json_string(source));
    set(object, "queue", count_json(series->queue));
    set_stats(object, &series->stats);
    set(object, "attributed_ns", share >= 0.0 ? count_json(series->attributed_ns) : NULL);
    set(object, "share", share >= 0.0 ? json_real(share) : NULL);
    set(object, "below_resolution", count_json(series->verdicts[PASSTIME_BELOW_RESOLUTION]));
    set(object, "rejected",
        counts_json(series->verdicts, PASSTIME_LOST_DEVICE, PASSTIME_VERDICT_COUNT, false,
                    verdict_name));
    set(object, "flags", flags_json(series->flags, series->stats.flags));
    if (snapshot->counter_count > 0)
        set(object, "counters", passtime_counters_json(snapshot, index));
    return object;
}

static json_t *all_series_json(const struct passtime_snapshot *snapshot,
                               const struct passtime_figures *figures, passtime_series_kind kind)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < snapshot->series_count; i++) {
        if (snapshot->series[i].kind == kind)
            json_array_append_new(array, series_json(snapshot, i, figures));
    }
    return array;
}

static json_t *notes_json(const struct passtime_report_context *context)
{
    struct passtime_note notes[PASSTIME_NOTES_MAX];
    size_t count = passtime_notes(context, notes);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            array, json_pack("{s:s, s:s}", "code", notes[i].code, "text", notes[i].text));
    return array;
}

/* The tool's own part of the frame; null where it was not measured. */
static json_t *stamp_cost_json(const struct passtime_report_context *context)
{
    const struct passtime_stamp_share share =
        passtime_stamp_share(context->snapshot, context->stamp_cost);
    if (!share.known)
        return NULL;
    json_t *object = json_object();
    set(object, "pair_ns", json_real(context->stamp_cost->ns));
    set(object, "pair_low_ns", json_real(context->stamp_cost->low_ns));
    set(object, "pair_high_ns", json_real(context->stamp_cost->high_ns));
    set(object, "pairs_a_frame", json_real(share.pairs_a_frame));
    set(object, "share", json_real(share.share));
    set(object, "share_low", json_real(share.low));
    set(object, "share_high", json_real(share.high));
    set(object, "short_passes", count_json(share.short_passes));
    return object;
}

static json_t *known_or_null(double value)
{
    return value >= 0.0 ? json_real(value) : NULL;
}

static json_t *one_advice_json(const struct passtime_report_context *context,
                               const struct passtime_advice *advice)
{
    char text[PASSTIME_ADVICE_BYTES];
    json_t *object = json_object();
    json_t *names = json_array();
    for (uint32_t i = advice->first; i <= advice->last; i++) {
        const passtime_series_info *series = &context->snapshot->series[i];
        if (series->kind == PASSTIME_SERIES_PASS &&
            series->stats.count + series->stats.rejected > 0)
            json_array_append_new(names, json_string(series->path));
    }
    passtime_advice_text(context, advice, text);
    set(object, "code", json_string("group"));
    set(object, "text", json_string(text));
    set(object, "short_against", json_string(advice->by_cost ? "stamp_cost" : "quantum"));
    set(object, "limit_ns", json_real(advice->limit_ns));
    set(object, "passes", names);
    set(object, "passes_a_frame", json_real(advice->passes_a_frame));
    set(object, "sum_ns", known_or_null(advice->sum_ns));
    set(object, "frames_for_10_percent_alone", known_or_null(advice->frames_alone));
    set(object, "frames_for_10_percent_grouped", known_or_null(advice->frames_grouped));
    set(object, "saved_ns", known_or_null(advice->saved_ns));
    set(object, "saved_share", known_or_null(advice->saved_share));
    return object;
}

/* What to do for better numbers: passes to be timed as one. */
static json_t *advice_json(const struct passtime_report_context *context)
{
    struct passtime_advice list[PASSTIME_ADVICE_MAX];
    size_t count = passtime_advise(context, list);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, one_advice_json(context, &list[i]));
    return array;
}

json_t *passtime_report_context_json(const struct passtime_report_context *context)
{
    static const char *const origins[] = {"live", "summary", "events"};
    const struct passtime_snapshot *snapshot = context->snapshot;
    struct passtime_figures figures = passtime_figures_of(snapshot);
    json_t *object = json_object();
    set(object, "id", json_string(context->id));
    set(object, "api", text_json(snapshot->adapter.api));
    set(object, "adapter", adapter_json(&snapshot->adapter));
    set(object, "method", json_string(passtime_method(snapshot->clock.source)));
    set(object, "origin", json_string(origins[snapshot->origin]));
    set(object, "warnings", notes_json(context));
    set(object, "clock", clock_json(&snapshot->clock));
    set(object, "frames", frames_json(context, &figures));
    set(object, "wall_ns", count_or_null(context->wall_ns, context->wall_ns > 0));
    set(object, "frame", frame_json(snapshot, &figures));
    set(object, "passes", all_series_json(snapshot, &figures, PASSTIME_SERIES_PASS));
    set(object, "scopes", all_series_json(snapshot, &figures, PASSTIME_SERIES_SCOPE));
    set(object, "stamp_cost", stamp_cost_json(context));
    if (snapshot->counter_count > 0)
        set(object, "counters_cost", passtime_counters_cost_json(context));
    set(object, "advice", advice_json(context));
    set(object, "ledger",
        counts_json(snapshot->ledger.verdicts, 0, PASSTIME_VERDICT_COUNT, true, verdict_name));
    return object;
}

static json_t *document(const char *schema)
{
    json_t *root = json_object();
    set(root, "schema", json_string(schema));
    set(root, "tool",
        json_pack("{s:s, s:s}", "name", "passtime", "version", passtime_version_string()));
    return root;
}

bool passtime_report_dump(FILE *out, json_t *root)
{
    int failed = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(REAL_DIGITS));
    json_decref(root);
    fputc('\n', out);
    return failed == 0 && fflush(out) == 0 && !ferror(out);
}

json_t *passtime_report_document(const struct passtime_report_context *contexts, size_t count)
{
    json_t *root = document("passtime.report/1");
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, passtime_report_context_json(&contexts[i]));
    set(root, "contexts", array);
    return root;
}

bool passtime_report_json(FILE *out, const struct passtime_report_context *contexts, size_t count)
{
    return passtime_report_dump(out, passtime_report_document(contexts, count));
}

static json_t *sample_json(const passtime_sample *sample)
{
    char verdict[64], source[64];
    bool good = passtime_is_good(sample->verdict);
    bool placed = good && !(sample->flags & PASSTIME_FLAG_NO_POSITION);
    json_t *object = json_object();
    passtime_key(verdict, sizeof verdict, passtime_verdict_name(sample->verdict));
    passtime_key(source, sizeof source, passtime_source_name(sample->source));
    set(object, "name", json_string(sample->name));
    set(object, "verdict", json_string(verdict));
    set(object, "source", json_string(source));
    set(object, "begin_ns", count_or_null(sample->begin_ns, placed));
    set(object, "end_ns", count_or_null(sample->end_ns, placed));
    set(object, "duration_ns", count_or_null(sample->duration_ns, good));
    set(object, "exclusive_ns", count_or_null(sample->exclusive_ns, good));
    set(object, "attributed_ns", count_or_null(sample->attributed_ns, good));
    set(object, "parent", count_or_null(sample->parent, sample->parent != PASSTIME_NONE));
    set(object, "scope", count_or_null(sample->scope, sample->scope != PASSTIME_NONE));
    set(object, "queue", count_json(sample->queue));
    set(object, "flags", flags_json(sample->flags, 0));
    return object;
}

static json_t *scope_json(const passtime_scope *scope)
{
    json_t *object = json_object();
    set(object, "name", json_string(scope->name));
    set(object, "parent", count_or_null(scope->parent, scope->parent != PASSTIME_NONE));
    set(object, "complete", json_boolean(scope->complete));
    set(object, "busy_ns", count_json(scope->busy_ns));
    return object;
}

bool passtime_report_tree_json(FILE *out, const passtime_frame *frame, const char *id)
{
    char fate[64];
    json_t *root = document("passtime.frame/1");
    json_t *samples = json_array(), *scopes = json_array();
    bool any = frame->fate == PASSTIME_FRAME_COMPLETE || frame->fate == PASSTIME_FRAME_INCOMPLETE;
    passtime_key(fate, sizeof fate, passtime_fate_name(frame->fate));
    set(root, "id", json_string(id));
    set(root, "number", count_json(frame->number));
    set(root, "fate", json_string(fate));
    set(root, "busy_ns", count_or_null(frame->busy_ns, any));
    set(root, "span_ns", count_or_null(frame->span_ns, any && frame->has_span));
    set(root, "sum_ns", count_or_null(frame->sum_ns, any));
    set(root, "cpu_submit_ns", count_json(frame->cpu_submit_ns));
    set(root, "flags", flags_json(frame->flags, 0));
    for (uint32_t i = 0; i < frame->scope_count; i++)
        json_array_append_new(scopes, scope_json(&frame->scopes[i]));
    for (uint32_t i = 0; i < frame->sample_count; i++)
        json_array_append_new(samples, sample_json(&frame->samples[i]));
    set(root, "scopes", scopes);
    set(root, "samples", samples);
    return passtime_report_dump(out, root);
}
