/* SPDX-License-Identifier: MIT */
/*
 * Reports against golden files in tests/golden: what people and programs see of fixed snapshots,
 * byte for byte. PASSTIME_REWRITE=1 writes the files anew. What goldens can't say stands below
 * them: JSON is strict and holds no 0 for what is not known, shares add up, and damaged input ends.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "sink/report_figures.h"
#include "sink/report_line.h"
#include "unit/report_cases.h"

static const struct passtime_report_style wide = {.width_columns = 100, .unicode = true};
static const struct passtime_report_style normal = {.width_columns = 80, .unicode = true};
static const struct passtime_report_style narrow = {.width_columns = 72};
static const struct passtime_report_style coloured = {
    .width_columns = 80, .unicode = true, .colour = true};

/* What a report wrote, as a string from malloc. */
static char *contents(FILE *file)
{
    long bytes = ftell(file);
    assert_true(bytes >= 0);
    char *text = malloc((size_t)bytes + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)bytes, file), (size_t)bytes);
    text[bytes] = '\0';
    fclose(file);
    return text;
}

static char *golden_path(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s", __FILE__);
    char *end = strstr(path, "unit/test_report.c");
    assert_non_null(end);
    snprintf(end, sizeof path - (size_t)(end - path), "golden/%s", name);
    return path;
}

static void expect_golden(const char *name, char *text)
{
    const char *path = golden_path(name);
    if (getenv("PASSTIME_REWRITE")) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(text, file);
        fclose(file);
    }
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing; PASSTIME_REWRITE=1 writes it", path);
    fseek(file, 0, SEEK_END);
    char *expected = contents(file);
    assert_string_equal(text, expected);
    free(expected);
    free(text);
}

static char *table_of(const struct report_case *of, const struct passtime_report_style *style)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(passtime_report_table(file, &of->context, 1, style));
    return contents(file);
}

static char *json_of(const struct report_case *of)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(passtime_report_json(file, &of->context, 1));
    return contents(file);
}

static void test_tables(void **state)
{
    struct report_case made;
    (void)state;
    report_case_gpu(&made);
    expect_golden("table_gpu_80.txt", table_of(&made, &normal));
    expect_golden("table_gpu_72_ascii.txt", table_of(&made, &narrow));
    expect_golden("table_gpu_80_colour.txt", table_of(&made, &coloured));
    report_case_faults(&made);
    expect_golden("table_faults_80.txt", table_of(&made, &normal));
    expect_golden("table_faults_100.txt", table_of(&made, &wide));
    report_case_quantized(&made);
    expect_golden("table_quantized_80.txt", table_of(&made, &normal));
    report_case_cpu(&made);
    expect_golden("table_cpu_80.txt", table_of(&made, &normal));
    report_case_nothing(&made);
    expect_golden("table_nothing_80.txt", table_of(&made, &normal));
}

/* No line is wider than asked for, whatever the names are. */
static void expect_within(char *text, uint32_t width)
{
    char *rest = text;
    for (char *end = strchr(rest, '\n'); end; end = strchr(rest, '\n')) {
        *end = '\0';
        if (passtime_text_columns(rest, true) > width)
            fail_msg("wider than %u columns: %s", width, rest);
        rest = end + 1;
    }
    free(text);
}

static void test_tables_keep_to_the_width(void **state)
{
    static void (*const cases[])(struct report_case *) = {report_case_gpu, report_case_faults,
                                                          report_case_quantized, report_case_cpu,
                                                          report_case_nothing};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct report_case made;
        cases[i](&made);
        if (made.snapshot.series_count > 0)
            memset(made.series[0].name, 'x', PASSTIME_NAME_BYTES - 1);
        for (uint32_t width = 72; width <= 140; width++) {
            struct passtime_report_style style = {.width_columns = width, .unicode = true};
            expect_within(table_of(&made, &style), width);
        }
    }
}

static void test_json(void **state)
{
    struct report_case made;
    (void)state;
    report_case_gpu(&made);
    expect_golden("report_gpu.json", json_of(&made));
    report_case_faults(&made);
    expect_golden("report_faults.json", json_of(&made));
    report_case_quantized(&made);
    expect_golden("report_quantized.json", json_of(&made));
    report_case_nothing(&made);
    expect_golden("report_nothing.json", json_of(&made));
}

static void test_csv(void **state)
{
    struct report_case made[2];
    (void)state;
    report_case_faults(&made[0]);
    report_case_quantized(&made[1]);
    struct passtime_report_context contexts[] = {made[0].context, made[1].context};
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(passtime_report_csv(file, contexts, 2));
    expect_golden("report_two.csv", contents(file));
}

