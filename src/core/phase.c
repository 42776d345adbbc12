/* SPDX-License-Identifier: MIT */
/* The phase of frames against the step of stamps, as their pace tells it. */
#include "core/phase.h"

/* A window. Frames at random phases, a whole number of steps apart on average, are all on the
 * lattice but one in a window only where their spread is below 0.22 steps (or 2^-60 of the time).
 */
static const uint32_t window_frames = 64;
static const uint32_t still_frames = 63;

/* So many windows tell before anything is said, and so large a part of all. */
static const uint32_t windows_needed = 3;
static const uint32_t still_part = 4;

/* Frames closer together than this sweep the grid by their very pace. */
static const uint64_t pace_least = 2;

/* A lattice that has slipped by so many steps has crossed the grid as often: phases were mixed. */
static const int64_t slips_most = 4;

void passtime_phase_init(struct passtime_phase *p)
{
    *p = (struct passtime_phase){0};
}

/* Nothing is known of the lattice any more: with this window's frames up to here lost, it cannot
 * be a still one. */
static void lose_lattice(struct passtime_phase *p)
{
    p->aside = 0;
    p->regular[0] = p->regular[1] = p->regular[2] = 0;
}

/* Boyer and Moore's majority. True: the pace is another one now. */
static bool vote(struct passtime_phase *p, uint64_t steps)
{
    if (steps == p->pace) {
        p->votes += p->votes < window_frames;
        return false;
    }
    if (p->votes > 0) {
        p->votes--;
        return false;
    }
    p->pace = steps;
    p->votes = 1;
    return true;
}

/* How far a distance is off the nearest multiple of the pace: frames in between may be missing. */
static int64_t off_lattice(uint64_t steps, uint64_t pace)
{
    uint64_t rest = steps % pace;
    return rest <= pace / 2 ? (int64_t)rest : -(int64_t)(pace - rest);
}

static void close_window(struct passtime_phase *p)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < 3; i++) {
        most = p->regular[i] > most ? p->regular[i] : most;
    }
    p->windows++;
    p->still_windows += most >= still_frames;
    p->slipped += p->aside;
    p->frames = 0;
    lose_lattice(p);
}

static void take(struct passtime_phase *p, uint64_t steps)
{
    if (vote(p, steps)) {
        lose_lattice(p);
        p->slipped = 0;
    }
    int64_t off = p->pace >= pace_least ? off_lattice(steps, p->pace) : INT64_MAX;
    if (off >= -1 && off <= 1) {
        p->aside += (int32_t)off;
    } else {
        lose_lattice(p); /* A stall: what comes after it may stand still elsewhere. */
    }
    if (p->aside >= -1 && p->aside <= 1) {
        p->regular[p->aside + 1]++;
    }
    p->frames++;
    if (p->frames == window_frames) {
        close_window(p);
    }
}

void passtime_phase_add(struct passtime_phase *p, uint32_t epoch, uint64_t begin_ns,
                        uint64_t quantum_ns)
{
    bool follows =
        p->started && p->epoch == epoch && p->quantum_ns == quantum_ns && begin_ns >= p->last_ns;
    if (follows) {
        take(p, (begin_ns - p->last_ns + quantum_ns / 2) / quantum_ns);
    } else {
        lose_lattice(p);
    }
    p->started = true;
    p->epoch = epoch;
    p->quantum_ns = quantum_ns;
    p->last_ns = begin_ns;
}

bool passtime_phase_is_locked(const struct passtime_phase *p)
{
    int64_t slipped = p->slipped < 0 ? -p->slipped : p->slipped;
    return p->still_windows >= windows_needed && p->still_windows * still_part >= p->windows &&
           slipped < slips_most;
}
