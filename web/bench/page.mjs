// SPDX-License-Identifier: MIT
/**
 * What the hooks of `passtime page` cost a page, and how soon it measures (`make bench-page`). Two
 * documents of one browser, one with the hooks and one without, run blocks of frames by turns.
 * Usage: node bench/page.mjs [--json] [--quick]; the command is PASSTIME_BIN, or build/passtime.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { launch, missing } from '../test/browser.mjs';
import { frameKit } from './hooked-page.mjs';
import { median, show, table } from './stats.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const BINARY = process.env.PASSTIME_BIN ?? file('../../build/passtime');
const FEED = process.env.PASSTIME_BENCH_PAGE ?? file('../../build/passtime_bench_page');
const SCRIPT = readFileSync(file('../../src/page/inject.js'), 'utf8');
const PASSES = 100;
const LOOPS = 100;

async function serve() {
  const html = readFileSync(file('hooked.html'));
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** A document of its own process, as the command makes one. */
async function open(browser, url, isHooked) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sent = { texts: 0, bytes: 0 };
  if (isHooked) {
    const session = await context.newCDPSession(page);
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: 'passtimeBench' });
    session.on('Runtime.bindingCalled', ({ payload }) => {
      sent.texts++;
      sent.bytes += payload.length;
    });
    await page.addInitScript(`(${SCRIPT.replace(/;\s*$/, '')})({"binding":"passtimeBench","maxPasses":1024,"framesInFlight":8})`);
  }
  await page.goto(url);
  await page.evaluate(frameKit);
  await page.evaluate(([passes, loops]) => globalThis.makeFrames(passes, loops), [PASSES, LOOPS]);
  return { page, sent };
}

/** What all of the browser's processes have computed so far, in ms: on a software adapter the GPU's work too. */
async function computedMs(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return 1000 * processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** One after the other, by turns, and the other way round the next time. */
async function measureHooks({ rounds, frames }) {
  const server = await serve();
  const browser = await launch({ args: ['--disable-frame-rate-limit', '--disable-gpu-vsync', '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows'] });
  const sides = { without: await open(browser, server.url, false), hooked: await open(browser, server.url, true) };
  const session = await browser.newBrowserCDPSession();
  const ratios = [];
  const computed = { ratios: [], without: [] };
  const without = [];
  const records = { without: [], hooked: [] };
  for (let round = -2; round < rounds; round++) {
    const found = {};
    const order = round % 2 === 0 ? ['without', 'hooked', 'hooked', 'without'] : ['hooked', 'without', 'without', 'hooked'];
    for (const side of order) {
      await sides[side].page.bringToFront();
      const before = await computedMs(session);
      const block = await sides[side].page.evaluate((count) => globalThis.block(count), frames);
      block.computedMs = (await computedMs(session) - before) / frames;
      (found[side] ??= []).push(block);
    }
    if (round < 0) continue; // to warm up
    const mean = (side, key) => (found[side][0][key] + found[side][1][key]) / 2;
    ratios.push(100 * (mean('hooked', 'frameMs') / mean('without', 'frameMs') - 1));
    without.push(mean('without', 'frameMs'));
    computed.ratios.push(100 * (mean('hooked', 'computedMs') / mean('without', 'computedMs') - 1));
    computed.without.push(mean('without', 'computedMs'));
    for (const side of ['without', 'hooked']) records[side].push(1000 * mean(side, 'recordMs'));
  }
  const { sent } = sides.hooked;
  await browser.close();
  await server.close();
  if (sent.texts === 0) throw new Error('the hooked document sent nothing: its passes were not timed');
  return {
    frameMs: median(without), addedPercent: median(ratios),
    computedMs: median(computed.without), computedPercent: median(computed.ratios), recordUs: median(records.without), recordHookedUs: median(records.hooked),
    addedRecordUs: median(records.hooked.map((us, i) => us - records.without[i])),
    bytesAFrame: sent.bytes / ((rounds + 2) * 2 * frames), rounds, frames, passes: PASSES,
  };
}

/** From the start of the browser to the first frame that was judged. */
async function measureStart(runs) {
  if (!existsSync(BINARY)) return null;
  const url = `file://${file('first.html')}`;
  const seconds = [];
  for (let i = 0; i < runs; i++) {
    const { status, stdout, stderr } = spawnSync(BINARY, ['page', file('first.html'), '--software', '--frames', '1', '--warmup', '0', '--json'], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`passtime page ${url} ended with ${status}: ${stderr}`);
    seconds.push(JSON.parse(stdout).page.first_frame_ns / 1e9);
  }
  return median(seconds);
}

/** Frames fed to the collector, by a program of the C build. */
function measureFeed(frames) {
  return existsSync(FEED) ? JSON.parse(execFileSync(FEED, [`${frames}`], { encoding: 'utf8' })) : null;
}

const args = process.argv.slice(2);
const quick = args.includes('--quick');
if (missing) {
  console.error(`bench: ${missing}`);
  process.exit(1);
}
const hooks = await measureHooks(quick ? { rounds: 4, frames: 20 } : { rounds: 25, frames: 60 });
const start = await measureStart(quick ? 2 : 9);
const feed = measureFeed(quick ? 20000 : 1000000);
if (args.includes('--json')) {
  console.log(JSON.stringify({ hooks, start, feed }, null, 1));
} else {
  console.log(table([`a page's frame of ${hooks.passes} passes`, 'median (95 %)'], [
    ['frame without the hooks, ms', show(hooks.frameMs, 2)],
    ['the hooks add to it, %', show(hooks.addedPercent, 2)],
    ['computing for it, all processes, ms', show(hooks.computedMs, 2)],
    ['the hooks add to that, %', show(hooks.computedPercent, 2)],
    ['recording it without, us', show(hooks.recordUs, 0)],
    ['the hooks add to that, us', show(hooks.addedRecordUs, 0)],
    ['sent, bytes a frame', hooks.bytesAFrame.toFixed(0)],
    ['start to the first frame, s', start ? show(start, 2) : `- (${BINARY} is not there)`],
    ['collector, us a frame', feed ? feed.us_a_frame.toFixed(1) : `- (${FEED} is not there)`],
    ['collector, bytes after 10,000 frames', feed ? `${feed.bytes_early}` : '-'],
    [`collector, bytes after ${feed?.frames ?? 0} frames`, feed ? `${feed.bytes}` : '-'],
    ['resident, bytes more by then', feed ? `${feed.resident_growth}` : '-'],
  ]));
}
process.exit(0);
