// SPDX-License-Identifier: MIT
/**
 * Stands in for ../core.js in a page that is timed from outside: the same Context, without wasm. It
 * keeps the ring, hands out pairs, and sends each frame whole; what the numbers mean is judged by
 * whoever reads the messages.
 */
import { nowNs } from '../clock.js';
import { Entry, HOW, PHASE, REFUSED } from './entry.js';
import { Order } from './order.js';
import { frameText } from './pack.js';
import { quoted } from './sender.js';

/** As in ../core.js. */
export const SOURCE = { stamps: 0, elapsed: 1, cpuRecord: 2, cpuComplete: 3 };
export const STATUS = { ok: 0, lost: 1, mapFailed: 2, disjoint: 3, late: 4, timedOut: 5 };
export const FLAG = { banks: 1, exclusive: 2, unverified: 4 };

const BITS_SHIFT = 8;
const LABELS_MOST = 4096;
const NAME_UNITS = 256;
const TEXT_UNITS = 512;
const WANTED_FRAMES = 128;
const TIMEOUT_NS = 1e10;

/** Where messages go; and limits that the outside asks for. */
const link = { sender: null, contexts: 0, maxPasses: 1024, framesInFlight: 8 };

/** @param {import('./sender.js').Sender} sender @param {{maxPasses?: number, framesInFlight?: number}} limits */
export function connect(sender, limits = {}) {
  link.sender = sender;
  link.maxPasses = limits.maxPasses ?? 1024;
  link.framesInFlight = limits.framesInFlight ?? 8;
}

/** There is always one: the judging is done elsewhere. */
export function getCore() {
  return link;
}

export function coreBlocked() {
  return undefined;
}

/** One device or GL context with one clock. A recorder's handle is an object, 0 where its frame is not timed. */
export class Context {
  constructor(options) {
    this.source = options.source;
    this.isGpu = options.source <= SOURCE.elapsed;
    this.banks = (options.flags & FLAG.banks) !== 0;
    this.exclusive = (options.flags & FLAG.exclusive) !== 0;
    this.unverified = (options.flags & FLAG.unverified) !== 0;
    this.bits = options.flags >> BITS_SHIFT || 64;
    this.maxPasses = link.maxPasses;
    this.maxRecorders = options.maxRecorders ?? 256;
    this.self = ++link.contexts;
    this.c = this.self;
    this.lost = false;
    this.lossText = () => '';
    this.sets = 0;
    this.nextEntry = 0;
    this.wanted = 0;
    this.wantedLately = 0;
    this.wantedBefore = 0;
    this.wantedFrames = 0;
    this.labels = new Map();
    this.ids = 0;
    this.entries = [];
    for (let i = 0; i < link.framesInFlight; i++) this.entries.push(new Entry(i, this.maxPasses, this.banks));
    this.order = new Order((text) => link.sender.send(text, 1));
    this.result = { status: 0, seenNs: 0, completeBeginNs: 0, completeEndNs: 0, ticks: false, available: false };
    // For whoever asks whether frames are under way.
    this.figures = {
      framesInFlight: () => this.entries.reduce((sum, entry) => sum + (entry.phase !== PHASE.free ? 1 : 0), 0),
    };
  }

  /** Told once; before any frame of it. `about`: the text of fields that the context does not know. */
  announce(about) {
    link.sender.send(`{"k":"ctx","c":${this.c},"source":${this.source},"bits":${this.bits},"unverified":${this.unverified},`
      + `"max_passes":${this.maxPasses},${about}}`);
  }

  destroy() {
    if (this.self === 0) return;
    this.self = 0;
    this.order.clear();
    this.entries = [];
    link.sender.send(`{"k":"gone","c":${this.c}}`);
  }

  // Frames ------------------------------------------------------------------------------------

  frameBegin(number, ns) {
    this.collect(ns);
    if (this.lost) return this.skipFrame(number, 'lost');
    let isFree = false;
    const count = this.entries.length;
    for (let i = 0; i < count; i++) {
      const entry = this.entries[(this.nextEntry + i) % count];
      if (entry.phase !== PHASE.free) continue;
      isFree = true;
      if (entry.prepare(this.wanted) === 0) continue;
      this.nextEntry = (entry.index + 1) % count;
      entry.begin(number, ns, this.order.begin(entry));
      return entry.recorder(ns);
    }
    return this.skipFrame(number, isFree ? 'warmup' : 'full');
  }

