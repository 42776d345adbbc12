/* SPDX-License-Identifier: MIT */
/*
 * Shader counters on the passes of a capture, for people who look at it: annotations of their own
 * names, which no key of ours begins like. Reports take the figures from the summary.
 */
#include "sink/capture.h"

#include "passtime_trace.pb.h"

#include <stdio.h>
#include <string.h>

static void note_count(passtime_capture *c, const passtime_counter_info *info, uint64_t value)
{
    char name[PASSTIME_NAME_BYTES + PASSTIME_COUNTER_UNIT_BYTES + 16];
    struct passtime_packet *p = &c->packet;
    const int length =
        snprintf(name, sizeof name, info->unit[0] != '\0' ? "counted: %s (%s)" : "counted: %s%s",
                 info->name, info->unit);
    passtime_packet_open(p, passtime_TrackEvent_debug_annotations_tag);
    passtime_packet_text(p, passtime_DebugAnnotation_name_tag, name, (size_t)length);
    passtime_packet_u64(p, passtime_DebugAnnotation_uint_value_tag, value);
    passtime_packet_close(p);
}

static void note_counts(passtime_capture *c, const passtime_frame *frame, uint32_t sample)
{
    uint64_t counts[PASSTIME_COUNTERS_MAX];
    if (passtime_counts(c->counting, frame, sample, counts, PASSTIME_COUNTERS_MAX) !=
        PASSTIME_COUNTS_THERE)
        return;
    const uint32_t count = passtime_counter_count(c->counting);
    for (uint32_t i = 0; i < count; i++) {
        passtime_counter_info info;
        if (passtime_counter(c->counting, i, &info) == PASSTIME_OK)
            note_count(c, &info, counts[i]);
    }
}

passtime_result passtime_capture_counters(passtime_capture *c, passtime *t)
{
    if (c == NULL || passtime_counter_count(t) == 0)
        return PASSTIME_INVALID;
    c->counting = t;
    c->note_counts = note_counts;
    return PASSTIME_OK;
}
