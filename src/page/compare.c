/* SPDX-License-Identifier: MIT */
#include "page/compare.h"

#include "core/math.h"

static const double normal_975 = 1.959964;

void passtime_compare_add(struct passtime_compare_side *side, double mean_ns, double error_ns)
{
    if (side->count == PASSTIME_COMPARE_RUNS_MAX)
        return;
    side->means_ns[side->count] = mean_ns;
    side->errors_ns[side->count] = error_ns;
    side->count++;
}

static double mean_of(const struct passtime_compare_side *side)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < side->count; i++)
        sum += side->means_ns[i];
    return sum / side->count;
}

static double squares_about(const struct passtime_compare_side *side, double mean)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < side->count; i++)
        sum += (side->means_ns[i] - mean) * (side->means_ns[i] - mean);
    return sum;
}

/* Adds up the squared errors within runs, where they are known; returns how many are. */
static uint32_t add_errors(const struct passtime_compare_side *side, double *sum)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < side->count; i++) {
        if (side->errors_ns[i] < 0.0)
            continue;
        *sum += side->errors_ns[i] * side->errors_ns[i];
        known++;
    }
    return known;
}

struct passtime_difference passtime_compare(const struct passtime_compare_side *base,
                                            const struct passtime_compare_side *now)
{
    struct passtime_difference d = {false, false, 0.0, 0.0, 0.0, 0.0};
    if (base->count == 0 || now->count == 0)
        return d;
    d.base_ns = mean_of(base);
    d.new_ns = mean_of(now);
    double within = 0.0;
    uint32_t known = add_errors(base, &within);
    known += add_errors(now, &within);
    within = known > 0 ? within / known : 0.0;
    double half_ns;
    uint32_t freedom = base->count + now->count - 2;
    if (freedom > 0) {
        double spread = (squares_about(base, d.base_ns) + squares_about(now, d.new_ns)) / freedom;
        double variance = spread > within ? spread : within;
        double parts = 1.0 / base->count + 1.0 / now->count;
        half_ns = passtime_student(freedom) * passtime_sqrt(variance * parts);
        d.has_spread = true;
    } else if (known == 2) {
        half_ns = normal_975 * passtime_sqrt(2.0 * within);
    } else {
        return d;
    }
    d.known = true;
    d.low_ns = d.new_ns - d.base_ns - half_ns;
    d.high_ns = d.new_ns - d.base_ns + half_ns;
    return d;
}
