// SPDX-License-Identifier: MIT
/** Runs in the page: frames of so many passes, one after another as fast as they go. A string, for it is evaluated there. */
export const frameKit = () => {
  const SHADER = `
@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x;
  for (var i = 0u; i < LOOPSu; i++) { x = x * 1664525u + 1013904223u; }
  cells[id.x] = x;
}`;
  globalThis.makeFrames = async (passes, loops) => {
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice();
    const module = device.createShaderModule({ code: SHADER.replace('LOOPS', loops) });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
    const buffer = device.createBuffer({ size: 4 * 64 * 64, usage: GPUBufferUsage.STORAGE });
    const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] });
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const draw = () => {
      const encoder = device.createCommandEncoder();
      for (let i = 0; i < passes; i++) {
        const pass = encoder.beginComputePass({ label: `pass ${i}` });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(16);
        pass.end();
      }
      device.queue.submit([encoder.finish()]);
    };
    /** @returns {Promise<{frameMs: number, recordMs: number}>} of a frame, from one to the next and of recording it */
    globalThis.block = async (frames) => {
      let record = 0;
      const done = [];
      await device.queue.onSubmittedWorkDone();
      const begun = performance.now();
      for (let i = 0; i < frames; i++) {
        await nextFrame();
        if (i >= 2) await done[i - 2];
        const at = performance.now();
        draw();
        record += performance.now() - at;
        done.push(device.queue.onSubmittedWorkDone());
      }
      await device.queue.onSubmittedWorkDone();
      return { frameMs: (performance.now() - begun) / frames, recordMs: record / frames };
    };
  };
};
