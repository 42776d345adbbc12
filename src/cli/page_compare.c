/* SPDX-License-Identifier: MIT */
/* Compares runs of a page, pass by pass. */
#include "cli/page_compare.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static struct page_row *row_of(struct page_comparison *c, const char *context, const char *path)
{
    for (uint32_t i = 0; i < c->count; i++) {
        struct page_row *row = &c->rows[i];
        bool same = path && row->path ? strcmp(row->path, path) == 0 : !path && !row->path;
        if (same && strcmp(row->context, context) == 0)
            return row;
    }
    if (c->count == c->room) {
        uint32_t room = c->room > 0 ? 2 * c->room : 32;
        struct page_row *rows = realloc(c->rows, room * sizeof *rows);
        c->no_memory = c->no_memory || !rows;
        if (!rows)
            return NULL;
        c->rows = rows;
        c->room = room;
    }
    struct page_row *row = &c->rows[c->count++];
    memset(row, 0, sizeof *row);
    row->context = context;
    row->path = path;
    return row;
}

/* A mean that is not known is no mean of 0, and has no row. */
static struct page_row *add_mean(struct page_comparison *c, bool is_base, const char *context,
                                 const char *path, const json_t *mean, const json_t *error)
{
    if (!json_is_number(mean))
        return NULL;
    struct page_row *row = row_of(c, context, path);
    if (row)
        passtime_compare_add(is_base ? &row->base : &row->now, json_number_value(mean),
                             json_is_number(error) ? json_number_value(error) : -1.0);
    return row;
}

static bool is_gpu_time(const json_t *pass)
{
    return strncmp(text_of(pass, "source"), "gpu", 3) == 0;
}

static void add_context(struct page_comparison *c, bool is_base, const json_t *context)
{
    const char *id = text_of(context, "id");
    const json_t *busy = json_object_get(json_object_get(context, "frame"), "busy_ns");
    const json_t *passes = json_object_get(context, "passes");
    struct page_row *frame =
        add_mean(c, is_base, id, NULL, json_object_get(busy, "mean"), json_object_get(busy, "se"));
    if (frame)
        frame->serial = strcmp(text_of(context, "method"), "elapsed") == 0;
    for (size_t i = 0; i < json_array_size(passes); i++) {
        const json_t *pass = json_array_get(passes, i);
        if (is_gpu_time(pass))
            add_mean(c, is_base, id, text_of(pass, "path"), json_object_get(pass, "mean_ns"),
                     json_object_get(pass, "se_ns"));
    }
}

static void add_runs(struct page_comparison *c, bool is_base, const json_t *runs)
{
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *contexts = json_object_get(json_array_get(runs, i), "contexts");
        for (size_t k = 0; k < json_array_size(contexts); k++)
            add_context(c, is_base, json_array_get(contexts, k));
    }
}

static void decide(const struct page_comparison *c, struct page_row *row)
{
    struct passtime_difference *d = &row->difference;
    *d = passtime_compare(&row->base, &row->now);
    double allowed_ns = c->fail_above * d->base_ns;
    if (row->base.count == 0)
        row->change = PAGE_CHANGE_ONLY_NEW;
    else if (row->now.count == 0)
        row->change = PAGE_CHANGE_ONLY_BASE;
    else if (!d->known)
        row->change = PAGE_CHANGE_UNKNOWN;
    else if (d->low_ns > 0.0 && d->low_ns > allowed_ns)
        row->change = PAGE_CHANGE_FAILED;
    else if (d->low_ns > 0.0)
        row->change = PAGE_CHANGE_SLOWER;
    else
        row->change = d->high_ns < 0.0 ? PAGE_CHANGE_FASTER : PAGE_CHANGE_NONE;
    row->may_fail = d->known && row->change != PAGE_CHANGE_FAILED && d->high_ns > allowed_ns;
}

static struct page_comparison *make(double fail_above, json_t *base_runs, json_t *new_runs)
{
    struct page_comparison *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->fail_above = fail_above;
    c->base_runs = json_array_size(base_runs);
    c->new_runs = json_array_size(new_runs);
    add_runs(c, false, new_runs);
    add_runs(c, true, base_runs);
    for (uint32_t i = 0; i < c->count; i++)
        decide(c, &c->rows[i]);
    return c;
}

