// SPDX-License-Identifier: MIT
/**
 * Unmodified three.js, Babylon.js and TensorFlow.js, as npm has them, with and without the hooks: the
 * page draws and says the same, every pass that an independent count sees is in the ledger, and times add up.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertAddsUp, assertCounted, assertUnnoticed, serveApps, visit } from './apps/harness.mjs';
import { launch, missing } from './browser.mjs';

const FRAMES = 12;
const QUANTUM_NS = 65536;

const BABYLON = ['MainRenderPass', 'sun_shadowMap - RenderPass', 'sun_shadowMap2 - RenderPass', 'PostProcessRTT-grey - RenderPass'];
const framebuffer = (rest) => new RegExp(`^framebuffer \\d+ ${rest}$`);
const mips = [64, 32, 16, 8, 4].map((size) => framebuffer(`${size}x${size} RGBA16F`));

/** passes: of a frame; names: of its series, as the overlay shows them. */
const SUBJECTS = {
  'three-webgpu': {
    about: 'three.js, WebGPURenderer with bloom and compute', api: 'webgpu', passes: 15,
    names: [/^computeGroup_\d+$/, 'canvas', /^renderPipeline_MeshBasicNodeMaterial_\d+ → output-msaa$/,
      /^renderPipeline_Bloom_highPass_\d+ → /, /^renderPipeline_Bloom_separable_\d+ → /, /^renderPipeline_Bloom_comp_\d+ → /],
  },
  'babylon-webgpu': { about: 'Babylon.js, WebGPUEngine', api: 'webgpu', passes: 5, names: BABYLON },
  tensorflow: { about: 'TensorFlow.js: compute only, no animation frames', api: 'webgpu', passes: 2, names: ['Conv2DMMProgram', 'BinaryOpProgram'] },
  'three-webgl': {
    about: 'three.js, WebGLRenderer with EffectComposer and Reflector', api: 'webgl2', passes: 18,
    names: ['canvas', framebuffer('128x128 RGBA16F'), framebuffer('64x64 RGBA16F x4'), ...mips],
  },
  'babylon-webgl': {
    about: 'Babylon.js, Engine on WebGL 2', api: 'webgl2', passes: 5,
    names: ['canvas', framebuffer('64x64 RGBA16F'), framebuffer('32x32 RGBA16F'), framebuffer('128x128 RGBA8')],
  },
};

/** Every series has one of these names, and each of them is there. */
function assertNames(series, wanted) {
  const names = series.map(({ name }) => name);
  const is = (name, one) => (typeof one === 'string' ? name === one : one.test(name));
  for (const name of names) assert.ok(wanted.some((one) => is(name, one)), `'${name}' of ${names}`);
  for (const one of wanted) assert.ok(names.some((name) => is(name, one)), `${one} is not among ${names}`);
}

for (const quantized of [false, true]) {
  describe(`apps, ${quantized ? 'stamps as in a stock browser' : 'stamps not rounded'}`, { skip: missing ?? false, timeout: 900000 }, () => {
    let browser;
    let server;
    before(async () => {
      server = await serveApps();
      browser = await launch({ quantized });
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });

    for (const [app, subject] of Object.entries(SUBJECTS)) {
      const isGl = subject.api !== 'webgpu';
      test(subject.about, { skip: quantized && isGl && 'WebGL is not rounded' }, async () => {
        const alone = await visit(browser, server.url, app, 'none');
        const timed = await visit(browser, server.url, app, app === 'babylon-webgl' ? 'classic' : 'module');
        assertUnnoticed(alone, timed);
        assert.deepEqual(timed.perFrame, Array(FRAMES).fill(subject.passes));
        assertCounted(timed);
        const context = assertAddsUp(timed, { count: FRAMES, passes: subject.passes, quantumNs: quantized ? QUANTUM_NS : 0 });
        assert.equal(context.api, subject.api);
        assert.equal(context.method, isGl ? 'elapsed' : 'stamps');
        assertNames(context.passes, subject.names);
        for (const pass of context.passes) assert.deepEqual(pass.rejected, {}, pass.name);
        if (quantized) assert.equal(context.clock.quantum_ns % QUANTUM_NS, 0);
      });
    }

    test('Babylon.js with its own timing on: its passes stay its own, and are counted so', async () => {
      const alone = await visit(browser, server.url, 'babylon-timing', 'none');
      const timed = await visit(browser, server.url, 'babylon-timing', 'module');
      assertUnnoticed(alone, timed);
      assert.equal(alone.extra, true, 'Babylon has its times');
      assert.equal(timed.extra, true, 'and has them beside us');
      assertCounted(timed);
      const [context] = timed.report.contexts;
      assertNames(context.passes, [...BABYLON, 'compute pass']);
      for (const pass of context.passes) {
        assert.equal(pass.count, 0);
        assert.deepEqual(Object.keys(pass.rejected), ['refused'], pass.name);
      }
    });
  });
}
