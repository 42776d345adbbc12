// SPDX-License-Identifier: MIT
// three.js with its own timing on: its passes carry timestampWrites of its own, and it asks for the times.
import * as THREE from 'three/webgpu';
import { startWith } from '/apps/three-webgpu.js';

export async function start(canvas) {
  const app = await startWith(canvas, { trackTimestamp: true });
  const { renderer } = app;
  return {
    ...app,
    async extra() {
      const times = [THREE.TimestampQuery.RENDER, THREE.TimestampQuery.COMPUTE].map((kind) => renderer.resolveTimestampsAsync(kind));
      return (await Promise.all(times)).map((ms) => ms > 0);
    },
  };
}
