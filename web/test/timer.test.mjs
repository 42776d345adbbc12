// SPDX-License-Identifier: MIT
// The explicit timer on a scripted WebGPU: what comes back, and what may go wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Passtime } from '../dist/passtime.js';
import { Device, settle } from './fake-gpu.mjs';

process.on('unhandledRejection', (error) => {
  throw error;
});

/** One frame of passes named in order; ends it. */
function frame(device, timer, names, { submit = true } = {}) {
  const encoder = device.createCommandEncoder();
  for (const name of names) encoder.beginComputePass({ timestampWrites: timer.pass(name) }).end();
  const commands = encoder.finish();
  if (submit) device.queue.submit([commands]);
  timer.frame();
  return commands;
}

/** A frame, and its results back. */
async function whole(device, timer, names, options) {
  const commands = frame(device, timer, names, options);
  device.answer();
  await settle(1);
  return commands;
}

const passesOf = (timer) => timer.report().contexts[0].passes;
const ledgerOf = (timer) => timer.report().contexts[0].ledger;
const framesOf = (timer) => timer.report().contexts[0].frames;

test('passes come back under their names, with the ticks that were written', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const frames = [];
  timer.on('frame', (f) => frames.push(f.copy()));
  device.passNs = 12345n;
  await whole(device, timer, ['a', 'b', 'a']);
  assert.equal(frames.length, 1);
  assert.deepEqual(frames[0].samples.map((s) => [s.name, s.durationNs, s.verdict]),
    [['a', 12345, 'good'], ['b', 12345, 'good'], ['a', 12345, 'good']]);
  assert.equal(frames[0].busyNs, 3 * 12345);
  assert.ok(frames[0].spanNs >= frames[0].busyNs + 200);
  assert.equal(frames[0].fate, 'complete');
  timer.destroy();
});

test('the same pass five times a frame counts five times (BR-36)', async () => {
  const device = new Device();
  device.passNs = 2_000n;
  const timer = await Passtime.attach(device);
  for (let i = 0; i < 3; i++) await whole(device, timer, Array(5).fill('sim'));
  const [sim] = passesOf(timer);
  assert.deepEqual([sim.count, sim.mean_ns, sim.total_ns], [15, 2000, 30000]);
  timer.destroy();
});

test('ticks keep their nanoseconds far from zero (BR-15)', async () => {
  const device = new Device();
  device.originTicks = 2n ** 55n + 7n;
  device.passNs = 19200n;
  const timer = await Passtime.attach(device);
  await whole(device, timer, ['a']);
  assert.equal(passesOf(timer)[0].mean_ns, 19200);
  timer.destroy();
});

test('scopes nest and take what is named in them', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const encoder = device.createCommandEncoder();
  const result = timer.scope('post', () => {
    timer.scope('bloom', () => encoder.beginComputePass({ timestampWrites: timer.pass('h') }).end());
    encoder.beginComputePass({ timestampWrites: timer.pass('tonemap') }).end();
    return 7;
  });
  assert.equal(result, 7);
  assert.throws(() => timer.scope('bad', () => { throw new RangeError('the page\'s own'); }), RangeError);
  device.queue.submit([encoder.finish()]);
  timer.frame();
  device.answer();
  await settle(1);
  assert.deepEqual(passesOf(timer).map((p) => p.path), ['post/bloom/h', 'post/tonemap']);
  assert.deepEqual(timer.report().contexts[0].scopes.map((s) => s.path), ['post', 'post/bloom', 'bad']);
  timer.destroy();
});

test('one resolve, one map and one more submit a frame, once query sets are there', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  await whole(device, timer, ['a', 'b']);
  const before = { ...device.calls };
  for (let i = 0; i < 10; i++) await whole(device, timer, ['a', 'b', 'c']);
  assert.deepEqual({ ...device.calls }, {
    ...before, submit: before.submit + 20, resolveQuerySet: before.resolveQuerySet + 10, mapAsync: before.mapAsync + 10,
  });
  timer.destroy();
});

test('maps pending over many frames: frames are skipped and counted, then timed again (BR-09)', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device, { framesInFlight: 4 });
  for (let i = 0; i < 12; i++) frame(device, timer, ['a']);
  assert.equal(framesOf(timer).skipped_full, 8);
  device.answer();
  await settle(1);
  await whole(device, timer, ['a']);
  assert.equal(ledgerOf(timer).good, 5);
  timer.destroy();
});

test('maps may answer out of order; each frame keeps its number', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const seen = [];
  timer.on('frame', (f) => seen.push([f.number, f.samples[0].durationNs]));
  for (let i = 1; i <= 3; i++) {
    device.passNs = BigInt(1000 * i);
    frame(device, timer, ['a']);
  }
  device.maps.reverse();
  device.answer({ count: 1 });
  await settle(1);
  device.answer();
  await settle(1);
  assert.deepEqual(seen.sort((a, b) => a[0] - b[0]), [[1, 1000], [2, 2000], [3, 3000]]);
  timer.destroy();
});

