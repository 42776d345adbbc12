/* SPDX-License-Identifier: MIT */
/* Stands in for bench_capture.c where captures are not built. */
#include "bench.h"

bool bench_capture(struct bench_table *table, const struct bench_options *options)
{
    (void)options;
    bench_row_add_unknown(table, "capture.ns", "capture: CPU time a sample", "ns");
    bench_row_add_unknown(table, "capture.bytes", "capture: size of a sample", "bytes");
    return true;
}
