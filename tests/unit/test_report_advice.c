/* SPDX-License-Identifier: MIT */
/* Which passes are to be timed as a group: neighbours that are short for sure, and no others. */
#include "sink/report_advice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SERIES = 8, FRAMES = 1000 };

static const double quantum_ns = 65536.0;

struct made {
    struct passtime_snapshot snapshot;
    struct passtime_report_context context;
    passtime_series_info series[SERIES];
};

/* A pass once a frame whose mean is known to two parts in ten. */
static void add(struct made *made, const char *name, double mean_ns)
{
    passtime_series_info *series = &made->series[made->snapshot.series_count++];
    *series = (passtime_series_info){.kind = PASSTIME_SERIES_PASS, .source = PASSTIME_GPU_STAMPS};
    series->parent = PASSTIME_NONE;
    (void)snprintf(series->name, sizeof series->name, "%s", name);
    series->stats.count = FRAMES;
    series->stats.flags = PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_CI | PASSTIME_STATS_HAS_SE |
                          PASSTIME_STATS_QUANTIZED;
    series->stats.mean_ns = mean_ns;
    series->stats.ci_low_ns = 0.8 * mean_ns;
    series->stats.ci_high_ns = 1.2 * mean_ns;
}

static void make(struct made *made)
{
    memset(made, 0, sizeof *made);
    made->snapshot.clock.source = PASSTIME_GPU_STAMPS;
    made->snapshot.clock.quantum_ns = (uint64_t)quantum_ns;
    made->snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = FRAMES;
    made->snapshot.totals[PASSTIME_TOTAL_BUSY].flags = PASSTIME_STATS_HAS_MEAN;
    made->snapshot.totals[PASSTIME_TOTAL_BUSY].mean_ns = 1e6;
    made->snapshot.series = made->series;
    made->context = (struct passtime_report_context){.snapshot = &made->snapshot, .id = "test"};
}

static void near(double value, double expected)
{
    assert_true(value > expected - 0.01 && value < expected + 0.01);
}

static void neighbours_below_the_step_are_one_group(void **state)
{
    struct made made;
    struct passtime_advice list[PASSTIME_ADVICE_MAX];
    char text[PASSTIME_ADVICE_BYTES];
    (void)state;
    make(&made);
    add(&made, "shadow", 200000.0);
    add(&made, "cull", 2000.0);
    add(&made, "sort", 3000.0);
    add(&made, "scan", 1000.0);
    add(&made, "base", 900000.0);
    assert_int_equal(passtime_advise(&made.context, list), 1);
    assert_int_equal(list[0].first, 1);
    assert_int_equal(list[0].last, 3);
    assert_int_equal(list[0].name_count, 3);
    assert_false(list[0].by_cost);
    near(list[0].sum_ns, 6000.0);
    near(list[0].passes_a_frame, 3.0);
    near(list[0].frames_alone, 100.0 * (quantum_ns / 1000.0 - 1.0));
    near(list[0].frames_grouped, 100.0 * (quantum_ns / 6000.0 - 1.0));
    assert_true(list[0].saved_ns < 0.0);
    passtime_advice_text(&made.context, &list[0], text);
    assert_string_equal(
        text, "cull, sort and scan are short against the clock's step of 65536 ns. Where they "
              "follow one another in one encoder, a group tells the sum of them, some 6 us, within "
              "10 % in 992 frames; the shortest one alone takes 6454.");
}

static void what_is_not_sure_is_not_advised(void **state)
{
    struct made made;
    struct passtime_advice list[PASSTIME_ADVICE_MAX];
    (void)state;
    make(&made);
    add(&made, "a", 3000.0);
    add(&made, "b", 3000.0);
    made.series[1].stats.ci_high_ns = 6000.0; /* the limit is 5,958 ns */
    assert_int_equal(passtime_advise(&made.context, list), 0);
    made.series[1].stats.ci_high_ns = 5900.0;
    assert_int_equal(passtime_advise(&made.context, list), 1);
    made.series[1].stats.flags &=
        ~(uint32_t)PASSTIME_STATS_HAS_CI; /* a mean alone says little here */
    assert_int_equal(passtime_advise(&made.context, list), 0);
    made.series[1].stats.flags = PASSTIME_STATS_HAS_BELOW | PASSTIME_STATS_QUANTIZED;
    made.series[1].stats.below_ns = 197.0;
    assert_int_equal(passtime_advise(&made.context, list), 1);
    assert_true(list[0].sum_ns < 0.0 && list[0].frames_grouped < 0.0);
    made.series[1].flags = PASSTIME_FLAG_OVERLAPS;
    assert_int_equal(passtime_advise(&made.context, list), 0);
}

