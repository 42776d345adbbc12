// Passes "base", "tiles" and "compose" in GLSL: the same as in map_paint.wgsl.

float pixels_a_unit() {
    return float(view.size) * 0.5 * view.zoom;
}

// The shaders below think of pixels as counted from the top.
vec2 from_top(vec2 pixel) {
    return vec2(pixel.x, float(view.size) - pixel.y);
}

#ifdef ENTRY_cover
out vec2 place;

void main() {
    // One triangle that covers the target: no diagonal seam, no vertex buffer.
    place = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2)) * 2.0 - 1.0;
    gl_Position = vec4(place, 0.0, 1.0);
}
#endif

// ---- base ----

// The ramp's anchors in OKLab, where equal steps look equal.
const vec3 RAMP[7] = vec3[7](
    vec3(0.1663, -0.0003, -0.0262), // #0a0e1a
    vec3(0.2769, 0.0033, -0.0825),  // #1b2350
    vec3(0.3959, 0.0807, -0.1043),  // #5a2d7c
    vec3(0.5398, 0.1635, 0.0185),   // #b8395f
    vec3(0.7142, 0.1045, 0.1200),   // #f0803c
    vec3(0.8795, 0.0141, 0.1252),   // #ffd070
    vec3(0.9921, -0.0029, 0.0169)   // #fffdf0
);

// A density of d, in shares of all points a unit of area, shines at log2(1 + gain * d) / range.
const float LIGHT_GAIN = 14.0;
const float LIGHT_RANGE = 9.6;

vec3 from_oklab(vec3 c) {
    vec3 lms = vec3(c.x + 0.3963377774 * c.y + 0.2158037573 * c.z,
                    c.x - 0.1055613458 * c.y - 0.0638541728 * c.z,
                    c.x - 0.0894841775 * c.y - 1.2914855480 * c.z);
    vec3 v = lms * lms * lms;
    return max(vec3(4.0767416621 * v.x - 3.3077115913 * v.y + 0.2309699292 * v.z,
                    -1.2684380046 * v.x + 2.6097574011 * v.y - 0.3413193965 * v.z,
                    -0.0041960863 * v.x - 0.7034186147 * v.y + 1.7076147010 * v.z), vec3(0.0));
}

vec3 ramp(float t) {
    float at = clamp(t, 0.0, 1.0) * 6.0;
    int i = min(int(at), 5);
    return from_oklab(mix(RAMP[i], RAMP[i + 1], at - float(i)));
}

#ifdef ENTRY_base
in vec2 place;
out vec4 colour;

#ifdef GRID_IS_TEXTURE
uniform highp sampler2D grid;

float cell(int x, int y) {
    int last = int(view.size) - 1;
    return texelFetch(grid, ivec2(clamp(x, 0, last), clamp(y, 0, last)), 0).r;
}
#else
layout(std430, binding = 1) readonly buffer Grid { uint grid[]; };

float cell(int x, int y) {
    int last = int(view.size) - 1;
    return float(grid[clamp(y, 0, last) * int(view.size) + clamp(x, 0, last)]);
}
#endif

// The count of a cell; where it is too small to mean much, its neighbours are asked too.
float density(int x, int y) {
    float here = cell(x, y);
    float sides = cell(x - 1, y) + cell(x + 1, y) + cell(x, y - 1) + cell(x, y + 1);
    float corners = cell(x - 1, y - 1) + cell(x + 1, y - 1) + cell(x - 1, y + 1) +
        cell(x + 1, y + 1);
    float blurred = 0.25 * here + 0.125 * sides + 0.0625 * corners;
    return mix(blurred, here, blurred / (blurred + 3.0));
}

