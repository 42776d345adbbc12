/* SPDX-License-Identifier: MIT */
/* What the trials on real devices share: five passes of known targets, and two contexts that are
 * fed with the device's own stamps, once as they are and once rounded. */
#ifndef PASSTIME_BENCH_TRUTH_DEVICE_H
#define PASSTIME_BENCH_TRUTH_DEVICE_H

#include "truth.h"

#include <passtime/passtime.h>

enum { TRUTH_PASSES = 5 };

/* A device that can be made to run passes of any length. */
struct truth_device {
    const char *name;          /* of the parts of the table, "WebGPU on llvmpipe" */
    passtime *timer;           /* on it */
    bool monotonic;            /* its stamps are of CLOCK_MONOTONIC, in nanoseconds */
    double work[TRUTH_PASSES]; /* for each pass; 0: an empty pass */
    double work_unit;          /* a microsecond's worth, or so */
    void *self;
    /* Records, submits and ends frame `number` with its five passes. */
    void (*frame)(struct truth_device *device, uint64_t number);
    /* Fires callbacks that are due. */
    void (*pump)(struct truth_device *device);
};

/* The name of a pass. */
const char *truth_pass_name(uint32_t pass);

/* Finds work for passes of about 1, 5, 20, 50 and 180 us, and runs the trials. */
void truth_device_run(struct truth_table *table, struct truth_device *device);

#endif
