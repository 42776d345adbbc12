/* SPDX-License-Identifier: MIT */
/* The grid of a table: chooses the unit, writes the cells, then lays them out in the width there
 * is. */
#include "sink/report_grid.h"

#include <stdlib.h>
#include <string.h>

#include "sink/report_figures.h"

enum {
    NAME_COLUMNS_MIN = 12,
    NAME_COLUMNS_GOOD = 18,
    NAME_COLUMNS_MAX = 40,
    BAR_COLUMNS_MIN = 4,
    BAR_COLUMNS_MAX = 24
};

/* Widths left and right of the decimal point; a column without any cell is dropped. */
struct column {
    bool shown;
    uint32_t whole, fraction;
};

struct layout {
    struct column columns[PASSTIME_GRID_COLUMNS];
    uint32_t name, count, bar;
    uint32_t gap; /* blanks before a column */
    bool share;
};

static const char *const headers[PASSTIME_GRID_COLUMNS] = {"mean", "s.e.", "p50",
                                                           "p95",  "p99",  "max"};

bool passtime_grid_begin(struct passtime_grid *grid, uint32_t rows)
{
    grid->rows = calloc(rows, sizeof *grid->rows);
    grid->count = 0;
    grid->room = rows;
    grid->unit_ns = 1e6;
    return grid->rows != NULL;
}

struct passtime_grid_row *passtime_grid_add(struct passtime_grid *grid, const char *name)
{
    struct passtime_grid_row *row = &grid->rows[grid->count++];
    row->name = name;
    row->share = -1.0;
    return row;
}

void passtime_grid_finish(struct passtime_grid *grid)
{
    free(grid->rows);
    grid->rows = NULL;
}

static bool mean_of(const struct passtime_grid_row *row, double *mean)
{
    *mean = row->mean_ns;
    return row->stats == NULL || passtime_figure(row->stats, PASSTIME_FIGURE_MEAN, mean);
}

/* One unit for the whole grid, so that a longer number is a longer time: milliseconds, unless that
 * would leave nothing of the shortest pass or all is shorter than one. */
static void choose_unit(struct passtime_grid *grid)
{
    double longest = 0.0, shortest = 1e300;
    for (uint32_t i = 0; i < grid->count; i++) {
        double mean, max;
        if (grid->rows[i].stats &&
            passtime_figure(grid->rows[i].stats, PASSTIME_FIGURE_MAX, &max) && max > longest)
            longest = max;
        if (!mean_of(&grid->rows[i], &mean))
            continue;
        if (mean > longest)
            longest = mean;
        if (grid->rows[i].stats && mean > 0.0 && mean < shortest)
            shortest = mean;
    }
    grid->unit_ns = longest < 1e6 || (shortest < 1e4 && longest < 1e8) ? 1e3 : 1e6;
}

static int decimals_most(const struct passtime_grid *grid)
{
    return grid->unit_ns < 1e6 ? 3 : 5;
}

static void write_number(char *cell, size_t bytes, double value, int decimals)
{
    snprintf(cell, bytes, "%.*f", decimals, value);
}

/* Digits after the point that the error justifies: one that counts, two where the first is a 1. */
static int error_decimals(double error, int most)
{
    int decimals = 0;
    for (; error < 0.95 && decimals < most; error *= 10.0)
        decimals++;
    return error < 1.95 && decimals < most ? decimals + 1 : decimals;
}

static void write_mean(struct passtime_grid *grid, struct passtime_grid_row *row)
{
    char *mean_cell = row->cells[PASSTIME_GRID_MEAN];
    char *error_cell = row->cells[PASSTIME_GRID_ERROR];
    size_t bytes = sizeof row->cells[0];
    int most = decimals_most(grid);
    double mean, error, below;
    if (!mean_of(row, &mean)) {
        if (passtime_figure(row->stats, PASSTIME_FIGURE_BELOW, &below)) {
            below /= grid->unit_ns;
            snprintf(mean_cell, bytes, "< %.*f", passtime_decimals(below, most), below);
        }
        return;
    }
    mean /= grid->unit_ns;
    int decimals = passtime_decimals(mean, most);
    if (row->stats && passtime_figure(row->stats, PASSTIME_FIGURE_SE, &error)) {
        error /= grid->unit_ns;
        int wanted = error_decimals(error, most);
        /* An error far below the fourth digit does not make the mean longer than six digits. */
        decimals = wanted < decimals + 2 ? wanted : decimals + 2;
        double step = 1.0;
        for (int i = 0; i < decimals; i++)
            step /= 10.0;
        /* Never rounded down to nothing. */
        write_number(error_cell, bytes, error > 0.0 && error < step ? step : error, decimals);
    }
    write_number(mean_cell, bytes, mean, decimals);
}

