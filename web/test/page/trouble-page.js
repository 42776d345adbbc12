// SPDX-License-Identifier: MIT
/** ?kind=… and what passes.html takes. */
import { makeApp, numbersOf, runApp, tell } from './passes.js';

const { kind, ...options } = numbersOf(location.search);
const image = (src) => document.body.append(Object.assign(document.createElement('img'), { src, alt: '' }));

const KINDS = {
  /** Dialogs, in the middle of its frames. */
  alert: () => runApp(options, ({ frames }) => {
    if (frames === 5) alert('one');
    if (frames === 6 && confirm('two')) throw new Error('nobody agreed');
    if (frames === 7) prompt('three');
  }),
  /** An image that never comes: the load event is never fired. */
  loading: () => {
    image('/hang');
    return runApp(options);
  },
  /** Errors of its own. */
  errors: () => {
    console.error('a console error');
    setTimeout(() => { throw new Error('an exception'); }, 0);
    Promise.reject(new Error('a rejection'));
    return runApp(options);
  },
  /** A device and a WebGL context a frame, all dropped. */
  leaks: async () => {
    const counts = { frames: 0, passes: 0, devices: 0 };
    for (let i = 0; i < options.frames; i++) {
      const { device, frame } = await makeApp(`leaked ${i}`);
      for (let k = 0; k < 3; k++) {
        await new Promise(requestAnimationFrame);
        frame(1, 1);
        await device.queue.onSubmittedWorkDone();
        counts.passes++;
        counts.frames++;
      }
      counts.devices++;
      const gl = document.createElement('canvas').getContext('webgl2');
      gl.clear(gl.COLOR_BUFFER_BIT);
    }
    return counts;
  },
  /** A WebGPU of its own, which no browser knows of. */
  own: async () => {
    Object.defineProperty(navigator, 'gpu', { value: { requestAdapter: async () => null } });
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { frames: 0, passes: 0 };
  },
  /** No GPU at all; it draws with nothing. */
  nothing: async () => {
    for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame);
    return { frames: 0, passes: 0 };
  },
};

await tell(await KINDS[kind]());
document.body.id = 'done';
