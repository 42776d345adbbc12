// What the GLSL shaders of `demo map` share: the same as in map_common.wgsl. Rows of the grid and of
// what is said in pixels count from the top, as there; GL's own count from the bottom.

layout(std140) uniform View {
    vec2 centre;
    float zoom;
    uint size;       // Pixels a side, of the picture and of the grid.
    uint points;
    uint row;        // Invocations in one row of the scatter dispatch.
    uint level;      // Of the tiles: 1 << level of them span the side of the world.
    uint tile_count; // Of all levels together.
    vec4 towns[32];  // Centre, spread, and the share of points laid along streets.
} view;

const float WORLD_SIDE = 4.0;
const uint TILE_LEVEL_MIN = 3u;
const uint NO_TILE = 0xffffffffu;

uvec4 hash4(uvec4 seed) {
    // PCG4D of Jarzynski and Olano: four well mixed words from four.
    uvec4 v = seed * 1664525u + 1013904223u;
    v += v.yzxy * v.wxyz;
    v ^= v >> 16u;
    v += v.yzxy * v.wxyz;
    return v;
}

// One well mixed word from one: PCG with an xorshift output.
uint hash1(uint seed) {
    uint state = seed * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

float unit(uint word) {
    return float(word >> 8u) * (1.0 / 16777216.0);
}

// Much like a sine, of parabolas: a software GPU works out millions of these a frame.
float wave(float x) {
    float t = fract(x * 0.15915494) * 2.0 - 1.0;
    return -4.0 * t * (1.0 - abs(t));
}

// Below 0 on water: a river that crosses the city and widens into a bay.
float shore(vec2 p) {
    float bed = 0.20 * wave(2.1 * p.x + 0.4) + 0.06 * wave(5.3 * p.x + 1.0) - 0.16;
    float wide = wave(1.7 * p.x + 0.6);
    float river = abs(p.y - bed) - 0.026 - 0.016 * wide * wide;
    vec2 from_bay = p - vec2(1.42, -1.02);
    float bay = length(from_bay) - 0.92 - 0.05 * wave(9.0 * p.x + 3.0 * p.y) -
        0.02 * wave(23.0 * p.x - 17.0 * p.y);
    return min(river, bay);
}

// Below 0 in a park, where few people are.
float park(vec2 p) {
    vec2 a = abs(mat2(0.88, -0.475, 0.475, 0.88) * (p - vec2(0.10, 0.235))) - vec2(0.115, 0.042);
    vec2 b = abs(mat2(0.96, 0.28, -0.28, 0.96) * (p - vec2(-0.42, 0.06))) - vec2(0.05, 0.065);
    float c = length(p - vec2(0.33, -0.28)) - 0.055;
    return min(min(max(a.x, a.y), max(b.x, b.y)), c);
}