void main() {
    ivec2 pixel = ivec2(from_top(gl_FragCoord.xy));
    vec2 world = view.centre + place / view.zoom;
    // Points a unit of area, as a share of all: the same whatever the zoom, the size and the count.
    float share = density(pixel.x, pixel.y) * pixels_a_unit() * pixels_a_unit() / float(view.points);
    float t = log2(1.0 + LIGHT_GAIN * share) / LIGHT_RANGE;
    float coast = shore(world);
    float pixel_side = 1.0 / pixels_a_unit();
    float land = smoothstep(-pixel_side, pixel_side, coast);
    vec3 ground = mix(vec3(0.0030, 0.0070, 0.0150), vec3(0.0035, 0.0045, 0.0110), land);
    vec3 line = exp2(-abs(coast) / (1.2 * pixel_side)) * vec3(0.010, 0.030, 0.055);
    // The same as a smoothstep that falls, which GLSL leaves undefined.
    vec3 green = (1.0 - smoothstep(-pixel_side, pixel_side, park(world))) * vec3(0.0, 0.006, 0.003);
    vec3 lights = ramp(t) - ramp(0.0);
    // Stored as a square root: eight bits then hold dark tones without steps.
    colour = vec4(sqrt(ground + line + green + max(lights, vec3(0.0))), 1.0);
}
#endif

// ---- tiles ----

// Symbols of 3 x 5 dots, the top left in the highest of 15 bits: the ten digits, then "/PERIXLNTOS ".
const uint SYMBOLS[22] = uint[22](
    0x7b6fu, 0x2c97u, 0x73e7u, 0x73cfu, 0x5bc9u, 0x79cfu, 0x79efu, 0x7249u, 0x7befu, 0x7bcfu,
    0x12a4u, 0x7be4u, 0x79e7u, 0x7badu, 0x7497u, 0x5aadu, 0x4927u, 0x6b6du, 0x7492u, 0x7b6fu,
    0x79cfu, 0x0000u);

float dot_of(uint symbol, int x, int y) {
    if (x < 0 || x > 2 || y < 0 || y > 4) {
        return 0.0;
    }
    return float((SYMBOLS[symbol] >> uint(14 - y * 3 - x)) & 1u);
}

vec2 corner_of(int vertex) {
    return vec2(float((0x1a >> vertex) & 1), float((0x34 >> vertex) & 1));
}

#ifdef ENTRY_tile_corner
in uint visible;
out vec2 inside; // 0 to 1, from the tile's top left.
flat out uint tile;

void main() {
    float side = WORLD_SIDE / float(1u << view.level);
    vec2 corner = corner_of(gl_VertexID);
    vec2 world = (vec2(float(visible & 0xffffu), float(visible >> 16u)) + corner) * side -
        0.5 * WORLD_SIDE;
    tile = visible;
    inside = vec2(corner.x, 1.0 - corner.y);
    gl_Position = visible == NO_TILE ? vec4(2.0, 2.0, 2.0, 1.0)
                                     : vec4((world - view.centre) * view.zoom, 0.0, 1.0);
}
#endif

#ifdef ENTRY_tile
in vec2 inside;
flat in uint tile;
out vec4 colour;

// "level/x/y" with two digits each, as dots of a text that starts at (0, 0).
float label(int x, int y) {
    uint column = tile & 0xffffu;
    uint row = (1u << view.level) - 1u - (tile >> 16u);
    uint symbols[7] = uint[7](view.level % 10u, 10u, column / 10u % 10u, column % 10u, 10u,
                              row / 10u % 10u, row % 10u);
    int place = x / 4;
    if (x < 0 || place > 6) {
        return 0.0;
    }
    return dot_of(symbols[place], x - place * 4, y);
}

void main() {
    float pixels = pixels_a_unit() * WORLD_SIDE / float(1u << view.level);
    vec2 at = inside * pixels;
    float line = max(1.0, float(view.size) / 1024.0);
    float edge = min(at.x, at.y);
    float far = max(at.x, at.y);
    float cross_mark = edge < line && far < 5.0 * line ? 0.55 : 0.0;
    float outline = max(edge < line ? 0.10 : 0.0, cross_mark);
    float dots = max(1.0, floor(float(view.size) / 512.0));
    ivec2 text = ivec2(floor(at / dots)) - ivec2(4, 4);
    float letters = pixels > 48.0 * dots ? 0.45 * label(text.x, text.y) : 0.0;
    colour = vec4(max(outline, letters));
}
#endif

