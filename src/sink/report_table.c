/* SPDX-License-Identifier: MIT */
/* The report for people: what measured, what to doubt, the passes, the frame, the budget, the
 * ledger. */
#include "sink/report.h"

#include <stdlib.h>
#include <string.h>

#include "sink/report_advice.h"
#include "sink/report_counters.h"
#include "sink/report_figures.h"
#include "sink/report_grid.h"
#include "sink/report_line.h"

enum { TOTAL_ROWS = 5, WIDTH_MIN = 72 };

static unsigned long long number(uint64_t value)
{
    return (unsigned long long)value;
}

/* Adds one more item to a line of items with dots between; on a new line where this one is full. */
static void item(struct passtime_line *line, FILE *out, const char *text)
{
    bool unicode = line->style->unicode;
    if (!text || !text[0])
        return;
    if (line->columns > 0) {
        uint32_t columns = passtime_text_columns(text, unicode);
        if (line->columns + 3 + columns > line->style->width_columns) {
            passtime_line_end(line, out);
            passtime_line_text(line, "  ");
        } else {
            passtime_line_text(line, " ");
            passtime_line_sign(line, PASSTIME_SIGN_DOT);
            passtime_line_text(line, " ");
        }
    }
    passtime_line_text(line, text);
}

static void print_adapter(const struct passtime_report_context *context, struct passtime_line *line,
                          FILE *out)
{
    const passtime_adapter_info *adapter = &context->snapshot->adapter;
    bool known = adapter->name && adapter->name[0];
    passtime_line_colour(line, PASSTIME_COLOUR_BOLD);
    item(line, out, known ? adapter->name : "adapter not known");
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    item(line, out, adapter->driver);
    item(line, out, adapter->kind);
    item(line, out, adapter->api);
    passtime_line_end(line, out);
}

static void print_clock(const struct passtime_snapshot *snapshot, struct passtime_line *line,
                        FILE *out)
{
    static const char *const sources[PASSTIME_SOURCE_COUNT] = {
        "GPU timestamps", "GPU elapsed queries", "the CPU's clock", "the CPU's clock"};
    const passtime_clock_info *clock = &snapshot->clock;
    char text[64];
    passtime_line_printf(line, "measured by %s", sources[clock->source]);
    if (passtime_is_gpu_time(clock->source)) {
        snprintf(text, sizeof text, "tick %.6g ns", clock->tick_ns);
        item(line, out, clock->tick_ns > 0.0 ? text : "tick not known");
        snprintf(text, sizeof text, "quantum %llu ns", number(clock->quantum_ns));
        item(line, out, clock->quantum_ns > 0 ? text : "quantum not known yet");
    }
    passtime_line_end(line, out);
}

static void print_frames(const struct passtime_report_context *context,
                         const struct passtime_figures *figures, struct passtime_line *line,
                         FILE *out)
{
    uint64_t frames = context->snapshot->ledger.frames_seen;
    char text[96];
    snprintf(text, sizeof text, "%llu frames: %llu timed, %llu skipped", number(frames),
             number(figures->timed), number(figures->skipped));
    item(line, out, text);
    if (context->warmup_frames > 0) {
        snprintf(text, sizeof text, "%llu more to warm up, not counted",
                 number(context->warmup_frames));
        item(line, out, text);
    }
    if (context->wall_ns > 0 && frames > 0) {
        double wall_ns = (double)context->wall_ns / (double)frames;
        snprintf(text, sizeof text, "%.4g ms a frame on the wall (%.3g fps)", wall_ns / 1e6,
                 1e9 / wall_ns);
        item(line, out, text);
    }
    passtime_line_end(line, out);
}

static void print_notes(const struct passtime_report_context *context, struct passtime_line *line,
                        FILE *out)
{
    struct passtime_note notes[PASSTIME_NOTES_MAX];
    size_t count = passtime_notes(context, notes);
    for (size_t i = 0; i < count; i++) {
        passtime_line_colour(line, PASSTIME_COLOUR_YELLOW);
        passtime_line_text(line, "! ");
        passtime_line_wrapped(line, out, notes[i].text, 2);
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
        passtime_line_end(line, out);
    }
}

