// SPDX-License-Identifier: MIT
/**
 * The frame of `passtime demo map`, by WebGPU: the same shaders, the same city, the same five passes.
 * It knows nothing of Passtime; its passes carry labels, as any app's do.
 */

const WORKGROUP = 64;
const TILE_COUNT = 64 + 256 + 1024 + 4096;
const LEVEL_MIN = 3; // as in map_common.wgsl
const LEVEL_MAX = 6;
const TOWN_ROWS = 32;
const LEGEND_SIZE_MIN = 256;

/** Rows, x, y, spread, and the share of people along streets: the towns are drawn from evenly. */
const TOWNS = [
  [12, 0.04, 0.06, 0.185, 0.86], [4, -0.3, 0.28, 0.15, 0.82], [3, 0.38, 0.34, 0.14, 0.82], [3, -0.22, -0.36, 0.15, 0.8],
  [2, 0.36, -0.3, 0.11, 0.8], [2, -0.62, -0.06, 0.12, 0.78], [1, 0.76, 0.1, 0.085, 0.76], [1, -0.66, 0.7, 0.08, 0.74],
  [1, 0.1, 0.78, 0.085, 0.76], [1, -0.78, -0.66, 0.085, 0.74], [1, 0.74, 0.74, 0.07, 0.74], [1, 0.06, -0.8, 0.075, 0.74],
];

/** The uniform block View. */
class View {
  constructor(size) {
    this.bytes = new ArrayBuffer(32 + TOWN_ROWS * 16);
    this.floats = new Float32Array(this.bytes);
    this.words = new Uint32Array(this.bytes);
    this.words[3] = size;
    this.words[7] = TILE_COUNT;
    const rows = TOWNS.flatMap(([count, ...town]) => Array(count).fill(town));
    rows.forEach((town, row) => this.floats.set(town, 8 + 4 * row));
  }

  /** As many rows of workgroups as the device makes necessary. @returns {[number, number]} columns, rows */
  spread(points, columnsMost) {
    const groups = Math.ceil(points / WORKGROUP);
    const rows = Math.ceil(groups / columnsMost);
    const columns = Math.ceil(groups / rows);
    this.words[4] = points;
    this.words[5] = columns * WORKGROUP;
    return [columns, rows];
  }

  look(x, y, zoom) {
    this.floats[0] = x;
    this.floats[1] = y;
    this.floats[2] = zoom;
    this.words[6] = Math.min(LEVEL_MAX, LEVEL_MIN + Math.max(0, Math.floor(Math.log2(zoom) + 0.01)));
  }
}

const blend = (operation, srcFactor, dstFactor, alphaSource = srcFactor) => ({
  color: { operation, srcFactor, dstFactor }, alpha: { operation, srcFactor: alphaSource, dstFactor },
});

export class MapScene {
  /** @param {{scatter: string, cull: string, paint: string}} code each with map_common.wgsl before it */
  constructor(device, code, format, size) {
    this.device = device;
    this.size = size;
    this.view = new View(size);
    this.makeResources(device);
    this.makeCompute(device, code);
    this.makeRender(device, device.createShaderModule({ label: 'map_paint.wgsl', code: code.paint }), format);
  }

  makeResources(device) {
    const { size } = this;
    const usage = GPUBufferUsage;
    const buffer = (label, bytes, flags) => device.createBuffer({ label, size: bytes, usage: flags });
    const target = (label, textureFormat) => device.createTexture({
      label, size: [size, size], format: textureFormat, usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.TEXTURE_BINDING,
    }).createView({ label });
    this.viewBuffer = buffer('view', this.view.bytes.byteLength, usage.UNIFORM | usage.COPY_DST);
    this.grid = buffer('grid', size * size * 4, usage.STORAGE | usage.COPY_DST);
    this.drawArguments = buffer('draw', 16, usage.STORAGE | usage.INDIRECT | usage.COPY_DST);
    this.visible = buffer('visible tiles', TILE_COUNT * 4, usage.STORAGE);
    this.base = target('base', 'rgba8unorm');
    this.tiles = target('tiles', 'r8unorm');
    this.sampler = device.createSampler({ magFilter: 'linear', minFilter: 'linear' });
  }

