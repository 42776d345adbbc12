// SPDX-License-Identifier: MIT
/** three.js's scene with bloom: frames a second alone and with Passtime, and what the open overlay takes, by turns in one Chromium. */
import { launch, missing } from '../test/browser.mjs';
import { CHROMIUM_FLAGS, serveBench } from './passes.mjs';
import { median, shuffled } from './stats.mjs';

const NAMES = ['alone', 'hooks', 'overlay'];

async function taskMs(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value;
}

/** @param {{rounds: number, minutes: number, blockMs: number, say: (text: string) => void}} how */
export async function measureScene(how) {
  if (missing) throw new Error(missing);
  const server = await serveBench();
  const browser = await launch({ args: [...CHROMIUM_FLAGS, '--disable-frame-rate-limit', '--disable-gpu-vsync'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 600 } });
    page.on('pageerror', (error) => console.error(`bench: ${error.message}`));
    await page.goto(`${server.url}bench/scene.html`);
    await page.evaluate(() => globalThis.ready);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const run = (name, ms) => page.evaluate(([which, time]) => globalThis.scenes[which].run(time), [name, ms]);
    for (const name of NAMES) await run(name, 2 * how.blockMs);
    const seen = Object.fromEntries(NAMES.map((name) => [name, { fps: [], threadUs: [] }]));
    const end = performance.now() + how.minutes * 60000;
    for (let i = 0; i < how.rounds && performance.now() < end; i++) {
      for (const name of shuffled(NAMES)) {
        const before = await taskMs(session);
        const { frames, ms } = await run(name, how.blockMs);
        seen[name].fps.push(1000 * frames / ms);
        seen[name].threadUs.push(1000 * (await taskMs(session) - before) / frames);
      }
      how.say(`scene: round ${i + 1} of ${how.rounds}`);
    }
    const over = (a, b, what) => median(seen[a].fps.map((_, n) => what(seen[a], seen[b], n)));
    const slower = (a, b, n) => 100 * (b.fps[n] / a.fps[n] - 1);
    const dearer = (a, b, n) => a.threadUs[n] - b.threadUs[n];
    return {
      rounds: seen.alone.fps.length, fps: Object.fromEntries(NAMES.map((name) => [name, median(seen[name].fps)])),
      hooksLongerPercent: over('hooks', 'alone', slower), hooksThreadUs: over('hooks', 'alone', dearer),
      overlayThreadUs: over('overlay', 'hooks', dearer),
      proof: await page.evaluate(() => globalThis.scenes.hooks.proof()),
    };
  } finally {
    await browser.close();
    await server.close();
  }
}
