// SPDX-License-Identifier: MIT
/**
 * A page without a library: two devices, a pass to the canvas, and descriptors of every make. In a
 * worker too. Afterwards it does what a page should not do, and notes how that is answered.
 */
import { byAnimationFrames } from '/apps/loop.js';
import { misuse } from '/apps/misuse.js';

const SHADER = `
@group(0) @binding(0) var<uniform> step: vec4f;
@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i % 2u) * 4.0 - 1.0, f32(i / 2u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn shade(@builtin(position) p: vec4f) -> @location(0) vec4f {
  return vec4f(fract(p.xy * 0.03 + step.x * 0.1), 0.5, 1.0);
}
@compute @workgroup_size(1) fn idle() {}`;

const clear = (view) => ({ view, loadOp: 'clear', storeOp: 'store', clearValue: [0, 0.2, 0.4, 1] });

class Reused {
  label = 'reused';
  colorAttachments = [null];
}

class Private {
  #attachments;
  constructor(view) { this.#attachments = [clear(view)]; }
  get label() { return 'private'; }
  get colorAttachments() { return this.#attachments; }
}

/** Draws one triangle to the canvas, and gives all kinds of descriptors to passes that clear. */
function painter(device, canvas) {
  const context = canvas.getContext('webgpu');
  const format = navigator.gpu.getPreferredCanvasFormat();
  context.configure({ device, format });
  const module = device.createShaderModule({ code: SHADER });
  const pipeline = device.createRenderPipeline({
    layout: 'auto', vertex: { module, entryPoint: 'corner' }, fragment: { module, entryPoint: 'shade', targets: [{ format }] },
  });
  const uniform = device.createBuffer({ size: 16, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: uniform } }] });
  const texture = device.createTexture({ size: [16, 16], mipLevelCount: 2, format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT });
  const view = texture.createView({ mipLevelCount: 1 });
  const reused = new Reused();
  const once = function* () { yield clear(view); };

  return (frame) => {
    device.queue.writeBuffer(uniform, 0, new Float32Array([frame, 0, 0, 0]));
    const encoder = device.createCommandEncoder();
    reused.colorAttachments[0] = clear(view);
    encoder.beginRenderPass(reused).end();
    encoder.beginRenderPass(Object.freeze({ label: 'frozen', colorAttachments: Object.freeze([clear(view)]) })).end();
    encoder.beginRenderPass(new Proxy({ label: 'proxy', colorAttachments: [clear(view)] }, {})).end();
    encoder.beginRenderPass(new Private(view)).end();
    encoder.beginRenderPass({ colorAttachments: once() }).end();
    encoder.beginRenderPass({ colorAttachments: [clear(texture.createView({ label: `mip ${frame}`, baseMipLevel: 1 }))] }).end();
    const pass = encoder.beginRenderPass({ colorAttachments: [clear(context.getCurrentTexture().createView())] });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.draw(3);
    pass.end();
    device.queue.submit(new Set([encoder.finish()]));
  };
}

/** Two submits a frame, the second one's list an iterator. */
function computer(device) {
  const module = device.createShaderModule({ code: SHADER });
  const pipeline = device.createComputePipeline({ label: 'idle', layout: 'auto', compute: { module, entryPoint: 'idle' } });
  const encode = () => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.dispatchWorkgroups(1);
    pass.end();
    return encoder.finish();
  };
  return () => {
    device.queue.submit([encode(), encode()]);
    device.queue.submit([encode()].values());
  };
}

async function dataUrl(canvas) {
  if (canvas.toDataURL) return canvas.toDataURL();
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
}

export async function start(canvas) {
  const devices = [];
  for (const label of ['first', 'second']) {
    const adapter = await navigator.gpu.requestAdapter();
    devices.push(await adapter.requestDevice(Object.freeze({ label, requiredFeatures: new Set() })));
  }
  const draw = painter(devices[0], canvas);
  const compute = computer(devices[1]);
  return {
    draw(frame) {
      draw(frame);
      compute();
    },
    loop: byAnimationFrames,
    pixels: () => dataUrl(canvas),
    extra: () => misuse(devices),
  };
}
