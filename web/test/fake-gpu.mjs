// SPDX-License-Identifier: MIT
/**
 * A scripted WebGPU: work runs when told, maps answer when told and as told, query sets fail later.
 * It checks what a real one would check (index rules, ranges, alignment, buffers mapped while used) and
 * throws where Passtime broke a rule, so that a test cannot pass by luck.
 */

const must = (condition, text) => {
  if (!condition) throw new Error(`fake: ${text}`);
};

class QuerySet {
  constructor(device, { count, type }) {
    must(type === 'timestamp' && count <= 4096 && count > 0, `query set of ${count}`);
    this.device = device;
    this.values = new BigUint64Array(count);
  }
}

class Buffer {
  constructor(device, { size, usage }) {
    Object.assign(this, { device, size, usage, bytes: new ArrayBuffer(size), state: 'unmapped', destroyed: false });
  }

  mapAsync(mode, offset, size) {
    must(mode === 1 && offset % 8 === 0 && offset + size <= this.size, 'map range');
    must(this.state === 'unmapped', 'map of a buffer that is not unmapped');
    this.state = 'pending';
    this.device.calls.mapAsync++;
    return new Promise((resolve, reject) => this.device.maps.push({ buffer: this, resolve, reject }));
  }

  getMappedRange(offset, size) {
    must(this.state === 'mapped', 'range of a buffer that is not mapped');
    return this.bytes.slice(offset, offset + size);
  }

  unmap() {
    this.state = 'unmapped';
  }

  destroy() {
    this.destroyed = true;
  }
}

class RenderPass {
  setPipeline() {}
  end() {}
}
class ComputePass {
  setPipeline() {}
  end() {}
}

class CommandBuffer {
  constructor(commands) {
    this.commands = commands;
    this.used = false;
  }
}

class CommandEncoder {
  constructor(device) {
    this.device = device;
    this.commands = [];
  }

  beginPass(descriptor, Kind) {
    const writes = descriptor?.timestampWrites;
    must(writes !== null, 'timestampWrites');
    if (writes) {
      const { querySet, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end } = writes;
      const inSet = (index) => index === undefined || index < querySet.values.length;
      must(begin !== end && inSet(begin) && inSet(end), 'indices');
      this.commands.push(() => this.device.stamp(querySet, begin, end));
    }
    this.device.onPass?.(descriptor ?? {});
    this.device.passes.push({ descriptor, writes });
    return new Kind();
  }

  beginRenderPass(descriptor) {
    must(descriptor?.colorAttachments, 'render pass without attachments');
    this.device.attachments = [...descriptor.colorAttachments]; // of the last pass, as the platform reads them
    return this.beginPass(descriptor, RenderPass);
  }

  beginComputePass(descriptor) {
    return this.beginPass(descriptor, ComputePass);
  }

  resolveQuerySet(set, first, count, buffer, offset) {
    must(first + count <= set.values.length && offset % 256 === 0 && offset + 8 * count <= buffer.size, 'resolve range');
    this.device.calls.resolveQuerySet++;
    this.commands.push(() => new BigUint64Array(buffer.bytes, offset, count).set(set.values.subarray(first, first + count)));
  }

  copyBufferToBuffer(from, fromAt, to, toAt, size) {
    must(size % 4 === 0 && fromAt + size <= from.size && toAt + size <= to.size, 'copy range');
    this.commands.push(() => {
      must(to.state === 'unmapped' && !to.destroyed, 'copy into a buffer that is mapped or destroyed');
      new Uint8Array(to.bytes).set(new Uint8Array(from.bytes, fromAt, size), toAt);
    });
  }

  clearBuffer(buffer) {
    this.commands.push(() => new Uint8Array(buffer.bytes).fill(0));
  }

  finish() {
    return new CommandBuffer(this.commands);
  }
}

class Queue {
  constructor(device) {
    this.device = device;
  }

  submit(list) {
    this.device.calls.submit++;
    for (const buffer of list) {
      must(!buffer.used, 'submitted twice');
      buffer.used = true;
      this.device.pending.push(...buffer.commands);
    }
    if (this.device.immediate) this.device.run();
  }

  onSubmittedWorkDone() {
    return Promise.resolve();
  }
}

