// SPDX-License-Identifier: MIT
/**
 * The pages in Debian's Chromium, on a software adapter whose stamps are rounded as in a stock browser
 * and on one whose are not; and without what they need. PASSTIME_SHOTS=DIR keeps screenshots.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { buildSite } from '../pages/build.mjs';
import { startServer } from '../serve.mjs';
import { launch, missing, watch } from './browser.mjs';

const SHOTS = process.env.PASSTIME_SHOTS;
const QUANTUM = 65536;
const PATIENCE_MS = 120000; // a software renderer on a busy machine
const LOOKS = {
  light: { viewport: { width: 1180, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1180, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2, colorScheme: 'light' },
};

let server;
before(async () => {
  if (missing) return;
  buildSite();
  server = await startServer();
});
after(() => server?.close());

/** Opens a page, waits until it says so, runs `work`, and wants nothing in the console. */
async function visit(browser, name, { look = 'light', init = null, state = 'ready', from = server.url }, work) {
  const page = await browser.newPage(LOOKS[look]);
  const seen = watch(page);
  try {
    if (init) await page.addInitScript(init);
    await page.goto(`${from}${name}.html`);
    await page.waitForFunction((wanted) => document.body.dataset.state === wanted, state, { timeout: PATIENCE_MS, polling: 200 });
    await work?.(page);
    if (SHOTS) {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: `${SHOTS}/${name}-${look}${state === 'ready' ? '' : `-${state}`}.png`, fullPage: name !== 'map' });
    }
    assert.deepEqual(seen, []);
  } finally {
    await page.close();
  }
}

const text = (page, selector) => page.textContent(selector);
const messages = (page) => page.$$eval('.message', (list) => list.map((each) => each.textContent));
const fitsWidth = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

