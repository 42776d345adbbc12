// The work of `probe --check`: steps that each need the one before, as many as one is told.

struct Work {
    steps: u32,
}

@group(0) @binding(0) var<uniform> work: Work;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

fn churn(seed: u32, steps: u32) -> u32 {
    var value = seed;
    for (var i = 0u; i < steps; i++) {
        value = (value ^ (value >> 13u)) * 1664525u + 1013904223u;
    }
    return value;
}

@compute @workgroup_size(64)
fn compute(@builtin(global_invocation_id) id: vec3u) {
    results[id.x] = churn(id.x, work.steps);
}

@vertex
fn cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(f32((index << 1u) & 2u) * 2.0 - 1.0, f32(index & 2u) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn render(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let value = churn(u32(position.x) * 4099u + u32(position.y), work.steps);
    return vec4f(f32(value & 255u) / 255.0);
}
