// SPDX-License-Identifier: MIT
/**
 * Counts, by itself and before anything else is there, what reaches WebGPU: passes begun, devices,
 * and errors that nobody caught. A classic script.
 */
(() => {
  const counts = {
    passes: 0, // render and compute passes begun
    devices: 0,
    uncaptured: [],
    lost: [],
  };
  globalThis.counted = counts;

  function countPasses(name) {
    const native = GPUCommandEncoder.prototype[name];
    GPUCommandEncoder.prototype[name] = function (...args) {
      const pass = native.apply(this, args);
      counts.passes++;
      return pass;
    };
  }

  if (globalThis.GPUCommandEncoder) {
    countPasses('beginRenderPass');
    countPasses('beginComputePass');
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (...args) {
      const device = await requestDevice.apply(this, args);
      counts.devices++;
      device.addEventListener('uncapturederror', (event) => counts.uncaptured.push(event.error.message));
      device.lost.then((info) => counts.lost.push(info.reason));
      return device;
    };
  }
})();
