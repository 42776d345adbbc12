// SPDX-License-Identifier: MIT
/**
 * Passes of 1 to 180 µs in Chromium, measured by the package as a page uses it: in a browser that
 * rounds stamps as a stock one does, in one that does not, and there once more with the page rounding
 * them. All three take turns of a few frames, so that what else runs on the machine touches all alike.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { launch } from '../test/browser.mjs';

export const TARGETS_US = [1, 5, 20, 50, 180];
export const QUANTUM_NS = 65536;
const TURN_FRAMES = 25;
const TRIAL_FRAMES = 100;
const HTML = '<!doctype html><title>truth</title><body><script type="module" src="/page.js"></script>';

async function serve() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const script = pathname.endsWith('.js');
    const file = new URL(pathname === '/page.js' ? './page.js' : `../dist${pathname}`, import.meta.url);
    const body = script ? await readFile(file).catch(() => '') : HTML;
    response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The side of a square whose clear takes `us`, on the line between the two measured nearest to it. */
function sideFor(us, sides, lengths) {
  const found = lengths.findIndex((length) => length >= us);
  const high = found < 0 ? sides.length - 1 : Math.max(found, 1);
  const [from, to] = [sides[high - 1] ** 2, sides[high] ** 2];
  const area = from + ((us - lengths[high - 1]) * (to - from)) / Math.max(lengths[high] - lengths[high - 1], 1e-3);
  return Math.round(Math.sqrt(Math.min(Math.max(area, 16 ** 2), 2048 ** 2)));
}

/** Three pages in two browsers, or as many as could be opened when it failed. */
export class Trial {
  constructor() {
    this.browsers = [];
    this.pages = {};
    this.turn = 0;
  }

  /** Opens all and finds the work that lasts as long as wanted. */
  async open() {
    this.server = await serve();
    const [stock, exact] = [await this.browser(true), await this.browser(false)];
    this.pages.rounded = await this.page(stock, '');
    this.pages.exact = await this.page(exact, '');
    this.pages.same = await this.page(exact, '?round');
    this.adapter = await this.pages.exact.evaluate('trial.adapter');
    await this.calibrate();
  }

  async browser(quantized) {
    const browser = await launch({ quantized });
    this.browsers.push(browser);
    return browser;
  }

  async page(browser, search) {
    const page = await browser.newPage();
    await page.goto(this.server.url + search);
    await page.waitForFunction('document.body.dataset.state === "ready"', null, { timeout: 60000 });
    return page;
  }

  async close() {
    for (const browser of this.browsers) await browser.close();
    this.server?.close();
  }

  /** The median lengths of passes that do `works`, in microseconds, exact. */
  async lengths(works) {
    const { exact } = this.pages;
    await exact.evaluate((list) => trial.set(list), works);
    await exact.evaluate(() => trial.run(10));
    await exact.evaluate(() => trial.reset());
    await exact.evaluate((frames) => trial.run(frames), TRIAL_FRAMES);
    return (await exact.evaluate(() => trial.figures())).stats.map((stats) => stats.p50Ns / 1000);
  }

  /** A pass with nothing in it is the nearest to 1 µs; clears last by their area. */
  async calibrate() {
    const sides = [64, 256, 512, 768];
    const [, ...lengths] = await this.lengths([{}, ...sides.map((side) => ({ side }))]);
    this.works = TARGETS_US.map((us, i) => (i === 0 ? {} : { side: sideFor(us, sides, lengths) }));
    for (const page of Object.values(this.pages)) await page.evaluate((list) => trial.set(list), this.works);
    await this.frames(100);
  }

  /** So many frames of each page, by turns; who is first changes. */
  async frames(count) {
    for (let done = 0; done < count; done += TURN_FRAMES) {
      const pages = Object.values(this.pages);
      const first = this.turn++ % pages.length;
      for (let i = 0; i < pages.length; i++) {
        await pages[(first + i) % pages.length].evaluate((frames) => trial.run(frames), Math.min(TURN_FRAMES, count - done));
      }
    }
  }

  /** Figures of one block of frames: of each page, those of the five passes. */
  async block(count) {
    for (const page of Object.values(this.pages)) {
      await page.evaluate(() => trial.figures()); // nothing of the last block may come back in this one
      await page.evaluate(() => trial.reset());
    }
    await this.frames(count);
    const block = {};
    for (const [name, page] of Object.entries(this.pages)) block[name] = await page.evaluate(() => trial.figures());
    return block;
  }
}

/** Half the 95 % interval that was told; null: none was. */
export function reach(stats) {
  return stats.ciLowNs === null ? null : (stats.ciHighNs - stats.ciLowNs) / 2;
}

/** Two means in their own errors: how many of the errors of their difference they are apart. */
export function errorsApart(a, b) {
  return Math.abs(a.meanNs - b.meanNs) / Math.hypot(a.seNs, b.seNs);
}
