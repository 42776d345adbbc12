/* SPDX-License-Identifier: MIT */
/* Shader counters in JSON: whole numbers as they are, and none that was rounded. */
#include "sink/report_counters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { EXACT = 0, BEYOND = 1, SATURATED = 2 };

static const uint64_t LAST = INT64_MAX;

/* The figures of one counter of one series as JSON, with what does not vary looked at. */
static json_t *json_of(passtime_counter_stats stats)
{
    passtime_counter_info info = {.size = sizeof info, .name = "bytes", .unit = "B"};
    stats.size = sizeof stats;
    const struct passtime_snapshot snapshot = {
        .series_count = 1, .counter_count = 1, .counters = &info, .counts = &stats};
    json_t *array = passtime_counters_json(&snapshot, 0);
    assert_int_equal(json_array_size(array), 1);
    json_t *object = json_incref(json_array_get(array, 0));
    json_decref(array);
    assert_string_equal(json_string_value(json_object_get(object, "name")), "bytes");
    return object;
}

static void expect_number(const json_t *object, const char *key, uint64_t value)
{
    const json_t *number = json_object_get(object, key);
    assert_non_null(number);
    if (value > LAST)
        assert_true(json_is_null(number));
    else
        assert_true(json_is_integer(number) && (uint64_t)json_integer_value(number) == value);
}

static void numbers_are_exact_or_absent(void **state)
{
    static const struct {
        uint64_t min, max, total;
        uint32_t what;
    } rows[] = {
        {0, 9007199254740993, 9007199254740993, EXACT},
        {1, LAST, LAST, EXACT},
        {1, 2, LAST + 1, BEYOND},
        {1, LAST + 1, LAST + 2, BEYOND},
        {LAST + 1, LAST + 1, LAST + 1, BEYOND},
        {LAST + 1, LAST + 7, UINT64_MAX, BEYOND | SATURATED},
        {1, 2, UINT64_MAX - 1, BEYOND},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *object = json_of((passtime_counter_stats){
            .flags = PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_MIN | PASSTIME_STATS_HAS_MAX,
            .count = 3,
            .min = rows[i].min,
            .max = rows[i].max,
            .total = rows[i].total});
        expect_number(object, "min", rows[i].min);
        expect_number(object, "max", rows[i].max);
        expect_number(object, "total", rows[i].total);
        expect_number(object, "count", 3);
        const json_t *beyond = json_object_get(object, "beyond_json");
        const json_t *saturated = json_object_get(object, "total_saturated");
        assert_true(json_is_boolean(beyond) && json_is_boolean(saturated));
        assert_int_equal(json_is_true(beyond), (rows[i].what & BEYOND) != 0);
        assert_int_equal(json_is_true(saturated), (rows[i].what & SATURATED) != 0);
        json_decref(object);
    }
}

/* Figures that there are none of are null too, and then nothing was beyond anything. */
static void nothing_counted_is_not_beyond(void **state)
{
    (void)state;
    json_t *object = json_of((passtime_counter_stats){.unproved = 2, .lost = 3});
    assert_true(json_is_null(json_object_get(object, "min")));
    assert_true(json_is_null(json_object_get(object, "total")));
    assert_true(json_is_false(json_object_get(object, "beyond_json")));
    assert_true(json_is_false(json_object_get(object, "total_saturated")));
    expect_number(object, "unproved", 2);
    expect_number(object, "lost", 3);
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_exact_or_absent),
        cmocka_unit_test(nothing_counted_is_not_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
