/* SPDX-License-Identifier: MIT */
/* Making shader counters on a scripted WebGPU device. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/wgpu_counted.h"

#include <cmocka.h>

/* Making --------------------------------------------------------------------------------------- */

static void a_device_without_memory_for_counters_still_times(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        struct counted c;
        const uint64_t work[1] = {10};
        const char *const plain[1] = {"plain"};
        counted_setup(&c);
        c.rig.fake->null_buffers = way == 0;
        c.rig.fake->fail_buffers = way == 1;
        wgpu_rig_open(&c.rig);
        fake_fire(c.rig.fake);
        assert_null(passtime_webgpu_counters_buffer(c.rig.t, NULL));
        wgpu_rig_frame(&c.rig, 1, plain, work);
        assert_int_equal(counted_next(&c)->fate, PASSTIME_FRAME_COMPLETE);
        passtime_recorder *rec = passtime_frame_begin(c.rig.t, c.rig.number);
        WGPUCommandEncoder encoder = fake_app_encoder(c.rig.fake);
        wgpu_rig_pass(rec, encoder, "asks", 10);
        assert_int_equal(passtime_webgpu_counters(rec), 0);
        fake_app_submit(c.rig.fake, encoder);
        passtime_submitted(rec);
        passtime_frame_end(c.rig.t, c.rig.number++);
        counted_expect_none(&c, counted_next(&c), 0, PASSTIME_COUNTS_LOST);
        assert_true(c.rig.said[PASSTIME_LOG_QUERIES_FAILED] > 0);
        wgpu_rig_close(&c.rig);
    }
}

static void a_create_that_runs_out_of_memory_leaves_nothing(void **state)
{
    int32_t failed = 0;
    (void)state;
    for (int32_t n = 1; n < 100; n++) {
        struct counted c;
        counted_setup(&c);
        c.rig.fail_allocation = n;
        passtime_result result = passtime_create_webgpu(&c.rig.gpu, &c.rig.desc, &c.rig.t);
        if (result == PASSTIME_OK) {
            assert_true(passtime_memory_bytes(c.rig.t) > 0);
            wgpu_rig_close(&c.rig);
            break;
        }
        assert_int_equal(result, PASSTIME_NO_MEMORY);
        assert_null(c.rig.t);
        failed++;
        wgpu_rig_close(&c.rig);
    }
    assert_true(failed > 5 && failed < 98);
}

static void nothing_is_allocated_while_frames_run(void **state)
{
    struct counted c;
    (void)state;
    counted_setup(&c);
    counted_open(&c);
    const int32_t before = c.rig.allocations;
    for (uint32_t i = 0; i < 100; i++) {
        counted_one(&c, i + 1);
        counted_next(&c);
    }
    assert_int_equal(c.rig.allocations, before);
    wgpu_rig_close(&c.rig);
}

static void expect_invalid(struct counted *c)
{
    assert_int_equal(passtime_create_webgpu(&c->rig.gpu, &c->rig.desc, &c->rig.t),
                     PASSTIME_INVALID);
    assert_null(c->rig.t);
}

static void bad_descriptions_are_refused(void **state)
{
    struct counted c;
    const passtime_counter_desc nameless[1] = {{"", "steps"}};
    (void)state;
    counted_setup(&c);
    c.desc.count = 0;
    expect_invalid(&c);
    c.desc.count = PASSTIME_COUNTERS_MAX + 1;
    expect_invalid(&c);
    c.desc.count = 1;
    c.desc.size = 4;
    expect_invalid(&c);
    c.desc.size = sizeof c.desc;
    c.desc.counters = NULL;
    expect_invalid(&c);
    c.desc.counters = nameless;
    expect_invalid(&c);
    c.desc.counters = counted_names;
    c.rig.desc.max_passes = 65536;
    c.rig.desc.frames_in_flight = 64;
    expect_invalid(&c);
    assert_int_equal(c.rig.said[PASSTIME_LOG_BACKEND], 6);
    wgpu_rig_close(&c.rig);
}

static void counters_keep_their_names_and_units(void **state)
{
    struct counted c;
    passtime_counter_info info;
    const passtime_counter_desc odd[2] = {{"a\tb\xff", NULL},
                                          {"long", "0123456789012345678901234567890\xc3\xa9"}};
    (void)state;
    counted_setup(&c);
    c.desc.count = 2;
    c.desc.counters = odd;
    wgpu_rig_open(&c.rig);
    assert_int_equal(passtime_counter_count(c.rig.t), 2);
    assert_int_equal(passtime_counter(c.rig.t, 0, &info), PASSTIME_OK);
    assert_string_equal(info.name, "a b\xef\xbf\xbd");
    assert_string_equal(info.unit, "");
    assert_int_equal(passtime_counter(c.rig.t, 1, &info), PASSTIME_OK);
    assert_string_equal(info.unit, "0123456789012345678901234567890");
    assert_int_equal(passtime_counter(c.rig.t, 2, &info), PASSTIME_INVALID);
    assert_int_equal(passtime_counter_count(NULL), 0);
    wgpu_rig_close(&c.rig);
}

static void the_text_says_how_long_it_is(void **state)
{
    char whole[1024], part[16];
    (void)state;
    const size_t length = passtime_webgpu_counters_wgsl(4, 2, 9, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));
    assert_non_null(strstr(whole, "@group(2) @binding(9)"));
    assert_non_null(strstr(whole, "array<PasstimeCounter, 4>"));
    assert_int_equal(passtime_webgpu_counters_wgsl(4, 2, 9, part, sizeof part), length);
    assert_int_equal(strlen(part), sizeof part - 1);
    assert_int_equal(passtime_webgpu_counters_wgsl(4, 2, 9, NULL, 0), length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_without_memory_for_counters_still_times),
        cmocka_unit_test(a_create_that_runs_out_of_memory_leaves_nothing),
        cmocka_unit_test(nothing_is_allocated_while_frames_run),
        cmocka_unit_test(bad_descriptions_are_refused),
        cmocka_unit_test(counters_keep_their_names_and_units),
        cmocka_unit_test(the_text_says_how_long_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
