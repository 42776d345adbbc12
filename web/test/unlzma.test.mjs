// SPDX-License-Identifier: MIT
// The unpacker against xz.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lzma } from '../packing.mjs';
import { unlzma } from '../src/unlzma.js';

/** Bytes that repeat a little, always the same. */
function sample(length, spread) {
  let state = 12345;
  return Uint8Array.from({ length }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return i % 7 < 3 ? i & 15 : (state >>> 24) % spread;
  });
}

test('unlzma gives back what xz packed', () => {
  for (const [length, spread] of [[1, 256], [1000, 4], [70000, 256], [300000, 3]]) {
    const bytes = sample(length, spread);
    assert.deepEqual(unlzma(lzma(bytes), length), bytes);
  }
});

test('unlzma copies runs that overlap themselves, and from far', () => {
  const bytes = new Uint8Array(300000).fill(7);
  bytes.set(sample(40000, 256), 3000);
  bytes.set(sample(40000, 256), 250000);
  assert.deepEqual(unlzma(lzma(bytes), bytes.length), bytes);
});
