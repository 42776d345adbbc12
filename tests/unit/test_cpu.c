/* SPDX-License-Identifier: MIT */
/* The CPU backend: what it measures is exact, bears its own source, and is never GPU time. */
#include <passtime/cpu.h>

#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

static void open_cpu(struct rig *rig)
{
    rig_init(rig);
    rig->desc.budget_ns = 1; /* Would be broken by anything taken for GPU time. */
    assert_int_equal(passtime_create_cpu(&rig->desc, &rig->t), PASSTIME_OK);
}

static void pass(struct rig *rig, passtime_recorder *rec, const char *name, uint64_t length_ns)
{
    passtime_begin(rec, name);
    rig->now_ns += length_ns;
    passtime_end(rec);
}

/* Two nested passes and one after them, then the frame's end. */
static void record(struct rig *rig, uint64_t number)
{
    rig->now_ns += 16 * MS;
    passtime_recorder *rec = passtime_frame_begin(rig->t, number);
    passtime_begin(rec, "outer");
    rig->now_ns += MS;
    pass(rig, rec, "inner", 2 * MS);
    passtime_end(rec);
    pass(rig, rec, "after", 4 * MS);
    passtime_submitted(rec);
    assert_int_equal(passtime_frame_end(rig->t, number), PASSTIME_OK);
}

static void check_no_gpu_time(struct rig *rig, const passtime_frame *frame)
{
    static const passtime_total totals[] = {PASSTIME_TOTAL_BUSY, PASSTIME_TOTAL_SPAN,
                                            PASSTIME_TOTAL_SUM};
    for (uint32_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
        passtime_stats stats;
        assert_int_equal(passtime_frame_stats(rig->t, totals[i], &stats), PASSTIME_OK);
        assert_int_equal(stats.count, 0);
        assert_int_equal(stats.flags & PASSTIME_STATS_HAS_MEAN, 0);
    }
    assert_int_equal(frame->busy_ns, 0);
    assert_int_equal(frame->span_ns, 0);
    assert_int_equal(frame->sum_ns, 0);
    assert_false(frame->has_span);
    assert_false(frame->over_budget);
    assert_int_equal(rig_ledger(rig).frames_over_budget, 0);
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        assert_false(passtime_is_gpu_time(frame->samples[i].source));
        assert_int_equal(frame->samples[i].attributed_ns, 0);
    }
    passtime_clock_info clock;
    assert_int_equal(passtime_get_clock(rig->t, &clock), PASSTIME_OK);
    assert_int_equal(clock.source, PASSTIME_CPU_RECORD);
    assert_int_equal(clock.quantum_ns, 0);
}

