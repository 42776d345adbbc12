// SPDX-License-Identifier: MIT
/** Can I measure here? The methods, and the check run live, with its numbers. */
import { Passtime } from 'passtime';
import { adapterName, byId, findAdapter, isSoftware, make, meanText, ms, shader, startPage, stepOf, whole } from './common.js';
import { PassesScene } from './passes-scene.js';
import { RawStamps } from './stamps.js';

const MINIMAL_RUNS = 40;
const MINIMAL_PASSES = 8;
const WORK_FRAMES = 160; // or as many as come …
const WORK_MS = 5000; // … within this time, if they decide it
const WORK_FRAMES_MOST = 2000;
const WORK_MS_MOST = 25000;
const ERRORS = 2.5; // standard errors that a mean is held to lie within
const STEPS = ['loops-64', 'loops-256', 'loops-1024'];
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
  return { good: zeros === 0 && backward === 0, step: Number(step) };
}

/** Frames of three passes of growing work, through Passtime: the core's means and errors. */
async function growing(device, code, side) {
  const timer = await Passtime.attach(device, { name: 'check' });
  timer.reset();
  const format = 'rgba8unorm';
  const scene = new PassesScene(device, code, format);
  const view = device.createTexture({ size: [side, side], format, usage: GPUTextureUsage.RENDER_ATTACHMENT }).createView();
  // The first frame makes the GPU's code: it is not timed.
  const warmUp = device.createCommandEncoder();
  scene.draw(warmUp, view, 0, () => undefined);
  device.queue.submit([warmUp.finish()]);
  await device.queue.onSubmittedWorkDone();
  const from = performance.now();
  let figures = [];
  for (let frame = 1; frame <= WORK_FRAMES_MOST; frame++) {
    const encoder = device.createCommandEncoder();
    scene.draw(encoder, view, 0, (i) => timer.pass(STEPS[i]));
    device.queue.submit([encoder.finish()]);
    timer.frame();
    if (frame % 4 !== 0) continue;
    await device.queue.onSubmittedWorkDone();
    figures = figuresOf(timer);
    const spent = performance.now() - from;
    say(`Checking … ${frame} frames`);
    const enough = frame >= WORK_FRAMES || spent > WORK_MS;
    if ((enough && order(figures) !== null) || spent > WORK_MS_MOST) break;
  }
  timer.destroy();
  return figures;
}

function figuresOf(timer) {
  const { series } = timer.stats();
  return STEPS.map((name) => series.find((each) => each.name === name)?.stats ?? null);
}

/** What the mean lies between, nearly for sure; null: too little is known. */
function bounds(stats) {
  if (stats === null) return null;
  if (stats.belowNs !== null) return [0, stats.belowNs];
  if (stats.seNs !== null) return [stats.meanNs - ERRORS * stats.seNs, stats.meanNs + ERRORS * stats.seNs];
  return stats.ciLowNs !== null ? [stats.ciLowNs, stats.ciHighNs] : null;
}

/** @returns {boolean | null} whether the means rise; null: the errors are too large to tell */
function order(figures) {
  const list = figures.map(bounds);
  if (list.length < STEPS.length || list.some((each) => each === null)) return null;
  const pairs = [[list[0], list[1]], [list[1], list[2]]];
  if (pairs.every(([a, b]) => a[1] < b[0])) return true;
  return pairs.some(([a, b]) => a[0] > b[1]) ? false : null;
}

function judgeGrowing(figures) {
  const rises = order(figures);
  const numbers = figures.map((stats, i) => `${STEPS[i].slice(6)} loops: ${stats ? meanText(stats) : 'nothing came back'}`).join('; ');
  const [few, some, many] = figures.map((stats) => stats?.meanNs ?? NaN);
  const slope = (many - some) / (some - few);
  const steps = slope > 0 ? `. The second rise is ${slope.toFixed(1)} times the first; 4 is expected` : '';
  row('checks', 'Does more work take longer?', rises === null ? 'not decided' : rises ? 'yes' : 'no', `${numbers || 'nothing came back'}${steps}.`);
  return rises;
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
  if (!stamps) return verdict('Only by the CPU’s clock: this adapter has no timestamps. Such times are labelled so and never shown as GPU time.', 'warn');
  const device = await adapter.requestDevice({ requiredFeatures: ['timestamp-query'] });
  const granted = device.features.has('timestamp-query');
  row('checks', 'Is it granted?', granted ? 'yes' : 'no', granted ? 'the device has it' : 'the device came without it');
  if (!granted) return verdict('Only by the CPU’s clock: the device came without the feature.', 'warn');
  const { good, step } = judgeMinimal(await minimal(device));
  const rises = judgeGrowing(await growing(device, await shader('passes.wgsl'), isSoftware(adapter) ? 64 : 256));
  await submitToDone(device);
  device.destroy();
  return conclude({ good, rises, step, software: isSoftware(adapter) });
}

function conclude({ good, rises, step, software }) {
  const whose = software ? ' This is a software renderer: its times are a CPU’s.' : '';
  if (rises === null) return verdict(`Not decided: the times swing too much to tell, perhaps since much else runs. Check again.${whose}`, 'warn');
  if (!rises) return verdict(`No: the stamps do not follow the work. Don't trust single passes here.${whose}`, 'bad');
  const how = step >= 1000 ? `in steps of ${whole(step)} ns: trust means over many frames and their errors, not single values` : 'and they are fine enough for single frames';
  return verdict(`${good ? 'Yes' : 'With care'}: GPU timestamps, ${how}.${good ? '' : ' Some stamps were missing or out of order; Passtime rejects those and counts them.'}${whose}`, good ? 'good' : 'warn');
}

const run = () => check().catch((error) => verdict(`The check stopped: ${error.message}`, 'bad'));
byId('again').onclick = run;
run();
