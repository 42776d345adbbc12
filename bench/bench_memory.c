/* SPDX-License-Identifier: MIT */
/* Memory: what a context takes, and that it takes no more however long it runs. */
#include "bench.h"

enum { EARLY_FRAMES = 1000, LATE_FRAMES = 1000000, LATE_FRAMES_QUICK = 20000 };

static void run_until(struct bench_subject *subject, uint64_t frame)
{
    while (subject->frame < frame) {
        bench_subject_frame(subject);
    }
}

/* All that a WebGPU context asked its allocator for, its backend included. */
static void add_webgpu(struct bench_table *table)
{
    static struct bench_subject subject;
    if (bench_webgpu_open(&subject, BENCH_BY_ID)) {
        bench_row_add_number(table, "memory.webgpu", "  a WebGPU context in all", "KiB", 512,
                             (double)subject.context_bytes / 1024);
        subject.close(&subject);
    }
}

bool bench_memory(struct bench_table *table, const struct bench_options *options)
{
    static struct bench_subject subject;
    if (!bench_null_open(&subject, BENCH_BY_ID, BENCH_IN_SEQUENCE, 1)) {
        return false;
    }
    bench_row_add_number(table, "memory.context", "memory of a context, 64 passes, 4 frames", "KiB",
                         512, (double)passtime_memory_bytes(subject.t) / 1024);
    add_webgpu(table);
    run_until(&subject, EARLY_FRAMES);
    struct bench_resident early = bench_resident();
    run_until(&subject, options->quick ? LATE_FRAMES_QUICK : LATE_FRAMES);
    struct bench_resident late = bench_resident();
    subject.close(&subject);
    if (early.all_kib == 0 || late.all_kib == 0) {
        bench_row_add_unknown(table, "memory.growth", "resident memory gained while frames run",
                              "KiB");
        return true;
    }
    bench_row_add_number(table, "memory.resident", "resident memory after 1,000 frames", "KiB", 0,
                         (double)early.all_kib);
    bench_row_add_number(table, "memory.growth",
                         options->quick ? "  gained by frame 20,000"
                                        : "  gained by frame 1,000,000",
                         "KiB", 0, (double)late.all_kib - (double)early.all_kib);
    bench_row_add_number(table, "memory.data_growth",
                         "  of it, pages that are not of program files", "KiB", 0,
                         (double)late.data_kib - (double)early.data_kib);
    return true;
}
