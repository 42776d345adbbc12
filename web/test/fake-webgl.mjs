// SPDX-License-Identifier: MIT
/**
 * A scripted WebGL, versions 1 and 2, as strict as the specification where timing is concerned: errors
 * are noted, results appear only in later tasks and are 0 before, objects of a lost context are
 * foreign to the restored one. Work takes the time that the draw call's `count` says, in microseconds.
 */

const INVALID_ENUM = 0x500;
const INVALID_OPERATION = 0x502;
const TIME_ELAPSED = 0x88bf;
const TIMESTAMP = 0x8e28;

/** What the whole fake shares: its clock, its tasks, and how the GPU behaves. */
export const world = {
  cpuMs: 10, // performance.now()
  gpuNs: 5e9,
  task: 0,
  latency: 3, // tasks until a result is there
  bits: 64,
  disjoint: false,
  corrupt: null, // results while the clock is disturbed
  log: [],
  callbacks: [], // animation frames asked for
};

/** Replaces the clock and animation frames of this process. To be called before the package loads. */
export function install(target = globalThis) {
  Object.defineProperty(target, 'performance', { value: { now: () => world.cpuMs }, configurable: true });
  target.requestAnimationFrame = function requestAnimationFrame(callback) {
    world.callbacks.push(callback);
    return world.callbacks.length;
  };
  target.HTMLCanvasElement = FakeCanvas;
  target.WebGLRenderingContext = FakeWebGL1;
  target.WebGL2RenderingContext = FakeWebGL2;
}

/** One task: microtasks of the last one have run, results move on, 4 ms go by. */
export async function nextTask() {
  await new Promise((resolve) => setImmediate(resolve));
  world.task++;
  world.cpuMs = Math.max(world.cpuMs + 4, world.gpuNs / 1e6 - 4990);
}

