/* SPDX-License-Identifier: MIT */
/*
 * Passtime: GPU pass timing that one can trust.
 *
 * A context is made by a backend (passtime/webgpu.h, passtime/gl.h, passtime/cpu.h,
 * passtime/feed.h). The app names its passes while it records a frame; frames later Passtime
 * returns every pass with its time and a verdict on that time. Nothing here waits for the GPU, and
 * nothing allocates after create.
 *
 * Threads: a recorder belongs to one thread at a time; different recorders may be used at once.
 * passtime_recorder_begin() may be called from any thread. Everything else that takes a context may
 * be called from any thread, except that passtime_frame_begin() is called by one thread at a time,
 * and so are passtime_next() and passtime_destroy().
 *
 * NULL: every function accepts a NULL context or recorder, and then does nothing. An app without
 * timing support runs the same code with NULL handles.
 */
#ifndef PASSTIME_PASSTIME_H
#define PASSTIME_PASSTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <passtime/words.h>

#if defined(_WIN32) && defined(PASSTIME_SHARED)
#if defined(PASSTIME_BUILD)
#define PASSTIME_API __declspec(dllexport)
#else
#define PASSTIME_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define PASSTIME_API __attribute__((visibility("default")))
#else
#define PASSTIME_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; passtime_version() gives that of the library. */
enum {
    PASSTIME_VERSION_MAJOR = 0, /* breaks source or binary compatibility */
    PASSTIME_VERSION_MINOR = 1, /* adds */
    PASSTIME_VERSION_PATCH = 0  /* mends */
};

/* Bytes that a name takes at most, its closing zero included; a longer one is cut at a
 * code point. */
enum { PASSTIME_NAME_BYTES = 96 };
/* Bytes that a path ("scope/scope/pass") takes at most in passtime_series_info. */
enum { PASSTIME_PATH_BYTES = 192 };

/* A timer for one device, queue or GL context: one clock. Opaque. */
typedef struct passtime passtime;
/* Records the passes of one command encoder or thread for one frame. Opaque; valid until it is
 * submitted or discarded. */
typedef struct passtime_recorder passtime_recorder;
/* An interned name: good for the life of its context. 0 is the bucket "(other)". */
typedef uint32_t passtime_id;

/* One pass of one frame, judged. */
typedef struct passtime_sample {
    const char *name;         /* UTF-8; lives as long as the frame that holds the sample */
    uint32_t series;          /* index for passtime_series(); PASSTIME_NONE: no series */
    uint32_t parent;          /* index in the frame's samples of the pass around it, or NONE */
    uint32_t scope;           /* index in the frame's scopes of the scope around it, or NONE */
    uint32_t queue;           /* number of the queue that it ran on, from 0 */
    passtime_verdict verdict; /* the times below mean something only where passtime_is_good() */
    passtime_source source;   /* how it was measured */
    uint32_t flags;           /* PASSTIME_FLAG_ bits */
    uint32_t clock_epoch;   /* positions compare only within one epoch: a reset starts a new one */
    uint64_t begin_ns;      /* nanoseconds; an epoch's first frame begins at 1 s; 0: no position */
    uint64_t end_ns;        /* begin_ns + duration_ns; 0 without a position */
    uint64_t duration_ns;   /* nanoseconds after scaling, exact; resolution may be coarser */
    uint64_t exclusive_ns;  /* duration less that of the passes nested in it */
    uint64_t attributed_ns; /* time not already covered by an earlier pass on its queue */
    uint64_t cpu_begin_ns;  /* CPU clock at the begin; 0 unless PASSTIME_CPU_STAMPS was asked for */
    uint64_t cpu_end_ns;    /* CPU clock at the end; 0 as above */
} passtime_sample;

/* One scope of one frame: a named set of passes. */
typedef struct passtime_scope {
    const char *name;      /* UTF-8; lives as long as the frame */
    uint32_t series;       /* index for passtime_series(), or PASSTIME_NONE */
    uint32_t parent;       /* index in the frame's scopes of the scope around it, or NONE */
    uint32_t sample_count; /* samples in it, nested scopes included */
    bool complete;         /* false: busy_ns is a lower bound */
    uint64_t busy_ns;      /* union of its samples' intervals, nanoseconds */
} passtime_scope;

