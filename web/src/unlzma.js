// SPDX-License-Identifier: MIT
/**
 * Unpacks the wasm module that travels in the script: LZMA, a tenth smaller than what the platform can
 * unpack, and at once, where the platform answers later only. It reads what our own build wrote (lc 3,
 * lp 0, pb 0, size known), so nothing is checked here.
 */

// Places of the adaptive probabilities.
const MATCH = 0;
const REP = 12;
const REP_FIRST = 24;
const REP_SECOND = 36;
const REP_THIRD = 48;
const REP_LONG = 60;
const SLOTS = 72;
const SPECIAL = 328;
const ALIGN = 456;
const LENGTH = 472;
const REP_LENGTH = 746;
const LITERALS = 1020;
const LITERAL_SIZE = 0x300;

/** The range decoder: one bit at a time, by a probability that learns. */
class Bits {
  constructor(from) {
    this.from = from;
    this.at = 5;
    this.range = 0xffffffff;
    this.code = ((from[1] << 24) | (from[2] << 16) | (from[3] << 8) | from[4]) >>> 0;
    this.odds = new Uint16Array(LITERALS + 8 * LITERAL_SIZE).fill(1024);
  }

  refill() {
    if (this.range < 0x1000000) {
      this.range = (this.range << 8) >>> 0;
      this.code = ((this.code << 8) | this.from[this.at++]) >>> 0;
    }
  }

  bit(place) {
    const odds = this.odds[place];
    const bound = (this.range >>> 11) * odds;
    const one = this.code >= bound;
    if (one) {
      this.range -= bound;
      this.code -= bound;
      this.odds[place] -= odds >> 5;
    } else {
      this.range = bound;
      this.odds[place] += (2048 - odds) >> 5;
    }
    this.refill();
    return one ? 1 : 0;
  }

  /** Bits of even odds. */
  plain(count) {
    let value = 0;
    for (; count > 0; count--) {
      this.range >>>= 1;
      const one = this.code >= this.range;
      if (one) this.code -= this.range;
      value = (value << 1) | (one ? 1 : 0);
      this.refill();
    }
    return value;
  }

  tree(place, count) {
    let node = 1;
    for (let i = 0; i < count; i++) node = (node << 1) | this.bit(place + node);
    return node - (1 << count);
  }

  reverse(place, count) {
    let node = 1;
    let value = 0;
    for (let i = 0; i < count; i++) {
      const bit = this.bit(place + node);
      node = (node << 1) | bit;
      value |= bit << i;
    }
    return value;
  }

  length(place) {
    if (!this.bit(place)) return this.tree(place + 2, 3);
    if (!this.bit(place + 1)) return 8 + this.tree(place + 10, 3);
    return 16 + this.tree(place + 18, 8);
  }

  distance(length) {
    const slot = this.tree(SLOTS + 64 * Math.min(length, 3), 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << count;
    if (slot < 14) return base + this.reverse(SPECIAL + base - slot, count);
    return base + (this.plain(count - 4) << 4) + this.reverse(ALIGN, 4);
  }

  /** @param {number} before the byte before; @param {number} match the byte at the last distance, -1: not used */
  literal(before, match) {
    const place = LITERALS + LITERAL_SIZE * (before >> 5);
    let symbol = 1;
    while (match >= 0 && symbol < 0x100) {
      const expected = (match >> 7) & 1;
      match <<= 1;
      const bit = this.bit(place + ((1 + expected) << 8) + symbol);
      symbol = (symbol << 1) | bit;
      if (bit !== expected) break;
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.bit(place + symbol);
    return symbol & 0xff;
  }
}

/**
 * @param {Uint8Array} from raw LZMA
 * @param {number} size of what comes out, in bytes
 * @returns {Uint8Array}
 */
export function unlzma(from, size) {
  const to = new Uint8Array(size);
  const bits = new Bits(from);
  const last = [0, 0, 0, 0]; // distances used last
  let state = 0;
  /** Chooses among the distances used last; false: the byte there is copied alone. */
  const repeat = () => {
    if (!bits.bit(REP_FIRST + state)) return bits.bit(REP_LONG + state) === 1;
    const which = !bits.bit(REP_SECOND + state) ? 1 : !bits.bit(REP_THIRD + state) ? 2 : 3;
    last.unshift(last.splice(which, 1)[0]);
    return true;
  };
  for (let end = 0; end < size; ) {
    if (!bits.bit(MATCH + state)) {
      to[end] = bits.literal(end > 0 ? to[end - 1] : 0, state >= 7 ? to[end - last[0] - 1] : -1);
      end++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length = -1;
    if (bits.bit(REP + state)) {
      if (repeat()) {
        length = bits.length(REP_LENGTH);
        state = state < 7 ? 8 : 11;
      } else state = state < 7 ? 9 : 11;
    } else {
      length = bits.length(LENGTH);
      state = state < 7 ? 7 : 10;
      last.unshift(bits.distance(length));
      last.length = 4;
    }
    for (length += 2; length > 0; length--, end++) to[end] = to[end - last[0] - 1];
  }
  return to;
}
