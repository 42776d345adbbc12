// Pass "cull" in GLSL: the same as in map_cull.wgsl. Where there are no compute shaders, every tile is
// a vertex whose output is kept, hidden ones as NO_TILE.

// The tile's place if it is of the level that fits the zoom and in view, else NO_TILE.
uint tile_in_view(uint index) {
    // The levels lie one after the other, each four times as long as the one before.
    uint level = TILE_LEVEL_MIN;
    uint place = index;
    while (place >= (1u << (2u * level))) {
        place -= 1u << (2u * level);
        level++;
    }
    float side = WORLD_SIDE / float(1u << level);
    uvec2 tile = uvec2(place & ((1u << level) - 1u), place >> level);
    vec2 middle = (vec2(tile) + 0.5) * side - 0.5 * WORLD_SIDE;
    float reach = 0.5 * side + 1.0 / view.zoom;
    bool seen = level == view.level && all(lessThan(abs(middle - view.centre), vec2(reach)));
    return seen ? tile.x | (tile.y << 16u) : NO_TILE;
}

#ifdef ENTRY_open_cull
layout(local_size_x = 1) in;
layout(std430, binding = 1) writeonly buffer Draw { uint draw[4]; };

void main() {
    draw[0] = 6u; // Vertices; instances, first vertex and a word that GL wants to be 0 follow.
    draw[1] = 0u;
    draw[2] = 0u;
    draw[3] = 0u;
}
#endif

#ifdef ENTRY_cull
layout(local_size_x = 64) in;
layout(std430, binding = 1) buffer Draw { uint draw[4]; };
layout(std430, binding = 2) writeonly buffer Visible { uint visible[]; };

void main() {
    if (gl_GlobalInvocationID.x >= view.tile_count) {
        return;
    }
    uint tile = tile_in_view(gl_GlobalInvocationID.x);
    if (tile != NO_TILE) {
        visible[atomicAdd(draw[1], 1u)] = tile;
    }
}
#endif

#ifdef ENTRY_cull_point
flat out uint visible;

void main() {
    visible = tile_in_view(uint(gl_VertexID));
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
#endif

#ifdef ENTRY_nothing
void main() {}
#endif
