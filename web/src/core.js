// SPDX-License-Identifier: MIT
/**
 * The core: one wasm instance a realm, one Context a device or GL context. Numbers are handed over
 * as they are; what they mean is decided in C.
 */
import { nowNs } from './clock.js';
import { unlzma } from './unlzma.js';
import { Figures } from './figures.js';

/** How a context measures: passtime_source in C. */
export const SOURCE = { stamps: 0, elapsed: 1, cpuRecord: 2, cpuComplete: 3 };
/** What became of a frame's results: passtime_web_status in C. */
export const STATUS = { ok: 0, lost: 1, mapFailed: 2, disjoint: 3, late: 4 };
/** How a context is made: see web/wasm/relay.h. */
export const FLAG = { banks: 1, exclusive: 2, unverified: 4 };

const NAME_BYTES = 1024;
const LABELS_MOST = 4096;
/** An id is asked for anew when unused for so many frames: the core lets unused names go after 1,024. */
const NAME_FRAMES = 256;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The wasm instance and views of its memory, which move when it grows. */
class Core {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.c = new WebAssembly.Instance(module).exports;
    this.refresh();
    this.words = [0, 1, 2].map((kind) => this.wordsOf(kind));
  }

  /** Takes new views after the memory grew; contexts alone make it grow, as they are made. */
  refresh() {
    const { buffer } = this.c.memory;
    if (this.u8?.buffer === buffer) return;
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  wordsOf(kind) {
    const words = [];
    for (let at; (at = this.c.passtime_web_word(kind, words.length)) !== 0; ) words.push(this.text(at));
    return words;
  }

  /** @param {number} at of a text that ends with a zero */
  text(at) {
    const end = this.u8.indexOf(0, at);
    return decoder.decode(this.u8.subarray(at, end));
  }

  /** An unsigned 64-bit number; exact below 2^53. */
  u64(at) {
    return this.u32[at >> 2] + this.u32[(at >> 2) + 1] * 4294967296;
  }

  i64(at) {
    return this.u32[at >> 2] + (this.u32[(at >> 2) + 1] | 0) * 4294967296;
  }
}

/** @type {Core | undefined} */
let core;
/** Why there is none; said in `Passtime.status`. @type {string | undefined} */
let blocked;

/** The module as it travels: LZMA as base64, and how large it is unpacked. */
const parcel = { packed: '', size: 0 };

/** Gives the module. index.js does, last of all: what can't be compressed further is best at the end. */
export function provideCore(packed, size) {
  Object.assign(parcel, { packed, size });
}

function unpack({ packed, size }) {
  const text = globalThis.atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return unlzma(bytes, size);
}

/**
 * The realm's core, made at the first call.
 * @returns {Core | undefined} undefined where the page's policy blocks wasm: see `coreBlocked()`
 */
export function getCore() {
  if (core || blocked) return core;
  try {
    core = new Core(new WebAssembly.Module(unpack(parcel)));
  } catch (error) {
    blocked = `WebAssembly is not available here: ${error?.message ?? error}. A page with a Content-Security-Policy has to allow 'wasm-unsafe-eval'.`;
  }
  return core;
}

/** @returns {string | undefined} the reason why `getCore()` gives nothing */
export function coreBlocked() {
  return blocked;
}

const DEFAULTS = {
  source: SOURCE.stamps,
  flags: 0,
  maxPasses: 1024,
  maxScopes: 64,
  maxRecorders: 256,
  maxNames: 0,
  framesInFlight: 8,
  outputFrames: 8,
  timeoutMs: 0,
};

/**
 * One device or GL context with one clock. `rec` is a recorder's handle, 0 where its frame is not
 * timed; `pair` the number of a pass in its frame, -1 where it is not timed.
 */
