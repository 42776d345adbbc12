/* SPDX-License-Identifier: MIT */
/* The names of annotations; see keys.h. */
#include "sink/keys.h"

#include <string.h>

static const char *const names[PASSTIME_KEY_COUNT] = {
    [PASSTIME_KEY_VERDICT] = "verdict",
    [PASSTIME_KEY_SOURCE] = "source",
    [PASSTIME_KEY_FRAME] = "frame",
    [PASSTIME_KEY_INDEX] = "index",
    [PASSTIME_KEY_PARENT] = "parent",
    [PASSTIME_KEY_SCOPE] = "scope",
    [PASSTIME_KEY_SCOPE_INDEX] = "scope_index",
    [PASSTIME_KEY_QUEUE] = "queue",
    [PASSTIME_KEY_BEGIN] = "begin_ns",
    [PASSTIME_KEY_END] = "end_ns",
    [PASSTIME_KEY_DURATION] = "duration_ns",
    [PASSTIME_KEY_EXCLUSIVE] = "exclusive_ns",
    [PASSTIME_KEY_ATTRIBUTED] = "attributed_ns",
    [PASSTIME_KEY_CPU_BEGIN] = "cpu_begin_ns",
    [PASSTIME_KEY_CPU_END] = "cpu_end_ns",
    [PASSTIME_KEY_CLOCK_EPOCH] = "clock_epoch",
    [PASSTIME_KEY_FLAGS] = "flags",
    [PASSTIME_KEY_SAMPLES] = "samples",
    [PASSTIME_KEY_COMPLETE] = "complete",
    [PASSTIME_KEY_BUSY] = "busy_ns",
    [PASSTIME_KEY_FATE] = "fate",
    [PASSTIME_KEY_SCOPES] = "scopes",
    [PASSTIME_KEY_WITHOUT_SLOT] = "passes_without_slot",
    [PASSTIME_KEY_OVER_BUDGET] = "over_budget",
    [PASSTIME_KEY_SPAN] = "span_ns",
    [PASSTIME_KEY_SUM] = "sum_ns",
    [PASSTIME_KEY_CPU_SUBMIT] = "cpu_submit_ns",
    [PASSTIME_KEY_CPU_SEEN] = "cpu_seen_ns",
    [PASSTIME_KEY_FRAMES_LATE] = "frames_late",
    [PASSTIME_KEY_ALIGN_OFFSET] = "align_offset_ns",
    [PASSTIME_KEY_ALIGN_BOUND] = "align_bound_ns",
    [PASSTIME_KEY_ALIGNED_BY] = "aligned_by",
    [PASSTIME_KEY_TOOL] = "passtime",
    [PASSTIME_KEY_ADAPTER] = "adapter",
    [PASSTIME_KEY_CLOCK] = "clock",
    [PASSTIME_KEY_LEDGER] = "ledger",
    [PASSTIME_KEY_TOTALS] = "totals",
    [PASSTIME_KEY_BUDGET] = "budget_ns",
    [PASSTIME_KEY_EVENTS_LOST] = "events_lost",
    [PASSTIME_KEY_SERIES_COUNT] = "series_count",
    [PASSTIME_KEY_SERIES] = "series",
    [PASSTIME_KEY_COUNTER] = "counter",
};

const char *passtime_key_name(enum passtime_key key)
{
    return (unsigned)key < PASSTIME_KEY_COUNT ? names[key] : "";
}

enum passtime_key passtime_key_find(const char *name, size_t bytes)
{
    for (unsigned key = 0; key < PASSTIME_KEY_COUNT; key++)
        if (strlen(names[key]) == bytes && memcmp(names[key], name, bytes) == 0)
            return (enum passtime_key)key;
    return PASSTIME_KEY_COUNT;
}
