/* SPDX-License-Identifier: MIT */
/* Shader counters for people and for programs. */
#include "sink/report_counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sink/report_figures.h"

static const passtime_counter_stats *stats_of(const struct passtime_snapshot *snapshot,
                                              uint32_t series, uint32_t counter)
{
    const passtime_counter_stats *stats =
        &snapshot->counts[(size_t)series * snapshot->counter_count + counter];
    return stats->size != 0 ? stats : NULL;
}

/* For people ----------------------------------------------------------------------------------- */

/* Whole numbers as they are, others with the digits that their error leaves. */
static void mean_text(const passtime_counter_stats *stats, char *text, size_t bytes)
{
    if (!(stats->flags & PASSTIME_STATS_HAS_MEAN))
        snprintf(text, bytes, "-");
    else if (stats->min == stats->max)
        snprintf(text, bytes, "%" PRIu64, stats->min);
    else
        snprintf(text, bytes, stats->mean < 1e6 ? "%.7g" : "%.0f", stats->mean);
}

static void count_text(uint64_t value, bool known, char *text, size_t bytes)
{
    if (known)
        snprintf(text, bytes, "%" PRIu64, value);
    else
        snprintf(text, bytes, "-");
}

static void se_text(const passtime_counter_stats *stats, char *text, size_t bytes)
{
    if (stats->flags & PASSTIME_STATS_HAS_SE)
        snprintf(text, bytes, "%.3g", stats->se);
    else
        snprintf(text, bytes, "-");
}

enum { COLUMNS = 4, NAME_COLUMNS = 24, NUMBER_COLUMNS = 13 };

static void number_column(struct passtime_line *line, uint32_t end, const char *text)
{
    const uint32_t columns = passtime_text_columns(text, false);
    if (end > columns)
        passtime_line_pad(line, end - columns);
    if (line->columns + columns > end)
        passtime_line_text(line, " "); /* wider than its column: still apart from the one before */
    passtime_line_text(line, text);
}

static void print_row(const char *pass, const passtime_counter_info *info,
                      const passtime_counter_stats *stats, struct passtime_line *line, FILE *out)
{
    char texts[COLUMNS][32];
    mean_text(stats, texts[0], sizeof texts[0]);
    se_text(stats, texts[1], sizeof texts[1]);
    count_text(stats->min, stats->flags & PASSTIME_STATS_HAS_MIN, texts[2], sizeof texts[2]);
    count_text(stats->max, stats->flags & PASSTIME_STATS_HAS_MAX, texts[3], sizeof texts[3]);
    passtime_line_cut(line, pass, NAME_COLUMNS - 10);
    passtime_line_pad(line, NAME_COLUMNS - 9);
    passtime_line_cut(line, info->name, NAME_COLUMNS - 9);
    for (uint32_t i = 0; i < COLUMNS; i++)
        number_column(line, 2 * NAME_COLUMNS - 16 + (i + 1) * NUMBER_COLUMNS - (i > 0 ? 4 : 0),
                      texts[i]);
    passtime_line_text(line, " ");
    passtime_line_text(line, info->unit);
    passtime_line_end(line, out);
}

static void print_missing(const passtime_counter_stats *stats, struct passtime_line *line,
                          FILE *out)
{
    if (stats->unproved > 0) {
        passtime_line_printf(line,
                             "  %" PRIu64 " more counted nothing, without proof that they ran",
                             stats->unproved);
        passtime_line_end(line, out);
    }
    if (stats->lost > 0) {
        passtime_line_printf(line, "  counts of %" PRIu64 " more did not come back", stats->lost);
        passtime_line_end(line, out);
    }
}

