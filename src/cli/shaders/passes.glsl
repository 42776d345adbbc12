// The work of `demo passes` in GLSL: the same as in passes.wgsl.
// Sections between #ifdef ENTRY_... lines are entry points: each is compiled on its own.

#ifdef ENTRY_cover
out vec2 place;

void main() {
    // One triangle that covers the target: no diagonal seam, no vertex buffer.
    place = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2)) * 2.0 - 1.0;
    gl_Position = vec4(place, 0.0, 1.0);
}
#endif

#ifdef ENTRY_orbit
layout(std140) uniform Pass {
    vec3 tint;
    uint steps;
    vec2 constant;  // The c of z -> z * z + c.
    float scale;    // Half the width of the picture.
    float turn;     // The picture is turned by this angle.
    float longest;  // A stay as long as this shines in full.
    float contrast;
};

in vec2 place;
out vec4 colour;

void main() {
    vec2 across = vec2(cos(turn), sin(turn)) * scale;
    vec2 z = vec2(dot(place, vec2(across.x, -across.y)), dot(place, across.yx));
    float stay = 0.0;
    for (uint i = 0u; i < steps; i++) {
        // Held at the same distance once it is out: all pixels take all steps.
        float size = dot(z, z);
        vec2 held = z * (4.0 * inversesqrt(max(size, 16.0)));
        z = vec2(held.x * held.x - held.y * held.y, 2.0 * held.x * held.y) + constant;
        stay += exp2(-size);
    }
    // How long it stayed near, on a scale of magnitudes.
    float light = log2(1.0 + stay) / log2(1.0 + longest);
    colour = vec4(tint * pow(min(light, 1.0), contrast), 1.0);
}
#endif
