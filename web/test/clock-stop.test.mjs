// SPDX-License-Identifier: MIT
// A GPU clock that stands still for a while and then goes on behind time: nothing false meanwhile, and it is followed again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Passtime } from '../dist/passtime.js';
import { Device, settle } from './fake-gpu.mjs';

const PASS_NS = 1000n;
const STILL_FRAMES = 60;
const LAG_NS = 2_000_000_000n; // more than any envelope

/** Stands still while `still` is set, where begin and end are one tick; what it missed it never makes up for. */
function stoppable(device) {
  device.still = false;
  device.lagNs = 0n;
  device.originTicks = 10_000_000_000n;
  device.stamp = function stamp(set, begin, end) {
    const now = this.originTicks - this.lagNs + BigInt(Math.floor(performance.now() * 1e6));
    if (!this.still && now > this.ticks) this.ticks = now;
    set.values[begin] = this.ticks;
    if (!this.still) this.ticks += PASS_NS;
    set.values[end] = this.ticks;
    if (!this.still) this.ticks += 100n;
  };
}

test('a clock that stops and goes on behind time is followed once new query sets prove it', async () => {
  const device = new Device();
  stoppable(device);
  const timer = await Passtime.attach(device);
  const good = [];
  timer.on('frame', (frame) => good.push(...frame.samples.filter((sample) => sample.good).map((sample) => sample.durationNs)));
  const frames = async (count) => {
    const before = good.length;
    for (let i = 0; i < count; i++) {
      const encoder = device.createCommandEncoder();
      for (const name of ['a', 'b']) encoder.beginComputePass({ timestampWrites: timer.pass(name) }).end();
      device.queue.submit([encoder.finish()]);
      timer.frame();
      await settle(0);
      device.answer();
      await settle(0);
    }
    return good.length - before;
  };
  assert.ok(await frames(40) > 60);
  device.still = true;
  const meanwhile = await frames(STILL_FRAMES);
  device.still = false;
  device.lagNs = LAG_NS;
  device.ticks = 0n;
  const after = await frames(150);
  const { ledger } = timer.report().contexts[0];
  // What was in flight as it stopped may seem to be passes that took no time; of the others none does.
  const zeros = good.filter((ns) => ns !== Number(PASS_NS));
  assert.ok(zeros.length <= 4 && zeros.every((ns) => ns === 0), `${zeros}`);
  assert.ok(meanwhile <= 4, `${meanwhile} samples of a clock that stands still`);
  assert.ok(ledger.stale > 0, JSON.stringify(ledger));
  assert.ok(after > 150, `${after} of 300 samples after it went on`);
  assert.equal(await frames(20), 40);
  assert.equal(timer.stats().clock.epoch, 1);
  timer.destroy();
});
