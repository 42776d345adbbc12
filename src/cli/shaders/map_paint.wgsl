// Passes "base", "tiles" and "compose": from the density grid to the picture.

@group(0) @binding(1) var<storage, read> grid: array<u32>;
@group(0) @binding(2) var<storage, read> visible: array<u32>;
@group(0) @binding(3) var base_map: texture_2d<f32>;
@group(0) @binding(4) var tile_map: texture_2d<f32>;
@group(0) @binding(5) var smooth_sampler: sampler;

struct Varying {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
}

@vertex
fn cover(@builtin(vertex_index) index: u32) -> Varying {
    // One triangle that covers the target: no diagonal seam, no vertex buffer.
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    return Varying(vec4f(corner, 0.0, 1.0), corner);
}

// ---- base ----

// The ramp's anchors in OKLab, where equal steps look equal.
const RAMP = array<vec3f, 7>(
    vec3f(0.1663, -0.0003, -0.0262), // #0a0e1a
    vec3f(0.2769, 0.0033, -0.0825),  // #1b2350
    vec3f(0.3959, 0.0807, -0.1043),  // #5a2d7c
    vec3f(0.5398, 0.1635, 0.0185),   // #b8395f
    vec3f(0.7142, 0.1045, 0.1200),   // #f0803c
    vec3f(0.8795, 0.0141, 0.1252),   // #ffd070
    vec3f(0.9921, -0.0029, 0.0169),  // #fffdf0
);

// A density of d, in shares of all points a unit of area, shines at log2(1 + gain * d) / range.
const LIGHT_GAIN = 14.0;
const LIGHT_RANGE = 9.6;

fn pixels_a_unit() -> f32 {
    return f32(view.size) * 0.5 * view.zoom;
}

fn from_oklab(c: vec3f) -> vec3f {
    let lms = vec3f(c.x + 0.3963377774 * c.y + 0.2158037573 * c.z,
                    c.x - 0.1055613458 * c.y - 0.0638541728 * c.z,
                    c.x - 0.0894841775 * c.y - 1.2914855480 * c.z);
    let v = lms * lms * lms;
    return max(vec3f(4.0767416621 * v.x - 3.3077115913 * v.y + 0.2309699292 * v.z,
                     -1.2684380046 * v.x + 2.6097574011 * v.y - 0.3413193965 * v.z,
                     -0.0041960863 * v.x - 0.7034186147 * v.y + 1.7076147010 * v.z), vec3f(0.0));
}

fn ramp(t: f32) -> vec3f {
    var anchors = RAMP;
    let at = clamp(t, 0.0, 1.0) * 6.0;
    let i = min(u32(at), 5u);
    return from_oklab(mix(anchors[i], anchors[i + 1u], at - f32(i)));
}

fn cell(x: i32, y: i32) -> f32 {
    let last = i32(view.size) - 1;
    return f32(grid[u32(clamp(y, 0, last) * i32(view.size) + clamp(x, 0, last))]);
}

// The count of a cell; where it is too small to mean much, its neighbours are asked too.
fn density(x: i32, y: i32) -> f32 {
    let here = cell(x, y);
    let sides = cell(x - 1, y) + cell(x + 1, y) + cell(x, y - 1) + cell(x, y + 1);
    let corners = cell(x - 1, y - 1) + cell(x + 1, y - 1) + cell(x - 1, y + 1) +
        cell(x + 1, y + 1);
    let blurred = 0.25 * here + 0.125 * sides + 0.0625 * corners;
    return mix(blurred, here, blurred / (blurred + 3.0));
}

