/* SPDX-License-Identifier: MIT */
/* The whole check against a simulated device, exact and with stamps rounded as Dawn rounds them:
 * what it says of the device must be true of it. */
#include "cli/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double minimal_ns = 400.0; /* an empty pass */
static const double part_ns = 9000.0;   /* of one part at scale 1 */
static const double stamps_ns = 250.0;  /* what a pair of stamps adds */
static const double quantum_ns = 65536.0;
static const uint64_t allowed_ns = 60000000000u;

struct device {
    double now_ns;
    double quantum_ns; /* 1: exact */
    uint32_t scale[PASSTIME_CHECK_KINDS_MAX];
    uint64_t random;
};

static double random_part(struct device *device)
{
    device->random = device->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(device->random >> 11) / 9007199254740992.0;
}

static double stamp(const struct device *device)
{
    return floor(device->now_ns / device->quantum_ns) * device->quantum_ns;
}

static bool frame(void *user, struct check_pass *passes, uint32_t count, struct check_cpu *cpu)
{
    struct device *device = user;
    device->now_ns += 2e5 + 1e6 * random_part(device);
    double from_ns = device->now_ns;
    for (uint32_t i = 0; i < count; i++) {
        struct check_pass *pass = &passes[i];
        double length_ns = minimal_ns + part_ns * pass->parts * device->scale[pass->kind];
        device->now_ns += pass->timed ? stamps_ns / 2.0 : 0.0;
        pass->begin_ns = stamp(device);
        device->now_ns += length_ns * (1.0 + 0.02 * random_part(device));
        pass->end_ns = stamp(device);
        device->now_ns += pass->timed ? stamps_ns / 2.0 : 0.0;
        pass->good = pass->timed;
    }
    *cpu = (struct check_cpu){.submit_ns = device->now_ns - from_ns + 3e4,
                              .passes_ns = 100.0 * count,
                              .frame_ns = 2000.0,
                              .collect_ns = 3000.0};
    return true;
}

static void set_scale(void *user, enum check_kind kind, uint32_t scale)
{
    ((struct device *)user)->scale[kind] = scale;
}

static struct check_outcome check(double quantum, uint64_t minimal)
{
    struct device device = {.now_ns = 1e9, .quantum_ns = quantum, .random = 1, .scale = {1, 1}};
    struct check_device plan = {
        .user = &device, .kind_count = 2, .frame = frame, .set_scale = set_scale};
    struct check_outcome out = {.input = PASSTIME_CHECK_INPUT_INIT};
    out.input.feature = true;
    out.input.minimal_samples = out.input.minimal_good = 768;
    out.input.quantum_ns = (uint64_t)quantum;
    out.input.minimal_ns = minimal;
    check_run(&plan, allowed_ns, &out);
    assert_true(out.run);
    return out;
}

static void expect_proved(const struct check_outcome *out)
{
    assert_int_equal(out->verdict.reason, PASSTIME_CHECK_PROVED);
    assert_int_equal(out->verdict.method, PASSTIME_CHECK_STAMPS);
    assert_true(out->verdict.has_finest);
    for (uint32_t i = 0; i < 2; i++) {
        const passtime_check_kind_verdict *kind = &out->verdict.kinds[i];
        assert_int_equal(kind->boundary, PASSTIME_CHECK_HOLDS);
        assert_true(kind->cover_ratio > 0.9 && kind->cover_ratio < 1.1);
    }
}

static void an_exact_device_is_proved_and_its_stamps_cost_what_they_cost(void **state)
{
    (void)state;
    struct check_outcome out = check(1.0, 400);
    expect_proved(&out);
    assert_true(out.pair_cost.known && out.input.has_pair_cost);
    assert_true(out.pair_cost.low_ns <= stamps_ns && stamps_ns <= out.pair_cost.high_ns + 20.0);
    assert_true(out.verdict.finest_ns > 2000.0 && out.verdict.finest_ns < 3000.0);
}

/* The mean of minimal passes is what the probe hands over there: see probe_prepare_check. */
static void on_rounded_stamps_the_finest_pass_is_one_by_its_mean(void **state)
{
    (void)state;
    struct check_outcome out = check(quantum_ns, 400);
    expect_proved(&out);
    assert_true(out.pair_cost.known);
    assert_true(out.pair_cost.low_ns < stamps_ns && stamps_ns < out.pair_cost.high_ns);
    assert_true(out.pair_cost.high_ns - out.pair_cost.low_ns > 100.0); /* said to be unsure */
    assert_true(out.verdict.finest_ns >= quantum_ns / 11.0);
    assert_true(out.verdict.finest_ns < quantum_ns / 2.0);
    if (out.pair_cost.low_ns <= 0.0)
        assert_true(out.verdict.finest_ns <
                    quantum_ns / 10.9); /* a cost of nothing bounds nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_device_is_proved_and_its_stamps_cost_what_they_cost),
        cmocka_unit_test(on_rounded_stamps_the_finest_pass_is_one_by_its_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
