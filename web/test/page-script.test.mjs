// SPDX-License-Identifier: MIT
// The script that `passtime page` injects, on a scripted WebGPU: what it sends, and that it is what is checked in.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { INJECTED, pageBundle } from '../page-bundle.mjs';
import { Adapter, classes, Device, settle } from './fake-gpu.mjs';
import { RealmLog } from './page-messages.mjs';

process.on('unhandledRejection', (error) => {
  throw error;
});

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const BINDING = 'passtime_0123';
const callbacks = [];
globalThis.requestAnimationFrame = function requestAnimationFrame(callback) {
  return callbacks.push(callback);
};
function animationFrame() {
  for (const callback of callbacks.splice(0)) callback(performance.now());
}

Object.assign(globalThis, classes);
const early = new Device(); // made before the hooks
const { createCommandEncoder } = Device.prototype; // taken before the hooks
const text = await pageBundle();
const log = new RealmLog();
const globalsBefore = Object.getOwnPropertyNames(globalThis);
globalThis[BINDING] = log.receive;
(0, eval)(`${text}({"binding":"${BINDING}"})`);
const flush = globalThis[Symbol.for(BINDING)];

async function newDevice(features) {
  const device = await new Adapter(features).requestDevice({ label: 'mine' });
  await settle(1);
  return device;
}

/** One animation frame of the page: `draw` gets an encoder, which is submitted. */
function paint(device, draw) {
  requestAnimationFrame(() => {
    const encoder = device.createCommandEncoder();
    draw(encoder);
    device.queue.submit([encoder.finish()]);
  });
  animationFrame();
}

/** The same; the next animation frame ends it, and its map is answered. */
async function frame(device, draw, answer = {}) {
  paint(device, draw);
  animationFrame();
  device.answer(answer);
  await settle(1);
}

const pass = (label) => (encoder) => encoder.beginComputePass({ label }).end();

/** What was told of the context made last. */
function latest() {
  flush();
  return log.contexts.at(-1);
}

const brief = ({ st, r, passes, x = 0 }) => ({ st, how: r.map((each) => each[2]), names: passes.map((each) => each.name), x });

after(() => assert.deepEqual(log.notes.filter((note) => /fault/.test(note)), []));

test('src/page/inject.js is what the sources make: `npm run page` in web/ writes it', () => {
  assert.ok(readFileSync(INJECTED, 'utf8') === text, 'src/page/inject.js is not up to date');
  assert.ok(text.length < 150000, `${text.length} bytes`);
  assert.ok(/^[\n\x20-\x7e]*$/.test(text));
});

test('nothing is left for the page to see', () => {
  assert.deepEqual(Object.getOwnPropertyNames(globalThis), globalsBefore);
  assert.equal(Object.getOwnPropertyDescriptor(globalThis, Symbol.for(BINDING)).enumerable, false);
  // Without a binding it does nothing at all.
  const { submit } = classes.GPUQueue.prototype;
  (0, eval)(`${text}({"binding":"${BINDING}"})`);
  assert.equal(classes.GPUQueue.prototype.submit, submit);
});

test('the realm introduces itself', () => {
  flush();
  assert.equal(log.hellos.length, 1);
  const { kind, webgpu, webgl, origin_ms: origin } = log.hello;
  assert.deepEqual([kind, webgpu, webgl], ['page', 'hooked', 'absent']);
  assert.equal(origin, performance.timeOrigin);
});

test('plain frames: a context, names before their use, every pass with its stamps', async () => {
  const device = await newDevice();
  for (let i = 0; i < 5; i++) {
    await frame(device, (encoder) => {
      encoder.beginRenderPass({ label: 'scene', colorAttachments: [] }).end();
      encoder.beginComputePass({ label: 'sim "1"\0\ud800' }).end();
    });
  }
  const { about, frames, skips, names } = latest();
  assert.deepEqual([about.api, about.source, about.bits, about.max_passes, about.reason], ['webgpu', 0, 64, 1024, '']);
  assert.deepEqual([...names.values()], ['scene', 'sim "1"\ufffd\ufffd']);
  assert.deepEqual([frames.length, skips.length], [5, 0]);
  const sets = device.sets.map((set) => set.values);
  for (const each of frames) {
    assert.deepEqual(brief(each), { st: 0, how: [1], names: [...names.values()], x: 0 });
    assert.ok(each.b > 0 && each.b <= each.r[0][0] && each.r[0][1] <= each.e && each.e <= each.s);
    assert.ok(each.passes.every(({ begin, end }) => end - begin === device.passNs && sets.some((values) => values.includes(begin))));
  }
  // Of our clock's time, on performance.now's: the last frame was seen before now.
  assert.ok(frames[4].s <= (performance.now() + 100) * 1e6);
});

