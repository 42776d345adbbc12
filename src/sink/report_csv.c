/* SPDX-License-Identifier: MIT */
/* The report for spreadsheets: one row a pass or scope, RFC 4180. An empty field is not known. */
#include "sink/report.h"

#include <inttypes.h>
#include <string.h>

#include "sink/report_counters.h"
#include "sink/report_figures.h"

static void put_text(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_key(FILE *out, const char *name)
{
    char key[64];
    passtime_key(key, sizeof key, name);
    put_text(out, key);
}

static void put_figures(FILE *out, const passtime_stats *stats)
{
    static const enum passtime_figure figures[] = {
        PASSTIME_FIGURE_MEAN,  PASSTIME_FIGURE_SE,  PASSTIME_FIGURE_N_EFF,
        PASSTIME_FIGURE_BELOW, PASSTIME_FIGURE_MIN, PASSTIME_FIGURE_P50,
        PASSTIME_FIGURE_P95,   PASSTIME_FIGURE_P99, PASSTIME_FIGURE_MAX,
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        double value;
        fputc(',', out);
        if (!passtime_figure(stats, figures[i], &value))
            continue;
        /* Whole nanoseconds stay whole. */
        fprintf(out, figures[i] >= PASSTIME_FIGURE_MIN ? "%.0f" : "%.9g", value);
    }
}

static void put_flags(FILE *out, const passtime_series_info *series)
{
    uint32_t at = 0;
    const char *name, *separator = "";
    while ((name = passtime_flag_next(series->flags, series->stats.flags, &at)) != NULL) {
        fprintf(out, "%s%s", separator, name);
        separator = " ";
    }
}

static void put_series(FILE *out, const struct passtime_report_context *context, uint32_t index,
                       const struct passtime_figures *figures,
                       const struct passtime_csv_counters *counters)
{
    const passtime_series_info *series = &context->snapshot->series[index];
    const char *adapter = context->snapshot->adapter.name;
    double share = passtime_share(figures, series);
    put_text(out, context->id);
    fputc(',', out);
    put_text(out, adapter ? adapter : "");
    fprintf(out, ",%s,", series->kind == PASSTIME_SERIES_SCOPE ? "scope" : "pass");
    put_text(out, series->path);
    fputc(',', out);
    put_text(out, series->name);
    fputc(',', out);
    put_key(out, passtime_source_name(series->source));
    fprintf(out, ",%" PRIu64 ",%" PRIu64, series->stats.count, series->stats.rejected);
    put_figures(out, &series->stats);
    fputc(',', out);
    if (series->stats.count > 0)
        fprintf(out, "%" PRIu64, series->stats.total_ns);
    fputc(',', out);
    if (share >= 0.0)
        fprintf(out, "%" PRIu64, series->attributed_ns);
    fputc(',', out);
    if (share >= 0.0)
        fprintf(out, "%.6f", share);
    fputc(',', out);
    put_flags(out, series);
    passtime_csv_counters_row(out, counters, context->snapshot, index);
    fputs("\r\n", out);
}

bool passtime_report_csv(FILE *out, const struct passtime_report_context *contexts, size_t count)
{
    struct passtime_csv_counters counters;
    passtime_csv_counters_find(contexts, count, &counters);
    fputs("id,adapter,kind,path,name,source,count,rejected,mean_ns,se_ns,n_eff,below_ns,min_ns,p50_"
          "ns,"
          "p95_ns,p99_ns,max_ns,total_ns,attributed_ns,share,flags",
          out);
    passtime_csv_counters_head(out, &counters, put_text);
    fputs("\r\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct passtime_snapshot *snapshot = contexts[i].snapshot;
        struct passtime_figures figures = passtime_figures_of(snapshot);
        for (uint32_t s = 0; s < snapshot->series_count; s++)
            put_series(out, &contexts[i], s, &figures, &counters);
    }
    return fflush(out) == 0 && !ferror(out);
}
