// SPDX-License-Identifier: MIT
/** The work of the check: the shader of `passtime probe --check`, in passes of 1, 2, 4, 8 and 16 equal parts. */
import { Passtime } from 'passtime';

export const PARTS = [1, 2, 4, 8, 16];
const GROUPS = 64;
const STEPS_LEAST = 16;
const STEPS_MOST = 1 << 16;
const FRAME_MS = 4; // a frame lasts that long by the CPU's clock, so that each part is there to be seen

export class CheckWork {
  /** @param {GPUDevice} device @param {string} code check.wgsl */
  constructor(device, code) {
    this.device = device;
    const module = device.createShaderModule({ label: 'check.wgsl', code });
    this.pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'compute' } });
    const results = device.createBuffer({ size: 64 * 4 * GROUPS, usage: GPUBufferUsage.STORAGE });
    this.steps = PARTS.map(() => device.createBuffer({ size: 16, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST }));
    this.groups = this.steps.map((buffer) => device.createBindGroup({
      layout: this.pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer } }, { binding: 1, resource: { buffer: results } }],
    }));
  }

  setSteps(steps) {
    PARTS.forEach((parts, i) => this.device.queue.writeBuffer(this.steps[i], 0, new Uint32Array([parts * steps, 0, 0, 0])));
  }

  /** One frame, whose passes come in another order each time: what goes before then touches all alike. */
  frame(writesOf) {
    const order = PARTS.map((_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const other = Math.floor(Math.random() * (i + 1));
      [order[i], order[other]] = [order[other], order[i]];
    }
    const encoder = this.device.createCommandEncoder();
    encoder.beginComputePass().end(); // takes what a submission begins with
    for (const i of order) {
      const pass = encoder.beginComputePass({ timestampWrites: writesOf(i) });
      pass.setPipeline(this.pipeline);
      pass.setBindGroup(0, this.groups[i]);
      pass.dispatchWorkgroups(GROUPS);
      pass.end();
    }
    this.device.queue.submit([encoder.finish()]);
  }

  /** Makes a part long enough. The first frames also make the GPU's code: they are not timed. */
  async warmUp() {
    for (let steps = STEPS_LEAST; steps <= STEPS_MOST; steps *= 2) {
      this.setSteps(steps);
      let shortest = Infinity;
      for (let run = 0; run < 3; run++) {
        const from = performance.now();
        this.frame(() => undefined);
        await this.device.queue.onSubmittedWorkDone();
        shortest = Math.min(shortest, performance.now() - from);
      }
      if (shortest >= FRAME_MS) return;
    }
  }

  /**
   * Frames through Passtime until `enough` says so of the figures: the core's means and errors, a pass each.
   * @param {(figures: (object | null)[], frames: number) => boolean} enough asked every few frames
   */
  async run(enough, framesMost) {
    const timer = await Passtime.attach(this.device, { name: 'check' });
    timer.reset();
    let figures = PARTS.map(() => null);
    for (let frame = 1; frame <= framesMost; frame++) {
      this.frame((i) => timer.pass(`${PARTS[i]} parts`));
      timer.frame();
      if (frame % 4 !== 0) continue;
      await this.device.queue.onSubmittedWorkDone();
      const { series } = timer.stats();
      figures = PARTS.map((parts) => series.find((each) => each.name === `${parts} parts`)?.stats ?? null);
      if (enough(figures, frame)) break;
    }
    timer.destroy();
    return figures;
  }
}
