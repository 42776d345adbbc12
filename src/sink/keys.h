/* SPDX-License-Identifier: MIT */
/*
 * The names of the annotations that captures carry. Writer and reader share this list; a file
 * carries the names themselves, never these numbers, so that the list may change.
 */
#ifndef PASSTIME_SINK_KEYS_H
#define PASSTIME_SINK_KEYS_H

#include <stddef.h>
#include <stdint.h>

enum passtime_key {
    /* Of a sample. */
    PASSTIME_KEY_VERDICT,
    PASSTIME_KEY_SOURCE,
    PASSTIME_KEY_FRAME,
    PASSTIME_KEY_INDEX,
    PASSTIME_KEY_PARENT,
    PASSTIME_KEY_SCOPE,
    PASSTIME_KEY_SCOPE_INDEX,
    PASSTIME_KEY_QUEUE,
    PASSTIME_KEY_BEGIN,
    PASSTIME_KEY_END,
    PASSTIME_KEY_DURATION,
    PASSTIME_KEY_EXCLUSIVE,
    PASSTIME_KEY_ATTRIBUTED,
    PASSTIME_KEY_CPU_BEGIN,
    PASSTIME_KEY_CPU_END,
    PASSTIME_KEY_CLOCK_EPOCH,
    PASSTIME_KEY_FLAGS,
    /* Of a scope. */
    PASSTIME_KEY_SAMPLES,
    PASSTIME_KEY_COMPLETE,
    PASSTIME_KEY_BUSY,
    /* Of a frame. */
    PASSTIME_KEY_FATE,
    PASSTIME_KEY_SCOPES,
    PASSTIME_KEY_WITHOUT_SLOT,
    PASSTIME_KEY_OVER_BUDGET,
    PASSTIME_KEY_SPAN,
    PASSTIME_KEY_SUM,
    PASSTIME_KEY_CPU_SUBMIT,
    PASSTIME_KEY_CPU_SEEN,
    PASSTIME_KEY_FRAMES_LATE,
    PASSTIME_KEY_ALIGN_OFFSET,
    PASSTIME_KEY_ALIGN_BOUND,
    PASSTIME_KEY_ALIGNED_BY,
    /* Of a context and its summary. */
    PASSTIME_KEY_TOOL,
    PASSTIME_KEY_ADAPTER,
    PASSTIME_KEY_CLOCK,
    PASSTIME_KEY_LEDGER,
    PASSTIME_KEY_TOTALS,
    PASSTIME_KEY_BUDGET,
    PASSTIME_KEY_EVENTS_LOST,
    PASSTIME_KEY_SERIES_COUNT,
    PASSTIME_KEY_SERIES,
    PASSTIME_KEY_COUNTER,
    PASSTIME_KEY_COUNT
};

/* "verdict", "source" …; "" for a number that is no key. */
const char *passtime_key_name(enum passtime_key key);
/* The key of a name, or PASSTIME_KEY_COUNT. */
enum passtime_key passtime_key_find(const char *name, size_t bytes);

#endif
