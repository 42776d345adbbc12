/* SPDX-License-Identifier: MIT */
/* What the machine tells: clocks, memory, calls of the allocator, instructions. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#endif

static uint64_t read_clock(clockid_t id)
{
    struct timespec now;
    (void)clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bench_now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t bench_cpu_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* Sums over all mappings: statm and status lag behind by what each CPU has not reported yet. */
struct bench_resident bench_resident(void)
{
    char line[256];
    struct bench_resident now = {0, 0};
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "Rss: %zu kB", &now.all_kib);
        (void)sscanf(line, "Anonymous: %zu kB", &now.data_kib);
    }
    if (file != NULL) {
        fclose(file);
    }
    return now;
}

#if defined(BENCH_COUNTS_ALLOCATIONS)
/* The linker (--wrap) leads every call of the benchmark and of the libraries in it here. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);

static uint64_t allocations;

void *__wrap_malloc(size_t bytes)
{
    allocations++;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    allocations++;
    return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    allocations++;
    return __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    allocations++;
    return __real_aligned_alloc(alignment, bytes);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    allocations++;
    return __real_posix_memalign(memory, alignment, bytes);
}

uint64_t bench_allocations(void)
{
    return allocations;
}
#else
uint64_t bench_allocations(void)
{
    return UINT64_MAX;
}
#endif

#if defined(__linux__)
static int counter = -1;

bool bench_instructions_open(void)
{
    if (counter < 0) {
        struct perf_event_attr attributes;
        memset(&attributes, 0, sizeof attributes);
        attributes.type = PERF_TYPE_HARDWARE;
        attributes.size = sizeof attributes;
        attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
        attributes.exclude_kernel = 1;
        attributes.exclude_hv = 1;
        counter = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
    }
    return counter >= 0;
}

uint64_t bench_instructions(void)
{
    uint64_t count = 0;
    return read(counter, &count, sizeof count) == (ssize_t)sizeof count ? count : 0;
}
#else
bool bench_instructions_open(void)
{
    return false;
}

uint64_t bench_instructions(void)
{
    return 0;
}
#endif
