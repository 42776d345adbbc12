// SPDX-License-Identifier: MIT
/** The three passes of `passtime demo passes`, by WebGPU: the same shader, the same numbers. */

export const NAMES = ['loops-64', 'loops-256', 'loops-1024'];
const LOOP_FRAMES = 600;
const WORK = [
  { tint: [0.02, 0.12, 0.34], steps: 64, longest: 26, contrast: 2.4 },
  { tint: [0.62, 0.02, 0.2], steps: 256, longest: 60, contrast: 4.5 },
  { tint: [1, 0.72, 0.16], steps: 1024, longest: 110, contrast: 6.5 },
];
const ADD = { operation: 'add', srcFactor: 'one', dstFactor: 'one' };

/** What the command puts before the shader where it counts nothing: see src/cli/scene_passes.c. */
const NO_COUNTERS = 'const COUNTING = false;\nfn passtime_count(index: u32, amount: u32) {}\n';

export class PassesScene {
  /** @param {GPUDevice} device @param {string} code passes.wgsl @param {GPUTextureFormat} format of the target */
  constructor(device, code, format) {
    this.device = device;
    const module = device.createShaderModule({ label: 'passes.wgsl', code: NO_COUNTERS + code });
    this.pipeline = device.createRenderPipeline({
      label: 'orbit', layout: 'auto', vertex: { module, entryPoint: 'cover' },
      fragment: { module, entryPoint: 'orbit', targets: [{ format, blend: { color: ADD, alpha: ADD } }] },
    });
    this.work = NAMES.map((label) => device.createBuffer({ label, size: 48, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST }));
    this.groups = this.work.map((buffer) => device.createBindGroup({
      layout: this.pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }],
    }));
    this.block = new ArrayBuffer(48);
  }

  write(index, frame) {
    const { tint, steps, longest, contrast } = WORK[index];
    const turn = (2 * Math.PI * (frame % LOOP_FRAMES)) / LOOP_FRAMES;
    const floats = new Float32Array(this.block);
    floats.set(tint);
    new Uint32Array(this.block)[3] = steps;
    floats.set([-0.8005 + 0.0012 * Math.cos(turn), 0.1565 + 0.0012 * Math.sin(turn), 1.35, 0.5 + 0.25 * Math.sin(turn), longest, contrast], 4);
    this.device.queue.writeBuffer(this.work[index], 0, this.block);
  }

  /** @param {(index: number) => GPURenderPassTimestampWrites | undefined} writesOf a pass */
  draw(encoder, view, frame, writesOf) {
    NAMES.forEach((label, index) => {
      this.write(index, frame);
      const pass = encoder.beginRenderPass({
        label, timestampWrites: writesOf(index),
        colorAttachments: [{ view, loadOp: index === 0 ? 'clear' : 'load', storeOp: 'store', clearValue: [0, 0, 0, 1] }],
      });
      pass.setPipeline(this.pipeline);
      pass.setBindGroup(0, this.groups[index]);
      pass.draw(3);
      pass.end();
    });
  }
}
