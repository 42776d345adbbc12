/* SPDX-License-Identifier: MIT */
/*
 * The comparison of runs against known truths: runs of the same distribution differ as rarely as
 * the interval says, a known slowdown is found, and two runs alone do not pretend to know how runs
 * spread.
 */
#include "page/compare.h"
#include "unit/sim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { TRIALS = 4000 };

/* How runs are: a true mean, what differs from run to run, and the error within a run. */
struct world {
    double mean_ns, spread_ns, error_ns;
};

static void add_runs(struct sim_random *sim, struct passtime_compare_side *side, uint32_t count,
                     const struct world *world)
{
    memset(side, 0, sizeof *side);
    for (uint32_t i = 0; i < count; i++) {
        double mean =
            world->mean_ns + world->spread_ns * sim_normal(sim) + world->error_ns * sim_normal(sim);
        passtime_compare_add(side, mean, world->error_ns);
    }
}

struct rates {
    double slower, faster; /* parts of the trials */
};

static struct rates rates_of(uint32_t base_runs, uint32_t new_runs, const struct world *base,
                             const struct world *now, double above)
{
    struct sim_random sim;
    sim_seed(&sim, 20261130 + base_runs * 100 + new_runs);
    struct rates rates = {0.0, 0.0};
    for (int i = 0; i < TRIALS; i++) {
        struct passtime_compare_side before, after;
        add_runs(&sim, &before, base_runs, base);
        add_runs(&sim, &after, new_runs, now);
        struct passtime_difference d = passtime_compare(&before, &after);
        assert_true(d.known);
        assert_true(d.low_ns <= d.high_ns);
        rates.slower += d.low_ns > above * d.base_ns ? 1.0 / TRIALS : 0.0;
        rates.faster += d.high_ns < 0.0 ? 1.0 / TRIALS : 0.0;
    }
    return rates;
}

/* Each side of the interval is missed in 2.5 % of the trials: within four standard errors of it,
 * and not much rarer where the errors within runs are small beside the spread. */
static void false_alarms_are_as_rare_as_stated(void **state)
{
    (void)state;
    static const struct {
        uint32_t base, now;
    } rows[] = {{1, 2}, {2, 1}, {2, 2}, {3, 3}, {5, 1}, {10, 10}};
    const struct world world = {1e6, 5e4, 100.0};
    const double most = 0.025 + 4.0 * sqrt(0.025 * 0.975 / TRIALS);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rates rates = rates_of(rows[i].base, rows[i].now, &world, &world, 0.0);
        assert_true(rates.slower <= most && rates.faster <= most);
        assert_true(rates.slower >= 0.010 && rates.faster >= 0.010);
        rates = rates_of(rows[i].base, rows[i].now, &world, &world, 0.1);
        assert_true(rates.slower <= most);
    }
}

/* Where runs do not spread, two runs are enough; where they do, two runs raise false alarms, which
 * is why it is said that the spread is not known. */
static void single_runs(void **state)
{
    (void)state;
    const struct world quiet = {1e6, 0.0, 1e4};
    const struct world spread = {1e6, 5e4, 1e4};
    const double most = 0.025 + 4.0 * sqrt(0.025 * 0.975 / TRIALS);
    struct rates rates = rates_of(1, 1, &quiet, &quiet, 0.0);
    assert_true(rates.slower <= most && rates.slower >= 0.010);
    assert_true(rates_of(1, 1, &spread, &spread, 0.0).slower > 0.2);
    struct passtime_compare_side one = {1, {1e6}, {1e4}}, none = {0};
    assert_false(passtime_compare(&one, &one).has_spread);
    assert_false(passtime_compare(&one, &none).known);
    struct passtime_compare_side no_error = {1, {1e6}, {-1.0}};
    assert_false(passtime_compare(&one, &no_error).known);
    struct passtime_compare_side two = {2, {1e6, 1.1e6}, {-1.0, -1.0}};
    assert_true(passtime_compare(&two, &no_error).known);
    assert_true(passtime_compare(&two, &no_error).has_spread);
}

/* A fifth slower, with runs that spread by 3 %: found in nearly every comparison of five runs with
 * five, and said to be slower by more than a tenth in most. */
static void a_slowdown_is_found(void **state)
{
    (void)state;
    const struct world base = {1e6, 3e4, 5e3}, now = {1.2e6, 3e4, 5e3};
    assert_true(rates_of(5, 5, &base, &now, 0.0).slower > 0.99);
    assert_true(rates_of(5, 5, &base, &now, 0.1).slower > 0.9);
    assert_true(rates_of(5, 5, &base, &now, 0.2).slower < 0.05);
    assert_true(rates_of(5, 5, &now, &base, 0.0).faster > 0.99);
}

/* Runs that happen to agree do not make the interval narrower than their own errors. */
static void never_narrower_than_the_errors(void **state)
{
    (void)state;
    struct passtime_compare_side base = {2, {1e6, 1e6}, {1e5, 1e5}};
    struct passtime_difference d = passtime_compare(&base, &base);
    assert_true(d.high_ns - d.low_ns > 2.0 * 1.96 * 1e5);
    assert_true(fabs(d.high_ns + d.low_ns) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(false_alarms_are_as_rare_as_stated),
        cmocka_unit_test(single_runs),
        cmocka_unit_test(a_slowdown_is_found),
        cmocka_unit_test(never_narrower_than_the_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
