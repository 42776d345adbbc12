// SPDX-License-Identifier: MIT
/**
 * The short form of the trial in truth/: what a stock browser's rounded stamps tell of passes of 1 to
 * 180 µs, against what unrounded ones tell. The limits are of chance alone, four standard errors and
 * more, so that a busy machine, which widens the errors, breaks none of them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { errorsApart, QUANTUM_NS, TARGETS_US, Trial } from '../truth/trial.mjs';
import { missing } from './browser.mjs';

const FRAMES = 1200;
const FIVE = TARGETS_US.indexOf(5);
const TRIES = 4;
const BUSY = 'the machine is too busy: no block of frames told an error for the pass of 5 us';

/** Whether both browsers told how sure they are of the 5 µs pass, and are sure enough to say something. */
function tells({ rounded, exact }) {
  return [rounded, exact].every(({ stats }) => stats[FIVE].seNs !== null && stats[FIVE].seNs < 0.5 * stats[FIVE].meanNs);
}

describe('figures on stamps that a browser rounds', { skip: missing ?? false, timeout: 300000 }, () => {
  const trial = new Trial();
  let block;
  before(async () => {
    await trial.open();
    // Under load stalls may hide the error; a block is chosen by what it states, never by what it says.
    for (let tries = 0; tries < TRIES && !(block && tells(block)); tries++) block = await trial.block(FRAMES);
  });
  after(() => trial.close());

  test('the stock browser rounds, its twin does not, and all samples came back', () => {
    assert.equal(block.rounded.quantumNs, QUANTUM_NS);
    assert.equal(block.same.quantumNs, QUANTUM_NS);
    assert.ok(block.exact.quantumNs < QUANTUM_NS / 64, `${block.exact.quantumNs}`);
    for (const { stats, errors } of [block.rounded, block.exact, block.same]) {
      assert.deepEqual(errors, []);
      for (const { count } of stats) assert.ok(count > 0.9 * FRAMES, `${count}`);
    }
  });

  test('each mean is the unrounded one, within what both state', (t) => {
    if (!tells(block)) t.skip(BUSY);
    TARGETS_US.forEach((us, i) => {
      const [rounded, exact] = [block.rounded.stats[i], block.exact.stats[i]];
      if (rounded.seNs === null || exact.seNs === null) return; // said to be unknown: the frames drift
      assert.ok(errorsApart(rounded, exact) < 5, `${us} us: ${rounded.meanNs} ± ${rounded.seNs} against ${exact.meanNs} ± ${exact.seNs}`);
    });
  });

  test('a pass of some 5 us is told with its error, and no single value could tell it', (t) => {
    const rounded = block.rounded.stats[FIVE];
    assert.equal(rounded.quantized, true);
    assert.equal(rounded.p50Ns, null);
    if (!tells(block)) return t.skip(BUSY);
    assert.ok(rounded.ciLowNs <= rounded.meanNs && rounded.meanNs <= rounded.ciHighNs);
    return assert.ok(rounded.ciHighNs < QUANTUM_NS, 'the mean of the samples that are not 0 would be a step or more');
  });

  test('of the very same samples, rounding moves each mean by no more than chance does', () => {
    TARGETS_US.forEach((us, i) => {
      const stats = block.same.stats[i];
      const { count, exactNs, errorNs, variance } = block.same.rounding[i];
      assert.equal(count, stats.count);
      assert.ok(Math.abs(stats.meanNs - (exactNs + errorNs) / count) < 1, 'Passtime takes all samples, the zeros too');
      assert.ok(Math.abs(errorNs) < 5 * Math.sqrt(variance), `${us} us: ${errorNs / count} ns off, ${Math.sqrt(variance) / count} expected`);
      if (stats.seNs !== null) assert.ok(Math.abs(stats.meanNs - exactNs / count) < 5 * stats.seNs, `${us} us: ${stats.meanNs} ± ${stats.seNs} of ${exactNs / count}`);
    });
  });
});
