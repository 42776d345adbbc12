/* SPDX-License-Identifier: MIT */
/*
 * What the files of the benchmark share. A row of the table is the median of several repeats with
 * their least and greatest; the repeats of rows that are compared are taken in turns, so that what
 * the machine does besides falls on all of them alike.
 */
#ifndef PASSTIME_BENCH_H
#define PASSTIME_BENCH_H

#include <passtime/passtime.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BENCH_PASSES = 64, /* a frame: what the targets are stated for */
    BENCH_FRAMES_IN_FLIGHT = 4,
    BENCH_REPEATS_MAX = 101,
    BENCH_ROWS_MAX = 64,
    BENCH_NOTES_MAX = 16,
    BENCH_NOTE_BYTES = 256
};

/* What was asked for on the command line. */
struct bench_options {
    bool json;
    bool quick; /* seconds instead of a minute; figures are rough */
    bool gpu;   /* use a WebGPU device, if there is one */
    uint32_t repeats;
    uint32_t frames; /* a repeat */
};

/* The figures of one row. `values` were measured in the order given. */
struct bench_figures {
    uint32_t count;
    double values[BENCH_REPEATS_MAX];
};

/* bench_table.c: the table is printed at the end, or as JSON. */
struct bench_row {
    const char *name; /* stable: what a program looks for */
    const char *what; /* for people */
    const char *unit;
    double median;
    double least;
    double most;
    double target; /* the median is to lie below it; 0: none */
    bool known;    /* false: it can't be measured here */
};

struct bench_table {
    uint32_t row_count;
    uint32_t note_count;
    struct bench_row rows[BENCH_ROWS_MAX];
    char notes[BENCH_NOTES_MAX][BENCH_NOTE_BYTES];
};

/* Adds a row made of repeats. `target` 0: none. Returns it, for what is not plain. */
struct bench_row *bench_row_add(struct bench_table *table, const char *name, const char *what,
                                const char *unit, double target,
                                const struct bench_figures *figures);
/* Adds a row that is one exact number. */
void bench_row_add_number(struct bench_table *table, const char *name, const char *what,
                          const char *unit, double target, double value);
/* Adds a row that can't be measured here. */
void bench_row_add_unknown(struct bench_table *table, const char *name, const char *what,
                           const char *unit);
/* Adds a line below the table. */
void bench_note(struct bench_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bench_table_print(const struct bench_table *table, bool json);
/* Sorts the figures; the value at `part` of the way from the least to the greatest. */
double bench_quantile(struct bench_figures *figures, double part);
/* The interval that holds the median of what the figures are drawn from, at 95 %, whatever their
 * distribution: two order statistics. False: too few figures for one. */
bool bench_median_interval(struct bench_figures *figures, double *low, double *high);

/* bench_measure.c */
uint64_t bench_now_ns(void); /* monotonic */
uint64_t bench_cpu_ns(void); /* CPU time of this thread, so that being preempted does not count */
uint64_t bench_allocations(void); /* calls of an allocator so far; UINT64_MAX: not counted here */
/* Memory that is there now; 0: not told here. Pages of program files come and go by the system's
 * will. */
struct bench_resident {
    size_t all_kib;
    size_t data_kib; /* without pages of files */
};
struct bench_resident bench_resident(void);
/* Instructions of user code on this thread. `open` says whether they can be counted. */
bool bench_instructions_open(void);
uint64_t bench_instructions(void);

/* A context on something that costs nothing, and how to record a frame on it. */
struct bench_subject {
    passtime *t;
    void *self;
    void (*record)(struct bench_subject *subject,
                   passtime_recorder *rec);      /* all passes of a frame */
    void (*pump)(struct bench_subject *subject); /* lets results come back; NULL: they are there */
    void (*close)(struct bench_subject *subject);
    void (*taken)(struct bench_subject *subject, const passtime_frame *frame); /* may be NULL */
    void *taken_user;
    passtime_id ids[BENCH_PASSES];
    char names[BENCH_PASSES][48];
    uint64_t frame;
    uint64_t samples;     /* taken by the app so far */
    size_t context_bytes; /* asked of the context's allocator; 0: not counted */
};

enum bench_naming { BENCH_BY_ID, BENCH_BY_STRING, BENCH_BY_LONG_STRING };
/* What the passes of a null GPU look like. */
enum bench_shape { BENCH_IN_SEQUENCE, BENCH_OVERLAPPING };

/* Names the passes and interns them. A long name has 40 bytes. */
void bench_subject_name(struct bench_subject *subject, enum bench_naming naming);
/* One whole frame: begin, record, submitted, end, and all results taken. */
void bench_subject_frame(struct bench_subject *subject);
/* The second half of it, once all is recorded. */
void bench_subject_finish(struct bench_subject *subject, passtime_recorder *rec);

/* bench_subject.c has the calls above. bench_null.c: a null driver behind core/backend.h. `tick_ns`
 * as in passtime/webgpu.h. */
bool bench_null_open(struct bench_subject *subject, enum bench_naming naming,
                     enum bench_shape shape, double tick_ns);

/* bench_webgpu.c: the WebGPU backend on functions of webgpu.h that do nothing. False: not built. */
bool bench_webgpu_open(struct bench_subject *subject, enum bench_naming naming);

/* bench_gl.c: the GL backend on functions of GL that do nothing. */
bool bench_gl_open(struct bench_subject *subject, enum bench_naming naming);
/* ns a pass of two glQueryCounter calls on the same functions, and of reading their results. */
double bench_gl_by_hand(struct bench_subject *subject, uint32_t frames, bool reads);

/* The groups of rows. False: what was measured is not what was meant to be, said on stderr. */
bool bench_cost(struct bench_table *table, const struct bench_options *options);
bool bench_memory(struct bench_table *table, const struct bench_options *options);
bool bench_capture(struct bench_table *table, const struct bench_options *options);
bool bench_gpu(struct bench_table *table, const struct bench_options *options);
bool bench_gl_device(struct bench_table *table, const struct bench_options *options);
/* One subject alone, `frames` frames: what `make bench-instructions` counts. */
bool bench_run_alone(const char *name, uint32_t frames);

#endif