/** An animation frame: the callbacks asked for so far, in order, each followed by its microtasks. */
export async function animationFrame() {
  const callbacks = world.callbacks.splice(0);
  for (const callback of callbacks) {
    callback(world.cpuMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  world.gpuNs += 1e6; // The GPU idles between frames.
  await nextTask();
}

class FakeObject {
  constructor(state, kind) {
    this.owner = () => state; // whose, in which life
    this.kind = kind;
    this.deleted = 0;
  }
}

class FakeQuery extends FakeObject {
  beganNs = null;
  elapsedNs = null;
  endedTask = 0;
  askedTask = -1;
  ready = false;
  begins = 0;
}

/** What a context holds; lives from its making, or restoring, until it is lost. */
class State {
  constructor() {
    this.active = null;
    this.framebuffer = null;
    this.readFramebuffer = null;
    this.renderbuffer = null;
    this.textures = new Map();
    this.enabled = new Map(); // extensions
    this.multiview = new Set();
    this.alive = new Set(); // queries
  }
}

export class FakeCanvas extends EventTarget {
  #context = null;

  getContext(kind, options = {}) {
    if (this.#context === null) {
      const Class = kind === 'webgl2' ? FakeWebGL2 : kind === 'webgl' ? FakeWebGL1 : null;
      this.#context = Class && new Class(this, options);
    }
    return this.#context;
  }
}
class FakeContext {
  #state = new State();
  #lost = false;
  #errors = [];
  #options;

  constructor(canvas, options) {
    this.canvas = canvas;
    this.#options = options;
  }

  // For tests ---------------------------------------------------------------------------------

  static errorsOf(gl) {
    return gl.#errors;
  }

  static queriesOf(gl) {
    return gl.#state.alive;
  }

  static activeOf(gl) {
    return gl.#state.active;
  }

  static lose(gl) {
    gl.#lost = true;
    gl.#state = null;
  }

  static async tellLost(gl) {
    gl.canvas.dispatchEvent(new Event('webglcontextlost'));
  }

  static restore(gl) {
    gl.#lost = false;
    gl.#state = new State();
    gl.canvas.dispatchEvent(new Event('webglcontextrestored'));
  }

  /** For the extension objects. */
  static stateOf(gl) {
    return gl.#state;
  }

  static fail(gl, error, what) {
    gl.#errors.push({ error, what });
    return null;
  }

  static run(gl, count) {
    if (gl.#lost) return;
    world.gpuNs += count * 1000;
    const state = gl.#state;
    world.log.push({ draw: count, target: state.framebuffer, timed: state.active !== null });
    if (state.multiview.has(state.framebuffer) && state.active !== null) {
      FakeContext.fail(gl, INVALID_OPERATION, 'multiview draw with an active elapsed query');
    }
  }

  // The API -----------------------------------------------------------------------------------

  isContextLost() {
    return this.#lost;
  }

  getError() {
    world.log.push({ getError: true });
    return 0;
  }

  getExtension(name) {
    if (this.#lost) return null;
    const key = String(name).toLowerCase();
    const state = this.#state;
    if (!state.enabled.has(key)) {
      const made = this.constructor.extension(this, key, this.#options);
      if (!made) return null;
      state.enabled.set(key, made);
    }
    return state.enabled.get(key);
  }

  getParameter(name) {
    if (arguments.length === 0) throw new TypeError('1 argument required');
    if (this.#lost) return null;
    const state = this.#state;
    const timer = state.enabled.has('ext_disjoint_timer_query') || state.enabled.has('ext_disjoint_timer_query_webgl2');
    switch (name) {
      case 0x8fbb: {
        if (!timer) return FakeContext.fail(this, INVALID_ENUM, 'getParameter');
        const was = world.disjoint;
        world.disjoint = false;
        return was;
      }
      case TIMESTAMP:
        return timer ? 0 : FakeContext.fail(this, INVALID_ENUM, 'getParameter');
      case 0x8ca6: return state.framebuffer;
      case 0x8caa: return state.readFramebuffer;
      case 0x8ca7: return state.renderbuffer;
      case 0x8069: return state.textures.get(0x0de1) ?? null;
      case 0x8514: return state.textures.get(0x8513) ?? null;
      case 0x1f01: return 'Fake GPU';
      default: return FakeContext.fail(this, INVALID_ENUM, 'getParameter');
    }
  }

  createFramebuffer() { return this.#lost ? null : new FakeObject(this.#state, 'framebuffer'); }
  createTexture() { return this.#lost ? null : new FakeObject(this.#state, 'texture'); }
  createRenderbuffer() { return this.#lost ? null : new FakeObject(this.#state, 'renderbuffer'); }

  #owns(object, what) {
    if (object === null || object === undefined) return true;
    if (object.owner() === this.#state && !object.deleted) return true;
    FakeContext.fail(this, INVALID_OPERATION, what);
    return false;
  }

  deleteFramebuffer(object) {
    if (this.#lost || !object || !this.#owns(object, 'deleteFramebuffer')) return;
    object.deleted++;
    if (this.#state.framebuffer === object) this.#state.framebuffer = null;
  }

  bindFramebuffer(target, object) {
    if (this.#lost || !this.#owns(object, 'bindFramebuffer')) return;
    if (target !== 0x8ca8) this.#state.framebuffer = object ?? null;
    if (target !== 0x8ca9) this.#state.readFramebuffer = object ?? null;
  }

  bindTexture(target, object) { if (!this.#lost) this.#state.textures.set(target, object); }
  bindRenderbuffer(target, object) { if (!this.#lost) this.#state.renderbuffer = object; }
  texImage2D() {}
  renderbufferStorage() {}
  framebufferTexture2D() {}
  framebufferRenderbuffer() {}
  texParameteri() {}
  readPixels() {}
  drawArrays(mode, first, count) { FakeContext.run(this, count); }
  drawElements(mode, count) { FakeContext.run(this, count); }
  clear() { FakeContext.run(this, 10); }
}

/** Queries, as both versions have them. */
const queries = {
  create(gl) {
    const state = FakeContext.stateOf(gl);
    if (state === null) return null;
    const query = new FakeQuery(state, 'query');
    state.alive.add(query);
    return query;
  },

  foreign(gl, query, what) {
    if (query?.owner() === FakeContext.stateOf(gl)) return false;
    FakeContext.fail(gl, INVALID_OPERATION, `${what}: the object belongs to another context`);
    return true;
  },

  remove(gl, query) {
    const state = FakeContext.stateOf(gl);
    if (state === null || !query || queries.foreign(gl, query, 'deleteQuery')) return;
    query.deleted++;
    state.alive.delete(query);
    if (state.active === query) queries.end(gl, TIME_ELAPSED);
  },

  begin(gl, target, query) {
    const state = FakeContext.stateOf(gl);
    if (state === null) return;
    if (target !== TIME_ELAPSED) return void FakeContext.fail(gl, INVALID_ENUM, 'beginQuery');
    if (queries.foreign(gl, query, 'beginQuery')) return;
    if (state.active !== null || query.deleted) return void FakeContext.fail(gl, INVALID_OPERATION, 'beginQuery');
    state.active = query;
    query.beganNs = world.gpuNs;
    query.ready = false;
    query.begins++;
  },

  end(gl, target) {
    const state = FakeContext.stateOf(gl);
    if (state === null) return;
    if (target !== TIME_ELAPSED) return void FakeContext.fail(gl, INVALID_ENUM, 'endQuery');
    const query = state.active;
    if (query === null) return void FakeContext.fail(gl, INVALID_OPERATION, 'endQuery');
    state.active = null;
    query.elapsedNs = world.corrupt ?? world.gpuNs - query.beganNs;
    query.endedTask = world.task;
    query.askedTask = world.task;
  },

  get(gl, target, name) {
    const state = FakeContext.stateOf(gl);
    if (state === null) return null;
    if (target !== TIME_ELAPSED && target !== TIMESTAMP) return FakeContext.fail(gl, INVALID_ENUM, 'getQuery');
    if (name === 0x8864) return target === TIME_ELAPSED ? world.bits : 0;
    return target === TIME_ELAPSED ? state.active : null;
  },

  /** A query learns that it is ready at most once a task, and only after others of its time. */
  look(query) {
    if (query.ready || query.askedTask === world.task) return;
    query.askedTask = world.task;
    query.ready = world.task >= query.endedTask + world.latency;
  },

  parameter(gl, query, name) {
    const state = FakeContext.stateOf(gl);
    if (state === null) return null;
    if (queries.foreign(gl, query, 'getQueryParameter')) return null;
    if (query.elapsedNs === null || state.active === query || query.deleted) {
      return FakeContext.fail(gl, INVALID_OPERATION, 'getQueryParameter');
    }
    if (name !== 0x8867) return query.ready ? query.elapsedNs : 0; // 0 for who has not asked first
    queries.look(query);
    return query.ready;
  },
};

export class FakeTimer1 {
  #gl;
  constructor(gl) { this.#gl = gl; }
  createQueryEXT() { return queries.create(this.#gl); }
  deleteQueryEXT(query) { queries.remove(this.#gl, query); }
  beginQueryEXT(target, query) { queries.begin(this.#gl, target, query); }
  endQueryEXT(target) { queries.end(this.#gl, target); }
  queryCounterEXT() {}
  getQueryEXT(target, name) { return queries.get(this.#gl, target, name); }
  getQueryObjectEXT(query, name) { return queries.parameter(this.#gl, query, name); }
}

class FakeTimer2 {
  queryCounterEXT() {}
}

class FakeInstanced {
  #gl;
  constructor(gl) { this.#gl = gl; }
  drawArraysInstancedANGLE(mode, first, count) { FakeContext.run(this.#gl, count); }
  drawElementsInstancedANGLE(mode, count) { FakeContext.run(this.#gl, count); }
}

class FakeMultiview {
  #gl;
  constructor(gl) { this.#gl = gl; }
  framebufferTextureMultiviewOVR() {
    const state = FakeContext.stateOf(this.#gl);
    state.multiview.add(state.framebuffer);
  }
}

export class FakeWebGL1 extends FakeContext {
  static extension(gl, key, options) {
    if (key === 'ext_disjoint_timer_query') return options.noTimer ? null : new FakeTimer1(gl);
    return key === 'angle_instanced_arrays' ? new FakeInstanced(gl) : null;
  }
}

export class FakeWebGL2 extends FakeContext {
  static extension(gl, key, options) {
    if (key === 'ext_disjoint_timer_query_webgl2') return options.noTimer ? null : new FakeTimer2();
    return key === 'ovr_multiview2' ? new FakeMultiview(gl) : null;
  }

  createQuery() { return queries.create(this); }
  deleteQuery(query) { queries.remove(this, query); }
  beginQuery(target, query) {
    if (arguments.length < 2) throw new TypeError('2 arguments required');
    if (!this.#timer()) return void FakeContext.fail(this, INVALID_ENUM, 'beginQuery');
    queries.begin(this, target, query);
  }
  endQuery(target) { queries.end(this, target); }
  getQuery(target, name) {
    return this.#timer() ? queries.get(this, target, name) : FakeContext.fail(this, INVALID_ENUM, 'getQuery');
  }
  getQueryParameter(query, name) { return queries.parameter(this, query, name); }
  #timer() {
    const state = FakeContext.stateOf(this);
    return state === null || state.enabled.has('ext_disjoint_timer_query_webgl2');
  }
  texStorage2D() {}
  texImage3D() {}
  texStorage3D() {}
  renderbufferStorageMultisample() {}
  framebufferTextureLayer() {}
  drawBuffers() {}
  drawArraysInstanced(mode, first, count) { FakeContext.run(this, count); }
  drawElementsInstanced(mode, count) { FakeContext.run(this, count); }
  drawRangeElements(mode, start, end, count) { FakeContext.run(this, count); }
  blitFramebuffer() { FakeContext.run(this, 30); }
  clearBufferfv() { FakeContext.run(this, 10); }
  clearBufferiv() { FakeContext.run(this, 10); }
  clearBufferuiv() { FakeContext.run(this, 10); }
  clearBufferfi() { FakeContext.run(this, 10); }
}

export const errorsOf = FakeContext.errorsOf;
export const queriesOf = FakeContext.queriesOf;
export const activeOf = FakeContext.activeOf;
export const lose = FakeContext.lose;
export const tellLost = FakeContext.tellLost;
export const restore = FakeContext.restore;