  skipFrame(number, why) {
    this.order.done(this.order.begin(null), `{"k":"skip","c":${this.c},"n":${number},"why":"${why}"}`);
    return 0;
  }

  find(number) {
    return this.entries.find((entry) => entry.phase === PHASE.recording && entry.number === number && !entry.ended);
  }

  recorderBegin(number) {
    const entry = this.find(number);
    if (entry === undefined || entry.recorderCount >= this.maxRecorders) return 0;
    return entry.recorder(nowNs());
  }

  entryOf(rec) {
    return rec.entry.index;
  }

  submitted(rec, ns) {
    this.finish(rec, HOW.submitted, ns);
  }

  discarded(rec, ns) {
    this.finish(rec, HOW.discarded, ns);
  }

  finish(rec, how, ns) {
    if (!rec || !rec.open) return;
    const { entry } = rec;
    if (!this.isGpu) entry.closeAll(rec, ns);
    rec.open = false;
    rec.how = how;
    rec.finishedNs = ns;
    entry.unfinished--;
  }

  frameEnd(number, ns) {
    const entry = this.find(number);
    if (entry === undefined) return;
    entry.ended = true;
    entry.endNs = ns;
    this.collect(ns);
  }

  /** Closes what is whole, and gives up what takes too long. */
  collect(ns) {
    for (const entry of this.entries) {
      if (this.lost && entry.phase !== PHASE.free) this.giveUpLost(entry);
      else if (entry.isWhole()) this.settle(entry, ns);
      else if (entry.phase >= PHASE.toResolve) this.watch(entry, ns);
    }
    for (let entry; (entry = this.order.blocking()) !== undefined; ) this.giveUp(entry);
  }

  settle(entry, ns) {
    if (entry.place !== null) {
      this.noteWanted(entry);
      if (entry.resolve(ns)) return;
      this.send(entry, STATUS.ok, 0, 0, 0); // Nothing is to be read.
    }
    entry.phase = PHASE.free;
  }

  watch(entry, ns) {
    if (entry.flyingSinceNs === 0) entry.flyingSinceNs = ns;
    else if (ns - entry.flyingSinceNs > TIMEOUT_NS) this.giveUp(entry);
  }

  /** Sends a frame without results. Where a recorder of it is unfinished, its place rests until it is. */
  giveUp(entry) {
    const isFlying = entry.phase >= PHASE.toResolve;
    this.send(entry, isFlying ? STATUS.timedOut : STATUS.ok, 0, 0, 0);
    entry.tainted = true;
    if (isFlying) entry.phase = PHASE.free;
  }

  giveUpLost(entry) {
    if (entry.place !== null) this.send(entry, STATUS.lost, 0, 0, 0);
    entry.tainted = true;
    entry.phase = PHASE.free;
    for (let i = 0; i < entry.recorderCount; i++) entry.recorders[i].open = false;
  }

  /** The most pairs that the last frames needed, so that one odd frame is forgotten. */
  noteWanted(entry) {
    this.wantedLately = Math.max(this.wantedLately, entry.pairs + entry.surplus);
    this.wanted = Math.max(this.wantedLately, this.wantedBefore);
    if (++this.wantedFrames < WANTED_FRAMES) return;
    this.wantedBefore = this.wantedLately;
    this.wantedLately = 0;
    this.wantedFrames = 0;
  }

  send(entry, status, seenNs, completeBeginNs, completeEndNs) {
    const { result } = this;
    result.status = status;
    result.seenNs = seenNs;
    result.completeBeginNs = completeBeginNs;
    result.completeEndNs = completeEndNs;
    result.ticks = this.isGpu && status === STATUS.ok && entry.phase >= PHASE.toResolve;
    result.available = result.ticks && !this.banks;
    const { place } = entry;
    entry.place = null;
    this.order.done(place, frameText(this.c, entry, result));
  }

  // Names and passes --------------------------------------------------------------------------

