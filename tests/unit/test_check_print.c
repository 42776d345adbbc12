/* SPDX-License-Identifier: MIT */
/* What the check says where GPU time can't be had: which method is left, and how to use it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/probe.h"
#include "cli/terminal.h"

/* An adapter without timer queries, whose submit times rise with the work or do not. */
static struct probe_adapter adapter_of(const char *api, bool feature, bool cpu_rises)
{
    struct probe_adapter adapter = {.check = {.run = true, .kind_count = 1}};
    passtime_check_input input = PASSTIME_CHECK_INPUT_INIT;
    snprintf(adapter.api, sizeof adapter.api, "%s", api);
    input.feature = feature;
    input.minimal_samples = input.minimal_good = feature ? 10 : 0;
    input.quantum_ns = feature ? 1 : 0;
    input.kinds[0].step_count = 5;
    for (uint32_t i = 0; i < 5; i++) {
        passtime_check_step *step = &input.kinds[0].steps[i];
        const double time_ns = 100000.0 * (1u << i);
        step->parts = 1u << i;
        step->count[0] = step->count[1] = feature ? 5 : 0;
        for (int run = 0; run < 2; run++) {
            step->gpu_ns[run] = feature ? time_ns : 0.0;
            step->cpu_ns[run] = cpu_rises ? time_ns : 5000.0 - (double)i;
        }
    }
    adapter.check.input = input;
    assert_int_equal(passtime_check_judge(&input, &adapter.check.verdict), PASSTIME_OK);
    return adapter;
}

static void print(const struct probe_adapter *adapter, char *text, size_t bytes)
{
    const struct passtime_report_style style = {.width_columns = 2000};
    struct passtime_line line;
    FILE *file = tmpfile();
    assert_non_null(file);
    passtime_line_begin(&line, &style);
    check_print(adapter, &line, file);
    rewind(file);
    text[fread(text, 1, bytes - 1, file)] = '\0';
    fclose(file);
}

static void expect(const struct probe_adapter *adapter, const char *method, const char *how)
{
    char text[4096];
    json_t *json = check_json(adapter);
    const json_t *instead = json_object_get(json, "instead");
    print(adapter, text, sizeof text);
    assert_string_equal(json_string_value(json_object_get(json, "method")), method);
    if (how != NULL) {
        assert_non_null(strstr(text, how));
        assert_non_null(strstr(json_string_value(instead), how));
    } else {
        assert_null(strstr(text, "counters"));
        assert_true(json_is_null(instead));
    }
    json_decref(json);
}

static void counters_are_a_choice_where_nothing_else_tells(void **state)
{
    (void)state;
    const struct probe_adapter adapter = adapter_of("webgpu", false, false);
    expect(&adapter, "shader counters", "passtime_webgpu_counters_wgsl()");
}

static void they_stand_beside_the_clock_around_submit(void **state)
{
    (void)state;
    const struct probe_adapter adapter = adapter_of("webgpu", false, true);
    expect(&adapter, "cpu submit", "passtime_webgpu_desc.counters");
}

static void they_are_not_promised_for_gl(void **state)
{
    (void)state;
    const struct probe_adapter adapter = adapter_of("gl", false, false);
    expect(&adapter, "shader counters", "for WebGPU");
}

static void nothing_is_said_of_them_where_stamps_measure(void **state)
{
    (void)state;
    const struct probe_adapter adapter = adapter_of("webgpu", true, true);
    expect(&adapter, "stamps", NULL);
}

/* One whose stamps come in steps, as Dawn's do, and whose runs differ or not. */
static void coarse(struct probe_adapter *adapter, double second_run)
{
    passtime_check_input *input = &adapter->check.input;
    input->quantum_ns = 65536;
    for (uint32_t i = 0; i < 5; i++) {
        passtime_check_step *step = &input->kinds[0].steps[i];
        step->gpu_ns[0] = step->cpu_ns[0] = step->cpu_ns[1] = 1e6 * step->parts;
        step->gpu_ns[1] = second_run * 1e6 * step->parts;
    }
    assert_int_equal(passtime_check_judge(input, &adapter->check.verdict), PASSTIME_OK);
}

static void rounded_stamps_are_worth_their_means(void **state)
{
    (void)state;
    char text[4096];
    struct probe_adapter adapter = adapter_of("webgpu", true, true);
    coarse(&adapter, 1.0);
    adapter.check.pair_cost = (passtime_check_cost){
        .count = 48, .known = true, .ns = 100.0, .low_ns = -200.0, .high_ns = 400.0};
    print(&adapter, text, sizeof text);
    assert_non_null(strstr(text, "finest pass worth timing: 5.96 us, by the mean of a thousand "
                                 "frames and its error\n"));
    assert_non_null(strstr(text, "in steps of 65536 ns: trust means over many frames and their "
                                 "errors, not single values\n"));
    assert_non_null(strstr(text, "costs less GPU time than can be told here: 0.4 us at most"));
}

static void runs_that_disagree_are_told_with_what_to_do(void **state)
{
    (void)state;
    char text[4096];
    struct probe_adapter adapter = adapter_of("webgpu", true, true);
    coarse(&adapter, 1.8);
    print(&adapter, text, sizeof text);
    assert_non_null(strstr(text, "two runs within 44 %"));
    assert_non_null(strstr(text, "two runs disagree: the machine is busy or its clocks change. Let "
                                 "it rest and check again"));
}

static void too_little_gives_no_advice_but_to_check_again(void **state)
{
    (void)state;
    char text[4096];
    struct probe_adapter adapter = adapter_of("webgpu", true, false);
    adapter.check.input.kinds[0].steps[4].count[1] = 1;
    assert_int_equal(passtime_check_judge(&adapter.check.input, &adapter.check.verdict),
                     PASSTIME_OK);
    expect(&adapter, "not told", NULL);
    print(&adapter, text, sizeof text);
    assert_non_null(strstr(text, "verdict: it could not be told what to use: too little came back, "
                                 "for the machine is busy or the device too slow. Let it rest and "
                                 "check again\n"));
}

/* The flag is WebGPU's: GL has none to set. */
static void only_webgpu_samples_are_to_be_marked(void **state)
{
    (void)state;
    char text[4096];
    static const char *const apis[] = {"webgpu", "gl"};
    for (int api = 0; api < 2; api++) {
        struct probe_adapter adapter = adapter_of(apis[api], true, true);
        passtime_check_kind *kind = &adapter.check.input.kinds[0];
        kind->order_count = 5;
        kind->alone_ns = 1e6;
        kind->after_other_ns = 1e4;
        assert_int_equal(passtime_check_judge(&adapter.check.input, &adapter.check.verdict),
                         PASSTIME_OK);
        print(&adapter, text, sizeof text);
        assert_non_null(strstr(text, "stamped early or late"));
        assert_int_equal(strstr(text, "PASSTIME_WEBGPU_BOUNDARY_UNVERIFIED") != NULL, api == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_a_choice_where_nothing_else_tells),
        cmocka_unit_test(they_stand_beside_the_clock_around_submit),
        cmocka_unit_test(they_are_not_promised_for_gl),
        cmocka_unit_test(nothing_is_said_of_them_where_stamps_measure),
        cmocka_unit_test(rounded_stamps_are_worth_their_means),
        cmocka_unit_test(runs_that_disagree_are_told_with_what_to_do),
        cmocka_unit_test(too_little_gives_no_advice_but_to_check_again),
        cmocka_unit_test(only_webgpu_samples_are_to_be_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