static void print_head(struct passtime_line *line, FILE *out)
{
    static const char *const heads[COLUMNS] = {"mean", "s.e.", "min", "max"};
    passtime_line_colour(line, PASSTIME_COLOUR_DIM);
    passtime_line_text(line, "counted");
    passtime_line_pad(line, NAME_COLUMNS - 9);
    passtime_line_text(line, "a pass");
    for (uint32_t i = 0; i < COLUMNS; i++)
        number_column(line, 2 * NAME_COLUMNS - 16 + (i + 1) * NUMBER_COLUMNS - (i > 0 ? 4 : 0),
                      heads[i]);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_end(line, out);
}

static void print_series(const struct passtime_snapshot *snapshot, uint32_t series,
                         struct passtime_line *line, FILE *out)
{
    const passtime_counter_stats *last = NULL;
    for (uint32_t i = 0; i < snapshot->counter_count; i++) {
        const passtime_counter_stats *stats = stats_of(snapshot, series, i);
        if (stats)
            print_row(last ? "" : snapshot->series[series].name, &snapshot->counters[i], stats,
                      line, out);
        last = stats ? stats : last;
    }
    if (last)
        print_missing(last, line, out);
}

void passtime_counters_table(const struct passtime_report_context *context,
                             struct passtime_line *line, FILE *out)
{
    uint32_t count = 0;
    const struct passtime_snapshot *snapshot = context->snapshot;
    if (snapshot->counter_count == 0)
        return;
    struct passtime_row *rows = passtime_rows(snapshot, &count);
    fputc('\n', out);
    print_head(line, out);
    for (uint32_t i = 0; rows && i < count; i++)
        print_series(snapshot, rows[i].series, line, out);
    free(rows);
}

/* For programs --------------------------------------------------------------------------------- */

/* Whole numbers go up to here in JSON as it is written here; beyond, they would be rounded. */
static bool is_beyond_json(uint64_t value)
{
    return value > (uint64_t)INT64_MAX;
}

static json_t *number_json(uint64_t value, bool known)
{
    return known && !is_beyond_json(value) ? json_integer((json_int_t)value) : json_null();
}

static json_t *counter_json(const passtime_counter_info *info, const passtime_counter_stats *stats)
{
    const bool mean = stats->flags & PASSTIME_STATS_HAS_MEAN;
    const bool se = stats->flags & PASSTIME_STATS_HAS_SE;
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(info->name));
    json_object_set_new(object, "unit", info->unit[0] ? json_string(info->unit) : json_null());
    json_object_set_new(object, "count", number_json(stats->count, true));
    json_object_set_new(object, "mean", mean ? json_real(stats->mean) : json_null());
    json_object_set_new(object, "se", se ? json_real(stats->se) : json_null());
    json_object_set_new(object, "min",
                        number_json(stats->min, stats->flags & PASSTIME_STATS_HAS_MIN));
    json_object_set_new(object, "max",
                        number_json(stats->max, stats->flags & PASSTIME_STATS_HAS_MAX));
    json_object_set_new(object, "total", number_json(stats->total, mean));
    json_object_set_new(
        object, "beyond_json",
        json_boolean(mean && (is_beyond_json(stats->min) || is_beyond_json(stats->max) ||
                              is_beyond_json(stats->total))));
    json_object_set_new(object, "total_saturated",
                        json_boolean(mean && stats->total == UINT64_MAX));
    json_object_set_new(object, "unproved", number_json(stats->unproved, true));
    json_object_set_new(object, "lost", number_json(stats->lost, true));
    return object;
}

json_t *passtime_counters_json(const struct passtime_snapshot *snapshot, uint32_t series)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < snapshot->counter_count; i++) {
        const passtime_counter_stats *stats = stats_of(snapshot, series, i);
        if (stats)
            json_array_append_new(array, counter_json(&snapshot->counters[i], stats));
    }
    if (json_array_size(array) > 0)
        return array;
    json_decref(array);
    return json_null();
}

