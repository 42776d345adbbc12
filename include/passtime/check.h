/* SPDX-License-Identifier: MIT */
/*
 * Whether a device can measure at all: the judgement over numbers that were measured on it. It is
 * what `passtime probe --check` prints; an app that wants to know runs the same work in its own
 * context and asks here.
 *
 * The work: compute passes and render passes of 1, 2, 4 … equal parts, in random order, in two runs
 * that are kept apart; then a pass of each kind right after a long one of the other kind. The parts
 * must be alike, and one of them longer than the steps of the clock.
 *
 * Pure: no context, no memory of its own, no clock. Any thread.
 */
#ifndef PASSTIME_CHECK_H
#define PASSTIME_CHECK_H

#include <passtime/passtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Steps of one kind, and kinds of passes, at most. */
enum { PASSTIME_CHECK_STEPS_MAX = 8, PASSTIME_CHECK_KINDS_MAX = 2 };

/* One amount of work. A time of 0 that was measured is a time; one that was not has count 0. */
typedef struct passtime_check_step {
    uint32_t parts;    /* how much work, above 0 */
    uint32_t count[2]; /* good samples of each run; 0: none came back, its times mean nothing */
    double gpu_ns[2];  /* typical time of the pass by the GPU's stamps in each run */
    double cpu_ns[2];  /* typical CPU time from submit to completion; 0: not measured */
} passtime_check_step;

/* One kind of pass: compute, render, or, where the API knows one only, that. */
typedef struct passtime_check_kind {
    uint32_t step_count; /* 0: this kind was not run */
    uint32_t parts;      /* of the pass that was timed alone and after the long one */
    passtime_check_step steps[PASSTIME_CHECK_STEPS_MAX]; /* by rising parts */
    uint32_t order_count;   /* good samples of the two times that follow; 0: not run */
    uint32_t other_parts;   /* how long the pass before it was */
    double alone_ns;        /* typical time with nothing before it */
    double after_other_ns;  /* the same pass right after a long one of the other kind */
    double before_other_ns; /* that long one of the other kind, in the same frames; 0: none */
} passtime_check_kind;

/* What was measured on a device. PASSTIME_CHECK_INPUT_INIT gives one without anything. */
typedef struct passtime_check_input {
    uint32_t size;            /* sizeof(passtime_check_input) */
    bool feature;             /* the device offers timer queries */
    bool has_pair_cost;       /* pair_cost_ns holds something */
    passtime_source source;   /* how the passes were timed */
    uint32_t minimal_samples; /* minimal passes that were recorded */
    uint32_t minimal_good;    /* those whose stamps are there and in order */
    uint64_t quantum_ns;      /* the step that stamps are rounded to; 0: not known */
    uint64_t minimal_ns; /* shortest time above 0 of a minimal pass, or, where stamps are coarser
                            than it, the mean of all; 0: not known */
    double pair_cost_ns; /* GPU time that a pair of stamps adds */
    passtime_check_kind kinds[PASSTIME_CHECK_KINDS_MAX]; /* what each kind of pass gave */
} passtime_check_input;

#define PASSTIME_CHECK_INPUT_INIT                                                                  \
    {                                                                                              \
        sizeof(passtime_check_input), false, false, PASSTIME_GPU_STAMPS, 0, 0, 0, 0, 0.0,          \
        {                                                                                          \
            {                                                                                      \
                0, 0, {{0, {0, 0}, {0.0, 0.0}, {0.0, 0.0}}}, 0, 0, 0.0, 0.0, 0.0                   \
            }                                                                                      \
        }                                                                                          \
    }

/* What was found of one step of the proof. The numbers are pinned. */
typedef enum passtime_check_result {
    PASSTIME_CHECK_UNKNOWN = 0, /* too little was measured to tell */
    PASSTIME_CHECK_HOLDS = 1,   /* so it is */
    PASSTIME_CHECK_FAILS = 2    /* so it is not */
} passtime_check_result;

/* The way to measure. The numbers are pinned. */
typedef enum passtime_check_method {
    PASSTIME_CHECK_NOTHING = 0,    /* nothing here tells more work from less */
    PASSTIME_CHECK_STAMPS = 1,     /* GPU stamps */
    PASSTIME_CHECK_ELAPSED = 2,    /* elapsed queries */
    PASSTIME_CHECK_CPU_SUBMIT = 3, /* the CPU's clock from submit to completion: whole frames */
    PASSTIME_CHECK_COUNTERS = 4,   /* counters in the shaders: how much was done, not how long */
    PASSTIME_CHECK_NOT_TOLD = 5    /* too little came back to choose by: check again */
} passtime_check_method;

