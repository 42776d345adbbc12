/* SPDX-License-Identifier: MIT */
/* Captures and the system: writes that signals interrupt, disks that are full, and no allocation.
 */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700

#include "capture/frames.h"
#include "unit/captured.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { FRAMES = 60, LARGE = 1500 };

/* Linux has a file that is always full; elsewhere there is nothing to try. */
static void a_file_that_takes_nothing_says_so(void **state)
{
    (void)state;
    passtime_capture *c = NULL;
    FILE *full = fopen("/dev/full", "wb");
    if (full == NULL)
        skip();
    (void)fclose(full);
    assert_int_equal(passtime_capture_open("/dev/full", NULL, &c), PASSTIME_IO);
    assert_null(c);
}

static volatile sig_atomic_t interruptions;

static void count_interruption(int signal_number)
{
    (void)signal_number;
    interruptions = interruptions + 1;
}

/* Reads from a pipe, slowly, what a capture writes into it. */
struct drain {
    int from;
    struct captured *to;
};

static void *run_drain(void *user)
{
    struct drain *drain = user;
    uint8_t bytes[30000];
    const struct timespec pause = {0, 2000000};
    ssize_t got = 1;
    while (got != 0) {
        got = read(drain->from, bytes, sizeof bytes);
        if (got < 0)
            continue;
        drain->to->bytes = realloc(drain->to->bytes, drain->to->size + (size_t)got + 1);
        memcpy(drain->to->bytes + drain->to->size, bytes, (size_t)got);
        drain->to->size += (size_t)got;
        (void)nanosleep(&pause, NULL);
    }
    return NULL;
}

/* Signals come every few hundred microseconds to the thread that writes, and calls are not
 * restarted. */
static void interrupt_often(bool on)
{
    struct sigaction action;
    const struct itimerval timer = {{0, on ? 300 : 0}, {0, on ? 300 : 0}};
    memset(&action, 0, sizeof action);
    action.sa_handler = count_interruption;
    (void)sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static void start_drain(pthread_t *thread, struct drain *drain)
{
    sigset_t alarm_set;
    (void)sigemptyset(&alarm_set);
    (void)sigaddset(&alarm_set, SIGALRM);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &alarm_set, NULL), 0);
    assert_int_equal(pthread_create(thread, NULL, run_drain, drain), 0);
    assert_int_equal(pthread_sigmask(SIG_UNBLOCK, &alarm_set, NULL), 0);
}

/* More than a pipe takes at once, so that a write can stop in its midst. */
static void make_large(struct made_frame *made, passtime_sample *samples, uint64_t number)
{
    made_begin(made, number);
    made_pass(made, "one of many", 0, 0);
    for (uint32_t i = 0; i < LARGE; i++) {
        samples[i] = made->samples[0];
        samples[i].begin_ns = 16000000 * number + 100 * i;
        samples[i].end_ns = samples[i].begin_ns;
    }
    made->frame.samples = samples;
    made->frame.sample_count = LARGE;
}

static void interrupted_writes_lose_nothing(void **state)
{
    (void)state;
    int ends[2];
    char path[64];
    pthread_t thread;
    struct captured m = {.limit = SIZE_MAX};
    struct made_frame made;
    static passtime_sample samples[LARGE];
    passtime_capture *c = NULL;
    assert_int_equal(pipe(ends), 0);
    struct drain drain = {ends[0], &m};
    (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    start_drain(&thread, &drain);
    const passtime_result opened = passtime_capture_open(path, NULL, &c);
    interrupt_often(true);
    for (uint64_t i = 0; i < FRAMES && opened == PASSTIME_OK; i++) {
        make_large(&made, samples, i);
        assert_int_equal(passtime_capture_frame(c, &made.frame), PASSTIME_OK);
    }
    interrupt_often(false);
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(close(ends[0]), 0);
    if (opened == PASSTIME_OK) {
        assert_true(interruptions > 0);
        assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
        assert_int_equal(m.frame_count, FRAMES);
        assert_string_equal(m.data.note, "");
        for (uint64_t i = 0; i < FRAMES; i++) {
            make_large(&made, samples, i);
            assert_same_frame(&made.frame, m.frames[i]);
        }
    }
    captured_finish(&m);
    if (opened != PASSTIME_OK)
        skip(); /* no /dev/fd here */
}

/* The address sanitizer counts allocations for us; other builds have nobody who does. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *))
    __attribute__((weak));

static volatile uint64_t allocations;

static void on_malloc(const volatile void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
    allocations = allocations + 1;
}

static void on_free(const volatile void *memory)
{
    (void)memory;
}

static void frames_allocate_nothing(void **state)
{
    (void)state;
    struct made_frame made;
    passtime_capture *c = NULL;
    if (__sanitizer_install_malloc_and_free_hooks == NULL ||
        __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) == 0)
        skip();
    assert_int_equal(passtime_capture_open("test_capture_io.perfetto-trace", NULL, &c),
                     PASSTIME_OK);
    assert_true(allocations > 0);
    const uint64_t before = allocations;
    for (uint64_t i = 0; i < FRAMES; i++) {
        made_rich(&made, i);
        assert_int_equal(passtime_capture_frame(c, &made.frame), PASSTIME_OK);
    }
    assert_int_equal(allocations, before);
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(remove("test_capture_io.perfetto-trace"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_takes_nothing_says_so),
        cmocka_unit_test(interrupted_writes_lose_nothing),
        cmocka_unit_test(frames_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