/* No number may come out of a NaN or of an infinity, wherever it stands. */
static void test_no_number_from_nan(void **state)
{
    struct report_case made;
    (void)state;
    report_case_gpu(&made);
    made.series[1].stats.mean_ns = NAN;
    made.series[1].stats.se_ns = INFINITY;
    made.series[2].stats.n_eff = -NAN;
    made.snapshot.totals[PASSTIME_TOTAL_BUSY].mean_ns = INFINITY;
    made.snapshot.clock.tick_ns = NAN;
    char *text = json_of(&made);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    json_t *context = json_array_get(json_object_get(root, "contexts"), 0);
    json_t *pass = json_array_get(json_object_get(context, "passes"), 0);
    assert_true(json_is_null(json_object_get(pass, "mean_ns")));
    assert_true(json_is_null(json_object_get(pass, "se_ns")));
    json_t *frame = json_object_get(context, "frame");
    assert_true(json_is_null(json_object_get(json_object_get(frame, "busy_ns"), "mean")));
    assert_true(json_is_null(json_object_get(frame, "unattributed_ns")));
    assert_true(json_is_null(json_object_get(frame, "bound_by")));
    json_decref(root);
    free(text);
    free(table_of(&made, &normal));
}

/* Frames in step with the clock: said before the numbers, and no more samples are promised to help.
 */
static void test_locked_phases_are_said(void **state)
{
    static const struct passtime_report_style plain = {.width_columns = 200};
    struct report_case made;
    (void)state;
    report_case_quantized(&made);
    for (uint32_t i = 0; i < made.snapshot.series_count; i++) {
        made.series[i].stats.flags |= PASSTIME_STATS_LOCKED;
        made.series[i].stats.frames_for_10_percent = UINT32_MAX;
    }
    char *table = table_of(&made, &plain);
    assert_non_null(strstr(table, "! locked phase: "));
    assert_non_null(strstr(table, "more samples make it no surer"));
    assert_null(strstr(table, "unbiased"));
    assert_null(strstr(table, "4294967295"));
    free(table);
    char *text = json_of(&made);
    json_t *root = json_loads(text, 0, NULL);
    json_t *context = json_array_get(json_object_get(root, "contexts"), 0);
    json_t *pass = json_array_get(json_object_get(context, "passes"), 0);
    assert_true(json_is_null(json_object_get(pass, "frames_for_10_percent")));
    assert_non_null(strstr(text, "\"locked_phase\""));
    json_decref(root);
    free(text);
}

static void test_shares_add_up(void **state)
{
    struct report_case made;
    double sum = 0.0;
    (void)state;
    report_case_gpu(&made);
    struct passtime_figures figures = passtime_figures_of(&made.snapshot);
    for (uint32_t i = 0; i < made.snapshot.series_count; i++) {
        double share = passtime_share(&figures, &made.series[i]);
        if (made.series[i].kind == PASSTIME_SERIES_PASS)
            sum += share;
        else
            assert_true(share < 0.0);
    }
    assert_true(fabs(sum - 1.0) < 1e-12);
}

static void test_incomplete_frames_are_not_within_budget(void **state)
{
    struct report_case made;
    (void)state;
    report_case_gpu(&made);
    assert_int_equal(passtime_figures_of(&made.snapshot).budget, PASSTIME_BUDGET_KEPT);
    made.series[0].flags |= PASSTIME_FLAG_BOUNDARY_UNVERIFIED;
    assert_int_equal(passtime_figures_of(&made.snapshot).budget, PASSTIME_BUDGET_UNKNOWN);
    made.series[0].flags = 0;
    made.snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 113;
    made.snapshot.ledger.frames_within_budget = 113;
    made.snapshot.ledger.fates[PASSTIME_FRAME_INCOMPLETE] = 7;
    assert_int_equal(passtime_figures_of(&made.snapshot).budget, PASSTIME_BUDGET_MISSED);
    made.snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 114;
    made.snapshot.ledger.frames_within_budget = 114;
    made.snapshot.ledger.fates[PASSTIME_FRAME_INCOMPLETE] = 6;
    assert_int_equal(passtime_figures_of(&made.snapshot).budget, PASSTIME_BUDGET_KEPT);
    made.snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 0;
    made.snapshot.ledger.frames_within_budget = 0;
    assert_int_equal(passtime_figures_of(&made.snapshot).budget, PASSTIME_BUDGET_UNKNOWN);
    made.snapshot.budget_ns = 0;
    assert_int_equal(passtime_figures_of(&made.snapshot).budget, PASSTIME_BUDGET_NONE);
}

/* Each series is a row just once, whatever a damaged capture says of parents. */
static void test_rows_survive_circles(void **state)
{
    struct report_case made;
    (void)state;
    for (uint32_t mix = 0; mix < 625; mix++) {
        uint32_t rest = mix, count, seen = 0;
        report_case_gpu(&made);
        for (uint32_t i = 0; i < 4; i++, rest /= 5)
            made.series[i].parent = rest % 5 == 4 ? PASSTIME_NONE : rest % 5;
        struct passtime_row *rows = passtime_rows(&made.snapshot, &count);
        assert_non_null(rows);
        assert_int_equal(count, 4);
        for (uint32_t i = 0; i < count; i++)
            seen |= 1u << rows[i].series;
        assert_int_equal(seen, 15);
        free(rows);
    }
}

