// SPDX-License-Identifier: MIT
/** The overlay's capture button in a real browser: from the click to the file that the command reads. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from '../serve.mjs';
import { launch, missing, watch } from './browser.mjs';
import { missingPerfetto, missingPrograms, readByPerfetto, reportOf } from './programs.mjs';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const SHOTS = process.env.PASSTIME_SHOTS; // a folder for screenshots, if wanted
const FILE = 'passtime.perfetto-trace';
const WAIT = { timeout: 120000 }; // for a busy machine

describe('capture button', { skip: missing ?? false, timeout: 600000 }, () => {
  let server;
  let browser;
  const temporary = mkdtempSync(join(tmpdir(), 'passtime-overlay-'));
  before(async () => {
    server = await startServer({ roots: { '/dist/': folder('../dist/'), '/test/': folder('./') } });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(temporary, { recursive: true });
  });

  /** Runs `work` on a page that draws 64 passes a frame, its overlay open. */
  async function withPage(options, work) {
    const page = await browser.newPage(options);
    const seen = watch(page);
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    try {
      await page.goto(`${server.url}test/overlay-live.html`);
      await page.waitForFunction(() => window.drawn > 5, null, WAIT);
      await page.evaluate(() => overlay.open());
      await page.waitForFunction(() => overlay.sources[0]?.frames > 0, null, WAIT);
      await work(page, asked);
      assert.deepEqual(await page.evaluate(() => errors), []);
      assert.deepEqual(seen, []);
    } finally {
      await page.close();
    }
  }

  const button = (page) => page.evaluate(() => {
    const { textContent: text, hidden, dataset } = overlay.shadowRoot.querySelector('.capture');
    return { text, hidden, on: dataset.on ?? null };
  });
  const said = (page) => page.evaluate(() => overlay.shadowRoot.querySelector('.said').textContent);
  const runs = (page) => page.waitForFunction(
    () => /^Stop · \d+ s · [\d.]+ [kM]B$/.test(overlay.shadowRoot.querySelector('.capture').textContent), null, WAIT);
  const some = (page, frames) => page.evaluate((count) => new Promise((resolve) => {
    const [timer] = Passtime.timers;
    let left = count;
    const listener = () => {
      if (--left > 0) return;
      timer.off('frame', listener);
      resolve();
    };
    timer.on('frame', listener);
  }), frames);
  const listeners = (page) => page.evaluate(() => Passtime.timers[0].engine.listeners.size);

  /** Presses, and keeps the file that comes of it. */
  async function download(page, press) {
    const [file] = await Promise.all([page.waitForEvent('download', WAIT), press()]);
    assert.equal(file.suggestedFilename(), FILE);
    const path = join(temporary, FILE);
    await file.saveAs(path);
    return path;
  }

  test('click, click: a file that the command and Perfetto read', { skip: missingPrograms ?? false }, () => withPage({}, async (page, asked) => {
    assert.deepEqual(await button(page), { text: 'Capture', hidden: false, on: null });
    assert.ok(!asked.includes('/dist/capture.js'), 'nothing is loaded before it is asked for');
    const before = await listeners(page);
    await page.locator('.capture').click();
    await runs(page);
    assert.ok(asked.includes('/dist/capture.js'));
    assert.equal((await button(page)).on, 'true');
    await page.waitForFunction(() => /newest frames are kept/.test(overlay.shadowRoot.querySelector('.said').textContent), null, WAIT);
    await some(page, 30);
    const path = await download(page, () => page.locator('.capture').click());
    await page.waitForFunction(() => overlay.shadowRoot.querySelector('.capture').textContent === 'Capture', null, WAIT);
    assert.match(await said(page), /^Saved as passtime\.perfetto-trace, [\d.]+ [kM]B, \d+ frames\. ui\.perfetto\.dev opens it\.$/);
    assert.equal(await listeners(page), before);
    const [context] = reportOf(path).contexts;
    assert.deepEqual([context.api, context.method, context.origin], ['webgpu', 'stamps', 'summary']);
    const names = context.passes.map((pass) => pass.name);
    assert.deepEqual([names.length, names[0], names[63]], [64, 'pass aa', 'pass hh']);
    assert.ok(context.frame.budget_ns === 14e6 && context.frames.timed >= 30, JSON.stringify(context.frames));
    if (missingPerfetto) console.log(`# not read by Perfetto's classes: ${missingPerfetto}`);
    else assert.match(readByPerfetto(path), /: \d+ frames, \d+ slices/);
  }));

  test('by key, and while the panel is closed', { skip: missingPrograms ?? false }, () => withPage({}, async (page) => {
    await page.evaluate(() => overlay.panel.root.focus());
    await page.keyboard.press('r');
    await runs(page);
    await page.evaluate(() => overlay.close());
    await some(page, 20);
    await page.evaluate(() => overlay.open());
    await runs(page);
    await page.evaluate(() => overlay.shadowRoot.querySelector('.capture').focus());
    const path = await download(page, () => page.keyboard.press('Enter'));
    assert.ok(reportOf(path).contexts[0].frames.timed >= 20);
  }));

  test('a timer that is destroyed leaves its file', { skip: missingPrograms ?? false }, () => withPage({}, async (page) => {
    await page.locator('.capture').click();
    await runs(page);
    await some(page, 5);
    const path = await download(page, () => page.evaluate(() => Passtime.timers[0].destroy()));
    assert.equal(reportOf(path).contexts[0].origin, 'events');
  }));

  test('nothing came back: nothing is saved, and it is said', () => withPage({}, async (page) => {
    const answers = await page.evaluate(async () => {
      const timer = {
        on() {}, off() {}, status: { state: 'timing', text: '' }, name: 'quiet', report: Passtime.report(),
        capture: async () => ({ seconds: 0, bytes: 0, frames: 0, stop: async () => new Blob([]) }),
      };
      overlay.add(timer).update();
      overlay.select(overlay.sources.length - 1);
      await overlay.capture();
      await overlay.capture();
      const quiet = overlay.shadowRoot.querySelector('.said').textContent;
      timer.capture = () => Promise.reject(new TypeError('it is not there'));
      await overlay.capture();
      return [quiet, overlay.shadowRoot.querySelector('.said').textContent, overlay.shadowRoot.querySelector('.capture').textContent];
    });
    assert.deepEqual(answers, ['No frame came back while it ran: there is nothing to save.', 'No capture: it is not there', 'Capture']);
  }));

  test('the classic script finds the writer beside itself, wherever the page is', { skip: missingPrograms ?? false }, async () => {
    const page = await browser.newPage();
    const seen = watch(page);
    try {
      await page.goto(`${server.url}test/overlay.html`);
      await page.addScriptTag({ url: '/dist/passtime.iife.js' });
      const bytes = await page.evaluate(async () => {
        const adapter = await navigator.gpu.requestAdapter();
        const device = await adapter.requestDevice({ requiredFeatures: ['timestamp-query'] });
        const timer = await Passtime.attach(device);
        const capture = await timer.capture();
        while (capture.frames < 5) {
          const encoder = device.createCommandEncoder();
          encoder.beginComputePass({ timestampWrites: timer.pass('nothing much') }).end();
          device.queue.submit([encoder.finish()]);
          timer.frame();
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        return Array.from(new Uint8Array(await (await capture.stop()).arrayBuffer()));
      });
      const path = join(temporary, 'classic.perfetto-trace');
      writeFileSync(path, Uint8Array.from(bytes));
      assert.deepEqual(reportOf(path).contexts[0].passes.map((pass) => pass.name), ['nothing much']);
      assert.deepEqual(seen, []);
    } finally {
      await page.close();
    }
  });

  test('looks (screenshots only where asked for)', { skip: !SHOTS }, async () => {
    mkdirSync(SHOTS, { recursive: true });
    const looks = {
      light: { viewport: { width: 900, height: 820 }, colorScheme: 'light' },
      dark: { viewport: { width: 900, height: 820 }, colorScheme: 'dark' },
      phone: { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2 },
    };
    for (const [name, options] of Object.entries(looks)) {
      await withPage(options, async (page) => {
        await page.locator('.capture').click();
        await runs(page);
        await some(page, 20);
        await page.screenshot({ path: `${SHOTS}/capture-${name}-runs.png` });
        await Promise.all([page.waitForEvent('download', WAIT), page.locator('.capture').click()]);
        await page.waitForTimeout(400);
        await page.screenshot({ path: `${SHOTS}/capture-${name}-saved.png` });
      });
    }
  });
});
