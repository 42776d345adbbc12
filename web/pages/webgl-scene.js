// SPDX-License-Identifier: MIT
/** Two passes of a Julia set, of few and of many steps a pixel, by WebGL 1 or 2. */

/** Light adds up as it is stored, not in linear space: the tints are chosen for that. */
export const PASSES = [
  { name: 'loops-64', steps: 64, tint: [0.06, 0.2, 0.42], longest: 26, contrast: 1.5 },
  { name: 'loops-512', steps: 512, tint: [0.95, 0.62, 0.25], longest: 90, contrast: 4.5 },
];

/** WebGL 2 takes the shader of `passtime demo passes`; version 1 has no loops of a length given later. */
const ORBIT_1 = `precision highp float;
varying vec2 place;
uniform vec3 tint;
uniform vec2 constant;
uniform vec4 shape; // scale, turn, longest, contrast
void main() {
  vec2 across = vec2(cos(shape.y), sin(shape.y)) * shape.x;
  vec2 z = vec2(dot(place, vec2(across.x, -across.y)), dot(place, across.yx));
  float stay = 0.0;
  for (int i = 0; i < STEPS; i++) {
    float size = dot(z, z);
    vec2 held = z * (4.0 * inversesqrt(max(size, 16.0)));
    z = vec2(held.x * held.x - held.y * held.y, 2.0 * held.x * held.y) + constant;
    stay += exp2(-size);
  }
  gl_FragColor = vec4(tint * pow(min(log2(1.0 + stay) / log2(1.0 + shape.z), 1.0), shape.w), 1.0);
}`;
const COVER_1 = `attribute vec2 corner;
varying vec2 place;
void main() { place = corner; gl_Position = vec4(corner, 0.0, 1.0); }`;

function compile(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'corner');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`WebGL: ${gl.getProgramInfoLog(program) || 'a shader does not link'}`);
  return program;
}

class Scene1 {
  constructor(gl) {
    this.gl = gl;
    this.programs = PASSES.map(({ steps }) => compile(gl, COVER_1, ORBIT_1.replace('STEPS', steps)));
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  }

  draw(index, turn) {
    const { gl } = this;
    const { tint, longest, contrast } = PASSES[index];
    const at = (name) => gl.getUniformLocation(this.programs[index], name);
    gl.useProgram(this.programs[index]);
    gl.uniform3fv(at('tint'), tint);
    gl.uniform2f(at('constant'), -0.8005 + 0.0012 * Math.cos(turn), 0.1565 + 0.0012 * Math.sin(turn));
    gl.uniform4f(at('shape'), 1.35, 0.5 + 0.25 * Math.sin(turn), longest, contrast);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}

class Scene2 {
  constructor(gl, code) {
    this.gl = gl;
    const entry = (name) => `#version 300 es\nprecision highp float;\nprecision highp int;\n#define ENTRY_${name}\n${code}`;
    this.program = compile(gl, entry('cover'), entry('orbit'));
    gl.uniformBlockBinding(this.program, gl.getUniformBlockIndex(this.program, 'Pass'), 0);
    this.block = new ArrayBuffer(48);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, gl.createBuffer());
    gl.bufferData(gl.UNIFORM_BUFFER, 48, gl.DYNAMIC_DRAW);
  }

  draw(index, turn) {
    const { gl } = this;
    const { tint, steps, longest, contrast } = PASSES[index];
    const floats = new Float32Array(this.block);
    floats.set(tint);
    new Uint32Array(this.block)[3] = steps;
    floats.set([-0.8005 + 0.0012 * Math.cos(turn), 0.1565 + 0.0012 * Math.sin(turn), 1.35, 0.5 + 0.25 * Math.sin(turn), longest, contrast], 4);
    gl.useProgram(this.program);
    gl.bufferSubData(gl.UNIFORM_BUFFER, 0, floats);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}

/** @param {1 | 2} version @param {string} code passes.glsl */
export function makeScene(gl, version, code) {
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE);
  gl.clearColor(0, 0, 0, 1);
  return version === 1 ? new Scene1(gl) : new Scene2(gl, code);
}