  group(pipeline, resources) {
    const entries = Object.entries(resources).map(([binding, resource]) => ({ binding: Number(binding), resource }));
    return this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  }

  makeCompute(device, code) {
    const view = { buffer: this.viewBuffer };
    const kinds = {
      scatter: { 0: view, 1: { buffer: this.grid } },
      cull: { 0: view, 1: { buffer: this.drawArguments }, 2: { buffer: this.visible } },
    };
    this.compute = {};
    for (const [name, resources] of Object.entries(kinds)) {
      const module = device.createShaderModule({ label: name, code: code[name] });
      const pipeline = (entryPoint) => device.createComputePipeline({ label: entryPoint, layout: 'auto', compute: { module, entryPoint } });
      const [open, main] = [pipeline(`open_${name}`), pipeline(name)];
      this.compute[name] = { open, main, openGroup: this.group(open, { 1: resources[1] }), group: this.group(main, resources) };
    }
  }

  makeRender(device, module, format) {
    const view = { buffer: this.viewBuffer };
    const pipeline = (label, vertex, targetFormat, blending) => device.createRenderPipeline({
      label, layout: 'auto', vertex: { module, entryPoint: vertex },
      fragment: { module, entryPoint: label, targets: [{ format: targetFormat, blend: blending }] },
    });
    const draw = (made, resources) => ({ pipeline: made, group: this.group(made, resources) });
    // The order of the culled tiles is not fixed; the greater of two is the same in any order.
    this.render = {
      base: draw(pipeline('base', 'cover', 'rgba8unorm'), { 0: view, 1: { buffer: this.grid } }),
      tiles: draw(pipeline('tile', 'tile_corner', 'r8unorm', blend('max', 'one', 'one')), { 0: view, 2: { buffer: this.visible } }),
      compose: draw(pipeline('compose', 'cover', format), { 0: view, 3: this.base, 4: this.tiles, 5: this.sampler }),
      legend: draw(pipeline('legend', 'legend_corner', format, blend('add', 'src-alpha', 'one-minus-src-alpha', 'one')), { 0: view }),
    };
  }

  setPoints(points) {
    this.dispatch = this.view.spread(points, this.device.limits.maxComputeWorkgroupsPerDimension);
  }

  runCompute(encoder, label, columns, rows) {
    const { open, main, openGroup, group } = this.compute[label];
    const pass = encoder.beginComputePass({ label });
    pass.setPipeline(open);
    pass.setBindGroup(0, openGroup);
    pass.dispatchWorkgroups(1);
    pass.setPipeline(main);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(columns, rows);
    pass.end();
  }

  runRender(encoder, label, view, draw) {
    const pass = encoder.beginRenderPass({ label, colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store', clearValue: [0, 0, 0, 0] }] });
    const use = ({ pipeline, group }) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
    };
    use(this.render[label]);
    draw(pass, use);
    pass.end();
  }

  /** Records and submits one frame. */
  draw(target, { x, y, zoom }) {
    const { device } = this;
    this.view.look(x, y, zoom);
    device.queue.writeBuffer(this.viewBuffer, 0, this.view.bytes);
    const encoder = device.createCommandEncoder({ label: 'map' });
    encoder.clearBuffer(this.grid);
    this.runCompute(encoder, 'scatter', ...this.dispatch);
    this.runCompute(encoder, 'cull', Math.ceil(TILE_COUNT / WORKGROUP), 1);
    this.runRender(encoder, 'base', this.base, (pass) => pass.draw(3));
    this.runRender(encoder, 'tiles', this.tiles, (pass) => pass.drawIndirect(this.drawArguments, 0));
    this.runRender(encoder, 'compose', target, (pass, use) => {
      pass.draw(3);
      if (this.size < LEGEND_SIZE_MIN) return;
      use(this.render.legend);
      pass.draw(6);
    });
    device.queue.submit([encoder.finish()]);
  }
}
