// SPDX-License-Identifier: MIT
/** One frame holds far more passes than any other, and more than are timed. */
import { byAnimationFrames } from '/apps/loop.js';

const MANY_AT = 4;

export async function start() {
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  return {
    draw(frame) {
      const encoder = device.createCommandEncoder();
      for (let i = 0; i < (frame === MANY_AT ? 5000 : 3); i++) encoder.beginComputePass({ label: `pass ${i % 3}` }).end();
      device.queue.submit([encoder.finish()]);
    },
    loop: byAnimationFrames,
    pixels: () => '',
  };
}
