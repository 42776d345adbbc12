// SPDX-License-Identifier: MIT
/**
 * Passes that carry the page's own timestampWrites. A pass has room for one pair of stamps, and it stays
 * the page's: what they wrote is resolved once more, for us, right after the page's submit and before
 * anything can write there again. A pair whose slots two passes write at a time is refused.
 */
import { nativesOf, MAP_READ, USAGE } from '../natives.js';

const SLOT_BYTES = 8;
const PAIR_BYTES = 16;
const ALIGN = 256; // of a resolve's destination
const LABEL = 'passtime';
const SCOPES = ['validation', 'out-of-memory', 'internal'];
const COMMANDS = ['resolveQuerySet', 'copyBufferToBuffer', 'clearBuffer', 'finish'];

/** What is known of a page's query set: by slot, who writes it, and what it held last. @type {WeakMap<object, Map<number, object>>} */
const slots = new WeakMap();

const isIndex = (value) => Number.isInteger(value) && value >= 0 && value < 4096;

function slotOf(set, index) {
  let known = slots.get(set);
  if (known === undefined) slots.set(set, (known = new Map()));
  let slot = known.get(index);
  if (slot === undefined) known.set(index, (slot = { ride: null, low: 0, high: 0 }));
  return slot;
}

export class Rides {
  /** @param {import('../device.js').DeviceTimer} engine of a device with stamps */
  constructor(engine) {
    this.engine = engine;
    this.scratch = null; // what the page's sets are resolved into
    this.scratchBytes = 0;
    this.frames = []; // by ring entry: {life, rides, rode: a buffer with a pair's stamps at its number}
    this.watched = new WeakSet();
    this.commands = {};
    engine.ride = (recording, pair, writes) => this.add(recording, pair, writes);
  }

  /**
   * @param {number} pair -1: there was none left; what it writes to is taken all the same
   * @returns {boolean} false: its stamps can't be read
   */
  add(recording, pair, writes) {
    const { querySet: set, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end } = writes;
    if (!isIndex(begin) || !isIndex(end) || typeof set !== 'object' || set === null) return false;
    const ride = { recording, pair, set, begin, end, isRefused: pair < 0 };
    for (const index of [begin, end]) this.own(slotOf(set, index), ride);
    if (ride.isRefused) return false;
    this.watch(recording.watched);
    (recording.rides ??= []).push(ride);
    return true;
  }

  own(slot, ride) {
    const { ride: other } = slot;
    slot.ride = ride;
    if (other === null || other.recording.rec === 0) return;
    this.refuse(other);
    ride.isRefused = true;
  }

  refuse(ride) {
    if (!ride.isRefused) this.engine.context.refuse(ride.recording.rec, ride.pair);
    ride.isRefused = true;
  }

  /** From the first such pass on, this device's submits and readbacks are followed. */
  watch(watched) {
    if (this.watched.has(watched)) return;
    this.watched.add(watched);
    const { engine } = this;
    const submitted = watched.submitted.bind(watched);
    const take = engine.take.bind(engine);
    watched.submitted = (recording, ns) => {
      if (recording.rides !== undefined) this.resolve(recording);
      return submitted(recording, ns);
    };
    engine.readBack = (entry, life) => this.readBack(entry, life);
    engine.take = (bank, words, seen) => {
      this.check(bank, words);
      take(bank, words, seen);
    };
  }

  frameOf(entry, bank) {
    const life = this.engine.context.lifeOf(entry);
    const frame = (this.frames[entry] ??= { life: -1, rides: [], rode: null, pairs: 0 });
    if (frame.life !== life) {
      frame.life = life;
      frame.rides = [];
    }
    if (bank !== null && frame.pairs < bank.pairs) {
      if (frame.rode !== null) this.engine.natives.buffer.destroy.call(frame.rode);
      frame.rode = this.buffer(bank.pairs * PAIR_BYTES, USAGE.copySrc | USAGE.copyDst);
      frame.pairs = bank.pairs;
    }
    return frame;
  }

  buffer(size, usage) {
    return this.engine.natives.createBuffer.call(this.engine.device, { label: LABEL, size, usage });
  }

