/* SPDX-License-Identifier: MIT */
/* The numbers behind the pictures: where the flight is, and what the passes are given to do. */
#include "cli/scene_work.h"

#include <math.h>
#include <stddef.h>

enum {
    PASSES_LOOP_FRAMES =
        600,                /* The picture changes slowly, and begins anew after so many frames. */
    MAP_LOOP_FRAMES = 120,  /* The flight over the city is a loop of this many frames. */
    MAP_TILE_LEVEL_MIN = 3, /* As in map_common.wgsl and .glsl. */
    MAP_TILE_LEVEL_MAX = 6,
};

static float turn_of(uint32_t frame_index, uint32_t loop_frames)
{
    return 6.2831853f * (float)(frame_index % loop_frames) / (float)loop_frames;
}

struct pass_work passes_work(uint32_t index, uint32_t frame_index)
{
    static const struct pass_work first[PASSES_COUNT] = {
        {{0.02f, 0.12f, 0.34f}, 64, .longest = 26.0f, .contrast = 2.4f},
        {{0.62f, 0.02f, 0.20f}, 256, .longest = 60.0f, .contrast = 4.5f},
        {{1.00f, 0.72f, 0.16f}, 1024, .longest = 110.0f, .contrast = 6.5f},
    };
    float turn = turn_of(frame_index, PASSES_LOOP_FRAMES);
    struct pass_work work = first[index];
    work.constant[0] = -0.8005f + 0.0012f * cosf(turn);
    work.constant[1] = 0.1565f + 0.0012f * sinf(turn);
    work.scale = 1.35f;
    work.turn = 0.5f + 0.25f * sinf(turn);
    return work;
}

/* The towns of the region, as a table that is drawn from evenly: more rows, more people. The last
 * column is the share of them that lives along streets and not between them. */
static void found_towns(struct map_view *view)
{
    static const float towns[][5] = {
        /* rows, x, y, spread, along streets */
        {12, 0.04f, 0.06f, 0.185f, 0.86f}, {4, -0.30f, 0.28f, 0.150f, 0.82f},
        {3, 0.38f, 0.34f, 0.140f, 0.82f},  {3, -0.22f, -0.36f, 0.150f, 0.80f},
        {2, 0.36f, -0.30f, 0.110f, 0.80f}, {2, -0.62f, -0.06f, 0.120f, 0.78f},
        {1, 0.76f, 0.10f, 0.085f, 0.76f},  {1, -0.66f, 0.70f, 0.080f, 0.74f},
        {1, 0.10f, 0.78f, 0.085f, 0.76f},  {1, -0.78f, -0.66f, 0.085f, 0.74f},
        {1, 0.74f, 0.74f, 0.070f, 0.74f},  {1, 0.06f, -0.80f, 0.075f, 0.74f},
    };
    uint32_t row = 0;
    for (size_t i = 0; i < sizeof towns / sizeof towns[0]; i++) {
        for (uint32_t n = 0; n < (uint32_t)towns[i][0] && row < MAP_TOWN_COUNT; n++, row++) {
            for (uint32_t k = 0; k < 4; k++)
                view->towns[row][k] = towns[i][k + 1];
        }
    }
}

void map_found(struct map_view *view, uint32_t size_pixels, uint64_t point_count)
{
    view->size = size_pixels;
    view->points = (uint32_t)point_count;
    view->tile_count = MAP_TILE_COUNT;
    found_towns(view);
}

struct map_dispatch map_plan(struct map_view *view, uint32_t columns_most)
{
    uint64_t groups = ((uint64_t)view->points + MAP_WORKGROUP - 1) / MAP_WORKGROUP;
    uint64_t rows = (groups + columns_most - 1) / columns_most;
    uint64_t columns = (groups + rows - 1) / rows;
    view->row = (uint32_t)columns * MAP_WORKGROUP;
    return (struct map_dispatch){.columns = (uint32_t)columns, .rows = (uint32_t)rows};
}

void map_fly(struct map_view *view, uint32_t frame_index)
{
    float turn = turn_of(frame_index, MAP_LOOP_FRAMES);
    float depth = 0.5f - 0.5f * cosf(turn);
    view->zoom = exp2f(2.2f * depth);
    view->centre[0] = 0.10f * depth + 0.16f * sinf(turn) * depth;
    view->centre[1] = 0.02f * depth + 0.12f * sinf(2.0f * turn) * depth;
    uint32_t level = MAP_TILE_LEVEL_MIN + (uint32_t)floorf(log2f(view->zoom) + 0.01f);
    view->level = level < MAP_TILE_LEVEL_MAX ? level : MAP_TILE_LEVEL_MAX;
}