int page_compare(const struct page_job *job, const json_t *bases, const json_t *runs,
                 struct page_comparison **compared)
{
    int exit_code = page_bases_check(job, bases, runs);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    json_t *base_runs = page_runs_of(bases), *new_runs = page_runs_of(runs);
    *compared = make((double)job->values.fail_above / 100.0, base_runs, new_runs);
    json_decref(base_runs);
    json_decref(new_runs);
    if (!*compared || (*compared)->no_memory)
        return cli_fail(&job->cli, EXIT_CODE_USAGE, "no memory for the comparison");
    for (uint32_t i = 0; i < (*compared)->count; i++) {
        if ((*compared)->rows[i].change == PAGE_CHANGE_FAILED)
            exit_code = EXIT_CODE_FAILED;
    }
    return exit_code;
}

void page_comparison_free(struct page_comparison *compared)
{
    if (compared)
        free(compared->rows);
    free(compared);
}

static const char *const change_keys[] = {"same",    "slower",    "faster",  "failed",
                                          "unknown", "only_base", "only_new"};

static json_t *known(bool is_known, double value)
{
    return is_known ? json_real(value) : json_null();
}

static json_t *row_json(const struct page_row *row)
{
    const struct passtime_difference *d = &row->difference;
    json_t *object = json_object();
    json_object_set_new(object, "context", json_string(row->context));
    json_object_set_new(object, "pass", row->path ? json_string(row->path) : json_null());
    json_object_set_new(object, "change", json_string(change_keys[row->change]));
    json_object_set_new(object, "base_runs", json_integer((json_int_t)row->base.count));
    json_object_set_new(object, "new_runs", json_integer((json_int_t)row->now.count));
    json_object_set_new(object, "base_ns",
                        known(row->base.count > 0 && row->now.count > 0, d->base_ns));
    json_object_set_new(object, "new_ns",
                        known(row->base.count > 0 && row->now.count > 0, d->new_ns));
    json_object_set_new(object, "low_ns", known(d->known, d->low_ns));
    json_object_set_new(object, "high_ns", known(d->known, d->high_ns));
    json_object_set_new(object, "spread_known", json_boolean(d->has_spread));
    json_object_set_new(object, "may_fail", json_boolean(row->may_fail));
    return object;
}

json_t *page_comparison_json(const struct page_comparison *compared)
{
    json_t *object = json_object(), *rows = json_array();
    for (uint32_t i = 0; i < compared->count; i++)
        json_array_append_new(rows, row_json(&compared->rows[i]));
    json_object_set_new(object, "base_runs", json_integer((json_int_t)compared->base_runs));
    json_object_set_new(object, "new_runs", json_integer((json_int_t)compared->new_runs));
    json_object_set_new(object, "fail_above", json_real(compared->fail_above));
    json_object_set_new(object, "rows", rows);
    return object;
}

/* As the table calls it. */
static const char *name_of(const struct page_row *row)
{
    if (row->path)
        return row->path;
    return row->serial ? "frame (serial sum)" : "frame (busy)";
}

static void print_percent(struct passtime_line *line, double part)
{
    passtime_line_printf(line, "%+.*f %%", part > -0.0995 && part < 0.0995 ? 1 : 0, 100.0 * part);
}

static void print_row(const struct page_comparison *c, const struct page_row *row,
                      struct passtime_line *line, FILE *out)
{
    static const char *const words[] = {"",
                                        "slower, within what is allowed",
                                        "faster",
                                        "SLOWER",
                                        "no errors",
                                        "only in the base",
                                        "not in the base"};
    const struct passtime_difference *d = &row->difference;
    passtime_line_cut(line, name_of(row), 30);
    passtime_line_pad(line, 32);
    if (row->base.count > 0 && row->now.count > 0) {
        passtime_line_time(line, d->base_ns);
        passtime_line_pad(line, 43);
        passtime_line_time(line, d->new_ns);
        passtime_line_pad(line, 54);
        print_percent(line, d->base_ns > 0.0 ? (d->new_ns - d->base_ns) / d->base_ns : 0.0);
    }
    if (d->known && d->base_ns > 0.0) {
        passtime_line_pad(line, 63);
        passtime_line_text(line, "(");
        /* No time is below 0, though its error may reach there. */
        print_percent(line, d->low_ns > -d->base_ns ? d->low_ns / d->base_ns : -1.0);
        passtime_line_text(line, " to ");
        print_percent(line, d->high_ns / d->base_ns);
        passtime_line_text(line, ")");
    }
    if (row->change != PAGE_CHANGE_NONE) {
        passtime_line_text(line, "  ");
        passtime_line_colour(line, row->change == PAGE_CHANGE_FAILED ? PASSTIME_COLOUR_RED
                                                                     : PASSTIME_COLOUR_NONE);
        passtime_line_text(line, words[row->change]);
        if (row->change == PAGE_CHANGE_FAILED)
            passtime_line_printf(line, " by more than %.3g %%", 100.0 * c->fail_above);
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    }
    passtime_line_end(line, out);
}