/* Why. The numbers are pinned. */
typedef enum passtime_check_reason {
    PASSTIME_CHECK_PROVED = 0,          /* each step of the proof holds */
    PASSTIME_CHECK_NO_FEATURE = 1,      /* the device offers no timer queries */
    PASSTIME_CHECK_NO_STAMPS = 2,       /* the stamps of minimal passes are missing or backward */
    PASSTIME_CHECK_NOT_RISING = 3,      /* times do not rise with the work */
    PASSTIME_CHECK_NOT_LINEAR = 4,      /* they rise, and not in proportion */
    PASSTIME_CHECK_NOT_REPEATABLE = 5,  /* two runs of the same work disagree */
    PASSTIME_CHECK_BOUNDARY_UNTRUE = 6, /* passes of some kind are stamped early or late */
    PASSTIME_CHECK_TOO_LITTLE = 7       /* too little came back to tell */
} passtime_check_reason;

/* One kind of pass, judged. A figure that is not there is 0 and its flag false. */
typedef struct passtime_check_kind_verdict {
    passtime_check_result rises;   /* rank correlation of work and time is at least 0.9 */
    passtime_check_result linear;  /* time over work above the least step is in proportion */
    passtime_check_result repeats; /* the two runs agree within a third */
    passtime_check_result covers; /* the CPU sees as much time added by a part, or half to double */
    passtime_check_result boundary; /* the same pass takes as long after one of the other kind; both
                                       are UNKNOWN where the runs disagree by more than that */
    bool has_rank;                  /* rank is there */
    bool has_slope;                 /* slope_ns and linear_error are there */
    bool has_repeat;                /* repeat_error is there */
    bool has_order;                 /* order_ratio is there */
    bool has_cover;                 /* cover_ratio is there */
    bool cpu_rises;                 /* the CPU's clock from submit to completion rises too */
    double rank;                    /* Spearman's rank correlation, -1 to 1 */
    double slope_ns;                /* nanoseconds a part, a line through all steps */
    double linear_error; /* largest distance from that line, as a share of the longest step */
    double repeat_error; /* largest difference of the two runs, as a share of the longer */
    double cover_ratio;  /* slope by the GPU by slope by the CPU: 1 where stamps cover it all */
    double order_ratio;  /* time after the other kind by time alone: 1 where it is true */
} passtime_check_kind_verdict;

/* The judgement. */
typedef struct passtime_check_verdict {
    uint32_t size;                /* sizeof(passtime_check_verdict), set by the library */
    passtime_check_method method; /* the one to choose */
    passtime_check_reason reason; /* why that one, or what to doubt of it */
    passtime_check_result stamps; /* stamps of a minimal pass are there and in order */
    bool can_measure;             /* by GPU time: the method is stamps or elapsed */
    bool has_finest;              /* finest_ns holds something */
    double finest_ns; /* the shortest pass worth timing: its mean comes within 10 % in a thousand
                         frames of this quantum, it is twice a minimal pass, and the pair of stamps
                         adds at most a tenth to it */
    passtime_check_kind_verdict kinds[PASSTIME_CHECK_KINDS_MAX];
} passtime_check_verdict;

/* Judges. INVALID: NULL, a wrong size, too many steps, or a time that is negative or no number. */
PASSTIME_API passtime_result passtime_check_judge(const passtime_check_input *input,
                                                  passtime_check_verdict *out);

/* Names for people and files, static, never NULL: "holds", "cpu submit", "not rising" … */
PASSTIME_API const char *passtime_check_result_name(passtime_check_result result);
PASSTIME_API const char *passtime_check_method_name(passtime_check_method method);
PASSTIME_API const char *passtime_check_reason_name(passtime_check_reason reason);

/* The middle of `count` paired differences, with a 95 % interval: what something adds, measured by
 * turns with and without it. */
typedef struct passtime_check_cost {
    uint32_t count; /* pairs it rests on */
    bool known;     /* false: fewer than eight, and the rest is 0 */
    double ns;      /* the median; where `means` was asked for, the mean */
    double low_ns;  /* lower end of the interval */
    double high_ns; /* upper end of it */
} passtime_check_cost;

/* Sorts `differences_ns` in place. `means`: on rounded stamps medians mean nothing, the mean does.
 */
PASSTIME_API passtime_check_cost passtime_check_difference(double *differences_ns, uint32_t count,
                                                           bool means);

#ifdef __cplusplus
}
#endif

#endif
