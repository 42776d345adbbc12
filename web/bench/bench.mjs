// SPDX-License-Identifier: MIT
/**
 * What Passtime costs in the browser (`make bench-web`). Usage: node bench/bench.mjs [--json] [--quick]
 * [--minutes N: the most for each part, 10]
 * [--only passes-node,passes-chromium,scene,memory]
 */
import { measureMemory } from './memory.mjs';
import { measurePasses } from './passes.mjs';
import { measureScene } from './scene.mjs';
import { show, table } from './stats.mjs';

const PARTS = {
  'passes-node': ({ quick, minutes, say }) => measurePasses('node', { rounds: quick ? 3 : 31, minutes, frames: 30, warm: quick ? 60 : 200, say }),
  'passes-chromium': ({ quick, minutes, say }) => measurePasses('chromium', { rounds: quick ? 3 : 31, minutes, frames: 24, warm: quick ? 60 : 150, say }),
  scene: ({ quick, minutes, say }) => measureScene({ rounds: quick ? 3 : 31, minutes, blockMs: quick ? 800 : 1500, say }),
  memory: ({ quick }) => measureMemory({ frames: quick ? 20000 : 216000 }),
};

function passTable(title, { rows, base }) {
  const head = [title, 'us a pass', 'of it recording', 'main thread, us a frame', 'garbage, bytes a frame'];
  const list = Object.values(rows).map((row) => [
    row.title, show(row.usAPass, 2), show(row.recordUsAPass, 2), show(row.threadUsAFrame, 0), show(row.bytesAFrame, 0)]);
  list[0] = [rows.untimed.title, base.usAPass.toFixed(2), '', base.threadUsAFrame?.toFixed(0) ?? '-', base.bytesAFrame?.toFixed(0) ?? '-'];
  return table(head, list);
}

function print(part, result) {
  if (part.startsWith('passes')) {
    const where = part.endsWith('node') ? 'dawn.node' : 'Chromium';
    for (const [kind, summary] of Object.entries(result)) console.log(`\n${passTable(`${where}, 64 ${kind} passes`, summary)}`);
    console.log(`Medians of ${result.compute.rounds} rounds with their intervals at 95 %, each above the frame that is not timed; the second row is the noise.`);
  } else if (part === 'scene') {
    const { fps } = result;
    console.log(`\n${table(['three.js with bloom, Chromium', 'frames a second'], [['alone', show(fps.alone, 1)],
      ['with the hooks', show(fps.hooks, 1)], ['with the hooks and the overlay open', show(fps.overlay, 1)]])}`);
    console.log(`A frame takes ${show(result.hooksLongerPercent, 1)} % longer with the hooks; of the main thread they take ` +
      `${show(result.hooksThreadUs, 0)} us a frame, the open overlay ${show(result.overlayThreadUs, 0)} us more.`);
  } else {
    console.log(`\nAfter ${result.frames} frames (${result.complete} timed whole) the page's memory has grown by ` +
      `${(result.heapBytes / 1024).toFixed(0)} KiB since frame 2,000, the module's by ${result.wasmBytes / 1024} KiB.`);
  }
}

const args = process.argv.slice(2);
const json = args.includes('--json');
const quick = args.includes('--quick');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1].split(',') : Object.keys(PARTS);
const minutes = args.includes('--minutes') ? Number(args[args.indexOf('--minutes') + 1]) : 10;
const unknown = only.find((part) => !PARTS[part]);
if (unknown !== undefined) {
  console.error(`bench: no part '${unknown}'; there are: ${Object.keys(PARTS).join(' ')}`);
  process.exit(2);
}
const say = (text) => process.stderr.isTTY && process.stderr.write(`\r${text}\u001b[K`);
const results = {};
for (const part of only) {
  results[part] = await PARTS[part]({ quick, minutes, say });
  if (!json) print(part, results[part]);
}
if (json) console.log(JSON.stringify(results, null, 1));
process.exit(0);
