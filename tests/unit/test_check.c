/* SPDX-License-Identifier: MIT */
/* The judgement of `probe --check` on scripted numbers: each step of the proof, held and failed. */
#include <passtime/check.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The cmocka of Debian 12 compares floats only. */
static void near(double value, double expected, double within)
{
    assert_true(value >= expected - within && value <= expected + within);
}

/* Five steps of 1, 2, 4, 8 and 16 parts, half a millisecond each, 0.1 ms of start. */
static passtime_check_kind sound_kind(void)
{
    passtime_check_kind kind = {.step_count = 5,
                                .parts = 4,
                                .order_count = 9,
                                .other_parts = 16,
                                .alone_ns = 2.1e6,
                                .after_other_ns = 2.2e6,
                                .before_other_ns = 8.1e6};
    for (uint32_t i = 0; i < kind.step_count; i++) {
        double ns = 1e5 + 5e5 * (double)(1u << i);
        kind.steps[i] = (passtime_check_step){
            .parts = 1u << i, .count = {6, 6}, .gpu_ns = {ns, ns * 1.05}, .cpu_ns = {ns, ns}};
    }
    return kind;
}

static passtime_check_input sound(void)
{
    passtime_check_input input = PASSTIME_CHECK_INPUT_INIT;
    input.feature = true;
    input.minimal_samples = 384;
    input.minimal_good = 384;
    input.quantum_ns = 1;
    input.minimal_ns = 700;
    input.has_pair_cost = true;
    input.pair_cost_ns = 400.0;
    input.kinds[0] = sound_kind();
    input.kinds[1] = sound_kind();
    return input;
}

static passtime_check_verdict judge(const passtime_check_input *input)
{
    passtime_check_verdict verdict;
    assert_int_equal(passtime_check_judge(input, &verdict), PASSTIME_OK);
    return verdict;
}

static void expect(const passtime_check_input *input, passtime_check_method method,
                   passtime_check_reason reason)
{
    passtime_check_verdict verdict = judge(input);
    assert_string_equal(passtime_check_reason_name(verdict.reason),
                        passtime_check_reason_name(reason));
    assert_string_equal(passtime_check_method_name(verdict.method),
                        passtime_check_method_name(method));
    assert_int_equal(verdict.can_measure,
                     method == PASSTIME_CHECK_STAMPS || method == PASSTIME_CHECK_ELAPSED);
}

static void a_sound_device_is_proved(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    passtime_check_verdict verdict = judge(&input);
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_PROVED);
    assert_int_equal(verdict.stamps, PASSTIME_CHECK_HOLDS);
    for (uint32_t i = 0; i < PASSTIME_CHECK_KINDS_MAX; i++) {
        const passtime_check_kind_verdict *kind = &verdict.kinds[i];
        assert_int_equal(kind->rises, PASSTIME_CHECK_HOLDS);
        assert_int_equal(kind->linear, PASSTIME_CHECK_HOLDS);
        assert_int_equal(kind->repeats, PASSTIME_CHECK_HOLDS);
        assert_int_equal(kind->boundary, PASSTIME_CHECK_HOLDS);
        near(kind->rank, 1.0, 1e-12);
        near(kind->slope_ns, 512500.0, 1.0);
        assert_true(kind->linear_error < 1e-9);
        near(kind->repeat_error, 0.05 / 1.05, 1e-9);
        near(kind->order_ratio, 22.0 / 21.0, 1e-12);
    }
    input.source = PASSTIME_GPU_ELAPSED;
    input.kinds[1].step_count = 0;
    expect(&input, PASSTIME_CHECK_ELAPSED, PASSTIME_CHECK_PROVED);
}

static void without_the_feature_the_cpu_or_counters_remain(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    input.feature = false;
    expect(&input, PASSTIME_CHECK_CPU_SUBMIT, PASSTIME_CHECK_NO_FEATURE);
    for (uint32_t i = 0; i < 5; i++)
        input.kinds[1].steps[i].cpu_ns[0] = input.kinds[1].steps[i].cpu_ns[1] = 3e6;
    expect(&input, PASSTIME_CHECK_COUNTERS, PASSTIME_CHECK_NO_FEATURE);
    input.kinds[0].step_count = input.kinds[1].step_count = 0;
    expect(&input, PASSTIME_CHECK_NOTHING, PASSTIME_CHECK_NO_FEATURE);
}