class Device {
  constructor({ features = ['timestamp-query'], immediate = true } = {}) {
    this.features = new Set(features);
    this.queue = new Queue(this);
    this.immediate = immediate;
    this.calls = { submit: 0, resolveQuerySet: 0, mapAsync: 0, createQuerySet: 0, createBuffer: 0 };
    this.sets = [];
    this.passes = [];
    this.onPass = null; // is shown each pass's descriptor as it is read
    this.pending = [];
    this.maps = [];
    this.scopes = [];
    this.uncaptured = [];
    this.originTicks = 1_000_000_000n;
    this.ticks = 0n; // of the last stamp
    this.passNs = 1000n;
    this.gapNs = 100n; // between passes; the GPU must not run ahead of the time it really takes
    this.failSetsAbove = Infinity; // slots: larger sets fail, later, as out of memory
    this.lost = new Promise((resolve) => (this.lose = (reason = 'destroyed') => resolve({ reason, message: 'gone' })));
  }

  createQuerySet(descriptor) {
    if (!this.features.has('timestamp-query')) throw new TypeError('no feature');
    this.calls.createQuerySet++;
    const set = new QuerySet(this, descriptor);
    this.sets.push(set);
    if (descriptor.count > this.failSetsAbove) this.raise('out-of-memory', 'no room for the query set');
    return set;
  }

  createBuffer(descriptor) {
    this.calls.createBuffer++;
    return new Buffer(this, descriptor);
  }

  createCommandEncoder() {
    return new CommandEncoder(this);
  }

  pushErrorScope(filter) {
    this.scopes.push({ filter, error: null });
  }

  popErrorScope() {
    must(this.scopes.length > 0, 'pop without push');
    return Promise.resolve(this.scopes.pop().error);
  }

  raise(filter, message) {
    const scope = this.scopes.findLast((found) => found.filter === filter);
    if (!scope) this.uncaptured.push(message);
    else scope.error ??= { message };
  }

  /** The GPU's clock goes as the CPU's does, and never back. */
  stamp(set, begin, end) {
    const now = this.originTicks + BigInt(Math.floor(performance.now() * 1e6));
    if (now > this.ticks) this.ticks = now;
    if (begin !== undefined) set.values[begin] = this.ticks;
    this.ticks += this.passNs;
    if (end !== undefined) set.values[end] = this.ticks;
    this.ticks += this.gapNs;
  }

  run() {
    for (const command of this.pending.splice(0)) command();
  }

  /** Answers maps: all that are pending, or the first `count`. */
  answer({ count = Infinity, error = null } = {}) {
    for (const { buffer, resolve, reject } of this.maps.splice(0, count)) {
      if (error) {
        buffer.state = 'unmapped';
        reject(error);
      } else {
        buffer.state = 'mapped';
        resolve();
      }
    }
  }
}

class Adapter {
  constructor(features = ['timestamp-query']) {
    this.features = new Set(features);
    this.limits = { maxBindGroups: 4, minUniformBufferOffsetAlignment: 256 };
    this.asked = [];
    this.refuse = () => false;
  }

  async requestDevice(descriptor) {
    must(descriptor === undefined || descriptor === null || typeof descriptor === 'object', 'a descriptor');
    const required = [...(descriptor?.requiredFeatures ?? [])];
    this.asked.push(required);
    for (const feature of required) if (!this.features.has(feature)) throw new TypeError(`unsupported ${feature}`);
    if (this.refuse(required) || descriptor?.requiredLimits?.maxBindGroups > 4) throw new Error('refused');
    return new Device({ features: required });
  }
}

class Texture {
  constructor(fields) {
    Object.assign(this, { label: '', format: 'rgba8unorm', width: 4, height: 4 }, fields);
  }

  createView(descriptor) {
    return { label: descriptor?.label ?? '' };
  }
}

/** The classes under their names on the platform. */
class CanvasContext {
  getCurrentTexture() {
    return new Texture();
  }
}

export const classes = {
  GPUAdapter: Adapter,
  GPUDevice: Device,
  GPUQueue: Queue,
  GPUCommandEncoder: CommandEncoder,
  GPUBuffer: Buffer,
  GPURenderPassEncoder: RenderPass,
  GPUComputePassEncoder: ComputePass,
  GPUTexture: Texture,
  GPUCanvasContext: CanvasContext,
};
export { Adapter, CanvasContext, Device, Texture };

/** Lets promises and timers of zero length go by. */
export async function settle(ms = 3) {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve, ms));
}
