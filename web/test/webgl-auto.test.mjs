// SPDX-License-Identifier: MIT
// Every context of a page timed without a word from it, on a scripted WebGL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  activeOf, animationFrame, errorsOf, FakeCanvas, FakeTimer1, FakeWebGL1, FakeWebGL2, install, lose, nextTask, queriesOf,
  restore, tellLost, world,
} from './fake-webgl.mjs';

install();
const shapes = shapesOf([FakeWebGL1, FakeWebGL2, FakeCanvas, FakeTimer1]);
const { Passtime } = await import('../dist/passtime.js');
Passtime.auto();

const FRAMEBUFFER = 0x8d40;
const COLOUR = 0x8ce0;
const TEXTURE = 0x0de1;
const TIME_ELAPSED = 0x88bf;

/** Names and lengths of every method. */
function shapesOf(classes) {
  return classes.map((Class) => {
    const methods = {};
    for (let at = Class.prototype; at !== Object.prototype && at; at = Object.getPrototypeOf(at)) {
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
        if (typeof value === 'function') methods[name] ??= [value.name, value.length];
      }
    }
    return methods;
  });
}

function context(kind = 'webgl2', options = {}) {
  const canvas = new FakeCanvas();
  return canvas.getContext(kind, options);
}

/** A framebuffer with a texture of this size. */
function target(gl, width, height, format = 0x881a) {
  const texture = gl.createTexture();
  gl.bindTexture(TEXTURE, texture);
  gl.texStorage2D?.(TEXTURE, 1, format, width, height);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(FRAMEBUFFER, COLOUR, TEXTURE, texture, 0);
  gl.bindFramebuffer(FRAMEBUFFER, null);
  return framebuffer;
}

const timerFor = (gl) => Passtime.timers.find((timer) => timer.gl === gl);

/** Renders by `draw` in animation frames and gives what was judged. */
async function run(gl, draw, count = 1) {
  const frames = [];
  for (let i = 0; i < count + 7; i++) {
    requestAnimationFrame(() => {
      if (i < count) draw(i);
      const timer = timerFor(gl);
      if (timer && !timer.heard) timer.heard = timer.on('frame', (frame) => frames.push(frame.copy()));
    });
    await animationFrame();
  }
  timerFor(gl)?.engine.listeners.clear();
  if (timerFor(gl)) timerFor(gl).heard = undefined;
  return frames;
}

const passesOf = (frame) => frame.samples.map((s) => [s.name, s.verdict, s.durationNs / 1000]);

test('methods keep their names and lengths', () => {
  context('webgl').getExtension('EXT_disjoint_timer_query');
  assert.deepEqual(shapesOf([FakeWebGL1, FakeWebGL2, FakeCanvas, FakeTimer1]), shapes);
  assert.equal('prototype' in FakeWebGL2.prototype.drawArrays, false);
});

test('a page that asks for its next animation frame before it draws: its first frame is a frame', async () => {
  const gl = context(); // the first to draw in this realm: nothing else wanted frames yet
  const frames = [];
  for (let i = 0; i < 9; i++) {
    requestAnimationFrame(function draw() {
      if (i === 0) requestAnimationFrame(() => gl.drawArrays(4, 0, 20));
      if (i === 0) gl.drawArrays(4, 0, 10);
      timerFor(gl).heard ??= timerFor(gl).on('frame', (frame) => frames.push(frame.copy()));
    });
    await animationFrame();
  }
  assert.deepEqual(frames.map(passesOf), [[['canvas', 'good', 10]], [['canvas', 'good', 20]]]);
});

