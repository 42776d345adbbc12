/* SPDX-License-Identifier: MIT */
/* What the terminal can show, and the live picture of a run on it. */
#ifndef PASSTIME_CLI_TERMINAL_H
#define PASSTIME_CLI_TERMINAL_H

#include "sink/report_line.h"

/* How to write to a stream: its width, and whether colours and Unicode are for it. */
struct passtime_report_style terminal_style(FILE *stream);

bool terminal_is_interactive(FILE *stream);

enum { LIVE_PASSES_MAX = 16, LIVE_LINES = 4 };

/* The last frame that came back, as a stacked bar against the budget, with progress above it. It is
 * drawn anew in place, at most ten times a second. */
struct live {
    FILE *out; /* NULL: nothing is shown */
    struct passtime_report_style style;
    uint64_t budget_ns;
    uint64_t begun_ns; /* when the first frame was begun; 0: not yet */
    uint64_t drawn_ns; /* when it was last drawn */
    uint32_t lines;    /* that stand on the terminal now */
    uint64_t frames_over;
    uint64_t frames_back; /* complete ones */
    bool gpu_time;
    uint64_t busy_ns; /* of the last frame */
    uint32_t pass_count;
    char names[LIVE_PASSES_MAX][32];
    uint64_t times_ns[LIVE_PASSES_MAX]; /* attributed, of the last frame */
};

void live_begin(struct live *live, FILE *out, uint64_t budget_ns);
/* Takes a frame that came back. */
void live_frame(struct live *live, const passtime_frame *frame);
/* Draws if it is time to: `done` of `total` frames of this stage are drawn; 0: nobody knows how
 * many there will be. */
void live_draw(struct live *live, const char *stage, uint64_t done, uint64_t total,
               uint64_t now_ns);
/* Wipes it from the terminal. */
void live_end(struct live *live);

#endif
