// SPDX-License-Identifier: MIT
/** The timer of a device that the caller owns: passes and scopes by name, one call a frame. */
import { nowNs } from './clock.js';
import { DeviceTimer } from './device.js';
import { frameClock } from './frames.js';
import { Names } from './names.js';
import { status } from './status.js';
import { contextReport, reportDocument, summarize } from './report.js';

const NS_PER_MS = 1e6;

/** Records the passes of one encoder; ends as submitted or discarded. */
export class Recorder {
  constructor(timer, rec) {
    this.timer = timer;
    this.rec = rec;
  }

  /** As Timer.pass, for this encoder. @param {string} name */
  pass(name) {
    return this.timer.passOf(this.rec, name);
  }

  /** Without stamps: ends the CPU time of the pass begun last. */
  end() {
    this.timer.endOf(this.rec);
  }

  scope(name, work) {
    return this.timer.scopeOf(this.rec, name, work);
  }

  /** Its commands were handed to the queue. */
  submitted() {
    this.timer.finish(this, true);
  }

  /** Its commands will never run. */
  discarded() {
    this.timer.finish(this, false);
  }
}

export class Timer {
  /** @param {GPUDevice} device @param {import('../types/passtime.js').AttachOptions} [options] */
  constructor(device, options = {}) {
    this.engine = new DeviceTimer(device, options);
    this.context = this.engine.context;
    this.names = new Names();
    this.name = options.name ?? 'page';
    this.adapter = adapterOf(device);
    this.budgetNs = 0;
    this.rec = 0;
    this.recorders = 0; // unfinished ones beside the frame's own
    this.stuckSinceNs = 0;
    this.listening = new Map();
    this.clock = null;
    this.cpuOpen = 0; // the recorder whose pass is open, without stamps
    this.hooked = null; // the hooks that record for this device, if they do
    if (options.budgetMs) this.budget(options.budgetMs);
    if (options.every) this.every(options.every);
    if (options.frames === 'auto') this.automatic();
  }

  /** How passes are measured: "stamps" or "cpu". */
  get method() {
    return this.engine.stamps ? 'stamps' : 'cpu';
  }

  /** What is to be known of it, in words. */
  get status() {
    const { engine } = this;
    if (!this.context.self) return { state: 'destroyed', text: 'This timer was destroyed.' };
    if (engine.lost !== null) return { state: 'lost', text: `The device is lost (${engine.lost}): attach the new one.` };
    if (!engine.stamps) return { state: 'cpu', text: `${this.reason()} CPU times stand in, and are called so.` };
    const ready = engine.banks.some((bank) => bank);
    if (!ready) return { state: 'warming up', text: engine.problem ? `No query set could be made: ${engine.problem}` : 'The query sets are being made.' };
    return { state: 'timing', text: 'Passes are timed by the GPU\'s stamps.' };
  }

  reason() {
    return this.engine.device.features?.has?.('timestamp-query')
      ? 'CPU times were asked for.'
      : "The device was made without the feature 'timestamp-query': pass it in requiredFeatures.";
  }

  /** Ends frames by itself, at animation frames or after a burst of passes. */
  automatic() {
    this.clock = frameClock();
    this.clock.always = true;
    this.clock.join(this);
  }

  /** The recorder of the open frame; a frame begins with its first pass or scope. */
  opened() {
    const { engine } = this;
    if (this.hooked !== null) return this.hooked.lastRecorder();
    if (!engine.open && this.context.self) {
      const ns = this.clock !== null ? this.clock.touch() : nowNs();
      engine.begin(ns);
      this.rec = engine.recorder();
      this.stuckSinceNs = ns;
    }
    return this.rec;
  }

  /**
   * Names a pass. Put what it returns into the pass descriptor's `timestampWrites`.
   * @param {string} name
   * @returns {GPURenderPassTimestampWrites | undefined} undefined: this one is not timed, which the
   *   descriptor takes as well
   */
  pass(name) {
    if (this.hooked !== null) return this.hooked.nameNext(name);
    return this.passOf(this.opened(), name);
  }

  passOf(rec, name) {
    if (rec === 0 || !this.context.self) return undefined;
    const { context, engine } = this;
    const id = context.nameOf(rec, this.names.of(name));
    if (!engine.stamps) {
      this.endOf(rec, 64);
      this.cpuOpen = context.open(rec, id, nowNs()) >= 0 ? rec : 0;
      return undefined;
    }
    const pair = context.pass(rec, id);
    return pair >= 0 ? engine.writesOf(rec, pair) : undefined;
  }

  /** Without stamps: ends the CPU time of the pass begun last. With stamps there is nothing to do. */
  end() {
    this.endOf(this.rec);
  }

  endOf(rec, flags = 0) {
    if (this.engine.stamps || rec === 0 || this.cpuOpen !== rec) return;
    this.context.close(rec, nowNs(), flags);
    this.cpuOpen = 0;
  }