static void only_neighbours_are_grouped(void **state)
{
    struct made made;
    struct passtime_advice list[PASSTIME_ADVICE_MAX];
    (void)state;
    make(&made);
    add(&made, "a", 3000.0);
    add(&made, "long", 80000.0);
    add(&made, "b", 3000.0);
    assert_int_equal(passtime_advise(&made.context, list), 0);
    add(&made, "c", 3000.0);
    assert_int_equal(passtime_advise(&made.context, list), 1);
    made.series[3].parent = 0; /* of another scope */
    assert_int_equal(passtime_advise(&made.context, list), 0);
    made.series[3].stats.count = 4 * (uint64_t)FRAMES; /* four times a frame: its own neighbour */
    assert_int_equal(passtime_advise(&made.context, list), 1);
    assert_int_equal(list[0].first, 3);
    near(list[0].sum_ns, 12000.0);
}

static void against_what_their_stamps_cost(void **state)
{
    struct made made;
    struct passtime_advice list[PASSTIME_ADVICE_MAX];
    char text[PASSTIME_ADVICE_BYTES];
    passtime_check_cost cost = {
        .count = 48, .known = true, .ns = 5000.0, .low_ns = 3000.0, .high_ns = 7000.0};
    (void)state;
    make(&made);
    made.snapshot.clock.quantum_ns = 1;
    add(&made, "a", 30000.0);
    add(&made, "b", 40000.0);
    assert_int_equal(passtime_advise(&made.context, list), 0);
    made.context.stamp_cost = &cost;
    assert_int_equal(passtime_advise(&made.context, list), 1);
    assert_true(list[0].by_cost);
    near(list[0].saved_ns, 5000.0);
    near(list[0].saved_share, 0.005);
    passtime_advice_text(&made.context, &list[0], text);
    assert_string_equal(text, "a and b are short against what a pair of stamps costs (5 us). Where "
                              "they follow one another in one encoder, a group takes 5 us of "
                              "stamps off a frame (0.5 % of it).");
    cost.low_ns = -100.0; /* it may cost nothing */
    assert_int_equal(passtime_advise(&made.context, list), 0);
}

static void times_that_are_not_of_stamps_get_none(void **state)
{
    struct made made;
    struct passtime_advice list[PASSTIME_ADVICE_MAX];
    (void)state;
    make(&made);
    add(&made, "a", 3000.0);
    add(&made, "b", 3000.0);
    made.snapshot.clock.source = PASSTIME_CPU_RECORD;
    assert_int_equal(passtime_advise(&made.context, list), 0);
    made.snapshot.clock.source = PASSTIME_GPU_STAMPS;
    made.snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE] = 0;
    assert_int_equal(passtime_advise(&made.context, list), 0);
}

static void long_lists_and_names_are_cut(void **state)
{
    struct made made;
    struct passtime_advice list[PASSTIME_ADVICE_MAX];
    char text[PASSTIME_ADVICE_BYTES];
    (void)state;
    make(&made);
    for (uint32_t i = 0; i < SERIES; i++)
        add(&made, "p", 1000.0);
    memset(made.series[0].name, 'x', PASSTIME_NAME_BYTES - 1);
    assert_int_equal(passtime_advise(&made.context, list), 1);
    passtime_advice_text(&made.context, &list[0], text);
    assert_non_null(strstr(text, "xxx..., p, p, p, p and 3 more are short"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_below_the_step_are_one_group),
        cmocka_unit_test(what_is_not_sure_is_not_advised),
        cmocka_unit_test(only_neighbours_are_grouped),
        cmocka_unit_test(against_what_their_stamps_cost),
        cmocka_unit_test(times_that_are_not_of_stamps_get_none),
        cmocka_unit_test(long_lists_and_names_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