/* Appends to a text of fixed size, with ", " before all but the first. */
static void join(char *text, size_t bytes, const char *item)
{
    size_t length = strlen(text);
    if (length < bytes)
        snprintf(text + length, bytes - length, "%s%s", length > 0 ? ", " : "", item);
}

/* "3 stale, 1 backward": verdicts other than good, then marks. */
static void describe_series(const passtime_series_info *series, char *text, size_t bytes)
{
    char item[64];
    text[0] = '\0';
    for (int verdict = PASSTIME_BELOW_RESOLUTION; verdict < PASSTIME_VERDICT_COUNT; verdict++) {
        if (series->verdicts[verdict] == 0)
            continue;
        snprintf(item, sizeof item, "%llu %s", number(series->verdicts[verdict]),
                 passtime_verdict_name((passtime_verdict)verdict));
        join(text, bytes, item);
    }
    if (series->flags & PASSTIME_FLAG_OVERLAPS)
        join(text, bytes, "overlaps others: its own time includes waiting");
    if (series->flags & PASSTIME_FLAG_IMPLIED_END)
        join(text, bytes, "ended by the next call");
}

/* Where no standard error can be had, the interval of the mean. */
static void describe_interval(const passtime_stats *stats, char *text, size_t bytes)
{
    double low, high, error;
    char item[96];
    if (passtime_figure(stats, PASSTIME_FIGURE_SE, &error) ||
        !passtime_figure(stats, PASSTIME_FIGURE_CI_LOW, &low) ||
        !passtime_figure(stats, PASSTIME_FIGURE_CI_HIGH, &high))
        return;
    snprintf(item, sizeof item, "mean within %.0f to %.0f ns (95 %%)", low, high);
    join(text, bytes, item);
}

static void describe_frames_wanted(const passtime_stats *stats, char *text, size_t bytes)
{
    char item[96];
    if (!(stats->flags & PASSTIME_STATS_QUANTIZED) || stats->frames_for_10_percent == 0)
        return;
    if (stats->flags & PASSTIME_STATS_LOCKED) {
        join(text, bytes, "more samples make it no surer: frames are locked to the clock's steps");
        return;
    }
    snprintf(item, sizeof item, "%u more samples for a mean within 10 %%",
             stats->frames_for_10_percent);
    join(text, bytes, item);
}

static bool add_passes(struct passtime_grid *grid, const struct passtime_snapshot *snapshot,
                       const struct passtime_figures *figures)
{
    uint32_t count, colour = 0;
    struct passtime_row *rows = passtime_rows(snapshot, &count);
    if (!rows && snapshot->series_count > 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const passtime_series_info *series = &snapshot->series[rows[i].series];
        /* Known by name only: statistics were reset since. */
        if (series->stats.count == 0 && series->stats.rejected == 0)
            continue;
        struct passtime_grid_row *row = passtime_grid_add(grid, series->name);
        row->stats = &series->stats;
        row->depth = rows[i].depth;
        row->scope = series->kind == PASSTIME_SERIES_SCOPE;
        row->share = passtime_share(figures, series);
        if (!row->scope)
            row->colour = PASSTIME_COLOUR_SERIES + colour++;
        if (series->source != snapshot->clock.source)
            row->suffix = passtime_source_name(series->source);
        describe_series(series, row->detail, sizeof row->detail);
        describe_interval(&series->stats, row->detail, sizeof row->detail);
        describe_frames_wanted(&series->stats, row->detail, sizeof row->detail);
    }
    free(rows);
    return true;
}

static const char *total_name(passtime_source source, int total)
{
    static const char *const gpu[] = {"frame busy", "frame span", "pass sum", "CPU submit"};
    static const char *const elapsed[] = {"serial sum", "frame span", "pass sum", "CPU submit"};
    static const char *const cpu[] = {"in passes", "first to last", "pass sum", "CPU submit"};
    if (source == PASSTIME_GPU_STAMPS)
        return gpu[total];
    return source == PASSTIME_GPU_ELAPSED ? elapsed[total] : cpu[total];
}

