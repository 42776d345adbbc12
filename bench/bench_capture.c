/* SPDX-License-Identifier: MIT */
#include "bench.h"

bool bench_capture(struct bench_table *table, const struct bench_options *options)
{
    (void)options;
    bench_row_add_unknown(table, "capture.bytes", "capture, bytes a sample", "bytes");
    return true;
}