static void stamps_that_are_missing_prove_nothing(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    input.minimal_good = 192; /* half is not most */
    expect(&input, PASSTIME_CHECK_CPU_SUBMIT, PASSTIME_CHECK_NO_STAMPS);
    input.minimal_good = 193;
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_PROVED);
    input.minimal_samples = input.minimal_good = 0;
    expect(&input, PASSTIME_CHECK_NOT_TOLD, PASSTIME_CHECK_TOO_LITTLE);
}

static void times_that_do_not_rise_are_found(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    for (uint32_t i = 0; i < 5; i++) /* as a clock that does not run */
        input.kinds[0].steps[i].gpu_ns[0] = input.kinds[0].steps[i].gpu_ns[1] = 5e5;
    assert_int_equal(judge(&input).kinds[0].rises, PASSTIME_CHECK_FAILS);
    expect(&input, PASSTIME_CHECK_STAMPS,
           PASSTIME_CHECK_BOUNDARY_UNTRUE); /* the other kind rises */
    input.kinds[1] = input.kinds[0];
    expect(&input, PASSTIME_CHECK_CPU_SUBMIT, PASSTIME_CHECK_NOT_RISING);
    near(judge(&input).kinds[0].rank, 0.0, 1e-12);

    input = sound();
    for (uint32_t i = 0; i < 5; i++)
        input.kinds[0].steps[i].gpu_ns[0] = input.kinds[0].steps[i].gpu_ns[1] = 1e6 - 1e5 * i;
    near(judge(&input).kinds[0].rank, -1.0, 1e-12);

    input = sound(); /* two neighbours changed places: rank 0.9 */
    input.kinds[0].steps[0].gpu_ns[0] = input.kinds[0].steps[0].gpu_ns[1] = 1.2e6;
    near(judge(&input).kinds[0].rank, 0.9, 1e-12);
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_PROVED);
}

static void equal_times_share_their_rank(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    double tie = input.kinds[0].steps[1].gpu_ns[0];
    input.kinds[0].steps[0].gpu_ns[0] = tie;
    input.kinds[0].steps[0].gpu_ns[1] = input.kinds[0].steps[1].gpu_ns[1];
    /* Ranks 1.5, 1.5, 3, 4, 5 against 1 to 5. */
    near(judge(&input).kinds[0].rank, 0.9746794, 1e-6);
}

static void times_out_of_proportion_and_runs_that_disagree_are_doubted(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    for (uint32_t i = 0; i < 4; i++) /* a step: nothing, then all at once */
        input.kinds[1].steps[i].gpu_ns[0] = input.kinds[1].steps[i].gpu_ns[1] = 1e4 + i;
    near(judge(&input).kinds[1].cover_ratio, 1.2, 0.2);
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_NOT_LINEAR);

    input = sound();
    input.kinds[0].steps[2].gpu_ns[1] = 1.4 * input.kinds[0].steps[2].gpu_ns[0];
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_PROVED);
    input.kinds[0].steps[2].gpu_ns[1] = 1.6 * input.kinds[0].steps[2].gpu_ns[0];
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_NOT_REPEATABLE);
    near(judge(&input).kinds[0].repeat_error, 0.375, 1e-9);
    /* The same difference within four steps of the clock is rounding. */
    input.quantum_ns = 400000;
    assert_int_equal(judge(&input).kinds[0].repeats, PASSTIME_CHECK_HOLDS);
}

/* Lavapipe takes a compute pass's begin late when a render pass came before it. */
static void a_begin_that_is_stamped_late_is_found(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    input.kinds[0].after_other_ns = 2e4;
    passtime_check_verdict verdict = judge(&input);
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_BOUNDARY_UNTRUE);
    assert_int_equal(verdict.kinds[0].boundary, PASSTIME_CHECK_FAILS);
    assert_int_equal(verdict.kinds[1].boundary, PASSTIME_CHECK_HOLDS);
    input.kinds[0].after_other_ns = 8.1e6 + 2.1e6; /* stamped early: the other's time is in it */
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_BOUNDARY_UNTRUE);
    input.kinds[0].order_count = 2;
    assert_int_equal(judge(&input).kinds[0].boundary, PASSTIME_CHECK_UNKNOWN);
    assert_false(judge(&input).kinds[0].has_order);
}

