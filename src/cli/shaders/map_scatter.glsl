// Pass "scatter" in GLSL: the same as in map_scatter.wgsl. Where there are no compute shaders, every
// point is a vertex that is drawn into its cell, and blending counts.

const float INNER_RING = 0.125;

// About normal, with a deviation near 0.58: the sum of four bytes.
float bell(uint word) {
    uint pairs = (word & 0x00ff00ffu) + ((word >> 8u) & 0x00ff00ffu);
    return float((pairs & 0xffffu) + (pairs >> 16u)) * (1.0 / 255.0) - 2.0;
}

struct District {
    uint seed;
    vec2 axis;
    float spacing;
};

// The district around p: the nearest of the four jittered seeds that can be nearest.
District district(vec2 p) {
    vec2 q = p * 4.5 + 64.0;
    vec2 base = floor(q - 0.5);
    float nearest = 1e9;
    uint seed = 0u;
    for (uint i = 0u; i < 4u; i++) {
        vec2 cell = base + vec2(float(i & 1u), float(i >> 1u));
        uint h = hash1(uint(cell.x) + uint(cell.y) * 4096u);
        vec2 to = cell + 0.3 + 0.4 * vec2(float(h & 0xffffu), float(h >> 16u)) * (1.0 / 65535.0) - q;
        float far = dot(to, to);
        seed = far < nearest ? h : seed;
        nearest = min(nearest, far);
    }
    // Old quarters stand at any angle, planned ones all alike. t is the tangent of half the angle.
    float t = (seed & 1u) == 0u ? 0.8 * unit(seed * 747796405u) - 0.4 : 0.15;
    vec2 axis = vec2(1.0 - t * t, 2.0 * t) / (1.0 + t * t);
    return District(seed, axis, 0.0105 + 0.008 * unit(seed * 277803737u));
}

// Pulls a place to the nearest street or avenue of its district; z < 0 drops it.
vec3 on_street(vec2 p, uvec4 h, float along_streets) {
    District d = district(p);
    vec2 local = vec2(dot(p, d.axis), dot(p, vec2(-d.axis.y, d.axis.x))) / d.spacing;
    float choice = unit(h.x);
    bool avenue = choice < 0.30;
    float apart = avenue ? 5.0 : 1.0;
    bool across = (h.y & 1u) == 0u;
    float line = roundEven((across ? local.x : local.y) / apart) * apart;
    float busy = unit(hash1(d.seed ^ uint(int(line)) ^ (across ? 7919u : 0u)));
    float beside = line + bell(h.z) * (avenue ? 0.055 : 0.035);
    vec2 street = across ? vec2(beside, local.y) : vec2(local.x, beside);
    bool between = choice >= along_streets;
    bool kept = between || avenue || unit(h.w) < 0.25 + 0.75 * busy;
    vec2 back = (between ? local : street) * d.spacing;
    return vec3(back.x * d.axis + back.y * vec2(-d.axis.y, d.axis.x), kept ? 1.0 : -1.0);
}

// Three ring roads and seven roads that leave the city from the innermost, each with two carriageways.
vec2 on_highway(uvec4 h) {
    uint line = h.x % 10u;
    float t = unit(h.y);
    bool ring = line < 3u;
    float arm = float(line) * 0.8976 + 0.35;
    float away = INNER_RING + 1.75 * t * (0.35 + 0.65 * t);
    float angle = ring ? t * 6.2831853 : arm + 0.22 * wave(2.6 * away + arm * 2.0);
    float wobble = 1.0 + 0.07 * wave(3.0 * angle + float(line)) + 0.03 * wave(7.0 * angle);
    float lane = ((h.z & 1u) == 0u ? 0.0022 : -0.0022) + 0.0011 * bell(h.w);
    vec2 direction = vec2(cos(angle), sin(angle));
    float radius = line == 2u ? INNER_RING / wobble : line == 1u ? 0.37 : 0.72;
    vec2 round_city = direction * (radius * wobble + lane);
    vec2 radial = direction * away + vec2(-direction.y, direction.x) * lane;
    return ring ? round_city : radial;
}

// Bends the whole city a little, so that no street is ruled.
vec2 bend(vec2 p) {
    return p + 0.022 * vec2(wave(4.3 * p.y + 1.0), wave(3.7 * p.x + 2.0)) +
        0.006 * vec2(wave(13.0 * p.y), wave(11.0 * p.x));
}

// Where a home is: around a town, the further the fewer; z < 0: nowhere.
vec3 home(uvec4 h, uvec4 k) {
    vec4 town = view.towns[k.y & 31u];
    float u = unit(k.x);
    vec2 away = vec2(bell(h.x), bell(h.y)) * (0.45 + 1.1 * u * u / (1.04 - u));
    vec3 street = on_street(town.xy + town.z * away, uvec4(h.z, h.w, k.z, k.w), town.w);
    vec2 p = bend(street.xy);
    bool wet = shore(p) < 0.0;
    bool green = park(p) < 0.0 && unit(k.x ^ h.z) < 0.9;
    return vec3(p, wet || green ? -1.0 : street.z);
}

// The cell of the grid that a point falls into; x < 0: none.
ivec2 cell_of(uint index) {
    uvec4 h = hash4(uvec4(index, index ^ 0x9e3779b9u, 0x85ebca6bu, 0xc2b2ae35u));
    uvec4 k = hash4(h);
    // Every ninth point is on the road.
    vec3 p = index % 9u == 0u ? vec3(bend(on_highway(h)), 1.0) : home(h, k);
    vec2 seen = (p.xy - view.centre) * view.zoom * vec2(0.5, -0.5) + 0.5;
    ivec2 cell = ivec2(floor(seen * float(view.size)));
    bool inside = p.z > 0.0 && all(greaterThanEqual(cell, ivec2(0))) &&
        all(lessThan(cell, ivec2(int(view.size))));
    return inside ? cell : ivec2(-1);
}

#ifdef ENTRY_clear_grid
// GLES can't fill a buffer: this does, before the frame's first pass.
layout(local_size_x = 64) in;
layout(std430, binding = 1) writeonly buffer Grid { uint grid[]; };

void main() {
    uint stride = gl_NumWorkGroups.x * 64u;
    for (uint i = gl_GlobalInvocationID.x; i < view.size * view.size; i += stride) {
        grid[i] = 0u;
    }
}
#endif

#ifdef ENTRY_scatter
layout(local_size_x = 64) in;
layout(std430, binding = 1) buffer Grid { uint grid[]; };

void main() {
    uint index = gl_GlobalInvocationID.y * view.row + gl_GlobalInvocationID.x;
    if (index >= view.points || gl_GlobalInvocationID.x >= view.row) {
        return;
    }
    ivec2 cell = cell_of(index);
    if (cell.x >= 0) {
        atomicAdd(grid[cell.y * int(view.size) + cell.x], 1u);
    }
}
#endif

#ifdef ENTRY_scatter_point
uniform uint first; // The number of the draw's first point.

void main() {
    ivec2 cell = cell_of(first + uint(gl_VertexID));
    vec2 middle = (vec2(cell) + 0.5) / float(view.size) * 2.0 - 1.0;
    gl_PointSize = 1.0;
    gl_Position = cell.x >= 0 ? vec4(middle, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
#endif

#ifdef ENTRY_one
out vec4 count;

void main() {
    count = vec4(1.0);
}
#endif
