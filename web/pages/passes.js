// SPDX-License-Identifier: MIT
/** Three passes that the page times itself, with the timer of its own device. */
import { Passtime } from 'passtime';
import { byId, findDevice, isSoftware, make, meanText, message, rawTick, shader, startPage, stepOf, whole } from './common.js';
import { NAMES, PassesScene } from './passes-scene.js';
import { RawStamps } from './stamps.js';

const SIDE = 256;
const SIDE_SOFTWARE = 64; // so that a software renderer gives frames often enough
const RAW_EVERY_MS = 700;
const READY_FRAMES = 5;

startPage();
let paused = false;
byId('pause').onclick = () => {
  paused = !paused;
  byId('pause').setAttribute('aria-pressed', paused);
};

/** A row a pass, and one for the CPU. */
function makeBars() {
  return [...NAMES, 'CPU, record + submit'].map((name, i) => {
    const fill = make('i', i === NAMES.length ? { class: 'cpu' } : { style: `background: var(--c${i})` });
    const text = make('span', {}, '–');
    byId('bars').append(make('span', {}, name), make('div', { class: 'track' }, fill), text);
    return { fill, text };
  });
}

function showMeans(timer, bars) {
  const { series, totals, ledger, clock } = timer.stats();
  const rows = NAMES.map((name) => series.find((each) => each.name === name)?.stats);
  rows.push(totals.cpuSubmit);
  const first = rows[0]?.meanNs;
  const most = Math.max(...rows.map((stats) => stats?.meanNs ?? 0), 1);
  rows.forEach((stats, i) => {
    if (!stats) return;
    const ratio = i < NAMES.length && first > 0 && stats.meanNs !== null ? ` · ${(stats.meanNs / first).toFixed(1)}×` : '';
    bars[i].text.textContent = meanText(stats) + ratio;
    bars[i].fill.style.width = `${((stats.meanNs ?? 0) / most) * 100}%`;
  });
  byId('frames').textContent = whole(ledger.fates[0]);
  byId('method').textContent = `Measured by ${timer.method === 'stamps' ? 'GPU timestamps' : "the CPU's clock"}${clock.quantumNs ? `, in steps of ${whole(clock.quantumNs)} ns` : ''}.`;
  if (ledger.fates[0] >= READY_FRAMES) document.body.dataset.state = 'ready';
}

const ticksSeen = [];

function showRaw(list) {
  for (const { begin, end } of list) ticksSeen.push(begin, end);
  ticksSeen.splice(0, ticksSeen.length - 120);
  const step = stepOf(ticksSeen);
  const rounded = step !== null && step >= 1024n;
  byId('raw').replaceChildren(...list.map(({ begin, end }, i) => make('tr', {}, make('td', {}, NAMES[i]),
    make('td', {}, rawTick(begin, rounded)), make('td', {}, rawTick(end, rounded)), make('td', { class: 'number' }, whole(Number(end - begin))))));
  const multiple = `Every stamp is a multiple of ${whole(Number(step))} ns: the digits in red are rounded away.`;
  const fine = `The stamps are not rounded: the finest step seen is ${whole(Number(step))} ns.`;
  byId('step').textContent = step === null ? 'All stamps are 0: nothing was written.' : rounded ? multiple : fine;
  byId('step').dataset.step = step ?? '';
}

async function run() {
  const found = await findDevice();
  if (!found) return;
  const { device, adapter } = found;
  if (isSoftware(adapter)) message(`A software renderer draws here: the times are real, but a CPU’s, and the picture begins with ${SIDE_SOFTWARE} × ${SIDE_SOFTWARE} pixels.`);
  const timer = await Passtime.attach(device, { name: 'three passes' });
  const format = navigator.gpu.getPreferredCanvasFormat();
  const srgb = `${format}-srgb`;
  const context = byId('picture').getContext('webgpu');
  context.configure({ device, format, viewFormats: [srgb] });
  const scene = new PassesScene(device, await shader('passes.wgsl'), srgb);
  const stage = { device, timer, context, srgb, scene };
  resizer(stage, isSoftware(adapter) ? SIDE_SOFTWARE : SIDE);
  const raw = device.features.has('timestamp-query') ? new RawStamps(device, NAMES.length) : null;
  if (!raw) byId('step').textContent = "There are none: the device has no 'timestamp-query'.";
  const bars = makeBars();
  byId('reset').onclick = () => timer.reset();
  setInterval(() => showMeans(timer, bars), 300);
  await warmUp(stage);
  loop(Object.assign(stage, { raw }));
}

/** The number of pixels can be chosen; figures of another size begin anew. */
function resizer(stage, side) {
  const { device, srgb, timer } = stage;
  const apply = () => {
    const size = Number(byId('side').value);
    Object.assign(byId('picture'), { width: size, height: size });
    stage.aside = device.createTexture({ label: 'by hand', size: [size, size], format: srgb, usage: GPUTextureUsage.RENDER_ATTACHMENT }).createView();
    timer.reset();
  };
  byId('side').value = side;
  byId('side').onchange = apply;
  apply();
}

/** The first frames make the GPU's code: they are drawn before any is timed. */
async function warmUp({ device, scene, aside }) {
  for (let frame = 0; frame < 3; frame++) {
    const encoder = device.createCommandEncoder({ label: 'warm-up' });
    scene.draw(encoder, aside, frame, () => undefined);
    device.queue.submit([encoder.finish()]);
  }
  await device.queue.onSubmittedWorkDone();
}

function loop(stage) {
  const { device, timer, context, srgb, scene, raw } = stage;
  let frame = 0;
  let rawAt = 0;
  const tick = (now) => {
    requestAnimationFrame(tick);
    if (paused) return;
    const encoder = device.createCommandEncoder({ label: 'frame' });
    scene.draw(encoder, context.getCurrentTexture().createView({ format: srgb }), frame++, (i) => timer.pass(NAMES[i]));
    device.queue.submit([encoder.finish()]);
    timer.frame();
    if (raw && !raw.busy && now - rawAt > RAW_EVERY_MS) {
      rawAt = now;
      byHand(device, scene, stage.aside, raw, frame);
    }
  };
  requestAnimationFrame(tick);
}

/** The same three passes once more, aside, with a query set of the page's own. */
function byHand(device, scene, view, raw, frame) {
  const encoder = device.createCommandEncoder({ label: 'by hand' });
  scene.draw(encoder, view, frame, (i) => raw.writesOf(i));
  raw.resolve(encoder);
  device.queue.submit([encoder.finish()]);
  raw.read().then(showRaw, () => message('The stamps by hand did not come back: the device may be lost.'));
}

run().catch((error) => message(`${error.message}`, 'bad'));
