/* SPDX-License-Identifier: MIT */
/*
 * A simulated GPU under random mixes of every fault. Two properties: no false sample (a good one is
 * just what the GPU did), and nothing is lost silently. `make truth` runs a million such frames.
 */
#include "unit/faulty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void run_world(uint64_t seed, uint32_t fault_percent, uint64_t quantum_ns, uint32_t bits,
                      uint64_t num, uint64_t den)
{
    const struct faulty_gpu gpu = {fault_percent, quantum_ns, bits, num, den};
    struct faulty_outcome out = faulty_run(&gpu, seed, 20000);
    assert_int_equal(out.false_samples, 0);
    assert_true(out.good_samples > (fault_percent < 50 ? 20000 : 1000)); /* The test has teeth. */
    assert_true(out.books_balance);
}

static void no_faults(void **state)
{
    (void)state;
    run_world(1, 0, 1, 64, 1, 1);
    run_world(2, 0, 65536, 64, 1, 1);
    run_world(3, 0, 1, 36, 1, 1);
}

static void some_faults(void **state)
{
    (void)state;
    run_world(11, 5, 1, 64, 1, 1);
    run_world(12, 20, 65536, 64, 1, 1);
    run_world(13, 20, 100000, 64, 1, 1);
    run_world(14, 20, 1, 36, 1, 1);
    run_world(15, 20, 1, 48, 625, 12);
}

static void mostly_faults(void **state)
{
    (void)state;
    run_world(21, 80, 1, 64, 1, 1);
    run_world(22, 80, 65536, 64, 1, 1);
    run_world(23, 80, 1, 40, 8333, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_faults),
        cmocka_unit_test(some_faults),
        cmocka_unit_test(mostly_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
