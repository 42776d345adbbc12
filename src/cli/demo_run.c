/* SPDX-License-Identifier: MIT */
/* The loop of the demo: draws frames, hands their passes to Passtime, and takes the results. */
/* For sigaction and nanosleep. */
#define _POSIX_C_SOURCE 200809L

#include "cli/demo.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "port/port.h"

enum { PAUSE_NS = 100000 };

static const uint64_t stuck_after_ns =
    30000000000u; /* no frame takes this long, even in software */
static const uint64_t drain_ns = 5000000000u;
/* Frames that warm up have numbers that no frame of the run has. */
static const uint64_t warmup_number = (uint64_t)1 << 32;

/* Ctrl-C: a signal handler can reach nothing but a global. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* The first Ctrl-C ends the run, the second one the program. */
static void catch_interrupt(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void draw_frame(struct demo *demo, uint64_t number, uint32_t index)
{
    demo->recorder = passtime_frame_begin(demo->timer, number);
    demo->api->draw(demo, index);
    passtime_submitted(demo->recorder);
    demo->recorder = NULL;
    passtime_frame_end(demo->timer, number);
    demo->api->follow(demo, number);
}

/* Takes all frames that came back, for the capture and the live picture. */
static void take_results(struct demo *demo, bool keep)
{
    const passtime_frame *frame;
    while (passtime_next(demo->timer, &frame) == PASSTIME_OK) {
        if (!keep)
            continue;
        live_frame(&demo->live, frame);
        if (!demo->sink || demo->capture_failed)
            continue;
        demo->capture_failed = passtime_capture_frame(demo->sink, frame) == PASSTIME_IO;
    }
}

static void pause_briefly(void)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    nanosleep(&pause, NULL);
}

/* Waits, outside Passtime, until the device has at most `most` frames to draw. False: it is lost or
 * gives no sign of life. */
static bool wait_for_device(struct demo *demo, uint32_t most)
{
    uint64_t begun = passtime_port_now_ns();
    uint32_t unfinished = demo->frames_unfinished;
    demo->api->pump(demo);
    while (demo->frames_unfinished > most && !demo->health.lost) {
        uint64_t now = passtime_port_now_ns();
        if (demo->frames_unfinished < unfinished) {
            unfinished = demo->frames_unfinished;
            begun = now;
        }
        if (now - begun > stuck_after_ns) {
            demo->stuck = true;
            return false;
        }
        pause_briefly();
        demo->api->pump(demo);
    }
    return !demo->health.lost;
}

/* Waits a bounded time until no frame is in flight. */
static void drain(struct demo *demo, bool keep)
{
    uint64_t begun = passtime_port_now_ns();
    const passtime_frame *frame;
    wait_for_device(demo, 0);
    while (passtime_port_now_ns() - begun < drain_ns) {
        take_results(demo, keep);
        /* PENDING leaves nothing to take, so nothing is lost by asking. */
        if (passtime_next(demo->timer, &frame) != PASSTIME_PENDING)
            break;
        pause_briefly();
        demo->api->pump(demo);
    }
    take_results(demo, keep);
}

bool demo_goes_on(const struct demo *demo)
{
    return !interrupted && !demo->stuck && !demo->health.lost;
}

const passtime_frame *demo_draw_alone(struct demo *demo, uint64_t number, uint32_t index)
{
    const uint64_t begun = passtime_port_now_ns();
    const passtime_frame *frame = NULL;
    draw_frame(demo, number, index);
    if (!wait_for_device(demo, 0))
        return NULL;
    while (passtime_port_now_ns() - begun < drain_ns) {
        passtime_result result = passtime_next(demo->timer, &frame);
        if (result == PASSTIME_OK && frame->number == number)
            return frame;
        if (result == PASSTIME_EMPTY)
            break;
        pause_briefly();
        demo->api->pump(demo);
    }
    return NULL;
}

void demo_warm_up(struct demo *demo)
{
    catch_interrupt();
    for (uint64_t i = 0; i < demo->values.warmup && !interrupted; i++) {
        draw_frame(demo, warmup_number + i, (uint32_t)i);
        demo->warmup_drawn++;
        live_draw(&demo->live, "warming up", demo->warmup_drawn, demo->values.warmup,
                  passtime_port_now_ns());
        if (!wait_for_device(demo, 0))
            break;
        take_results(demo, false);
    }
    drain(demo, false);
    if (demo->values.counters && !demo->values.off)
        demo_counters_cost(demo);
    passtime_reset_stats(demo->timer);
    demo->live.begun_ns = 0;
}

void demo_run(struct demo *demo)
{
    uint64_t begun = passtime_port_now_ns();
    passtime_set_every(demo->timer, (uint32_t)demo->values.every);
    for (uint64_t i = 0; i < demo->values.frames && !interrupted; i++) {
        draw_frame(demo, i, (uint32_t)i);
        demo->frames_drawn++;
        live_draw(&demo->live, "frame", demo->frames_drawn, demo->values.frames,
                  passtime_port_now_ns());
        if (!wait_for_device(demo, DEMO_UNFINISHED_MAX - 1))
            break;
        take_results(demo, true);
    }
    wait_for_device(demo, 0);
    demo->wall_ns = passtime_port_now_ns() - begun;
    drain(demo, true);
}
