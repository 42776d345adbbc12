// SPDX-License-Identifier: MIT
/**
 * A small WebGPU app that counts for itself: so many compute passes in each of so many animation frames,
 * each of which waits until few are under way, so that none has to be skipped. Runs in pages and workers.
 */
const IN_FLIGHT_MOST = 4;
const SHADER = `
@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x;
  for (var i = 0u; i < 200u; i++) { x = x * 1664525u + 1013904223u; }
  cells[id.x] = x;
}`;

const nap = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** @returns {Promise<{device: GPUDevice, frame: (passes: number, names: number) => void}>} */
export async function makeApp(label = 'subject') {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice({ label });
  const module = device.createShaderModule({ code: SHADER });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const buffer = device.createBuffer({ size: 4096, usage: GPUBufferUsage.STORAGE });
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] });
  const frame = (passes, names) => {
    const encoder = device.createCommandEncoder();
    for (let i = 0; i < passes; i++) {
      const pass = encoder.beginComputePass({ label: `pass ${i % names}` });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(16);
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  };
  return { device, frame };
}

/**
 * Draws all frames. @param {{passes?: number, names?: number, frames?: number, label?: string}} options
 * @param {() => void} [onFrame]
 */
export async function runApp({ passes = 3, names = 3, frames = 60, label } = {}, onFrame = () => {}) {
  const { device, frame } = await makeApp(label);
  const counts = { frames: 0, passes: 0, lost: 0 };
  let flying = 0;
  device.lost.then(() => counts.lost++);
  while (counts.frames < frames && counts.lost === 0) {
    if (flying < IN_FLIGHT_MOST) {
      await (self.requestAnimationFrame ? nextFrame() : nap(10));
      frame(passes, names);
      counts.frames++;
      counts.passes += passes;
      flying++;
      device.queue.onSubmittedWorkDone().then(() => flying--, () => flying--);
      onFrame(counts);
    } else {
      await nap(2);
    }
  }
  return counts;
}

export const numbersOf = (search) => Object.fromEntries([...new URLSearchParams(search)].map(([key, value]) => [key, Number(value) || value]));

/** Tells the server, which the test asks. */
export function tell(what) {
  return fetch('/told', { method: 'POST', body: JSON.stringify(what) });
}
