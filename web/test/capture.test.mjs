// SPDX-License-Identifier: MIT
// Captures written in JavaScript's world: what is in the file, held against C's writer and readers.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Device, settle } from './fake-gpu.mjs';
import { FakeCanvas, install, nextTask } from './fake-webgl.mjs';
import { missingPerfetto, missingPrograms, readByPerfetto, reportOf, run } from './programs.mjs';

install();
const { Passtime } = await import('../dist/passtime.js');
const { figuresOf } = await import('../dist/capture.js');

const folder = mkdtempSync(join(tmpdir(), 'passtime-capture-'));
after(() => rmSync(folder, { recursive: true }));
const needs = { skip: missingPrograms ?? false };
process.on('unhandledRejection', (error) => {
  throw error;
});

/** One frame of passes named in order, within a scope where `scope` names one; its results are back. */
async function frame(device, timer, names, { scope = '', submit = true } = {}) {
  const encoder = device.createCommandEncoder();
  const passes = () => names.forEach((name) => encoder.beginComputePass({ timestampWrites: timer.pass(name) }).end());
  if (scope) timer.scope(scope, passes);
  else passes();
  const commands = encoder.finish();
  if (submit) device.queue.submit([commands]);
  timer.frame();
  device.answer();
  await settle(0);
}

let files = 0;
async function save(capture) {
  const path = join(folder, `${++files}.perfetto-trace`);
  writeFileSync(path, Buffer.from(await (await capture.stop()).arrayBuffer()));
  return path;
}

/** Frames with scopes, a nested one, odd names, and some that are rejected. */
async function drawMany(device, timer, frames) {
  const odd = ['quote " and \\', 'tab\tand\nline', '\ud800 broken', 'ünï 🎨', 'x'.repeat(200)];
  for (let i = 0; i < frames; i++) {
    device.passNs = BigInt(1000 + 7 * (i % 5));
    await frame(device, timer, ['shadow', 'light', odd[i % odd.length], 'shadow'], { scope: i % 3 ? 'scene' : '', submit: i % 10 !== 9 });
  }
}

// Against C ---------------------------------------------------------------------------------

/** The same records and figures, for the C library; see tests/capture/replay_records.c. */
function recordsOf(capture, figures) {
  const parts = [];
  const u32 = (value) => parts.push(new Uint8Array(Uint32Array.of(value).buffer));
  const sized = (bytes) => {
    u32(bytes.length);
    parts.push(bytes);
  };
  const { timer, store, number, api } = capture;
  const { adapter } = timer;
  const records = [...store.records()];
  parts.push(new Uint8Array(Float64Array.of(number, timer.budgetNs, store.eventsLost).buffer));
  u32(adapter.software ? 1 : 0);
  for (const text of [api, adapter.name, adapter.driver, adapter.kind]) sized(Buffer.from(text ?? ''));
  u32(records.length);
  records.forEach(sized);
  u32(figures ? 1 : 0);
  if (figures) {
    parts.push(figures.clock, figures.ledger, ...figures.totals);
    u32(figures.series.length);
    for (const one of figures.series) {
      u32(one ? 1 : 0);
      if (one) parts.push(one);
    }
  }
  return Buffer.concat(parts);
}

/** Stops a capture and demands that C's writer makes the same file of the same frames. */
async function saveAsC(capture) {
  const records = join(folder, 'records');
  const byC = join(folder, 'by-c.perfetto-trace');
  capture.timer.pulse();
  writeFileSync(records, recordsOf(capture, figuresOf(capture.timer.context)));
  const path = await save(capture);
  run('replay_records', records, byC);
  assert.ok(readFileSync(path).equals(readFileSync(byC)), 'the file is not C\'s');
  return path;
}

test('the file is the one that the C library writes of the same frames, byte for byte', needs, async () => {
  const device = new Device();
  device.adapterInfo = { description: 'made up “by hand”' };
  const timer = await Passtime.attach(device, { budgetMs: 0.01 });
  const capture = await timer.capture();
  await drawMany(device, timer, 60);
  assert.equal(capture.frames, 60);
  const path = await saveAsC(capture);
  const { contexts: [context] } = reportOf(path);
  assert.equal(context.adapter.name, 'made up “by hand”');
  assert.equal(context.origin, 'summary');
  timer.destroy();
});

