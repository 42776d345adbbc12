// SPDX-License-Identifier: MIT
/**
 * One place in a context's ring: the frame that is in it, and what its query set may hold. The rules
 * are those of web/wasm/relay.c and of the core's ring, less all that judges.
 */

export const PHASE = { free: 0, recording: 1, toResolve: 2, awaiting: 3 };
export const HOW = { discarded: 0, submitted: 1, never: 2 };
/** A pass's flag in a message: its time was refused. */
export const REFUSED = 0x80000000;
const IMPLIED_END = 64;

const FIRST_PAIRS = 32; // of an entry's first query set
const RENEW_LIVES = 8; // sets with suspect slots are replaced after so many frames at the earliest
const SHRINK_LIVES = 256; // sets are made smaller after so many that need a quarter of them
const RETRY_FIRST_LIVES = 64; // to wait after sets could not be made …
const RETRY_MOST_LIVES = 4096; // … doubled up to this
const SOON_NS = 2 * 65536; // twice the coarsest step of stamps in the field

/** What one encoder records; an entry's own, used again by its next frame. */
class Recorder {
  constructor(entry, index) {
    this.entry = entry;
    this.index = index;
    this.open = false;
    this.beganNs = 0;
    this.finishedNs = 0;
    this.how = HOW.never;
    this.pass = -1; // the innermost that is open
    this.untimed = 0; // passes without a pair that are open
  }

  begin(ns) {
    this.open = true;
    this.beganNs = ns;
    this.finishedNs = 0;
    this.how = HOW.never;
    this.pass = -1;
    this.untimed = 0;
  }
}

/** How many pairs new sets have for `pairs` that are wanted. */
export function rounded(pairs, most) {
  let size = FIRST_PAIRS;
  while (size < pairs) size *= 2;
  return Math.min(size, most);
}

export class Entry {
  /** @param {number} index @param {number} maxPasses @param {boolean} banks its slots are in query sets */
  constructor(index, maxPasses, banks) {
    this.index = index;
    this.maxPasses = maxPasses;
    this.banks = banks;
    this.phase = PHASE.free;
    this.life = 0;
    this.place = null; // in the order of frames; null: its message is out
    this.number = 0;
    this.beginNs = 0;
    this.endNs = 0;
    this.ended = false;
    this.unfinished = 0; // recorders
    this.recorders = [];
    this.recorderCount = 0;
    this.pairs = 0; // handed out
    this.surplus = 0; // passes beyond the pairs that there are
    this.flyingSinceNs = 0;
    this.set = 0; // the number of its query sets
    this.capacity = banks ? 0 : maxPasses; // their pairs
    this.wish = banks ? Math.min(FIRST_PAIRS, maxPasses) : 0;
    this.building = false;
    this.tainted = false; // slots may hold, or yet receive, stamps that nobody read
    this.hasSuspects = false;
    this.lives = 0;
    this.smallLives = 0;
    this.retryWait = 0;
    this.retryIn = 0;
    this.pairEnd = 0;
    this.submittedNs = 0;
    this.submittedBeforeNs = 0;
    this.room = 0;
    this.grow(Math.min(FIRST_PAIRS, maxPasses));
  }

  /** Makes room for passes; what is there stays. */
  grow(room) {
    const keep = (old, made) => {
      if (old) made.set(old);
      return made;
    };
    this.names = keep(this.names, new Uint32Array(room));
    this.parents = keep(this.parents, new Int32Array(room));
    this.owners = keep(this.owners, new Uint16Array(room));
    this.flags = keep(this.flags, new Uint32Array(room));
    this.closed = keep(this.closed, new Uint8Array(room));
    this.openNs = keep(this.openNs, new Float64Array(room));
    this.closeNs = keep(this.closeNs, new Float64Array(room));
    this.asked = keep(this.asked, new Uint8Array(room));
    this.suspect = keep(this.suspect, new Uint8Array(room));
    this.available = keep(this.available, new Uint8Array(2 * room));
    this.ticks = keep(this.ticks, new Uint32Array(4 * room));
    this.last = keep(this.last, new Uint32Array(4 * room));
    this.room = room;
  }

  // Query sets --------------------------------------------------------------------------------

  /** @returns {number} how many pairs a frame may have now, 0: not yet */
  prepare(wanted) {
    if (!this.banks) return this.capacity;
    const pairs = Math.min(Math.max(wanted, 1), this.maxPasses);
    const isSmall = 4 * pairs <= this.capacity && this.capacity > FIRST_PAIRS;
    this.smallLives = isSmall ? this.smallLives + 1 : 0;
    this.lives++;
    if (this.retryIn > 0) this.retryIn--;
    const renewed = this.renewed(pairs);
    this.wish = renewed !== 0 && !this.building && this.retryIn === 0 ? rounded(renewed, this.maxPasses) : 0;
    return this.tainted ? 0 : this.capacity;
  }

  /** How many pairs new query sets should have; 0: those that are there will do. */
  renewed(wanted) {
    if (wanted > this.capacity || this.smallLives >= SHRINK_LIVES) return wanted;
    return this.tainted || (this.hasSuspects && this.lives >= RENEW_LIVES) ? this.capacity : 0;
  }