@fragment
fn base(in: Varying) -> @location(0) vec4f {
    let pixel = vec2i(in.position.xy);
    let world = view.centre + in.place / view.zoom;
    // Points a unit of area, as a share of all: the same whatever the zoom, the size and the count.
    let share = density(pixel.x, pixel.y) * pixels_a_unit() * pixels_a_unit() / f32(view.points);
    let t = log2(1.0 + LIGHT_GAIN * share) / LIGHT_RANGE;
    let coast = shore(world);
    let pixel_side = 1.0 / pixels_a_unit();
    let land = smoothstep(-pixel_side, pixel_side, coast);
    let ground = mix(vec3f(0.0030, 0.0070, 0.0150), vec3f(0.0035, 0.0045, 0.0110), land);
    let line = exp2(-abs(coast) / (1.2 * pixel_side)) * vec3f(0.010, 0.030, 0.055);
    let green = smoothstep(pixel_side, -pixel_side, park(world)) * vec3f(0.0, 0.006, 0.003);
    let lights = ramp(t) - ramp(0.0);
    // Stored as a square root: eight bits then hold dark tones without steps.
    return vec4f(sqrt(ground + line + green + max(lights, vec3f(0.0))), 1.0);
}

// ---- tiles ----

struct TileVarying {
    @builtin(position) position: vec4f,
    @location(0) inside: vec2f, // 0 to 1, from the tile's top left.
    @location(1) @interpolate(flat) tile: u32,
}

@vertex
fn tile_corner(@builtin(vertex_index) vertex: u32,
               @builtin(instance_index) instance: u32) -> TileVarying {
    let tile = visible[instance];
    let side = WORLD_SIDE / f32(1u << view.level);
    let corner = vec2f(f32((0x1au >> vertex) & 1u), f32((0x34u >> vertex) & 1u));
    let world = (vec2f(f32(tile & 0xffffu), f32(tile >> 16u)) + corner) * side - 0.5 * WORLD_SIDE;
    let position = (world - view.centre) * view.zoom;
    return TileVarying(vec4f(position, 0.0, 1.0), vec2f(corner.x, 1.0 - corner.y), tile);
}

// Symbols of 3 x 5 dots, the top left in the highest of 15 bits: the ten digits, then "/PERIXLNTOS ".
const SYMBOLS = array<u32, 22>(
    0x7b6fu, 0x2c97u, 0x73e7u, 0x73cfu, 0x5bc9u, 0x79cfu, 0x79efu, 0x7249u, 0x7befu, 0x7bcfu,
    0x12a4u, 0x7be4u, 0x79e7u, 0x7badu, 0x7497u, 0x5aadu, 0x4927u, 0x6b6du, 0x7492u, 0x7b6fu,
    0x79cfu, 0x0000u);

fn dot_of(symbol: u32, x: i32, y: i32) -> f32 {
    var symbols = SYMBOLS;
    if x < 0 || x > 2 || y < 0 || y > 4 {
        return 0.0;
    }
    return f32((symbols[symbol] >> u32(14 - y * 3 - x)) & 1u);
}

// "level/x/y" with two digits each, as dots of a text that starts at (0, 0).
fn label(tile: u32, x: i32, y: i32) -> f32 {
    let column = tile & 0xffffu;
    let row = (1u << view.level) - 1u - (tile >> 16u);
    var symbols = array<u32, 7>(view.level % 10u, 10u, column / 10u % 10u, column % 10u, 10u,
                                row / 10u % 10u, row % 10u);
    let place = x / 4;
    if x < 0 || place > 6 {
        return 0.0;
    }
    return dot_of(symbols[place], x - place * 4, y);
}

@fragment
fn tile(in: TileVarying) -> @location(0) vec4f {
    let pixels = pixels_a_unit() * WORLD_SIDE / f32(1u << view.level);
    let at = in.inside * pixels;
    let line = max(1.0, f32(view.size) / 1024.0);
    let edge = min(at.x, at.y);
    let far = max(at.x, at.y);
    let cross = select(0.0, 0.55, edge < line && far < 5.0 * line);
    let outline = max(select(0.0, 0.10, edge < line), cross);
    let dots = max(1.0, floor(f32(view.size) / 512.0));
    let text = vec2i(floor(at / dots)) - vec2i(4, 4);
    let letters = select(0.0, 0.45 * label(in.tile, text.x, text.y), pixels > 48.0 * dots);
    return vec4f(max(outline, letters));
}

// ---- compose ----

