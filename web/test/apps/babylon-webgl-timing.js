// SPDX-License-Identifier: MIT
// Babylon.js on WebGL 2 with its own timing on: an elapsed query of its own around each frame.
import { startWith } from '/apps/babylon.js';

export async function start(canvas) {
  const app = await startWith(canvas, (BABYLON) => new BABYLON.Engine(canvas, false));
  const instrumentation = new globalThis.BABYLON.EngineInstrumentation(app.engine);
  instrumentation.captureGPUFrameTime = true;
  return { ...app, extra: () => [instrumentation.gpuFrameTimeCounter.count > 0, instrumentation.gpuFrameTimeCounter.average > 0] };
}
