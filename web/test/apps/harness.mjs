// SPDX-License-Identifier: MIT
/** Runs the pages of this folder and says what must hold of each, with Passtime and without. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../serve.mjs';

const PATIENCE_MS = 180000; // a software renderer on a busy machine
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Serves the package, these pages and the libraries as npm has them. */
export const serveApps = () => startServer({
  roots: { '/dist/': folder('../../dist/'), '/apps/': folder('./'), '/npm/': folder('../../node_modules/') },
});

/** What a page said: addresses of objects differ from run to run, and Chromium tells of slow reads when it likes. */
function recordConsole(page) {
  const said = [];
  page.on('pageerror', (error) => said.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text().replace(/0x[0-9a-f]+/g, '0x…');
    if (!text.includes('GPU stall due to ReadPixels')) said.push(`${message.type()}: ${text}`);
  });
  return said;
}

/**
 * @param {import('playwright-core').Browser} browser @param {string} origin @param {string} app
 * @param {'module' | 'classic' | 'none'} us how Passtime is loaded
 */
export async function visit(browser, origin, app, us) {
  const page = await browser.newPage();
  try {
    const said = recordConsole(page);
    await page.goto(`${origin}apps/page.html?app=${app}&us=${us}`);
    await page.waitForFunction(() => globalThis.outcome !== null, null, { timeout: PATIENCE_MS, polling: 100 });
    const outcome = await page.evaluate(() => globalThis.outcome);
    assert.equal(outcome.failed, undefined, `${app}, Passtime: ${us}: ${outcome.failed}`);
    return { ...outcome, said };
  } finally {
    await page.close();
  }
}

/** What the page drew and said is what it draws and says alone. */
export function assertUnnoticed(alone, timed) {
  assert.equal(timed.pixels, alone.pixels);
  assert.deepEqual(timed.said, alone.said);
  assert.deepEqual(timed.perFrame, alone.perFrame);
  assert.deepEqual(timed.glErrors, alone.glErrors);
  for (const run of [alone, timed]) assert.deepEqual([run.uncaptured, run.lost], [[], []]);
  assert.deepEqual(timed.status.errors, []);
}

const summed = (list) => list.reduce((sum, value) => sum + value, 0);

/** Every pass that was begun while it was counted stands in the ledger, once. */
export function assertCounted({ before, after }) {
  assert.equal(after.books.length, 1);
  const [from] = before.books;
  const [to] = after.books;
  const began = after.gpu.passes + after.gl.passes - before.gpu.passes - before.gl.passes;
  assert.ok(began > 0);
  assert.equal(to.passesRecorded - from.passesRecorded, began);
  for (const book of [from, to]) assert.equal(summed(Object.values(book.verdicts)) + book.passesInFlight, book.passesRecorded);
  // Frames that are complete, incomplete or without data hold all passes: none was skipped meanwhile.
  assert.deepEqual(to.fates.slice(3), from.fates.slice(3));
}

/** Times of every frame add up and lie within what the CPU saw. */
export function assertAddsUp({ frames, report }, { count, passes, quantumNs = 0 }) {
  assert.equal(frames.length, count);
  for (const frame of frames) {
    const place = `frame ${frame.number}: ${JSON.stringify(frame)}`;
    assert.deepEqual([frame.fate, frame.samples.length], ['complete', passes], place);
    for (const { durationNs, attributedNs, exclusiveNs, beginNs, endNs } of frame.samples) {
      for (const ns of [durationNs, attributedNs, exclusiveNs]) assert.ok(Number.isFinite(ns) && ns >= 0, place);
      assert.ok(attributedNs <= durationNs && exclusiveNs <= durationNs, place);
      if (beginNs !== null) assert.equal(endNs - beginNs, durationNs, place);
    }
    assert.equal(summed(frame.samples.map((sample) => sample.attributedNs)), frame.busyNs, place);
    assert.equal(summed(frame.samples.map((sample) => sample.exclusiveNs)), frame.sumNs, place);
    if (frame.spanNs !== null) assert.ok(frame.busyNs <= frame.spanNs, place);
    const envelope = frame.seenNs - frame.cpuBeginNs + 2 * quantumNs;
    assert.ok((frame.spanNs ?? frame.busyNs) <= envelope, place);
  }
  const [context] = report.contexts;
  assert.ok(Math.abs(summed(context.passes.map((pass) => pass.share)) - 1) < 1e-9);
  return context;
}
