/* SPDX-License-Identifier: MIT */
/* Budgets of a page: what the mean and its error decide, and what nothing decides. */
#include "cli/page.h"
#include "unit/page_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

/* A run of one context of a GPU, whose busy time has this mean and interval. */
static struct page_result *result_of(double mean_ns, double low_ns, double high_ns)
{
    struct page_result *result = calloc(1, sizeof *result);
    assert_non_null(result);
    struct passtime_snapshot *snapshot = &result->snapshots[0];
    passtime_stats *busy = &snapshot->totals[PASSTIME_TOTAL_BUSY];
    result->context_count = 1;
    strcpy(result->ids[0], "page webgpu device 1");
    snapshot->clock.source = PASSTIME_GPU_STAMPS;
    busy->count = 100;
    busy->flags = PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_CI;
    busy->mean_ns = mean_ns;
    busy->ci_low_ns = low_ns;
    busy->ci_high_ns = high_ns;
    return result;
}

static struct page_job job_of(uint64_t budget_ns)
{
    struct page_job job = {.target = "page"};
    job.values.budget_ns = budget_ns;
    return job;
}

/* The verdict on the frame, and the exit code; the result is freed. */
static void expect(const struct page_job *job, struct page_result *result,
                   enum page_verdict verdict, int exit_code)
{
    struct page_budget budgets[PAGE_BUDGETS_MAX];
    uint32_t count = page_budgets(job, result, budgets);
    assert_int_equal(count, 1);
    assert_int_equal(budgets[0].verdict, verdict);
    assert_string_equal(budgets[0].context, "page webgpu device 1");
    assert_int_equal(budgets[0].why[0] != '\0', verdict == PAGE_UNDECIDED);
    assert_int_equal(page_budgets_judge(job, budgets, count), exit_code);
    free(result);
}

static void the_mean_and_its_error_decide(void **state)
{
    (void)state;
    struct page_job job = job_of(10 * MS);
    expect(&job, result_of(9e6, 8.5e6, 9.5e6), PAGE_KEPT, EXIT_CODE_DONE);
    expect(&job, result_of(11e6, 10.5e6, 11.5e6), PAGE_EXCEEDED, EXIT_CODE_FAILED);
    expect(&job, result_of(9.9e6, 9.5e6, 10.3e6), PAGE_UNDECIDED, EXIT_CODE_DONE);
    expect(&job, result_of(10.1e6, 9.7e6, 10.5e6), PAGE_UNDECIDED, EXIT_CODE_DONE);
    job.values.strict = true;
    expect(&job, result_of(10.1e6, 9.7e6, 10.5e6), PAGE_UNDECIDED, EXIT_CODE_FAILED);
    expect(&job, result_of(9e6, 8.5e6, 9.5e6), PAGE_KEPT, EXIT_CODE_DONE);
}

static void what_is_no_time_of_a_gpu_decides_nothing(void **state)
{
    (void)state;
    struct page_job job = job_of(10 * MS);
    struct page_result *result = result_of(11e6, 10.5e6, 11.5e6);
    result->snapshots[0].clock.source = PASSTIME_CPU_RECORD;
    expect(&job, result, PAGE_UNDECIDED, EXIT_CODE_DONE);
    result = result_of(11e6, 10.5e6, 11.5e6);
    result->snapshots[0].adapter.software = true;
    expect(&job, result, PAGE_UNDECIDED, EXIT_CODE_DONE);
    job.values.software = true; /* asked for */
    result = result_of(11e6, 10.5e6, 11.5e6);
    result->snapshots[0].adapter.software = true;
    expect(&job, result, PAGE_EXCEEDED, EXIT_CODE_FAILED);
}

