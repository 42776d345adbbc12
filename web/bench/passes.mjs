// SPDX-License-Identifier: MIT
/** What a pass and a frame cost: all variants by turns, in random order, in node and in Chromium. */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startServer } from '../serve.mjs';
import { launch, missing } from '../test/browser.mjs';
import { differences, median, shuffled } from './stats.mjs';
import { PASSES, VARIANTS } from './variants.js';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const NAMES = Object.keys(VARIANTS);
const HEAP_FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
/** Variants that map a buffer each frame, and so were bracketed. */
const maps = (name) => !/untimed|again|[oO]ff$/.test(name);

/** @typedef {{call: (name: string, method: string, ...args: unknown[]) => Promise<unknown>, garbage: string, cpuMs: () => Promise<number | null>, close: () => Promise<void>}} Host */

/** Processes of node, one a variant. @returns {Promise<Host>} */
async function nodeHost() {
  const icd = '/usr/lib/chromium/vk_swiftshader_icd.json';
  if (!existsSync(icd)) throw new Error(`${icd} is not there`);
  const env = { XDG_RUNTIME_DIR: '/tmp', ...process.env, VK_ICD_FILENAMES: icd, VK_DRIVER_FILES: icd };
  const children = {};
  const answer = (child) => new Promise((resolve, reject) => {
    child.once('message', ({ result }) => resolve(result));
    child.once('exit', (code) => reject(new Error(`a process of node ended with ${code}`)));
  });
  for (const name of NAMES) {
    children[name] = fork(folder('node-realm.mjs'), [name], { env, execArgv: HEAP_FLAGS });
    await answer(children[name]);
    children[name].removeAllListeners('exit');
  }
  return {
    async call(name, method, ...args) {
      const child = children[name];
      child.send({ call: method, args });
      const result = await answer(child);
      child.removeAllListeners('exit');
      return result;
    },
    garbage: 'garbageOfCalls', // dawn.node makes garbage while it waits
    cpuMs: async () => null,
    async close() {
      for (const child of Object.values(children)) child.send({ call: 'end' });
    },
  };
}

export const HEADERS = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
export const serveBench = () => startServer({
  headers: HEADERS, // they make performance.now() finer
  roots: { '/dist/': folder('../dist/'), '/bench/': folder('./'), '/npm/': folder('../node_modules/'), '/apps/': folder('../test/apps/') },
});
export const CHROMIUM_FLAGS = ['--enable-precise-memory-info', `--js-flags=${HEAP_FLAGS.join(' ')}`];

/** Frames of one page in one Chromium, one a variant. @returns {Promise<Host>} */
async function chromiumHost() {
  if (missing) throw new Error(missing);
  const server = await serveBench();
  const browser = await launch({ args: CHROMIUM_FLAGS });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`bench: ${error.message}`));
  await page.goto(`${server.url}bench/page.html`);
  await page.evaluate(() => globalThis.ready);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    garbage: 'garbage',
    call: (name, method, ...args) => page.evaluate(
      ([variant, which, list]) => globalThis.realms[variant][which](...list), [name, method, args]),
    /** CPU time that the tasks of the page's main thread have taken. */
    async cpuMs() {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Blocks of one round, each variant once in random order, for one kind of pass. */
async function round(host, kind, { frames }, seen) {
  for (const name of shuffled(NAMES)) {
    const { recordUs, restUs } = await host.call(name, 'time', kind, frames, maps(name));
    seen[name].passUs.push(recordUs + restUs);
    seen[name].recordUs.push(recordUs);
    const before = await host.cpuMs();
    if (before !== null) {
      await host.call(name, 'frames', kind, frames);
      seen[name].threadUs.push(1000 * (await host.cpuMs() - before) / frames);
    }
    seen[name].bytes.push(await host.call(name, host.garbage, kind, frames, maps(name)));
  }
}

function summary(seen) {
  const rows = {};
  for (const name of NAMES) {
    const over = (field, scale) => median(differences(seen[name][field], seen.untimed[field], scale));
    rows[name] = {
      title: VARIANTS[name].title,
      usAPass: over('passUs', 1 / PASSES), recordUsAPass: over('recordUs', 1 / PASSES),
      threadUsAFrame: over('threadUs', 1), bytesAFrame: over('bytes', 1),
    };
  }
  const rounds = seen.untimed.passUs.length;
  const base = Object.fromEntries(['passUs', 'threadUs', 'bytes'].map((field) => [field, median(seen.untimed[field])]));
  return { rounds, rows, base: { usAPass: base.passUs && base.passUs.median / PASSES, threadUsAFrame: base.threadUs?.median ?? null, bytesAFrame: base.bytes?.median ?? null } };
}

/** Frames of ours that were not timed whole would make it look cheap. */
function assertTimed(name, proof) {
  if (proof.errors.length > 0) throw new Error(`${name}: WebGPU said ${proof.errors[0]}`);
  if (!proof.frames || /Off$|off/.test(name)) return;
  const { complete, seen } = proof.frames;
  if (complete < 0.98 * seen - 20) throw new Error(`${name}: only ${complete} of ${seen} frames were timed whole: ${JSON.stringify(proof)}`);
}

/**
 * @param {'node' | 'chromium'} where
 * @param {{rounds: number, minutes: number, frames: number, warm: number, say: (text: string) => void}} how
 */
export async function measurePasses(where, how) {
  const host = await (where === 'node' ? nodeHost() : chromiumHost());
  try {
    for (const name of NAMES) await host.call(name, 'start', how.warm);
    const seen = {};
    const kinds = ['compute', 'render'];
    for (const kind of kinds) {
      seen[kind] = Object.fromEntries(NAMES.map((name) => [name, { passUs: [], recordUs: [], threadUs: [], bytes: [] }]));
    }
    const end = performance.now() + how.minutes * 60000;
    for (let i = 0; i < how.rounds && performance.now() < end; i++) {
      for (const kind of kinds) await round(host, kind, how, seen[kind]);
      how.say(`${where}: round ${i + 1} of ${how.rounds}`);
    }
    for (const name of NAMES) assertTimed(name, await host.call(name, 'proof'));
    return Object.fromEntries(kinds.map((kind) => [kind, summary(seen[kind])]));
  } finally {
    await host.close();
  }
}
