/* SPDX-License-Identifier: MIT */
/*
 * `demo map` by GL: see scene_map.c. With compute shaders it does the same; without them points and
 * tiles are vertices, the grid is a texture that blending counts in, and hidden tiles stay in the
 * list.
 */
#include "cli/scene_gl_kit.h"
#include "cli/scene_work.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/shaders/map_cull.glsl.h"
#include "cli/shaders/map_paint.glsl.h"
#include "cli/shaders/map_scatter.glsl.h"

enum {
    PASS_SCATTER,
    PASS_CULL,
    PASS_BASE,
    PASS_TILES,
    PASS_COMPOSE,
    BINDING_COUNTED = 1, /* of the storage blocks: the grid, or the arguments of the draw */
    BINDING_VISIBLE = 2,
    DRAW_BYTES = 16,
    DRAW_POINTS_MAX = 1 << 24, /* in one draw; drivers fail at very long ones */
    TILE_VERTICES = 6,
};

/* Programs and buffers; those that only one of the two ways needs are 0 in the other. */
struct scene_gl_map {
    struct scene_gl head;
    struct map_view view;
    struct map_dispatch dispatch; /* of the pass "scatter", with compute shaders */
    GLuint view_buffer;
    GLuint visible;       /* places of tiles, one an instance */
    GLuint tile_vertices; /* a vertex array with `visible` as attribute 0 */
    GLuint scatter, cull, base, tiles, compose, legend;
    GLint first;              /* the uniform of the points' program */
    struct gl_target maps[2]; /* what "base" and "tiles" paint, for "compose" */

    GLuint grid; /* with compute shaders: a buffer */
    GLuint draw; /* arguments of the draw */
    GLuint clear_grid, open_cull;

    struct gl_target counts; /* without: a texture of floats, exact to 2^24 */
};

static const float nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};

static void count_by_compute(struct scene_gl_map *scene)
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_COUNTED, scene->grid);
    glUseProgram(scene->scatter);
    glDispatchCompute(scene->dispatch.columns, scene->dispatch.rows, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static void count_by_blending(struct scene_gl_map *scene)
{
    uint64_t count = scene->head.point_count;
    kit_gl_draw_into(&scene->counts, nothing);
    glUseProgram(scene->scatter);
    glBindVertexArray(scene->head.vertices);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    for (uint64_t first = 0; first < count; first += DRAW_POINTS_MAX) {
        uint64_t rest = count - first;
        glUniform1ui(scene->first, (GLuint)first);
        glDrawArrays(GL_POINTS, 0, rest < DRAW_POINTS_MAX ? (GLsizei)rest : DRAW_POINTS_MAX);
    }
    glDisable(GL_BLEND);
}

static void cull_by_compute(struct scene_gl_map *scene)
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_COUNTED, scene->draw);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_VISIBLE, scene->visible);
    glUseProgram(scene->open_cull);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(scene->cull);
    glDispatchCompute((MAP_TILE_COUNT + MAP_WORKGROUP - 1) / MAP_WORKGROUP, 1, 1);
    glMemoryBarrier(GL_COMMAND_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

static void cull_by_capture(struct scene_gl_map *scene)
{
    glUseProgram(scene->cull);
    glBindVertexArray(scene->head.vertices);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, scene->visible);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, MAP_TILE_COUNT);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
}

static void paint_base(struct scene_gl_map *scene)
{
    kit_gl_draw_into(&scene->maps[0], nothing);
    glUseProgram(scene->base);
    glBindVertexArray(scene->head.vertices);
    if (scene->head.gl->compute) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_COUNTED, scene->grid);
    } else {
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, scene->counts.texture);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void paint_tiles(struct scene_gl_map *scene)
{
    kit_gl_draw_into(&scene->maps[1], nothing);
    glUseProgram(scene->tiles);
    glBindVertexArray(scene->tile_vertices);
    /* The order of the culled tiles is not fixed; the greater of two is the same in any order. */
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    if (scene->head.gl->compute) {
        glBindBuffer(GL_DRAW_INDIRECT_BUFFER, scene->draw);
        glDrawArraysIndirect(GL_TRIANGLES, NULL);
    } else {
        glDrawArraysInstanced(GL_TRIANGLES, 0, TILE_VERTICES, MAP_TILE_COUNT);
    }
    glDisable(GL_BLEND);
}

