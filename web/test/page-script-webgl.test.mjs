// SPDX-License-Identifier: MIT
// The script that `passtime page` injects, on a scripted WebGL; and its core alone, where the hooks do not reach.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { animationFrame, errorsOf, FakeCanvas, install, lose, restore, tellLost, world } from './fake-webgl.mjs';
import { RealmLog } from './page-messages.mjs';

install();
const { pageBundle } = await import('../page-bundle.mjs');
const BINDING = 'passtime_4567';
const FRAMEBUFFER = 0x8d40;
const log = new RealmLog();
globalThis[BINDING] = log.receive;
(0, eval)(`${await pageBundle()}({"binding":"${BINDING}"})`);
const flush = globalThis[Symbol.for(BINDING)];

function context(kind = 'webgl2', options = {}) {
  return new FakeCanvas().getContext(kind, options);
}

/** Renders by `draw` in animation frames, then lets results come; gives what was told of the newest context. */
async function run(draw, count = 1) {
  for (let i = 0; i < count + 7; i++) {
    requestAnimationFrame(() => {
      if (i < count) draw(i);
    });
    await animationFrame();
  }
  flush();
  return log.contexts.at(-1);
}

const passesOf = (frame) => frame.passes.map(({ name, begin, isThere, isRefused }) => [name, isRefused ? 'refused' : isThere, Number(begin ?? 0) / 1000]);

after(() => assert.deepEqual(log.notes.filter((note) => /fault/.test(note)), []));

for (const [kind, api] of [['webgl', 'webgl'], ['webgl2', 'webgl2']]) {
  test(`${kind}: every pass with its duration`, async () => {
    const gl = context(kind);
    const other = gl.createFramebuffer();
    const { about, frames, skips } = await run(() => {
      gl.drawArrays(4, 0, 100);
      gl.bindFramebuffer(FRAMEBUFFER, other);
      gl.drawArrays(4, 0, 50);
      gl.bindFramebuffer(FRAMEBUFFER, null);
    }, 3);
    assert.deepEqual([about.api, about.source, about.bits, about.unverified], [api, 1, 64, true]);
    assert.deepEqual(about.adapter, { name: 'Fake GPU', driver: null, kind: null, software: false });
    assert.deepEqual([frames.length, skips.length], [3, 0]);
    for (const frame of frames) {
      assert.deepEqual(passesOf(frame), [['canvas', true, 100], ['framebuffer 1', true, 50]]);
      assert.deepEqual([frame.set, frame.r.length, frame.r[0][2]], [0, 1, 1]);
      assert.ok(frame.passes.every(({ open, close }) => open > 0 && close >= open));
    }
    assert.deepEqual(errorsOf(gl), []);
  });
}

test('a disturbed clock voids the frames under way, and no others', async () => {
  const gl = context();
  const { frames } = await run((i) => {
    gl.drawArrays(4, 0, 10);
    if (i === 6) world.disjoint = true;
  }, 12);
  const voided = frames.filter(({ st }) => st === 3).map(({ n }) => n);
  assert.ok(voided.length > 0 && voided.length < 6 && voided.includes(7), `${voided}`);
  assert.ok(frames.every(({ st, n }) => st === (voided.includes(n) ? 3 : 0)));
});

test('the page\'s own query: what is drawn meanwhile is refused', async () => {
  const gl = context();
  gl.getExtension('EXT_disjoint_timer_query_webgl2');
  const query = gl.createQuery();
  const { frames } = await run(() => {
    gl.beginQuery(0x88bf, query);
    gl.drawArrays(4, 0, 10);
    gl.endQuery(0x88bf);
  });
  assert.deepEqual(passesOf(frames[0]), [['canvas', 'refused', 0]]);
});

test('lost and restored', async () => {
  const gl = context();
  await run(() => gl.drawArrays(4, 0, 10), 2);
  await run((i) => {
    gl.drawArrays(4, 0, 10);
    if (i === 1) lose(gl);
    gl.drawArrays(4, 0, 10);
  }, 3);
  await tellLost(gl);
  restore(gl);
  const { frames, events } = await run(() => gl.drawArrays(4, 0, 10));
  assert.deepEqual(events, ['lost', 'restored']);
  assert.deepEqual([frames[0].st, frames.at(-1).st], [0, 0]);
  assert.ok(frames.some(({ st }) => st === 1));
  assert.deepEqual(errorsOf(gl), []);
});

test('without the extension: CPU times, and why', async () => {
  const gl = context('webgl', { noTimer: true });
  const { about, frames } = await run(() => {
    gl.drawArrays(4, 0, 10);
    world.cpuMs += 1;
  });
  assert.equal(about.source, 2);
  assert.match(about.reason, /no EXT_disjoint_timer_query/);
  const [{ open, close }] = frames[0].passes;
  assert.equal(close - open, 1e6);
});

test('5,000 passes in one frame: 1,024 have queries, the others are counted', async () => {
  const gl = context();
  const other = gl.createFramebuffer();
  const { frames } = await run((i) => {
    for (let pass = 0; pass < (i === 1 ? 5000 : 3); pass++) {
      gl.bindFramebuffer(FRAMEBUFFER, pass % 2 ? null : other);
      gl.drawArrays(4, 0, 1);
    }
    gl.bindFramebuffer(FRAMEBUFFER, null);
  }, 3);
  assert.deepEqual(frames.map(({ passes, x = 0 }) => [passes.length, x]), [[3, 0], [1024, 3976], [3, 0]]);
  assert.ok(frames[1].passes.every(({ begin }) => begin === 1000n));
});

