// SPDX-License-Identifier: MIT
/**
 * What Passtime costs in the browser (`make bench-web`). Usage: node bench/bench.mjs [--json] [--quick]
 * [--only passes-node,passes-chromium,scene,overlay,memory]
 */
import { measurePasses } from './passes.mjs';
import { show, table } from './stats.mjs';

const PARTS = {
  'passes-node': ({ quick, say }) => measurePasses('node', { rounds: quick ? 3 : 31, frames: 40, warm: quick ? 60 : 200, say }),
  'passes-chromium': ({ quick, say }) => measurePasses('chromium', { rounds: quick ? 3 : 31, frames: 30, warm: quick ? 60 : 150, say }),
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
  } else {
    console.log(`\n${part}: ${JSON.stringify(result, null, 1)}`);
  }
}

const args = process.argv.slice(2);
const json = args.includes('--json');
const quick = args.includes('--quick');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1].split(',') : Object.keys(PARTS);
const unknown = only.find((part) => !PARTS[part]);
if (unknown !== undefined) {
  console.error(`bench: no part '${unknown}'; there are: ${Object.keys(PARTS).join(' ')}`);
  process.exit(2);
}
const say = (text) => process.stderr.isTTY && process.stderr.write(`\r${text}\u001b[K`);
const results = {};
for (const part of only) {
  results[part] = await PARTS[part]({ quick, say });
  if (!json) print(part, results[part]);
}
if (json) console.log(JSON.stringify(results, null, 1));
process.exit(0);
