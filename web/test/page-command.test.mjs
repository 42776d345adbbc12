// SPDX-License-Identifier: MIT
/**
 * `passtime page` on pages that it does not change: what it counts is what they counted themselves, and
 * they draw what they draw without it. The command is PASSTIME_BIN, or build/passtime.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildSite } from '../pages/build.mjs';
import { launch, missing } from './browser.mjs';
import { measure, noCommand, serveSubjects } from './page-harness.mjs';

const PATIENCE_MS = 180000;
const summed = (list) => list.reduce((sum, value) => sum + value, 0);
const passesOf = (context) => summed(Object.values(context.ledger));
const skip = missing ?? noCommand ?? false;

/** Everything that a page drew before it was done. */
const whole = ['--software', '--wait', '#done', '--seconds', '1', '--warmup', '0'];

describe('passtime page', { skip, timeout: 1800000 }, () => {
  let server;
  let other;
  before(async () => {
    buildSite();
    server = await serveSubjects();
    other = await serveSubjects();
  });
  after(async () => {
    await server?.close();
    await other?.close();
  });

  /** A run on one subject, with what the subject told. */
  async function visit(path, args = whole, code = 0) {
    server.told.length = other.told.length = 0;
    const run = await measure([server.url + path, ...args], { timeoutMs: PATIENCE_MS });
    const place = `${path}: exit ${run.code}\n${run.err}\n${run.out.slice(0, 6000)}`;
    assert.deepEqual(run.left, { processes: [], files: [] }, place);
    assert.ok(!run.timedOut, place);
    assert.equal(run.code, code, place);
    assert.ok(run.report, place);
    assert.equal(run.report.left_out.messages_malformed, 0, place);
    assert.equal(run.report.left_out.messages_unknown, 0, place);
    return { ...run, told: [...server.told, ...other.told], place };
  }

  /** All frames are there, and all passes of those that were timed; every pass of theirs is good. */
  function assertCounted({ report, told, place }, { passes, names = 3, kind = 'page' }) {
    const [context] = report.contexts;
    const [counts] = told;
    assert.equal(report.contexts.length, 1, place);
    const { seen, skipped } = context.frames;
    assert.equal(seen, counts.frames, place);
    assert.equal(seen * passes, counts.passes, place);
    assert.equal(passesOf(context), (seen - skipped) * passes, place);
    assert.deepEqual(context.passes.map(({ name }) => name).sort(), Array.from({ length: names }, (_, i) => `pass ${i}`).sort(), place);
    const realm = report.realms.find(({ id }) => id === context.realm);
    assert.deepEqual([realm.kind, realm.status, realm.webgpu], [kind, 'hooked', 'hooked'], place);
    return context;
  }

  test('a page with three passes a frame: all counted, all timed', async () => {
    const run = await visit('page/passes.html?passes=3&frames=60');
    const context = assertCounted(run, { passes: 3 });
    assert.equal(context.label, 'subject');
    assert.equal(context.api, 'webgpu');
    for (const pass of context.passes) assert.ok(pass.count >= 50 && pass.mean_ns > 0, run.place);
    const { console_errors: errors, exceptions, dialogs } = run.report.page;
    assert.deepEqual([errors, exceptions, dialogs], [0, 0, 0], run.place);
  });

  test('a policy without wasm and eval', async () => {
    const run = await visit('page/passes.html?csp=1&passes=3&frames=40');
    assertCounted(run, { passes: 3 });
  });

  test('300 passes a frame', async () => {
    const run = await visit('page/passes.html?passes=300&names=5&frames=40');
    const context = assertCounted(run, { passes: 300, names: 5 });
    for (const pass of context.passes) assert.ok(pass.count >= 60 * 20, `${pass.name}: ${pass.count}`);
  });

  const kinds = { blob: 'worker', url: 'worker', module: 'worker', shared: 'shared worker', service: 'service worker' };
  for (const [how, kind] of Object.entries(kinds)) {
    test(`a worker: ${how}`, async () => {
      const run = await visit(`page/worker.html?how=${how}&passes=3&frames=40`);
      assertCounted(run, { passes: 3, kind });
    });
  }

  test('a frame of another origin', async () => {
    const src = encodeURIComponent(`${other.url}page/passes.html?passes=3&frames=40`);
    const run = await visit(`page/frame.html?src=${src}`, ['--software', '--frames', '25', '--warmup', '0']);
    const [context] = run.report.contexts;
    const realm = run.report.realms.find(({ id }) => id === context.realm);
    assert.deepEqual([realm.kind, realm.status], ['frame', 'hooked'], run.place);
    assert.ok(realm.url.startsWith(other.url), run.place);
    assert.ok(context.frames.complete >= 25, run.place);
  });

  test('a page that reloads itself: each document counts', async () => {
    const run = await visit('page/reload.html?times=2&passes=3&frames=25', ['--software', '--seconds', '8', '--warmup', '0']);
    assert.equal(run.report.page.navigations, 2, run.place);
    const frames = summed(run.report.contexts.map((context) => context.frames.seen));
    // The last batch of a document that goes may go with it.
    const told = summed(run.told.map((counts) => counts.frames));
    assert.ok(frames <= told && frames >= told - 3 * 8, `${frames} of ${told} frames\n${run.place}`);
  });

  test('a page that never ends loading is measured, and it is said', async () => {
    const run = await visit('page/trouble.html?kind=loading&passes=3&frames=1000000', ['--software', '--frames', '20']);
    assert.equal(run.report.page.loaded, false, run.place);
    assert.ok(run.report.contexts[0].frames.complete >= 20, run.place);
  });

  test('dialogs are dismissed and counted', async () => {
    const run = await visit('page/trouble.html?kind=alert&passes=3&frames=30');
    assertCounted(run, { passes: 3 });
    assert.equal(run.report.page.dialogs, 3, run.place);
  });

  test('errors of the page are counted and shown; they are the page\'s', async () => {
    const run = await visit('page/trouble.html?kind=errors&passes=3&frames=30');
    assertCounted(run, { passes: 3 });
    const { console_errors: errors, exceptions, messages } = run.report.page;
    assert.deepEqual([errors, exceptions], [1, 2], run.place);
    assert.deepEqual(messages.map(({ text }) => /(a console error|an exception|a rejection)/.exec(text)?.[1]).sort(),
      ['a console error', 'a rejection', 'an exception'], run.place);
  });

  test('devices and contexts that leak: those that are kept are right, the others are said to be left out', async () => {
    const run = await visit('page/trouble.html?kind=leaks&frames=40');
    const { contexts, left_out: left } = run.report;
    assert.ok(contexts.length > 10, run.place);
    assert.ok(contexts.length + left.contexts_left_out <= 80 && left.contexts_left_out >= 10, run.place);
    for (const context of contexts.filter(({ api }) => api === 'webgpu')) {
      assert.ok(context.frames.seen <= 3 && passesOf(context) === context.frames.seen - context.frames.skipped, run.place);
    }
  });

  for (const [kind, wanted] of [['own', 'own'], ['nothing', 'hooked']]) {
    test(`no GPU work (${kind}): exit 3, and the realm says what it is`, async () => {
      const run = await visit(`page/trouble.html?kind=${kind}`, whole, 3);
      const realm = run.report.realms.find(({ main }) => main);
      assert.equal(realm.webgpu, wanted, run.place);
      assert.equal(run.report.contexts.length, 0, run.place);
    });
  }

  describe('unmodified libraries', () => {
    let browser;
    before(async () => {
      browser = await launch();
    });
    after(() => browser?.close());

    /** What the page tells without us. */
    async function alone(path) {
      server.told.length = 0;
      const page = await browser.newPage();
      const said = [];
      page.on('pageerror', (error) => said.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') said.push(message.text());
      });
      await page.goto(server.url + path);
      await page.waitForSelector('#done', { state: 'attached', timeout: PATIENCE_MS });
      await page.close();
      return { counts: server.told[0], said };
    }

    const apps = { 'three-webgpu': 'webgpu', 'babylon-webgpu': 'webgpu', 'babylon-timing': 'webgpu', tensorflow: 'webgpu', 'three-webgl': 'webgl2', 'babylon-webgl': 'webgl2' };
    for (const [app, api] of Object.entries(apps)) {
      test(app, async () => {
        const path = `page/app.html?app=${app}&us=none&frames=30`;
        const without = await alone(path);
        const run = await visit(path);
        const [counts] = run.told;
        assert.equal(counts.failed, undefined, run.place);
        for (const key of ['pixels', 'perFrame', 'glErrors', 'uncaptured']) assert.deepEqual(counts[key], without.counts[key], `${key}\n${run.place}`);
        assert.deepEqual([run.report.page.console_errors + run.report.page.exceptions, without.said], [0, []], run.place);
        assert.equal(run.report.contexts.length, 1, run.place);
        const [context] = run.report.contexts;
        assert.equal(context.api, api, run.place);
        // What is missing are the passes of frames that were skipped, and those are told. As a page starts, one
        // animation frame may hold the passes of two of the page's own.
        const missed = counts.passes - passesOf(context);
        const { skipped } = context.frames;
        assert.ok(missed >= skipped && missed <= skipped * 2 * Math.max(...counts.perFrame), `${missed} passes of ${skipped} frames\n${run.place}`);
        const good = context.passes.filter(({ count }) => count > 0);
        assert.ok(good.length >= 2, run.place);
        for (const pass of good) assert.ok(pass.mean_ns > 0, run.place);
      });
    }
  });

  describe('our own pages', () => {
    // They say so once they have drawn some frames.
    const drawing = ['--software', '--wait', 'body[data-state="ready"]', '--seconds', '4', '--warmup', '0'];
    // What the pages show comes of Passtime itself, beside which the command measures.
    const ours = { map: ['scatter', 'cull', 'base', 'tiles', 'compose'], passes: ['loops-64', 'loops-256', 'loops-1024'] };
    for (const [page, names] of Object.entries(ours)) {
      test(page, async () => {
        const run = await visit(`site/${page}.html`, drawing);
        const [context] = run.report.contexts;
        assert.deepEqual(context.passes.map(({ name }) => name).sort(), [...names].sort(), run.place);
        for (const pass of context.passes) assert.ok(pass.count >= 2 && pass.mean_ns > 0, run.place);
      });
    }

    test('the map by its path, from its sources', async () => {
      const cwd = fileURLToPath(new URL('../../', import.meta.url));
      const run = await measure(['web/pages/map.html', ...drawing], { cwd, timeoutMs: PATIENCE_MS });
      const place = `exit ${run.code}\n${run.err}\n${run.out.slice(0, 3000)}`;
      assert.deepEqual([run.code, run.left], [0, { processes: [], files: [] }], place);
      assert.deepEqual(run.report.contexts[0].passes.map(({ name }) => name).sort(), [...ours.map].sort(), place);
    });

    test('webgl: queries of its own go first, and it is said of each pass', async () => {
      const run = await visit('site/webgl.html', ['--software', '--seconds', '6', '--warmup', '0'], 3);
      assert.ok(run.report.contexts.length >= 1, run.place);
      for (const context of run.report.contexts) assert.ok(context.ledger.refused > 0, run.place);
    });
  });
});
