/* SPDX-License-Identifier: MIT */
/* The command: runs the parts, prints the table, and says with its exit code whether all held. */
#include "truth.h"

#include <passtime/passtime.h>

#include <math.h>
#include <string.h>

static void print_csv_number(FILE *csv, double value)
{
    if (isnan(value)) {
        fputc(',', csv);
    } else {
        fprintf(csv, ",%.9g", value);
    }
}

static void write_csv(FILE *csv, const struct truth_row *row)
{
    const double figures[] = {row->x, row->truth, row->measured, row->error, row->stated};
    fprintf(csv, "\"%s\",\"%s\",%s", row->part, row->what, row->unit);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        print_csv_number(csv, figures[i]);
    }
    fprintf(csv, ",%u,%u,%u,%s\n", row->runs, row->told, row->covered, row->held ? "yes" : "no");
    fflush(csv);
}

/* Four digits that matter, or a dash. */
static const char *text_of(double value, char text[32])
{
    double size = fabs(value);
    int decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    if (isnan(value)) {
        return "-";
    }
    (void)snprintf(text, 32, "%.*f", decimals, value);
    return text;
}

static void print_heading(struct truth_table *table, const char *part)
{
    if (table->part != NULL && strcmp(table->part, part) == 0) {
        return;
    }
    printf("%s%s\n", table->part != NULL ? "\n" : "", part);
    printf("  %-58s %10s %10s %9s %9s %-7s %6s %9s  held\n", "what", "truth", "measured", "error",
           "stated", "", "told", "in 95 %");
    table->part = part;
}

struct truth_row truth_row(const char *part, const char *unit)
{
    return (struct truth_row){.part = part,
                              .unit = unit,
                              .x = NAN,
                              .truth = NAN,
                              .measured = NAN,
                              .error = NAN,
                              .stated = NAN};
}

void truth_add(struct truth_table *table, const struct truth_row *row)
{
    char texts[4][32];
    char told[16] = "-";
    char covered[16] = "-";
    print_heading(table, row->part);
    if (row->runs > 0) {
        (void)snprintf(told, sizeof told, "%.0f %%", 100.0 * row->told / row->runs);
    }
    if (row->told > 0) {
        (void)snprintf(covered, sizeof covered, "%.1f %%", 100.0 * row->covered / row->told);
    }
    printf("  %-58s %10s %10s %9s %9s %-7s %6s %9s  %s\n", row->what, text_of(row->truth, texts[0]),
           text_of(row->measured, texts[1]), text_of(row->error, texts[2]),
           text_of(row->stated, texts[3]), row->unit, told, covered, row->held ? "yes" : "NO");
    fflush(stdout);
    if (table->csv != NULL) {
        write_csv(table->csv, row);
    }
    table->row_count++;
    table->broken_count += !row->held;
}

void truth_missing(struct truth_table *table, const char *part, const char *why)
{
    print_heading(table, part);
    printf("  not available here: %s\n", why);
    table->missing_count++;
}

void truth_tally_add(struct truth_tally *tally, const passtime_stats *stats, double truth_ns)
{
    tally->runs++;
    if ((stats->flags & PASSTIME_STATS_HAS_CI) != 0) {
        tally->told++;
        tally->covered += stats->ci_low_ns <= truth_ns && truth_ns <= stats->ci_high_ns;
    } else if ((stats->flags & PASSTIME_STATS_HAS_BELOW) != 0) {
        tally->told++;
        tally->covered += truth_ns < stats->below_ns;
    }
    if ((stats->flags & PASSTIME_STATS_HAS_SE) != 0) {
        tally->means++;
        tally->sum += stats->mean_ns;
        tally->sum_truth += truth_ns;
        tally->square_error += (stats->mean_ns - truth_ns) * (stats->mean_ns - truth_ns);
        tally->square_stated += stats->se_ns * stats->se_ns;
    }
}

void truth_tally_close(const struct truth_tally *tally, struct truth_row *row)
{
    row->runs = tally->runs;
    row->told = tally->told;
    row->covered = tally->covered;
    if (tally->means > 0) {
        row->truth = tally->sum_truth / tally->means / 1000;
        row->measured = tally->sum / tally->means / 1000;
        row->error = sqrt(tally->square_error / tally->means) / 1000;
        row->stated = sqrt(tally->square_stated / tally->means) / 1000;
    }
}

bool truth_covers_least(uint32_t covered, uint32_t told)
{
    return told > 0 && covered >= (0.90 - 3 * sqrt(0.90 * 0.10 / told)) * told;
}

bool truth_covers(uint32_t covered, uint32_t told)
{
    return truth_covers_least(covered, told) &&
           covered <= (0.99 + 3 * sqrt(0.99 * 0.01 / told)) * told;
}

static int usage(FILE *to)
{
    fputs("usage: passtime_truth [--short] [--no-gpu] [--csv FILE]\n"
          "Holds Passtime's figures against what is known to be true. Exit code 1: some did not "
          "hold.\n",
          to);
    return to == stdout ? 0 : 2;
}

static bool open_csv(struct truth_table *table, const char *path)
{
    table->csv = fopen(path, "w");
    if (table->csv == NULL) {
        fprintf(stderr, "passtime_truth: cannot write '%s'\n", path);
        return false;
    }
    fputs("part,what,unit,x,truth,measured,error,stated,runs,told,covered,held\n", table->csv);
    return true;
}

static int close_table(struct truth_table *table)
{
    bool written = true;
    if (table->csv != NULL) {
        written = ferror(table->csv) == 0;
        written = fclose(table->csv) == 0 && written;
    }
    printf("\n%u rows, %u did not hold", table->row_count, table->broken_count);
    if (table->missing_count > 0) {
        printf("; %u part%s not available here", table->missing_count,
               table->missing_count == 1 ? "" : "s");
    }
    printf("\n");
    if (!written) {
        fprintf(stderr, "passtime_truth: the CSV file could not be written\n");
    }
    return written && table->broken_count == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct truth_table table = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--short") == 0) {
            table.brief = true;
        } else if (strcmp(argv[i], "--no-gpu") == 0) {
            table.no_gpu = true;
        } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc && table.csv == NULL) {
            if (!open_csv(&table, argv[++i])) {
                return 1;
            }
        } else {
            return usage(strcmp(argv[i], "--help") == 0 ? stdout : stderr);
        }
    }
    truth_simulated(&table);
    truth_phase(&table);
    truth_faults(&table);
    truth_clocks(&table);
    if (!table.no_gpu) {
        truth_webgpu(&table);
        truth_gl(&table);
    }
    return close_table(&table);
}