/* It does so too where the work is the first dispatch of the pass: what is stamped then rises, and
 * is a thousandth of the work. */
static void stamps_that_leave_work_out_are_found(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    for (uint32_t i = 0; i < 5; i++)
        input.kinds[0].steps[i].gpu_ns[0] = input.kinds[0].steps[i].gpu_ns[1] =
            7e3 + 500.0 * (double)(1u << i);
    passtime_check_verdict verdict = judge(&input);
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_BOUNDARY_UNTRUE);
    assert_int_equal(verdict.kinds[0].rises, PASSTIME_CHECK_HOLDS);
    assert_int_equal(verdict.kinds[0].covers, PASSTIME_CHECK_FAILS);
    assert_int_equal(verdict.kinds[0].boundary, PASSTIME_CHECK_FAILS);
    near(verdict.kinds[0].cover_ratio, 0.001, 1e-9);
    assert_int_equal(verdict.kinds[1].covers, PASSTIME_CHECK_HOLDS);
    input.kinds[1] = input.kinds[0]; /* no kind is left that can be timed */
    expect(&input, PASSTIME_CHECK_CPU_SUBMIT, PASSTIME_CHECK_BOUNDARY_UNTRUE);
    /* Without the CPU's times it can't be told. */
    for (uint32_t i = 0; i < 10; i++)
        input.kinds[i / 5].steps[i % 5].cpu_ns[0] = 0.0;
    assert_int_equal(judge(&input).kinds[0].covers, PASSTIME_CHECK_UNKNOWN);
    assert_false(judge(&input).kinds[0].has_cover);
}

/* A busy machine: what two runs of the same work differ by, a boundary may seem to be off by. */
static void runs_that_disagree_condemn_no_boundary(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    for (uint32_t i = 0; i < 5; i++)
        input.kinds[0].steps[i].cpu_ns[0] = input.kinds[0].steps[i].cpu_ns[1] =
            2.25 * input.kinds[0].steps[i].gpu_ns[0];
    input.kinds[0].after_other_ns = 2.4 * input.kinds[0].alone_ns;
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_BOUNDARY_UNTRUE);
    input.kinds[0].steps[1].gpu_ns[1] = 2.5 * input.kinds[0].steps[1].gpu_ns[0];
    passtime_check_verdict verdict = judge(&input);
    near(verdict.kinds[0].repeat_error, 0.6, 1e-9);
    assert_int_equal(verdict.kinds[0].covers, PASSTIME_CHECK_UNKNOWN);
    assert_int_equal(verdict.kinds[0].boundary, PASSTIME_CHECK_UNKNOWN);
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_NOT_REPEATABLE);
    input.kinds[0].after_other_ns = 5.5 * input.kinds[0].alone_ns; /* beyond what they differ by */
    expect(&input, PASSTIME_CHECK_STAMPS, PASSTIME_CHECK_BOUNDARY_UNTRUE);
}

static void what_was_not_measured_is_unknown(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    input.kinds[0].steps[3].count[1] = 2;
    passtime_check_verdict verdict = judge(&input);
    expect(&input, PASSTIME_CHECK_NOT_TOLD, PASSTIME_CHECK_TOO_LITTLE);
    assert_int_equal(verdict.kinds[0].rises, PASSTIME_CHECK_UNKNOWN);
    assert_false(verdict.kinds[0].has_rank || verdict.kinds[0].has_slope ||
                 verdict.kinds[0].has_repeat);
    assert_false(verdict.has_finest);
    /* Nor are the CPU's times, that do not rise either, a reason for counters. */
    for (uint32_t i = 0; i < 5; i++)
        input.kinds[0].steps[i].cpu_ns[0] = input.kinds[0].steps[i].cpu_ns[1] = 3e6;
    expect(&input, PASSTIME_CHECK_NOT_TOLD, PASSTIME_CHECK_TOO_LITTLE);
    input.kinds[0].step_count = input.kinds[1].step_count = 0;
    expect(&input, PASSTIME_CHECK_NOT_TOLD, PASSTIME_CHECK_TOO_LITTLE);
    input.feature = false; /* its want is told all the same */
    expect(&input, PASSTIME_CHECK_NOTHING, PASSTIME_CHECK_NO_FEATURE);
}

