// SPDX-License-Identifier: MIT
/**
 * Unpacks the wasm module that travels in the script (RFC 1951). The platform's DecompressionStream
 * answers later only, and a page's first context is made at once. It reads what our own build wrote,
 * so nothing is checked here; a library would take three times the room.
 */

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Canonical Huffman code: how many codes of each length, and the symbols in the order of codes. */
function codeOf(lengths) {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  const starts = new Uint16Array(17);
  for (let i = 1; i < 16; i++) starts[i + 1] = starts[i] + counts[i];
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length) symbols[starts[length]++] = symbol;
  });
  return { counts, symbols };
}

/** Bases of the lengths (from 3, in fours) or distances (from 1, in twos), and their extra bits. */
function scaleOf(base, step, count) {
  const extra = Array.from({ length: count }, (_, i) => Math.max(0, Math.floor(i / step) - 1));
  let at = base;
  return { extra, bases: extra.map((bits) => (at += 1 << bits) - (1 << bits)) };
}

/**
 * @param {Uint8Array} from deflated bytes, without a header
 * @param {number} size of what comes out, in bytes
 * @returns {Uint8Array}
 */
export function inflate(from, size) {
  const to = new Uint8Array(size);
  const lengths = scaleOf(3, 4, 28);
  lengths.extra.push(0);
  lengths.bases.push(258);
  const distances = scaleOf(1, 2, 30);
  let at = 0; // in bits
  let end = 0;
  const bits = (count) => {
    const byte = at >> 3;
    const value = (from[byte] | (from[byte + 1] << 8) | (from[byte + 2] << 16)) >> (at & 7);
    at += count;
    return value & ((1 << count) - 1);
  };
  const symbol = ({ counts, symbols }) => {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; ; length++) {
      code |= (from[at >> 3] >> (at & 7)) & 1; // most of the time goes here: no call
      at++;
      const count = counts[length];
      if (code - first < count) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
  };
  const dynamicCodes = () => {
    const literals = bits(5) + 257;
    const all = literals + bits(5) + 1;
    const meta = new Array(19).fill(0);
    for (let i = bits(4) + 4, k = 0; k < i; k++) meta[ORDER[k]] = bits(3);
    const code = codeOf(meta);
    const found = [];
    while (found.length < all) {
      const s = symbol(code);
      if (s < 16) found.push(s);
      else {
        const value = s === 16 ? found[found.length - 1] : 0;
        for (let n = s === 16 ? 3 + bits(2) : s === 17 ? 3 + bits(3) : 11 + bits(7); n > 0; n--) found.push(value);
      }
    }
    return [codeOf(found.slice(0, literals)), codeOf(found.slice(literals))];
  };
  const fixedCodes = () => [
    codeOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
    codeOf(new Array(30).fill(5)),
  ];
  const stored = () => {
    at = (at + 7) & ~7;
    const count = bits(16);
    at += 16;
    for (let i = 0; i < count; i++) to[end++] = bits(8);
  };
  const coded = ([literals, places]) => {
    for (let s; (s = symbol(literals)) !== 256; ) {
      if (s < 256) {
        to[end++] = s;
        continue;
      }
      let length = lengths.bases[s - 257] + bits(lengths.extra[s - 257]);
      const d = symbol(places);
      const distance = distances.bases[d] + bits(distances.extra[d]);
      for (; length > 0; length--, end++) to[end] = to[end - distance];
    }
  };
  for (let last = 0; !last; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) stored();
    else coded(kind === 1 ? fixedCodes() : dynamicCodes());
  }
  return to;
}
