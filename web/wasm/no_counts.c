/* SPDX-License-Identifier: MIT */
/* Stands in for core/counts.c, the shader counters, which no backend of the web package brings. */
#include "core/counts.h"

void passtime_counts_ask(passtime *t, uint32_t entry, struct passtime_raw *raw)
{
    (void)t;
    (void)entry;
    (void)raw;
}

void passtime_counts_enter(passtime *t, const struct passtime_raw *raw,
                           const struct passtime_output *output)
{
    (void)t;
    (void)raw;
    (void)output;
}

void passtime_counts_finish(passtime *t)
{
    (void)t;
}
