/* SPDX-License-Identifier: MIT */
/* A capture marks where the state of the frame's budget changes, once each, and is read back as if
 * the marks were not there. */
#include <passtime/sink.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "capture/frames.h"
#include "unit/captured.h"

static uint32_t count_text(const struct captured *m, const char *text)
{
    size_t bytes = strlen(text);
    uint32_t count = 0;
    for (size_t i = 0; i + bytes <= m->size; i++)
        count += memcmp(m->bytes + i, text, bytes) == 0;
    return count;
}

/* Over from frame 3 to 5 and from 8 on. */
static void changes_of_the_budget_are_marked(void **state)
{
    (void)state;
    static const bool over[] = {false, false, false, true, true, true, false, false, true, true};
    const passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture *c = NULL;
    assert_int_equal(captured_open(&m, &desc, &c), PASSTIME_OK);
    for (uint64_t i = 0; i < 10; i++) {
        struct made_frame made;
        made_rich(&made, i);
        made.frame.flags |= over[i] ? PASSTIME_FLAG_BUDGET_OVER : 0u;
        assert_int_equal(passtime_capture_frame(c, &made.frame), PASSTIME_OK);
    }
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(count_text(&m, "budget: over"), 2);
    assert_int_equal(count_text(&m, "budget: no longer over"), 1);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_int_equal(m.frame_count, 10);
    for (uint64_t i = 0; i < 10; i++) {
        struct made_frame made;
        made_rich(&made, i);
        made.frame.flags |= over[i] ? PASSTIME_FLAG_BUDGET_OVER : 0u;
        assert_same_frame(m.frames[i], &made.frame);
    }
    captured_finish(&m);
}

/* "a" is over in frames 2 to 4, "b" from 3 on; "a" is not in frame 4, where its state stays. */
static void changes_of_a_pass_are_marked_by_its_name(void **state)
{
    (void)state;
    static const bool a_over[] = {false, false, true, true, true, false};
    const passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture *c = NULL;
    struct made_frame made[6];
    assert_int_equal(captured_open(&m, &desc, &c), PASSTIME_OK);
    for (uint64_t i = 0; i < 6; i++) {
        uint64_t at_ns = 1000000000 + i * 16000000;
        made_begin(&made[i], i);
        if (i != 4)
            made_pass(&made[i], "a", at_ns, at_ns + 5000)->flags |=
                a_over[i] ? PASSTIME_FLAG_BUDGET_OVER : 0u;
        made_pass(&made[i], "b", at_ns + 6000, at_ns + 9000)->flags |=
            i >= 3 ? PASSTIME_FLAG_BUDGET_OVER : 0u;
        made_pass(&made[i], "a", at_ns + 9000, at_ns + 9100)->source = PASSTIME_CPU_RECORD;
        assert_int_equal(passtime_capture_frame(c, &made[i].frame), PASSTIME_OK);
    }
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(count_text(&m, "a: budget: over"), 1);
    assert_int_equal(count_text(&m, "a: budget: no longer over"), 1);
    assert_int_equal(count_text(&m, "b: budget: over"), 1);
    assert_int_equal(count_text(&m, "no longer over"), 1);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_int_equal(m.frame_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(m.frames[i]->sample_count, made[i].frame.sample_count);
        for (uint32_t s = 0; s < made[i].frame.sample_count; s++)
            assert_int_equal(m.frames[i]->samples[s].flags, made[i].samples[s].flags);
    }
    captured_finish(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_of_the_budget_are_marked),
        cmocka_unit_test(changes_of_a_pass_are_marked_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