static void write_cells(struct passtime_grid *grid, struct passtime_grid_row *row)
{
    static const enum passtime_figure figures[PASSTIME_GRID_COLUMNS] = {
        [PASSTIME_GRID_P50] = PASSTIME_FIGURE_P50,
        [PASSTIME_GRID_P95] = PASSTIME_FIGURE_P95,
        [PASSTIME_GRID_P99] = PASSTIME_FIGURE_P99,
        [PASSTIME_GRID_MAX] = PASSTIME_FIGURE_MAX,
    };
    write_mean(grid, row);
    if (!row->stats)
        return;
    for (int column = PASSTIME_GRID_P50; column < PASSTIME_GRID_COLUMNS; column++) {
        double value;
        if (!passtime_figure(row->stats, figures[column], &value))
            continue;
        value /= grid->unit_ns;
        write_number(row->cells[column], sizeof row->cells[column], value,
                     passtime_decimals(value, decimals_most(grid)));
    }
}

static uint32_t whole_columns(const char *cell)
{
    return (uint32_t)strcspn(cell, ".");
}

static void measure_column(const struct passtime_grid *grid, struct column *column, int index)
{
    for (uint32_t i = 0; i < grid->count; i++) {
        const char *cell = grid->rows[i].cells[index];
        uint32_t whole = whole_columns(cell), all = (uint32_t)strlen(cell);
        if (all == 0)
            continue;
        column->shown = true;
        if (whole > column->whole)
            column->whole = whole;
        if (all - whole > column->fraction)
            column->fraction = all - whole;
    }
    if (column->shown) {
        uint32_t header = (uint32_t)strlen(headers[index]);
        if (column->whole + column->fraction < header)
            column->whole = header - column->fraction;
    }
}

static uint32_t digits(uint64_t value)
{
    uint32_t count = 1;
    for (; value >= 10; value /= 10)
        count++;
    return count;
}

static void measure_names(const struct passtime_grid *grid, struct layout *layout, bool unicode)
{
    layout->name = NAME_COLUMNS_MIN;
    layout->count = 1;
    for (uint32_t i = 0; i < grid->count; i++) {
        const struct passtime_grid_row *row = &grid->rows[i];
        uint32_t name = 2 * row->depth + passtime_text_columns(row->name, unicode);
        if (row->suffix)
            name += 3 + passtime_text_columns(row->suffix, unicode);
        if (name > layout->name)
            layout->name = name;
        if (row->stats && digits(row->stats->count) > layout->count)
            layout->count = digits(row->stats->count);
        if (row->share >= 0.0)
            layout->share = true;
    }
    if (layout->name > NAME_COLUMNS_MAX)
        layout->name = NAME_COLUMNS_MAX;
}

/* The error stands one blank from its mean, behind a sign of one or two columns. */
static uint32_t gap_before(const struct layout *layout, int column)
{
    return column == PASSTIME_GRID_ERROR ? 3 : layout->gap;
}

static uint32_t total_columns(const struct layout *layout)
{
    uint32_t total = layout->name + layout->gap + layout->count;
    for (int i = 0; i < PASSTIME_GRID_COLUMNS; i++) {
        if (layout->columns[i].shown)
            total += gap_before(layout, i) + layout->columns[i].whole + layout->columns[i].fraction;
    }
    return total + (layout->share ? 8 : 0);
}

static void shorten_names(struct layout *layout, uint32_t width, uint32_t least)
{
    while (total_columns(layout) > width && layout->name > least)
        layout->name--;
}

/* Blanks give way first, then long names, then the 95th percentile; the rest goes to the bars. */
static void lay_out(const struct passtime_grid *grid, struct layout *layout,
                    const struct passtime_report_style *style)
{
    uint32_t width = style->width_columns;
    layout->gap = 2;
    measure_names(grid, layout, style->unicode);
    for (int i = 0; i < PASSTIME_GRID_COLUMNS; i++)
        measure_column(grid, &layout->columns[i], i);
    if (total_columns(layout) > width)
        layout->gap = 1;
    shorten_names(layout, width, NAME_COLUMNS_GOOD);
    if (total_columns(layout) > width)
        layout->columns[PASSTIME_GRID_P95].shown = false;
    shorten_names(layout, width, NAME_COLUMNS_MIN);
    uint32_t total = total_columns(layout) + 1;
    if (layout->share && total + BAR_COLUMNS_MIN <= width)
        layout->bar = width - total < BAR_COLUMNS_MAX ? width - total : BAR_COLUMNS_MAX;
}

static void print_right(struct passtime_line *line, const char *text, uint32_t end)
{
    uint32_t columns = passtime_text_columns(text, line->style->unicode);
    passtime_line_pad(line, end > columns ? end - columns : 0);
    passtime_line_text(line, text);
}

static void print_sign(struct passtime_line *line, uint32_t error_column)
{
    passtime_line_pad(line, error_column - 2);
    passtime_line_sign(line, PASSTIME_SIGN_PLUS_MINUS);
}

