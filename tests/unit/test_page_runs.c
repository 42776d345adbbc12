/* SPDX-License-Identifier: MIT */
/* Documents of runs compared: what is refused and why, and what becomes of each pass. */
#include "cli/page_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What the command would have said. */
static char said[1024];

int cli_fail(const struct cli *cli, enum exit_code code, const char *format, ...)
{
    va_list arguments;
    (void)cli;
    va_start(arguments, format);
    vsnprintf(said, sizeof said, format, arguments);
    va_end(arguments);
    return (int)code;
}

/* A run of one context with two passes; `change` sets one text of it. */
struct shape {
    const char *api, *method, *adapter, *driver, *resolution, *id;
    bool software;
    double quantum_ns, shadow_ns, light_ns, se_ns;
};

static const struct shape plain = {
    "webgpu", "stamps", "Some GPU", "1.2", "fine", "page webgpu device 1",
    false,    1.0,      1e6,        2e6,   1e4};

static json_t *pass_json(const char *path, const char *source, double mean_ns, double se_ns)
{
    json_t *pass = json_pack("{s:s, s:s, s:f}", "path", path, "source", source, "mean_ns", mean_ns);
    json_object_set_new(pass, "se_ns", se_ns >= 0.0 ? json_real(se_ns) : json_null());
    return pass;
}

static json_t *run_json(const struct shape *shape)
{
    json_t *passes = json_array();
    json_array_append_new(passes,
                          pass_json("shadow", "gpu_stamps", shape->shadow_ns, shape->se_ns));
    json_array_append_new(passes, pass_json("light", "gpu_stamps", shape->light_ns, shape->se_ns));
    json_array_append_new(passes, pass_json("(submission)", "cpu_complete", 5e6, 1.0));
    json_t *context =
        json_pack("{s:s, s:s, s:s, s:{s:s, s:s, s:b}, s:{s:f}, s:{s:{s:f, s:f}}, s:o}", "id",
                  shape->id, "api", shape->api, "method", shape->method, "adapter", "name",
                  shape->adapter, "driver", shape->driver, "software", (int)shape->software,
                  "clock", "quantum_ns", shape->quantum_ns, "frame", "busy_ns", "mean",
                  shape->shadow_ns + shape->light_ns, "se", shape->se_ns, "passes", passes);
    json_t *root =
        json_pack("{s:s, s:s, s:{s:s}, s:[o]}", "schema", "passtime.report/1", "file", "base.json",
                  "browser", "resolution", shape->resolution, "contexts", context);
    assert_non_null(root);
    return root;
}

static json_t *list_of(const struct shape *shape)
{
    json_t *list = json_array();
    json_array_append_new(list, run_json(shape));
    return list;
}

static int compare(const json_t *bases, const json_t *runs, uint64_t percent,
                   struct page_comparison **compared)
{
    struct page_job job = {.target = "page"};
    job.values.fail_above = percent;
    said[0] = '\0';
    *compared = NULL;
    return page_compare(&job, bases, runs, compared);
}

static void other_measurements_are_refused(void **state)
{
    (void)state;
    struct shape shapes[8];
    static const char *const words[8] = {"api",  "method",     "adapter", "driver",
                                         "step", "resolution", "kind",    "nothing can be"};
    for (int i = 0; i < 8; i++)
        shapes[i] = plain;
    shapes[0].api = "webgl2";
    shapes[1].method = "elapsed";
    shapes[2].adapter = "Another GPU";
    shapes[3].driver = "1.3";
    shapes[4].quantum_ns = 65536.0;
    shapes[5].resolution = "stock";
    shapes[6].software = true;
    shapes[7].id = "worker webgpu device 1";
    json_t *runs = list_of(&plain);
    for (int i = 0; i < 8; i++) {
        struct page_comparison *compared;
        json_t *bases = list_of(&shapes[i]);
        assert_int_equal(compare(bases, runs, 10, &compared), EXIT_CODE_USAGE);
        assert_null(compared);
        if (!strstr(said, words[i]))
            fail_msg("'%s' does not name the %s", said, words[i]);
        json_decref(bases);
    }
    json_decref(runs);
}

static const struct page_row *row_of(const struct page_comparison *c, const char *path)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (path ? c->rows[i].path && strcmp(c->rows[i].path, path) == 0 : !c->rows[i].path)
            return &c->rows[i];
    }
    return NULL;
}

static void print(const struct page_comparison *compared, char *text, size_t bytes)
{
    FILE *out = tmpfile();
    assert_non_null(out);
    page_comparison_print(compared, out);
    rewind(out);
    text[fread(text, 1, bytes - 1, out)] = '\0';
    fclose(out);
}

/* Nothing takes less than no time, whatever the error; and what elapsed queries give of a frame is
 * the sum of its passes. */
