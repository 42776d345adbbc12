/* SPDX-License-Identifier: MIT */
/* Stands in for bench_gpu.c where there is no WebGPU library. */
#include "bench.h"

bool bench_gpu(struct bench_table *table, const struct bench_options *options)
{
    (void)options;
    bench_row_add_unknown(table, "gpu.timed", "device: frames timed to not timed", "ratio");
    return true;
}