  nameOf(rec, label) {
    const text = typeof label === 'string' ? label : '';
    const known = this.labels.get(text);
    if (known !== undefined) return known;
    if (this.labels.size >= LABELS_MOST) this.labels.clear();
    const id = ++this.ids;
    this.labels.set(text, id);
    link.sender.send(`{"k":"name","c":${this.c},"i":${id},"s":${quoted(text, NAME_UNITS)}}`);
    return id;
  }

  pass(rec, id) {
    if (!rec.open) return -1;
    const { entry } = rec;
    const pair = entry.take(rec, id, 0);
    if (pair < 0) return -1;
    entry.closed[pair] = 1;
    return entry.flags[pair] === 0 ? pair : -1;
  }

  open(rec, id, ns) {
    if (!rec.open) return -1;
    const { entry } = rec;
    const pair = rec.untimed > 0 ? this.surplus(entry) : entry.take(rec, id, ns);
    if (pair < 0) {
      rec.untimed++;
      return -1;
    }
    rec.pass = pair;
    return entry.flags[pair] === 0 ? pair : -1;
  }

  surplus(entry) {
    entry.surplus++;
    return -1;
  }

  /** @returns {number} the pair closed, -1: none, or one that is not timed */
  close(rec, ns, flags = 0) {
    if (!rec.open) return -1;
    if (rec.untimed > 0) {
      rec.untimed--;
      return -1;
    }
    const { entry, pass: pair } = rec;
    if (pair < 0) return -1;
    rec.pass = entry.parents[pair];
    entry.closeNs[pair] = ns;
    entry.closed[pair] = 1;
    entry.flags[pair] |= flags;
    return entry.flags[pair] < REFUSED ? pair : -1;
  }

  refuse(rec, pair) {
    rec.entry.flags[pair] |= REFUSED;
  }

  rename(rec, pair, id) {
    if (rec.open) rec.entry.names[pair] = id;
  }

  scopeBegin() {}
  scopeEnd() {}

  // Results -----------------------------------------------------------------------------------

  toResolve() {
    const entry = this.entries.find((each) => each.phase === PHASE.toResolve);
    if (entry === undefined) return -1;
    entry.phase = PHASE.awaiting;
    return entry.index;
  }

  lifeOf(index) {
    return this.entries[index].life;
  }

  pairEnd(index) {
    return this.entries[index].pairEnd;
  }

  putTicks(index, words) {
    this.entries[index].ticks.set(words);
  }

  ticksAt(index) {
    return this.entries[index].ticks;
  }

  availableAt(index) {
    return this.entries[index].available;
  }

  results(index, life, status, seenNs, completeBeginNs = 0, completeEndNs = 0) {
    const entry = this.entries[index];
    if (entry.life !== life || entry.phase !== PHASE.awaiting) return false;
    const isGood = status === STATUS.ok;
    if (isGood && this.banks) entry.lookForLateWriters();
    else if (isGood && this.exclusive) entry.addChildren(this.bits);
    this.send(entry, status, seenNs, completeBeginNs, completeEndNs);
    if (!isGood) entry.tainted = true;
    if (this.banks && !entry.tainted) entry.remember();
    entry.phase = PHASE.free;
    return true;
  }

  taint(index) {
    this.entries[index].tainted = true;
  }

  setLost(isLost) {
    if (this.lost === isLost || this.self === 0) return;
    this.lost = isLost;
    link.sender.send(isLost
      ? `{"k":"lost","c":${this.c},"text":${quoted(this.lossText(), TEXT_UNITS)}}`
      : `{"k":"restored","c":${this.c}}`);
  }

  // Query sets --------------------------------------------------------------------------------

  wish() {
    const entry = this.entries.find((each) => each.wish !== 0 && !each.building);
    if (entry === undefined) return -1;
    entry.building = true;
    return entry.index;
  }

  wishPairs(index) {
    return this.entries[index].wish;
  }

  bankReady(index, pairs) {
    const entry = this.entries[index];
    if (entry.phase !== PHASE.free) return false;
    entry.takeBank(++this.sets, pairs);
    return true;
  }

  bankFailed(index) {
    this.entries[index].bankFailed();
  }

  // What a page timed from outside does not use -----------------------------------------------

  enable() {}
  every() {}
  budget() {}
  resetStats() {}

  /** Judged frames: there are none here. */
  skip() {
    return false;
  }

  next() {
    return null;
  }
}
