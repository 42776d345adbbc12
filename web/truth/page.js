// SPDX-License-Identifier: MIT
/**
 * The trial's page: five passes of chosen lengths, timed through the explicit API. With `?round`, and
 * in a browser that does not round, the page rounds the stamps itself before Passtime sees them, so
 * that the very same samples are known exactly too.
 */
const STEP_BITS = 0xffff; // a stock browser clears these
const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** Its work is nothing at all, or a square of so many pixels to be cleared. */
class Pass {
  constructor(device) {
    this.device = device;
    this.texture = null;
  }

  set({ side = 0 }) {
    const descriptor = { size: [side, side], format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT };
    this.texture?.destroy();
    this.texture = side > 0 ? this.device.createTexture(descriptor) : null;
    this.view = this.texture?.createView();
  }

  encode(encoder, timestampWrites) {
    if (this.texture === null) {
      encoder.beginComputePass({ timestampWrites }).end();
      return;
    }
    const colorAttachments = [{ view: this.view, loadOp: 'clear', storeOp: 'store', clearValue: [0, 0.5, 1, 1] }];
    encoder.beginRenderPass({ colorAttachments, timestampWrites }).end();
  }
}

/** What rounding did to the samples of each pass: sums in nanoseconds, the variance that mixed phases give. */
const rounding = NAMES.map(() => ({ count: 0, exactNs: 0, errorNs: 0, variance: 0 }));

function roundPair(words, pair) {
  const at = 4 * pair;
  const quantum = STEP_BITS + 1;
  const low = [words[at] & STEP_BITS, words[at + 2] & STEP_BITS];
  const whole = words[at + 2] - words[at] + (words[at + 3] - words[at + 1]) * 4294967296;
  const part = (((low[1] - low[0]) % quantum) + quantum) % quantum / quantum;
  const tally = rounding[pair];
  tally.count++;
  tally.exactNs += whole;
  tally.errorNs += low[0] - low[1];
  tally.variance += quantum * quantum * part * (1 - part);
  words[at] -= low[0];
  words[at + 2] -= low[1];
}

/** Passtime's are the only buffers that are mapped here: five pairs of begin and end, as 64-bit ticks. */
function roundStamps() {
  const { getMappedRange } = GPUBuffer.prototype;
  GPUBuffer.prototype.getMappedRange = function rounded(...args) {
    const range = Reflect.apply(getMappedRange, this, args);
    const words = new Uint32Array(range);
    for (let pair = 0; pair < NAMES.length; pair++) roundPair(words, pair);
    return range;
  };
}

if (location.search === '?round') roundStamps();
const { Passtime } = await import('./passtime.js');
const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice({ requiredFeatures: ['timestamp-query'] });
const errors = [];
device.addEventListener('uncapturederror', (event) => errors.push(event.error.message));
const passes = NAMES.map(() => new Pass(device));
const timer = await Passtime.attach(device, { name: 'truth' });

globalThis.trial = {
  adapter: adapter.info.description || adapter.info.architecture || adapter.info.vendor,

  /** @param {{side?: number}[]} works of the passes, in order */
  set(works) {
    works.forEach((work, i) => passes[i].set(work));
  },

  reset() {
    timer.reset();
    for (const tally of rounding) Object.assign(tally, { count: 0, exactNs: 0, errorNs: 0, variance: 0 });
  },

  /** So many frames, each begun once the last one is done; the stamps' phases follow from that. */
  async run(frames) {
    for (let i = 0; i < frames; i++) {
      const encoder = device.createCommandEncoder();
      encoder.beginComputePass().end(); // takes what a submission begins with
      passes.forEach((pass, k) => pass.encode(encoder, timer.pass(NAMES[k])));
      device.queue.submit([encoder.finish()]);
      timer.frame();
      await device.queue.onSubmittedWorkDone();
    }
  },

  /** The figures of each pass, once all frames came back. */
  async figures() {
    for (let tries = 0; tries < 100 && timer.stats().ledger.framesInFlight > 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      timer.frame(); // none is open: it takes what came back
    }
    const { series, clock, ledger } = timer.stats();
    const stats = NAMES.map((name) => series.find((each) => each.name === name)?.stats ?? null);
    return { stats, quantumNs: clock.quantumNs, verdicts: ledger.verdicts, rounding, errors };
  },
};
document.body.dataset.state = 'ready';