static json_t *pass_cost_json(const struct passtime_counters_cost *cost)
{
    const passtime_check_cost *added = &cost->added;
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(cost->pass));
    json_object_set_new(object, "pairs", number_json(added->count, true));
    json_object_set_new(object, "added_ns", added->known ? json_real(added->ns) : json_null());
    json_object_set_new(object, "low_ns", added->known ? json_real(added->low_ns) : json_null());
    json_object_set_new(object, "high_ns", added->known ? json_real(added->high_ns) : json_null());
    json_object_set_new(object, "without_ns",
                        cost->without_ns > 0.0 ? json_real(cost->without_ns) : json_null());
    return object;
}

json_t *passtime_counters_cost_json(const struct passtime_report_context *context)
{
    if (context->counters_cost_count == 0)
        return json_null();
    json_t *array = json_array();
    for (uint32_t i = 0; i < context->counters_cost_count; i++)
        json_array_append_new(array, pass_cost_json(&context->counters_costs[i]));
    return array;
}

/* For spreadsheets ----------------------------------------------------------------------------- */

static bool same(const passtime_counter_info *a, const passtime_counter_info *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0;
}

static bool is_listed(const struct passtime_csv_counters *counters,
                      const passtime_counter_info *info)
{
    bool listed = false;
    for (uint32_t i = 0; i < counters->count; i++)
        listed = listed || same(counters->infos[i], info);
    return listed;
}

void passtime_csv_counters_find(const struct passtime_report_context *contexts, size_t count,
                                struct passtime_csv_counters *counters)
{
    counters->count = 0;
    for (size_t c = 0; c < count; c++) {
        const struct passtime_snapshot *snapshot = contexts[c].snapshot;
        for (uint32_t i = 0; i < snapshot->counter_count; i++) {
            if (counters->count < PASSTIME_CSV_COUNTERS_MAX &&
                snapshot->counters[i].name[0] != '\0' &&
                !is_listed(counters, &snapshot->counters[i]))
                counters->infos[counters->count++] = &snapshot->counters[i];
        }
    }
}

void passtime_csv_counters_head(FILE *out, const struct passtime_csv_counters *counters,
                                void (*put)(FILE *out, const char *text))
{
    static const char *const figures[] = {"count", "mean", "se", "min", "max"};
    for (uint32_t i = 0; i < counters->count; i++) {
        const passtime_counter_info *info = counters->infos[i];
        for (size_t f = 0; f < sizeof figures / sizeof figures[0]; f++) {
            char text[PASSTIME_NAME_BYTES + PASSTIME_COUNTER_UNIT_BYTES + 16];
            snprintf(text, sizeof text, info->unit[0] ? "%s [%s] %s" : "%s%s %s", info->name,
                     info->unit, figures[f]);
            fputc(',', out);
            put(out, text);
        }
    }
}

static void csv_figures(FILE *out, const passtime_counter_stats *stats)
{
    fprintf(out, ",%" PRIu64 ",", stats->count);
    if (stats->flags & PASSTIME_STATS_HAS_MEAN)
        fprintf(out, "%.17g", stats->mean);
    fputc(',', out);
    if (stats->flags & PASSTIME_STATS_HAS_SE)
        fprintf(out, "%.9g", stats->se);
    fputc(',', out);
    if (stats->flags & PASSTIME_STATS_HAS_MIN)
        fprintf(out, "%" PRIu64, stats->min);
    fputc(',', out);
    if (stats->flags & PASSTIME_STATS_HAS_MAX)
        fprintf(out, "%" PRIu64, stats->max);
}

void passtime_csv_counters_row(FILE *out, const struct passtime_csv_counters *counters,
                               const struct passtime_snapshot *snapshot, uint32_t series)
{
    for (uint32_t i = 0; i < counters->count; i++) {
        const passtime_counter_stats *stats = NULL;
        for (uint32_t c = 0; c < snapshot->counter_count && !stats; c++) {
            if (same(&snapshot->counters[c], counters->infos[i]))
                stats = stats_of(snapshot, series, c);
        }
        if (stats)
            csv_figures(out, stats);
        else
            fputs(",,,,,", out);
    }
}
