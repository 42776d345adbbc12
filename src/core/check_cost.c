/* SPDX-License-Identifier: MIT */
/* What something adds, from measurements by turns with and without it. */
#include <passtime/check.h>

#include "core/math.h"

enum { PAIRS_LEAST = 8 };

/* Insertion sort: some hundred values, once. */
static void sort(double *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        double value = values[i];
        uint32_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

/* The interval of a median by order statistics: it takes no distribution for granted. */
static void take_median(const double *sorted, uint32_t count, passtime_check_cost *out)
{
    double reach = 0.98 * passtime_sqrt((double)count);
    uint32_t low = (uint32_t)((double)count / 2.0 - reach);
    out->ns = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0;
    out->low_ns = sorted[low];
    out->high_ns = sorted[count - 1 - low];
}

static void take_mean(const double *values, uint32_t count, passtime_check_cost *out)
{
    double n = (double)count, sum = 0.0, squares = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    out->ns = sum / n;
    for (uint32_t i = 0; i < count; i++)
        squares += (values[i] - out->ns) * (values[i] - out->ns);
    /* 2.37 standard errors suit eight values, Student's worst here, and are wide for more. */
    double error = 2.37 * passtime_sqrt(squares / (n - 1.0) / n);
    out->low_ns = out->ns - error;
    out->high_ns = out->ns + error;
}

passtime_check_cost passtime_check_difference(double *differences_ns, uint32_t count, bool means)
{
    passtime_check_cost cost = {.count = count, .known = false};
    if (!differences_ns || count < PAIRS_LEAST)
        return cost;
    cost.known = true;
    if (means) {
        take_mean(differences_ns, count, &cost);
    } else {
        sort(differences_ns, count);
        take_median(differences_ns, count, &cost);
    }
    return cost;
}
