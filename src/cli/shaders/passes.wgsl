// The work of `demo passes`: a folding map that never settles, followed for a given number of steps
// at every pixel. Each step needs the one before it, and all of them show in the picture.

struct Pass {
    tint: vec3f,
    steps: u32,
    centre: vec2f,
    scale: f32,
    fold: f32,
}

@group(0) @binding(0) var<uniform> work: Pass;

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

@fragment
fn fold(in: Varying) -> @location(0) vec4f {
    var p = work.centre + in.place * work.scale;
    var glow = 0.0;
    var last = length(p);
    for (var i = 0u; i < work.steps; i++) {
        p = abs(p) / max(dot(p, p), 1e-6) - vec2f(work.fold, work.fold * 0.83);
        let now = length(p);
        glow += exp2(-6.0 * abs(now - last));
        last = now;
    }
    let light = glow / f32(work.steps);
    let shade = smoothstep(0.05, 0.75, light);
    return vec4f(work.tint * shade * shade, 1.0);
}