/* One frame, judged. */
typedef struct passtime_frame {
    uint64_t number;                /* the number that the app gave */
    passtime_fate fate;             /* COMPLETE, INCOMPLETE, NO_DATA or EMPTY */
    uint32_t flags;                 /* PASSTIME_FLAG_ bits that hold for the whole frame */
    uint32_t sample_count;          /* samples that follow, rejected ones included */
    uint32_t scope_count;           /* scopes that follow */
    const passtime_sample *samples; /* in the order of recording */
    const passtime_scope *scopes;   /* in the order of opening */
    uint32_t passes_without_slot;   /* passes that found no slot and are not among the samples */
    uint32_t clock_epoch;           /* of its positions */
    bool over_budget;        /* GPU-timed, and busy_ns, be it a lower bound, above the budget */
    bool has_span;           /* false: no sample has a position, span_ns is not known */
    uint64_t busy_ns;        /* union of intervals: the frame's GPU time, nanoseconds */
    uint64_t span_ns;        /* first begin to last end, nanoseconds */
    uint64_t sum_ns;         /* sum of exclusive times, nanoseconds */
    uint64_t cpu_begin_ns;   /* CPU clock at passtime_frame_begin() */
    uint64_t cpu_submit_ns;  /* CPU time from frame_begin to the return of frame_end */
    uint64_t cpu_seen_ns;    /* CPU clock when its completion was seen */
    uint64_t frames_late;    /* frames begun after this one until it was judged */
    int64_t align_offset_ns; /* add to begin_ns for the CPU's clock; see align_bound_ns */
    uint64_t align_bound_ns; /* the offset is within this of the truth; UINT64_MAX: unknown */
} passtime_frame;

/* Which figures of a passtime_stats are there. An absent one is 0 and its bit is clear. */
enum {
    PASSTIME_STATS_HAS_MEAN = 1u << 0,  /* mean_ns */
    PASSTIME_STATS_HAS_SE = 1u << 1,    /* se_ns and n_eff */
    PASSTIME_STATS_HAS_CI = 1u << 2,    /* ci_low_ns and ci_high_ns */
    PASSTIME_STATS_HAS_BELOW = 1u << 3, /* below_ns: the mean lies below it; there is no mean */
    PASSTIME_STATS_HAS_MIN = 1u << 4,   /* min_ns */
    PASSTIME_STATS_HAS_P50 = 1u << 5,   /* p50_ns */
    PASSTIME_STATS_HAS_P95 = 1u << 6,   /* p95_ns */
    PASSTIME_STATS_HAS_P99 = 1u << 7,   /* p99_ns */
    PASSTIME_STATS_BIASED = 1u << 8,    /* more than 1 % of samples rejected: the mean may be off */
    PASSTIME_STATS_QUANTIZED = 1u << 9, /* stamps come in steps too coarse for single values */
    PASSTIME_STATS_HAS_MAX = 1u << 11,  /* max_ns */
    PASSTIME_STATS_LOCKED =
        1u << 12, /* frames begin at one phase of the quantum: errors span a whole quantum */
    PASSTIME_STATS_WINDOWED =
        1u << 10 /* percentiles are of the recent window, else of all samples */
};

/* The statistics of one series. All times in nanoseconds. */
typedef struct passtime_stats {
    uint32_t size;                  /* sizeof(passtime_stats), set by the library */
    uint32_t flags;                 /* PASSTIME_STATS_ bits */
    uint64_t count;                 /* good samples, zeros included */
    uint64_t rejected;              /* samples with another verdict */
    double mean_ns;                 /* plain mean of all good samples */
    double se_ns;                   /* its standard error, autocorrelation included */
    double n_eff;                   /* how many independent samples count tells as much as */
    double ci_low_ns;               /* lower end of the 95 % interval of the mean */
    double ci_high_ns;              /* upper end of it */
    double below_ns;                /* no sample ticked: the mean is below this (95 %) */
    uint64_t min_ns;                /* shortest good sample */
    uint64_t max_ns;                /* longest good sample */
    uint64_t p50_ns;                /* median */
    uint64_t p95_ns;                /* 95th percentile */
    uint64_t p99_ns;                /* 99th percentile; needs a hundred samples */
    uint64_t total_ns;              /* sum of the good samples; saturates */
    uint64_t last_ns;               /* last good sample */
    uint64_t last_frame;            /* the frame that last_ns is of */
    uint64_t quantum_ns;            /* the step that its stamps are rounded to; 0: not known */
    uint32_t frames_for_10_percent; /* so many more frames for a mean within ±10 %; 0, where se_ns
                                       is there: none; UINT32_MAX: no number of frames will do */
} passtime_stats;

