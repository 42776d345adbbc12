// Pass "cull": tests every tile of every level against the view, keeps those of the level that fits
// the zoom, and counts them straight into the arguments of the draw.

struct Draw {
    vertex_count: u32,
    instance_count: atomic<u32>,
    first_vertex: u32,
    first_instance: u32,
}

@group(0) @binding(1) var<storage, read_write> draw: Draw;
@group(0) @binding(2) var<storage, read_write> visible: array<u32>;

@compute @workgroup_size(1)
fn open_cull() {
    draw.vertex_count = 6u;
    atomicStore(&draw.instance_count, 0u);
}

@compute @workgroup_size(64)
fn cull(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= view.tile_count {
        return;
    }
    // The levels lie one after the other, each four times as long as the one before.
    var level = TILE_LEVEL_MIN;
    var place = id.x;
    while place >= (1u << (2u * level)) {
        place -= 1u << (2u * level);
        level++;
    }
    let side = WORLD_SIDE / f32(1u << level);
    let tile = vec2u(place & ((1u << level) - 1u), place >> level);
    let centre = (vec2f(tile) + 0.5) * side - 0.5 * WORLD_SIDE;
    let reach = 0.5 * side + 1.0 / view.zoom;
    if level == view.level && all(abs(centre - view.centre) < vec2f(reach)) {
        visible[atomicAdd(&draw.instance_count, 1u)] = tile.x | (tile.y << 16u);
    }
}
