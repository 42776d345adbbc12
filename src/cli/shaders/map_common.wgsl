// What the shaders of `demo map` share: the view, hashing, and the shape of the city.
// The city lies in the plane around (0, 0); the view of zoom 1 shows -1 to 1 of it.

struct View {
    centre: vec2f,
    zoom: f32,
    size: u32,       // Pixels a side, of the picture and of the grid.
    points: u32,
    row: u32,        // Invocations in one row of the scatter dispatch.
    level: u32,      // Of the tiles: 1 << level of them span the side of the world.
    tile_count: u32, // Of all levels together.
    towns: array<vec4f, 32>, // Centre, spread, and the share of points laid along streets.
}

@group(0) @binding(0) var<uniform> view: View;

const WORLD_SIDE = 4.0;
const TILE_LEVEL_MIN = 3u;

fn hash4(seed: vec4u) -> vec4u {
    // PCG4D of Jarzynski and Olano: four well mixed words from four.
    var v = seed * 1664525u + 1013904223u;
    v += v.yzxy * v.wxyz;
    v ^= v >> vec4u(16u);
    v += v.yzxy * v.wxyz;
    return v;
}

// One well mixed word from one: PCG with an xorshift output.
fn hash1(seed: u32) -> u32 {
    let state = seed * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

fn unit(word: u32) -> f32 {
    return f32(word >> 8u) * (1.0 / 16777216.0);
}

// Much like a sine, of parabolas: a software GPU works out millions of these a frame.
fn wave(x: f32) -> f32 {
    let t = fract(x * 0.15915494) * 2.0 - 1.0;
    return -4.0 * t * (1.0 - abs(t));
}

// Below 0 on water: a river that crosses the city and widens into a bay.
fn shore(p: vec2f) -> f32 {
    let bed = 0.20 * wave(2.1 * p.x + 0.4) + 0.06 * wave(5.3 * p.x + 1.0) - 0.16;
    let wide = wave(1.7 * p.x + 0.6);
    let river = abs(p.y - bed) - 0.026 - 0.016 * wide * wide;
    let from_bay = p - vec2f(1.42, -1.02);
    let bay = length(from_bay) - 0.92 - 0.05 * wave(9.0 * p.x + 3.0 * p.y) -
        0.02 * wave(23.0 * p.x - 17.0 * p.y);
    return min(river, bay);
}

// Below 0 in a park, where few people are.
fn park(p: vec2f) -> f32 {
    let a = abs(mat2x2f(0.88, -0.475, 0.475, 0.88) * (p - vec2f(0.10, 0.235))) - vec2f(0.115, 0.042);
    let b = abs(mat2x2f(0.96, 0.28, -0.28, 0.96) * (p - vec2f(-0.42, 0.06))) - vec2f(0.05, 0.065);
    let c = length(p - vec2f(0.33, -0.28)) - 0.055;
    return min(min(max(a.x, a.y), max(b.x, b.y)), c);
}
