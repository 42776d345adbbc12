// SPDX-License-Identifier: MIT
/**
 * One frame of 64 small passes, and the ways to time it. Each way lives in a realm of its own (a frame
 * of the page, or a process of node), with its own device and its own copy of this module, so that none
 * is optimised for another's sake.
 */
export const PASSES = 64;

const SHADER = `
@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(1) fn compute() { cells[0] = cells[0] + 1u; }
@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn fragment() -> @location(0) vec4f { return vec4f(0.5); }`;

/** The page's own part: what it draws, its descriptors made beforehand. */
class Scene {
  constructor(device) {
    this.device = device;
    const module = device.createShaderModule({ code: SHADER });
    const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.STORAGE });
    const texture = device.createTexture({ size: [4, 4], format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT });
    this.compute = device.createComputePipeline({ layout: 'auto', compute: { module } });
    this.render = device.createRenderPipeline({
      layout: 'auto', vertex: { module }, fragment: { module, targets: [{ format: 'rgba8unorm' }] },
    });
    this.group = device.createBindGroup({ layout: this.compute.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] });
    this.names = { compute: [], render: [] };
    this.descriptors = { compute: [], render: [] };
    const view = texture.createView();
    for (let i = 0; i < PASSES; i++) {
      for (const kind of ['compute', 'render']) this.names[kind].push(`${kind} pass of many ${String.fromCharCode(97 + i % 26)}${i}`);
      this.descriptors.compute.push({ label: this.names.compute[i], timestampWrites: undefined });
      this.descriptors.render.push({
        label: this.names.render[i], colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }], timestampWrites: undefined,
      });
    }
  }

  /** One pass of the frame. */
  encode(encoder, kind, descriptor) {
    if (kind === 'compute') {
      const pass = encoder.beginComputePass(descriptor);
      pass.setPipeline(this.compute);
      pass.setBindGroup(0, this.group);
      pass.dispatchWorkgroups(1);
      pass.end();
    } else {
      const pass = encoder.beginRenderPass(descriptor);
      pass.setPipeline(this.render);
      pass.draw(3);
      pass.end();
    }
  }
}

/** Not timed at all. */
function untimed(scene) {
  return (kind) => {
    const encoder = scene.device.createCommandEncoder();
    const descriptors = scene.descriptors[kind];
    for (let i = 0; i < PASSES; i++) scene.encode(encoder, kind, descriptors[i]);
    scene.device.queue.submit([encoder.finish()]);
  };
}

/**
 * Stamped by hand, as well as can be: one query set of the right size, its descriptors made beforehand,
 * the resolve in the page's own encoder, buffers used again, ticks read as 32-bit words into sums.
 */
function byHand(scene) {
  const { device } = scene;
  const size = PASSES * 16;
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 * PASSES });
  const resolved = device.createBuffer({ size, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });
  const sums = new Float64Array(PASSES);
  const free = [];
  for (let n = 0; n < 4; n++) {
    const buffer = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const staging = { buffer, decode: null };
    staging.decode = () => {
      const words = new Uint32Array(buffer.getMappedRange());
      for (let i = 0; i < PASSES; i++) sums[i] += words[4 * i + 2] - words[4 * i] + 4294967296 * (words[4 * i + 3] - words[4 * i + 1]);
      buffer.unmap();
      free.push(staging);
    };
    free.push(staging);
  }
  for (const kind of ['compute', 'render']) {
    for (let i = 0; i < PASSES; i++) {
      scene.descriptors[kind][i].timestampWrites = { querySet, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 };
    }
  }
  return (kind) => {
    const encoder = device.createCommandEncoder();
    const descriptors = scene.descriptors[kind];
    for (let i = 0; i < PASSES; i++) scene.encode(encoder, kind, descriptors[i]);
    const staging = free.pop();
    encoder.resolveQuerySet(querySet, 0, 2 * PASSES, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, staging.buffer, 0, size);
    device.queue.submit([encoder.finish()]);
    staging.buffer.mapAsync(GPUMapMode.READ).then(staging.decode);
  };
}