/* What a series is of. */
typedef enum passtime_series_kind {
    PASSTIME_SERIES_PASS = 0, /* durations of one pass */
    PASSTIME_SERIES_SCOPE = 1 /* busy times of one scope, complete ones */
} passtime_series_kind;

/* One series: a pass or scope at one place of the tree of scopes, measured in one way. */
typedef struct passtime_series_info {
    uint32_t size;                  /* sizeof(passtime_series_info), set by the library */
    passtime_series_kind kind;      /* pass or scope */
    uint32_t parent;                /* index of the enclosing scope's or pass's series, or NONE */
    passtime_source source;         /* how it was measured */
    uint32_t queue;                 /* number of the queue, from 0 */
    uint32_t flags;                 /* PASSTIME_FLAG_ bits seen on any good sample */
    char name[PASSTIME_NAME_BYTES]; /* UTF-8 */
    char path[PASSTIME_PATH_BYTES]; /* names from the root, joined by '/'; cut if longer */
    uint64_t attributed_ns;         /* sum over complete frames; shares are of all series' sums */
    uint64_t verdicts[PASSTIME_VERDICT_COUNT]; /* samples by verdict */
    passtime_stats stats;                      /* of its good samples */
} passtime_series_info;

/* The figures that a context keeps for whole frames. */
typedef enum passtime_total {
    PASSTIME_TOTAL_BUSY = 0,       /* union of intervals, complete frames only */
    PASSTIME_TOTAL_SPAN = 1,       /* first begin to last end, complete frames only */
    PASSTIME_TOTAL_SUM = 2,        /* sum of exclusive times, complete frames only */
    PASSTIME_TOTAL_CPU_SUBMIT = 3, /* CPU time from frame_begin to frame_end, every timed frame */
    PASSTIME_TOTAL_COUNT = 4       /* how many there are */
} passtime_total;

/* How many of each verdict and fate: nothing is lost silently. */
typedef struct passtime_ledger {
    uint32_t size;                             /* sizeof(passtime_ledger), set by the library */
    uint32_t frames_in_flight;                 /* begun and not judged yet */
    uint64_t frames_seen;                      /* passtime_frame_begin() calls: fates + in flight */
    uint64_t fates[PASSTIME_FATE_COUNT];       /* frames by fate */
    uint64_t passes_recorded;                  /* passes of timed frames: verdicts + in flight */
    uint64_t passes_in_flight;                 /* recorded and not judged yet */
    uint64_t verdicts[PASSTIME_VERDICT_COUNT]; /* passes by verdict */
    uint64_t frames_over_budget;               /* frames over the budget of now */
    uint64_t frames_not_taken;                 /* judged, and overwritten before passtime_next() */
    uint64_t samples_in_other;                 /* samples whose name had no place */
    uint64_t entries_quarantined;  /* ring entries whose recorder was never finished, now */
    uint64_t orphan_ends;          /* ends without a begin */
    uint64_t misuses;              /* calls refused: finished twice, out of order, no frame */
    uint64_t unpumped;             /* results overdue while no event was processed */
    uint64_t frames_within_budget; /* complete GPU-timed frames that are not over it */
    uint64_t skip_run_max;         /* longest run of frames skipped one after another */
    uint64_t frames_budgeted;      /* timed frames judged since this budget was set: the two above
                                      are of these */
} passtime_ledger;

/* What the context measures with. */
typedef struct passtime_clock_info {
    uint32_t size;           /* sizeof(passtime_clock_info), set by the library */
    passtime_source source;  /* how passes are measured: "stamps", "elapsed" or CPU */
    uint32_t valid_bits;     /* of a tick; 0: not known */
    uint32_t clock_epoch;    /* how often the clock was found reset */
    double tick_ns;          /* nanoseconds per tick; 0: not known */
    uint64_t quantum_ns;     /* step that stamps are rounded to, as detected; 0: not known yet */
    int64_t align_offset_ns; /* from positions to the CPU's clock */
    uint64_t align_bound_ns; /* error bound of it; UINT64_MAX: not known */
} passtime_clock_info;