// ---- compose ----

#ifdef ENTRY_compose
uniform highp sampler2D base_map;
uniform highp sampler2D tile_map;

in vec2 place;
out vec4 colour;

vec3 light(vec2 at) {
    vec3 root = textureLod(base_map, at, 0.0).rgb;
    return root * root;
}

// Light that spills from the brightest places: two rings of taps.
vec3 glow(vec2 at) {
    float apart = 1.0 / 512.0;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 6; i++) {
        float angle = float(i) * 1.0471976;
        vec2 direction = vec2(cos(angle), sin(angle)) * apart;
        sum += light(at + direction * 2.0) + 0.6 * light(at + direction.yx * 5.0);
    }
    return sum * (1.0 / 9.6);
}

void main() {
    vec2 at = gl_FragCoord.xy / float(view.size);
    float overlay = texelFetch(tile_map, ivec2(gl_FragCoord.xy), 0).r;
    vec3 mixed = light(at) + 0.22 * glow(at);
    mixed += overlay * vec3(0.10, 0.16, 0.26);
    mixed *= 1.0 - 0.42 * dot(place, place) * 0.5;
    // Half a step of noise, always the same, hides the steps of the darkest tones.
    vec2 pixel = from_top(gl_FragCoord.xy);
    float noise = unit(hash1(uint(pixel.x) + uint(pixel.y) * 4096u)) - 0.5;
    mixed += noise * (0.0006 + 0.004 * mixed);
    colour = vec4(mixed, 1.0);
}
#endif

// ---- the legend, over what "compose" left: the ramp as a framed bar, and what its ends stand for ----

const vec2 BAR = vec2(128.0, 6.0);

#ifdef ENTRY_legend_corner
out vec2 at_dots; // From the bar's bottom left.

void main() {
    float dots = max(1.0, floor(float(view.size) / 512.0));
    at_dots = mix(vec2(-2.0), BAR + vec2(2.0, 12.0), corner_of(gl_VertexID));
    gl_Position = vec4((at_dots + 16.0) * dots / float(view.size) * 2.0 - 1.0, 0.0, 1.0);
}
#endif

#ifdef ENTRY_legend
in vec2 at_dots;
out vec4 colour;

// "POINTS PER PIXEL", as dots of a text that starts at (0, 0).
float caption(int x, int y) {
    const uint symbols[16] = uint[16](11u, 19u, 14u, 17u, 18u, 20u, 21u, 11u, 12u, 13u, 21u, 11u, 14u,
                                      15u, 12u, 16u);
    int place = x / 4;
    if (x < 0 || place > 15) {
        return 0.0;
    }
    return dot_of(symbols[place], x - place * 4, y);
}

// A number, as dots of a text that ends at (0, 0).
float number(uint value, int x, int y) {
    uint rest = value;
    int right = x;
    while (right < -4 && rest >= 10u) {
        rest /= 10u;
        right += 4;
    }
    return dot_of(rest % 10u, right + 3, y);
}

void main() {
    vec2 at = at_dots;
    int x = int(floor(at.x));
    int y = 14 - int(floor(at.y));
    float most = (exp2(LIGHT_RANGE) - 1.0) / LIGHT_GAIN * float(view.points) /
        (pixels_a_unit() * pixels_a_unit());
    float text = caption(x - 32, y) + number(0u, x - 3, y) + number(uint(most + 0.5), x - 128, y);
    if (any(greaterThanEqual(at, BAR + 2.0))) {
        colour = vec4(0.30, 0.36, 0.48, 0.8 * min(text, 1.0));
    } else if (any(lessThan(at, vec2(-1.0))) || any(greaterThanEqual(at, BAR + 1.0))) {
        colour = vec4(0.16, 0.19, 0.26, 1.0);
    } else if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, BAR))) {
        colour = vec4(0.003, 0.004, 0.008, 1.0);
    } else {
        colour = vec4(ramp(at.x / BAR.x), 1.0);
    }
}
#endif
