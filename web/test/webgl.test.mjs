// SPDX-License-Identifier: MIT
// A WebGL context timed by hand, on a scripted WebGL: cases BR-10, 27 to 31, 34 and 36.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  activeOf, errorsOf, FakeCanvas, install, lose, nextTask, queriesOf, restore, tellLost, world,
} from './fake-webgl.mjs';

install();
const { Passtime } = await import('../dist/passtime.js');

const TIME_ELAPSED = 0x88bf;
const CURRENT_QUERY = 0x8865;
const GPU_DISJOINT = 0x8fbb;
const versions = ['webgl', 'webgl2'];

/** A context of the page, and its timer. */
function make(kind, options = {}, contextOptions = {}) {
  const canvas = new FakeCanvas();
  const gl = canvas.getContext(kind, contextOptions);
  const timer = Passtime.attachWebGL(gl, options);
  const frames = [];
  timer.on('frame', (frame) => frames.push(frame.copy()));
  return { canvas, gl, timer, frames };
}

/** A pass that takes `us` microseconds. */
function pass(gl, timer, name, us) {
  timer.begin(name);
  gl.drawArrays(4, 0, us);
  timer.end();
}

async function settle(timer, tasks = 6) {
  for (let i = 0; i < tasks; i++) {
    await nextTask();
    timer.frame();
  }
}

/** The page's own queries, version 1 and 2 alike. */
function pageQueries(gl) {
  const ext = gl.getExtension('EXT_disjoint_timer_query');
  if (!ext) return gl;
  return {
    createQuery: () => ext.createQueryEXT(),
    deleteQuery: (query) => ext.deleteQueryEXT(query),
    beginQuery: (target, query) => ext.beginQueryEXT(target, query),
    endQuery: (target) => ext.endQueryEXT(target),
    getQuery: (target, name) => ext.getQueryEXT(target, name),
    getQueryParameter: (query, name) => ext.getQueryObjectEXT(query, name),
  };
}

const samplesOf = (frame) => frame.samples.map((s) => [s.name, s.verdict, s.durationNs, s.exclusiveNs]);
const unasked = (gl) => assert.deepEqual(errorsOf(gl), []);

