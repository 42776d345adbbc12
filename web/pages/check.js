// SPDX-License-Identifier: MIT
/** Can I measure here? The methods, and the check run live, with its numbers. */
import { finestNs, judge, line, NO_FEATURE, repeats, rises } from './check-judge.js';
import { CheckWork, PARTS } from './check-work.js';
import { adapterName, byId, findAdapter, isSoftware, make, meanText, ms, shader, startPage, stepOf, whole } from './common.js';
import { RawStamps } from './stamps.js';

const MINIMAL_RUNS = 40;
const MINIMAL_PASSES = 8;
const WORK_FRAMES = 160; // in each of two runs, or as many as come …
const WORK_MS = 4000; // … within this time, if they decide it
const WORK_FRAMES_MOST = 2000;
const WORK_MS_MOST = 20000;
const TONES = { yes: 'good', no: 'bad', partly: 'warn', 'not decided': 'warn' };

startPage();

function row(body, what, answer, numbers, tone = TONES[answer] ?? '') {
  const line = make('tr', {}, make('th', { scope: 'row' }, what), make('td', {}, make('span', { class: 'chip', 'data-tone': tone }, answer)), make('td', { class: 'soft' }, numbers));
  byId(body).append(line);
}

/** The sentence at the top; with it, the check is over. */
function verdict(text, tone) {
  say(text, tone);
  document.body.dataset.state = 'ready';
}

function say(text, tone = 'warn') {
  byId('verdict').textContent = text;
  byId('verdict').dataset.tone = tone;
}

function elapsedOffer() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const ext = gl?.getExtension('EXT_disjoint_timer_query_webgl2');
  const bits = ext ? gl.getQuery(ext.TIME_ELAPSED_EXT, ext.QUERY_COUNTER_BITS_EXT) : 0;
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return bits;
}

function showMethods(adapter) {
  const stamps = adapter?.features.has('timestamp-query') ?? false;
  const bits = elapsedOffer();
  row('methods', 'GPU timestamps', stamps ? 'yes' : 'no', stamps ? "WebGPU's 'timestamp-query': begin and end of each pass, stamped by the GPU." : "The adapter has no 'timestamp-query'.");
  row('methods', 'GPU elapsed queries', bits > 0 ? 'yes' : 'no', bits > 0 ? `WebGL only: durations without positions, ${bits} bits.` : 'WebGL offers no timer queries here.');
  row('methods', 'CPU clock', adapter ? 'yes' : 'no', 'Recording a pass, and submit to completion. Says nothing of single passes on the GPU; used only where the above are missing, and called so.');
  row('methods', 'shader counters', 'not used', 'A shader that counts while another works needs both to run at once, which WebGPU does not promise.');
  return stamps;
}

/** Minimal passes, stamped by hand. */
async function minimal(device) {
  const raw = new RawStamps(device, MINIMAL_PASSES);
  const all = [];
  for (let run = 0; run < MINIMAL_RUNS; run++) {
    const encoder = device.createCommandEncoder();
    for (let i = 0; i < MINIMAL_PASSES; i++) encoder.beginComputePass({ label: 'minimal', timestampWrites: raw.writesOf(i) }).end();
    raw.resolve(encoder);
    device.queue.submit([encoder.finish()]);
    all.push(await raw.read());
  }
  return all;
}

function judgeMinimal(all) {
  const stamps = all.flat();
  const zeros = stamps.filter(({ begin, end }) => begin === 0n || end === 0n).length;
  row('checks', 'Does a minimal pass stamp?', zeros === 0 ? 'yes' : zeros < stamps.length ? 'partly' : 'no', `${stamps.length - zeros} of ${stamps.length} empty compute passes gave two stamps that are not 0`);
  const backward = stamps.filter(({ begin, end }) => end < begin).length;
  const mixed = all.reduce((sum, list) => sum + list.filter(({ begin }, i) => i > 0 && begin < list[i - 1].begin).length, 0);
  row('checks', 'Are the stamps in order?', backward === 0 ? (mixed === 0 ? 'yes' : 'partly') : 'no',
    `${backward} passes ended before they began; ${mixed} began before the pass ahead of them had`);
  const step = stepOf(stamps.flatMap(({ begin, end }) => [begin, end])) ?? 0n;
  const ticked = stamps.filter(({ begin, end }) => end > begin).length;
  row('checks', 'How fine is a step?', `${whole(Number(step))} ns`, `${ticked} of ${stamps.length} empty passes took a step or more`, step < 1000n ? 'good' : 'warn');
  // The shortest one that is not 0, or, where stamps are coarser than it, the mean of all.
  const lengths = stamps.map(({ begin, end }) => Number(end - begin)).filter((ns) => ns >= 0);
  const shortest = Math.min(...lengths.filter((ns) => ns > 0), Infinity);
  const mean = lengths.reduce((sum, ns) => sum + ns, 0) / Math.max(lengths.length, 1);
  const coarse = Number(step) > 2000 || shortest === Infinity;
  return { good: 2 * (zeros + backward) < stamps.length, step: Number(step), minimalNs: coarse ? mean : shortest };
}

