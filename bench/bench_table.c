/* SPDX-License-Identifier: MIT */
/* The table of results, for people and as JSON. */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

double bench_quantile(struct bench_figures *figures, double part)
{
    qsort(figures->values, figures->count, sizeof figures->values[0], compare);
    double place = part * (figures->count - 1);
    uint32_t below = (uint32_t)place;
    uint32_t above = below + 1 < figures->count ? below + 1 : below;
    double step = figures->values[above] - figures->values[below];
    return figures->values[below] + step * (place - below);
}

bool bench_median_interval(struct bench_figures *figures, double *low, double *high)
{
    double n = figures->count;
    double rank = n / 2 - 1.96 * sqrt(n) / 2; /* of the binomial distribution, as a normal one */
    if (rank < 1) {
        return false;
    }
    (void)bench_quantile(figures, 0); /* sorts them */
    uint32_t at = (uint32_t)rank - 1;
    *low = figures->values[at];
    *high = figures->values[figures->count - 1 - at];
    return true;
}

static struct bench_row *new_row(struct bench_table *table, const char *name, const char *what,
                                 const char *unit)
{
    if (table->row_count == BENCH_ROWS_MAX) {
        fprintf(stderr, "bench: more rows than BENCH_ROWS_MAX\n");
        abort();
    }
    struct bench_row *row = &table->rows[table->row_count++];
    *row = (struct bench_row){.name = name, .what = what, .unit = unit};
    return row;
}

struct bench_row *bench_row_add(struct bench_table *table, const char *name, const char *what,
                                const char *unit, double target,
                                const struct bench_figures *figures)
{
    struct bench_figures sorted = *figures;
    struct bench_row *row = new_row(table, name, what, unit);
    row->known = true;
    row->target = target;
    row->median = bench_quantile(&sorted, 0.5);
    row->least = bench_quantile(&sorted, 0);
    row->most = bench_quantile(&sorted, 1);
    return row;
}

void bench_row_add_number(struct bench_table *table, const char *name, const char *what,
                          const char *unit, double target, double value)
{
    const struct bench_figures one = {1, {value}};
    (void)bench_row_add(table, name, what, unit, target, &one);
}

void bench_row_add_unknown(struct bench_table *table, const char *name, const char *what,
                           const char *unit)
{
    (void)new_row(table, name, what, unit);
}

void bench_note(struct bench_table *table, const char *format, ...)
{
    if (table->note_count == BENCH_NOTES_MAX) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(table->notes[table->note_count++], BENCH_NOTE_BYTES, format, arguments);
    va_end(arguments);
}

/* Numbers with three digits that matter, and whole ones in full. */
static const char *number(double value, char *text, size_t bytes)
{
    int decimals = value == floor(value) || value >= 1000 ? 0
                   : value >= 100                         ? 1
                   : value >= 10                          ? 2
                                                          : 3;
    (void)snprintf(text, bytes, "%.*f", decimals, value);
    return text;
}

static void print_row(const struct bench_row *row)
{
    char median[32];
    char least[32];
    char most[32];
    char target[64] = "";
    if (!row->known) {
        printf("%-58s %12s\n", row->what, "not available here");
        return;
    }
    if (row->target > 0) {
        char limit[32];
        (void)snprintf(target, sizeof target, "  below %s: %s",
                       number(row->target, limit, sizeof limit),
                       row->median < row->target ? "met" : "NOT MET");
    }
    printf("%-58s %10s %10s %10s  %-12s%s\n", row->what, number(row->median, median, sizeof median),
           row->least < row->most ? number(row->least, least, sizeof least) : "",
           row->least < row->most ? number(row->most, most, sizeof most) : "", row->unit, target);
}

static void print_json_row(const struct bench_row *row, bool last)
{
    printf("    {\"name\": \"%s\", \"unit\": \"%s\", ", row->name, row->unit);
    if (row->known) {
        printf("\"median\": %.6g, \"min\": %.6g, \"max\": %.6g, ", row->median, row->least,
               row->most);
    } else {
        printf("\"median\": null, \"min\": null, \"max\": null, ");
    }
    if (row->known && row->target > 0) {
        printf("\"target\": %.6g, \"met\": %s}", row->target,
               row->median < row->target ? "true" : "false");
    } else {
        printf("\"target\": null, \"met\": null}");
    }
    printf("%s\n", last ? "" : ",");
}

static void print_json(const struct bench_table *table)
{
    printf("{\n  \"schema\": \"passtime.bench/1\",\n  \"tool\": {\"version\": \"%s\"},\n  "
           "\"rows\": [\n",
           passtime_version_string());
    for (uint32_t i = 0; i < table->row_count; i++) {
        print_json_row(&table->rows[i], i + 1 == table->row_count);
    }
    printf("  ]\n}\n");
}

void bench_table_print(const struct bench_table *table, bool json)
{
    if (json) {
        print_json(table);
        return;
    }
    printf("%-58s %10s %10s %10s\n", "", "median", "least", "most");
    for (uint32_t i = 0; i < table->row_count; i++) {
        print_row(&table->rows[i]);
    }
    for (uint32_t i = 0; i < table->note_count; i++) {
        printf("%s%s\n", i == 0 ? "\n" : "", table->notes[i]);
    }
}