static void print_end(const struct page_comparison *c, FILE *out)
{
    uint32_t may_fail = 0;
    bool spread = false;
    for (uint32_t i = 0; i < c->count; i++) {
        may_fail += c->rows[i].may_fail;
        spread = spread || c->rows[i].difference.has_spread;
    }
    if (!spread)
        fputs(
            "How much runs differ from each other is not known from one run on each side: the\n"
            "intervals are of the errors within the runs and may be too narrow. Give --repeat, or\n"
            "several bases.\n",
            out);
    if (may_fail > 0)
        fprintf(out,
                "%u row%s may be slower by more than %.3g %%: the interval reaches that far. More\n"
                "--repeat or --frames would tell.\n",
                may_fail, may_fail == 1 ? "" : "s", 100.0 * c->fail_above);
}

void page_comparison_print(const struct page_comparison *compared, FILE *out)
{
    struct passtime_report_style style = terminal_style(out);
    struct passtime_line line;
    const char *context = "";
    passtime_line_begin(&line, &style);
    fprintf(out, "\ncompared with %zu earlier run%s, %zu now; intervals of 95 %%\n",
            compared->base_runs, compared->base_runs == 1 ? "" : "s", compared->new_runs);
    for (uint32_t i = 0; i < compared->count; i++) {
        const struct page_row *row = &compared->rows[i];
        if (strcmp(context, row->context) != 0) {
            passtime_line_text(&line, row->context);
            passtime_line_pad(&line, 32);
            passtime_line_text(&line, "base");
            passtime_line_pad(&line, 43);
            passtime_line_text(&line, "now");
            passtime_line_pad(&line, 54);
            passtime_line_text(&line, "change");
            passtime_line_end(&line, out);
        }
        context = row->context;
        print_row(compared, row, &line, out);
    }
    print_end(compared, out);
}

static void print_spread(const struct page_row *row, struct passtime_line *line, FILE *out)
{
    const struct passtime_compare_side *side = &row->now;
    double least = side->means_ns[0], most = side->means_ns[0], sum = 0.0;
    for (uint32_t i = 0; i < side->count; i++) {
        least = side->means_ns[i] < least ? side->means_ns[i] : least;
        most = side->means_ns[i] > most ? side->means_ns[i] : most;
        sum += side->means_ns[i];
    }
    passtime_line_cut(line, name_of(row), 30);
    passtime_line_pad(line, 32);
    passtime_line_time(line, sum / side->count);
    passtime_line_pad(line, 43);
    passtime_line_time(line, least);
    passtime_line_text(line, " to ");
    passtime_line_time(line, most);
    passtime_line_printf(line, "  in %u runs", side->count);
    passtime_line_end(line, out);
}

void page_runs_print(const json_t *documents, FILE *out)
{
    json_t *runs = page_runs_of(documents), *none = json_array();
    struct page_comparison *c = make(0.0, none, runs);
    struct passtime_report_style style = terminal_style(out);
    struct passtime_line line;
    passtime_line_begin(&line, &style);
    fprintf(out, "\nmeans of %zu runs (the table is of the last one)\n", json_array_size(runs));
    for (uint32_t i = 0; c && i < c->count; i++)
        print_spread(&c->rows[i], &line, out);
    page_comparison_free(c);
    json_decref(none);
    json_decref(runs);
}