  takeBank(set, pairs) {
    this.set = set;
    this.capacity = pairs;
    this.tainted = this.hasSuspects = this.building = false;
    this.wish = this.lives = this.smallLives = this.retryWait = 0;
    this.suspect.fill(0);
    this.last.fill(0);
  }

  bankFailed() {
    this.building = false;
    this.wish = 0;
    this.retryWait = Math.min(Math.max(2 * this.retryWait, RETRY_FIRST_LIVES), RETRY_MOST_LIVES);
    this.retryIn = this.retryWait;
  }

  // Recording ---------------------------------------------------------------------------------

  begin(number, ns, place) {
    this.life++;
    this.phase = PHASE.recording;
    this.place = place;
    this.number = number;
    this.beginNs = ns;
    this.endNs = 0;
    this.ended = false;
    this.unfinished = 0;
    this.recorderCount = 0;
    this.pairs = 0;
    this.surplus = 0;
    this.pairEnd = 0;
    this.flyingSinceNs = 0;
  }

  recorder(ns) {
    const index = this.recorderCount++;
    const rec = (this.recorders[index] ??= new Recorder(this, index));
    rec.begin(ns);
    this.unfinished++;
    return rec;
  }

  /** @returns {number} a pair, -1: there is none left */
  take(rec, name, ns) {
    const pair = this.pairs;
    if (pair >= this.capacity) {
      this.surplus++;
      return -1;
    }
    this.pairs++;
    if (pair >= this.room) this.grow(Math.min(2 * this.room, this.maxPasses));
    this.names[pair] = name;
    this.parents[pair] = rec.pass;
    this.owners[pair] = rec.index;
    this.closed[pair] = 0;
    this.openNs[pair] = ns;
    this.closeNs[pair] = 0;
    this.flags[pair] = this.suspect[pair] !== 0 ? REFUSED : 0;
    return pair;
  }

  /** What one recorder left open ends with it: CPU times only. */
  closeAll(rec, ns) {
    for (; rec.pass >= 0; rec.pass = this.parents[rec.pass]) {
      this.closed[rec.pass] = 1;
      this.closeNs[rec.pass] = ns;
      this.flags[rec.pass] |= IMPLIED_END;
    }
  }

  isWhole() {
    return this.phase === PHASE.recording && this.ended && this.unfinished === 0;
  }

  /** Finds what is to be read. @returns {boolean} false: nothing */
  resolve(ns) {
    this.pairEnd = 0;
    for (let pair = 0; pair < this.pairs; pair++) {
      const isAsked = this.closed[pair] !== 0 && this.flags[pair] < REFUSED
        && this.recorders[this.owners[pair]].how === HOW.submitted;
      this.asked[pair] = isAsked ? 1 : 0;
      if (isAsked) this.pairEnd = pair + 1;
    }
    if (this.pairEnd === 0) return false;
    this.submittedBeforeNs = this.submittedNs;
    this.submittedNs = ns;
    this.phase = PHASE.toResolve;
    return true;
  }

  // What came back ----------------------------------------------------------------------------

  /**
   * Where a stamp was not written by this frame, whoever was to write it may still do so, and then a
   * later frame could read it as its own. Such a pair is not handed out again from these sets.
   */
  lookForLateWriters() {
    const { ticks, last } = this;
    const isSoon = this.submittedNs - this.submittedBeforeNs < SOON_NS;
    for (let pair = 0; pair < this.pairEnd; pair++) {
      if (this.asked[pair] === 0) continue;
      const at = 4 * pair;
      const began = (ticks[at] | ticks[at + 1]) !== 0;
      const ended = (ticks[at + 2] | ticks[at + 3]) !== 0;
      const had = (last[at] | last[at + 1] | last[at + 2] | last[at + 3]) !== 0;
      const sameBegin = ticks[at] === last[at] && ticks[at + 1] === last[at + 1];
      const sameEnd = ticks[at + 2] === last[at + 2] && ticks[at + 3] === last[at + 3];
      const isRepeated = isSoon ? sameBegin && sameEnd : sameBegin || sameEnd;
      if ((began || ended || had) && !(began && ended && !isRepeated)) {
        this.suspect[pair] = 1;
        this.hasSuspects = true;
      }
    }
  }

  remember() {
    for (let pair = 0; pair < this.pairEnd; pair++) {
      if (this.asked[pair] === 0) continue;
      for (let at = 4 * pair; at < 4 * pair + 4; at++) this.last[at] = this.ticks[at];
    }
  }

  /** A piecewise measured pass's own time becomes its whole time; what is nested has higher numbers. */
  addChildren(bits) {
    for (let pair = this.pairEnd - 1; pair >= 0; pair--) {
      const parent = this.parents[pair];
      if (this.available[2 * pair] === 0 || parent < 0) continue;
      const sum = this.durationOf(pair) + this.durationOf(parent);
      const most = bits < 53 ? 2 ** bits - 1 : Number.MAX_SAFE_INTEGER;
      const ns = Math.min(sum, most);
      this.ticks[4 * parent] = ns % 4294967296;
      this.ticks[4 * parent + 1] = ns / 4294967296;
    }
  }

  durationOf(pair) {
    return this.ticks[4 * pair] + this.ticks[4 * pair + 1] * 4294967296;
  }
}
