// SPDX-License-Identifier: MIT
/**
 * Captures: the newest frames of a timer, kept while it runs and written as a Perfetto trace when it is
 * stopped. A module of its own, loaded by the first `timer.capture()`.
 */
import { FrameStore } from './capture-store.js';
import { figuresOf, writeCapture } from './capture-writer.js';

export { figuresOf };

const DEFAULTS = { seconds: 60, megabytes: 32 };
const MOST = { seconds: 86400, megabytes: 1024 };
const BYTES_PER_MEGABYTE = 1e6;
const NUMBERS = 2 ** 38;

function limitOf(options, name) {
  const value = options?.[name] ?? DEFAULTS[name];
  if (typeof value === 'number' && value > 0 && value <= MOST[name]) return value;
  throw new RangeError(`passtime: ${name} of a capture is a number above 0 and up to ${MOST[name]}, not ${value}`);
}

/** A capture that runs. */
export class Capture {
  constructor(timer, options) {
    const seconds = limitOf(options, 'seconds');
    const megabytes = limitOf(options, 'megabytes');
    const { context } = timer;
    if (!context.self) throw new Error('passtime: this timer was destroyed');
    this.timer = timer;
    this.api = timer.contextReport().api;
    this.number = Math.floor(Math.random() * NUMBERS); // tells files apart that are put one behind the other
    this.store = new FrameStore(context.core, seconds, megabytes * BYTES_PER_MEGABYTE);
    this.listener = (frame) => this.store.take(frame);
    this.running = true;
    this.file = null;
    timer.on('frame', this.listener);
  }

  /** Frames kept. */
  get frames() {
    return this.store.frames;
  }

  /** Frames that were let go since it began: the limits were reached. */
  get framesLost() {
    return this.store.framesLost;
  }

  /** From the oldest frame kept to the newest. */
  get seconds() {
    return this.store.seconds;
  }

  /** Bytes that the frames kept take in memory. In the file it is some 60 a pass and 250 a frame. */
  get bytes() {
    return this.store.bytes;
  }

  /**
   * Ends it and writes the file, in short pieces, so that the page goes on. Called again it gives the same.
   * @returns {Promise<Blob>}
   */
  stop() {
    this.file ??= this.finish();
    return this.file;
  }

  async finish() {
    const { timer, api, number, store } = this;
    if (timer.context.self && this.running) timer.pulse(); // what came back by now
    this.end();
    const about = { api, adapter: timer.adapter, number, budgetNs: timer.budgetNs };
    const parts = await writeCapture(store, figuresOf(timer.context), about);
    return new Blob(parts, { type: 'application/octet-stream' });
  }

  /** Ends it and keeps nothing. */
  cancel() {
    this.end();
    this.file ??= Promise.reject(new Error('passtime: this capture was cancelled'));
    this.file.catch(() => {});
    this.store.blocks = [];
  }

  end() {
    if (this.running) this.timer.off('frame', this.listener);
    this.running = false;
  }
}

/**
 * @param {import('./timer.js').Timer | import('./webgl.js').WebGLTimer} timer
 * @param {{seconds?: number, megabytes?: number}} [options] how much is kept: the newest, within both limits
 */
export function capture(timer, options) {
  return new Capture(timer, options);
}