static void paint_picture(struct scene_gl_map *scene)
{
    kit_gl_draw_into(&scene->head.target, nothing);
    glUseProgram(scene->compose);
    glBindVertexArray(scene->head.vertices);
    for (uint32_t i = 0; i < 2; i++) {
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, scene->maps[i].texture);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
    if (scene->head.size_pixels < MAP_LEGEND_SIZE_MIN)
        return;
    glUseProgram(scene->legend);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, TILE_VERTICES);
    glDisable(GL_BLEND);
}

/* What a WebGPU frame does before its first pass: a new view, an empty grid. */
static void prepare(struct scene_gl_map *scene)
{
    glDisable(GL_BLEND);
    glBindBuffer(GL_UNIFORM_BUFFER, scene->view_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof scene->view, &scene->view, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, scene->view_buffer);
    if (!scene->head.gl->compute)
        return;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BINDING_COUNTED, scene->grid);
    glUseProgram(scene->clear_grid);
    glDispatchCompute(MAP_WORKGROUP, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static void frame(struct scene_gl *head, uint32_t frame_index, const struct scene_gl_timing *timing)
{
    struct scene_gl_map *scene = (struct scene_gl_map *)head;
    bool compute = head->gl->compute;
    void (*const passes[])(struct scene_gl_map *) = {
        [PASS_SCATTER] = compute ? count_by_compute : count_by_blending,
        [PASS_CULL] = compute ? cull_by_compute : cull_by_capture,
        [PASS_BASE] = paint_base,
        [PASS_TILES] = paint_tiles,
        [PASS_COMPOSE] = paint_picture,
    };
    map_fly(&scene->view, frame_index);
    prepare(scene);
    for (uint32_t i = 0; i < head->kind->pass_count; i++) {
        kit_gl_begin(timing, head->kind->pass_names[i]);
        passes[i](scene);
        kit_gl_end(timing, head->kind->pass_names[i]);
    }
}

static void destroy(struct scene_gl *head)
{
    struct scene_gl_map *scene = (struct scene_gl_map *)head;
    const GLuint programs[] = {scene->scatter, scene->cull,       scene->base,      scene->tiles,
                               scene->compose, scene->clear_grid, scene->open_cull, scene->legend};
    const GLuint buffers[] = {scene->view_buffer, scene->visible, scene->grid, scene->draw};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        glDeleteProgram(programs[i]);
    glDeleteBuffers((GLsizei)(sizeof buffers / sizeof buffers[0]), buffers);
    if (scene->tile_vertices)
        glDeleteVertexArrays(1, &scene->tile_vertices);
    for (uint32_t i = 0; i < 2; i++)
        kit_gl_delete_target(&scene->maps[i]);
    kit_gl_delete_target(&scene->counts);
    free(scene);
}

static const struct scene_gl_ops ops = {.frame = frame, .destroy = destroy};

static uint64_t grid_bytes(const struct scene_gl_map *scene)
{
    return (uint64_t)scene->head.size_pixels * scene->head.size_pixels * sizeof(uint32_t);
}

static bool is_short(const struct scene_gl_map *scene, char *error, size_t error_bytes)
{
    const struct gl *gl = scene->head.gl;
    uint64_t most = MAP_POINTS_MAX;
    if (gl->compute && (uint64_t)gl->groups_most * gl->groups_most * MAP_WORKGROUP < most)
        most = (uint64_t)gl->groups_most * gl->groups_most * MAP_WORKGROUP;
    if (scene->head.point_count <= most)
        return true;
    snprintf(error, error_bytes, "%llu points are too many: --points takes 1 to %llu%s",
             (unsigned long long)scene->head.point_count, (unsigned long long)most,
             most < MAP_POINTS_MAX ? " on this device" : "");
    return false;
}

static bool fits(const struct scene_gl_map *scene, char *error, size_t error_bytes)
{
    const struct gl *gl = scene->head.gl;
    if (!gl->compute && !gl->float_blend) {
        snprintf(error, error_bytes,
                 "\"%s\" can't count points: it has neither compute shaders (OpenGL 4.3, OpenGL ES "
                 "3.1) nor blending of 32-bit floats; try: passtime demo passes",
                 gl->name);
        return false;
    }
    if (gl->compute && grid_bytes(scene) > gl->block_most_bytes) {
        snprintf(error, error_bytes,
                 "the density grid of --size %u needs %llu bytes in one buffer and this device "
                 "takes %llu: give a smaller --size",
                 scene->head.size_pixels, (unsigned long long)grid_bytes(scene),
                 (unsigned long long)gl->block_most_bytes);
        return false;
    }
    return is_short(scene, error, error_bytes);
}

static void make_buffers(struct scene_gl_map *scene)
{
    scene->view_buffer = kit_gl_buffer(GL_UNIFORM_BUFFER, sizeof scene->view, GL_STREAM_DRAW);
    scene->visible =
        kit_gl_buffer(GL_ARRAY_BUFFER, MAP_TILE_COUNT * sizeof(uint32_t), GL_DYNAMIC_COPY);
    glGenVertexArrays(1, &scene->tile_vertices);
    glBindVertexArray(scene->tile_vertices);
    glEnableVertexAttribArray(0);
    glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, NULL);
    glVertexAttribDivisor(0, 1);
    glBindVertexArray(0);
}