static void what_is_printed_is_possible(void **state)
{
    (void)state;
    struct shape base = plain;
    struct page_comparison *compared;
    char text[4096];
    base.method = "elapsed";
    base.se_ns = 1e6;
    struct shape now = base;
    now.shadow_ns = 0.1e6;
    json_t *bases = list_of(&base), *runs = list_of(&now);
    assert_int_equal(compare(bases, runs, 500, &compared), EXIT_CODE_DONE);
    assert_true(row_of(compared, "shadow")->difference.low_ns < -base.shadow_ns);
    print(compared, text, sizeof text);
    const char *at = text;
    for (int row = 0; row < 3; row++) {
        at = strstr(at, " (-100 % to +");
        assert_non_null(at);
        at++;
    }
    assert_non_null(strstr(text, "frame (serial sum)"));
    assert_null(strstr(text, "frame (busy)"));
    page_comparison_free(compared);
    json_decref(bases);
    json_decref(runs);
}

/* One run on each side: the errors within them decide, and it is told that the spread is not known.
 */
static void single_runs(void **state)
{
    (void)state;
    struct shape now = plain;
    struct page_comparison *compared;
    now.shadow_ns = 1.3e6;
    now.light_ns = 1.5e6;
    json_t *bases = list_of(&plain), *runs = list_of(&now);
    assert_int_equal(compare(bases, runs, 10, &compared), EXIT_CODE_FAILED);
    assert_int_equal(compared->count, 3); /* The CPU's times are not compared. */
    assert_int_equal(row_of(compared, "shadow")->change, PAGE_CHANGE_FAILED);
    assert_int_equal(row_of(compared, "light")->change, PAGE_CHANGE_FASTER);
    assert_int_equal(row_of(compared, NULL)->change, PAGE_CHANGE_FASTER);
    assert_false(row_of(compared, "shadow")->difference.has_spread);
    char text[4096];
    print(compared, text, sizeof text);
    assert_non_null(strstr(text, "frame (busy)"));
    assert_non_null(strstr(text, "+30 %"));
    assert_non_null(strstr(text, "SLOWER by more than 10 %"));
    assert_non_null(strstr(text, "--repeat"));
    page_comparison_free(compared);
    assert_int_equal(compare(bases, runs, 50, &compared), EXIT_CODE_DONE);
    assert_int_equal(row_of(compared, "shadow")->change, PAGE_CHANGE_SLOWER);
    page_comparison_free(compared);
    json_decref(bases);
    json_decref(runs);
}

/* A document may hold several runs; a pass that only one side has is told, and fails nothing. */
static void several_runs(void **state)
{
    (void)state;
    struct page_comparison *compared;
    json_t *bases = list_of(&plain), *runs = json_array();
    json_t *list = json_array();
    static const double means_ns[] = {1.00e6, 1.10e6, 0.95e6};
    for (int i = 0; i < 3; i++) {
        struct shape shape = plain;
        shape.shadow_ns = means_ns[i];
        json_array_append_new(list, run_json(&shape));
        shape.shadow_ns = means_ns[i] + 4e5;
        json_array_append_new(runs, run_json(&shape));
    }
    json_object_set_new(json_array_get(bases, 0), "runs", list);
    json_t *context = json_array_get(json_object_get(json_array_get(runs, 2), "contexts"), 0);
    json_array_append_new(json_object_get(context, "passes"),
                          pass_json("fog", "gpu_elapsed_query", 1e5, -1.0));
    assert_int_equal(compare(bases, runs, 10, &compared), EXIT_CODE_FAILED);
    assert_int_equal(compared->base_runs, 3);
    assert_int_equal(compared->new_runs, 3);
    const struct page_row *shadow = row_of(compared, "shadow");
    assert_int_equal(shadow->base.count, 3);
    assert_true(shadow->difference.has_spread);
    assert_int_equal(shadow->change, PAGE_CHANGE_FAILED);
    assert_int_equal(row_of(compared, "light")->change, PAGE_CHANGE_NONE);
    assert_int_equal(row_of(compared, "fog")->change, PAGE_CHANGE_ONLY_NEW);
    json_t *json = page_comparison_json(compared);
    assert_int_equal(json_array_size(json_object_get(json, "rows")), 4);
    json_decref(json);
    page_comparison_free(compared);
    json_decref(bases);
    json_decref(runs);
}

/* A file that can't be read is named. */
static void files_that_are_not_there(void **state)
{
    (void)state;
    struct page_job job = {.target = "page"};
    json_t *bases = json_array();
    job.values.compare.count = 1;
    job.values.compare.values[0] = "nosuch.json";
    assert_int_equal(page_bases_read(&job, bases), EXIT_CODE_USAGE);
    assert_non_null(strstr(said, "nosuch.json"));
    assert_true(page_is_base_file("a.json"));
    assert_false(page_is_base_file("dist"));
    assert_false(page_is_base_file(".json"));
    json_decref(bases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_measurements_are_refused), cmocka_unit_test(single_runs),
        cmocka_unit_test(what_is_printed_is_possible),    cmocka_unit_test(several_runs),
        cmocka_unit_test(files_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
