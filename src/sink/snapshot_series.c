/* SPDX-License-Identifier: MIT */
/* The part of taking a snapshot that a browser, which copies the figures itself, needs as well. */
#include "sink/snapshot.h"

void passtime_snapshot_mend_parents(struct passtime_snapshot *snapshot, const uint32_t *places,
                                    uint32_t count)
{
    for (uint32_t i = 0; i < snapshot->series_count; i++) {
        uint32_t *parent = &snapshot->series[i].parent;
        *parent = *parent < count ? places[*parent] : PASSTIME_NONE;
    }
}
