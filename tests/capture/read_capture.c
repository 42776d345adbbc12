/* SPDX-License-Identifier: MIT */
/*
 * Reads a capture with our own reader and says what it found, for the check that compares that with
 * what Perfetto's classes find. Usage: read_capture FILE
 */
#include "read/capture_read.h"

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct passtime_capture_data data;
    char error[PASSTIME_CAPTURE_TEXT_BYTES] = "";
    const char *path = argc == 2 ? argv[1] : NULL;
    if (passtime_capture_read(path, NULL, &data, error, sizeof error) != PASSTIME_OK) {
        (void)fprintf(stderr, "read_capture: %s %s\n", path != NULL ? path : "", error);
        return 1;
    }
    const struct passtime_capture_context *context = &data.contexts[0];
    const struct passtime_snapshot *snapshot = &context->snapshot;
    uint64_t good = 0;
    for (uint32_t i = 0; i < snapshot->series_count; i++)
        good +=
            snapshot->series[i].kind == PASSTIME_SERIES_PASS ? snapshot->series[i].stats.count : 0;
    (void)printf("%s frames=%" PRIu64 " broken=%" PRIu64 " good=%" PRIu64 " whole=%" PRIu64
                 " bytes=%" PRIu64 "\n",
                 snapshot->origin == PASSTIME_SNAPSHOT_SUMMARY ? "summary" : "events",
                 context->frame_count, context->frames_broken, good, data.whole_bytes, data.bytes);
    passtime_capture_data_finish(&data);
    return 0;
}