test('a failed map is counted, rejects nothing, and timing goes on', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  frame(device, timer, ['a']);
  device.answer({ error: new Error('OperationError') });
  await settle(5);
  assert.equal(ledgerOf(timer).map_failed, 1);
  for (let i = 0; i < 20; i++) await whole(device, timer, ['a']);
  assert.ok(ledgerOf(timer).good >= 19, JSON.stringify(framesOf(timer)));
  timer.destroy();
});

test('a lost device ends each pending frame once, and calls become no-ops (BR-10)', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  for (let i = 0; i < 4; i++) frame(device, timer, ['a', 'b']);
  device.lose();
  device.answer({ error: Object.assign(new Error('lost'), { name: 'AbortError' }) });
  await settle(5);
  assert.equal(ledgerOf(timer).device_lost, 8);
  assert.equal(timer.status.state, 'lost');
  const calls = { ...device.calls };
  frame(device, timer, ['a'], { submit: false });
  assert.equal(timer.pass('x'), undefined);
  assert.deepEqual({ ...device.calls }, calls);
  const fresh = new Device();
  const next = await Passtime.attach(fresh);
  await whole(fresh, next, ['a']);
  assert.equal(ledgerOf(next).good, 1);
  timer.destroy();
  next.destroy();
});

test('answers after destroy find nobody at home', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  frame(device, timer, ['a']);
  frame(device, timer, ['a']);
  timer.destroy();
  device.answer({ count: 1 });
  device.answer({ error: new Error('late') });
  await settle(5);
  assert.equal(timer.status.state, 'destroyed');
  assert.equal(timer.pass('a'), undefined);
  assert.equal(Passtime.status.errorCount, 0, Passtime.status.errors.join());
});

test('a query set that fails later: a smaller one, no slot before it is good, the page sees nothing (BR-35)', async () => {
  const device = new Device();
  device.failSetsAbove = 64; // 32 pairs
  device.pushErrorScope('out-of-memory'); // the page's own
  const timer = await Passtime.attach(device);
  for (let i = 0; i < 40; i++) await whole(device, timer, Array.from({ length: 100 }, (_, k) => `p${k}`));
  assert.deepEqual(device.uncaptured, []);
  assert.equal(await device.popErrorScope(), null);
  assert.equal(device.scopes.length, 0);
  const { frames } = timer.report().contexts[0];
  assert.equal(frames.complete, 0, 'a frame with passes without slot is incomplete');
  assert.equal(passesOf(timer).length, 32);
  assert.ok(timer.notes().some((note) => note.text.includes('refused a query set')));
  timer.destroy();
});

test('no query set at all: the app goes on untimed, and it is said', async () => {
  const device = new Device();
  device.failSetsAbove = 0;
  const timer = await Passtime.attach(device);
  for (let i = 0; i < 20; i++) await whole(device, timer, ['a']);
  assert.equal(ledgerOf(timer).good, 0);
  assert.ok(framesOf(timer).skipped_warmup >= 20);
  assert.match(timer.status.text, /no room for the query set/);
  timer.destroy();
});

test('5,000 passes once: overflow is counted, then all is measured again (BR-12)', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const many = Array.from({ length: 5000 }, (_, i) => `p${i % 20}`);
  for (let i = 0; i < 20; i++) await whole(device, timer, ['a', 'b', 'c']);
  await whole(device, timer, many);
  for (let i = 0; i < 30; i++) await whole(device, timer, ['a', 'b', 'c']);
  const frames = framesOf(timer);
  assert.equal(frames.incomplete, 1);
  assert.equal(frames.complete + frames.skipped_warmup, 50);
  assert.equal(passesOf(timer).find((p) => p.name === 'a').count, frames.complete);
  for (let i = 0; i < 3; i++) await whole(device, timer, many);
  assert.ok(Math.max(...device.sets.map((set) => set.values.length)) <= 2048, '1,024 passes by default');
  timer.destroy();
});

for (const pairs of [2048, 4096, 5000]) {
  test(`${pairs} passes a frame fit where asked for, in sets of at most 4,096 slots`, async () => {
    const device = new Device();
    const timer = await Passtime.attach(device, { maxPasses: pairs });
    device.passNs = 20n;
    device.gapNs = 1n;
    const names = Array.from({ length: pairs }, (_, i) => `p${i % 7}`);
    for (let i = 0; i < 30; i++) await whole(device, timer, names);
    assert.ok(framesOf(timer).complete >= 8, JSON.stringify(framesOf(timer)));
    assert.equal(Math.max(...device.sets.map((set) => set.values.length)), 4096);
    timer.destroy();
  });
}

test('an encoder that is dropped leaves no false sample, and one run late neither', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device, { framesInFlight: 2 });
  const frames = [];
  timer.on('frame', (f) => frames.push(f.copy()));
  const late = [];
  for (let i = 0; i < 400; i++) {
    device.passNs = BigInt(1000 + i);
    const dropped = i % 9 === 5;
    const commands = await whole(device, timer, ['a', 'b'], { submit: !dropped });
    if (dropped) late.push([commands, i]);
    if (i % 9 === 7) {
      device.passNs = 77n; // what a late run takes: never to be seen as a frame's own
      const [old] = late.pop();
      device.queue.submit([old]);
    }
  }
  const good = frames.flatMap((f) => f.samples.filter((s) => s.good).map((s) => [f.number, s.durationNs]));
  assert.ok(good.length > 200, `${good.length}`);
  for (const [number, ns] of good) assert.equal(ns, 1000 + number - 1, `frame ${number}`);
  timer.destroy();
});

