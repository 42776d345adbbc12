// SPDX-License-Identifier: MIT
/** The timer of one WebGL context: passes and scopes by name, or by what the page draws to. */
import { frameClock } from './frames.js';
import { Names } from './names.js';
import { contextReport, reportDocument, summarize } from './report.js';
import { contextNatives } from './webgl-natives.js';
import { GlEngine } from './webgl-engine.js';
import { guardContext, reasonAgainst } from './webgl-guards.js';
import { versionOf } from './webgl-queries.js';

const NS_PER_MS = 1e6;
const RENDERER = 0x1f01;
const UNMASKED_RENDERER = 0x9246;
const MASKED = 'WebKit WebGL';
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

const listen = globalThis.EventTarget?.prototype.addEventListener;
const unlisten = globalThis.EventTarget?.prototype.removeEventListener;

/**
 * A timer's place at the frame clock. It does not keep the page's context alive: browsers allow a
 * page few of them, and let the oldest go.
 */
class Seat {
  constructor(timer, clock) {
    this.timer = new WeakRef(timer);
    this.clock = clock;
  }

  boundary() {
    const timer = this.timer.deref();
    if (timer !== undefined) timer.frame();
    else this.clock.leave(this);
  }

  isStuck(ns, limit) {
    return this.timer.deref()?.isStuck(ns, limit) ?? false;
  }

  isPending() {
    return this.timer.deref()?.isPending() ?? false;
  }

  pulse() {
    this.timer.deref()?.pulse();
  }
}

/** The core's memory of a context that the page has dropped. */
const contexts = globalThis.FinalizationRegistry && new FinalizationRegistry((context) => context.destroy());

export class WebGLTimer {
  /** @param {WebGLRenderingContext | WebGL2RenderingContext} gl @param {import('../types/passtime.js').AttachOptions} [options] */
  constructor(gl, options = {}) {
    this.gl = gl;
    this.version = versionOf(gl);
    this.engine = new GlEngine(gl, options);
    this.context = this.engine.context;
    contexts?.register(this, this.context, this);
    this.names = new Names();
    this.name = options.name ?? 'canvas';
    this.adapter = adapterOf(gl);
    this.budgetNs = 0;
    this.passes = null; // automatic ones; see webgl-passes.js
    this.byHand = 0; // passes begun by name and not ended
    this.seat = null;
    this.watchLoss();
    if (options.budgetMs) this.budget(options.budgetMs);
    if (options.every) this.every(options.every);
    if (options.frames === 'auto') this.automaticFrames().always = true;
  }

  /** How passes are measured: "elapsed" or "cpu". */
  get method() {
    return this.engine.measures ? 'elapsed' : 'cpu';
  }

  /** What is to be known of it, in words. */
  get status() {
    const { engine } = this;
    if (!this.context.self) return { state: 'destroyed', text: 'This timer was destroyed.' };
    if (engine.lost) return { state: 'lost', text: `The context is lost; timing goes on once it is restored. ${engine.problem}`.trim() };
    if (engine.stopped) return { state: 'stopped', text: engine.stopped };
    if (!engine.measures) return { state: 'cpu', text: `${engine.problem} CPU times stand in, and are called so.` };
    return { state: 'timing', text: 'Passes are timed by elapsed queries.' };
  }

  watchLoss() {
    this.onLost = () => {
      this.byHand = 0;
      this.passes?.reset();
      this.engine.contextLost();
    };
    this.onRestored = () => {
      this.engine.contextRestored();
      this.passes?.reset();
    };
    const { canvas } = this.gl;
    if (!canvas || !listen) return;
    // In the capture phase: the page's own listeners may draw already.
    listen.call(canvas, 'webglcontextlost', this.onLost, true);
    listen.call(canvas, 'webglcontextrestored', this.onRestored, true);
  }

  /** Ends frames by itself, at animation frames or after a burst of passes. */
  automaticFrames() {
    const clock = frameClock();
    if (this.seat === null) {
      this.engine.clock = clock;
      this.seat = new Seat(this, clock);
      clock.join(this.seat);
    }
    return clock;
  }

  /**
   * Begins a pass; passes nest, and each ends with `end()`. Automatic passes rest meanwhile.
   * @param {string} name
   */
  begin(name) {
    if (!this.context.self) return;
    this.passes?.boundary();
    this.byHand++;
    this.engine.begin(this.names.of(name));
  }

  /** Ends the pass begun last. */
  end() {
    if (!this.context.self) return;
    if (this.byHand > 0) this.byHand--;
    else this.passes?.boundary();
    this.engine.end();
  }

  /**
   * A pass around `work`.
   * @template T @param {string} name @param {() => T} work @returns {T} what `work` returns
   */
  pass(name, work) {
    this.begin(name);
    try {
      return work();
    } finally {
      this.end();
    }
  }

  /**
   * Passes begun while `work` runs belong to the scope; scopes nest.
   * @template T @param {string} name @param {() => T} work @returns {T} what `work` returns
   */
  scope(name, work) {
    this.beginScope(name);
    try {
      return work();
    } finally {
      this.endScope();
    }
  }

  beginScope(name) {
    if (!this.context.self) return;
    this.passes?.boundary();
    const rec = this.engine.opened();
    if (rec !== 0) this.context.scopeBegin(rec, this.context.nameOf(rec, this.names.of(name)));
  }