for (const kind of versions) {
  test(`${kind}: passes come back with what they took, in a later task`, async () => {
    const { gl, timer, frames } = make(kind);
    pass(gl, timer, 'a', 100);
    pass(gl, timer, 'b', 250);
    pass(gl, timer, 'a', 50);
    timer.frame();
    for (let i = 0; i < 1000; i++) timer.frame(); // polling in the same task changes nothing
    assert.equal(frames.length, 0);
    await settle(timer);
    assert.deepEqual(samplesOf(frames[0]), [
      ['a', 'good', 100000, 100000], ['b', 'good', 250000, 250000], ['a', 'good', 50000, 50000],
    ]);
    const [context] = timer.report().contexts;
    assert.equal(context.api, kind === 'webgl' ? 'webgl1' : 'webgl2');
    assert.equal(context.method, 'elapsed');
    const a = context.passes.find((p) => p.name === 'a');
    assert.equal(a.count, 2);
    assert.equal(a.total_ns, 150000);
    assert.ok(a.flags.includes('boundary_unverified') && a.flags.includes('no_position'));
    assert.ok(!world.log.some((entry) => entry.getError));
    unasked(gl);
  });

  test(`${kind}: nested passes are split and resumed, never two queries at once`, async () => {
    const { gl, timer, frames } = make(kind);
    timer.begin('parent');
    gl.drawArrays(4, 0, 3000);
    pass(gl, timer, 'child', 2000);
    gl.drawArrays(4, 0, 5000);
    timer.end();
    timer.frame();
    await settle(timer);
    assert.deepEqual(samplesOf(frames[0]), [
      ['parent', 'good', 10000000, 8000000], ['child', 'good', 2000000, 2000000],
    ]);
    assert.equal(frames[0].busyNs, 10000000);
    unasked(gl);
  });

  test(`${kind}: several frames under way, none skipped, queries used again`, async () => {
    const { gl, timer, frames } = make(kind);
    for (let i = 0; i < 200; i++) {
      pass(gl, timer, 'p', 10 + i);
      timer.frame();
      await nextTask();
    }
    const queries = queriesOf(gl).size;
    await settle(timer);
    assert.equal(frames.length, 200);
    frames.forEach((frame, i) => assert.equal(frame.samples[0].durationNs, (10 + i) * 1000));
    assert.ok(queries <= 8, `${queries} queries`);
    assert.equal(timer.report().contexts[0].frames.skipped, 0);
    unasked(gl);
  });

  test(`${kind}: results that never come fill the ring; the frames beyond are counted as skipped`, async () => {
    const { gl, timer } = make(kind);
    world.latency = 1e9;
    for (let i = 0; i < 20; i++) {
      pass(gl, timer, 'p', 10);
      timer.frame();
      await nextTask();
    }
    world.latency = 3;
    const { frames } = timer.report().contexts[0];
    assert.equal(frames.seen, 20);
    assert.equal(frames.skipped_full, 12);
    timer.destroy();
    assert.equal(queriesOf(gl).size, 0);
    unasked(gl);
  });

  test(`${kind}: given up after the time-out, its queries are not used again`, async () => {
    const { gl, timer, frames } = make(kind, { timeoutMs: 30, framesInFlight: 1 });
    world.latency = 1e9;
    pass(gl, timer, 'p', 10);
    timer.frame();
    const late = [...queriesOf(gl)];
    await settle(timer, 12);
    world.latency = 3;
    pass(gl, timer, 'q', 20);
    timer.frame();
    await settle(timer);
    assert.deepEqual(frames.map((f) => f.samples[0].verdict), ['timed out', 'good']);
    assert.equal(late[0].deleted, 1);
    assert.equal(late[0].begins, 1);
    unasked(gl);
  });

  test(`${kind}: a disturbed clock voids what is open and under way, once, for us and for the page`, async () => {
    const { gl, timer, frames } = make(kind);
    const page = pageQueries(gl);
    const pageQuery = page.createQuery();
    assert.equal(gl.getExtension(kind === 'webgl' ? 'EXT_disjoint_timer_query' : 'EXT_disjoint_timer_query_webgl2') !== null, true);
    world.disjoint = false;
    gl.getParameter(GPU_DISJOINT);
    pass(gl, timer, 'p', 10);
    timer.frame();
    await nextTask();
    world.disjoint = true;
    pass(gl, timer, 'p', 10);
    timer.frame(); // reads the flag
    assert.equal(world.disjoint, false);
    assert.equal(gl.getParameter(GPU_DISJOINT), true, 'the page sees what we read');
    assert.equal(gl.getParameter(GPU_DISJOINT), false, 'once');
    await settle(timer);
    pass(gl, timer, 'p', 10);
    timer.frame();
    await nextTask();
    world.disjoint = true;
    assert.equal(gl.getParameter(GPU_DISJOINT), true, 'the page reads first');
    await settle(timer);
    pass(gl, timer, 'p', 10);
    timer.frame();
    await settle(timer);
    pass(gl, timer, 'p', 10);
    world.disjoint = true;
    assert.equal(gl.getParameter(GPU_DISJOINT), true, 'within a frame');
    timer.frame();
    await settle(timer);
    assert.deepEqual(frames.map((f) => f.samples[0].verdict), ['disjoint', 'disjoint', 'disjoint', 'good', 'disjoint']);
    page.deleteQuery(pageQuery);
    unasked(gl);
  });

  test(`${kind}: the page's own query is as without us; what it covers of ours is refused`, async () => {
    const { gl, timer, frames } = make(kind);
    const page = pageQueries(gl);
    if (kind === 'webgl2') gl.getExtension('EXT_disjoint_timer_query_webgl2');
    const query = page.createQuery();
    timer.begin('outer');
    timer.begin('inner');
    assert.equal(page.getQuery(TIME_ELAPSED, CURRENT_QUERY), null, 'ours is not seen');
    gl.drawArrays(4, 0, 10);
    page.beginQuery(TIME_ELAPSED, query);
    assert.equal(page.getQuery(TIME_ELAPSED, CURRENT_QUERY), query);
    gl.drawArrays(4, 0, 500);
    pass(gl, timer, 'covered', 20);
    page.endQuery(TIME_ELAPSED);
    assert.equal(page.getQuery(TIME_ELAPSED, CURRENT_QUERY), null);
    timer.end();
    timer.end();
    pass(gl, timer, 'after', 30);
    timer.frame();
    await settle(timer);
    assert.deepEqual(samplesOf(frames[0]).map(([name, verdict]) => [name, verdict]), [
      ['outer', 'refused'], ['inner', 'refused'], ['covered', 'refused'], ['after', 'good'],
    ]);
    assert.equal(page.getQueryParameter(query, 0x8867), true);
    assert.equal(page.getQueryParameter(query, 0x8866), 520000);
    unasked(gl);
  });

  test(`${kind}: the page's mistakes stay mistakes, and ours goes on`, async () => {
    const { gl, timer, frames } = make(kind);
    const page = pageQueries(gl);
    if (kind === 'webgl2') gl.getExtension('EXT_disjoint_timer_query_webgl2');
    const dead = page.createQuery();
    page.deleteQuery(dead);
    timer.begin('p');
    gl.drawArrays(4, 0, 10);
    page.endQuery(TIME_ELAPSED); // none of its own is active
    page.beginQuery(TIME_ELAPSED, dead);
    page.beginQuery(0x1234, dead);
    gl.drawArrays(4, 0, 20);
    timer.end();
    timer.frame();
    const errors = errorsOf(gl).splice(0).map(({ error, what }) => [error, what]);
    assert.deepEqual(errors, [[0x502, 'endQuery'], [0x502, 'beginQuery'], [0x500, 'beginQuery']]);
    await settle(timer);
    assert.deepEqual(samplesOf(frames[0]), [['p', 'good', 30000, 30000]]);
    unasked(gl);
  });

  test(`${kind}: context lost with a query active and more pending, then restored`, async () => {
    const { gl, timer, frames } = make(kind);
    for (let i = 0; i < 9; i++) {
      if (i === 6) await settle(timer); // some queries are free
      pass(gl, timer, 'p', 10);
      timer.frame();
    }
    frames.length = 0;
    timer.begin('open');
    const old = [...queriesOf(gl)];
    assert.ok(activeOf(gl));
    lose(gl);
    gl.drawArrays(4, 0, 10);
    timer.end();
    timer.frame();
    await tellLost(gl);
    assert.deepEqual(frames.map((f) => f.samples.map((s) => s.verdict)), Array(4).fill(['device lost']));
    assert.equal(timer.status.state, 'lost');
    pass(gl, timer, 'meanwhile', 10);
    timer.frame();
    restore(gl);
    assert.equal(timer.status.state, 'timing');
    pass(gl, timer, 'again', 40);
    timer.frame();
    await settle(timer);
    assert.deepEqual(samplesOf(frames.at(-1)), [['again', 'good', 40000, 40000]]);
    assert.equal(frames.length, 5);
    assert.ok(old.every((query) => query.deleted === 0 && query.begins <= 2));
    timer.destroy();
    assert.equal(queriesOf(gl).size, 0);
    unasked(gl);
  });

  test(`${kind}: a loss that nobody has told of yet is found by the poll`, async () => {
    const { gl, timer, frames } = make(kind);
    pass(gl, timer, 'p', 10);
    timer.frame();
    lose(gl);
    timer.frame();
    assert.deepEqual(frames.map((f) => f.samples[0].verdict), ['device lost']);
    assert.equal(timer.status.state, 'lost');
    timer.destroy();
  });

  test(`${kind}: frames whose passes are all refused use no more and more queries`, async () => {
    const { gl, timer } = make(kind);
    const page = pageQueries(gl);
    if (kind === 'webgl2') gl.getExtension('EXT_disjoint_timer_query_webgl2');
    const query = page.createQuery();
    for (let i = 0; i < 50; i++) {
      timer.begin('p');
      gl.drawArrays(4, 0, 10);
      page.beginQuery(TIME_ELAPSED, query);
      timer.end();
      page.endQuery(TIME_ELAPSED);
      timer.frame();
    }
    assert.equal(timer.report().contexts[0].ledger.refused, 50);
    assert.ok(queriesOf(gl).size <= 3, `${queriesOf(gl).size} queries`);
    unasked(gl);
  });

  test(`${kind}: destroyed in the middle, each query is deleted once and nothing happens later`, async () => {
    const { gl, timer } = make(kind);
    pass(gl, timer, 'p', 10);
    timer.frame();
    pass(gl, timer, 'q', 10);
    timer.begin('open');
    const all = [...queriesOf(gl)];
    timer.destroy();
    timer.destroy();
    assert.ok(all.length > 0 && all.every((query) => query.deleted === 1));
    timer.begin('x');
    timer.end();
    timer.frame();
    assert.equal(activeOf(gl), null);
    assert.equal(timer.status.state, 'destroyed');
    unasked(gl);
  });

  test(`${kind}: without the extension, and with a counter of no bits, CPU times stand in`, async () => {
    for (const how of ['missing', 'bits']) {
      if (how === 'bits') world.bits = 0;
      const { gl, timer, frames } = make(kind, {}, { noTimer: how === 'missing' });
      world.bits = 64;
      timer.begin('p');
      world.cpuMs += 2;
      timer.end();
      timer.frame();
      timer.frame();
      assert.equal(timer.method, 'cpu');
      assert.equal(timer.status.state, 'cpu');
      assert.deepEqual(frames[0].samples.map((s) => [s.source, s.verdict, s.durationNs]), [['cpu_record', 'good', 2e6]]);
      assert.equal(timer.report().contexts[0].method, 'cpu');
      assert.ok(timer.report().contexts[0].warnings.some((w) => w.code === 'cpu'));
      unasked(gl);
    }
  });

  test(`${kind}: more passes than places, and a label like no other`, async () => {
    const { gl, timer, frames } = make(kind, { maxPasses: 16 });
    for (let i = 0; i < 50; i++) pass(gl, timer, i === 0 ? '\ud800'.repeat(10000) : `pass ${i}`, 1);
    timer.end(); // an orphan
    timer.frame();
    await settle(timer);
    assert.equal(frames[0].samples.length, 16);
    assert.equal(frames[0].passesWithoutSlot, 34);
    assert.equal(frames[0].fate, 'incomplete');
    assert.equal(timer.context.figures.ledger().orphanEnds, 1);
    unasked(gl);
  });

  test(`${kind}: a pass left open at the end of the frame, and off and on again`, async () => {
    const { gl, timer, frames } = make(kind);
    timer.begin('left open');
    gl.drawArrays(4, 0, 10);
    timer.frame();
    timer.end();
    assert.equal(activeOf(gl), null);
    await settle(timer);
    assert.deepEqual(frames[0].samples.map((s) => s.verdict), ['unfinished']);
    const before = queriesOf(gl).size;
    timer.enable(false);
    for (let i = 0; i < 5; i++) {
      pass(gl, timer, 'off', 10);
      timer.frame();
    }
    assert.equal(queriesOf(gl).size, before);
    timer.enable(true);
    pass(gl, timer, 'on', 10);
    timer.frame();
    await settle(timer);
    assert.deepEqual(samplesOf(frames.at(-1)), [['on', 'good', 10000, 10000]]);
    unasked(gl);
  });
}