test('the first frame after a device was made is a skip: its query sets are not there yet', async () => {
  const device = await new Adapter().requestDevice();
  await frame(device, pass('x'));
  await frame(device, pass('x'));
  const { frames, skips } = latest();
  assert.deepEqual([skips.map(({ n, why }) => [n, why]), frames.map(({ n }) => n)], [[[1, 'warmup']], [2]]);
});

test('several encoders: each its recorder, in the order of their first passes', async () => {
  const device = await newDevice();
  requestAnimationFrame(() => {
    const encoders = [1, 2, 3].map(() => device.createCommandEncoder());
    encoders.forEach((encoder, i) => encoder.beginComputePass({ label: `e${i}` }).end());
    encoders[0].beginComputePass({ label: 'again' }).end();
    device.queue.submit(encoders.map((encoder) => encoder.finish()));
  });
  animationFrame();
  animationFrame();
  device.answer();
  await settle(1);
  const [only] = latest().frames;
  assert.deepEqual(only.passes.map(({ name, recorder }) => [name, recorder]), [['e0', 0], ['e1', 1], ['e2', 2], ['again', 0]]);
  assert.deepEqual(only.r.map((each) => each[2]), [1, 1, 1]);
});

test('an encoder that is never submitted is discarded in time; frames after it wait and keep their order', async () => {
  const device = await newDevice();
  await frame(device, (encoder) => {
    device.createCommandEncoder().beginComputePass({ label: 'dropped' }).end();
    encoder.beginComputePass({ label: 'x' }).end();
  });
  await frame(device, pass('x'));
  assert.equal(latest().frames.length, 0);
  await settle(260);
  for (let i = 0; i < 12; i++) await frame(device, pass('x'));
  const { frames } = latest();
  const [first, second] = frames;
  assert.deepEqual(brief(first), { st: 0, how: [0, 1], names: ['dropped', 'x'], x: 0 });
  // The slots of the dropped encoder may yet be written: nothing is known of them, and the set goes.
  assert.deepEqual(brief(second), { st: 0, how: [1], names: ['x'], x: 0 });
  const sets = frames.filter((each) => each.set === first.set);
  assert.equal(sets.length, 1);
});