  endScope() {
    this.passes?.boundary();
    if (this.context.self && this.engine.rec !== 0) this.context.scopeEnd(this.engine.rec);
  }

  /** Call once a frame, after its last pass: ends this frame; the next begins with its first pass. */
  frame() {
    this.passes?.boundary();
    this.byHand = 0;
    this.engine.frame();
  }

  isStuck(ns, limit) {
    return this.engine.open && ns - this.engine.beganNs > limit;
  }

  isPending() {
    return this.engine.isPending();
  }

  /** Takes what came back; for when no frames follow. */
  pulse() {
    if (!this.engine.open) this.engine.poll();
  }

  /** The clock was disturbed since this was last asked; for pages without our hooks. */
  disjoint() {
    const { engine } = this;
    if (!this.context.self || engine.lost || !engine.measures) return false;
    return engine.readForPage(engine.queries.disjoint());
  }

  // Figures -----------------------------------------------------------------------------------

  /** The document "passtime.report/1". */
  report() {
    return reportDocument([this.contextReport()]);
  }

  contextReport() {
    const { adapter, budgetNs, engine } = this;
    return contextReport(this.context.figures, {
      id: this.name, api: `webgl${this.version}`, adapter, software: adapter.software, budgetNs,
      reason: engine.problem.replace(/\.$/, ''),
    });
  }

  /** Figures as objects: passes and scopes, totals, ledger, clock. */
  stats() {
    return summarize(this.context.figures, this.budgetNs, this.adapter.software);
  }

  /** What the core had to say, each text once. */
  notes() {
    return this.context.figures.notes();
  }

  /** @param {'frame'} event @param {(frame: import('./figures.js').Frame) => void} listener */
  on(event, listener) {
    if (event !== 'frame') throw new TypeError(`passtime: no event '${event}'; there is 'frame'`);
    this.engine.listeners.add(listener);
    return this;
  }

  off(event, listener) {
    this.engine.listeners.delete(listener);
    return this;
  }

  /** Off costs one test a call. */
  enable(on = true) {
    this.passes?.boundary();
    this.engine.enable(on);
    return this;
  }

  /** Times one frame in `frames`, at random places. */
  every(frames) {
    this.context.every(frames);
    return this;
  }

  /** @param {number} ms a frame's GPU time should not exceed; 0: none */
  budget(ms) {
    this.budgetNs = ms * NS_PER_MS;
    this.context.budget(this.budgetNs);
    return this;
  }

  /** Forgets all statistics. */
  reset() {
    this.context.resetStats();
    return this;
  }

  destroy() {
    const { canvas } = this.gl;
    if (this.seat !== null) this.engine.clock.leave(this.seat);
    contexts?.unregister(this);
    if (canvas && unlisten) {
      unlisten.call(canvas, 'webglcontextlost', this.onLost, true);
      unlisten.call(canvas, 'webglcontextrestored', this.onRestored, true);
    }
    this.engine.destroy();
    if (timers.get(this.gl) === this) timers.delete(this.gl);
  }
}

/**
 * What the context says of itself. Chrome and Safari say more by an extension; Firefox says it all in
 * RENDERER, and warns in the console of the extension.
 */
function adapterOf(gl) {
  const { getExtension, getParameter } = contextNatives(gl);
  let name = getParameter.call(gl, RENDERER) || null;
  if (name === MASKED && getExtension.call(gl, 'WEBGL_debug_renderer_info')) {
    name = getParameter.call(gl, UNMASKED_RENDERER) || name;
  }
  const software = SOFTWARE.test(name ?? '');
  return { name, driver: null, kind: software ? 'cpu' : null, software };
}

/** @type {WeakMap<object, WebGLTimer>} */
const timers = new WeakMap();

/** All of them, none kept from being collected. @type {Set<WeakRef<WebGLTimer>>} */
const live = new Set();

/** The timers of contexts that are still there. @returns {WebGLTimer[]} */
export function webglTimers() {
  const list = [];
  for (const reference of live) {
    const timer = reference.deref();
    if (timer?.context.self) list.push(timer);
    else live.delete(reference);
  }
  return list;
}

/** The timer of a context that has one. @returns {WebGLTimer | undefined} */
export function timerOf(gl) {
  return timers.get(gl);
}

/** Is it a context, and not a wrapper of one? Its own class's function tells. */
function isContext(gl) {
  try {
    return typeof contextNatives(gl).isContextLost.call(gl) === 'boolean';
  } catch {
    return false;
  }
}

/**
 * Attaches a timer to a WebGL 1 or 2 context. A context has one: attached twice, it gives the same
 * again.
 * @param {WebGLRenderingContext | WebGL2RenderingContext} gl
 * @param {import('../types/passtime.js').AttachOptions} [options]
 * @returns {WebGLTimer}
 */
export function attachWebGL(gl, options) {
  const found = timers.get(gl);
  if (found) return found;
  if (!isContext(gl)) throw new TypeError('Passtime.attachWebGL needs a WebGL context (not a wrapper of one)');
  const timer = new WebGLTimer(gl, options);
  timers.set(gl, timer);
  live.add(new WeakRef(timer));
  guardContext(gl, timerOf);
  if (reasonAgainst(gl)) timer.engine.stop(reasonAgainst(gl));
  return timer;
}