static void test_full_disk_is_told(void **state)
{
    struct report_case made;
    (void)state;
    report_case_gpu(&made);
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    assert_false(passtime_report_table(full, &made.context, 1, &normal));
    clearerr(full);
    assert_false(passtime_report_json(full, &made.context, 1));
    fclose(full);
}

static passtime_sample sample(const char *name, uint32_t scope, uint64_t begin, uint64_t duration)
{
    return (passtime_sample){.name = name,
                             .parent = PASSTIME_NONE,
                             .scope = scope,
                             .begin_ns = begin,
                             .end_ns = begin + duration,
                             .duration_ns = duration,
                             .exclusive_ns = duration,
                             .attributed_ns = duration};
}

static char *tree_of(const passtime_frame *frame, const struct passtime_report_style *style)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(passtime_report_tree(file, frame, 4000000, style));
    return contents(file);
}

static void test_tree(void **state)
{
    (void)state;
    passtime_sample samples[] = {
        sample("clear", PASSTIME_NONE, 1000, 52000), sample("scatter", 0, 60000, 3100000),
        sample("bin", 1, 3160000, 400000),           sample("cull", 1, 3560000, 90000),
        sample("glow", 0, 3650000, 800000),          sample("post", PASSTIME_NONE, 4450000, 300000),
        sample("text", PASSTIME_NONE, 4800000, 0),
    };
    samples[3].verdict = PASSTIME_STALE;
    samples[4].parent = 1;
    samples[6].verdict = PASSTIME_BELOW_RESOLUTION;
    passtime_scope scopes[] = {
        {.name = "build", .parent = PASSTIME_NONE, .sample_count = 4, .busy_ns = 4300000},
        {.name = "tiles", .parent = 0, .sample_count = 2, .busy_ns = 400000},
        {.name = "never used", .parent = PASSTIME_NONE, .complete = true},
    };
    passtime_frame frame = {.number = 57, .fate = PASSTIME_FRAME_INCOMPLETE, .has_span = true};
    frame.samples = samples;
    frame.sample_count = sizeof samples / sizeof samples[0];
    frame.scopes = scopes;
    frame.scope_count = sizeof scopes / sizeof scopes[0];
    frame.busy_ns = 4650000;
    frame.span_ns = 4799000;
    frame.cpu_submit_ns = 412000;
    expect_golden("tree_80.txt", tree_of(&frame, &normal));
    expect_golden("tree_72_ascii.txt", tree_of(&frame, &narrow));
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(passtime_report_tree_json(file, &frame, "a.perfetto-trace"));
    expect_golden("tree.json", contents(file));
    frame.fate = PASSTIME_FRAME_COMPLETE;
    frame.over_budget = true;
    frame.sample_count = 2;
    frame.scope_count = 0;
    expect_golden("tree_over_80.txt", tree_of(&frame, &normal));
}

static void test_text_stays_in_its_line(void **state)
{
    static const struct {
        const char *text, *unicode, *ascii;
        uint32_t columns;
    } cases[] = {
        {"plain", "plain", "plain", 5},
        {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9", "?t?", 3},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "?", 2},
        {"a\x1b[2Jb\r\n",
         "a?[2Jb?"
         "?",
         "a?[2Jb?"
         "?",
         8},
        {"\xff\xc3(",
         "?"
         "?(",
         "?"
         "?(",
         3},
        {"\xc2\x9b"
         "31m",
         "?31m", "?31m", 4},
        {"e\xcc\x81", "e\xcc\x81", "e?", 1},
        {"\xe2\x80\xae"
         "x",
         "?x", "?x", 2},
        {"\xe6\x97\xa5", "\xe6\x97\xa5", "?", 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct passtime_line line;
        passtime_line_begin(&line, &normal);
        passtime_line_text(&line, cases[i].text);
        assert_string_equal(line.text, cases[i].unicode);
        assert_int_equal(line.columns, cases[i].columns);
        passtime_line_begin(&line, &narrow);
        passtime_line_text(&line, cases[i].text);
        assert_string_equal(line.text, cases[i].ascii);
    }
}

static void test_times(void **state)
{
    static const struct {
        double ns;
        const char *text;
    } cases[] = {
        {0.0, "0 ns"},          {1.0, "1.000 ns"},      {999.0, "999.0 ns"},
        {1000.0, "1.000 us"},   {12345.0, "12.35 us"},  {999949.0, "999.9 us"},
        {999951.0, "1.000 ms"}, {1.2345e7, "12.35 ms"}, {9.9996e8, "1.000 s"},
        {6.1e10, "61.00 s"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct passtime_line line;
        passtime_line_begin(&line, &narrow);
        passtime_line_time(&line, cases[i].ns);
        assert_string_equal(line.text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_tables_keep_to_the_width),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_no_number_from_nan),
        cmocka_unit_test(test_locked_phases_are_said),
        cmocka_unit_test(test_shares_add_up),
        cmocka_unit_test(test_incomplete_frames_are_not_within_budget),
        cmocka_unit_test(test_rows_survive_circles),
        cmocka_unit_test(test_full_disk_is_told),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_text_stays_in_its_line),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
