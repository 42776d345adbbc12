/* SPDX-License-Identifier: MIT */
/*
 * Lays slices out in lanes. The slices of one Perfetto track must nest, and passes that overlap do
 * not: each goes to the first lane that is free at its begin. A pass nested in another shares its
 * lane; one that merely falls within another's time does not, since a viewer would show it as a
 * part of it.
 */
#ifndef PASSTIME_SINK_LANES_H
#define PASSTIME_SINK_LANES_H

#include <passtime/passtime.h>

enum {
    PASSTIME_LANES = 16,        /* lanes of one set */
    PASSTIME_LANE_DEPTH = 16,   /* slices nested in one lane */
    PASSTIME_LANES_CHUNK = 1024 /* slices that are laid out at once */
};

/* One slice to be laid out. Times are of one time line for all frames of a set. */
struct passtime_slice {
    uint64_t begin_ns;
    uint64_t end_ns;
    uint32_t index;  /* the caller's: what passtime_lane_emit is told */
    uint32_t parent; /* `index` of the slice that it is nested in, or PASSTIME_NONE */
    bool later;      /* that one began before this one does */
};

struct passtime_lane {
    uint64_t until_ns; /* the last thing that was written on it */
    uint32_t depth;
    struct passtime_slice open[PASSTIME_LANE_DEPTH];
};

struct passtime_lane_set {
    struct passtime_lane lanes[PASSTIME_LANES];
};

/* Is told every begin and end; per lane they come in the order of time, and nest. */
typedef void (*passtime_lane_emit)(void *user, uint32_t lane, uint32_t index, uint64_t at_ns,
                                   bool begin);

/* Sorts slices by begin (at one begin: those without length, then the longer first), then by index.
 * `scratch` holds as many. */
void passtime_lanes_sort(struct passtime_slice *slices, struct passtime_slice *scratch,
                         uint32_t count);
/* Lays one slice out; they come sorted. False: no lane has room for it. */
bool passtime_lanes_put(struct passtime_lane_set *set, const struct passtime_slice *slice,
                        passtime_lane_emit emit, void *user);
/* Ends all that is open. */
void passtime_lanes_flush(struct passtime_lane_set *set, passtime_lane_emit emit, void *user);

#endif
