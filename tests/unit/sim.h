/* SPDX-License-Identifier: MIT */
/*
 * Simulated durations of a pass with a known mean: correlated from frame to frame, noisy, and read
 * from a clock that is rounded down to a quantum. The same seed gives the same numbers everywhere.
 */
#ifndef PASSTIME_TESTS_SIM_H
#define PASSTIME_TESTS_SIM_H

#include <stdbool.h>
#include <stdint.h>

struct sim_random {
    uint64_t state;
    double spare;
    bool has_spare;
};

void sim_seed(struct sim_random *r, uint64_t seed);
uint64_t sim_bits(struct sim_random *r);
double sim_uniform(struct sim_random *r); /* in [0, 1) */
double sim_normal(struct sim_random *r);

struct sim_pass {
    struct sim_random random;
    double mean_ns;
    double spread; /* standard deviation over mean */
    double rho;    /* correlation of one duration with the next (first-order autoregression) */
    double white;  /* share of the variance that has no correlation, 0 to 1 */
    uint64_t quantum_ns; /* stamps are floored to multiples of it; 1: to whole nanoseconds */
    bool locked;         /* every pass begins at the same phase of the quantum */
    double phase;        /* that phase, 0 to 1 */
    double level;        /* the autoregression's state */
};

/* Begins at a random state of the autoregression. */
void sim_pass_start(struct sim_pass *p, uint64_t seed);
/* The duration of the next frame as the clock shows it. */
uint64_t sim_pass_next(struct sim_pass *p);

#endif