test('boundaries: framebuffers, draw buffers, clears after draws; named by what is drawn to', async () => {
  const gl = context();
  const small = target(gl, 256, 128);
  const large = target(gl, 1024, 1024, 0x8058);
  const frames = await run(gl, () => {
    gl.bindFramebuffer(FRAMEBUFFER, small);
    gl.clear(0x4000); // 10
    gl.drawArrays(4, 0, 100);
    gl.bindFramebuffer(FRAMEBUFFER, small); // is bound already
    gl.drawElements(4, 50);
    gl.bindFramebuffer(FRAMEBUFFER, large);
    gl.drawBuffers([COLOUR]); // as before
    gl.drawArraysInstanced(4, 0, 200, 2);
    gl.drawBuffers([COLOUR, COLOUR + 1]);
    gl.drawArrays(4, 0, 70);
    gl.drawBuffers([COLOUR]);
    gl.bindFramebuffer(FRAMEBUFFER, null);
    gl.clear(0x4000);
    gl.bindFramebuffer(0x8ca8, small); // only for reading
    gl.drawArrays(4, 0, 20);
    gl.clear(0x100); // after a draw
    gl.drawArrays(4, 0, 30);
    gl.bindFramebuffer(0x8ca9, small);
    gl.bindFramebuffer(0x8ca9, null); // nothing was drawn in between
    gl.blitFramebuffer(); // 30
  });
  assert.equal(frames.length, 1);
  assert.deepEqual(passesOf(frames[0]), [
    ['framebuffer 1 256x128 RGBA16F', 'good', 160],
    ['framebuffer 2 1024x1024 RGBA8', 'good', 200],
    ['framebuffer 2 1024x1024 RGBA8', 'good', 70],
    ['canvas', 'good', 30],
    ['canvas', 'good', 40],
    ['canvas', 'good', 30],
  ]);
  assert.equal(frames[0].fate, 'complete');
  assert.deepEqual(errorsOf(gl), []);
  assert.equal(activeOf(gl), null);
});

test('a label of the page is the name; a resized target is told; a deleted one frees its number', async () => {
  const gl = context();
  const first = target(gl, 64, 64);
  const second = target(gl, 32, 32);
  first.label = '[7|2] - shadows';
  second.__SPECTOR_Metadata = { name: 'probe' };
  const third = gl.createFramebuffer();
  const draw = (framebuffer) => {
    gl.bindFramebuffer(FRAMEBUFFER, framebuffer);
    gl.drawArrays(4, 0, 10);
  };
  let frames = await run(gl, () => [first, second, third].forEach(draw));
  assert.deepEqual(passesOf(frames[0]).map(([name]) => name), ['shadows', 'probe', 'framebuffer 3']);
  gl.deleteFramebuffer(first);
  const texture = gl.createTexture();
  const again = gl.createFramebuffer();
  frames = await run(gl, (i) => {
    gl.bindTexture(TEXTURE, texture);
    gl.texImage2D(TEXTURE, 0, 0x1908, 64 << i, 32, 0, 0x1908, 0x140b, null);
    gl.bindFramebuffer(FRAMEBUFFER, again);
    if (i === 0) gl.framebufferTexture2D(FRAMEBUFFER, COLOUR, TEXTURE, texture, 1);
    gl.drawArrays(4, 0, 10);
  }, 2);
  assert.deepEqual(frames.map((f) => f.samples[0].name), ['framebuffer 1 32x16 RGBA16F', 'framebuffer 1 64x16 RGBA16F']);
});

test('what the GPU waits for between tasks is not the pass\'s time', async () => {
  const gl = context();
  const frames = await run(gl, () => {
    gl.drawArrays(4, 0, 100);
    Promise.resolve().then(() => {}).then(() => {}).then(() => gl.drawArrays(4, 0, 11)); // the same pass, later
  });
  assert.deepEqual(passesOf(frames[0]), [['canvas', 'good', 111]]);
  assert.deepEqual(errorsOf(gl), []);
});

test('the CPU\'s time of a frame ends with its last task, not with the frame', async () => {
  for (const options of [{}, { noTimer: true }]) {
    const gl = context('webgl2', options);
    const frames = await run(gl, () => {
      gl.drawArrays(4, 0, 1);
      world.cpuMs += 1.5;
      gl.clear(0x4000);
    });
    assert.ok(frames[0].cpuSubmitNs >= 1.5e6 && frames[0].cpuSubmitNs < 2e6, `${frames[0].cpuSubmitNs}`);
  }
});

