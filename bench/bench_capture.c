/* SPDX-License-Identifier: MIT */
/* What a capture costs: judged frames handed to one whose bytes are counted and dropped. */
#include "bench.h"

#include <passtime/sink.h>

#include <stdio.h>

struct count {
    passtime_capture *capture;
    uint64_t bytes;
    uint64_t cpu_ns; /* in passtime_capture_frame */
};

static bool count_bytes(void *user, const void *data, size_t bytes)
{
    struct count *count = user;
    (void)data;
    count->bytes += bytes;
    return true;
}

static void add_to_capture(struct bench_subject *subject, const passtime_frame *frame)
{
    struct count *count = subject->taken_user;
    uint64_t begin_ns = bench_cpu_ns();
    (void)passtime_capture_frame(count->capture, frame);
    count->cpu_ns += bench_cpu_ns() - begin_ns;
}

/* Of the CPU time, a reading of the thread's clock a frame is the benchmark's own. */
static double clock_cost_ns(void)
{
    enum { READINGS = 1000 };
    uint64_t begin_ns = bench_cpu_ns();
    for (uint32_t i = 0; i < READINGS; i++) {
        (void)bench_cpu_ns();
    }
    return (double)(bench_cpu_ns() - begin_ns) / READINGS;
}

static void measure(struct bench_subject *subject, struct count *count, uint32_t frames,
                    double *ns_per_sample, double *bytes_per_sample)
{
    uint64_t bytes = count->bytes;
    uint64_t cpu_ns = count->cpu_ns;
    for (uint32_t i = 0; i < frames; i++) {
        bench_subject_frame(subject);
    }
    double samples = (double)frames * BENCH_PASSES;
    double clock_ns = clock_cost_ns() * frames;
    *ns_per_sample = ((double)(count->cpu_ns - cpu_ns) - clock_ns) / samples;
    *bytes_per_sample = (double)(count->bytes - bytes) / samples;
}

bool bench_capture(struct bench_table *table, const struct bench_options *options)
{
    static struct bench_subject subject;
    static struct bench_figures ns;
    static struct bench_figures bytes;
    struct count count = {NULL, 0, 0};
    const passtime_writer writer = {count_bytes, &count};
    if (!bench_null_open(&subject, BENCH_BY_ID, BENCH_IN_SEQUENCE, 1) ||
        passtime_capture_open_writer(&writer, NULL, &count.capture) != PASSTIME_OK) {
        fprintf(stderr, "bench: no capture can be opened\n");
        return false;
    }
    subject.taken = add_to_capture;
    subject.taken_user = &count;
    double unused;
    measure(&subject, &count, options->frames / 4, &unused, &unused);
    uint64_t allocations = bench_allocations();
    for (uint32_t i = 0; i < options->repeats; i++) {
        measure(&subject, &count, options->frames / 4, &ns.values[i], &bytes.values[i]);
        ns.count = bytes.count = i + 1;
    }
    allocations = bench_allocations() - allocations;
    uint64_t lost = passtime_capture_events_lost(count.capture);
    (void)bench_row_add(table, "capture.ns", "capture: CPU time a sample", "ns", 0, &ns);
    (void)bench_row_add(table, "capture.bytes", "capture: size of a sample", "bytes", 0, &bytes);
    bool whole = passtime_capture_close(&count.capture) == PASSTIME_OK;
    subject.close(&subject);
    if (allocations != 0 || lost != 0 || !whole) {
        fprintf(stderr, "bench: the capture made %llu allocations and lost %llu events\n",
                (unsigned long long)allocations, (unsigned long long)lost);
        return false;
    }
    return true;
}