  encoder() {
    const encoder = this.engine.natives.createCommandEncoder.call(this.engine.device, { label: LABEL });
    if (this.commands.finish === undefined) {
      const saved = nativesOf(encoder, 'GPUCommandEncoder');
      for (const name of COMMANDS) this.commands[name] = saved[name] ?? encoder[name];
    }
    return encoder;
  }

  submit(encoder) {
    this.engine.natives.queue.submit.call(this.engine.queue, [this.commands.finish.call(encoder)]);
  }

  /** Runs `work` where no error of it can reach the page: its set may be destroyed already. */
  quietly(work) {
    const { engine } = this;
    const { device, natives } = engine;
    for (const scope of SCOPES) natives.pushErrorScope.call(device, scope);
    try {
      work();
    } catch (error) {
      engine.problem = String(error?.message ?? error);
    } finally {
      const note = (error) => {
        if (error) engine.problem = String(error.message ?? error);
      };
      for (let i = 0; i < SCOPES.length; i++) natives.popErrorScope.call(device).then(note, () => {});
    }
  }

  /** The page has submitted: what its passes wrote is there once the queue gets to us. */
  resolve(recording) {
    const { engine } = this;
    const entry = engine.context.entryOf(recording.rec);
    const rides = recording.rides.filter((ride) => !ride.isRefused);
    recording.rides = undefined;
    if (rides.length === 0) return;
    this.quietly(() => {
      const frame = this.frameOf(entry, engine.banks[entry]);
      frame.rides.push(...rides);
      const encoder = this.encoder();
      for (const set of new Set(rides.map((ride) => ride.set))) this.copySet(encoder, frame.rode, set, rides.filter((ride) => ride.set === set));
      this.submit(encoder);
    });
  }

  copySet(encoder, rode, set, rides) {
    const first = rides.reduce((least, { begin, end }) => Math.min(least, begin, end), Infinity);
    const last = rides.reduce((most, { begin, end }) => Math.max(most, begin, end), 0);
    const bytes = Math.ceil((last - first + 1) * SLOT_BYTES / ALIGN) * ALIGN;
    if (bytes > this.scratchBytes) {
      this.scratch = this.buffer(bytes, USAGE.queryResolve | USAGE.copySrc);
      this.scratchBytes = bytes;
    }
    const { resolveQuerySet, copyBufferToBuffer } = this.commands;
    resolveQuerySet.call(encoder, set, first, last - first + 1, this.scratch, 0);
    const copy = (index, to, count) => copyBufferToBuffer.call(
      encoder, this.scratch, (index - first) * SLOT_BYTES, rode, to, count * SLOT_BYTES);
    for (const { pair, begin, end } of rides) {
      if (end === begin + 1) {
        copy(begin, pair * PAIR_BYTES, 2);
      } else {
        copy(begin, pair * PAIR_BYTES, 1);
        copy(end, pair * PAIR_BYTES + SLOT_BYTES, 1);
      }
    }
  }

  /** As the engine's own, with what was read of the page's sets in its place. */
  readBack(entry, life) {
    const { engine } = this;
    const bank = engine.banks[entry];
    const frame = this.frameOf(entry, null);
    const rides = frame.rides.filter((ride) => !ride.isRefused);
    const { readBack } = Object.getPrototypeOf(engine);
    const { copyBufferToBuffer, clearBuffer } = this.commands;
    readBack.call(engine, entry, life, rides.length === 0 ? undefined : (encoder) => {
      for (const { pair } of rides) {
        copyBufferToBuffer.call(encoder, frame.rode, pair * PAIR_BYTES, bank.staging, pair * PAIR_BYTES, PAIR_BYTES);
      }
      clearBuffer.call(encoder, frame.rode); // What is not read next time is then 0.
    });
  }

  /** A slot that holds what it held before was not written: its pass did not run. */
  check(bank, words) {
    const frame = this.frames[bank.entry];
    if (frame === undefined || frame.life !== bank.life) return;
    for (const { set, pair, begin, end } of frame.rides) {
      [begin, end].forEach((index, which) => {
        const slot = slotOf(set, index);
        const at = 4 * pair + 2 * which;
        if (at + 1 >= words.length) return;
        const [low, high] = [words[at], words[at + 1]];
        if (low === slot.low && high === slot.high) words[at] = words[at + 1] = 0;
        slot.low = low;
        slot.high = high;
      });
    }
  }
}
