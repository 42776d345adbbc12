// SPDX-License-Identifier: MIT
/**
 * One WebGPU device: its frames, the query sets of each ring entry, and how stamps come back. The
 * calls that it makes on the device are its own encoder, resolve, copy, submit and map, once a frame
 * and after the page's; each promise has its handlers, so that none rejects into the page.
 */
import { Context, FLAG, SOURCE, STATUS } from './core.js';
import { nowNs, seenNs } from './clock.js';
import { status } from './status.js';
import { nativesOf, MAP_READ, USAGE } from './natives.js';

const PAIRS_PER_SET = 2048; // 4,096 slots are a set's limit; a pair does not straddle sets
const PAIR_BYTES = 16;
const LABEL = 'passtime';
/** Chromium's experiment: stamps between the draws of a pass. */
const INSIDE = 'chromium-experimental-timestamp-query-inside-passes';
const SCOPES = ['validation', 'out-of-memory', 'internal'];

/** Query sets of one ring entry, the buffers to read them, and the descriptors that name their slots. */
class Bank {
  constructor(timer, entry, pairs) {
    this.timer = timer;
    this.entry = entry;
    this.pairs = pairs;
    this.sets = [];
    this.writes = [];
    this.life = 0;
    this.bytes = 0;
    this.mapping = false;
    this.retired = false;
    // One pair of handlers for all maps of this buffer: none is made a frame.
    this.mapped = () => {
      try {
        timer.onMapped(this);
      } catch (error) {
        status.fail(error);
      }
    };
    this.failed = (error) => quietly(() => timer.onMapFailed(this, error));
    const { device, natives } = timer;
    for (let first = 0; first < pairs; first += PAIRS_PER_SET) {
      const count = 2 * Math.min(PAIRS_PER_SET, pairs - first);
      this.sets.push(natives.createQuerySet.call(device, { label: LABEL, type: 'timestamp', count }));
    }
    const size = pairs * PAIR_BYTES;
    this.resolved = natives.createBuffer.call(
      device, { label: LABEL, size, usage: USAGE.queryResolve | USAGE.copySrc });
    this.staging = natives.createBuffer.call(
      device, { label: LABEL, size, usage: USAGE.mapRead | USAGE.copyDst });
  }

  /** What a pass descriptor takes to stamp `pair`; made once, the platform only reads it. */
  writesOf(pair) {
    let writes = this.writes[pair];
    if (writes === undefined) {
      const slot = 2 * (pair % PAIRS_PER_SET);
      writes = {
        querySet: this.sets[Math.floor(pair / PAIRS_PER_SET)],
        beginningOfPassWriteIndex: slot,
        endOfPassWriteIndex: slot + 1,
      };
      this.writes[pair] = writes;
    }
    return writes;
  }

  /**
   * The buffers are ours alone and are destroyed once no map is pending. Query sets are only let go:
   * a late encoder of the page may still name them, and its submit must not fail.
   */
  retire() {
    this.retired = true;
    if (!this.mapping) this.destroyBuffers();
  }

  destroyBuffers() {
    const { buffer } = this.timer.natives;
    buffer.destroy.call(this.resolved);
    buffer.destroy.call(this.staging);
  }
}

/** @typedef {{maxPasses?: number, framesInFlight?: number, timeoutMs?: number, cpuOnly?: boolean}} DeviceOptions */

/** The timer of one device; `Timer` and the hooks are its faces. */
export class DeviceTimer {
  /** @param {GPUDevice} device @param {DeviceOptions} [options] */
  constructor(device, options = {}) {
    this.device = device;
    this.queue = device.queue;
    this.natives = {
      ...nativesOf(device, 'GPUDevice'),
      queue: nativesOf(this.queue, 'GPUQueue'),
      encoder: null, // of the first encoder and buffer made
      buffer: null,
    };
    this.stamps = !options.cpuOnly && device.features?.has?.('timestamp-query') === true;
    this.inside = this.stamps && device.features.has(INSIDE);
    this.context = new Context({
      source: this.stamps ? SOURCE.stamps : SOURCE.cpuRecord,
      flags: this.stamps ? FLAG.banks : 0,
      maxPasses: options.maxPasses ?? 1024,
      maxRecorders: options.maxRecorders ?? 256,
      maxScopes: options.maxScopes ?? 64,
      framesInFlight: options.framesInFlight ?? 8,
      outputFrames: options.framesInFlight ?? 8,
      timeoutMs: options.timeoutMs ?? 0,
    });
    this.banks = [];
    this.next = []; // banks that are good and wait for their entry to be free
    this.nextCount = 0;
    this.number = 0; // of the frame that is open, or was last
    this.open = false;
    this.first = 0; // the open frame's first recorder, until someone takes it
    this.lost = null; // why the device is gone
    this.problem = null; // what was last refused, for the status
    this.listeners = new Set();
    this.encoderDescriptor = { label: LABEL };
    this.commands = [null];
    this.watchLoss();
    if (this.stamps) this.build();
  }

