// SPDX-License-Identifier: MIT
import { startWith } from '/apps/babylon.js';

export const start = (canvas) => startWith(canvas, async (BABYLON) => {
  const engine = new BABYLON.WebGPUEngine(canvas, { antialias: false });
  await engine.initAsync();
  return engine;
});
