// SPDX-License-Identifier: MIT
/**
 * Unmodified three.js, Babylon.js and TensorFlow.js, as npm has them, with and without the hooks: the
 * page draws and says the same, every pass that an independent count sees is in the ledger, and times add up.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertAddsUp, assertCounted, assertNames, assertUnnoticed, assertWhole, FRAMES, serveApps, visit } from './apps/harness.mjs';
import { launch, missing } from './browser.mjs';

const QUANTUM_NS = 65536;
const ONCE = 'what is rounded makes no difference here';

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
    about: 'Babylon.js, Engine on WebGL 2', api: 'webgl2', passes: 5, us: 'classic',
    names: ['canvas', framebuffer('64x64 RGBA16F'), framebuffer('32x32 RGBA16F'), framebuffer('128x128 RGBA8')],
  },
};

/** Those that time themselves. mixed: not in every frame, since their results are late. */
const TIMED = {
  'three-timing': { about: 'three.js', names: SUBJECTS['three-webgpu'].names },
  'babylon-timing': { about: 'Babylon.js', names: [...BABYLON, 'compute pass'] },
  'babylon-webgl-timing': { about: 'Babylon.js on WebGL 2', names: SUBJECTS['babylon-webgl'].names, mixed: true },
};

for (const quantized of [false, true]) {
  describe(`apps, ${quantized ? 'stamps as in a stock browser' : 'stamps not rounded'}`, { skip: missing ?? false, timeout: 900000 }, () => {
    const quantumNs = quantized ? QUANTUM_NS : 0;
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

    /** The same page without us and with us. */
    async function visitTwice(what) {
      const alone = await visit(browser, server.url, { ...what, us: 'none' });
      const timed = await visit(browser, server.url, what);
      assertUnnoticed(alone, timed);
      assertCounted(timed);
      assertAddsUp(timed, { quantumNs });
      return { alone, timed, contexts: timed.report.contexts };
    }

    for (const [app, { about, api, passes, names, us }] of Object.entries(SUBJECTS)) {
      const isGl = api !== 'webgpu';
      test(about, { skip: quantized && isGl && 'WebGL is not rounded' }, async () => {
        const { timed, contexts } = await visitTwice({ app, us });
        assert.deepEqual(timed.perFrame, Array(FRAMES).fill(passes));
        assertWhole(timed.frames, { count: FRAMES, passes });
        assert.equal(contexts.length, 1);
        const [context] = contexts;
        assert.deepEqual([context.api, context.method], [api, isGl ? 'elapsed' : 'stamps']);
        assertNames(context.passes, names);
        for (const pass of context.passes) assert.deepEqual(pass.rejected, {}, pass.name);
        if (quantized) assert.equal(context.clock.quantum_ns % QUANTUM_NS, 0);
      });
    }

    for (const [app, { about, names, mixed = false }] of Object.entries(TIMED)) {
      test(`${about} with its own timing on: its passes stay its own, and are counted so`, { skip: quantized && ONCE }, async () => {
        const { alone, timed, contexts } = await visitTwice({ app });
        assert.deepEqual(alone.extra, [true, true], 'it has its own times');
        assert.deepEqual(timed.extra, alone.extra, 'and has them beside us');
        assertNames(contexts[0].passes, names);
        for (const pass of contexts[0].passes) {
          assert.deepEqual(Object.keys(pass.rejected), ['refused'], pass.name);
          if (!mixed) assert.equal(pass.count, 0);
        }
      });
    }

    for (const where of ['page', 'worker']) {
      const skip = quantized && where === 'worker' && ONCE;
      test(`two devices, descriptors of every make, and misuse, in a ${where}`, { skip }, async () => {
        const { alone, timed, contexts } = await visitTwice({ app: 'raw', where });
        assert.deepEqual(timed.extra, alone.extra, 'what the platform answers to misuse');
        assert.ok(Object.keys(alone.extra).length > 25);
        assert.deepEqual([contexts.length, timed.after.devices], [2, 2]);
        const [drawn, computed] = contexts.map(({ passes }) => passes);
        assertNames(drawn, ['reused', 'frozen', 'proxy', 'private', 'render pass', /^mip \d$/, 'canvas']);
        assertNames(computed, ['idle']);
        assertWhole(timed.frames.filter(({ device }) => device === 1), { count: FRAMES, passes: 3 });
        // Also the one whose getters take no other object in its place.
        for (const { name, rejected } of drawn) assert.deepEqual(rejected, {}, name);
        assertWhole(timed.frames.filter(({ device }) => device === 0), { count: FRAMES, passes: 7 });
      });
    }

    test('5,000 passes in one frame: some are timed, all are counted, and later frames are whole', { skip: quantized && ONCE }, async () => {
      const { timed } = await visitTwice({ app: 'many', frames: 24 });
      const [from] = timed.before.books;
      const [to] = timed.after.books;
      const large = timed.frames.find(({ samples }) => samples.length > 3);
      assert.equal(large.fate, 'incomplete');
      assert.equal(to.verdicts.no_slot - from.verdicts.no_slot + large.samples.filter(({ good }) => good).length, 5000);
      assertWhole(timed.frames.slice(-8), { count: 8, passes: 3 });
    });
  });
}