/* Receives log items. `message` is UTF-8 and valid during the call. Called from whichever thread
 * the library was called on; must not call Passtime. Repeated items are limited: each is said at
 * powers of two. */
typedef void (*passtime_log_fn)(void *user, passtime_log_item item, const char *message);

/* Returns the CPU's monotonic clock in nanoseconds. Any thread. */
typedef uint64_t (*passtime_clock_fn)(void *user);

/* The app's allocator. Used by create and destroy only, but a WebGPU context frees its control
 * block in the last callback that the API still owes, so the allocator must outlive the instance.
 */
typedef struct passtime_allocator {
    void *(*allocate)(void *user, size_t bytes); /* aligned as malloc's; NULL: no memory */
    void (*release)(void *user, void *memory);   /* memory from allocate, never NULL */
    void *user;                                  /* handed to both */
} passtime_allocator;

/* What the last frames say of a budget. The numbers are pinned. */
typedef enum passtime_budget_state {
    PASSTIME_BUDGET_STATE_UNKNOWN = 0, /* too few frames proved anything */
    PASSTIME_BUDGET_STATE_WITHIN = 1,  /* enough of the last frames are proved to be within it */
    PASSTIME_BUDGET_STATE_OVER = 2     /* enough of the last frames are proved to be over it */
} passtime_budget_state;

/* When a budget's state changes: to OVER once `over` of the last `window` frames are over it, to
 * WITHIN once `within` of them are within it; in between it stays. An incomplete frame is never
 * within a budget; it is over where its lower bound is. 1 to 64 frames, and over + within must be
 * more than the window. Default: 8 of 16, and 12 of 16. */
typedef struct passtime_budget_rule {
    uint32_t window; /* how many of the last timed frames are looked at */
    uint32_t over;   /* so many of them over it: OVER */
    uint32_t within; /* so many of them within it: WITHIN */
} passtime_budget_rule;

/* A budget whose state has changed. */
typedef struct passtime_budget_event {
    uint64_t frame_number;          /* the frame that changed it */
    passtime_budget_state state;    /* what it is now */
    char name[PASSTIME_NAME_BYTES]; /* of the pass; "": the whole frame */
    uint64_t budget_ns;             /* the budget, nanoseconds */
    uint64_t value_ns; /* of that frame: its busy time, or the sum of the pass's runs */
} passtime_budget_event;

/* Told of each change, in the collecting calls (passtime_frame_begin, passtime_frame_end,
 * passtime_collect, passtime_next), on their thread and outside of all locks: it may call Passtime,
 * save passtime_destroy(). `event` is valid during the call. */
typedef void (*passtime_budget_fn)(void *user, const passtime_budget_event *event);

/* A budget as it stands. */
typedef struct passtime_budget_info {
    uint32_t size;               /* sizeof(passtime_budget_info), set by the library */
    passtime_budget_state state; /* as the rule has it */
    uint32_t over;               /* of the last `window` frames, those proved to be over */
    uint32_t within;             /* of the same, those proved to be within */
    uint64_t budget_ns;          /* 0: none */
    uint64_t changed_frame;      /* the frame that changed its state last; 0 while it is UNKNOWN */
} passtime_budget_info;

/* Passes that can have budgets of their own, at most. */
enum { PASSTIME_PASS_BUDGETS_MAX = 16 };

/* Options for passtime_desc.flags. */
enum {
    PASSTIME_CPU_STAMPS = 1u << 0, /* read the CPU clock at each begin and end (about 30 ns each) */
    PASSTIME_START_DISABLED = 1u << 1 /* time nothing until passtime_enable() */
};

/* How a context is made. 0 in any field means its default; passtime_get_desc() reads back what
 * holds. */