fn light(place: vec2f) -> vec3f {
    let root = textureSampleLevel(base_map, smooth_sampler, place, 0.0).rgb;
    return root * root;
}

// Light that spills from the brightest places: two rings of taps.
fn glow(place: vec2f) -> vec3f {
    let step = 1.0 / 512.0;
    var sum = vec3f(0.0);
    for (var i = 0; i < 6; i++) {
        let angle = f32(i) * 1.0471976;
        let direction = vec2f(cos(angle), sin(angle)) * step;
        sum += light(place + direction * 2.0) + 0.6 * light(place + direction.yx * 5.0);
    }
    return sum * (1.0 / 9.6);
}

@fragment
fn compose(in: Varying) -> @location(0) vec4f {
    let pixel = in.position.xy;
    let place = pixel / f32(view.size);
    let overlay = textureLoad(tile_map, vec2i(pixel), 0).r;
    var colour = light(place) + 0.22 * glow(place);
    colour += overlay * vec3f(0.10, 0.16, 0.26);
    colour *= 1.0 - 0.42 * dot(in.place, in.place) * 0.5;
    // Half a step of noise, always the same, hides the steps of the darkest tones.
    let noise = unit(hash1(u32(pixel.x) + u32(pixel.y) * 4096u)) - 0.5;
    colour += noise * (0.0006 + 0.004 * colour);
    return vec4f(colour, 1.0);
}

// ---- the legend, over what "compose" left: the ramp as a framed bar, and what its ends stand for ----

// "POINTS PER PIXEL", as dots of a text that starts at (0, 0).
fn caption(x: i32, y: i32) -> f32 {
    var symbols = array<u32, 16>(11u, 19u, 14u, 17u, 18u, 20u, 21u, 11u, 12u, 13u, 21u, 11u, 14u, 15u,
                                 12u, 16u);
    let place = x / 4;
    if x < 0 || place > 15 {
        return 0.0;
    }
    return dot_of(symbols[place], x - place * 4, y);
}

// A number, as dots of a text that ends at (0, 0).
fn number(value: u32, x: i32, y: i32) -> f32 {
    var rest = value;
    var right = x;
    while right < -4 && rest >= 10u {
        rest /= 10u;
        right += 4;
    }
    return dot_of(rest % 10u, right + 3, y);
}

const BAR = vec2f(128.0, 6.0);

struct LegendVarying {
    @builtin(position) position: vec4f,
    @location(0) at: vec2f, // In dots, from the bar's bottom left.
}

@vertex
fn legend_corner(@builtin(vertex_index) vertex: u32) -> LegendVarying {
    let dots = max(1.0, floor(f32(view.size) / 512.0));
    let corner = vec2f(f32((0x1au >> vertex) & 1u), f32((0x34u >> vertex) & 1u));
    let at = mix(vec2f(-2.0), BAR + vec2f(2.0, 12.0), corner);
    let position = (at + 16.0) * dots / f32(view.size) * 2.0 - 1.0;
    return LegendVarying(vec4f(position, 0.0, 1.0), at);
}

@fragment
fn legend(in: LegendVarying) -> @location(0) vec4f {
    let at = in.at;
    let x = i32(floor(at.x));
    let y = 14 - i32(floor(at.y));
    let most = (exp2(LIGHT_RANGE) - 1.0) / LIGHT_GAIN * f32(view.points) /
        (pixels_a_unit() * pixels_a_unit());
    let text = caption(x - 32, y) + number(0u, x - 3, y) + number(u32(most + 0.5), x - 128, y);
    if any(at >= BAR + 2.0) {
        return vec4f(0.30, 0.36, 0.48, 0.8 * min(text, 1.0));
    }
    if any(at < vec2f(-1.0)) || any(at >= BAR + 1.0) {
        return vec4f(0.16, 0.19, 0.26, 1.0);
    }
    if any(at < vec2f(0.0)) || any(at >= BAR) {
        return vec4f(0.003, 0.004, 0.008, 1.0);
    }
    return vec4f(ramp(at.x / BAR.x), 1.0);
}
