/* SPDX-License-Identifier: MIT */
/*
 * Raw counter values: masked, subtracted and scaled, in integers only. A double holds 53 bits,
 * which a nanosecond counter outgrows in 104 days and a float in 17 ms, so none ever holds an
 * absolute time.
 */
#ifndef PASSTIME_CORE_TICKS_H
#define PASSTIME_CORE_TICKS_H

#include "core/backend.h"

#include <stdbool.h>
#include <stdint.h>

/* The valid bits of a counter, all ones; 64 and more: all bits. */
static inline uint64_t passtime_ticks_mask(uint32_t valid_bits)
{
    return valid_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << valid_bits) - 1;
}

/* end - begin modulo 2^valid_bits, whatever stands in the bits above. */
static inline uint64_t passtime_ticks_sub(uint64_t end, uint64_t begin, uint32_t valid_bits)
{
    return (end - begin) & passtime_ticks_mask(valid_bits);
}

/* As passtime_ticks_to_ns, the long way. */
bool passtime_ticks_scale(uint64_t ticks, struct passtime_unit unit, uint64_t *ns);

/* ticks as nanoseconds, exactly, rounded half up. False: the unit is not known or *ns would
 * overflow; *ns is untouched then. */
static inline bool passtime_ticks_to_ns(uint64_t ticks, struct passtime_unit unit, uint64_t *ns)
{
    if (unit.num == unit.den && unit.num != 0) {
        *ns = ticks;
        return true;
    }
    return passtime_ticks_scale(ticks, unit, ns);
}

/* How many whole ticks fit into ns (rounded down). False as above. */
bool passtime_ns_to_ticks(uint64_t ns, struct passtime_unit unit, uint64_t *ticks);

/* How long the counter runs until it wraps, nanoseconds rounded down; UINT64_MAX: longer than that
 * holds, or not known. */
uint64_t passtime_ticks_period_ns(uint32_t valid_bits, struct passtime_unit unit);

/* passtime_front_unit() of core/backend.h is defined here too. */

#endif
