/* SPDX-License-Identifier: MIT */
/*
 * The totals of one judged frame. Three answers to "how long was it?" that must never be mixed up:
 * sum (of exclusive times), busy (union of intervals) and span (first begin to last end); and what
 * each pass and scope has of them.
 */
#ifndef PASSTIME_CORE_FRAME_H
#define PASSTIME_CORE_FRAME_H

#include <passtime/passtime.h>

#include <stddef.h>
#include <stdint.h>

/* Working memory for one frame at a time. */
struct passtime_frame_scratch {
    uint32_t *order;     /* samples by begin, later by queue and begin */
    uint32_t *spare;     /* the sort's second array; ancestors before it, a heap after it */
    uint32_t *root;      /* of each sample: the outermost pass around it */
    uint32_t *depth;     /* of each sample: how many passes are around it */
    uint64_t *scope_end; /* of each scope: how far it is covered */
};

size_t passtime_frame_scratch_bytes(uint32_t max_samples, uint32_t max_scopes);

/* `memory` holds passtime_frame_scratch_bytes(...) bytes and is aligned as malloc's. */
void passtime_frame_scratch_init(struct passtime_frame_scratch *scratch, void *memory,
                                 uint32_t max_samples, uint32_t max_scopes);

/*
 * Reads frame->sample_count, scope_count and clock_epoch; of the samples parent, scope, queue,
 * verdict, source, flags, clock_epoch, begin_ns, end_ns and duration_ns; of the scopes parent. A
 * parent stands before what is in it.
 *
 * Fills frame->busy_ns, span_ns, sum_ns, has_span and PASSTIME_FLAG_SERIAL_SUM; of every sample
 * exclusive_ns, attributed_ns and PASSTIME_FLAG_OVERLAPS; of every scope busy_ns, complete and
 * sample_count. Nothing else: fate, budget and epochs are the caller's.
 *
 * Durations without a position count as a serial sum, in frames that have nothing else. OVERLAPS is
 * set on an outermost pass that began while an earlier one of its queue ran, by more than the
 * nanosecond that rounding can make of two passes that touch.
 *
 * Samples of another epoch than the frame's count in sum_ns only; CPU-timed ones in none.
 */
void passtime_frame_totals(passtime_frame *frame, passtime_sample *samples, passtime_scope *scopes,
                           struct passtime_frame_scratch *scratch);

/* Marks a scope and those around it as incomplete, for what is not among the samples (a pass
 * without a slot). Call it after passtime_frame_totals(). PASSTIME_NONE does nothing. */
void passtime_frame_spoil_scope(passtime_scope *scopes, uint32_t scope);

#endif
