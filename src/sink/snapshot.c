/* SPDX-License-Identifier: MIT */
/* Snapshots of what a context knows; see snapshot.h. */
#include "sink/snapshot.h"

#include <stdlib.h>
#include <string.h>

static size_t text_bytes(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 0;
}

static const char *keep(char **at, const char *text)
{
    const size_t bytes = text_bytes(text);
    if (bytes == 0)
        return NULL;
    char *kept = memcpy(*at, text, bytes);
    *at += bytes;
    return kept;
}

passtime_result passtime_snapshot_set_adapter(struct passtime_snapshot *snapshot,
                                              const passtime_adapter_info *adapter)
{
    const passtime_adapter_info none = {NULL, NULL, NULL, NULL, false};
    const passtime_adapter_info info = adapter != NULL ? *adapter : none;
    char *texts = malloc(text_bytes(info.api) + text_bytes(info.name) + text_bytes(info.driver) +
                         text_bytes(info.kind) + 1);
    if (texts == NULL)
        return PASSTIME_NO_MEMORY;
    char *at = texts;
    snapshot->adapter.api = keep(&at, info.api);
    snapshot->adapter.name = keep(&at, info.name);
    snapshot->adapter.driver = keep(&at, info.driver);
    snapshot->adapter.kind = keep(&at, info.kind);
    snapshot->adapter.software = info.software;
    free(snapshot->texts);
    snapshot->texts = texts;
    return PASSTIME_OK;
}

/* What the counters are called, and room for the figures of `count` series. */
static passtime_result take_counters(passtime *t, uint32_t count, struct passtime_snapshot *out)
{
    const uint32_t counters = passtime_counter_count(t);
    if (counters == 0)
        return PASSTIME_OK;
    out->counters = calloc(counters, sizeof *out->counters);
    out->counts = calloc((size_t)(count > 0 ? count : 1) * counters, sizeof *out->counts);
    if (out->counters == NULL || out->counts == NULL)
        return PASSTIME_NO_MEMORY;
    for (uint32_t i = 0; i < counters; i++)
        (void)passtime_counter(t, i, &out->counters[i]);
    out->counter_count = counters;
    return PASSTIME_OK;
}

static void take_counts(passtime *t, uint32_t series, uint32_t place, struct passtime_snapshot *out)
{
    for (uint32_t i = 0; i < out->counter_count; i++)
        (void)passtime_counter_series(t, series, i,
                                      &out->counts[(size_t)place * out->counter_count + i]);
}

/* A series whose name gave up its place is left out; those that name it as parent keep its path. */
static passtime_result take_series(passtime *t, struct passtime_snapshot *out)
{
    const uint32_t count = passtime_series_count(t);
    out->series = calloc(count > 0 ? count : 1, sizeof *out->series);
    uint32_t *places = calloc(count > 0 ? count : 1, sizeof *places);
    if (out->series == NULL || places == NULL || take_counters(t, count, out) != PASSTIME_OK) {
        free(places);
        return PASSTIME_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const bool there = passtime_series(t, i, &out->series[out->series_count]) == PASSTIME_OK;
        if (there)
            take_counts(t, i, out->series_count, out);
        places[i] = there ? out->series_count++ : PASSTIME_NONE;
    }
    passtime_snapshot_mend_parents(out, places, count);
    free(places);
    return PASSTIME_OK;
}

static passtime_result take(passtime *t, const passtime_adapter_info *adapter,
                            struct passtime_snapshot *out)
{
    passtime_desc desc = PASSTIME_DESC_INIT;
    passtime_result result = passtime_get_desc(t, &desc);
    if (result == PASSTIME_OK)
        result = passtime_get_clock(t, &out->clock);
    if (result == PASSTIME_OK)
        result = passtime_get_ledger(t, &out->ledger);
    for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT && result == PASSTIME_OK; i++)
        result = passtime_frame_stats(t, (passtime_total)i, &out->totals[i]);
    if (result == PASSTIME_OK)
        result = take_series(t, out);
    if (result == PASSTIME_OK)
        result = passtime_snapshot_set_adapter(out, adapter);
    out->budget_ns = desc.budget_ns;
    return result;
}

passtime_result passtime_snapshot_take(passtime *t, const passtime_adapter_info *adapter,
                                       struct passtime_snapshot *out)
{
    memset(out, 0, sizeof *out);
    out->origin = PASSTIME_SNAPSHOT_LIVE;
    if (t == NULL)
        return PASSTIME_INVALID;
    const passtime_result result = take(t, adapter, out);
    if (result != PASSTIME_OK)
        passtime_snapshot_finish(out);
    return result;
}

void passtime_snapshot_finish(struct passtime_snapshot *snapshot)
{
    if (snapshot == NULL)
        return;
    free(snapshot->series);
    free(snapshot->counters);
    free(snapshot->counts);
    free(snapshot->texts);
    memset(snapshot, 0, sizeof *snapshot);
}