static void make_compute_way(struct scene_gl_map *scene, struct gl_maker *maker)
{
    scene->grid = kit_gl_buffer(GL_SHADER_STORAGE_BUFFER, grid_bytes(scene), GL_DYNAMIC_COPY);
    scene->draw = kit_gl_buffer(GL_SHADER_STORAGE_BUFFER, DRAW_BYTES, GL_DYNAMIC_COPY);
    scene->clear_grid = kit_gl_compute_program(maker, map_scatter_glsl, "clear_grid");
    scene->scatter = kit_gl_compute_program(maker, map_scatter_glsl, "scatter");
    scene->open_cull = kit_gl_compute_program(maker, map_cull_glsl, "open_cull");
    scene->cull = kit_gl_compute_program(maker, map_cull_glsl, "cull");
}

static void make_vertex_way(struct scene_gl_map *scene, struct gl_maker *maker)
{
    scene->counts = kit_gl_target(maker, scene->head.size_pixels, GL_R32F, GL_NEAREST);
    scene->scatter = kit_gl_program(maker, map_scatter_glsl, "scatter_point", "one", "");
    scene->cull =
        kit_gl_capturing_program(maker, map_cull_glsl, "cull_point", "nothing", "visible");
    if (scene->scatter)
        scene->first = glGetUniformLocation(scene->scatter, "first");
}

static void set_unit(GLuint program, const char *sampler, GLint unit)
{
    if (!program)
        return;
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, sampler), unit);
}

static void make_paint(struct scene_gl_map *scene, struct gl_maker *maker)
{
    bool compute = maker->gl->compute;
    uint32_t size = scene->head.size_pixels;
    scene->maps[0] = kit_gl_target(maker, size, GL_RGBA8, GL_LINEAR);
    scene->maps[1] = kit_gl_target(maker, size, GL_R8, GL_NEAREST);
    scene->base = kit_gl_program(maker, map_paint_glsl, "cover", "base",
                                 compute ? "" : "#define GRID_IS_TEXTURE\n");
    scene->tiles = kit_gl_program(maker, map_paint_glsl, "tile_corner", "tile", "");
    scene->compose = kit_gl_program(maker, map_paint_glsl, "cover", "compose", "");
    scene->legend = kit_gl_program(maker, map_paint_glsl, "legend_corner", "legend", "");
    if (!compute)
        set_unit(scene->base, "grid", 0);
    set_unit(scene->compose, "base_map", 0);
    set_unit(scene->compose, "tile_map", 1);
}

static void make_objects(struct scene_gl_map *scene, struct gl_maker *maker)
{
    map_found(&scene->view, scene->head.size_pixels, scene->head.point_count);
    make_buffers(scene);
    make_paint(scene, maker);
    if (maker->gl->compute) {
        scene->dispatch = map_plan(&scene->view, maker->gl->groups_most);
        make_compute_way(scene, maker);
    } else {
        make_vertex_way(scene, maker);
    }
}

struct scene_gl *scene_gl_map_create(struct gl *gl, const struct scene_desc *desc, char *error,
                                     size_t error_bytes)
{
    struct gl_maker maker = {.gl = gl, .error = error, .error_bytes = error_bytes};
    struct scene_gl_map *scene = calloc(1, sizeof *scene);
    if (!scene) {
        snprintf(error, error_bytes, "out of memory while making the scene");
        return NULL;
    }
    if (scene_gl_begin_create(&scene->head, &scene_map_kind, &ops, desc, &maker)) {
        if (fits(scene, error, error_bytes))
            make_objects(scene, &maker);
        else
            maker.failed = true;
    }
    if (scene_gl_end_create(&scene->head, &maker))
        return &scene->head;
    scene_gl_destroy(&scene->head);
    return NULL;
}
