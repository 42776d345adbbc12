/* SPDX-License-Identifier: MIT */
/*
 * The collector of `passtime page` fed with frames: what one takes, and that its memory does not
 * grow. Usage: passtime_bench_page [FRAMES]; writes JSON.
 */
#include "page/collect.h"

#include "port/port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 7, EARLY = 10000, BATCH = 16, TEXT_BYTES = 65536 };

struct text {
    size_t bytes;
    char json[TEXT_BYTES];
};

static void put(struct text *text, const char *piece)
{
    size_t bytes = strlen(piece);
    if (text->bytes + bytes < sizeof text->json)
        memcpy(text->json + text->bytes, piece, bytes + 1);
    text->bytes += bytes;
}

static void start(struct text *text)
{
    char piece[512];
    put(text,
        "{\"k\":\"hello\",\"v\":1,\"kind\":\"page\",\"origin_ms\":1700000000000},"
        "{\"k\":\"ctx\",\"c\":1,\"api\":\"webgpu\",\"source\":0,\"bits\":64,\"max_passes\":1024,"
        "\"name\":\"device 1\"}");
    for (int i = 1; i <= PASSES; i++) {
        snprintf(piece, sizeof piece, ",{\"k\":\"name\",\"c\":1,\"i\":%d,\"s\":\"pass %d\"}", i, i);
        put(text, piece);
    }
}

/* A frame of passes of about 1 ms, 16.7 ms after the one before. */
static void add_frame(struct text *text, uint64_t number)
{
    char piece[512];
    unsigned long long begin_ns = 1000000000 + number * 16700000;
    uint64_t ticks = begin_ns + 5000000000u;
    snprintf(piece, sizeof piece,
             "{\"k\":\"frame\",\"c\":1,\"n\":%llu,\"b\":%llu,\"e\":%llu,\"s\":%llu,\"st\":0,"
             "\"set\":%llu,"
             "\"cb\":0,\"ce\":0,\"r\":[[%llu,%llu,1]],\"p\":[",
             (unsigned long long)number, begin_ns, begin_ns + 1000000, begin_ns + 14000000,
             (unsigned long long)(1 + number % 8), begin_ns, begin_ns + 900000);
    put(text, piece);
    for (int i = 0; i < PASSES; i++) {
        snprintf(piece, sizeof piece, "%s[0,%d,%d,-1,0,0,0]", i > 0 ? "," : "", i + 1, i);
        put(text, piece);
    }
    put(text, "],\"t\":[");
    for (uint64_t i = 0; i < PASSES; i++) {
        uint64_t begin = ticks + i * 1500000;
        uint64_t end = begin + 1000000 + (number * 7919 + i * 104729) % 50000;
        snprintf(piece, sizeof piece, "%s%u,%u,%u,%u", i > 0 ? "," : "", (unsigned)begin,
                 (unsigned)(begin >> 32), (unsigned)end, (unsigned)(end >> 32));
        put(text, piece);
    }
    put(text, "]}");
}

/* Bytes of this process that are in memory; 0: not known here. */
static uint64_t resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long long size = 0, resident = 0;
    if (!file)
        return 0;
    if (fscanf(file, "%llu %llu", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * 4096;
}

struct figures {
    uint64_t taking_ns, bytes_early, resident_early;
};

static void feed(struct passtime_collector *collector, uint64_t frames, struct figures *figures)
{
    static struct text text;
    for (uint64_t number = 1; number <= frames;) {
        text.bytes = 0;
        put(&text, "[");
        if (number == 1) {
            start(&text);
            put(&text, ",");
        }
        for (int i = 0; i < BATCH && number <= frames; i++, number++) {
            if (i > 0)
                put(&text, ",");
            add_frame(&text, number);
        }
        put(&text, "]");
        uint64_t begun_ns = passtime_port_now_ns();
        passtime_collector_take(collector, 1, text.json, text.bytes);
        figures->taking_ns += passtime_port_now_ns() - begun_ns;
        if (figures->bytes_early == 0 && number > EARLY) {
            figures->bytes_early = passtime_collector_bytes(collector);
            figures->resident_early = resident_bytes();
        }
    }
}

int main(int argc, char **argv)
{
    uint64_t frames = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    const struct passtime_collect_options options = {.warmup_frames = 30};
    struct passtime_collector *collector = passtime_collector_make(&options);
    struct figures figures = {0, 0, 0};
    if (!collector || frames <= EARLY) {
        fprintf(stderr, "passtime_bench_page: give more than %d frames\n", EARLY);
        (void)passtime_collector_end(&collector);
        return 2;
    }
    feed(collector, frames, &figures);
    const struct passtime_collect_counts *counts = passtime_collector_counts(collector);
    bool sound = counts->frames == frames && counts->malformed + counts->frames_refused == 0 &&
                 passtime_collector_bytes(collector) == figures.bytes_early;
    uint64_t resident = resident_bytes();
    printf("{\"frames\": %llu, \"passes\": %d, \"us_a_frame\": %.2f, \"bytes_early\": %llu, "
           "\"bytes\": "
           "%llu, \"resident_growth\": %lld}\n",
           (unsigned long long)frames, PASSES, (double)figures.taking_ns / 1e3 / (double)frames,
           (unsigned long long)figures.bytes_early,
           (unsigned long long)passtime_collector_bytes(collector),
           (long long)resident - (long long)figures.resident_early);
    (void)passtime_collector_end(&collector);
    if (!sound)
        fprintf(stderr, "passtime_bench_page: not all frames were taken, or memory grew\n");
    return sound ? 0 : 1;
}
