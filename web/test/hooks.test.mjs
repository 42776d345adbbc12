// SPDX-License-Identifier: MIT
// The hooks on a scripted WebGPU: what the page gets is what it would get without us.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Adapter, CanvasContext, classes, Device, settle, Texture } from './fake-gpu.mjs';

process.on('unhandledRejection', (error) => {
  throw error;
});

// A page's animation frames, by hand. It stands before the module is loaded, as a browser's does.
const callbacks = [];
globalThis.requestAnimationFrame = function requestAnimationFrame(callback) {
  return callbacks.push(callback);
};
function animationFrame() {
  for (const callback of callbacks.splice(0)) callback(performance.now());
}

Object.assign(globalThis, classes);
const natives = { beginRenderPass: classes.GPUCommandEncoder.prototype.beginRenderPass };
const early = new Device(); // made before the hooks
const { Passtime } = await import('../dist/passtime.js');
Passtime.auto();

const timerOf = (device) => Passtime.timers.find((timer) => timer.engine.device === device);
const contextOf = (device) => timerOf(device).report().contexts[0];
const passesOf = (device) => contextOf(device).passes;
const color = (view) => [{ view, loadOp: 'clear', storeOp: 'store' }];

async function newDevice() {
  const device = await new Adapter().requestDevice();
  await settle(1);
  return device;
}

/** One animation frame of the page: `draw` gets an encoder, which is submitted. */
async function frame(device, draw) {
  requestAnimationFrame(() => {
    const encoder = device.createCommandEncoder();
    draw(encoder);
    device.queue.submit([encoder.finish()]);
  });
  animationFrame();
  animationFrame(); // the next one ends it
  device.answer();
  await settle(1);
}

after(() => assert.equal(Passtime.status.errorCount, 0, Passtime.status.errors.join('\n')));

test('the feature is asked for where the adapter has it; the descriptor stays the page\'s', async () => {
  const adapter = new Adapter(['timestamp-query', 'float32-filterable']);
  const descriptor = Object.freeze({ label: 'mine', requiredFeatures: Object.freeze(['float32-filterable']) });
  const device = await adapter.requestDevice(descriptor);
  assert.ok(device.features.has('timestamp-query') && device.features.has('float32-filterable'));
  assert.deepEqual(descriptor.requiredFeatures, ['float32-filterable']);
  const plain = new Adapter([]);
  await plain.requestDevice();
  assert.deepEqual(plain.asked, [[]]);
});

test('where the device is refused with the feature, the page gets what it asked for', async () => {
  const adapter = new Adapter();
  adapter.refuse = (features) => features.includes('timestamp-query');
  const device = await adapter.requestDevice({ requiredFeatures: new Set() });
  assert.ok(!device.features.has('timestamp-query'));
  assert.deepEqual(adapter.asked, [['timestamp-query'], []]);
  await assert.rejects(new Adapter([]).requestDevice({ requiredFeatures: ['nonsense'] }), /unsupported nonsense/);
  function* once() { yield 'timestamp-query'; }
  assert.ok((await new Adapter().requestDevice({ requiredFeatures: once() })).features.has('timestamp-query'));
});

test('a request that the platform refuses anyway is made once, and answered as without us', async () => {
  const adapter = new Adapter();
  await assert.rejects(adapter.requestDevice({ requiredLimits: { maxBindGroups: 99 } }), /refused/);
  assert.deepEqual(adapter.asked, [[]]);
  for (const wrong of [5, 'x', true]) await assert.rejects(adapter.requestDevice(wrong), /a descriptor/); // and does not throw
  const least = { requiredLimits: { maxBindGroups: 4, minUniformBufferOffsetAlignment: 256 } };
  assert.ok((await adapter.requestDevice(least)).features.has('timestamp-query'));
});

test('attachments that can be read once only are the platform\'s to read', async () => {
  const device = await newDevice();
  const view = new Texture({ label: 'gbuffer' }).createView();
  function* once() { yield* color(view); }
  await frame(device, (encoder) => encoder.beginRenderPass({ colorAttachments: once() }).end());
  assert.equal(device.attachments[0].view, view);
  assert.deepEqual(passesOf(device).map((p) => [p.name, p.count]), [['render pass', 1]]);
});

test('a fault in the page\'s own descriptor is the page\'s: it is thrown as without us, and not counted as ours', async () => {
  const device = await newDevice();
  await frame(device, (encoder) => {
    const throwing = { get label() { throw new RangeError('mine'); }, colorAttachments: [] };
    assert.throws(() => encoder.beginRenderPass({ get colorAttachments() { throw new RangeError('mine'); } }), /mine/);
    assert.throws(() => encoder.beginComputePass({ timestampWrites: null }), /timestampWrites/);
    encoder.beginRenderPass({ label: 'after', colorAttachments: [] }).end();
    assert.equal(Passtime.status.errorCount, 0);
    encoder.beginRenderPass(throwing); // this platform does not read the label
    assert.equal(Passtime.status.errorCount, 1);
  });
  Passtime.status.errorCount = 0;
  assert.equal(passesOf(device).find((p) => p.name === 'after').count, 1);
});