static void add_totals(struct passtime_grid *grid, const struct passtime_snapshot *snapshot)
{
    double busy, span;
    bool rule = true;
    for (int total = 0; total < PASSTIME_TOTAL_COUNT; total++) {
        if (snapshot->totals[total].count == 0)
            continue;
        struct passtime_grid_row *row =
            passtime_grid_add(grid, total_name(snapshot->clock.source, total));
        row->stats = &snapshot->totals[total];
        row->rule_above = rule && grid->count > 1;
        rule = false;
        if (total != PASSTIME_TOTAL_SPAN)
            continue;
        if (passtime_figure(&snapshot->totals[PASSTIME_TOTAL_BUSY], PASSTIME_FIGURE_MEAN, &busy) &&
            passtime_figure(row->stats, PASSTIME_FIGURE_MEAN, &span)) {
            struct passtime_grid_row *gaps = passtime_grid_add(grid, "  gaps");
            gaps->mean_ns = span > busy ? span - busy : 0.0;
        }
    }
}

static bool print_grid(const struct passtime_snapshot *snapshot,
                       const struct passtime_figures *figures, struct passtime_line *line,
                       FILE *out)
{
    struct passtime_grid grid;
    if (!passtime_grid_begin(&grid, snapshot->series_count + TOTAL_ROWS))
        return false;
    bool done = add_passes(&grid, snapshot, figures);
    if (done) {
        add_totals(&grid, snapshot);
        if (grid.count > 0)
            passtime_grid_print(&grid, line, out);
    }
    passtime_grid_finish(&grid);
    return done;
}

static void footnote(struct passtime_line *line, FILE *out, const char *text)
{
    passtime_line_colour(line, PASSTIME_COLOUR_DIM);
    passtime_line_text(line, text);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_end(line, out);
}

/* Why figures are missing where nothing is wrong. */
static void print_footnotes(const struct passtime_snapshot *snapshot, struct passtime_line *line,
                            FILE *out)
{
    bool few = false, unsteady = false;
    for (uint32_t i = 0; i < snapshot->series_count; i++) {
        const passtime_stats *stats = &snapshot->series[i].stats;
        if (stats->count == 0 || (stats->flags & PASSTIME_STATS_QUANTIZED))
            continue;
        if (stats->count < 100 && !(stats->flags & PASSTIME_STATS_HAS_P99))
            few = true;
        if (!(stats->flags & PASSTIME_STATS_HAS_SE))
            unsteady = true;
    }
    if (few)
        footnote(line, out, "no p99: it needs a hundred samples");
    if (unsteady)
        footnote(line, out, "no s.e.: too few samples for the way they drift");
}

static void print_advice(const struct passtime_report_context *context, struct passtime_line *line,
                         FILE *out)
{
    struct passtime_advice list[PASSTIME_ADVICE_MAX];
    char text[PASSTIME_ADVICE_BYTES];
    size_t count = passtime_advise(context, list);
    for (size_t i = 0; i < count; i++) {
        passtime_advice_text(context, &list[i], text);
        passtime_line_text(line, "group: ");
        passtime_line_wrapped(line, out, text, 2);
        passtime_line_end(line, out);
    }
}

static void print_budget(const struct passtime_snapshot *snapshot,
                         const struct passtime_figures *figures, struct passtime_line *line,
                         FILE *out)
{
    const passtime_ledger *ledger = &snapshot->ledger;
    uint64_t over = ledger->frames_over_budget;
    uint64_t complete = ledger->fates[PASSTIME_FRAME_COMPLETE];
    if (figures->budget == PASSTIME_BUDGET_NONE)
        return;
    passtime_line_printf(line, "budget %.4g ms: ", (double)snapshot->budget_ns / 1e6);
    if (figures->budget == PASSTIME_BUDGET_UNKNOWN) {
        bool none = over == 0 && ledger->frames_within_budget == 0;
        passtime_line_text(line, !figures->gpu_time ? "not decided: no GPU time"
                                 : none && complete > 0
                                     ? "not decided: no frame is complete since it was set"
                                 : none ? "not decided: no frame is complete"
                                        : "not decided: its times are doubtful");
    } else {
        bool kept = figures->budget == PASSTIME_BUDGET_KEPT;
        passtime_line_colour(line, kept ? PASSTIME_COLOUR_GREEN : PASSTIME_COLOUR_RED);
        passtime_line_text(line, kept ? "kept" : "missed");
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
        passtime_line_printf(line, ", %llu of %llu timed frames over it", number(over),
                             number(figures->held));
    }
    if (figures->bound != PASSTIME_BOUND_UNKNOWN)
        item(line, out,
             figures->bound == PASSTIME_BOUND_GPU ? "bound by the GPU" : "bound by the CPU");
    passtime_line_end(line, out);
}

