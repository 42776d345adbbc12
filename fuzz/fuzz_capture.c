/* SPDX-License-Identifier: MIT */
/* Reads any bytes as a capture. What comes back must hold together, whatever the bytes are. */
#include "fuzz/fuzz.h"
#include "read/capture_read.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_frame(void *user, uint32_t context, const passtime_frame *frame)
{
    uint64_t *frames = user;
    (void)context;
    (*frames)++;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        demand(sample->name != NULL && strlen(sample->name) < PASSTIME_NAME_BYTES);
        demand(sample->verdict < PASSTIME_VERDICT_COUNT && sample->source < PASSTIME_SOURCE_COUNT);
        demand(sample->parent == PASSTIME_NONE || sample->parent < i);
        demand(sample->scope == PASSTIME_NONE || sample->scope < frame->scope_count);
    }
    for (uint32_t i = 0; i < frame->scope_count; i++)
        demand(frame->scopes[i].parent == PASSTIME_NONE || frame->scopes[i].parent < i);
    passtime_frame *copy = passtime_frame_copy(frame);
    demand(copy != NULL);
    free(copy);
}

static bool is_finite(double value)
{
    return value - value == 0.0;
}

static void check_stats(const passtime_stats *stats)
{
    demand(is_finite(stats->mean_ns) && is_finite(stats->se_ns) && is_finite(stats->n_eff));
    demand(is_finite(stats->ci_low_ns) && is_finite(stats->ci_high_ns));
    demand(is_finite(stats->below_ns));
}

static void check_counters(const struct passtime_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->counter_count; i++) {
        const passtime_counter_info *info = &snapshot->counters[i];
        demand(memchr(info->name, 0, sizeof info->name) != NULL);
        demand(memchr(info->unit, 0, sizeof info->unit) != NULL);
    }
    for (uint32_t i = 0; i < snapshot->series_count * snapshot->counter_count; i++) {
        const passtime_counter_stats *stats = &snapshot->counts[i];
        demand(is_finite(stats->mean) && is_finite(stats->se));
        demand(stats->size == 0 || snapshot->counters[i % snapshot->counter_count].name[0] != 0);
    }
}

static void check_context(const struct passtime_capture_context *context)
{
    const struct passtime_snapshot *snapshot = &context->snapshot;
    demand(is_finite(snapshot->clock.tick_ns));
    check_counters(snapshot);
    for (uint32_t i = 0; i < snapshot->series_count; i++) {
        const passtime_series_info *info = &snapshot->series[i];
        demand(memchr(info->name, 0, sizeof info->name) != NULL);
        demand(memchr(info->path, 0, sizeof info->path) != NULL);
        uint32_t above = info->parent;
        for (uint32_t steps = 0; above != PASSTIME_NONE; steps++) {
            demand(above < snapshot->series_count && steps <= snapshot->series_count);
            above = snapshot->series[above].parent;
        }
        demand(info->source < PASSTIME_SOURCE_COUNT && info->kind <= PASSTIME_SERIES_SCOPE);
        check_stats(&info->stats);
    }
    for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT; i++)
        check_stats(&snapshot->totals[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t frames = 0;
    uint64_t counted = 0;
    struct passtime_capture_data read;
    const struct passtime_frame_visitor visitor = {check_frame, &frames};
    char error[PASSTIME_CAPTURE_TEXT_BYTES] = "";
    const passtime_result result =
        passtime_capture_read_memory(data, size, &visitor, &read, error, sizeof error);
    demand((result == PASSTIME_OK) == (read.context_count > 0));
    demand(result == PASSTIME_OK || error[0] != '\0');
    for (uint32_t i = 0; i < read.context_count; i++) {
        check_context(&read.contexts[i]);
        counted += read.contexts[i].frame_count;
    }
    demand(result != PASSTIME_OK || counted == frames);
    passtime_capture_data_finish(&read);
    return 0;
}
