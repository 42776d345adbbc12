/* SPDX-License-Identifier: MIT */
/* The names of results, verdicts, sources and fates, and the version. */
#include <passtime/passtime.h>

uint32_t passtime_version(void)
{
    return (uint32_t)PASSTIME_VERSION_MAJOR << 16 | (uint32_t)PASSTIME_VERSION_MINOR << 8 |
           (uint32_t)PASSTIME_VERSION_PATCH;
}

const char *passtime_version_string(void)
{
    return "0.1.0";
}

const char *passtime_result_name(passtime_result result)
{
    switch (result) {
    case PASSTIME_OK:
        return "ok";
    case PASSTIME_EMPTY:
        return "empty";
    case PASSTIME_PENDING:
        return "pending";
    case PASSTIME_UNSUPPORTED:
        return "unsupported";
    case PASSTIME_NO_MEMORY:
        return "no memory";
    case PASSTIME_INVALID:
        return "invalid";
    case PASSTIME_FULL:
        return "full";
    case PASSTIME_LOST:
        return "device lost";
    case PASSTIME_IO:
        return "input or output failed";
    }
    return "unknown result";
}

static const char *const verdict_names[PASSTIME_VERDICT_COUNT] = {
    [PASSTIME_GOOD] = "good",
    [PASSTIME_BELOW_RESOLUTION] = "below resolution",
    [PASSTIME_LOST_DEVICE] = "device lost",
    [PASSTIME_MAP_FAILED] = "map failed",
    [PASSTIME_TIMED_OUT] = "timed out",
    [PASSTIME_DISJOINT] = "disjoint",
    [PASSTIME_LATE_SUBMIT] = "late submit",
    [PASSTIME_NOT_SUBMITTED] = "not submitted",
    [PASSTIME_DISCARDED] = "discarded",
    [PASSTIME_NOT_EXECUTED] = "not executed",
    [PASSTIME_HALF_WRITTEN] = "half written",
    [PASSTIME_STALE] = "stale",
    [PASSTIME_BACKWARD] = "backward or reset",
    [PASSTIME_AMBIGUOUS] = "ambiguous",
    [PASSTIME_ABOVE_CEILING] = "above ceiling",
    [PASSTIME_UNIT_UNKNOWN] = "unit unknown",
    [PASSTIME_NO_SLOT] = "no slot",
    [PASSTIME_UNFINISHED] = "unfinished",
    [PASSTIME_REFUSED] = "refused",
};

const char *passtime_verdict_name(passtime_verdict verdict)
{
    return (uint32_t)verdict < PASSTIME_VERDICT_COUNT ? verdict_names[verdict] : "unknown verdict";
}

static const char *const source_names[PASSTIME_SOURCE_COUNT] = {
    [PASSTIME_GPU_STAMPS] = "gpu stamps",
    [PASSTIME_GPU_ELAPSED] = "gpu elapsed query",
    [PASSTIME_CPU_RECORD] = "cpu_record",
    [PASSTIME_CPU_COMPLETE] = "cpu_complete",
};

const char *passtime_source_name(passtime_source source)
{
    return (uint32_t)source < PASSTIME_SOURCE_COUNT ? source_names[source] : "unknown source";
}

static const char *const fate_names[PASSTIME_FATE_COUNT] = {
    [PASSTIME_FRAME_COMPLETE] = "complete",
    [PASSTIME_FRAME_INCOMPLETE] = "incomplete",
    [PASSTIME_FRAME_NO_DATA] = "no data",
    [PASSTIME_FRAME_EMPTY] = "empty",
    [PASSTIME_FRAME_SKIPPED_FULL] = "skipped: ring full",
    [PASSTIME_FRAME_SKIPPED_STRIDE] = "skipped: one in every",
    [PASSTIME_FRAME_SKIPPED_OFF] = "skipped: timing off",
    [PASSTIME_FRAME_SKIPPED_LOST] = "skipped: device lost",
    [PASSTIME_FRAME_SKIPPED_WARMUP] = "skipped: warming up",
    [PASSTIME_FRAME_REFUSED] = "refused: misuse",
};

const char *passtime_fate_name(passtime_fate fate)
{
    return (uint32_t)fate < PASSTIME_FATE_COUNT ? fate_names[fate] : "unknown fate";
}

bool passtime_is_good(passtime_verdict verdict)
{
    return verdict == PASSTIME_GOOD || verdict == PASSTIME_BELOW_RESOLUTION;
}

bool passtime_is_gpu_time(passtime_source source)
{
    return source == PASSTIME_GPU_STAMPS || source == PASSTIME_GPU_ELAPSED;
}