test('two contexts, versions 1 and 2, have their own frames; an extension\'s draws count', async () => {
  const one = context('webgl');
  const two = context('webgl2');
  const other = [];
  const frames = await run(one, () => {
    one.getExtension('ANGLE_instanced_arrays').drawArraysInstancedANGLE(4, 0, 33, 1);
    two.drawArrays(4, 0, 44);
    timerFor(two).on('frame', (frame) => other.push(frame.copy()));
  });
  assert.deepEqual(passesOf(frames[0]), [['canvas', 'good', 33]]);
  assert.deepEqual(passesOf(other[0]), [['canvas', 'good', 44]]);
  assert.deepEqual([...errorsOf(one), ...errorsOf(two)], []);
});

for (const kind of ['webgl', 'webgl2']) {
  test(`${kind}: the page times its frame itself: its value is right, ours are refused; then ours go on`, async () => {
    const gl = context(kind);
    const ext = gl.getExtension(kind === 'webgl' ? 'EXT_disjoint_timer_query' : 'EXT_disjoint_timer_query_webgl2');
    const begin = (query) => (kind === 'webgl' ? ext.beginQueryEXT(TIME_ELAPSED, query) : gl.beginQuery(TIME_ELAPSED, query));
    const end = () => (kind === 'webgl' ? ext.endQueryEXT(TIME_ELAPSED) : gl.endQuery(TIME_ELAPSED));
    const query = kind === 'webgl' ? ext.createQueryEXT() : gl.createQuery();
    const mine = target(gl, 8, 8);
    const frames = await run(gl, () => {
      gl.drawArrays(4, 0, 5);
      begin(query);
      gl.drawArrays(4, 0, 100);
      gl.bindFramebuffer(FRAMEBUFFER, mine);
      gl.drawArrays(4, 0, 50);
      end();
      gl.bindFramebuffer(FRAMEBUFFER, null);
      gl.drawArrays(4, 0, 25);
      begin(query); // nothing of ours in it: not short
      end();
      gl.drawArrays(4, 0, 1);
      begin(query);
      gl.drawArrays(4, 0, 7);
      end();
      gl.bindFramebuffer(FRAMEBUFFER, mine);
      gl.drawArrays(4, 0, 3);
      gl.bindFramebuffer(FRAMEBUFFER, null);
    });
    assert.deepEqual(frames[0].samples.map((s) => s.verdict), ['refused', 'refused', 'refused', 'good']);
    const ask = (name) => (kind === 'webgl' ? ext.getQueryObjectEXT(query, name) : gl.getQueryParameter(query, name));
    assert.deepEqual([ask(0x8867), ask(0x8866)], [true, 7000]);
    assert.deepEqual(errorsOf(gl), []);
  });
}

test('an extension the page did not ask for is still off for it', () => {
  const gl = context();
  gl.drawArrays(4, 0, 10);
  assert.ok(timerFor(gl), 'we have it on');
  const query = gl.createQuery();
  gl.beginQuery(TIME_ELAPSED, query);
  assert.equal(gl.getQuery(TIME_ELAPSED, 0x8865), null);
  assert.equal(gl.getParameter(0x8fbb), null);
  gl.endQuery(TIME_ELAPSED);
  assert.deepEqual(errorsOf(gl).splice(0).map(({ error }) => error), [0x500, 0x500, 0x500, 0x500]);
  assert.notEqual(activeOf(gl), query);
  assert.equal(gl.getExtension('EXT_disjoint_timer_query_webgl2'), gl.getExtension('ext_disjoint_timer_query_WEBGL2'));
  gl.beginQuery(TIME_ELAPSED, query);
  assert.equal(gl.getQuery(TIME_ELAPSED, 0x8865), query);
  gl.endQuery(TIME_ELAPSED);
  assert.throws(() => gl.beginQuery(TIME_ELAPSED), TypeError);
  assert.throws(() => gl.getParameter(), TypeError);
  assert.throws(() => FakeWebGL2.prototype.drawArrays.call({}, 4, 0, 1), TypeError);
  assert.throws(() => FakeWebGL2.prototype.drawArrays.call(null, 4, 0, 1), TypeError);
  assert.deepEqual(errorsOf(gl), []);
});