static void doubt_keeps_no_budget(void **state)
{
    (void)state;
    struct page_job job = job_of(10 * MS);
    struct page_result *result = result_of(9e6, 8.5e6, 9.5e6);
    result->snapshots[0].totals[PASSTIME_TOTAL_BUSY].flags &= ~(uint32_t)PASSTIME_STATS_HAS_CI;
    expect(&job, result, PAGE_UNDECIDED, EXIT_CODE_DONE);
    /* Six of 106 frames lack a pass: the mean may be another one. */
    result = result_of(9e6, 8.5e6, 9.5e6);
    result->snapshots[0].ledger.fates[PASSTIME_FRAME_INCOMPLETE] = 6;
    expect(&job, result, PAGE_UNDECIDED, EXIT_CODE_DONE);
    result = result_of(11e6, 10.5e6, 11.5e6); /* They can only make it longer. */
    result->snapshots[0].ledger.fates[PASSTIME_FRAME_INCOMPLETE] = 6;
    expect(&job, result, PAGE_EXCEEDED, EXIT_CODE_FAILED);
    passtime_series_info series = {.flags = PASSTIME_FLAG_BOUNDARY_UNVERIFIED};
    result = result_of(9e6, 8.5e6, 9.5e6);
    result->snapshots[0].series = &series;
    result->snapshots[0].series_count = 1;
    expect(&job, result, PAGE_UNDECIDED, EXIT_CODE_DONE);
    /* Below a step of the clock: the bound is what there is. */
    result = result_of(0.0, 0.0, 0.0);
    result->snapshots[0].totals[PASSTIME_TOTAL_BUSY].flags = PASSTIME_STATS_HAS_BELOW;
    result->snapshots[0].totals[PASSTIME_TOTAL_BUSY].below_ns = 1e6;
    expect(&job, result, PAGE_KEPT, EXIT_CODE_DONE);
}

/* The sum of a pass's runs in a frame is what its budget is for; a name that never came fails. */
static void passes_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"light", "nosuch"};
    const struct passtime_collect_options options = {.budget_passes = names, .budget_count = 2};
    static struct page_text text;
    struct page_result *result = result_of(1e6, 1e6, 1e6);
    struct page_job job = job_of(0);
    result->collector = passtime_collector_make(&options);
    assert_non_null(result->collector);
    page_text_begin(&text);
    page_text_start(&text, 1);
    for (uint64_t i = 0; i < 100; i++) {
        struct page_frame frame = page_frame_plain(1, i, (500 + 20 * i) * MS, 6);
        frame.passes[1].end_ticks += 1000 * (i % 7);
        page_text_frame(&text, &frame);
        page_text_send(&text, result->collector, 1);
    }
    job.pass_budget_count = 2;
    strcpy(job.pass_budgets[0].name, "light");
    strcpy(job.pass_budgets[1].name, "nosuch");
    job.pass_budgets[1].budget_ns = MS;
    struct page_budget budgets[PAGE_BUDGETS_MAX];
    job.pass_budgets[0].budget_ns = 2 * MS + 100000; /* It runs twice a frame, 1 ms each. */
    assert_int_equal(page_budgets(&job, result, budgets), 2);
    assert_string_equal(budgets[0].pass, "light");
    assert_int_equal(budgets[0].verdict, PAGE_KEPT);
    assert_true(budgets[0].mean_ns > 2e6 && budgets[0].mean_ns < 2.01e6);
    assert_int_equal(budgets[1].verdict, PAGE_MISSING);
    assert_null(budgets[1].context);
    assert_int_equal(page_budgets_judge(&job, budgets, 1), EXIT_CODE_DONE);
    assert_int_equal(page_budgets_judge(&job, budgets, 2), EXIT_CODE_FAILED);
    json_t *json = page_budgets_json(budgets, 2);
    assert_int_equal(json_array_size(json), 2);
    assert_true(json_is_null(json_object_get(json_array_get(json, 1), "mean_ns")));
    json_decref(json);
    job.pass_budgets[0].budget_ns = MS;
    assert_int_equal(page_budgets(&job, result, budgets), 2);
    assert_int_equal(budgets[0].verdict, PAGE_EXCEEDED);
    assert_true(passtime_collector_end(&result->collector));
    free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_and_its_error_decide),
        cmocka_unit_test(what_is_no_time_of_a_gpu_decides_nothing),
        cmocka_unit_test(doubt_keeps_no_budget),
        cmocka_unit_test(passes_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