  watchLoss() {
    const gone = (info) => quietly(() => this.onLost(info?.message || info?.reason || 'no reason given'));
    const { lost } = this.device;
    if (typeof lost?.then === 'function') lost.then(gone, gone);
  }

  onLost(reason) {
    if (this.lost !== null) return;
    this.lost = String(reason);
    if (!this.context.self) return;
    this.context.setLost(true);
    this.open = false;
    this.context.collect(nowNs());
    this.drain();
    for (const bank of this.banks) bank?.retire();
    this.banks = [];
  }

  // Frames ------------------------------------------------------------------------------------

  /** Begins a frame, if none is open. @param {number} ns when its work began */
  begin(ns) {
    if (this.open) return;
    if (this.nextCount > 0) this.takeUp();
    this.number++;
    this.open = true;
    this.first = this.context.frameBegin(this.number, ns);
    this.timed = this.first !== 0;
    if (this.stamps) this.build();
  }

  /** A recorder of the open frame; 0: it is not timed. */
  recorder() {
    const rec = this.first;
    if (rec !== 0) {
      this.first = 0;
      return rec;
    }
    return this.timed ? this.context.recorderBegin(this.number) : 0;
  }

  /** Ends the open frame. @param {number} ns when its last work was submitted */
  end(ns) {
    if (!this.open) return;
    this.open = false;
    if (this.first !== 0) {
      this.context.submitted(this.first, ns);
      this.first = 0;
    }
    if (this.timed) this.context.frameEnd(this.number, ns);
    this.step();
  }

  /** Resolves what is due. Call it where the page has just submitted. */
  step() {
    if (this.lost !== null) return;
    for (let entry; (entry = this.context.toResolve()) >= 0; ) this.resolve(entry);
  }

  /** Judges and hands out what came back; for when no frames follow. */
  collect() {
    if (!this.context.self) return;
    this.context.collect(nowNs());
    this.step();
    this.drain();
  }

  // Stamps ------------------------------------------------------------------------------------

  /** The `timestampWrites` of a pair that `rec` was given. */
  writesOf(rec, pair) {
    return this.banks[this.context.entryOf(rec)].writesOf(pair);
  }

  resolve(entry) {
    const life = this.context.lifeOf(entry);
    try {
      if (this.stamps) this.readBack(entry, life);
      else this.awaitDone(entry, life);
    } catch (error) {
      this.problem = String(error?.message ?? error);
      this.context.results(entry, life, STATUS.mapFailed, seenNs());
    }
  }

  /** @param {(encoder: GPUCommandEncoder) => void} [more] what to record after the copy: see page/ride.js */
  readBack(entry, life, more) {
    const bank = this.banks[entry];
    const { natives, device } = this;
    const encoder = natives.createCommandEncoder.call(device, this.encoderDescriptor);
    const calls = natives.encoder ?? (natives.encoder = nativesOf(encoder, 'GPUCommandEncoder'));
    const pairs = this.context.pairEnd(entry);
    bank.bytes = pairs * PAIR_BYTES;
    bank.life = life;
    for (let i = 0, left = pairs; left > 0; i++, left -= PAIRS_PER_SET) {
      calls.resolveQuerySet.call(encoder, bank.sets[i], 0, 2 * Math.min(left, PAIRS_PER_SET),
        bank.resolved, i * PAIRS_PER_SET * PAIR_BYTES);
    }
    calls.copyBufferToBuffer.call(encoder, bank.resolved, 0, bank.staging, 0, bank.bytes);
    more?.(encoder);
    this.commands[0] = calls.finish.call(encoder);
    natives.queue.submit.call(this.queue, this.commands);
    this.commands[0] = null;
    bank.mapping = true;
    natives.buffer.mapAsync.call(bank.staging, MAP_READ, 0, bank.bytes).then(bank.mapped, bank.failed);
  }

  onMapped(bank) {
    const seen = seenNs();
    bank.mapping = false;
    try {
      const { buffer } = this.natives;
      const range = buffer.getMappedRange.call(bank.staging, 0, bank.bytes);
      if (!bank.retired && this.context.self) this.take(bank, new Uint32Array(range), seen);
      buffer.unmap.call(bank.staging);
    } catch (error) {
      this.problem = String(error?.message ?? error);
      this.fail(bank, seen);
    }
    if (bank.retired) bank.destroyBuffers();
    else this.drainSoon(seen);
  }