test('views have names of their own; those made anew with a counter are one', async () => {
  const device = await newDevice();
  const texture = new Texture({ label: 'pyramid' });
  const mips = [1, 2].map((mip) => texture.createView({ label: `mip ${mip}` }));
  for (let i = 0; i < 70; i++) {
    await frame(device, (encoder) => {
      for (const view of [...mips, texture.createView(), texture.createView({ label: `view ${i}` })]) {
        encoder.beginRenderPass({ colorAttachments: color(view) }).end();
      }
    });
  }
  const counts = Object.fromEntries(passesOf(device).map((p) => [p.name, p.count]));
  assert.deepEqual([counts['mip 1'], counts['mip 2'], counts.pyramid, counts['view #']], [70, 70, 70, 22]);
});

test('passes are timed by their labels; descriptors are neither changed nor kept', async () => {
  const device = await newDevice();
  class Reused {
    colorAttachments = color(new Texture().createView());
    label = 'scene';
  }
  const reused = new Reused();
  const frozen = Object.freeze({ label: 'bloom', colorAttachments: color(new Texture().createView()) });
  for (let i = 0; i < 4; i++) {
    await frame(device, (encoder) => {
      encoder.beginRenderPass(reused).end();
      encoder.beginRenderPass(frozen).end();
      encoder.beginComputePass({ label: 'sim' }).end();
    });
  }
  assert.deepEqual(Object.keys(reused).sort(), ['colorAttachments', 'label']);
  assert.equal(reused.timestampWrites, undefined);
  assert.deepEqual(passesOf(device).map((p) => [p.name, p.count]), [['scene', 4], ['bloom', 4], ['sim', 4]]);
  assert.ok(device.passes.every((pass) => pass.writes));
});

test('a pass with the page\'s own timestampWrites stays the page\'s, and is counted as refused', async () => {
  const device = await newDevice();
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
  const writes = Object.freeze({ querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 });
  await frame(device, (encoder) => {
    encoder.beginComputePass({ label: 'own', timestampWrites: writes }).end();
    encoder.beginComputePass({ label: 'ours' }).end();
    const unlabelled = encoder.beginComputePass({ timestampWrites: writes });
    unlabelled.setPipeline({ label: 'matmul' });
    unlabelled.end();
  });
  assert.equal(device.passes[0].writes, writes);
  const [own, ours, matmul] = passesOf(device);
  assert.deepEqual([own.count, own.rejected], [0, { refused: 1 }]);
  assert.deepEqual([matmul.name, matmul.rejected], ['matmul', { refused: 1 }]);
  assert.equal(ours.count, 1);
  assert.equal(timerOf(device).hooked.timedByApp, 2);
});

test('passes without a label are named by what they draw to and by their pipeline', async () => {
  const device = await newDevice();
  const depth = new Texture({ format: 'depth32float', width: 1024, height: 1024 });
  const canvas = new CanvasContext();
  await frame(device, (encoder) => {
    encoder.beginRenderPass({ colorAttachments: color(new Texture({ width: 640, height: 360 }).createView()) }).end();
    encoder.beginRenderPass({ colorAttachments: color(new Texture({ label: 'gbuffer' }).createView()) }).end();
    encoder.beginRenderPass({ colorAttachments: [], depthStencilAttachment: { view: depth.createView() } }).end();
    const compute = encoder.beginComputePass();
    compute.setPipeline({ label: 'matmul' });
    compute.setPipeline({ label: 'second' });
    compute.end();
    encoder.beginComputePass().end();
    encoder.beginRenderPass({ colorAttachments: color(canvas.getCurrentTexture().createView()) }).end();
    encoder.beginRenderPass({ colorAttachments: color(canvas.getCurrentTexture()) }).end();
  });
  assert.deepEqual(passesOf(device).map((p) => [p.name, p.count]), [['rgba8unorm 640×360', 1], ['gbuffer', 1],
    ['depth32float 1024×1024', 1], ['matmul', 1], ['compute pass', 1], ['canvas', 2]]);
});

