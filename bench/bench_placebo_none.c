/* SPDX-License-Identifier: MIT */
/* Stands in for bench_placebo.c where libplacebo is not there. */
#include "bench_gl_device.h"

bool bench_placebo(struct bench_table *table, const struct bench_options *options, struct gl *gl)
{
    (void)options;
    (void)gl;
    bench_row_add_unknown(table, "placebo.pl_timer", "GL: libplacebo's pl_timer", "ns/pass");
    bench_note(table, "libplacebo's pl_timer is not measured: no libplacebo (Debian: "
                      "libplacebo-dev) when this was built.");
    return true;
}
