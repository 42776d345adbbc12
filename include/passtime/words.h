/* SPDX-License-Identifier: MIT */
/*
 * The fixed vocabulary of Passtime: results, verdicts, sources, fates, marks and log items. Their
 * numbers are pinned, so that files and other languages may keep them. Included by
 * passtime/passtime.h.
 */
#ifndef PASSTIME_WORDS_H
#define PASSTIME_WORDS_H

#include <stdint.h>

/* What a call came to. Negative: it failed, and nothing changed. The numbers are pinned. */
typedef enum passtime_result {
    PASSTIME_OK = 0,           /* done */
    PASSTIME_EMPTY = 1,        /* passtime_next: nothing ready, and nothing in flight */
    PASSTIME_PENDING = 2,      /* passtime_next: nothing ready yet, frames are in flight */
    PASSTIME_UNSUPPORTED = -1, /* this device, build or driver cannot do it */
    PASSTIME_NO_MEMORY = -2,   /* the allocator returned NULL */
    PASSTIME_INVALID = -3,     /* the call broke a rule stated here */
    PASSTIME_FULL = -4,        /* a limit given in the desc is reached */
    PASSTIME_LOST = -5,        /* the device or GL context is gone */
    PASSTIME_IO = -6           /* a file could not be written or read */
} passtime_result;

/* What the judge said of one sample. The first two are good. The numbers are pinned. */
typedef enum passtime_verdict {
    PASSTIME_GOOD = 0,             /* measured */
    PASSTIME_BELOW_RESOLUTION = 1, /* measured: both stamps are equal; counts as the 0 that it is */
    PASSTIME_LOST_DEVICE = 2,      /* device or context lost before the stamps came back */
    PASSTIME_MAP_FAILED = 3,       /* the stamps could not be read back */
    PASSTIME_TIMED_OUT = 4,        /* no result within timeout_ns */
    PASSTIME_DISJOINT = 5,         /* the GPU's clock was disturbed (GPU_DISJOINT) */
    PASSTIME_LATE_SUBMIT = 6,      /* the work ran after its stamps were resolved, or not at all */
    PASSTIME_NOT_SUBMITTED = 7,    /* its recorder was never finished */
    PASSTIME_DISCARDED = 8,        /* its recorder was discarded */
    PASSTIME_NOT_EXECUTED = 9,     /* both stamps 0: the GPU never wrote them */
    PASSTIME_HALF_WRITTEN = 10,    /* one stamp is 0, or only one was asked for */
    PASSTIME_STALE = 11,           /* a stamp is the one that this slot gave before */
    PASSTIME_BACKWARD = 12,  /* longer than the CPU can have seen: backward, or counter reset */
    PASSTIME_AMBIGUOUS = 13, /* the counter may have wrapped more than once in the time allowed */
    PASSTIME_ABOVE_CEILING = 14, /* longer than ceiling_ns */
    PASSTIME_UNIT_UNKNOWN = 15,  /* the period was 0, NaN or not known when it ran */
    PASSTIME_NO_SLOT = 16,       /* more passes than slots: not timed */
    PASSTIME_UNFINISHED = 17,    /* begun and not ended when its recorder was submitted */
    PASSTIME_REFUSED = 18,       /* the backend could not stamp it here */
    PASSTIME_VERDICT_COUNT = 19  /* how many there are */
} passtime_verdict;

/* How a sample was measured. Only the first two are GPU time. The numbers are pinned. */
typedef enum passtime_source {
    PASSTIME_GPU_STAMPS = 0,   /* a pair of GPU timestamps: has a position */
    PASSTIME_GPU_ELAPSED = 1,  /* an elapsed query: a duration without a position */
    PASSTIME_CPU_RECORD = 2,   /* CPU time of recording one pass; never GPU time */
    PASSTIME_CPU_COMPLETE = 3, /* CPU time from a submission to its completion; never GPU time */
    PASSTIME_SOURCE_COUNT = 4  /* how many there are */
} passtime_source;

/* What became of a frame. The numbers are pinned. */
typedef enum passtime_fate {
    PASSTIME_FRAME_COMPLETE = 0,       /* every pass is good */
    PASSTIME_FRAME_INCOMPLETE = 1,     /* a pass is rejected or missing: totals are lower bounds */
    PASSTIME_FRAME_NO_DATA = 2,        /* nothing of it came back */
    PASSTIME_FRAME_EMPTY = 3,          /* no pass was recorded in it */
    PASSTIME_FRAME_SKIPPED_FULL = 4,   /* not timed: every ring entry was in flight */
    PASSTIME_FRAME_SKIPPED_STRIDE = 5, /* not timed: only one in `every` frames is */
    PASSTIME_FRAME_SKIPPED_OFF = 6,    /* not timed: timing was disabled */
    PASSTIME_FRAME_SKIPPED_LOST = 7,   /* not timed: the device is lost */
    PASSTIME_FRAME_SKIPPED_WARMUP = 8, /* not timed: the backend's queries were not ready yet */
    PASSTIME_FRAME_REFUSED = 9, /* not timed: its number was in use, or a call was out of order */
    PASSTIME_FATE_COUNT = 10    /* how many there are */
} passtime_fate;