test('also for WebGL, whose passes have no position, and for CPU times', needs, async () => {
  const gl = new FakeCanvas().getContext('webgl2');
  const timer = Passtime.attachWebGL(gl);
  const capture = await timer.capture();
  for (let i = 0; i < 30; i++) {
    for (const name of ['shadow', 'light']) {
      timer.begin(name);
      gl.drawArrays(4, 0, 100 + i);
      timer.end();
    }
    timer.frame();
    await nextTask();
  }
  assert.ok(capture.frames >= 20, `${capture.frames} frames`);
  const path = await saveAsC(capture);
  const [context] = reportOf(path).contexts;
  assert.deepEqual([context.method, context.passes.map((pass) => pass.name)], ['elapsed', ['shadow', 'light']]);
  assert.ok(context.passes[0].count >= 20);
  timer.destroy();

  const device = new Device({ features: [] });
  const onCpu = await Passtime.attach(device);
  const second = await onCpu.capture();
  for (let i = 0; i < 10; i++) {
    onCpu.pass('on the CPU');
    onCpu.end();
    onCpu.frame();
    await settle(0);
  }
  const [cpu] = reportOf(await saveAsC(second)).contexts;
  assert.equal(cpu.method, 'cpu');
  onCpu.destroy();
});

/** The same numbers each time, 0 to below `most`. */
function seeded(seed) {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** A frame to which one of many things happens. */
async function troubled(device, timer, random) {
  const encoder = device.createCommandEncoder();
  const pass = () => encoder.beginComputePass({ timestampWrites: timer.pass(`pass ${random(9)}`) }).end();
  device.passNs = BigInt([0, 1, 1000, 65536, 5_000_000][random(5)]);
  device.gapNs = BigInt([0, 100, 30_000][random(3)]);
  for (let i = random(4); i > 0; i--) timer.scope(`scope ${random(3)}`, () => (random(2) ? timer.scope('inner', pass) : pass()));
  for (let i = random(4); i > 0; i--) pass();
  if (random(6) === 0) {
    const recorder = timer.recorder();
    encoder.beginComputePass({ timestampWrites: recorder.pass('aside') }).end();
    if (random(2)) recorder.submitted();
    else recorder.discarded();
  }
  if (random(10) !== 0) device.queue.submit([encoder.finish()]);
  timer.frame();
  if (random(12) === 0) device.ticks += 1_000_000_000n; // the GPU's clock leaps ahead of what can be
  if (random(8) !== 0) device.answer(random(15) === 0 ? { error: new Error('no map') } : {});
  await settle(0);
}

test('whatever happens to frames, the file is C\'s, and Perfetto takes it', needs, async (t) => {
  const verdicts = {};
  for (let seed = 1; seed <= 6; seed++) {
    const random = seeded(seed);
    const device = new Device();
    const timer = await Passtime.attach(device, { budgetMs: 0.1, framesInFlight: 4 });
    const capture = await timer.capture();
    for (let i = 0; i < 120; i++) await troubled(device, timer, random);
    device.answer();
    await settle(1);
    if (seed % 2) {
      device.lose();
      await settle(1);
    }
    timer.pulse();
    const path = await saveAsC(capture);
    const [context] = reportOf(path).contexts;
    const [live] = timer.report().contexts;
    assert.deepEqual(context.ledger, live.ledger);
    for (const [verdict, count] of Object.entries(live.ledger)) verdicts[verdict] = (verdicts[verdict] ?? 0) + count;
    if (!missingPerfetto) readByPerfetto(path);
    timer.destroy();
  }
  const met = Object.keys(verdicts).filter((verdict) => verdicts[verdict] > 0);
  t.diagnostic(`met: ${met.join(', ')}`);
  assert.ok(met.length >= 5, met.join(', '));
});

test('a frame of 5,000 passes, and more names than a file keeps at a time', needs, async () => {
  const device = new Device();
  const timer = await Passtime.attach(device, { maxPasses: 5000 });
  const names = Array.from({ length: 5000 }, (_, i) => `pass number ${i % 900} of a long name, so that it takes its room`);
  const capture = await timer.capture();
  let frames = 0;
  for (; frames < 60 && !(timer.report().contexts[0].ledger.good >= 6000); frames++) { // query sets grow to the need
    await frame(device, timer, names);
    await settle(1);
  }
  assert.equal(capture.frames, frames);
  const path = await saveAsC(capture);
  const [context] = reportOf(path).contexts;
  assert.equal(context.passes.reduce((sum, pass) => sum + pass.count, 0), timer.report().contexts[0].ledger.good);
  assert.ok(context.ledger.good >= 6000, `${context.ledger.good}`);
  timer.destroy();
});

test('names that gave up their place: their frames are in the file, and others\' parents are right', needs, async () => {
  const device = new Device();
  const timer = await Passtime.attach(device, { maxPasses: 4 }); // the core keeps 512 names, unused ones for 1,024 frames
  const capture = await timer.capture();
  for (let i = 0; i < 1900; i++) await frame(device, timer, [`early ${i}`, 'always'], { scope: `scope ${i >> 9}` });
  const figures = figuresOf(timer.context);
  assert.ok(figures.series.some((one) => one === null) || figures.series.length < 1900, 'no name gave up its place');
  const path = await saveAsC(capture);
  const live = timer.report().contexts[0];
  const [context] = reportOf(path).contexts;
  assert.deepEqual(context.passes.map((pass) => [pass.path, pass.count]), live.passes.map((pass) => [pass.path, pass.count]));
  timer.destroy();
});

// What it says ------------------------------------------------------------------------------

/** The command writes nine digits of a number that is not whole. */
function assertSame(actual, expected, what) {
  if (typeof expected !== 'number' || Number.isInteger(expected)) assert.deepEqual(actual, expected, what);
  else assert.ok(Math.abs(actual - expected) <= 1e-8 * Math.abs(expected), `${what}: ${actual} ${expected}`);
}

test('report says of the file what the page said', needs, async () => {
  const device = new Device();
  const timer = await Passtime.attach(device, { budgetMs: 14 });
  const capture = await timer.capture();
  await drawMany(device, timer, 120);
  const live = timer.report().contexts[0];
  const path = await save(capture);
  const [context] = reportOf(path).contexts;
  for (const part of ['passes', 'scopes']) {
    for (const [i, pass] of live[part].entries()) {
      for (const [key, value] of Object.entries(pass)) {
        assertSame(context[part][i][key], value, `${pass.path} ${key}`);
      }
    }
  }
  assert.deepEqual(context.ledger, live.ledger);
  for (const [key, value] of Object.entries(live.clock)) assertSame(context.clock[key], value, key);
  assert.equal(context.frames.complete, live.frames.complete);
  const one = run('passtime', 'report', '--frame', '7', path);
  assert.match(one, /^frame 7: complete/);
  assert.match(one, /shadow +1\.0\d\d µs/);
  timer.destroy();
});

test('Perfetto\'s own classes read it', { skip: missingPerfetto ?? false }, async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const capture = await timer.capture();
  await drawMany(device, timer, 60);
  const path = await save(capture);
  const { ledger } = timer.report().contexts[0];
  assert.ok(ledger.good > 100 && ledger.stale >= 10, JSON.stringify(ledger));
  assert.match(readByPerfetto(path), new RegExp(`: 60 frames, ${ledger.good} slices`));
  timer.destroy();
});

