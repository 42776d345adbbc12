/* SPDX-License-Identifier: MIT */
/*
 * What the core needs of arithmetic beyond the four rules, without a mathematics library: exact
 * bucket indices on a base-2 logarithmic scale, a square root, and the quantile of Student's
 * distribution.
 */
#ifndef PASSTIME_CORE_MATH_H
#define PASSTIME_CORE_MATH_H

#include <stdint.h>

enum { PASSTIME_LOG2_STEPS = 128 }; /* steps of passtime_log2_index per octave */

/*
 * ceil(log2(value) * 128) + 127, exact for every value but 0: the number of the interval
 * (2^((i-128)/128), 2^((i-127)/128)] that holds value. It is never negative, and below 65 * 128.
 */
uint32_t passtime_log2_index(uint64_t value);

/* 2^((index-128)/128): the lower, exclusive end of that interval. */
double passtime_log2_bound(uint32_t index);

/* The square root; 0 for what is not above 0. */
double passtime_sqrt(double x);

/* The 97.5 % quantile of Student's distribution for `freedom` degrees of freedom, at least 1. */
double passtime_student(double freedom);

#endif
