/* SPDX-License-Identifier: MIT */
/*
 * Writes captures for the check that reads them with Perfetto's own classes. Usage: write_captures
 * MODE FILE. Mode "endless" writes until it is killed, and says on stdout how many frames are
 * written.
 */
#include "capture/frames.h"

#include <passtime/feed.h>
#include <passtime/sink.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const passtime_adapter_info adapter = {"feed", "hand-made \"adapter\"", "none", "software",
                                              true};

static void die(const char *what)
{
    (void)fprintf(stderr, "write_captures: %s\n", what);
    exit(1);
}

static void add(passtime_capture *c, const struct made_frame *m)
{
    const passtime_result result = passtime_capture_frame(c, &m->frame);
    if (result != PASSTIME_OK && result != PASSTIME_FULL)
        die("a frame could not be written");
}

static void write_rich(passtime_capture *c)
{
    struct made_frame m;
    for (uint64_t i = 0; i < 50; i++) {
        made_rich(&m, i);
        add(c, &m);
    }
}

/* Frames that overlap in time, come out of order, and a clock that is reset or aligned anew. */
static void write_clocks(passtime_capture *c)
{
    static const uint64_t order[] = {0, 2, 1, 3, 5, 4};
    struct made_frame m;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        made_begin(&m, order[i]);
        made_pass(&m, "long", 10000000 * order[i], 10000000 * order[i] + 14000000);
        made_pass(&m, "a", 10000000 * order[i] + 14000000, 10000000 * order[i] + 15000000);
        add(c, &m);
    }
    for (uint64_t i = 6; i < 200; i++) {
        made_begin(&m, i);
        m.frame.clock_epoch = (uint32_t)(i / 2);
        m.frame.align_offset_ns = -1000000 + (int64_t)(i * 16000000);
        m.frame.align_bound_ns = i % 3 == 0 ? UINT64_MAX : 50000;
        made_pass(&m, "after reset", 1000000 * (i % 2), 1000000 * (i % 2) + 999999);
        add(c, &m);
    }
}

static void write_names(passtime_capture *c)
{
    static char huge[10001];
    memset(huge, 'x', sizeof huge - 1);
    const char *names[] = {"quote \" backslash \\",
                           "new\nline",
                           "\x01",
                           "\xff\xfe broken \xc3",
                           "\xf0\x9f\x8e\xa8 paint",
                           huge,
                           "",
                           NULL,
                           "ordinary"};
    struct made_frame m;
    made_begin(&m, UINT64_MAX);
    for (uint64_t i = 0; i < sizeof names / sizeof names[0]; i++)
        made_pass(&m, names[i], i * 100, i * 100 + 1);
    made_scope(&m, names[3], 1);
    m.samples[0].scope = 0;
    add(c, &m);
    /* More names than the table of interned ones holds. */
    for (uint64_t i = 0; i < 300; i++) {
        char text[4][32];
        made_begin(&m, i);
        for (uint64_t k = 0; k < 4; k++) {
            (void)snprintf(text[k], sizeof text[k], "label %u", (unsigned)(4 * i + k));
            made_pass(&m, text[k], 16000000 * i + 10 * k, 16000000 * i + 10 * k + 9);
        }
        add(c, &m);
    }
}

static void write_endless(passtime_capture *c)
{
    struct made_frame m;
    for (uint64_t i = 0;; i++) {
        made_rich(&m, i);
        add(c, &m);
        (void)printf("%llu\n", (unsigned long long)i + 1);
        (void)fflush(stdout);
    }
}

static uint64_t feed_clock(void *user)
{
    uint64_t *now_ns = user;
    *now_ns += 1000;
    return *now_ns;
}

static void feed_frame(passtime *t, uint64_t number, uint64_t *now_ns)
{
    passtime_recorder *rec = passtime_frame_begin(t, number);
    const uint64_t at = *now_ns + 1000;
    const uint64_t ticks[] = {at, at + 2000 + number % 3, at + 2000 + number % 3, at + 9000};
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    passtime_scope_begin(rec, "scene");
    (void)passtime_feed_pass(rec, "shadow");
    (void)passtime_feed_pass(rec, "light");
    passtime_scope_end(rec);
    passtime_submitted(rec);
    if (passtime_frame_end(t, number) != PASSTIME_OK)
        die("a frame could not be ended");
    *now_ns += 20000;
    results.ticks = ticks;
    results.tick_count = 4;
    if (passtime_feed_results_ready(t, number, &results) != PASSTIME_OK)
        die("results were not taken");
}

/* Frames that a context judged, and its statistics. */
static void write_summary(passtime_capture *c, uint64_t frames)
{
    uint64_t now_ns = 1000000000;
    passtime_desc desc = PASSTIME_DESC_INIT;
    passtime *t = NULL;
    const passtime_frame *frame = NULL;
    desc.clock = feed_clock;
    desc.clock_user = &now_ns;
    if (passtime_create_feed(NULL, &desc, &t) != PASSTIME_OK)
        die("no context");
    for (uint64_t i = 0; i < frames; i++) {
        feed_frame(t, i, &now_ns);
        while (passtime_next(t, &frame) == PASSTIME_OK)
            if (passtime_capture_frame(c, frame) != PASSTIME_OK)
                die("a frame could not be written");
    }
    if (passtime_capture_summary(c, t) != PASSTIME_OK)
        die("the summary could not be written");
    passtime_destroy(&t);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        die("usage: write_captures rich|clocks|names|empty|few|summary|endless FILE");
    passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    passtime_capture *c = NULL;
    desc.adapter = &adapter;
    desc.budget_ns = 14000000;
    desc.max_events = strcmp(argv[1], "few") == 0 ? 60 : 0;
    if (passtime_capture_open(argv[2], &desc, &c) != PASSTIME_OK)
        die("the file could not be made");
    if (strcmp(argv[1], "rich") == 0 || strcmp(argv[1], "few") == 0)
        write_rich(c);
    else if (strcmp(argv[1], "clocks") == 0)
        write_clocks(c);
    else if (strcmp(argv[1], "names") == 0)
        write_names(c);
    else if (strcmp(argv[1], "summary") == 0)
        write_summary(c, 120);
    else if (strcmp(argv[1], "endless") == 0)
        write_endless(c);
    if (passtime_capture_close(&c) != PASSTIME_OK)
        die("the file could not be finished");
    return 0;
}