test('multiview is said, once', async () => {
  const gl = context();
  await run(() => gl.drawArrays(4, 0, 10));
  gl.getExtension('OVR_multiview2').framebufferTextureMultiviewOVR(FRAMEBUFFER, 0x8ce0, null, 0, 0, 2);
  await run(() => gl.drawArrays(4, 0, 10), 3);
  assert.equal(log.notes.filter((note) => /multiview/.test(note)).length, 1);
});

// The core alone ------------------------------------------------------------------------------

const { connect, Context, FLAG, SOURCE, STATUS } = await import('../src/page/core.js');
const { Sender } = await import('../src/page/sender.js');

/** A context whose messages are read. */
function alone(options, limits) {
  const told = new RealmLog();
  told.take({ k: 'hello', v: 1, url: '', kind: 'page', origin_ms: 0, webgpu: 'hooked', webgl: 'hooked', text: '' });
  const sender = new Sender(told.receive, globalThis);
  connect(sender, limits);
  const core = new Context(options);
  core.c = 1;
  core.announce('"api":"webgl2","adapter":{"name":null,"driver":null,"kind":null,"software":false},"name":"x","reason":""');
  return {
    core,
    frames() {
      sender.flush();
      return told.contexts[0].frames;
    },
    told,
  };
}

test('passes measured in pieces have their children\'s time in them; what the counter can\'t hold is its most', () => {
  const { core, frames } = alone({ source: SOURCE.elapsed, flags: FLAG.exclusive | FLAG.unverified | (32 << 8) });
  for (const [n, durations] of [[1, [5, 7, 2 ** 31, 3]], [2, [2 ** 32 - 2, 7, 11, 3]]]) {
    const rec = core.frameBegin(n, 1e9);
    for (const [i, name] of ['a', 'b', 'c'].entries()) assert.equal(core.open(rec, core.nameOf(rec, name), 1e9), i);
    for (let i = 0; i < 3; i++) core.close(rec, 2e9);
    core.close(rec, 2e9); // one too many
    core.open(rec, core.nameOf(rec, 'd'), 2e9);
    core.close(rec, 2e9);
    core.submitted(rec, 2e9);
    core.frameEnd(n, 2e9);
    const entry = core.toResolve();
    durations.forEach((ns, pair) => {
      core.ticksAt(entry)[4 * pair] = ns;
      core.availableAt(entry)[2 * pair] = core.availableAt(entry)[2 * pair + 1] = 1;
    });
    core.results(entry, core.lifeOf(entry), STATUS.ok, 3e9);
  }
  assert.deepEqual(frames().map(({ passes }) => passes.map(({ begin, parent }) => [Number(begin), parent])), [
    [[2 ** 31 + 12, -1], [2 ** 31 + 7, 0], [2 ** 31, 1], [3, -1]],
    [[2 ** 32 - 1, -1], [18, 0], [11, 1], [3, -1]],
  ]);
});

test('a pass that is never closed is not read; one beyond the pairs is counted, with what is in it', () => {
  const { core, frames } = alone({ source: SOURCE.elapsed, flags: FLAG.exclusive }, { maxPasses: 2 });
  const rec = core.frameBegin(1, 1e9);
  core.open(rec, core.nameOf(rec, 'open'), 1e9);
  core.open(rec, core.nameOf(rec, 'closed'), 1e9);
  assert.equal(core.open(rec, core.nameOf(rec, 'surplus'), 1e9), -1);
  assert.equal(core.open(rec, core.nameOf(rec, 'surplus'), 1e9), -1);
  for (let i = 0; i < 3; i++) core.close(rec, 1e9);
  core.submitted(rec, 1e9);
  core.frameEnd(1, 1e9);
  const entry = core.toResolve();
  core.availableAt(entry).fill(1);
  core.results(entry, core.lifeOf(entry), STATUS.ok, 3e9);
  const [{ passes, x }] = frames();
  assert.deepEqual([passes.map(({ close }) => close > 0), x], [[false, true], 2]);
});

test('results that never come: the frame goes out after ten seconds, and a late answer finds nobody', () => {
  const { core, frames } = alone({ source: SOURCE.elapsed, flags: FLAG.exclusive });
  const rec = core.frameBegin(1, 1e9);
  core.pass(rec, core.nameOf(rec, 'x'));
  core.submitted(rec, 1e9);
  core.frameEnd(1, 1e9);
  const entry = core.toResolve();
  const life = core.lifeOf(entry);
  core.collect(2e9);
  core.collect(11e9);
  assert.equal(frames().length, 0);
  core.collect(12.1e9);
  assert.deepEqual(frames().map(({ st, t }) => [st, t]), [[STATUS.timedOut, []]]);
  assert.equal(core.results(entry, life, STATUS.ok, 13e9), false);
});

test('a recorder that is never finished holds frames back, but not for ever, and its place rests until it is', () => {
  const { core, frames } = alone({ source: SOURCE.elapsed, flags: FLAG.exclusive }, { framesInFlight: 2 });
  const stuck = core.frameBegin(1, 1e9);
  core.frameEnd(1, 1e9);
  for (let n = 2; n < 600; n++) {
    const rec = core.frameBegin(n, n * 1e9);
    core.submitted(rec, n * 1e9);
    core.frameEnd(n, n * 1e9);
    if (n === 400) assert.equal(frames().length, 0);
  }
  const told = frames();
  assert.ok(told.length > 512);
  assert.deepEqual(told[0].r.map((each) => each[2]), [2]);
  assert.equal(core.entryOf(stuck), 0);
  assert.equal(core.entryOf(core.frameBegin(600, 6e11)), 1);
  assert.equal(core.frameBegin(601, 6e11), 0); // The other one is not free yet.
  core.submitted(stuck, 6e11);
  assert.equal(core.entryOf(core.frameBegin(602, 6e11)), 0);
});