test('lost and restored: nothing of the old context is touched, measuring resumes', async () => {
  const gl = context();
  const draw = () => gl.drawArrays(4, 0, 10);
  await run(gl, draw, 2);
  const old = [...queriesOf(gl)];
  const frames = await run(gl, (i) => {
    draw();
    if (i === 2) lose(gl);
    draw();
  }, 3);
  await tellLost(gl);
  await run(gl, draw, 2);
  restore(gl);
  const after = await run(gl, draw, 1);
  assert.ok(frames.some((f) => f.samples[0].verdict === 'device lost'));
  assert.deepEqual(passesOf(after.at(-1)), [['canvas', 'good', 10]]);
  assert.ok(old.every((query) => query.deleted === 0));
  assert.deepEqual(errorsOf(gl), []);
});

test('5,000 passes in one frame: 1,024 are timed, the others counted, the next frame is whole', async () => {
  const gl = context();
  const other = target(gl, 4, 4);
  const frames = await run(gl, (i) => {
    for (let pass = 0; pass < (i === 1 ? 5000 : 3); pass++) {
      gl.bindFramebuffer(FRAMEBUFFER, pass % 2 ? null : other);
      gl.drawArrays(4, 0, 1);
    }
    gl.bindFramebuffer(FRAMEBUFFER, null);
  }, 3);
  assert.deepEqual(frames.map((f) => [f.samples.length, f.passesWithoutSlot, f.fate]), [
    [3, 0, 'complete'], [1024, 3976, 'incomplete'], [3, 0, 'complete'],
  ]);
  assert.deepEqual(errorsOf(gl), []);
});

test('passes by name rest the automatic ones; off costs no query', async () => {
  const gl = context();
  await run(gl, () => gl.drawArrays(4, 0, 1));
  const timer = timerFor(gl);
  assert.equal(Passtime.attachWebGL(gl), timer);
  const frames = await run(gl, () => {
    gl.drawArrays(4, 0, 10);
    timer.pass('mine', () => {
      gl.bindFramebuffer(FRAMEBUFFER, gl.createFramebuffer());
      gl.drawArrays(4, 0, 20);
      gl.bindFramebuffer(FRAMEBUFFER, null);
    });
    gl.drawArrays(4, 0, 30);
  });
  assert.deepEqual(passesOf(frames[0]), [['canvas', 'good', 10], ['mine', 'good', 20], ['canvas', 'good', 30]]);
  timer.enable(false);
  const begins = [...queriesOf(gl)].map((q) => q.begins);
  await run(gl, () => gl.drawArrays(4, 0, 10), 3);
  assert.deepEqual([...queriesOf(gl)].map((q) => q.begins), begins);
});

test('multiview stops it, whether drawn to before or after', async () => {
  for (const before of [true, false]) {
    const gl = context();
    if (!before) gl.drawArrays(4, 0, 10);
    const stereo = gl.createFramebuffer();
    gl.bindFramebuffer(FRAMEBUFFER, stereo);
    gl.getExtension('OVR_multiview2').framebufferTextureMultiviewOVR(FRAMEBUFFER, COLOUR, null, 0, 0, 2);
    gl.drawArrays(4, 0, 10);
    gl.drawArrays(4, 0, 10);
    assert.equal(timerFor(gl).status.state, 'stopped');
    assert.deepEqual(errorsOf(gl), []);
  }
});

test('without the extension: CPU times, called so', async () => {
  const gl = context('webgl', { noTimer: true });
  const frames = await run(gl, () => {
    gl.drawArrays(4, 0, 10);
    world.cpuMs += 1;
  });
  assert.deepEqual(frames[0].samples.map((s) => [s.name, s.source]), [['canvas', 'cpu_record']]);
  assert.equal(timerFor(gl).method, 'cpu');
});

test('no exception of ours reaches the page, nor getError', async () => {
  const gl = context();
  gl.drawArrays(4, 0, 1);
  const { engine } = timerFor(gl);
  engine.resume = engine.begin = engine.end = engine.suspend = () => { throw new Error('a fault'); };
  gl.drawArrays(4, 0, 1);
  gl.bindFramebuffer(FRAMEBUFFER, gl.createFramebuffer());
  gl.drawArrays(4, 0, 1);
  gl.clear(0x4000);
  assert.ok(Passtime.status.errorCount > 0);
  assert.ok(!world.log.some((entry) => entry.getError));
  await nextTask();
  timerFor(gl).destroy();
});
