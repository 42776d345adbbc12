/* SPDX-License-Identifier: MIT */
/*
 * Passtime's own cost, measured. Prints a table, or JSON with --json. Timings are shown beside
 * their targets and never fail the run; an allocation while frames run does, and so do wrong
 * results.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: passtime_bench [--json] [--quick] [--no-gpu]\n"
    "       passtime_bench --alone NAME FRAMES\n"
    "  --json    the table as JSON\n"
    "  --quick   a few seconds in place of a minute: rough figures, the same checks\n"
    "  --no-gpu  leaves out what needs a WebGPU device or a GL context\n"
    "  --alone   runs one subject (null.id, null.string, webgpu.id …) and prints nothing: for "
    "valgrind\n";

static int fail_usage(const char *argument)
{
    fprintf(stderr, "passtime_bench: what is \"%s\"?\n%s", argument, usage);
    return 2;
}

static int run_alone(int count, char **arguments)
{
    if (count != 4) {
        return fail_usage(arguments[1]);
    }
    char *end;
    unsigned long frames = strtoul(arguments[3], &end, 10);
    if (*end != '\0' || frames == 0 || frames > 100000000) {
        return fail_usage(arguments[3]);
    }
    return bench_run_alone(arguments[2], (uint32_t)frames) ? 0 : 1;
}

int main(int count, char **arguments)
{
    struct bench_options options = {.repeats = BENCH_REPEATS_MAX, .frames = 400, .gpu = true};
    if (count > 1 && strcmp(arguments[1], "--alone") == 0) {
        return run_alone(count, arguments);
    }
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strcmp(arguments[i], "--json") == 0) {
            options.json = true;
        } else if (strcmp(arguments[i], "--quick") == 0) {
            options.quick = true;
            options.repeats = 5;
            options.frames = 400;
        } else if (strcmp(arguments[i], "--no-gpu") == 0) {
            options.gpu = false;
        } else {
            return fail_usage(arguments[i]);
        }
    }
    static struct bench_table table;
    bool sound = bench_cost(&table, &options);
    sound = bench_memory(&table, &options) && sound;
    sound = bench_capture(&table, &options) && sound;
    sound = (!options.gpu || bench_gpu(&table, &options)) && sound;
    sound = (!options.gpu || bench_gl_device(&table, &options)) && sound;
    bench_table_print(&table, options.json);
    return sound ? 0 : 1;
}
