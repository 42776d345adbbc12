// SPDX-License-Identifier: MIT
// The check page's judgement, on figures made up: each verdict, and none where too little is known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finestNs, judge, line, repeats, rises } from '../pages/check-judge.js';

const PARTS = [1, 2, 4, 8, 16];
const stats = (meanNs, seNs = 1000) => ({ meanNs, seNs, belowNs: null, ciLowNs: meanNs - 2 * seNs, ciHighNs: meanNs + 2 * seNs });
const run = (perPart, factor = 1) => PARTS.map((parts) => stats(factor * (5000 + perPart * parts)));
const found = (first, second, more = {}) => ({ good: true, step: 1, rises: rises(first), line: line(PARTS, first), repeats: repeats(first, second), ...more });

test('a sound device is proved, and coarse stamps are worth their means', () => {
  assert.equal(judge(found(run(20000), run(20000, 1.1))).text, 'Verdict: use GPU stamps: they rise with the work, in proportion, and agree from run to run.');
  assert.match(judge(found(run(20000), run(20000), { step: 65536 })).text, /in steps of 65536 ns: trust means over many frames and their errors, not single values\.$/);
  assert.equal(Math.round(line(PARTS, run(20000)).slopeNs), 20000);
});

test('what fails is named, with what to do', () => {
  assert.equal(judge(found(run(20000), run(20000, 1.6))).reason, 'not_repeatable');
  assert.match(judge(found(run(20000), run(20000, 1.6))).text, /Let it rest and check again/);
  const bent = [1, 2, 3, 4, 500].map((ns) => stats(1000 * ns, 10));
  assert.equal(judge(found(bent, bent)).reason, 'not_linear');
  const falling = run(-20000 / 16).map((each) => ({ ...each, seNs: 10 }));
  assert.equal(judge(found(falling, falling)).reason, 'not_rising');
  assert.equal(judge(found(run(20000), run(20000), { good: false })).reason, 'no_stamps');
});

test('what the errors do not allow is not decided', () => {
  const unsure = run(20000).map((each) => ({ ...each, seNs: 500000 }));
  assert.match(judge(found(unsure, unsure)).text, /^Not decided: .* check again\.$/);
  const missing = [...run(20000).slice(0, 4), null];
  assert.equal(judge(found(missing, missing)).reason, 'too_little');
  const wide = (factor) => run(20000, factor).map((each) => ({ ...each, seNs: 0.3 * each.meanNs }));
  assert.equal(repeats(wide(1), wide(1.6)).holds, true); // they differ by chance alone
});

test('the finest pass is an eleventh of a step, or twice a minimal pass', () => {
  assert.equal(Math.round(finestNs({ step: 65536, minimalNs: 1100 })), 5958);
  assert.equal(finestNs({ step: 1, minimalNs: 700 }), 1400);
});
