// SPDX-License-Identifier: MIT
// The panel's advice on groups: the same words as `passtime report` has (tests/unit/test_report_advice.c).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviceOf } from '../src/overlay/advice.js';

const FRAMES = 1000;

function pass(name, mean, more = {}) {
  return { name, path: name, source: 'gpu_stamps', queue: 0, count: FRAMES, mean_ns: mean, below_ns: null, ci_high_ns: 1.2 * mean, flags: ['quantized'], ...more };
}

function context(passes, more = {}) {
  return { method: 'stamps', clock: { quantum_ns: 65536 }, frames: { complete: FRAMES, incomplete: 0 }, passes, ...more };
}

test('neighbours below the step are one group', () => {
  const passes = [pass('shadow', 200000), pass('cull', 2000), pass('sort', 3000), pass('scan', 1000), pass('base', 900000)];
  assert.deepEqual(adviceOf(context(passes)), [
    'cull, sort and scan are short against the clock\'s step of 65,536 ns. Where they follow one another in one encoder, a group tells the sum of them, some 6 µs, within 10 % in 992 frames; the shortest one alone takes 6,454.',
  ]);
});

test('what is not sure, or not beside another, is not advised', () => {
  const a = pass('a', 3000);
  assert.deepEqual(adviceOf(context([a, pass('b', 3000, { ci_high_ns: 6000 })])), []);
  assert.deepEqual(adviceOf(context([a, pass('b', 3000, { ci_high_ns: null })])), []);
  assert.deepEqual(adviceOf(context([a, pass('b', 3000, { flags: ['overlaps'] })])), []);
  assert.deepEqual(adviceOf(context([a, pass('long', 80000), pass('b', 3000)])), []);
  assert.deepEqual(adviceOf(context([a, pass('b', 3000, { path: 'post/b' })])), []);
  assert.deepEqual(adviceOf(context([a, pass('b', 3000)], { method: 'cpu' })), []);
  assert.deepEqual(adviceOf(context([a, pass('b', 3000)], { clock: { quantum_ns: null } })), []);
  assert.deepEqual(adviceOf(context([a])), []);
});

test('one that never ticked, one that is its own neighbour, and a long list', () => {
  const never = pass('never', 0, { mean_ns: null, ci_high_ns: null, below_ns: 197 });
  assert.match(adviceOf(context([pass('a', 3000), never]))[0], /^a and never are short .* a group tells the sum of them sooner than any one of them\.$/);
  assert.match(adviceOf(context([pass('blur', 1000, { count: 4 * FRAMES })]))[0], /^blur, 4 times a frame, is short .* some 4 µs, within 10 % in 1,538 frames; the shortest one alone takes 1,613\.$/);
  assert.match(adviceOf(context(Array.from({ length: 8 }, (_, i) => pass(`p${i}`, 1000))))[0], /^p0, p1, p2, p3, p4 and 3 more are short/);
});
