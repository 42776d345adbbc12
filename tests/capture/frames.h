/* SPDX-License-Identifier: MIT */
/* Judged frames made by hand: what captures are tested with. */
#ifndef PASSTIME_TESTS_CAPTURE_FRAMES_H
#define PASSTIME_TESTS_CAPTURE_FRAMES_H

#include <passtime/passtime.h>

enum { MADE_SAMPLES = 32, MADE_SCOPES = 4 };

/* A frame with its arrays. The frame's pointers point into it, so that it must not be moved. */
struct made_frame {
    passtime_frame frame;
    passtime_sample samples[MADE_SAMPLES];
    passtime_scope scopes[MADE_SCOPES];
};

/* An empty frame that began on the CPU at 1,000,000,000 ns + number * 16 ms. */
void made_begin(struct made_frame *m, uint64_t number);
/* Adds a good pass of GPU stamps and returns it. */
passtime_sample *made_pass(struct made_frame *m, const char *name, uint64_t begin_ns,
                           uint64_t end_ns);
/* Adds a pass that has no times. */
passtime_sample *made_rejected(struct made_frame *m, const char *name, passtime_verdict verdict);
passtime_scope *made_scope(struct made_frame *m, const char *name, uint64_t busy_ns);
/* A frame with everything: scopes, nested and overlapping passes, two queues, rejected samples, an
 * elapsed one, CPU stamps, and every eighth one incomplete. The same for the same number. */
void made_rich(struct made_frame *m, uint64_t number);

#endif
