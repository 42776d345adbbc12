/* SPDX-License-Identifier: MIT */
/*
 * What every backend must do, as one suite of tests. A backend comes with a driver: how to open a
 * context on it, record passes, hand them to the GPU and let results come back. The suite does the
 * rest through the public functions alone.
 */
#ifndef PASSTIME_TESTS_CONFORMANCE_H
#define PASSTIME_TESTS_CONFORMANCE_H

#include <passtime/passtime.h>

#include <stdatomic.h>

/* Passes a frame that a driver must have room for, and frames in flight that the suite asks for at
 * most. */
enum { CONFORMANCE_PASSES = 16, CONFORMANCE_FRAMES = 8 };

/* A pass's name, in one of the three ways to give it. */
struct conformance_name {
    const char *text; /* NULL: by id */
    size_t bytes;     /* not 0: so many bytes of text */
    passtime_id id;
};

struct conformance_driver {
    const char *api;
    passtime_source source;
    bool exact;        /* a pass of length n takes just duration_ns(n) */
    bool holds;        /* no result comes back before pump() */
    bool nests;        /* passes are begun and ended inline, and nest */
    bool one_thread;   /* all calls are made by the thread that opened it */
    uint32_t slowness; /* frames are so many times fewer, where they are real; 1: all */

    passtime *t; /* the context that open() made */

    /* Makes a context from `desc`, in which the suite has set what it needs; the driver may set the
     * clock. Frames are timed from the first on when it returns. */
    void (*open)(struct conformance_driver *d, passtime_desc *desc);
    /* Ends the context, with whatever is in flight, and lets all callbacks come that are still
     * owed. */
    void (*close)(struct conformance_driver *d);
    /* Ends what outlived close(), once the suite is done with its encoders. */
    void (*finish)(struct conformance_driver *d);
    /* The next frame: passtime_frame_begin() and what the driver needs beside it. */
    passtime_recorder *(*begin)(struct conformance_driver *d, uint64_t number);
    /* What a recorder stands for: an encoder. */
    void *(*encode)(struct conformance_driver *d, uint64_t number);
    /* Records a pass of some length; rec may be NULL. */
    void (*pass)(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                 struct conformance_name name, uint32_t length);
    /* Begins and ends a pass around what is recorded in between; NULL where passes do not nest. */
    void (*pass_begin)(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                       const char *name);
    void (*pass_end)(struct conformance_driver *d, passtime_recorder *rec, void *encoder);
    /* Hands the encoder to the GPU, or throws it away; any thread. */
    void (*submit)(struct conformance_driver *d, void *encoder);
    void (*drop)(struct conformance_driver *d, void *encoder);
    /* Lets the GPU work and results come back: all that can, where results are held. Any thread. */
    void (*pump)(struct conformance_driver *d);
    uint64_t (*duration_ns)(const struct conformance_driver *d, uint32_t length);
};

/* Runs the suite; returns how many tests failed. */
int conformance_run(struct conformance_driver *driver);

#endif