typedef struct passtime_desc {
    uint32_t size;             /* sizeof(passtime_desc); PASSTIME_DESC_INIT sets it */
    uint32_t flags;            /* PASSTIME_CPU_STAMPS, PASSTIME_START_DISABLED */
    uint32_t max_passes;       /* passes a frame; default 128, at most 65,536 */
    uint32_t max_scopes;       /* scopes a frame; default 32, at most 1,048,576 */
    uint32_t max_recorders;    /* recorders a frame; default 8, at most 256 */
    uint32_t max_names;        /* names and series kept, 2 to 262,144; default max_passes + 16 */
    uint32_t frames_in_flight; /* ring entries; default 4 (8 on GL and in browsers), at most 64 */
    uint32_t
        output_frames;  /* judged frames kept; default twice frames_in_flight, at most 1,048,576 */
    uint32_t every;     /* time one frame in so many, at random places; default 1 */
    uint32_t reserved;  /* must be 0 */
    uint64_t seed;      /* for `every`; default: from the clock */
    uint64_t budget_ns; /* of a frame's busy_ns; default none */
    uint64_t
        ceiling_ns; /* reject longer passes; default none, 100 ms for frames without envelope */
    uint64_t timeout_ns;          /* give up on a frame's results; default 10 s */
    passtime_allocator allocator; /* both functions or none; default: malloc and free */
    passtime_clock_fn clock;      /* default: the OS's monotonic clock */
    void *clock_user;             /* handed to clock */
    passtime_log_fn log;          /* default: silent */
    void *log_user;               /* handed to log */
    passtime_budget_fn budget_fn; /* told when a budget's state changes; default: nobody */
    void *budget_user;            /* handed to budget_fn */
} passtime_desc;

#define PASSTIME_DESC_INIT                                                                         \
    {                                                                                              \
        sizeof(passtime_desc), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {NULL, NULL, NULL}, NULL,    \
            NULL, NULL, NULL, NULL, NULL                                                           \
    }

/* The library's version as major << 16 | minor << 8 | patch. */
PASSTIME_API uint32_t passtime_version(void);
/* The same as text, "0.1.0". Static. */
PASSTIME_API const char *passtime_version_string(void);

/* Names for people and files, static, never NULL: "good", "below resolution", "stamps" … */
PASSTIME_API const char *passtime_result_name(passtime_result result);
PASSTIME_API const char *passtime_verdict_name(passtime_verdict verdict); /* "not executed" */
PASSTIME_API const char *passtime_source_name(passtime_source source);    /* "gpu stamps" */
PASSTIME_API const char *passtime_fate_name(passtime_fate fate);          /* "skipped: ring full" */
/* True for PASSTIME_GOOD and PASSTIME_BELOW_RESOLUTION: the sample's times count. */
PASSTIME_API bool passtime_is_good(passtime_verdict verdict);
/* True where a source is time of the GPU, false for CPU fallbacks. */
PASSTIME_API bool passtime_is_gpu_time(passtime_source source);

/* Ends a context and sets *t to NULL. Legal with frames in flight: their GPU objects are released
 * and late callbacks find a control block that outlives the context. Returns without waiting. No
 * recorder of the context may be used afterwards. */
PASSTIME_API void passtime_destroy(passtime **t);

/* Copies what holds, defaults resolved. */
PASSTIME_API passtime_result passtime_get_desc(const passtime *t, passtime_desc *out);
/* Bytes that the context took at create: all that it will ever take in the core. */
PASSTIME_API size_t passtime_memory_bytes(const passtime *t);

/* Begins frame `number` and returns its first recorder, or NULL when this frame is not timed; the
 * ledger says why. Frames may overlap: number N+1 may be begun while N is still being recorded or
 * submitted elsewhere. Also collects what has come back. Never waits. */
PASSTIME_API passtime_recorder *passtime_frame_begin(passtime *t, uint64_t number);
/* A further recorder for a frame begun and not ended, for another encoder or thread; NULL when that
 * frame is not timed or max_recorders is reached. Any thread. */
PASSTIME_API passtime_recorder *passtime_recorder_begin(passtime *t, uint64_t number);
/* Says that the recorder's commands were handed to the queue. Ends the recorder. Call it after the
 * submit: stamps are resolved after it. */
PASSTIME_API void passtime_submitted(passtime_recorder *rec);
/* Says that the recorder's commands will never run. Ends the recorder. */
PASSTIME_API void passtime_discarded(passtime_recorder *rec);
/* Ends frame `number`: its stamps are resolved and copied, in a submission of Passtime's own, at
 * once or, while recorders of it are unfinished, in a later call once they are finished. EMPTY:
 * this frame is not timed. INVALID: it has ended already. Any thread. */
