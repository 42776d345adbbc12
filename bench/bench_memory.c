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

bool bench_memory(struct bench_table *table, const struct bench_options *options)
{
    static struct bench_subject subject;
    if (!bench_null_open(&subject, BENCH_BY_ID, BENCH_IN_SEQUENCE, 1)) {
        return false;
    }
    bench_row_add_number(table, "memory.context", "memory of a context, 64 passes, 4 frames", "KiB",
                         512, (double)passtime_memory_bytes(subject.t) / 1024);
    run_until(&subject, EARLY_FRAMES);
    size_t early = bench_resident_bytes();
    run_until(&subject, options->quick ? LATE_FRAMES_QUICK : LATE_FRAMES);
    size_t late = bench_resident_bytes();
    subject.close(&subject);
    const char *what = options->quick ? "resident memory gained from frame 1,000 to 20,000"
                                      : "resident memory gained from frame 1,000 to 1,000,000";
    if (early == 0 || late == 0) {
        bench_row_add_unknown(table, "memory.growth", what, "KiB");
    } else {
        bench_row_add_number(table, "memory.resident", "resident memory of the benchmark then",
                             "KiB", 0, (double)late / 1024);
        bench_row_add_number(table, "memory.growth", what, "KiB", 0,
                             ((double)late - (double)early) / 1024);
    }
    return true;
}
