// SPDX-License-Identifier: MIT
// Babylon.js with its own GPU timing on: its passes carry timestampWrites of its own.
import { startWith } from '/apps/babylon.js';

export async function start(canvas) {
  const app = await startWith(canvas, async (BABYLON) => {
    const engine = new BABYLON.WebGPUEngine(canvas, { antialias: false, deviceDescriptor: { requiredFeatures: ['timestamp-query'] } });
    await engine.initAsync();
    engine.enableGPUTimingMeasurements = true;
    return engine;
  });
  const { counter } = app.engine.gpuTimeInFrameForMainPass;
  return { ...app, leavesOpen: true, extra: () => [counter.count > 0, counter.average > 0] };
}
