/* SPDX-License-Identifier: MIT */
/*
 * Watches whether frames begin at one and the same phase of the step that stamps are rounded to.
 * The plain mean of rounded durations is right only because phases are mixed; where they stand
 * still, each duration is rounded the same way each time, and no number of frames makes up for it.
 *
 * The phase itself cannot be seen: rounding takes it away. What shows is the pace. Frames that keep
 * their phase are whole steps apart, nearly always the same number of them, and never slip by one;
 * frames with mixed phases slip. So a frame is regular when it lies on the lattice that the
 * window's others lie on, and phases stand still where nearly all are, window after window.
 *
 * Not seen: phases that stand still so close to a step's edge that stamps fall on both sides;
 * frames without a pace that a GPU starts on the grid; and phases that stand still within a frame
 * only.
 */
#ifndef PASSTIME_CORE_PHASE_H
#define PASSTIME_CORE_PHASE_H

#include <stdbool.h>
#include <stdint.h>

struct passtime_phase {
    bool started;
    uint32_t epoch;         /* of the clock, of the frame before */
    uint64_t last_ns;       /* position of the frame before */
    uint64_t quantum_ns;    /* that it was counted in */
    uint64_t pace;          /* steps from frame to frame, by the vote of all frames */
    uint32_t votes;         /* the majority that it has */
    uint32_t frames;        /* of this window */
    uint32_t regular[3];    /* those a step before, on and a step after the lattice of the window */
    int32_t aside;          /* steps that the last frame lies off that lattice */
    int64_t slipped;        /* the same, of all windows since the pace is what it is */
    uint32_t windows;       /* that were looked at */
    uint32_t still_windows; /* those in which phases stood still */
};

void passtime_phase_init(struct passtime_phase *p);

/* Takes the position of a frame's first good stamp. quantum_ns: above 1. */
void passtime_phase_add(struct passtime_phase *p, uint32_t epoch, uint64_t begin_ns,
                        uint64_t quantum_ns);

/* Phases stood still in a good part of the time, and have not moved over the grid meanwhile. */
bool passtime_phase_is_locked(const struct passtime_phase *p);

#endif