test('a full ring is told frame by frame; all of them come in order once their results do', async () => {
  const device = await newDevice();
  for (let i = 0; i < 12; i++) paint(device, pass('x'));
  animationFrame();
  let context = latest();
  assert.equal(context.frames.length, 0);
  device.answer();
  await settle(2);
  context = latest();
  assert.deepEqual(context.frames.map(({ n }) => n), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(context.skips.map(({ n, why }) => [n, why]), [[9, 'full'], [10, 'full'], [11, 'full'], [12, 'full']]);
});

test('maps that fail, and maps that come late', async () => {
  const device = await newDevice();
  await frame(device, pass('x'), { error: new Error('no') });
  await settle(3);
  paint(device, pass('x'));
  paint(device, pass('x'));
  animationFrame();
  device.answer({ count: 0 });
  const [second] = device.maps.splice(0, 1); // the older one is answered last
  device.answer();
  await settle(2);
  device.maps.push(second);
  device.answer();
  await settle(2);
  const { frames } = latest();
  assert.deepEqual(frames.map(({ n, st, t }) => [n, st, t.length]), [[1, 2, 0], [2, 0, 4], [3, 0, 4]]);
  assert.ok(log.notes.some((note) => /readback failed/.test(note)));
});

test('a lost device: what is under way is lost, and said once; the device is let go', async () => {
  const device = await newDevice();
  await frame(device, pass('x'));
  paint(device, pass('x'));
  paint(device, pass('x'));
  device.lose();
  device.answer({ error: new Error('AbortError') });
  await settle(5);
  const { frames, events } = latest();
  assert.deepEqual(frames.map(({ st }) => st), [0, 1, 1]);
  assert.deepEqual(events, ['lost', 'gone']);
  const count = log.contexts.length;
  await frame(device, pass('x'));
  flush();
  assert.equal(log.contexts.length, count);
});

const stampsOf = (device, count) => {
  const querySet = device.createQuerySet({ type: 'timestamp', count });
  return (begin, end = begin + 1) => Object.freeze({ querySet, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end });
};

test('passes with the page\'s own stamps keep them, and are read all the same', async () => {
  const device = await newDevice();
  device.gapNs = 7n;
  const own = stampsOf(device, 64);
  const backwards = stampsOf(device, 8);
  for (let i = 0; i < 12; i++) {
    await frame(device, (encoder) => {
      encoder.beginComputePass({ label: 'own', timestampWrites: own(40) }).end();
      encoder.beginComputePass({ label: 'ours' }).end();
      encoder.beginComputePass({ label: 'backwards', timestampWrites: backwards(7, 1) }).end();
    });
  }
  assert.ok(device.passes.filter(({ descriptor }) => descriptor.label !== 'ours').every(({ descriptor, writes }) => writes === descriptor.timestampWrites));
  const { frames } = latest();
  assert.equal(frames.length, 12);
  for (const { passes } of frames) {
    const [first, second, third] = passes;
    assert.ok(passes.every(({ isRefused, begin, end }) => !isRefused && end - begin === device.passNs));
    assert.ok(second.begin >= first.end + 7n && third.begin >= second.end + 7n);
  }
  assert.deepEqual(device.uncaptured, []);
  assert.equal(device.scopes.length, 0);
});

test('several submits a frame may use a slot again; several passes of one submit may not', async () => {
  const device = await newDevice();
  const own = stampsOf(device, 2);
  for (let i = 0; i < 3; i++) {
    requestAnimationFrame(() => {
      for (const label of ['a', 'b']) {
        const encoder = device.createCommandEncoder();
        encoder.beginComputePass({ label, timestampWrites: own(0) }).end();
        device.queue.submit([encoder.finish()]);
      }
      const encoder = device.createCommandEncoder();
      for (const label of ['c', 'd']) encoder.beginComputePass({ label, timestampWrites: own(0) }).end();
      device.queue.submit([encoder.finish()]);
    });
    animationFrame();
    animationFrame();
    device.answer();
    await settle(1);
  }
  const { frames } = latest();
  assert.equal(frames.length, 3);
  for (const { passes: [a, b, c, d] } of frames) {
    assert.ok(a.end - a.begin === device.passNs && b.end - b.begin === device.passNs && a.end < b.begin);
    assert.ok(c.isRefused && d.isRefused);
  }
});

test('a pass beyond the pairs writes too: what shares its slots has no figure that is another\'s', async () => {
  const device = await newDevice();
  const own = stampsOf(device, 4);
  for (let i = 0; i < 2; i++) {
    await frame(device, (encoder) => {
      encoder.beginComputePass({ label: 'own', timestampWrites: own(0) }).end();
      encoder.beginComputePass({ label: 'alone', timestampWrites: own(2) }).end();
      for (let k = 0; k < 40 && i === 0; k++) encoder.beginComputePass({ label: 'op' }).end();
      encoder.beginComputePass({ label: 'same slots', timestampWrites: own(0) }).end();
    });
  }
  const [{ passes, x }] = latest().frames;
  assert.deepEqual([passes.length, x], [32, 11]);
  assert.deepEqual(passes.slice(0, 2).map(({ isRefused }) => isRefused), [true, false]);
});

test('a pass of the page that did not run has no stamps of an older frame; half a pair is refused', async () => {
  const device = await newDevice();
  const own = stampsOf(device, 4);
  const { stamp } = Device.prototype;
  for (let i = 0; i < 10; i++) {
    const half = own(2);
    device.stamp = (set, begin, end) => (begin === 0 && i % 2 === 1 ? undefined : stamp.call(device, set, begin, end));
    await frame(device, (encoder) => {
      encoder.beginComputePass({ label: 'own', timestampWrites: own(0) }).end();
      encoder.beginComputePass({ label: 'half', timestampWrites: { ...half, endOfPassWriteIndex: '3' } }).end();
    });
  }
  const { frames } = latest();
  assert.equal(frames.length, 10);
  frames.forEach(({ passes: [first, half] }, i) => {
    // Where our own slot did not run either, its pair rests: see above.
    if (first.isRefused) return assert.ok(i > 1);
    assert.ok(half.isRefused);
    assert.equal(first.begin !== 0n && first.end - first.begin === device.passNs, i % 2 === 0);
    return assert.equal(first.begin === 0n, i % 2 === 1);
  });
});

test('without the feature: CPU times of passes and of the submission, and why', async () => {
  const device = await newDevice([]);
  await frame(device, (encoder) => {
    encoder.beginRenderPass({ label: 'draw', colorAttachments: [] }).end();
    encoder.beginComputePass({ label: 'open' });
  });
  const { about, frames: [only] } = latest();
  assert.equal(about.source, 2);
  assert.match(about.reason, /timestamp-query/);
  assert.deepEqual(only.t, []);
  const [draw, open] = only.passes;
  assert.ok(draw.open >= only.b && draw.close >= draw.open && draw.close <= only.e);
  assert.deepEqual([draw.flags, open.flags, open.isRefused], [0, 64, false]);
  assert.ok(only.cb > 0 && only.ce >= only.cb);
});

for (const count of [300, 5000]) {
  test(`${count} passes a frame: sets grow until they have a pair each, at most 1,024`, async () => {
    const device = await newDevice();
    device.passNs = 20n;
    device.gapNs = 1n;
    const most = Math.min(count, 1024);
    for (let i = 0; i < 12; i++) {
      await frame(device, (encoder) => {
        for (let k = 0; k < count; k++) encoder.beginComputePass({ label: 'op' }).end();
      });
    }
    const { frames } = latest();
    assert.deepEqual([frames[0].passes.length, frames[0].x], [32, count - 32]);
    const last = frames.at(-1);
    assert.deepEqual([last.passes.length, last.x ?? 0, last.t.length], [most, count - most, 4 * most]);
    assert.ok(last.passes.every(({ begin, end }) => end - begin === 20n));
  });
}

test('a stamp that repeats the slot\'s last one: its pair is not used again, and the sets are renewed', async () => {
  const device = await newDevice();
  const { stamp } = Device.prototype;
  for (let i = 0; i < 40; i++) {
    device.stamp = i === 8 ? () => {} : stamp; // this pass never ran, or runs after its resolve
    await frame(device, pass('x'));
  }
  const { frames } = latest();
  const stale = frames[8];
  assert.equal(stale.passes[0].begin, frames[0].passes[0].begin);
  assert.equal(frames[0].set, stale.set);
  const after = frames.slice(9).filter((each) => each.set === stale.set);
  assert.ok(after.length > 0 && after.every((each) => each.passes[0].isRefused && each.t.length === 0));
  const again = frames.slice(9).filter((each) => !each.passes[0].isRefused);
  assert.ok(again.length >= 26 && again.every((each) => each.passes[0].end - each.passes[0].begin === device.passNs));
});

test('query sets that can\'t be made: what there is goes on, and it is said', async () => {
  const device = await newDevice();
  device.failSetsAbove = 64;
  for (let i = 0; i < 4; i++) {
    await frame(device, (encoder) => {
      for (let k = 0; k < 50; k++) encoder.beginComputePass({ label: 'op' }).end();
    });
  }
  const { frames } = latest();
  assert.deepEqual(brief(frames.at(-1)).x, 18);
  assert.ok(log.notes.some((note) => /no room/.test(note)));
});

test('a device from before the hooks is told of as late', async () => {
  await frame(early, pass('x'));
  await frame(early, pass('x'));
  latest();
  assert.equal(log.hello.webgpu, 'late');
  assert.match(log.hello.text, /1 device was made before the hooks/);
});

test('passes of an encoder that was made past the hooks are said to be missing', async () => {
  const device = await newDevice();
  await frame(device, pass('x'));
  createCommandEncoder.call(device).beginComputePass({ label: 'hidden' });
  latest();
  assert.equal(log.hello.webgpu, 'late');
  assert.match(log.hello.text, /past the hooks are missing/);
});

test('animation frames are counted while the page asks for them, and only then', async () => {
  flush();
  const before = log.animationFrames;
  for (let i = 0; i < 10; i++) {
    requestAnimationFrame(() => {});
    requestAnimationFrame(() => {});
    animationFrame();
  }
  flush();
  assert.equal(log.animationFrames - before, 10);
  for (let i = 0; i < 10; i++) animationFrame();
  flush();
  assert.ok(log.animationFrames - before <= 10 && callbacks.length === 0);
});

test('messages are gathered: no more than one call for 16 frames', async () => {
  const device = await newDevice();
  flush();
  const before = log.calls;
  for (let i = 0; i < 64; i++) await frame(device, pass('x'));
  flush();
  assert.equal(latest().frames.length, 64);
  const calls = log.calls - before;
  assert.ok(calls >= 4 && calls <= 64, `${calls} calls`); // more often only by time
});

test('devices that the page drops are let go, and told of', async () => {
  const from = log.contexts.length;
  await (async () => {
    for (let i = 0; i < 20; i++) await frame(await newDevice(), pass('x'));
  })();
  const ended = () => log.contexts.slice(from).filter(({ events }) => events.includes('gone')).length;
  for (let tries = 0; tries < 200 && ended() < 15; tries++) {
    gc();
    await settle(1);
    flush();
  }
  assert.ok(ended() >= 15, `${ended()} of 20`);
});

test('10^5 frames: the memory stays flat', async (t) => {
  const device = await newDevice();
  device.passNs = 20n;
  device.gapNs = 1n;
  log.keep = false;
  const run = async (frames) => {
    for (let i = 0; i < frames; i++) {
      paint(device, pass('x'));
      device.passes.length = 0;
      if (i % 4 === 3) {
        device.answer();
        await null;
        await null;
        await null;
      }
    }
    flush();
    gc();
    return process.memoryUsage().heapUsed;
  };
  const before = await run(10000);
  const now = await run(90000);
  const { last, skips } = latest();
  t.diagnostic(`${last} frames, ${skips.length} skips, ${((now - before) / 1e6).toFixed(1)} MB more`);
  assert.ok(last >= 100000 - 1 && skips.length < 100);
  assert.ok(now - before < 16e6, `${now - before} bytes more`);
});