  /**
   * Times what `pass` records from here to `endInside`, where the device grants stamps inside passes;
   * groups nest. Elsewhere nothing is timed.
   * @param {GPURenderPassEncoder | GPUComputePassEncoder} pass @param {string} name
   */
  beginInside(pass, name) {
    const rec = this.opened();
    if (!this.engine.inside || rec === 0 || !this.context.self) return;
    const pair = this.context.open(rec, this.context.nameOf(rec, this.names.of(name)), nowNs());
    if (pair < 0) return;
    const writes = this.engine.writesOf(rec, pair);
    pass.writeTimestamp(writes.querySet, writes.beginningOfPassWriteIndex);
  }

  endInside(pass) {
    const rec = this.opened();
    if (!this.engine.inside || rec === 0 || !this.context.self) return;
    const pair = this.context.close(rec, nowNs());
    if (pair < 0) return;
    const writes = this.engine.writesOf(rec, pair);
    pass.writeTimestamp(writes.querySet, writes.endOfPassWriteIndex);
  }

  /**
   * Passes named while `work` runs belong to the scope; scopes nest.
   * @template T @param {string} name @param {() => T} work @returns {T} what `work` returns
   */
  scope(name, work) {
    return this.scopeOf(this.opened(), name, work);
  }

  scopeOf(rec, name, work) {
    if (rec === 0) return work();
    this.beginScope(name, rec);
    try {
      return work();
    } finally {
      this.endScope(rec);
    }
  }

  beginScope(name, rec = this.opened()) {
    if (rec !== 0 && this.context.self) this.context.scopeBegin(rec, this.context.nameOf(rec, this.names.of(name)));
  }

  endScope(rec = this.rec) {
    if (rec !== 0 && this.context.self) this.context.scopeEnd(rec);
  }

  /**
   * A recorder of its own for an encoder that is submitted in another frame, or perhaps never.
   * @returns {Recorder}
   */
  recorder() {
    this.opened();
    const rec = this.engine.timed && this.context.self ? this.context.recorderBegin(this.engine.number) : 0;
    return new Recorder(this, rec);
  }

  finish(recorder, submitted) {
    const { rec } = recorder;
    recorder.rec = 0;
    if (rec === 0 || !this.context.self) return;
    if (submitted) this.context.submitted(rec, nowNs());
    else this.context.discarded(rec, nowNs());
    if (!this.engine.open) this.engine.collect();
  }

  /** Call once a frame, after its last submit: ends this frame; the next begins with its first pass. */
  frame() {
    const { engine, context } = this;
    if (this.hooked !== null) {
      this.hooked.boundary();
      return;
    }
    if (!engine.open || !context.self) {
      this.pulse();
      return;
    }
    const ns = nowNs();
    if (this.rec !== 0) context.submitted(this.rec, ns);
    this.rec = 0;
    this.cpuOpen = 0;
    engine.end(ns);
    engine.drain();
  }

  // For the frame clock.
  boundary() {
    this.frame();
  }

  isStuck(ns, limit) {
    return this.engine.open && ns - this.stuckSinceNs > limit;
  }

  isPending() {
    return this.context.self !== 0 && this.context.figures.framesInFlight() > 0;
  }

  /** Takes what came back; for when no frames follow. */
  pulse() {
    if (this.context.self && !this.engine.open) this.engine.collect();
  }

  // Figures -----------------------------------------------------------------------------------

  /** The document "passtime.report/1". */
  report() {
    return reportDocument([this.contextReport()]);
  }

  contextReport() {
    const { adapter, budgetNs, name } = this;
    return contextReport(this.context.figures, {
      id: name, api: 'webgpu', adapter, software: adapter.software, budgetNs, reason: this.reason().replace(/\.$/, ''),
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
    this.context.enable(on);
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
    this.clock?.leave(this);
    this.engine.destroy();
    this.rec = 0;
    forget(this);
  }
}

/** What the adapter says of itself; browsers say little. */
export function adapterOf(device) {
  const info = device.adapterInfo ?? {};
  const name = info.description || [info.vendor, info.architecture].filter(Boolean).join(' ') || null;
  const software = info.isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|warp|basic render/i.test(`${name} ${info.device ?? ''}`);
  return { name, driver: null, kind: software ? 'cpu' : null, software };
}

/** @type {WeakMap<GPUDevice, Timer>} */
const timers = new WeakMap();

function forget(timer) {
  timers.delete(timer.engine.device);
  status.gone(timer);
}

/**
 * Attaches a timer to a device. A device has one: attached twice, it gives the same again.
 * @param {GPUDevice} device
 * @param {import('../types/passtime.js').AttachOptions} [options]
 * @returns {Promise<Timer>} resolved once the first query sets are ready (or known not to be)
 */
export async function attach(device, options) {
  if (!device?.queue || !device.features) throw new TypeError('Passtime.attach needs a GPUDevice');
  const known = timers.get(device);
  if (known) return known;
  const timer = adopt(device, options);
  await ready(timer.engine);
  return timer;
}

/** The timer of a device, made now if there is none. */
export function adopt(device, options) {
  let timer = timers.get(device);
  if (timer === undefined) {
    timer = new Timer(device, options);
    timers.set(device, timer);
    status.device(timer);
  }
  return timer;
}

/** A device that is lost or refuses settles as well; nothing waits longer than this. */
async function ready(engine) {
  for (let tries = 0; tries < 200; tries++) {
    if (!engine.stamps || engine.lost !== null || engine.problem || engine.banks.some((bank) => bank)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