test('labels with a counter are one pass; numbers that tell passes apart stay', async () => {
  const device = await newDevice();
  for (let i = 0; i < 70; i++) {
    await frame(device, (encoder) => {
      encoder.beginComputePass({ label: `[${i}|${i % 5}] - MainRenderPass` }).end();
      encoder.beginComputePass({ label: 'mip 1' }).end();
      encoder.beginComputePass({ label: 'mip 2' }).end();
    });
  }
  assert.deepEqual(passesOf(device).map((p) => [p.name, p.count]), [['MainRenderPass', 70], ['mip 1', 70], ['mip 2', 70]]);
});

test('several encoders, submits and devices in one animation frame', async () => {
  const [a, b] = [await newDevice(), await newDevice()];
  requestAnimationFrame(() => {
    for (const device of [a, b, a]) {
      const encoders = [device.createCommandEncoder(), device.createCommandEncoder()];
      encoders.forEach((encoder, i) => encoder.beginComputePass({ label: `e${i}` }).end());
      device.queue.submit(new Set(encoders.map((encoder) => encoder.finish())));
    }
  });
  animationFrame();
  animationFrame();
  for (const device of [a, b]) device.answer();
  await settle(1);
  assert.deepEqual(passesOf(a).map((p) => [p.name, p.count]), [['e0', 2], ['e1', 2]]);
  assert.deepEqual(passesOf(b).map((p) => [p.name, p.count]), [['e0', 1], ['e1', 1]]);
  assert.equal(contextOf(a).frames.complete, 1);
});

test('ours is one resolve, one map and one submit a frame', async () => {
  const device = await newDevice();
  const draw = (encoder) => encoder.beginComputePass({ label: 'x' }).end();
  await frame(device, draw);
  const before = { ...device.calls };
  for (let i = 0; i < 5; i++) await frame(device, draw);
  const { calls } = device;
  assert.deepEqual([calls.resolveQuerySet - before.resolveQuerySet, calls.mapAsync - before.mapAsync,
    calls.submit - before.submit], [5, 5, 10]);
});

test('an encoder submitted frames later belongs to its own frame; one never submitted is discarded', async () => {
  const device = await newDevice();
  let slow;
  await frame(device, (encoder) => {
    slow = device.createCommandEncoder();
    slow.beginComputePass({ label: 'slow' }).end();
    device.createCommandEncoder().beginComputePass({ label: 'dropped' }).end();
    encoder.beginComputePass({ label: 'x' }).end();
  });
  for (let i = 0; i < 3; i++) await frame(device, (encoder) => encoder.beginComputePass({ label: 'x' }).end());
  device.queue.submit([slow.finish()]);
  await settle(260);
  for (let i = 0; i < 12; i++) await frame(device, (encoder) => encoder.beginComputePass({ label: 'x' }).end());
  const of = (name) => passesOf(device).find((p) => p.name === name);
  assert.equal(of('slow').count, 1);
  assert.deepEqual([of('dropped').count, of('dropped').rejected], [0, { discarded: 1 }]);
  assert.equal(of('x').count, 16);
});

test('without animation frames a burst of submits is a frame (BR-47)', async () => {
  const device = await newDevice();
  await settle(350); // the page's last animation frame is long ago
  await new Promise((resolve) => setTimeout(resolve, 700));
  for (let burst = 0; burst < 3; burst++) {
    for (let i = 0; i < 4; i++) {
      const encoder = device.createCommandEncoder();
      encoder.beginComputePass({ label: 'op' }).end();
      device.queue.submit([encoder.finish()]);
    }
    await settle(5);
    device.answer();
    await settle(5);
  }
  assert.equal(contextOf(device).frames.complete, 3);
  assert.equal(passesOf(device)[0].count, 12);
});

test('without the feature passes have CPU times, from begin to end', async () => {
  const device = await new Adapter([]).requestDevice();
  await frame(device, (encoder) => {
    encoder.beginRenderPass({ label: 'draw', colorAttachments: [] }).end();
    encoder.beginComputePass({ label: 'sim' }).end();
  });
  const context = contextOf(device);
  assert.equal(context.method, 'cpu');
  assert.deepEqual(context.passes.map((p) => [p.name, p.source, p.flags]),
    [['draw', 'cpu_record', []], ['sim', 'cpu_record', []], ['(submission)', 'cpu_complete', []]]);
  assert.ok(device.passes.every((pass) => !pass.writes));
});

test('the page\'s own errors come out as without us', async () => {
  const device = await newDevice();
  const encoder = device.createCommandEncoder();
  const message = (call) => {
    try {
      call();
    } catch (error) {
      return error.message;
    }
    return 'none';
  };
  const bad = { label: 'no attachments' };
  assert.equal(message(() => encoder.beginRenderPass(bad)), message(() => natives.beginRenderPass.call(encoder, bad)));
  assert.throws(() => device.queue.submit());
  assert.equal(device.queue.submit.length, 1);
  assert.equal(device.queue.submit.name, 'submit');
  assert.equal(Object.hasOwn(device.queue.submit, 'prototype'), false);
});

