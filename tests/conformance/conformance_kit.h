/* SPDX-License-Identifier: MIT */
/* What the files of the conformance suite share: a context on a driver, frames, checks; and the
 * tests. */
#ifndef PASSTIME_TESTS_CONFORMANCE_KIT_H
#define PASSTIME_TESTS_CONFORMANCE_KIT_H

#include "conformance/conformance.h"

/* A context on the driver, with an allocator that counts. */
struct conform_run {
    struct conformance_driver *d;
    passtime *t;
    passtime_desc desc;
    atomic_uint allocations;
    atomic_int alive;
};

/* A desc with what the suite needs; a test changes it, then opens. */
void conform_prepare(struct conform_run *run, void **state);
void conform_open(struct conform_run *run);
passtime_ledger conform_ledger(struct conform_run *run);
/* Ends the context; asserts that its books add up, and, with the driver finished, that nothing
 * leaked. */
void conform_close(struct conform_run *run);
/* The two halves of it, for encoders that outlive the context. */
void conform_destroy(struct conform_run *run);
void conform_finish(struct conform_run *run);
/* A pass named by a C string. */
void conform_pass(struct conform_run *run, passtime_recorder *rec, void *encoder, const char *name,
                  uint32_t length);
/* Hands over encoder and recorder. */
void conform_submit(struct conform_run *run, passtime_recorder *rec, void *encoder);
/* A frame of one recorder with passes "a", "b", "c" ... of the given lengths; true where it is
 * timed. */
bool conform_frame(struct conform_run *run, uint64_t number, uint32_t count,
                   const uint32_t *lengths);
/* The next judged frame; it comes in the end. */
const passtime_frame *conform_next(struct conform_run *run);
/* Takes all that are in flight; returns how many. */
uint32_t conform_drain(struct conform_run *run);
/* The samples of passes, without what a backend adds of its own (a whole submission). */
uint32_t conform_passes_of(const passtime_frame *f);
void conform_check_good(const struct conform_run *run, const passtime_sample *s, const char *name,
                        uint32_t length);
/* The series with this path; fails the test where there is none. */
passtime_series_info conform_series(struct conform_run *run, const char *path);

/* The tests. */
void conform_samples_stand_in_order(void **state);
void conform_totals_are_gpu_time(void **state);
void conform_passes_nest(void **state);
void conform_scopes_gather_passes(void **state);
void conform_several_recorders(void **state);
void conform_a_recorder_is_discarded(void **state);
void conform_frames_without_work(void **state);
void conform_names_in_three_ways(void **state);
void conform_results_come_late(void **state);
void conform_the_ring_is_full(void **state);
void conform_passes_overflow(void **state);
void conform_switched_off_and_on(void **state);
void conform_one_frame_in_so_many(void **state);
void conform_statistics_are_of_the_samples(void **state);
void conform_memory_is_fixed(void **state);
void conform_numbers_are_the_apps(void **state);
void conform_destroyed_in_flight(void **state);
void conform_frames_are_pipelined(void **state);

#endif