/** A device of one's own: Passtime.attach. */
async function explicit(scene, { passtime }, enabled) {
  const { Passtime } = await passtime();
  const { device } = scene;
  const timer = await Passtime.attach(device);
  timer.enable(enabled);
  const frame = (kind) => {
    const encoder = device.createCommandEncoder();
    const descriptors = scene.descriptors[kind];
    const names = scene.names[kind];
    for (let i = 0; i < PASSES; i++) {
      const descriptor = descriptors[i];
      descriptor.timestampWrites = timer.pass(names[i]);
      scene.encode(encoder, kind, descriptor);
    }
    device.queue.submit([encoder.finish()]);
    timer.frame();
  };
  return Object.assign(frame, { timer });
}

/** Everything on the page: passtime/auto, loaded before the device was made. The page does what it does untimed. */
async function hooks(scene, { passtime }, enabled) {
  const { Passtime } = await passtime();
  const [timer] = Passtime.timers;
  timer.enable(enabled);
  return Object.assign(untimed(scene), { timer });
}

/** three.js: its pool, driven as WebGPUBackend drives it: a uid a pass, one descriptor used again, a resolve a frame. */
async function three(scene, { npm }) {
  const { default: Pool } = await import(npm('three/src/renderers/webgpu/utils/WebGPUTimestampQueryPool.js'));
  const pools = { compute: new Pool(scene.device, 'compute', 2048), render: new Pool(scene.device, 'render', 2048) };
  const writes = { querySet: null, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
  let number = 0;
  return (kind) => {
    const pool = pools[kind];
    const encoder = scene.device.createCommandEncoder();
    const descriptors = scene.descriptors[kind];
    number++;
    for (let i = 0; i < PASSES; i++) {
      const offset = pool.allocateQueriesForContext(`r:${i}:${i}:f${number}`);
      writes.querySet = pool.querySet;
      writes.beginningOfPassWriteIndex = offset;
      writes.endOfPassWriteIndex = offset + 1;
      descriptors[i].timestampWrites = writes;
      scene.encode(encoder, kind, descriptors[i]);
    }
    scene.device.queue.submit([encoder.finish()]);
    pool.resolveQueriesAsync();
  };
}

/** stats-gl's core, without its panels, driven as its documentation says. */
async function statsGl(scene, { npm }) {
  const { StatsCore } = await import(npm('stats-gl/dist/core.js'));
  const stats = new StatsCore({ trackGPU: true });
  await stats.init(scene.device);
  return (kind) => {
    stats.begin();
    const encoder = scene.device.createCommandEncoder();
    const descriptors = scene.descriptors[kind];
    for (let i = 0; i < PASSES; i++) {
      descriptors[i].timestampWrites = stats.getTimestampWrites(kind);
      scene.encode(encoder, kind, descriptors[i]);
    }
    stats.end(encoder);
    scene.device.queue.submit([encoder.finish()]);
    stats.resolveTimestampsAsync();
  };
}

/** By name, in the order of the table. `untimed` comes twice: the two differ by the noise alone. */
export const VARIANTS = {
  untimed: { title: 'not timed', make: untimed },
  again: { title: 'not timed, once more', make: untimed },
  off: { title: 'Passtime, turned off', make: (scene, from) => explicit(scene, from, false) },
  hooksOff: { title: 'Passtime, hooks, turned off', auto: true, make: (scene, from) => hooks(scene, from, false) },
  byHand: { title: 'stamped by hand', make: byHand },
  explicit: { title: 'Passtime', make: (scene, from) => explicit(scene, from, true) },
  hooks: { title: 'Passtime, hooks', auto: true, make: (scene, from) => hooks(scene, from, true) },
  statsGl: { title: 'stats-gl 4.2.3, core', make: statsGl },
  three: { title: 'three.js 0.187.0, pool', make: three },
};

/**
 * @param {GPUAdapter} adapter
 * @param {{passtime: (entry?: string) => Promise<object>, npm: (path: string) => string}} from where the packages are
 */
export async function prepare(name, adapter, from) {
  const { auto, make } = VARIANTS[name];
  if (auto) await from.passtime('auto');
  const device = await adapter().then((found) => found.requestDevice({ requiredFeatures: ['timestamp-query'] }));
  const errors = [];
  device.addEventListener('uncapturederror', (event) => errors.push(event.error.message));
  const scene = new Scene(device);
  const frame = await make(scene, from);
  return { device, frame, timer: frame.timer, errors };
}