test('a getter that needs its own object gets it; where there is a member that is not known, the pass is then not timed', async () => {
  const device = await newDevice();
  class Private {
    #attachments = [];
    get label() { return 'private'; }
    get colorAttachments() { return this.#attachments; }
  }
  await frame(device, (encoder) => encoder.beginRenderPass(new Private()).end());
  assert.equal(device.passes.length, 1);
  assert.equal(device.passes[0].descriptor.timestampWrites, undefined, 'nothing of it is kept');
  assert.ok(device.passes[0].writes);
  assert.deepEqual(passesOf(device)[0].rejected, {});
  await frame(device, (encoder) => encoder.beginRenderPass(Object.assign(new Private(), { ofLaterDays: 1 })).end());
  assert.equal(device.passes.length, 2);
  assert.deepEqual(passesOf(device)[0].rejected, { refused: 1 });
});

test('the platform reads every member that a page gives, also those of later days, and a descriptor within another\'s', async () => {
  const device = await newDevice();
  const seen = [];
  const read = ({ label, colorAttachments, depthStencilAttachment, occlusionQuerySet, maxDrawCount, timestampWrites, ofLaterDays }) =>
    seen.push({ label, colorAttachments, depthStencilAttachment, occlusionQuerySet, maxDrawCount, isTimed: timestampWrites !== undefined, ofLaterDays });
  const page = { label: 'all', colorAttachments: [1], depthStencilAttachment: { view: 2 }, occlusionQuerySet: 3, maxDrawCount: 4 };
  device.onPass = read;
  await frame(device, (encoder) => {
    encoder.beginRenderPass(page).end();
    encoder.beginRenderPass({ ...page, ofLaterDays: 5 }).end();
    const outer = { ...page, get maxDrawCount() { return encoder.beginComputePass({ label: 'inner' }).end() ?? 6; } };
    encoder.beginRenderPass(outer).end();
  });
  device.onPass = null;
  const all = { ...page, isTimed: true, ofLaterDays: undefined };
  const inner = { ...Object.fromEntries(Object.keys(all).map((key) => [key, undefined])), label: 'inner', isTimed: true };
  assert.deepEqual(seen, [all, { ...all, ofLaterDays: 5 }, inner, { ...all, maxDrawCount: 6 }]);
});

test('a lost device ends its frames once, and the next one is timed', async () => {
  const device = await newDevice();
  const draw = (encoder) => encoder.beginComputePass({ label: 'x' }).end();
  for (let i = 0; i < 3; i++) {
    requestAnimationFrame(() => {
      const encoder = device.createCommandEncoder();
      draw(encoder);
      device.queue.submit([encoder.finish()]);
    });
    animationFrame();
  }
  animationFrame();
  device.lose();
  device.answer({ error: new Error('AbortError') });
  await settle(5);
  assert.equal(contextOf(device).ledger.device_lost, 3);
  await frame(device, draw);
  const next = await newDevice();
  await frame(next, draw);
  assert.equal(passesOf(next)[0].count, 1);
});

test('more encoders in a frame than there are recorders: the frame is ended early, nothing is lost', async () => {
  const device = await newDevice();
  device.passNs = 20n;
  device.gapNs = 1n;
  const burst = () => frame(device, () => {
    for (let i = 0; i < 500; i++) {
      const encoder = device.createCommandEncoder();
      encoder.beginComputePass({ label: 'op' }).end();
      device.queue.submit([encoder.finish()]);
    }
  });
  for (let i = 0; i < 12; i++) await burst(); // until the query sets are large enough
  const before = passesOf(device)[0].count;
  await burst();
  assert.equal(passesOf(device)[0].count - before, 500);
});

test('a device from before the hooks is timed by what it has, and the status says so (BR-33)', async () => {
  await frame(early, (encoder) => encoder.beginComputePass({ label: 'x' }).end());
  await frame(early, (encoder) => encoder.beginComputePass({ label: 'x' }).end());
  assert.equal(Passtime.status.state, 'late');
  assert.match(Passtime.status.text, /too late for 1 device/);
  assert.ok(passesOf(early)[0].count >= 1);
});

test('Timer.pass on a hooked device names the next pass', async () => {
  const device = await newDevice();
  const timer = await Passtime.attach(device);
  await frame(device, (encoder) => {
    encoder.beginComputePass({ timestampWrites: timer.pass('by hand') }).end();
    encoder.beginComputePass({ label: 'by label' }).end();
  });
  assert.deepEqual(passesOf(device).map((p) => [p.name, p.count]), [['by hand', 1], ['by label', 1]]);
  assert.equal(Passtime.report().schema, 'passtime.report/1');
});
