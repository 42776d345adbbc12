// SPDX-License-Identifier: MIT
/** Runs the pages of this folder and says what must hold of each, with Passtime and without. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../serve.mjs';

/** Frames that are counted, unless a test wants another number. */
export const FRAMES = 6;
const TRIES = 3;
const PATIENCE_MS = 180000; // a software renderer on a busy machine
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Serves the package, these pages and the libraries as npm has them. */
export const serveApps = () => startServer({
  roots: { '/dist/': folder('../../dist/'), '/apps/': folder('./'), '/npm/': folder('../../node_modules/') },
});

/** A device that can't be made is told in one of two ways, as it comes; with us or without. */
const NO_DEVICE = /^(Device failed at creation\.|Failed to create device:)[^]*$/;

/** What a page said: addresses of objects differ from run to run, and Chromium tells of slow reads when it likes. */
function recordConsole(page) {
  const said = [];
  page.on('pageerror', (error) => said.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text().replace(/0x[0-9a-f]+/g, '0x…').replace(NO_DEVICE, 'no device could be made');
    if (!text.includes('GPU stall due to ReadPixels')) said.push(`${message.type()}: ${text}`);
  });
  return said;
}

/**
 * On a machine with many times more to do than it can, Chromium now and then refuses a blit between two
 * framebuffers as one from a framebuffer to itself. Where the page's own calls show that there was none, the
 * run says nothing about the page.
 */
const isUpset = ({ said, feedbackBlits }) => feedbackBlits === 0 && said.some((line) => line.includes('Blit feedback loop'));

/** Visits once more where the browser was upset, and says so. */
export async function visit(browser, origin, what) {
  for (let tries = 1; ; tries++) {
    const outcome = await visitOnce(browser, origin, what);
    if (!isUpset(outcome) || tries === TRIES) return outcome;
    console.log(`${what.app}, Passtime: ${what.us ?? 'module'}: repeated, since Chromium refused a blit that was right`);
  }
}

/**
 * @param {import('playwright-core').Browser} browser @param {string} origin
 * @param {{app: string, us?: 'module' | 'classic' | 'none', where?: 'page' | 'worker', frames?: number}} what
 */
async function visitOnce(browser, origin, { app, us = 'module', where = 'page', frames = FRAMES }) {
  const page = await browser.newPage();
  try {
    const said = recordConsole(page);
    await page.goto(`${origin}apps/page.html?${new URLSearchParams({ app, us, where, frames })}`);
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
  for (const part of ['said', 'perFrame', 'glErrors', 'uncaptured', 'lost']) assert.deepEqual(timed[part], alone[part], part);
  assert.deepEqual(alone.uncaptured, []);
  assert.deepEqual(timed.status.errors, []);
}

const summed = (list) => list.reduce((sum, value) => sum + value, 0);

/** Every pass that was begun while it was counted stands in the ledgers, once. */
export function assertCounted({ before, after }) {
  const began = after.passes - before.passes;
  const recorded = ({ books }) => summed(books.map((book) => book.passesRecorded));
  assert.ok(began > 0);
  assert.equal(recorded(after) - recorded(before), began);
  for (const book of [...before.books, ...after.books]) {
    assert.equal(summed(Object.values(book.verdicts)) + book.passesInFlight, book.passesRecorded);
  }
  // Frames that are complete, incomplete or without data hold all passes: none was skipped meanwhile.
  const skipped = ({ books }) => books.map((book) => book.fates.slice(3));
  assert.deepEqual(skipped(after), skipped(before));
}

/** Frames are whole, and so many passes long. */
export function assertWhole(frames, { count, passes }) {
  assert.equal(frames.length, count);
  for (const { fate, samples } of frames) assert.deepEqual([fate, samples.length], ['complete', passes]);
}

/** Times of every frame add up and lie within what the CPU saw; a bad sample has no time at all. */
export function assertAddsUp({ frames, report }, { quantumNs = 0 } = {}) {
  for (const frame of frames) {
    const place = `frame ${frame.number}: ${JSON.stringify(frame)}`;
    const good = frame.samples.filter((sample) => sample.good);
    for (const { durationNs, attributedNs, exclusiveNs, beginNs, endNs } of good) {
      for (const ns of [durationNs, attributedNs, exclusiveNs]) assert.ok(Number.isFinite(ns) && ns >= 0, place);
      assert.ok(attributedNs <= durationNs && exclusiveNs <= durationNs, place);
      if (beginNs !== null) assert.equal(endNs - beginNs, durationNs, place);
    }
    for (const { good: isGood, durationNs } of frame.samples) assert.ok(isGood || durationNs === null, place);
    assert.equal(summed(good.map((sample) => sample.attributedNs)), frame.busyNs, place);
    assert.equal(summed(good.map((sample) => sample.exclusiveNs)), frame.sumNs, place);
    if (frame.spanNs !== null) assert.ok(frame.busyNs <= frame.spanNs, place);
    const envelope = frame.seenNs - frame.cpuBeginNs + 2 * quantumNs;
    assert.ok((frame.spanNs ?? frame.busyNs) <= envelope, place);
  }
  for (const { passes, frames: { complete } } of report.contexts) {
    const shares = passes.map((pass) => pass.share);
    // Shares are of whole frames: without any, there are none.
    if (complete === 0) assert.deepEqual(shares, passes.map(() => null));
    else assert.ok(Math.abs(summed(shares) - 1) < 1e-9, `shares: ${shares}`);
  }
}

/** Every series has one of these names, and each of them is there. */
export function assertNames(series, wanted) {
  const names = series.map(({ name }) => name);
  const is = (name, one) => (typeof one === 'string' ? name === one : one.test(name));
  for (const name of names) assert.ok(wanted.some((one) => is(name, one)), `'${name}' of ${names}`);
  for (const one of wanted) assert.ok(names.some((name) => is(name, one)), `${one} is not among ${names}`);
}