test('the newest frames are kept within the limits; what fell out is counted in the file', needs, async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const names = Array.from({ length: 300 }, (_, i) => `pass ${i}`);
  const capture = await timer.capture({ megabytes: 1 });
  const events = [];
  timer.on('frame', ({ sampleCount, scopeCount }) => events.push(1 + sampleCount + scopeCount));
  for (let i = 0; i < 60; i++) await frame(device, timer, names);
  const { frames, framesLost, bytes } = capture;
  assert.equal(frames + framesLost, 60);
  assert.ok(framesLost >= 20 && frames >= 10, `${frames} kept, ${framesLost} let go`);
  assert.ok(bytes <= 1e6 && capture.store.taken <= 1e6, `${bytes}`);
  const path = await saveAsC(capture);
  const [context] = reportOf(path).contexts;
  assert.equal(context.frames.complete + context.frames.incomplete, 60, 'the summary counts all');
  const warning = context.warnings.find(({ code }) => code === 'events_lost');
  const lost = events.slice(0, framesLost).reduce((sum, count) => sum + count, 0);
  assert.match(warning.text, new RegExp(`^${lost} events had no room`));
  assert.match(run('passtime', 'report', '--frame', '60', path), /^frame 60: complete/);
  assert.throws(() => run('passtime', 'report', '--frame', '1', path));
  timer.destroy();
});