static void print_header(const struct passtime_grid *grid, const struct layout *layout,
                         struct passtime_line *line, FILE *out)
{
    const char *unit = passtime_sign_text(PASSTIME_SIGN_MICROSECONDS, line->style->unicode);
    passtime_line_colour(line, PASSTIME_COLOUR_BOLD);
    passtime_line_printf(line, "%s", grid->unit_ns < 1e6 ? unit : "ms");
    uint32_t at = layout->name + layout->gap + layout->count;
    print_right(line, "n", at);
    for (int i = 0; i < PASSTIME_GRID_COLUMNS; i++) {
        const struct column *column = &layout->columns[i];
        if (!column->shown)
            continue;
        at += gap_before(layout, i);
        if (i == PASSTIME_GRID_ERROR)
            print_sign(line, at);
        at += column->whole + column->fraction;
        print_right(line, headers[i], at);
    }
    if (layout->share)
        print_right(line, "share", at + 8);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_end(line, out);
}

static void print_cell(const struct passtime_grid_row *row, int index, const struct column *column,
                       struct passtime_line *line, uint32_t *at)
{
    const char *cell = row->cells[index];
    bool absent = cell[0] == '\0';
    if (index == PASSTIME_GRID_ERROR && !absent)
        print_sign(line, *at);
    uint32_t whole = absent ? 1 : whole_columns(cell);
    uint32_t end = *at + column->whole + column->fraction;
    passtime_line_pad(line, *at + (column->whole > whole ? column->whole - whole : 0));
    if (!absent)
        passtime_line_text(line, cell);
    else if (row->stats && index != PASSTIME_GRID_ERROR)
        passtime_line_sign(line, PASSTIME_SIGN_DASH);
    *at = end;
}

static void print_name(const struct passtime_grid_row *row, const struct layout *layout,
                       struct passtime_line *line)
{
    uint32_t suffix =
        row->suffix ? passtime_text_columns(row->suffix, line->style->unicode) + 3 : 0;
    passtime_line_pad(line, 2 * row->depth < layout->name / 2 ? 2 * row->depth : layout->name / 2);
    uint32_t room = layout->name - line->columns;
    passtime_line_colour(line, row->scope ? PASSTIME_COLOUR_BOLD : PASSTIME_COLOUR_NONE);
    passtime_line_cut(line, row->name, room > suffix + 4 ? room - suffix : room);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    if (row->suffix && room > suffix + 4) {
        passtime_line_colour(line, PASSTIME_COLOUR_DIM);
        passtime_line_printf(line, " [%s]", row->suffix);
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    }
}

static void print_share(const struct passtime_grid_row *row, const struct layout *layout,
                        struct passtime_line *line, uint32_t end)
{
    char share[16];
    snprintf(share, sizeof share, "%.1f %%", 100.0 * row->share);
    if (row->share > 0.0 && row->share < 0.0005)
        snprintf(share, sizeof share, "<0.1 %%");
    print_right(line, share, end);
    if (layout->bar == 0)
        return;
    passtime_line_pad(line, line->columns + 1);
    passtime_line_colour(line, row->colour);
    passtime_line_bar(line, row->share, layout->bar);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
}

static void print_row(const struct passtime_grid_row *row, const struct layout *layout,
                      struct passtime_line *line, FILE *out)
{
    uint32_t at = layout->name + layout->gap + layout->count;
    print_name(row, layout, line);
    if (row->stats) {
        char count[24];
        snprintf(count, sizeof count, "%llu", (unsigned long long)row->stats->count);
        print_right(line, count, at);
    }
    for (int i = 0; i < PASSTIME_GRID_COLUMNS; i++) {
        if (!layout->columns[i].shown)
            continue;
        at += gap_before(layout, i);
        print_cell(row, i, &layout->columns[i], line, &at);
    }
    if (row->share >= 0.0)
        print_share(row, layout, line, at + 8);
    passtime_line_end(line, out);
}

static void print_rule(const struct layout *layout, struct passtime_line *line, FILE *out)
{
    uint32_t total = total_columns(layout);
    passtime_line_colour(line, PASSTIME_COLOUR_DIM);
    while (line->columns < total)
        passtime_line_sign(line, PASSTIME_SIGN_RULE);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_end(line, out);
}

void passtime_grid_print(struct passtime_grid *grid, struct passtime_line *line, FILE *out)
{
    struct layout layout = {0};
    choose_unit(grid);
    for (uint32_t i = 0; i < grid->count; i++)
        write_cells(grid, &grid->rows[i]);
    lay_out(grid, &layout, line->style);
    print_header(grid, &layout, line, out);
    for (uint32_t i = 0; i < grid->count; i++) {
        const struct passtime_grid_row *row = &grid->rows[i];
        if (row->rule_above)
            print_rule(&layout, line, out);
        print_row(row, &layout, line, out);
        if (row->detail[0] == '\0')
            continue;
        passtime_line_pad(line, 2 * row->depth + 2);
        passtime_line_colour(line, PASSTIME_COLOUR_YELLOW);
        passtime_line_sign(line, PASSTIME_SIGN_LAST_BRANCH);
        passtime_line_wrapped(line, out, row->detail, 2 * row->depth + 5);
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
        passtime_line_end(line, out);
    }
}
