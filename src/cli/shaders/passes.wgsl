// The work of `demo passes`: the orbit of every pixel in a Julia set, followed for a given number of
// steps. Each step needs the one before it, none is left out, and all of them show in the picture.
//
// What stands before it declares COUNTING, and passtime_count(), which is called only where that holds.

struct Pass {
    tint: vec3f,
    steps: u32,
    constant: vec2f, // The c of z -> z * z + c.
    scale: f32,      // Half the width of the picture.
    turn: f32,       // The picture is turned by this angle.
    longest: f32,    // A stay as long as this shines in full.
    contrast: f32,
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
fn orbit(in: Varying) -> @location(0) vec4f {
    let across = vec2f(cos(work.turn), sin(work.turn)) * work.scale;
    var z = vec2f(dot(in.place, vec2f(across.x, -across.y)), dot(in.place, across.yx));
    var stay = 0.0;
    var taken = 0u;
    for (var i = 0u; i < work.steps; i++) {
        // Held at the same distance once it is out: all pixels take all steps.
        let size = dot(z, z);
        let held = z * (4.0 * inverseSqrt(max(size, 16.0)));
        z = vec2f(held.x * held.x - held.y * held.y, 2.0 * held.x * held.y) + work.constant;
        stay += exp2(-size);
        taken++;
    }
    if COUNTING {
        passtime_count(0u, 1u);
        passtime_count(1u, taken);
    }
    // How long it stayed near, on a scale of magnitudes.
    let light = log2(1.0 + stay) / log2(1.0 + work.longest);
    return vec4f(work.tint * pow(min(light, 1.0), work.contrast), 1.0);
}
