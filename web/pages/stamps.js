// SPDX-License-Identifier: MIT
/** Stamps by hand: what WebGPU gives, before anyone judges it. */

export class RawStamps {
  /** @param {GPUDevice} device @param {number} passes */
  constructor(device, passes) {
    this.device = device;
    this.passes = passes;
    const size = Math.ceil((passes * 16) / 256) * 256;
    this.set = device.createQuerySet({ label: 'by hand', type: 'timestamp', count: 2 * passes });
    this.resolved = device.createBuffer({ label: 'by hand', size, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });
    this.staging = device.createBuffer({ label: 'by hand', size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    this.busy = false;
  }

  writesOf(pass) {
    return { querySet: this.set, beginningOfPassWriteIndex: 2 * pass, endOfPassWriteIndex: 2 * pass + 1 };
  }

  /** Call after the last pass, in the same encoder. */
  resolve(encoder) {
    encoder.resolveQuerySet(this.set, 0, 2 * this.passes, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.staging, 0, 16 * this.passes);
  }

  /** Call after the submit. @returns {Promise<{begin: bigint, end: bigint}[]>} */
  async read() {
    this.busy = true;
    try {
      await this.staging.mapAsync(GPUMapMode.READ, 0, 16 * this.passes);
      const ticks = new BigUint64Array(this.staging.getMappedRange(0, 16 * this.passes));
      const list = Array.from({ length: this.passes }, (_, i) => ({ begin: ticks[2 * i], end: ticks[2 * i + 1] }));
      this.staging.unmap();
      return list;
    } finally {
      this.busy = false;
    }
  }
}