/** Two runs of the same work, through Passtime. */
async function growing(device, code) {
  const work = new CheckWork(device, code);
  await work.warmUp();
  const runs = [];
  for (const name of ['first', 'second']) {
    const from = performance.now();
    runs.push(await work.run((figures, frames) => {
      const spent = performance.now() - from;
      say(`Checking … ${name} run, ${frames} frames`);
      return ((frames >= WORK_FRAMES || spent > WORK_MS) && rises(figures) !== null) || spent > WORK_MS_MOST;
    }, WORK_FRAMES_MOST));
  }
  return runs;
}

const answerOf = (holds) => (holds === null ? 'not decided' : holds ? 'yes' : 'no');
const percent = (share) => `${Number((100 * share).toPrecision(2))} %`;

function judgeGrowing([first, second]) {
  const found = { rises: rises(first), line: line(PARTS, first), repeats: repeats(first, second) };
  const numbers = first.map((stats, i) => `${PARTS[i]}: ${stats ? meanText(stats) : 'nothing came back'}`).join('; ');
  row('checks', 'Does more work take longer?', answerOf(found.rises), `parts of work: ${numbers}`);
  const proportion = found.line && found.line.slopeNs > 0 && found.line.error <= 0.25;
  row('checks', 'Is it in proportion?', answerOf(found.line && proportion), found.line ? `${Number((found.line.slopeNs / 1000).toPrecision(4))} µs a part, within ${percent(found.line.error)} of a line` : 'too little came back');
  row('checks', 'Do two runs agree?', answerOf(found.repeats && found.repeats.holds), found.repeats ? `two runs within ${percent(found.repeats.error)}` : 'too little came back');
  return found;
}

async function submitToDone(device) {
  const from = performance.now();
  device.queue.submit([]);
  await device.queue.onSubmittedWorkDone();
  const took = ms((performance.now() - from) * 1e6);
  row('checks', 'And the CPU’s clock?', `${took} ms`, 'An empty submit took so long until its end was seen: the fallback can see nothing finer.');
}

async function check() {
  for (const id of ['methods', 'checks']) byId(id).replaceChildren();
  document.body.dataset.state = 'checking';
  say('Checking …');
  const adapter = await findAdapter();
  const stamps = showMethods(adapter);
  if (!adapter) return verdict('No: WebGPU offers no adapter here. WebGL may still be measured, see its page.', 'bad');
  row('checks', 'Is the feature there?', stamps ? 'yes' : 'no', `${adapterName(adapter)}${isSoftware(adapter) ? ', a software renderer' : ''}: 'timestamp-query' ${stamps ? 'offered' : 'not offered'}`);
  if (!stamps) return verdict(NO_FEATURE, 'warn');
  const device = await adapter.requestDevice({ requiredFeatures: ['timestamp-query'] });
  const granted = device.features.has('timestamp-query');
  row('checks', 'Is it granted?', granted ? 'yes' : 'no', granted ? 'the device has it' : 'the device came without it');
  if (!granted) return verdict(NO_FEATURE, 'warn');
  const small = judgeMinimal(await minimal(device));
  const found = judgeGrowing(await growing(device, await shader('check.wgsl')));
  await submitToDone(device);
  device.destroy();
  return conclude({ ...small, ...found }, isSoftware(adapter));
}

function conclude(found, software) {
  const finest = finestNs(found);
  const coarse = found.step > 2000 ? ', by the mean of a thousand frames and its error' : '';
  row('checks', 'What is the finest pass worth timing?', `${Number((finest / 1000).toPrecision(3))} µs${coarse && ' (means)'}`, `An eleventh of the step or twice a minimal pass, whichever is more${coarse}. What a pair of stamps costs, and whether boundaries are true after other passes, passtime probe --check tells.`);
  const { text, tone } = judge(found);
  return verdict(`${text}${software ? ' This is a software renderer: its times are a CPU’s.' : ''}`, tone);
}

const run = () => check().catch((error) => verdict(`The check stopped: ${error.message}`, 'bad'));
byId('again').onclick = run;
run();