PASSTIME_API passtime_result passtime_frame_end(passtime *t, uint64_t number);

/* Interns a name for the life of the context; the fastest way to name a pass. At most max_names;
 * 0, the bucket "(other)", beyond that. `bytes` need not be followed by a zero. Bytes that are not
 * UTF-8 are replaced. Any thread. */
PASSTIME_API passtime_id passtime_intern(passtime *t, const char *name);
PASSTIME_API passtime_id passtime_intern_n(passtime *t, const char *name, size_t bytes);

/* Begins and ends a pass inline, where the backend stamps inline (CPU, feed; OpenGL). Passes nest
 * within a recorder. On WebGPU use passtime/webgpu.h instead; there these are refused and counted.
 */
PASSTIME_API void passtime_begin(passtime_recorder *rec, const char *name);
PASSTIME_API void passtime_begin_n(passtime_recorder *rec, const char *name, size_t bytes);
PASSTIME_API void passtime_begin_id(passtime_recorder *rec, passtime_id id);
PASSTIME_API void passtime_end(passtime_recorder *rec);

/* Opens and closes a scope: passes recorded in between belong to it. Scopes nest, within one
 * recorder. */
PASSTIME_API void passtime_scope_begin(passtime_recorder *rec, const char *name);
PASSTIME_API void passtime_scope_begin_id(passtime_recorder *rec, passtime_id id);
PASSTIME_API void passtime_scope_end(passtime_recorder *rec);

/* Collects what has come back, without waiting. frame_begin, frame_end and passtime_next do it too;
 * call it when no frames follow (compute only, a hidden tab). */
PASSTIME_API void passtime_collect(passtime *t);
/* Takes the oldest judged frame. *frame is valid until the next call of passtime_next() or
 * passtime_destroy(). PENDING and EMPTY leave *frame NULL. Frames come in the order of judging. */
PASSTIME_API passtime_result passtime_next(passtime *t, const passtime_frame **frame);

/* Turns timing on or off from the next frame on. Off costs one test a call. */
PASSTIME_API void passtime_enable(passtime *t, bool enabled);
/* Times one frame in `every` from the next on, each at a random place among its `every` frames, so
 * as not to alias with work done on alternate frames. 0 and 1: every frame. */
PASSTIME_API void passtime_set_every(passtime *t, uint32_t every);
/* Sets the budget of a frame's busy time, nanoseconds; 0: none. */
PASSTIME_API void passtime_set_budget(passtime *t, uint64_t budget_ns);
/* Sets the budget of all runs of a pass in one frame, by its name; 0: none. FULL: there are budgets
 * for PASSTIME_PASS_BUDGETS_MAX names already. Only GPU time is held against budgets. */
PASSTIME_API passtime_result passtime_set_pass_budget(passtime *t, const char *name,
                                                      uint64_t budget_ns);
/* Sets when states change, for all budgets, which become UNKNOWN; NULL: the default. INVALID: it
 * can't be kept. */
PASSTIME_API passtime_result passtime_set_budget_rule(passtime *t,
                                                      const passtime_budget_rule *rule);
/* Copies the budget of a pass, or of the frame (name NULL). INVALID: that pass has none. */
PASSTIME_API passtime_result passtime_get_budget(passtime *t, const char *name,
                                                 passtime_budget_info *out);

/* How many series there are; their indices run from 0. */
PASSTIME_API uint32_t passtime_series_count(passtime *t);
/* Copies series `index`. INVALID: no such series (also one whose name gave up its place). */
PASSTIME_API passtime_result passtime_series(passtime *t, uint32_t index,
                                             passtime_series_info *out);
/* Copies the statistics of a whole-frame figure. */
PASSTIME_API passtime_result passtime_frame_stats(passtime *t, passtime_total total,
                                                  passtime_stats *out);
/* Copies the ledger. */
PASSTIME_API passtime_result passtime_get_ledger(passtime *t, passtime_ledger *out);
/* Copies what the context knows of its clock. */
PASSTIME_API passtime_result passtime_get_clock(passtime *t, passtime_clock_info *out);
/* Forgets all statistics and the ledger; frames in flight are still judged. */
PASSTIME_API void passtime_reset_stats(passtime *t);

#ifdef __cplusplus
}
#endif

#endif
