/* SPDX-License-Identifier: MIT */
/* Stands in for bench_gl_device.c where the scenes are not built. */
#include "bench.h"

bool bench_gl_device(struct bench_table *table, const struct bench_options *options)
{
    (void)options;
    bench_row_add_unknown(table, "gl.timed", "GL: frames timed to not timed", "ratio");
    return true;
}