for (const quantized of [true, false]) {
  describe(`pages, ${quantized ? 'stamps as in a stock browser' : 'stamps not rounded'}`, { skip: missing ?? false, timeout: 900000 }, () => {
    let browser;
    before(async () => {
      browser = await launch({ quantized });
    });
    after(() => browser?.close());

    test('three passes: all three timed, raw stamps and their step', () => visit(browser, 'passes', { look: quantized ? 'phone' : 'light' }, async (page) => {
      await page.waitForFunction(() => document.getElementById('step').dataset.step, null, { timeout: PATIENCE_MS });
      const step = Number(await page.getAttribute('#step', 'data-step'));
      if (quantized) assert.equal(step % QUANTUM, 0);
      else assert.ok(step < 1024, `a step of ${step} ns`);
      const means = await page.$$eval('#bars > span:nth-child(3n)', (list) => list.map((each) => each.textContent));
      assert.equal(means.length, 4);
      for (const mean of means) assert.match(mean, /\d.* ms/);
      assert.equal((await page.$$('#raw tr')).length, 3);
      assert.ok(await fitsWidth(page));
    }));

    test('isolation headers do not refine the stamps', { skip: !quantized }, async () => {
      const isolated = await startServer({ headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' } });
      try {
        await visit(browser, 'passes', { from: isolated.url }, async (page) => {
          assert.equal(await page.evaluate(() => crossOriginIsolated), true);
          await page.waitForFunction(() => document.getElementById('step').dataset.step, null, { timeout: PATIENCE_MS });
          assert.equal(Number(await page.getAttribute('#step', 'data-step')) % QUANTUM, 0);
        });
      } finally {
        await isolated.close();
      }
    });

    test('the check runs to a verdict with its numbers', () => visit(browser, 'check', { look: quantized ? 'dark' : 'phone' }, async (page) => {
      // On a busy machine the times may swing too much to decide it at once; they are never in the wrong order.
      for (let tries = 0; tries < 3 && /^Not decided/.test(await text(page, '#verdict')); tries++) {
        await page.click('#again');
        await page.waitForFunction(() => document.body.dataset.state === 'ready', null, { timeout: PATIENCE_MS, polling: 200 });
      }
      const answers = await page.$$eval('#checks tr', (rows) => Object.fromEntries(rows.map((row) => [row.cells[0].textContent, [row.cells[1].textContent, row.cells[2].textContent]])));
      assert.equal(answers['Is the feature there?'][0], 'yes');
      assert.equal(answers['Does a minimal pass stamp?'][0], 'yes');
      assert.equal(answers['Are the stamps in order?'][0], 'yes');
      assert.equal(answers['Does more work take longer?'][0], 'yes');
      const step = Number(answers['How fine is a step?'][0].replace(/\D/g, ''));
      if (quantized) assert.equal(step % QUANTUM, 0);
      else assert.ok(step < 1024);
      assert.match(answers['What is the finest pass worth timing?'][0], quantized ? /^[\d.]+ µs \(means\)$/ : /^[\d.]+ µs$/);
      // On a busy machine runs may disagree or bend, which the verdict then says with what to do.
      const said = await text(page, '#verdict');
      assert.match(said, /^Verdict: use GPU stamps: they rise with the work, (in proportion, and agree|but not in proportion|but two runs disagree)/);
      assert.equal(/in steps of 65536 ns: trust means/.test(said), quantized);
      assert.ok(await fitsWidth(page));
    }));

    test('the map: five passes timed from outside, in the open overlay', () => visit(browser, 'map', { look: quantized ? 'light' : 'dark' }, async (page) => {
      await page.waitForFunction(() => document.querySelector('passtime-overlay').shadowRoot.querySelectorAll('tbody tr:not(.marks)').length === 5, null, { timeout: PATIENCE_MS });
      const names = await page.evaluate(() => [...document.querySelector('passtime-overlay').shadowRoot.querySelectorAll('.name')].map((each) => each.textContent));
      assert.deepEqual(names, ['scatter', 'cull', 'base', 'tiles', 'compose']);
      await page.focus('#picture');
      for (const key of ['+', 'ArrowLeft', '-']) await page.keyboard.press(key);
      assert.equal(await page.getAttribute('#tour', 'aria-pressed'), 'false');
      assert.ok(await fitsWidth(page));
    }));

    test('WebGL: both versions say what they offer and time two passes', { skip: quantized && 'WebGL is not rounded' }, () => visit(browser, 'webgl', {}, async (page) => {
      const rows = await page.$$eval('#versions table', (tables) => tables.map((table) => Object.fromEntries([...table.rows].map((row) => [row.cells[0].textContent, row.cells[1].textContent]))));
      assert.deepEqual(rows.map((version) => version.extension), ['EXT_disjoint_timer_query', 'EXT_disjoint_timer_query_webgl2']);
      for (const version of rows) {
        assert.match(version['elapsed queries'], /yes, 64 bits/);
        assert.match(version.timestamps, /0 bits/);
        assert.match(version['a query by hand'], /ns for loops-64; ready after \d+ polls/);
        assert.match(version['Passtime: loops-512'], /ms over/);
      }
    }));

    test('the overview lists what is there', { skip: quantized }, () => visit(browser, 'index', { look: 'phone' }, async (page) => {
      assert.match(await text(page, '#offers'), /WebGPU timestamps.*yes/s);
      assert.ok(await fitsWidth(page));
    }));

    test('without WebGPU each page says so', { skip: quantized }, async () => {
      const init = () => delete Navigator.prototype.gpu;
      for (const name of ['passes', 'map']) {
        await visit(browser, name, { init, state: 'unavailable' }, async (page) => assert.match((await messages(page)).join(), /no WebGPU/));
      }
      await visit(browser, 'check', { init }, async (page) => assert.match(await text(page, '#verdict'), /^No: WebGPU offers no adapter/));
      await visit(browser, 'index', { init }, async (page) => assert.match(await text(page, '#offers'), /WebGPUno/));
    });

    test('without an adapter, too', { skip: quantized }, () => visit(browser, 'passes', {
      init: () => (GPU.prototype.requestAdapter = async () => null), state: 'unavailable',
    }, async (page) => assert.match((await messages(page)).join(), /offers no adapter/)));

    test('without timestamps CPU times stand in and are called so', { skip: quantized }, () => visit(browser, 'passes', {
      init: () => Object.defineProperty(GPUAdapter.prototype, 'features', { get: () => new Set() }),
    }, async (page) => {
      assert.match((await messages(page)).join(), /no 'timestamp-query'/);
      assert.match(await text(page, '#method'), /CPU's clock/);
      assert.match(await text(page, '#step'), /There are none/);
    }));

    test('without WebGL the page says so', { skip: quantized }, () => visit(browser, 'webgl', {
      init: () => (HTMLCanvasElement.prototype.getContext = () => null), state: 'unavailable',
    }, async (page) => assert.match((await messages(page)).join(), /no WebGL at all/)));
  });
}

describe('the server of the pages', { skip: missing ?? false }, () => {
  test('gives nothing from outside its folder', async () => {
    for (const path of ['../package.json', '%2e%2e/package.json', '..%2fpackage.json', 'shaders/../../package.json', '%00', '%']) {
      const response = await fetch(server.url + path);
      assert.equal(response.status, 404, path);
    }
    assert.equal((await fetch(`${server.url}shaders/passes.wgsl`)).status, 200);
  });
});
