/* SPDX-License-Identifier: MIT */
/*
 * All that a context knows at one moment: what reports are written from, whether it was taken from
 * a living context, from the summary of a capture or rebuilt from the events of one.
 */
#ifndef PASSTIME_SINK_SNAPSHOT_H
#define PASSTIME_SINK_SNAPSHOT_H

#include <passtime/counters.h>
#include <passtime/passtime.h>
#include <passtime/sink.h>

enum passtime_snapshot_origin {
    PASSTIME_SNAPSHOT_LIVE = 0,
    PASSTIME_SNAPSHOT_SUMMARY, /* read from the summary packets of a capture */
    PASSTIME_SNAPSHOT_EVENTS   /* rebuilt from the events of a capture that has no summary */
};

struct passtime_snapshot {
    enum passtime_snapshot_origin origin;
    passtime_adapter_info adapter; /* its texts are owned by the snapshot */
    passtime_clock_info clock;
    passtime_ledger ledger;
    passtime_stats totals[PASSTIME_TOTAL_COUNT];
    uint64_t budget_ns;   /* 0: none */
    uint64_t events_lost; /* events that a capture had no room for */
    uint32_t series_count;
    passtime_series_info *series;    /* in the order of first sight; owned by the snapshot */
    uint32_t counter_count;          /* shader counters of the context; 0: none */
    passtime_counter_info *counters; /* owned by the snapshot */
    passtime_counter_stats *counts;  /* [series][counter]; size 0: it took none; owned */
    char *texts;                     /* what adapter's texts point into */
};

/* Takes a snapshot of a living context; memory from malloc. */
passtime_result passtime_snapshot_take(passtime *t, const passtime_adapter_info *adapter,
                                       struct passtime_snapshot *out);
/* After series that gave up their place were left out: `places` says where each of the context's
 * `count` series stands now, PASSTIME_NONE: nowhere. Parents are numbered anew. */
void passtime_snapshot_mend_parents(struct passtime_snapshot *snapshot, const uint32_t *places,
                                    uint32_t count);
/* Copies the texts of `adapter` into the snapshot. */
passtime_result passtime_snapshot_set_adapter(struct passtime_snapshot *snapshot,
                                              const passtime_adapter_info *adapter);
/* Frees what a snapshot owns; the snapshot is empty afterwards. */
void passtime_snapshot_finish(struct passtime_snapshot *snapshot);

#endif
