/* SPDX-License-Identifier: MIT */
/* What all subjects share: names, frames, and the stamps that a GPU would give. */
#include "bench_stamps.h"

#include <stdio.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Each pass takes as long as its place says, give or take a tenth; where they overlap, each begins
 * in the middle of the one before. */
void bench_stamps_init(struct bench_stamps *stamps, enum bench_shape shape, double tick_ns)
{
    uint64_t random = 88172645463325252u;
    stamps->shift_ns = 0;
    stamps->last_ns = 0;
    stamps->tick_ns = tick_ns;
    stamps->next = 0;
    for (uint32_t f = 0; f < BENCH_STAMPS_FRAMES; f++) {
        double at_ns = 1000;
        for (uint32_t pass = 0; pass < BENCH_PASSES; pass++) {
            double mean_ns = 20000 + 5000 * (pass % 16);
            double length_ns =
                mean_ns * (0.9 + 0.2 * (double)(next_random(&random) >> 11) * 0x1p-53);
            stamps->made[f][2 * pass] = (uint64_t)(at_ns / tick_ns);
            stamps->made[f][2 * pass + 1] = (uint64_t)((at_ns + length_ns) / tick_ns);
            at_ns += shape == BENCH_OVERLAPPING ? length_ns / 2 : length_ns + 1000;
        }
    }
}

uint64_t bench_stamps_clock(void *user)
{
    struct bench_stamps *stamps = user;
    stamps->last_ns = bench_now_ns() + stamps->shift_ns;
    return stamps->last_ns;
}

static void add(uint64_t *restrict ticks, const uint64_t *restrict made, uint64_t base)
{
    for (uint32_t i = 0; i < 2 * BENCH_PASSES; i++) {
        ticks[i] = base + made[i];
    }
}

void bench_stamps_fill(struct bench_stamps *stamps, uint64_t begun_ns, uint64_t *ticks)
{
    uint64_t base =
        stamps->tick_ns == 1 ? begun_ns : (uint64_t)((double)begun_ns / stamps->tick_ns);
    add(ticks, stamps->made[stamps->next], base);
    stamps->next = stamps->next + 1 < BENCH_STAMPS_FRAMES ? stamps->next + 1 : 0;
}

void bench_subject_name(struct bench_subject *subject, enum bench_naming naming)
{
    const char *stem =
        naming == BENCH_BY_LONG_STRING ? "a pass whose name takes forty bytes.." : "pass";
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        (void)snprintf(subject->names[i], sizeof subject->names[i], "%s %02u", stem, (unsigned)i);
        subject->ids[i] = passtime_intern(subject->t, subject->names[i]);
    }
}

void bench_subject_finish(struct bench_subject *subject, passtime_recorder *rec)
{
    passtime_submitted(rec);
    (void)passtime_frame_end(subject->t, subject->frame);
    subject->frame++;
    if (subject->pump != NULL) {
        subject->pump(subject);
    }
    const passtime_frame *frame;
    while (passtime_next(subject->t, &frame) == PASSTIME_OK) {
        subject->samples += frame->sample_count;
        if (subject->taken != NULL) {
            subject->taken(subject, frame);
        }
    }
}

void bench_subject_frame(struct bench_subject *subject)
{
    passtime_recorder *rec = passtime_frame_begin(subject->t, subject->frame);
    subject->record(subject, rec);
    bench_subject_finish(subject, rec);
}
