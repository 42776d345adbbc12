// SPDX-License-Identifier: MIT
/** Runs blocks of frames of one variant, and says what they took. Used in a page's frame and in node alike. */

const now = performance.now.bind(performance);
const later = globalThis.setTimeout.bind(globalThis);
const HOPS = 24; // microtasks that a decoder may take, one after the other
const pause = (ms) => new Promise((resolve) => later(resolve, ms));

/** What the variant takes outside of its frame's own call: in timers of length zero, and when a map comes back. */
const outside = { gauge: null, sum: 0 };

/** Gauges what runs when a map comes back, up to HOPS microtasks later, and timers. Call it before the variant is loaded. */
export function watchOutside(scope) {
  const native = scope.GPUBuffer.prototype.mapAsync;
  scope.GPUBuffer.prototype.mapAsync = function mapAsync(mode, offset, size) {
    const mapped = native.call(this, mode, offset, size);
    if (outside.gauge !== null) mapped.then(bracket, () => {});
    return mapped;
  };
  scope.setTimeout = function setTimeout(work, ms) {
    return later(() => {
      if (outside.gauge === null) {
        work();
        return;
      }
      const start = outside.gauge();
      work();
      outside.sum += outside.gauge() - start;
    }, ms);
  };
}

function bracket() {
  const { gauge } = outside;
  if (gauge === null) return;
  let left = HOPS;
  const start = gauge();
  const hop = () => {
    if (--left > 0) queueMicrotask(hop);
    else outside.sum += gauge() - start;
  };
  queueMicrotask(hop);
}

/** The mean of the middle half: what another program took meanwhile is not in it, and steps of the clock average out. */
function middle(values) {
  const list = Float64Array.from(values).sort();
  const quarter = Math.floor(list.length / 4);
  const kept = list.subarray(quarter, list.length - quarter);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

/** One variant in this realm. */
export class Realm {
  /** @param {{device: GPUDevice, frame: (kind: string) => void}} made @param {() => number} heapBytes @param {() => void} collect */
  constructor(made, heapBytes, collect) {
    Object.assign(this, made, { heapBytes, collect });
    this.empty = new Map(); // what a bracket takes by itself, by gauge
  }

  async start(frames) {
    for (const kind of ['compute', 'render']) await this.frames(kind, frames);
    for (const gauge of [now, this.heapBytes]) this.empty.set(gauge, await this.emptyBracket(gauge));
  }

  async emptyBracket(gauge) {
    const seen = [];
    outside.gauge = gauge;
    for (let i = 0; i < 200; i++) {
      outside.sum = 0;
      await Promise.resolve().then(bracket);
      await pause(0);
      seen.push(outside.sum);
    }
    outside.gauge = null;
    return middle(seen);
  }

  /** Records frames; after each, lets the GPU come to its end, and what is left to do be done. */
  async frames(kind, count) {
    for (let i = 0; i < count; i++) {
      this.frame(kind);
      await this.device.queue.onSubmittedWorkDone();
      await pause(0);
    }
  }

  /** The same, gauged: a frame's call, and what comes later. @param {boolean} maps whether a bracket was in it */
  async gauged(kind, count, maps, gauge) {
    const inside = [];
    const rest = [];
    outside.gauge = gauge;
    for (let i = 0; i < count; i++) {
      outside.sum = 0;
      const start = gauge();
      this.frame(kind);
      inside.push(gauge() - start);
      await this.device.queue.onSubmittedWorkDone();
      await pause(0);
      rest.push(outside.sum);
    }
    outside.gauge = null;
    return { record: middle(inside), rest: Math.max(0, middle(rest) - (maps ? this.empty.get(gauge) : 0)) };
  }

  /** Microseconds a frame: recording, and what came outside of the call (decoding). */
  async time(kind, count, maps) {
    const { record, rest } = await this.gauged(kind, count, maps, now);
    return { recordUs: 1000 * record, restUs: 1000 * rest };
  }

  /** Bytes of garbage a frame; null where the collector ran meanwhile. */
  async garbage(kind, count) {
    this.collect();
    await pause(5);
    const before = this.heapBytes();
    await this.frames(kind, count);
    const bytes = this.heapBytes() - before;
    return bytes >= 0 ? bytes / count : null;
  }

  /** The same where waiting makes garbage of its own: in the calls and brackets alone. */
  async garbageOfCalls(kind, count, maps) {
    this.collect();
    await pause(5);
    const { record, rest } = await this.gauged(kind, count, maps, this.heapBytes);
    return record + rest;
  }

  /** What the timer says of itself: a benchmark of frames that are not timed would be a lie. */
  proof() {
    if (!this.timer) return { errors: this.errors };
    const { frames, ledger } = this.timer.contextReport();
    return { errors: this.errors, frames, ledger };
  }
}
