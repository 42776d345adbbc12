// SPDX-License-Identifier: MIT
/** What `import { Passtime } from 'passtime'` gives. */
import { provideCore } from './core.js';
import { frameClock } from './frames.js';
import { hookWebGL } from './hooks-webgl.js';
import { hookWebGPU } from './hooks-webgpu.js';
import { reportDocument, VERSION } from './report.js';
import { status } from './status.js';
import { attach } from './timer.js';
import { attachWebGL, webglTimers } from './webgl.js';
import { packed, size } from 'passtime:wasm';

provideCore(packed, size);

export const Passtime = {
  version: VERSION,
  attach,
  attachWebGL,

  /** Times everything in this realm from now on. Call it before the app makes a device. */
  auto() {
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
