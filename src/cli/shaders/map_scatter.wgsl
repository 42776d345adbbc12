// Pass "scatter": every point works out where it lives from its number alone and counts itself in
// the cell of the density grid under it.

@group(0) @binding(1) var<storage, read_write> grid: array<atomic<u32>>;

const INNER_RING = 0.125;

// About normal, with a deviation near 0.58: the sum of four bytes.
fn bell(word: u32) -> f32 {
    let pairs = (word & 0x00ff00ffu) + ((word >> 8u) & 0x00ff00ffu);
    return f32((pairs & 0xffffu) + (pairs >> 16u)) * (1.0 / 255.0) - 2.0;
}

struct District {
    seed: u32,
    axis: vec2f,
    spacing: f32,
}

// The district around p: the nearest of the four jittered seeds that can be nearest.
fn district(p: vec2f) -> District {
    let q = p * 4.5 + 64.0;
    let base = floor(q - 0.5);
    var nearest = 1e9;
    var seed = 0u;
    for (var i = 0u; i < 4u; i++) {
        let cell = base + vec2f(f32(i & 1u), f32(i >> 1u));
        let h = hash1(u32(cell.x) + u32(cell.y) * 4096u);
        let to = cell + 0.3 + 0.4 * vec2f(f32(h & 0xffffu), f32(h >> 16u)) * (1.0 / 65535.0) - q;
        let distance = dot(to, to);
        seed = select(seed, h, distance < nearest);
        nearest = min(nearest, distance);
    }
    // Old quarters stand at any angle, planned ones all alike. t is the tangent of half the angle.
    let t = select(0.15, 0.8 * unit(seed * 747796405u) - 0.4, (seed & 1u) == 0u);
    let axis = vec2f(1.0 - t * t, 2.0 * t) / (1.0 + t * t);
    return District(seed, axis, 0.0105 + 0.008 * unit(seed * 277803737u));
}

// Pulls a place to the nearest street or avenue of its district; z < 0 drops it.
fn on_street(p: vec2f, h: vec4u, along_streets: f32) -> vec3f {
    let d = district(p);
    let local = vec2f(dot(p, d.axis), dot(p, vec2f(-d.axis.y, d.axis.x))) / d.spacing;
    let choice = unit(h.x);
    let avenue = choice < 0.30;
    let step = select(1.0, 5.0, avenue);
    let across = (h.y & 1u) == 0u;
    let line = round(select(local.y, local.x, across) / step) * step;
    let busy = unit(hash1(d.seed ^ bitcast<u32>(i32(line)) ^ select(0u, 7919u, across)));
    let beside = line + bell(h.z) * select(0.035, 0.055, avenue);
    let street = select(vec2f(local.x, beside), vec2f(beside, local.y), across);
    let between = choice >= along_streets;
    let kept = between || avenue || unit(h.w) < 0.25 + 0.75 * busy;
    let back = select(street, local, between) * d.spacing;
    return vec3f(back.x * d.axis + back.y * vec2f(-d.axis.y, d.axis.x), select(-1.0, 1.0, kept));
}

// Three ring roads and seven roads that leave the city from the innermost, each with two carriageways.
fn on_highway(h: vec4u) -> vec2f {
    let line = h.x % 10u;
    let t = unit(h.y);
    let ring = line < 3u;
    let arm = f32(line) * 0.8976 + 0.35;
    let out = INNER_RING + 1.75 * t * (0.35 + 0.65 * t);
    let angle = select(arm + 0.22 * wave(2.6 * out + arm * 2.0), t * 6.2831853, ring);
    let wobble = 1.0 + 0.07 * wave(3.0 * angle + f32(line)) + 0.03 * wave(7.0 * angle);
    let lane = select(-0.0022, 0.0022, (h.z & 1u) == 0u) + 0.0011 * bell(h.w);
    let direction = vec2f(cos(angle), sin(angle));
    let radius = select(select(0.72, 0.37, line == 1u), INNER_RING / wobble, line == 2u);
    let round_city = direction * (radius * wobble + lane);
    let radial = direction * out + vec2f(-direction.y, direction.x) * lane;
    return select(radial, round_city, ring);
}

// Bends the whole city a little, so that no street is ruled.
fn bend(p: vec2f) -> vec2f {
    return p + 0.022 * vec2f(wave(4.3 * p.y + 1.0), wave(3.7 * p.x + 2.0)) +
        0.006 * vec2f(wave(13.0 * p.y), wave(11.0 * p.x));
}

// Where a home is: around a town, the further the fewer; z < 0: nowhere.
fn home(h: vec4u, k: vec4u) -> vec3f {
    let town = view.towns[k.y & 31u];
    let u = unit(k.x);
    let away = vec2f(bell(h.x), bell(h.y)) * (0.45 + 1.1 * u * u / (1.04 - u));
    let street = on_street(town.xy + town.z * away, vec4u(h.z, h.w, k.z, k.w), town.w);
    let p = bend(street.xy);
    let wet = shore(p) < 0.0;
    let green = park(p) < 0.0 && unit(k.x ^ h.z) < 0.9;
    return vec3f(p, select(street.z, -1.0, wet || green));
}

// A single write into what the next dispatch works on. The barrier between the two makes lavapipe
// (Mesa 22.3) take the stamp of the pass's begin: after a render pass it puts it off to the next
// flush, and the points would be counted nowhere.
@compute @workgroup_size(1)
fn open_scatter() {
    atomicStore(&grid[0], 0u);
}

@compute @workgroup_size(64)
fn scatter(@builtin(global_invocation_id) id: vec3u) {
    let index = id.y * view.row + id.x;
    if index >= view.points || id.x >= view.row {
        return;
    }
    let h = hash4(vec4u(index, index ^ 0x9e3779b9u, 0x85ebca6bu, 0xc2b2ae35u));
    let k = hash4(h);
    // Every ninth point is on the road.
    var p = home(h, k);
    if index % 9u == 0u {
        p = vec3f(bend(on_highway(h)), 1.0);
    }
    let seen = (p.xy - view.centre) * view.zoom * vec2f(0.5, -0.5) + 0.5;
    let cell = vec2i(floor(seen * f32(view.size)));
    let side = i32(view.size);
    if p.z > 0.0 && all(cell >= vec2i(0)) && all(cell < vec2i(side)) {
        atomicAdd(&grid[u32(cell.y * side + cell.x)], 1u);
    }
}