export class Context {
  /** @param {Partial<typeof DEFAULTS>} [options] */
  constructor(options) {
    const o = { ...DEFAULTS, ...options };
    this.core = getCore();
    if (!this.core) throw new Error(blocked);
    const names = o.maxNames || Math.max(o.maxPasses + 16, 512);
    this.source = o.source;
    this.maxPasses = o.maxPasses;
    this.maxRecorders = o.maxRecorders;
    this.frames = 0; // timed ones
    this.scopes = 0; // begins and ends so far
    this.labels = new Map();
    const { c } = this.core;
    this.self = c.passtime_web_create(
      o.source, o.flags, o.maxPasses, o.maxScopes, o.maxRecorders, names,
      o.framesInFlight, o.outputFrames, o.timeoutMs * 1e6, nowNs());
    if (!this.self) throw new RangeError('passtime: an option is out of range, or there is no memory');
    this.core.refresh();
    const at = c.passtime_web_name_at(this.self);
    this.nameBytes = this.core.u8.subarray(at, at + NAME_BYTES);
    this.figures = new Figures(this);
  }

  destroy() {
    if (this.self) this.core.c.passtime_web_destroy(this.self);
    this.self = 0;
  }

  /** Begins frame `number` at `ns`. @returns {number} its first recorder, 0: not timed */
  frameBegin(number, ns) {
    const rec = this.core.c.passtime_web_frame_begin(this.self, number, ns);
    if (rec) this.frames++;
    return rec;
  }

  /** A further recorder of a frame that is begun and not ended. */
  recorderBegin(number) {
    return this.core.c.passtime_web_recorder_begin(this.self, number);
  }

  /** The ring entry of a recorder. */
  entryOf(rec) {
    return this.core.c.passtime_web_entry_of(rec);
  }

  submitted(rec, ns) {
    if (rec) this.core.c.passtime_web_submitted(rec, ns);
  }

  discarded(rec, ns) {
    if (rec) this.core.c.passtime_web_discarded(rec, ns);
  }

  /** Ends a frame; `ns` is when its last work was handed over. */
  frameEnd(number, ns) {
    this.core.c.passtime_web_frame_end(this.self, number, ns);
  }

  /** Judges what came back. */
  collect(ns) {
    this.core.c.passtime_web_collect(this.self, ns);
  }

  /**
   * The id of a name in the frame of `rec`.
   * @param {number} rec
   * @param {string} label clean already: see names.js
   */
  nameOf(rec, label) {
    const known = this.labels.get(label);
    if (known !== undefined && this.frames - known.frame < NAME_FRAMES) {
      known.frame = this.frames;
      return known.id;
    }
    return this.findName(rec, label);
  }

  findName(rec, label) {
    const text = typeof label === 'string' ? label : '';
    const cut = text.length > NAME_BYTES ? text.slice(0, NAME_BYTES) : text;
    if (this.nameBytes.length === 0) this.renewName();
    const { written } = encoder.encodeInto(cut, this.nameBytes);
    const id = this.core.c.passtime_web_find_name(rec, written);
    if (this.labels.size >= LABELS_MOST) this.labels.clear();
    this.labels.set(cut, { id, frame: this.frames });
    return id;
  }

  /** The memory has grown under the view. */
  renewName() {
    this.core.refresh();
    const at = this.core.c.passtime_web_name_at(this.self);
    this.nameBytes = this.core.u8.subarray(at, at + NAME_BYTES);
  }

  /** Records a pass that is stamped whole, by its descriptor. */
  pass(rec, id) {
    return this.core.c.passtime_web_pass(rec, id);
  }

  /** Begins a pass that `close` ends; they nest. */
  open(rec, id, ns) {
    return this.core.c.passtime_web_open(rec, id, ns);
  }

  /** @returns {number} the pair closed, -1: none, or one that is not timed */
  close(rec, ns, flags = 0) {
    return this.core.c.passtime_web_close(rec, ns, flags);
  }

  /** Marks a pass as one that could not be timed here. */
  refuse(rec, pair) {
    this.core.c.passtime_web_refuse(rec, pair);
  }

  rename(rec, pair, id) {
    this.core.c.passtime_web_rename(rec, pair, id);
  }

  scopeBegin(rec, id) {
    this.scopes++;
    this.core.c.passtime_web_scope_begin(rec, id);
  }

