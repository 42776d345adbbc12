// SPDX-License-Identifier: MIT
/** What `import { Passtime } from 'passtime'` gives. */
import { provideCore } from './core.js';
import { frameClock } from './frames.js';
import { groupBelow } from './groups.js';
import { hookWebGL } from './hooks-webgl.js';
import { hookWebGPU } from './hooks-webgpu.js';
import { loadCapture } from './lazy.js';
import { reportDocument, VERSION } from './report.js';
import { status } from './status.js';
import { attach, Timer } from './timer.js';
import { attachWebGL, WebGLTimer, webglTimers } from './webgl.js';
import { packed, size } from 'passtime:wasm';

provideCore(packed, size);

/** What writes captures is loaded when one is asked for. */
Timer.prototype.capture = WebGLTimer.prototype.capture = function capture(options) {
  return loadCapture().then((module) => module.capture(this, options));
};

export const Passtime = {
  version: VERSION,
  attach,
  attachWebGL,

  /**
   * Times everything in this realm from now on. Call it before the app makes a device.
   * @param {{group?: boolean | number}} [options] group: short passes share stamps, those below so many µs
   */
  auto({ group } = {}) {
    if (group) groupBelow(group === true ? 6 : group);
    hookWebGPU();
    hookWebGL();
    return Passtime.status;
  },

  /** What became of it, in words: `state`, `text`, counts. */
  get status() {
    return status;
  },

  /** The timers of this realm's devices and contexts. */
  get timers() {
    return [...status.timers, ...webglTimers()];
  },

  /** One "passtime.report/1" document over all of them. */
  report() {
    return reportDocument(Passtime.timers.map((timer) => timer.contextReport()));
  },

  /** The frame clock, for tools that draw by it. */
  get frames() {
    return frameClock();
  },
};

export { attach, attachWebGL };
export default Passtime;