/* The time of recording is exact, nests, and has its place on the CPU's clock. */
static void recording_is_timed(void **state)
{
    (void)state;
    struct rig rig;
    open_cpu(&rig);
    for (uint64_t i = 0; i < 50; i++) {
        record(&rig, i);
        const passtime_frame *frame = rig_next(&rig);
        assert_int_equal(frame->number, i);
        assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(frame->sample_count, 3);
        const passtime_sample *s = frame->samples;
        assert_int_equal(s[0].duration_ns, 3 * MS);
        assert_int_equal(s[0].exclusive_ns, MS);
        assert_int_equal(s[1].duration_ns, 2 * MS);
        assert_int_equal(s[1].parent, 0);
        assert_int_equal(s[2].duration_ns, 4 * MS);
        assert_int_equal(s[1].begin_ns - s[0].begin_ns, MS);
        assert_int_equal(s[2].begin_ns - s[0].begin_ns, 3 * MS);
        assert_int_equal(frame->cpu_submit_ns, 7 * MS);
        check_no_gpu_time(&rig, frame);
    }
    assert_int_equal(rig_series(&rig, "outer").source, PASSTIME_CPU_RECORD);
    assert_int_equal(rig_series(&rig, "outer/inner").stats.total_ns, 50u * 2 * MS);
    passtime_stats submit;
    assert_int_equal(passtime_frame_stats(rig.t, PASSTIME_TOTAL_CPU_SUBMIT, &submit), PASSTIME_OK);
    assert_int_equal(submit.count, 50);
    assert_int_equal(submit.max_ns, 7 * MS);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* With completions told, frames wait for them, and one sample more says how long each took. */
static void completion_is_told(void **state)
{
    (void)state;
    struct rig rig;
    open_cpu(&rig);
    passtime_cpu_wait_for_completion(rig.t, true);
    const passtime_frame *frame = NULL;
    record(&rig, 0);
    assert_int_equal(passtime_next(rig.t, &frame), PASSTIME_PENDING);
    record(&rig, 1);
    rig.now_ns += 5 * MS;
    passtime_cpu_completed(rig.t, 1);
    rig.now_ns += 1 * MS;
    frame = rig_next(&rig);
    assert_int_equal(frame->number, 1);
    assert_int_equal(frame->sample_count, 4);
    assert_string_equal(frame->samples[3].name, "(submission)");
    assert_int_equal(frame->samples[3].source, PASSTIME_CPU_COMPLETE);
    assert_int_equal(frame->samples[3].verdict, PASSTIME_GOOD);
    assert_int_equal(frame->samples[3].duration_ns, 5 * MS);
    check_no_gpu_time(&rig, frame);
    assert_int_equal(passtime_next(rig.t, &frame), PASSTIME_PENDING);
    passtime_cpu_completed(rig.t, 0);
    frame = rig_next(&rig);
    assert_int_equal(frame->number, 0);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    check_no_gpu_time(&rig, frame);
    assert_int_equal(rig_series(&rig, "(submission)").source, PASSTIME_CPU_COMPLETE);
    assert_int_equal(rig_series(&rig, "(submission)").stats.count, 2);
    passtime_cpu_completed(rig.t, 99); /* No such frame: nothing. */
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* A completion that never comes ends in time, and one told too early bounds nothing. */
static void completion_goes_wrong(void **state)
{
    (void)state;
    struct rig rig;
    open_cpu(&rig);
    passtime_cpu_wait_for_completion(rig.t, true);
    record(&rig, 0);
    rig.now_ns += 11000ull * MS;
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_NO_DATA);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_TIMED_OUT);
    passtime_recorder *rec = passtime_frame_begin(rig.t, 1);
    pass(&rig, rec, "a", MS);
    passtime_cpu_completed(rig.t, 1); /* Not submitted yet. */
    pass(&rig, rec, "b", 400ull * MS);
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 1);
    frame = rig_next(&rig);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->sample_count, 2);
    assert_int_equal(frame->samples[1].duration_ns, 400ull * MS);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* A clock that does not move between begin and end: a 0 that is measured. */
static void clock_stands_still(void **state)
{
    (void)state;
    struct rig rig;
    open_cpu(&rig);
    passtime_recorder *rec = passtime_frame_begin(rig.t, 0);
    pass(&rig, rec, "a", 0);
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 0);
    const passtime_frame *frame = rig_next(&rig);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_BELOW_RESOLUTION);
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    rig_close(&rig);
}

/* Functions of another backend do nothing to a context that is not theirs. */
static void foreign_contexts(void **state)
{
    (void)state;
    struct rig rig;
    open_cpu(&rig);
    passtime_recorder *rec = passtime_frame_begin(rig.t, 0);
    assert_int_equal(passtime_feed_pass(rec, "a"), PASSTIME_NONE);
    assert_int_equal(passtime_feed_set_tick(rig.t, 1, 1), PASSTIME_INVALID);
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    assert_int_equal(passtime_feed_results_ready(rig.t, 0, &results), PASSTIME_INVALID);
    passtime_feed_lost(rig.t, true);
    passtime_submitted(rec);
    passtime_frame_end(rig.t, 0);
    assert_int_equal(rig_next(&rig)->fate, PASSTIME_FRAME_EMPTY);
    rig_close(&rig);
    rig_init(&rig);
    rig_open(&rig);
    passtime_cpu_wait_for_completion(rig.t, true);
    passtime_cpu_completed(rig.t, 0);
    passtime_cpu_wait_for_completion(NULL, true);
    passtime_cpu_completed(NULL, 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recording_is_timed),    cmocka_unit_test(completion_is_told),
        cmocka_unit_test(completion_goes_wrong), cmocka_unit_test(clock_stands_still),
        cmocka_unit_test(foreign_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