  scopeEnd(rec) {
    this.scopes++;
    this.core.c.passtime_web_scope_end(rec);
  }

  /** The next entry whose frame is to be resolved (taken by this call), -1: none. */
  toResolve() {
    return this.core.c.passtime_web_to_resolve(this.self);
  }

  lifeOf(entry) {
    return this.core.c.passtime_web_life(this.self, entry);
  }

  /** Pairs 0 to this one less are in question. */
  pairEnd(entry) {
    return this.core.c.passtime_web_pair_end(this.self, entry);
  }

  /** Copies ticks, begin and end of each pair as 32-bit words (low, high), into the core. */
  putTicks(entry, words) {
    const { core: { c } } = this;
    if (this.core.u32.length === 0) this.core.refresh();
    this.core.u32.set(words, c.passtime_web_ticks_at(this.self, entry) >> 2);
  }

  /**
   * Where ticks are put one by one: [4 * pair] and the next are the begin (or the duration), low and
   * high word, then the end. Valid until another context is made.
   */
  ticksAt(entry) {
    this.core.refresh();
    const at = this.core.c.passtime_web_ticks_at(this.self, entry) >> 2;
    return this.core.u32.subarray(at, at + 4 * this.maxPasses);
  }

  /** One byte a tick: 1 where it is there. For contexts without FLAG.banks. */
  availableAt(entry) {
    this.core.refresh();
    const at = this.core.c.passtime_web_available_at(this.self, entry);
    return this.core.u8.subarray(at, at + 2 * this.maxPasses);
  }

  /** One byte a pair: 1 where it is asked for. */
  askedAt(entry) {
    this.core.refresh();
    const at = this.core.c.passtime_web_asked_at(this.self, entry);
    return this.core.u8.subarray(at, at + this.maxPasses);
  }

  /** Says how a frame came back. @returns {boolean} false: that life of the entry is over */
  results(entry, life, status, seen, completeBegin = 0, completeEnd = 0) {
    return this.core.c.passtime_web_results(
      this.self, entry, life, status, seen, completeBegin, completeEnd) !== 0;
  }

  /** A pass of this entry may run long after it was given up: its query set is replaced. */
  taint(entry) {
    this.core.c.passtime_web_taint(this.self, entry);
  }

  setLost(lost) {
    this.core.c.passtime_web_lost(this.self, lost ? 1 : 0);
  }

  /** The next entry that needs query sets, -1: none; each is named once. */
  wish() {
    return this.core.c.passtime_web_wish(this.self);
  }

  wishPairs(entry) {
    return this.core.c.passtime_web_wish_pairs(this.self, entry);
  }

  /** Takes up new sets. @returns {boolean} false: the entry is in flight, ask again later */
  bankReady(entry, pairs) {
    return this.core.c.passtime_web_bank_ready(this.self, entry, pairs) !== 0;
  }

  bankFailed(entry) {
    this.core.c.passtime_web_bank_failed(this.self, entry);
  }

  enable(on) {
    this.core.c.passtime_web_enable(this.self, on ? 1 : 0);
  }

  every(frames) {
    this.core.c.passtime_web_every(this.self, frames);
  }

  budget(ns) {
    this.core.c.passtime_web_budget(this.self, ns);
  }

  resetStats() {
    this.core.c.passtime_web_reset_stats(this.self);
  }

  /** Bytes that the core took for this context, all at its making. */
  memoryBytes() {
    return this.core.c.passtime_web_memory_bytes(this.self);
  }

  /** Bytes of the whole module's memory. */
  wasmBytes() {
    return this.core.c.memory.buffer.byteLength;
  }

  /** Drops the next judged frame. @returns {boolean} false: there is none */
  skip() {
    return this.core.c.passtime_web_next(this.self) !== 0;
  }

  /** Takes the next judged frame; the same object each time. @returns {import('./figures.js').Frame | null} */
  next() {
    const at = this.core.c.passtime_web_next(this.self);
    return at !== 0 ? this.figures.frameAt(at) : null;
  }
}