/* One line of the ledger: a heading, then the counts that are not 0. */
struct ledger_line {
    struct passtime_line *line;
    FILE *out;
    uint32_t items;
};

static void ledger_item(struct ledger_line *ledger, uint64_t count, const char *name)
{
    char text[96];
    if (count == 0)
        return;
    snprintf(text, sizeof text, "%s%llu %s", ledger->items > 0 ? ", " : "", number(count), name);
    uint32_t columns = passtime_text_columns(text, true);
    if (ledger->line->columns + columns > ledger->line->style->width_columns) {
        passtime_line_text(ledger->line, ledger->items > 0 ? "," : "");
        passtime_line_end(ledger->line, ledger->out);
        passtime_line_pad(ledger->line, 8);
        passtime_line_text(ledger->line, text + (ledger->items > 0 ? 2 : 0));
    } else {
        passtime_line_text(ledger->line, text);
    }
    ledger->items++;
}

static void ledger_end(struct ledger_line *ledger)
{
    if (ledger->items > 0)
        passtime_line_end(ledger->line, ledger->out);
    else
        passtime_line_begin(ledger->line, ledger->line->style);
    ledger->items = 0;
}

static void print_ledger(const passtime_ledger *ledger, struct passtime_line *line, FILE *out)
{
    struct ledger_line list = {.line = line, .out = out};
    passtime_line_text(line, "frames  ");
    for (int fate = 0; fate < PASSTIME_FATE_COUNT; fate++)
        ledger_item(&list, ledger->fates[fate], passtime_fate_name((passtime_fate)fate));
    ledger_item(&list, ledger->frames_in_flight, "in flight");
    ledger_end(&list);
    passtime_line_text(line, "passes  ");
    for (int verdict = 0; verdict < PASSTIME_VERDICT_COUNT; verdict++)
        ledger_item(&list, ledger->verdicts[verdict],
                    passtime_verdict_name((passtime_verdict)verdict));
    ledger_item(&list, ledger->passes_in_flight, "in flight");
    ledger_end(&list);
    passtime_line_text(line, "also    ");
    ledger_item(&list, ledger->frames_not_taken, "frames judged and never taken");
    ledger_item(&list, ledger->samples_in_other, "samples under (other)");
    ledger_item(&list, ledger->entries_quarantined, "ring entries quarantined");
    ledger_item(&list, ledger->orphan_ends, "ends without begin");
    ledger_item(&list, ledger->misuses, "calls refused");
    ledger_item(&list, ledger->unpumped, "results overdue without events");
    ledger_end(&list);
}

static bool print_context(const struct passtime_report_context *context,
                          const struct passtime_report_style *style, FILE *out)
{
    const struct passtime_snapshot *snapshot = context->snapshot;
    struct passtime_figures figures = passtime_figures_of(snapshot);
    struct passtime_line line;
    passtime_line_begin(&line, style);
    print_adapter(context, &line, out);
    print_clock(snapshot, &line, out);
    print_frames(context, &figures, &line, out);
    print_notes(context, &line, out);
    fputc('\n', out);
    bool done = print_grid(snapshot, &figures, &line, out);
    print_budget(snapshot, &figures, &line, out);
    print_footnotes(snapshot, &line, out);
    passtime_counters_table(context, &line, out);
    print_advice(context, &line, out);
    if (snapshot->series_count > 0)
        fputc('\n', out);
    print_ledger(&snapshot->ledger, &line, out);
    return done;
}

bool passtime_report_table(FILE *out, const struct passtime_report_context *contexts, size_t count,
                           const struct passtime_report_style *style)
{
    bool done = true;
    struct passtime_report_style clamped = *style;
    if (clamped.width_columns < WIDTH_MIN)
        clamped.width_columns = WIDTH_MIN;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc('\n', out);
        if (count > 1) {
            struct passtime_line line;
            passtime_line_begin(&line, &clamped);
            passtime_line_text(&line, "== ");
            passtime_line_text(&line, contexts[i].id);
            passtime_line_end(&line, out);
        }
        done = print_context(&contexts[i], &clamped, out) && done;
    }
    return fflush(out) == 0 && !ferror(out) && done;
}
