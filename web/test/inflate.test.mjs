// SPDX-License-Identifier: MIT
// The unpacker against zlib: all three kinds of block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, deflateRawSync } from 'node:zlib';
import { inflate } from '../src/inflate.js';

/** Bytes that repeat a little, always the same. */
function sample(length, spread) {
  let state = 12345;
  return Uint8Array.from({ length }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return i % 7 < 3 ? i & 15 : (state >>> 24) % spread;
  });
}

const KINDS = { dynamic: { level: 9 }, fixed: { strategy: constants.Z_FIXED }, stored: { level: 0 } };

for (const [kind, options] of Object.entries(KINDS)) {
  test(`inflate reads ${kind} blocks`, () => {
    for (const [length, spread] of [[0, 1], [1, 256], [1000, 4], [70000, 256], [300000, 3]]) {
      const bytes = sample(length, spread);
      assert.deepEqual(inflate(deflateRawSync(bytes, options), length), bytes);
    }
  });
}

test('inflate copies runs that overlap themselves, as long as can be', () => {
  const bytes = new Uint8Array(100000).fill(7);
  bytes.set(sample(40000, 256), 3000);
  assert.deepEqual(inflate(deflateRawSync(bytes, { level: 9 }), bytes.length), bytes);
});