test('an absurd result is never a sample', async () => {
  const { gl, timer, frames } = make('webgl2');
  for (const value of [833e9, -5, NaN, 1e300]) {
    world.corrupt = value;
    pass(gl, timer, 'p', 10);
    timer.frame();
    await nextTask();
  }
  world.corrupt = null;
  await settle(timer);
  assert.ok(frames.length === 4 && frames.every((f) => !f.samples[0].good), JSON.stringify(frames.map((f) => f.samples[0].verdict)));
  assert.equal(timer.report().contexts[0].passes.find((p) => p.name === 'p')?.count ?? 0, 0);
});

test('a counter of 30 bits: what wrapped, or may have, is never a sample', async () => {
  world.bits = 30;
  const { gl, timer, frames } = make('webgl2');
  world.bits = 64;
  assert.equal(timer.report().contexts[0].clock.valid_bits, 30);
  timer.begin('sum of pieces');
  gl.drawArrays(4, 0, 700000);
  pass(gl, timer, 'child', 600000); // 1.3 s together: more than the counter holds
  timer.end();
  timer.frame();
  await settle(timer);
  pass(gl, timer, 'short', 500);
  timer.frame();
  await settle(timer);
  assert.ok(frames[0].samples.every((s) => !s.good), JSON.stringify(samplesOf(frames[0])));
  assert.deepEqual(samplesOf(frames[1]), [['short', 'good', 500000, 500000]]);
});

