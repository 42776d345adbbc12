/* SPDX-License-Identifier: MIT */
/* What the scenes work out on the CPU for each frame, alike for every graphics API. */
#ifndef PASSTIME_CLI_SCENE_WORK_H
#define PASSTIME_CLI_SCENE_WORK_H

#include <stdint.h>

enum {
    PASSES_COUNT = 3, /* passes of `demo passes` */

    MAP_TOWN_COUNT = 32,
    MAP_WORKGROUP = 64,
    MAP_TILE_COUNT = 64 + 256 + 1024 + 4096,
    MAP_LEGEND_SIZE_MIN = 256, /* pixels a side: it would cover too much of a smaller picture */
};

/* Points are numbered and counted in 32 bits, and the last row of a dispatch is not all used. */
#define MAP_POINTS_MAX UINT64_C(4000000000)

/* As the shaders' block Pass. */
struct pass_work {
    float tint[3];
    uint32_t steps;
    float constant[2];
    float scale;
    float turn;
    float longest;
    float contrast;
    float padding[2];
};

/* As the shaders' block View. */
struct map_view {
    float centre[2];
    float zoom;
    uint32_t size;
    uint32_t points;
    uint32_t row;
    uint32_t level;
    uint32_t tile_count;
    float towns[MAP_TOWN_COUNT][4];
};

/* How the points are spread over workgroups: `rows` of `columns`. */
struct map_dispatch {
    uint32_t columns;
    uint32_t rows;
};

/* The work of pass `index` in a frame. */
struct pass_work passes_work(uint32_t index, uint32_t frame_index);

/* Fills in all that stays the same from frame to frame; `row` only map_plan knows. */
void map_found(struct map_view *view, uint32_t size_pixels, uint64_t point_count);

/* As many rows of workgroups as `columns_most` makes necessary, all of them alike. */
struct map_dispatch map_plan(struct map_view *view, uint32_t columns_most);

/* A loop over the city: from above all of it, down to its streets, and back. */
void map_fly(struct map_view *view, uint32_t frame_index);

#endif