test('by time: no frame is kept that began longer ago than asked for', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const capture = await timer.capture({ seconds: 0.05 });
  const begun = [];
  timer.on('frame', (each) => begun.push(each.cpuBeginNs));
  for (let i = 0; i < 40; i++) {
    await frame(device, timer, ['a']);
    await settle(1);
    const newest = Math.max(...begun);
    assert.equal(capture.frames, begun.filter((ns) => newest - ns <= 5e7).length);
  }
  assert.equal(capture.frames + capture.framesLost, 40);
  assert.ok(capture.seconds <= 0.05);
  timer.destroy();
});

test('a frame larger than all that may be kept is counted, and the others stay', needs, async () => {
  const device = new Device();
  const timer = await Passtime.attach(device, { maxPasses: 8192 });
  const capture = await timer.capture({ megabytes: 0.5 });
  for (let i = 0; i < 12; i++) { // the first ones get fewer slots than they ask for
    await frame(device, timer, Array(6000).fill('many'));
    await settle(1);
  }
  for (let i = 0; i < 3; i++) await frame(device, timer, ['small']);
  const { frames, framesLost } = capture;
  assert.ok(frames >= 3 && framesLost >= 1, `${frames} kept, ${framesLost} let go`);
  const path = await saveAsC(capture);
  assert.match(reportOf(path).contexts[0].warnings.map(({ code }) => code).join(), /events_lost/);
  timer.destroy();
});

// Trouble -----------------------------------------------------------------------------------

test('off costs nothing: nobody listens before it and after it', async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const listeners = () => timer.engine.listeners.size;
  assert.equal(listeners(), 0);
  const capture = await timer.capture();
  assert.deepEqual([listeners(), capture.running], [1, true]);
  const file = capture.stop();
  assert.equal(capture.stop(), file);
  await file;
  assert.deepEqual([listeners(), capture.running], [0, false]);
  const cancelled = await timer.capture();
  cancelled.cancel();
  assert.equal(listeners(), 0);
  await assert.rejects(cancelled.stop(), /was cancelled/);
  timer.destroy();
});

test('options that make no sense, and a timer that is gone', async () => {
  const timer = await Passtime.attach(new Device());
  for (const options of [{ seconds: 0 }, { seconds: NaN }, { megabytes: -1 }, { megabytes: 1e6 }, { seconds: '5' }]) {
    await assert.rejects(timer.capture(options), RangeError, JSON.stringify(options));
  }
  timer.destroy();
  await assert.rejects(timer.capture(), /timer was destroyed/);
});

test('a timer destroyed while it is captured: the frames are there, and the figures are made anew', needs, async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const capture = await timer.capture();
  for (let i = 0; i < 20; i++) await frame(device, timer, ['a', 'b']);
  timer.destroy();
  const path = await save(capture);
  const [context] = reportOf(path).contexts;
  assert.equal(context.origin, 'events');
  assert.deepEqual(context.passes.map((pass) => [pass.name, pass.count]), [['a', 20], ['b', 20]]);
});

test('frames that come while the file is written are in the next one', needs, async () => {
  const device = new Device();
  const timer = await Passtime.attach(device);
  const first = await timer.capture();
  for (let i = 0; i < 10; i++) await frame(device, timer, ['a']);
  const written = save(first);
  const second = await timer.capture();
  for (let i = 0; i < 5; i++) await frame(device, timer, ['a']);
  assert.equal(first.frames, 10);
  assert.equal(second.frames, 5);
  const both = [await written, await save(second)];
  const joined = join(folder, 'joined.perfetto-trace');
  writeFileSync(joined, Buffer.concat(both.map((path) => readFileSync(path))));
  assert.equal(reportOf(joined).contexts.length, 2);
  timer.destroy();
});

test('a capture without frames is a file all the same', needs, async () => {
  const timer = await Passtime.attach(new Device());
  const path = await saveAsC(await timer.capture());
  assert.equal(reportOf(path).contexts[0].frames.seen, 0);
  timer.destroy();
});
