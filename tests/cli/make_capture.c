/* SPDX-License-Identifier: MIT */
/*
 * Writes a capture that is the same to the byte each time, for the tests of `passtime report`.
 * Usage: make_capture FILE FRAMES [faults]. With "faults" one frame in ten has a pass that never
 * ran, and the adapter is a software one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <passtime/feed.h>
#include <passtime/sink.h>

enum { FRAME_NS = 16000000, PASS_COUNT = 4 };

struct maker {
    uint64_t now_ns;
    bool faults;
    passtime *timer;
    passtime_capture *capture;
};

static uint64_t clock_of(void *user)
{
    const struct maker *maker = user;
    return maker->now_ns;
}

static void record(struct maker *maker, uint64_t number)
{
    passtime_recorder *recorder = passtime_frame_begin(maker->timer, number);
    passtime_scope_begin(recorder, "build");
    passtime_feed_pass(recorder, "scatter");
    passtime_feed_pass(recorder, "cull");
    passtime_scope_end(recorder);
    passtime_feed_pass(recorder, "paint");
    passtime_feed_pass(recorder, "text, \"small\" \xc3\xa9");
    passtime_submitted(recorder);
    maker->now_ns += 300000;
    passtime_frame_end(maker->timer, number);
}

/* Passes one after another, of lengths that vary a little from frame to frame, 10 ns a tick. */
static void feed(struct maker *maker, uint64_t number)
{
    static const uint64_t lengths[PASS_COUNT] = {500000, 20000, 250000, 1200};
    uint64_t ticks[2 * PASS_COUNT];
    uint64_t at = 1000000 + number * FRAME_NS / 10;
    for (uint64_t i = 0; i < PASS_COUNT; i++) {
        uint64_t wobble = (number * 7919 + i * 104729) % 97;
        ticks[2 * i] = at;
        at += lengths[i] + lengths[i] * wobble / 1000;
        ticks[2 * i + 1] = at;
        at += 50;
    }
    if (maker->faults && number % 10 == 3)
        ticks[2] = ticks[3] = 0;
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.ticks = ticks;
    results.tick_count = 2 * PASS_COUNT;
    maker->now_ns += FRAME_NS - 300000;
    passtime_feed_results_ready(maker->timer, number, &results);
}

static bool open_all(struct maker *maker, const char *path)
{
    passtime_feed_desc feed_desc = PASSTIME_FEED_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    passtime_capture_desc capture = PASSTIME_CAPTURE_DESC_INIT;
    passtime_adapter_info adapter = {
        .api = "feed", .name = "Test GPU", .driver = "1.0", .kind = "discrete"};
    adapter.software = maker->faults;
    feed_desc.tick_ns_num = 10;
    feed_desc.tick_ns_den = 1;
    desc.clock = clock_of;
    desc.clock_user = maker;
    desc.budget_ns = 8000000;
    capture.adapter = &adapter;
    capture.budget_ns = desc.budget_ns;
    return passtime_create_feed(&feed_desc, &desc, &maker->timer) == PASSTIME_OK &&
           passtime_capture_open(path, &capture, &maker->capture) == PASSTIME_OK;
}

int main(int argc, char **argv)
{
    struct maker maker = {.now_ns = 1000000000};
    if (argc < 3)
        return 2;
    maker.faults = argc > 3 && strcmp(argv[3], "faults") == 0;
    uint64_t frames = strtoull(argv[2], NULL, 10);
    bool done = open_all(&maker, argv[1]);
    for (uint64_t i = 0; done && i < frames; i++) {
        const passtime_frame *frame;
        record(&maker, i);
        feed(&maker, i);
        while (done && passtime_next(maker.timer, &frame) == PASSTIME_OK)
            done = passtime_capture_frame(maker.capture, frame) == PASSTIME_OK;
    }
    done = done && passtime_capture_summary(maker.capture, maker.timer) == PASSTIME_OK;
    done = passtime_capture_close(&maker.capture) == PASSTIME_OK && done;
    passtime_destroy(&maker.timer);
    return done ? 0 : 1;
}