static void the_finest_pass_is_bounded_by_three_things(void **state)
{
    (void)state;
    passtime_check_input input = sound();
    near(judge(&input).finest_ns, 4000.0, 1e-9); /* ten times the stamps' cost */
    input.has_pair_cost = false;
    near(judge(&input).finest_ns, 1400.0, 1e-9); /* twice a minimal pass */
    input.quantum_ns = 65536;
    near(judge(&input).finest_ns, 65536.0 / 11.0, 1e-9);
    input.quantum_ns = 0; /* not known: no figure */
    assert_false(judge(&input).has_finest);
    near(judge(&input).finest_ns, 0.0, 0.0);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    passtime_check_verdict verdict;
    passtime_check_input input = sound();
    assert_int_equal(passtime_check_judge(NULL, &verdict), PASSTIME_INVALID);
    assert_int_equal(passtime_check_judge(&input, NULL), PASSTIME_INVALID);
    input.size--;
    assert_int_equal(passtime_check_judge(&input, &verdict), PASSTIME_INVALID);
    input = sound();
    input.kinds[0].step_count = PASSTIME_CHECK_STEPS_MAX + 1;
    assert_int_equal(passtime_check_judge(&input, &verdict), PASSTIME_INVALID);
    input = sound();
    input.kinds[1].steps[4].gpu_ns[0] = (double)NAN;
    assert_int_equal(passtime_check_judge(&input, &verdict), PASSTIME_INVALID);
    input = sound();
    input.kinds[1].steps[4].parts = 8; /* not above the step before */
    assert_int_equal(passtime_check_judge(&input, &verdict), PASSTIME_INVALID);
    input = sound();
    input.pair_cost_ns = (double)INFINITY;
    assert_int_equal(passtime_check_judge(&input, &verdict), PASSTIME_INVALID);
}

static void a_cost_is_the_middle_of_the_differences(void **state)
{
    (void)state;
    double values[101];
    for (uint32_t i = 0; i < 101; i++)
        values[i] = (double)((i * 37) % 101) - 20.0; /* -20 … 80 in some order */
    passtime_check_cost cost = passtime_check_difference(values, 101, false);
    assert_true(cost.known);
    near(cost.ns, 30.0, 1e-12);
    near(cost.low_ns, 20.0, 1e-12);
    near(cost.high_ns, 40.0, 1e-12);
    cost = passtime_check_difference(values, 101, true);
    near(cost.ns, 30.0, 1e-9);
    near(cost.high_ns - cost.ns, 2.37 * 29.300 / 10.050, 0.01);
    cost = passtime_check_difference(values, 7, false);
    assert_false(cost.known);
    cost = passtime_check_difference(values, 8, false);
    assert_true(cost.low_ns <= cost.ns && cost.ns <= cost.high_ns);
    near(cost.low_ns, -19.0, 1e-12); /* the second of eight */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_device_is_proved),
        cmocka_unit_test(without_the_feature_the_cpu_or_counters_remain),
        cmocka_unit_test(stamps_that_are_missing_prove_nothing),
        cmocka_unit_test(times_that_do_not_rise_are_found),
        cmocka_unit_test(equal_times_share_their_rank),
        cmocka_unit_test(times_out_of_proportion_and_runs_that_disagree_are_doubted),
        cmocka_unit_test(a_begin_that_is_stamped_late_is_found),
        cmocka_unit_test(stamps_that_leave_work_out_are_found),
        cmocka_unit_test(runs_that_disagree_condemn_no_boundary),
        cmocka_unit_test(what_was_not_measured_is_unknown),
        cmocka_unit_test(the_finest_pass_is_bounded_by_three_things),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(a_cost_is_the_middle_of_the_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
