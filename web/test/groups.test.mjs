// SPDX-License-Identifier: MIT
// Passtime.auto({ group: true }) on a scripted WebGPU: which passes share a pair of stamps, and which do not.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Adapter, classes, settle } from './fake-gpu.mjs';

const callbacks = [];
globalThis.requestAnimationFrame = function requestAnimationFrame(callback) {
  return callbacks.push(callback);
};
function animationFrame() {
  for (const callback of callbacks.splice(0)) callback(performance.now());
}

Object.assign(globalThis, classes);
const { Passtime } = await import('../dist/passtime.js');
Passtime.auto({ group: true });

const SHORT = 1000n;
const LONG = 50000n;
const GAP = 100n;

after(() => assert.equal(Passtime.status.errorCount, 0, Passtime.status.errors.join('\n')));

/** A device whose passes last as long as `lengths` says, in the order of submission. */
async function newDevice() {
  const device = await new Adapter().requestDevice();
  device.gapNs = GAP;
  device.lengths = [];
  const { stamp } = device;
  device.stamp = function timed(...args) {
    this.passNs = this.lengths.shift() ?? SHORT;
    stamp.apply(this, args);
  };
  await settle(1);
  return device;
}

const timerOf = (device) => Passtime.timers.find((timer) => timer.engine.device === device);
const passesOf = (device) => Object.fromEntries(timerOf(device).report().contexts[0].passes.map((pass) => [pass.name, pass]));
const namesOf = (device) => Object.keys(passesOf(device));

/** So many animation frames; `draw` gets an encoder. */
async function frames(device, count, draw) {
  for (let i = 0; i < count; i++) {
    requestAnimationFrame(() => {
      const encoder = device.createCommandEncoder();
      draw(encoder);
      device.queue.submit([encoder.finish()]);
    });
    animationFrame();
    animationFrame();
    await settle(0); // the GPU takes its time: its clock must not run ahead of the CPU's
    device.answer();
    await settle(0);
  }
}

const pass = (encoder, label) => encoder.beginComputePass({ label }).end();
const passes = (...labels) => (encoder) => labels.forEach((label) => pass(encoder, label));

test('neighbours known to be short share a pair: the begin of the first, the end of the last', async () => {
  const device = await newDevice();
  const descriptors = ['a', 'b', 'c', 'base', 'd'].map((label) => Object.freeze({ label }));
  const draw = (encoder) => {
    device.lengths = [SHORT, SHORT, SHORT, LONG, SHORT];
    for (const descriptor of descriptors) encoder.beginComputePass(descriptor).end();
  };
  await frames(device, 60, draw);
  assert.deepEqual(namesOf(device), ['a', 'b', 'c', 'base', 'd']); // too early to be sure
  await frames(device, 140, draw);
  const { a, d, base, 'a … c (3 passes)': group } = passesOf(device);
  assert.ok(a.count >= 60 && a.count < 150, `${a.count}`);
  assert.ok(group.count >= 50 && a.count + group.count === base.count && d.count === base.count, `${group.count}`);
  assert.ok(group.min_ns >= Number(3n * SHORT + 2n * GAP), `${group.min_ns}`); // the script's clock may go on between two
  assert.equal(base.max_ns, Number(LONG));
  const [first, second, third, , alone] = device.passes.slice(-5).map(({ writes }) => writes);
  assert.equal(first.endOfPassWriteIndex, first.beginningOfPassWriteIndex + 1);
  for (const writes of [second, third]) {
    assert.deepEqual([writes.querySet, writes.beginningOfPassWriteIndex, writes.endOfPassWriteIndex], [first.querySet, undefined, first.endOfPassWriteIndex]);
  }
  assert.equal(typeof alone.beginningOfPassWriteIndex, 'number');
});

test('no group over another encoder, a pass that is not named, or the page\'s own stamps', async () => {
  const device = await newDevice();
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
  const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
  await frames(device, 200, (encoder) => {
    const other = device.createCommandEncoder();
    pass(other, 'a');
    device.queue.submit([other.finish()]);
    pass(encoder, 'b');
    encoder.beginComputePass({ label: 'own', timestampWrites }).end();
    pass(encoder, 'c');
    encoder.beginComputePass().end();
    pass(encoder, 'd');
  });
  assert.deepEqual(namesOf(device).filter((name) => name.includes('…')), []);
  assert.ok(passesOf(device).d.count > 150);
});

test('no group over the bounds of a scope', async () => {
  const device = await newDevice();
  const timer = timerOf(device);
  await frames(device, 200, (encoder) => {
    passes('a', 'b')(encoder);
    timer.scope('inner', () => passes('c', 'd')(encoder));
    pass(encoder, 'e');
  });
  assert.deepEqual(namesOf(device).filter((name) => name.includes('…')), ['a … b (2 passes)', 'c … d (2 passes)']);
});

test('a group that got long is dissolved: its passes are timed one by one again', async () => {
  const device = await newDevice();
  await frames(device, 100, passes('a', 'b'));
  assert.ok(namesOf(device).includes('a … b (2 passes)'));
  const before = passesOf(device).b.count;
  const draw = (encoder) => {
    device.lengths = [SHORT, LONG];
    passes('a', 'b')(encoder);
  };
  await frames(device, 200, draw);
  const { b } = passesOf(device);
  assert.ok(b.count > before + 60, `${before} ${b.count}`);
  assert.equal(b.max_ns, Number(LONG));
});

test('an encoder that is dropped takes its group along, and nothing else', async () => {
  const device = await newDevice();
  await frames(device, 100, passes('a', 'b'));
  const before = passesOf(device)['a … b (2 passes)'].count;
  await frames(device, 40, (encoder) => {
    passes('a', 'b')(device.createCommandEncoder()); // never finished
    passes('a', 'b')(encoder);
  });
  const { 'a … b (2 passes)': group } = passesOf(device);
  assert.ok(group.count > before, `${before} ${group.count}`);
  assert.deepEqual(Object.keys(group.rejected).filter((verdict) => verdict !== 'discarded' && verdict !== 'not_submitted'), []);
});