/* Marks on a sample, a series or a frame; they may be combined. */
enum {
    PASSTIME_FLAG_OVERLAPS = 1u << 0,    /* ran while an earlier pass of its queue still ran */
    PASSTIME_FLAG_NO_POSITION = 1u << 1, /* has a duration only */
    PASSTIME_FLAG_BOUNDARY_UNVERIFIED = 1u << 2, /* this context's pass boundaries are not proved */
    PASSTIME_FLAG_OUTSIDE_ENVELOPE = 1u << 3, /* does not fit the CPU's clock: position doubtful */
    PASSTIME_FLAG_SERIAL_SUM = 1u << 4,       /* frame: busy is a plain sum of elapsed queries */
    PASSTIME_FLAG_OTHER = 1u << 5,            /* its name had no place: counted under "(other)" */
    PASSTIME_FLAG_IMPLIED_END = 1u << 6,      /* a CPU time ended by the next call, not by an end */
    PASSTIME_FLAG_UNIT_DOUBTFUL = 1u << 8, /* the GPU's clock does not keep the CPU's pace: the tick
                                              length is probably wrong, and with it every time */
    PASSTIME_FLAG_BUDGET_OVER = 1u << 7 /* frame, sample: the state of its budget, or of its pass's,
                                           is OVER with it; never on a series */
};

/* No parent, no index, no slot. A macro: an enumerator must fit an int. */
#define PASSTIME_NONE UINT32_MAX

/* Numbered things worth saying. The numbers are pinned; texts may change. */
typedef enum passtime_log_item {
    PASSTIME_LOG_RING_FULL = 1,          /* a frame was not timed: every entry is in flight */
    PASSTIME_LOG_PASS_OVERFLOW = 2,      /* more passes than max_passes in a frame */
    PASSTIME_LOG_NAME_OVERFLOW = 3,      /* more names than max_names: "(other)" */
    PASSTIME_LOG_QUARANTINE = 4,         /* a recorder was never submitted nor discarded */
    PASSTIME_LOG_FINISHED_TWICE = 5,     /* a recorder was submitted or discarded a second time */
    PASSTIME_LOG_ORPHAN_END = 6,         /* an end without a begin */
    PASSTIME_LOG_FRAME_NOT_OPEN = 7,     /* a frame number that is not being recorded */
    PASSTIME_LOG_FRAME_REUSED = 8,       /* a frame number that is in use already */
    PASSTIME_LOG_DEVICE_LOST = 9,        /* the device or context is gone */
    PASSTIME_LOG_NO_EVENTS = 10,         /* results are overdue and nobody processes events */
    PASSTIME_LOG_UNIT_UNKNOWN = 11,      /* the tick period is 0 or not a number */
    PASSTIME_LOG_CLOCK_RESET = 12,       /* the GPU's clock jumped: a new epoch */
    PASSTIME_LOG_UNSUPPORTED = 13,       /* the device cannot do this, with the reason */
    PASSTIME_LOG_QUERIES_FAILED = 14,    /* the query set or a buffer could not be made */
    PASSTIME_LOG_MAP_FAILED = 15,        /* a readback failed */
    PASSTIME_LOG_TIMED_OUT = 16,         /* a result did not come within timeout_ns */
    PASSTIME_LOG_SCOPE_OVERFLOW = 17,    /* more scopes than max_scopes, or nested too deep */
    PASSTIME_LOG_RECORDER_OVERFLOW = 18, /* more recorders than max_recorders in a frame */
    PASSTIME_LOG_FALLBACK = 19,          /* CPU times are used in place of GPU stamps */
    PASSTIME_LOG_NOT_BUILT = 20,         /* this library was built without that backend */
    PASSTIME_LOG_BACKEND = 21,           /* a backend's own remark; the text says what */
    PASSTIME_LOG_NOT_CURRENT = 22,       /* another GL context was current, or none: refused */
    PASSTIME_LOG_TARGET_BUSY = 23,       /* the app's own elapsed query was active: not timed */
    PASSTIME_LOG_UNIT_DOUBTFUL = 25,     /* the tick length given does not fit the CPU's clock */
    PASSTIME_LOG_DISJOINT = 24 /* the GPU's clock was disturbed: what was in flight is void */
} passtime_log_item;

#endif
