// SPDX-License-Identifier: MIT
// Timer and hooks on a real WebGPU without a browser: Dawn on SwiftShader, rounded and not.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';

const ICD = '/usr/lib/chromium/vk_swiftshader_icd.json';
process.env.VK_ICD_FILENAMES ??= ICD;
process.env.VK_DRIVER_FILES ??= process.env.VK_ICD_FILENAMES;
const skip = existsSync(process.env.VK_ICD_FILENAMES) ? false : `${process.env.VK_ICD_FILENAMES} is not there`;

const { create, globals } = await import('webgpu');
Object.assign(globalThis, globals);
const { Passtime } = await import('../dist/passtime.js');
const LOOPS = [64, 1024, 16384];
const SHADER = `
override loops: u32 = 64;
@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x;
  for (var i = 0u; i < loops; i++) { x = x * 1664525u + 1013904223u; }
  cells[id.x] = x;
}`;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Dawn ends with its `gpu`, and keeps the process alive while devices are there. */
const kept = [];
after(() => {
  for (const { device } of kept) device.destroy();
  setTimeout(() => process.exit(), 500).unref();
});

/** A device with passes of known order; `draw` encodes them. */
async function scene({ quantized = false, descriptor, auto = false } = {}) {
  const gpu = create(quantized ? [] : ['disable-dawn-features=timestamp_quantization']);
  const adapter = await gpu.requestAdapter();
  const device = await adapter.requestDevice(descriptor);
  kept.push({ gpu, device });
  const errors = [];
  device.addEventListener('uncapturederror', (event) => errors.push(event.error.message));
  const module = device.createShaderModule({ code: SHADER });
  const buffer = device.createBuffer({ size: 65536, usage: GPUBufferUsage.STORAGE });
  const passes = LOOPS.map((loops) => {
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, constants: { loops } } });
    const entries = [{ binding: 0, resource: { buffer } }];
    return { name: `loops ${loops}`, pipeline, group: device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }) };
  });
  const draw = (writesOf) => {
    const encoder = device.createCommandEncoder();
    for (const { name, pipeline, group } of passes) {
      const pass = encoder.beginComputePass(auto ? { label: name } : { timestampWrites: writesOf(name) });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(4);
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
    return device.queue.onSubmittedWorkDone();
  };
  return { gpu, device, errors, draw };
}

const timestamps = { requiredFeatures: ['timestamp-query'] };

test('stamps are good, in order, and more work takes longer', { skip }, async () => {
  const { device, errors, draw } = await scene({ descriptor: timestamps });
  const timer = await Passtime.attach(device);
  const frames = [];
  timer.on('frame', (frame) => frames.push(frame.copy()));
  for (let i = 0; i < 40; i++) {
    const done = draw((name) => timer.pass(name));
    timer.frame();
    await done;
  }
  await pause(50);
  timer.frame();
  const [context] = timer.report().contexts;
  assert.deepEqual(errors, []);
  assert.equal(context.ledger.good + context.ledger.below_resolution, 3 * frames.length);
  assert.ok(frames.length >= 30, JSON.stringify(context.frames));
  for (const { samples } of frames) {
    for (let i = 1; i < 3; i++) assert.ok(samples[i].beginNs >= samples[i - 1].endNs);
  }
  const shortest = context.passes.map((pass) => pass.min_ns);
  assert.ok(shortest[2] > 4 * shortest[1] && shortest[1] > shortest[0], `${shortest}`);
  assert.equal(context.adapter.software, true);
  timer.destroy();
});

test('rounded stamps: the step is found, and single values are not dressed up', { skip }, async () => {
  const { device, errors, draw } = await scene({ quantized: true, descriptor: timestamps });
  const timer = await Passtime.attach(device);
  const durations = [];
  timer.on('frame', (frame) => durations.push(...frame.samples.map((sample) => sample.durationNs)));
  for (let i = 0; i < 150; i++) {
    const done = draw((name) => timer.pass(name));
    timer.frame();
    await done;
  }
  await pause(50);
  timer.frame();
  const [context] = timer.report().contexts;
  assert.deepEqual(errors, []);
  assert.equal(context.clock.quantum_ns, 65536);
  assert.ok(durations.length > 300 && durations.every((ns) => ns % 65536 === 0));
  for (const pass of context.passes.filter(({ flags }) => flags.includes('quantized'))) {
    assert.equal(pass.p50_ns, null);
    assert.ok(pass.mean_ns !== null || pass.below_ns !== null);
    assert.ok(context.warnings.some((warning) => warning.code === 'quantized'));
  }
  timer.destroy();
});

test('a device destroyed with frames in flight', { skip }, async () => {
  const { device, errors, draw } = await scene({ descriptor: timestamps });
  const timer = await Passtime.attach(device);
  for (let i = 0; i < 3; i++) {
    draw((name) => timer.pass(name)).catch(() => {});
    timer.frame();
  }
  device.destroy();
  await device.lost;
  await pause(50);
  const { ledger } = timer.report().contexts[0];
  assert.equal(ledger.device_lost + ledger.good, 9, JSON.stringify(ledger));
  assert.equal(timer.pass('later'), undefined);
  timer.frame();
  assert.equal(timer.status.state, 'lost');
  assert.deepEqual(errors, []);
});

test('the hooks time what the page labels, and its device is the one it asked for', { skip }, async () => {
  Passtime.auto();
  const { device, errors, draw } = await scene({ auto: true, descriptor: Object.freeze({ label: 'the page' }) });
  assert.equal(device.label, 'the page');
  await pause(30);
  for (let i = 0; i < 20; i++) {
    await draw();
    await pause(4);
  }
  await pause(400);
  const timer = Passtime.timers.find((found) => found.engine.device === device);
  const [context] = timer.report().contexts;
  assert.deepEqual(context.passes.map((pass) => pass.name), LOOPS.map((loops) => `loops ${loops}`));
  assert.ok(context.passes.every((pass) => pass.count >= 15), JSON.stringify(context.frames));
  assert.deepEqual(errors, []);
  assert.equal(Passtime.status.errorCount, 0, Passtime.status.errors.join('\n'));
});

test('a group holds all of its passes: the end is the last one\'s, written anew by each', { skip }, async () => {
  Passtime.auto({ group: 1e6 }); // every pass is short against a second
  const { device, errors, draw } = await scene({ auto: true });
  await pause(30);
  const timer = Passtime.timers.find((found) => found.engine.device === device);
  const group = () => timer.report().contexts[0].passes.find((pass) => pass.name === 'loops 64 … loops 16384 (3 passes)');
  for (let i = 0; i < 600 && !(group()?.count >= 20); i++) {
    await draw();
    await pause(2);
  }
  const passes = timer.report().contexts[0].passes;
  assert.deepEqual(errors, []);
  assert.ok(group()?.count >= 20, JSON.stringify(passes.map(({ name, count }) => [name, count])));
  assert.deepEqual(passes.slice(0, 3).map((pass) => pass.name), LOOPS.map((loops) => `loops ${loops}`));
  assert.ok(group().min_ns >= 0.8 * passes[2].min_ns, `${group().min_ns} against ${passes[2].min_ns}, its longest alone`);
  assert.deepEqual(group().rejected, {});
  assert.equal(Passtime.status.errorCount, 0, Passtime.status.errors.join('\n'));
  timer.destroy();
});