test('a recorder of its own: submitted in a later frame, or discarded', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const encoder = device.createCommandEncoder();
  const recorder = timer.recorder();
  encoder.beginComputePass({ timestampWrites: recorder.pass('slow') }).end();
  await whole(device, timer, ['a']);
  assert.equal(ledgerOf(timer).good, 0, 'the frame is whole only with its recorder');
  device.queue.submit([encoder.finish()]);
  recorder.submitted();
  device.answer();
  await settle(1);
  assert.equal(ledgerOf(timer).good, 2);
  const gone = timer.recorder();
  gone.pass('dropped');
  gone.discarded();
  await whole(device, timer, ['a']);
  assert.deepEqual(passesOf(timer).find((p) => p.name === 'dropped').rejected, { discarded: 1 });
  timer.destroy();
});

test('attach twice gives the same timer; off, every, budget', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  assert.equal(await Passtime.attach(device), timer);
  timer.enable(false);
  await whole(device, timer, ['a']);
  assert.equal(framesOf(timer).skipped_off, 1);
  timer.enable().every(4).budget(0.0015);
  for (let i = 0; i < 40; i++) await whole(device, timer, ['a', 'b']);
  assert.equal(framesOf(timer).complete, 10);
  assert.equal(timer.report().contexts[0].frame.over_budget, 10);
  assert.equal(timer.report().contexts[0].frame.within_budget, false);
  timer.destroy();
});

test('without the feature: CPU times, called so, never GPU time', async () => {
  const device = new Device({ features: [] });
  const timer = await Passtime.attach(device);
  assert.equal(timer.pass('a'), undefined);
  timer.pass('b');
  timer.end();
  timer.frame();
  await settle(1);
  const [context] = timer.report().contexts;
  assert.equal(context.method, 'cpu');
  assert.deepEqual(context.passes.map((p) => [p.name, p.source]),
    [['a', 'cpu_record'], ['b', 'cpu_record'], ['(submission)', 'cpu_complete']]);
  assert.deepEqual(context.passes[0].flags, ['implied_end']);
  assert.equal(context.frame.busy_ns.mean, null);
  assert.match(timer.status.text, /timestamp-query/);
  timer.destroy();
});

test('labels of any kind: 10,000 characters, broken Unicode, none', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  await whole(device, timer, ['x'.repeat(10000), '\ud800 half', '', undefined, 'caf\u00e9 \u{1F600}', 'a\u0001b"\\']);
  const names = passesOf(timer).map((p) => p.name);
  assert.equal(names[0], 'x'.repeat(95));
  assert.equal(names[1], '\ufffd half');
  assert.equal(names[2], '(unnamed)');
  assert.equal(names[3], 'caf\u00e9 \u{1F600}');
  assert.doesNotThrow(() => JSON.stringify(timer.report()));
  timer.destroy();
});

test('a frame of 64 passes: one resolve, one map and one more submit', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const names = Array.from({ length: 64 }, (_, i) => `pass ${i}`);
  const turn = async () => {
    frame(device, timer, names);
    device.answer();
    await settle(1);
  };
  for (let i = 0; i < 40; i++) await turn(); // until the query sets are large enough
  const before = { ...device.calls };
  const timed = passesOf(timer).reduce((sum, { count }) => sum + count, 0);
  for (let i = 0; i < 10; i++) await turn();
  const more = Object.fromEntries(Object.entries(device.calls).map(([name, count]) => [name, count - before[name]]));
  assert.deepEqual(more, { submit: 20, resolveQuerySet: 10, mapAsync: 10, createQuerySet: 0, createBuffer: 0 });
  timer.frame();
  assert.equal(passesOf(timer).reduce((sum, { count }) => sum + count, 0) - timed, 640);
  timer.destroy();
});

test('memory stays what it was: a label unique to each frame, 3,000 frames (BR-38)', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device, { maxPasses: 32 });
  const bytes = timer.context.wasmBytes();
  for (let i = 0; i < 3000; i++) {
    frame(device, timer, ['steady', `unique ${Math.sin(i)}`]);
    if (i % 2) {
      device.answer();
      await null;
      await null;
    }
    device.passes.length = 0;
  }
  await settle(1);
  assert.equal(timer.context.wasmBytes(), bytes);
  assert.ok(timer.context.labels.size <= 4096);
  const steady = passesOf(timer).find((p) => p.name === 'steady');
  assert.ok(steady.count > 2500, `${steady.count}`);
  timer.destroy();
});

test('what is no device is refused with a plain message', async () => {
  await assert.rejects(Passtime.attach({}), /needs a GPUDevice/);
  await assert.rejects(Passtime.attach(undefined), /needs a GPUDevice/);
});
