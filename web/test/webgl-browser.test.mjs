// SPDX-License-Identifier: MIT
// WebGL in a real browser: the same page with and without us, its times against hand-written queries.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { launch, missing, watch } from './browser.mjs';

const root = new URL('../', import.meta.url);
const FRAMES = 24;
const TYPES = { js: 'text/javascript', html: 'text/html' };

/** Serves the package and an empty page. */
async function serve() {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.slice(1);
    try {
      const body = path === '' ? '<!doctype html><title>page</title><link rel=icon href=data:,>' : await readFile(new URL(path, root));
      response.writeHead(200, { 'content-type': TYPES[path.split('.').pop()] ?? TYPES.html });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('WebGL in a browser', { skip: missing ?? false }, () => {
  let server;
  let browser;
  let origin;

  before(async () => {
    server = await serve();
    origin = `http://127.0.0.1:${server.address().port}/`;
    browser = await launch({ args: ['--js-flags=--expose-gc'] });
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  /** A page with our hooks (or without), and the scene below loaded into it. */
  async function open(hooks) {
    const page = await browser.newPage();
    const seen = watch(page);
    await page.goto(origin);
    if (hooks) await page.evaluate(() => import('/dist/auto.js').then(({ Passtime }) => { globalThis.Passtime = Passtime; }));
    await page.addScriptTag({ path: new URL('webgl-scene.js', import.meta.url).pathname });
    return { page, seen };
  }

  for (const kind of ['webgl', 'webgl2']) {
    test(`${kind}: pixels, errors and console are the same with and without us`, async () => {
      const results = [];
      for (const hooks of [false, true]) {
        const { page, seen } = await open(hooks);
        const said = [];
        // One reason differs, given for what the page may not ask: the extension is on, for us.
        page.on('console', (message) => said.push(message.text().replace(/, EXT_\w+ not enabled/, '')));
        const result = await page.evaluate((k) => globalThis.compare(k), kind);
        results.push({ ...result, said: said.filter((line) => !line.includes('stall due to ReadPixels')) });
        assert.deepEqual(seen, []);
        await page.close();
      }
      assert.deepEqual(results[1], results[0]);
      assert.ok(results[0].pixels.some((value) => value !== 0 && value !== 255));
      assert.ok(results[0].errors.includes(0x502) && results[0].errors.includes(0x500));
    });

    test(`${kind}: every pass is timed, more work takes longer, and times agree with the page's own queries`, async () => {
      const { page, seen } = await open(true);
      const result = await page.evaluate(([k, frames]) => globalThis.measure(k, frames), [kind, FRAMES]);
      const { report, own } = result;
      const context = report.contexts.find((c) => c.api === (kind === 'webgl' ? 'webgl1' : 'webgl2'));
      const byName = Object.fromEntries(context.passes.map((p) => [p.name, p]));
      const names = ['framebuffer 1 128x128 RGBA8', 'framebuffer 2 128x128 RGBA8', 'canvas'];
      assert.deepEqual(Object.keys(byName).sort(), names.slice().sort());
      for (const name of names) {
        assert.equal(byName[name].count, FRAMES, name);
        assert.deepEqual(byName[name].rejected, {}, name);
      }
      assert.equal(context.method, 'elapsed');
      assert.equal(context.frames.complete, FRAMES);
      const [light, heavy] = names.map((name) => byName[name].p50_ns);
      assert.ok(heavy > 4 * light, `${heavy} against ${light}: sixteen times the work`);
      assert.ok(Math.abs(Math.log(heavy / own.heavy)) < Math.log(2), `${heavy} against the page's own ${own.heavy}`);
      assert.deepEqual(result.errors, []);
      assert.deepEqual(seen, []);
      await page.close();
    });

    test(`${kind}: context lost and restored`, async () => {
      const { page, seen } = await open(true);
      const result = await page.evaluate((k) => globalThis.loseAndRestore(k), kind);
      assert.equal(result.lost, 'lost');
      assert.equal(result.restored, 'timing');
      assert.ok(result.before > 0 && result.after > result.before, JSON.stringify(result));
      assert.deepEqual(result.errors, []);
      assert.deepEqual(seen.filter((line) => !line.includes('CONTEXT_LOST')), []);
      await page.close();
    });
  }

  test('a worker that imports the module is timed', async () => {
    const page = await browser.newPage();
    const seen = watch(page);
    await page.goto(origin);
    const report = await page.evaluate(() => globalThis.eval('new Promise((done, fail) => {'
      + 'const worker = new Worker("/test/webgl-worker.js", { type: "module" });'
      + 'worker.onmessage = ({ data }) => { worker.terminate(); done(data); };'
      + 'worker.onerror = (event) => fail(new Error(event.message)); })'));
    assert.equal(report.contexts.length, 1);
    assert.equal(report.contexts[0].passes.length, 2);
    for (const pass of report.contexts[0].passes) assert.ok(pass.count >= 10, JSON.stringify(pass));
    assert.deepEqual(seen, []);
    await page.close();
  });

  test('contexts that the page drops are not kept alive', async () => {
    const { page } = await open(true);
    const left = await page.evaluate(() => globalThis.dropContexts(12));
    assert.ok(left < 12, `${left} of 12 contexts are still held`);
    await page.close();
  });
});
