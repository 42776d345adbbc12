/* SPDX-License-Identifier: MIT */
/*
 * An outside program, C and C++ alike: times one pass with ticks that it feeds itself, and expects
 * the exact nanoseconds back. Built with CAPTURE, it also writes a capture.
 */
#include <passtime/feed.h>
#include <passtime/passtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef CAPTURE
#include <passtime/sink.h>
#endif

static int fail(const char *what)
{
    fprintf(stderr, "app: %s\n", what);
    return EXIT_FAILURE;
}

static int show(const passtime_frame *frame)
{
    if (frame->sample_count != 1 || strcmp(frame->samples[0].name, "shadow") != 0) {
        return fail("not the one sample that was recorded");
    }
    if (frame->samples[0].verdict != PASSTIME_GOOD || frame->samples[0].duration_ns != 1500) {
        return fail("not the 1500 ns that were fed");
    }
    printf("shadow 1500 ns\n");
    return EXIT_SUCCESS;
}

#ifdef CAPTURE
static int capture(const passtime_frame *frame, passtime *t)
{
    passtime_capture *c = NULL;
    if (passtime_capture_open("app.perfetto-trace", NULL, &c) != PASSTIME_OK ||
        passtime_capture_frame(c, frame) != PASSTIME_OK ||
        passtime_capture_summary(c, t) != PASSTIME_OK ||
        passtime_capture_close(&c) != PASSTIME_OK) {
        return fail("the capture was not written");
    }
    return EXIT_SUCCESS;
}
#endif

static int run(passtime *t)
{
    const uint64_t ticks[2] = {1000, 2500};
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    const passtime_frame *frame = NULL;
    passtime_recorder *rec = passtime_frame_begin(t, 7);

    if (passtime_feed_pass(rec, "shadow") != 0) {
        return fail("the pass has no slot");
    }
    passtime_submitted(rec);
    passtime_frame_end(t, 7);
    results.ticks = ticks;
    results.tick_count = 2;
    if (passtime_feed_results_ready(t, 7, &results) != PASSTIME_OK) {
        return fail("the results were refused");
    }
    if (passtime_next(t, &frame) != PASSTIME_OK) {
        return fail("no frame came back");
    }
#ifdef CAPTURE
    if (capture(frame, t) != EXIT_SUCCESS) {
        return EXIT_FAILURE;
    }
#endif
    return show(frame);
}

int main(void)
{
    passtime *t = NULL;
    if (passtime_create_feed(NULL, NULL, &t) != PASSTIME_OK) {
        return fail("create failed");
    }
    const int code = run(t);
    passtime_destroy(&t);
    return code;
}