test('attached twice it is the same timer; what is no context is refused with a word', () => {
  const { gl, timer } = make('webgl2');
  assert.equal(Passtime.attachWebGL(gl), timer);
  for (const wrong of [{}, { drawArrays() {} }, Object.create(gl)]) {
    assert.throws(() => Passtime.attachWebGL(wrong), /needs a WebGL context/);
  }
});

test('scopes and a pass around work return what the work returns', async () => {
  const { gl, timer, frames } = make('webgl2');
  const value = timer.scope('post', () => timer.pass('bloom', () => {
    gl.drawArrays(4, 0, 10);
    return 7;
  }));
  assert.equal(value, 7);
  timer.frame();
  await settle(timer);
  assert.deepEqual(frames[0].scopes.map((s) => [s.name, s.busyNs]), [['post', 10000]]);
});

test('a multiview framebuffer stops the timing of its context', async () => {
  const { gl, timer } = make('webgl2');
  pass(gl, timer, 'p', 10);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(0x8d40, framebuffer);
  timer.begin('stereo');
  gl.getExtension('OVR_multiview2').framebufferTextureMultiviewOVR(0x8d40, 0x8ce0, null, 0, 0, 2);
  gl.drawArrays(4, 0, 10);
  timer.end();
  pass(gl, timer, 'more', 10);
  timer.frame();
  assert.equal(timer.status.state, 'stopped');
  unasked(gl);
});