  take(bank, words, seen) {
    const { context, banks } = this;
    if (banks[bank.entry] !== bank || context.lifeOf(bank.entry) !== bank.life) return;
    context.putTicks(bank.entry, words);
    context.results(bank.entry, bank.life, STATUS.ok, seen);
  }

  fail(bank, seen) {
    if (!this.context.self) return;
    const status = this.lost !== null ? STATUS.lost : STATUS.mapFailed;
    this.context.results(bank.entry, bank.life, status, seen);
  }

  /** A map that fails may be the first sign of a loss, whose own promise may be settled just after. */
  onMapFailed(bank, error) {
    bank.mapping = false;
    const seen = seenNs();
    setTimeout(() => quietly(() => {
      if (this.lost === null) this.problem = String(error?.message ?? error);
      try {
        this.natives.buffer.unmap.call(bank.staging);
      } catch { /* It was not mapped, which is what is wanted. */ }
      this.fail(bank, seen);
      if (bank.retired) bank.destroyBuffers();
      this.drainSoon(seenNs());
    }), 0);
  }

  /** Without stamps: from the submission to its completion, by the CPU's clock. */
  awaitDone(entry, life) {
    const begin = nowNs();
    const done = (good) => quietly(() => {
      const seen = nowNs();
      if (!this.context.self) return;
      this.context.results(entry, life, STATUS.ok, seen, good ? begin : 0, good ? seen : 0);
      this.drainSoon(seen);
    });
    this.natives.queue.onSubmittedWorkDone.call(this.queue).then(() => done(true), () => done(false));
  }

  // Results -----------------------------------------------------------------------------------

  drainSoon(ns) {
    if (!this.context.self) return;
    this.context.collect(ns);
    this.drain();
  }

  drain() {
    const { context, listeners } = this;
    if (!context.self) return;
    if (listeners.size === 0) {
      while (context.skip());
      return;
    }
    for (let frame; (frame = context.next()) !== null; ) {
      for (const listener of listeners) tell(listener, frame);
    }
  }

  // Query sets --------------------------------------------------------------------------------

  build() {
    for (let entry; (entry = this.context.wish()) >= 0; ) {
      this.make(entry, this.context.wishPairs(entry), true);
    }
  }

  /**
   * Makes a bank under error scopes of its own, balanced within this call: the page's scopes see
   * nothing of it. No slot is handed out before all of them said that no error happened.
   */
  make(entry, pairs, again) {
    const { natives, device } = this;
    let bank = null;
    let verdicts = null;
    try {
      for (const scope of SCOPES) natives.pushErrorScope.call(device, scope);
      try {
        bank = new Bank(this, entry, pairs);
        natives.buffer ??= nativesOf(bank.staging, 'GPUBuffer');
      } finally {
        verdicts = SCOPES.map(() => natives.popErrorScope.call(device));
      }
    } catch (error) {
      this.problem = String(error?.message ?? error);
      bank = null;
    }
    const judge = (errors) => quietly(() => this.onMade(entry, bank, pairs, again, errors));
    Promise.all(verdicts ?? []).then(judge, (error) => judge([error]));
  }

  onMade(entry, bank, pairs, again, errors) {
    if (!this.context.self || this.lost !== null) {
      bank?.retire();
      return;
    }
    const error = errors.find((found) => found !== null);
    if (bank !== null && error === undefined) {
      this.next[entry] = bank;
      this.nextCount++;
      this.takeUp();
      return;
    }
    if (error) this.problem = String(error.message ?? error);
    const smaller = Math.floor(pairs / 2);
    if (again && smaller > (this.banks[entry]?.pairs ?? 0)) this.make(entry, smaller, false);
    else this.context.bankFailed(entry);
  }

  /** Good banks take over where their entry is free. */
  takeUp() {
    for (let entry = 0; entry < this.next.length; entry++) {
      const bank = this.next[entry];
      if (!bank || !this.context.bankReady(entry, bank.pairs)) continue;
      this.banks[entry]?.retire();
      this.banks[entry] = bank;
      this.next[entry] = undefined;
      this.nextCount--;
    }
  }

  /** Legal with frames in flight: late answers find nobody at home. */
  destroy() {
    for (const bank of this.banks) bank?.retire();
    this.banks = [];
    this.next = [];
    this.open = false;
    this.first = 0;
    this.context.destroy();
  }
}

/** Runs what a promise calls: a fault of ours is counted, and rejects nothing on the page. */
function quietly(work) {
  try {
    work();
  } catch (error) {
    status.fail(error);
  }
}

/** A listener's fault is its own: it is shown in the console and stops nothing. */
function tell(listener, frame) {
  try {
    listener(frame);
  } catch (error) {
    globalThis.console?.error('passtime: a frame listener threw', error);
  }
}
