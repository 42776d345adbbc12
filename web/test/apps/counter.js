// SPDX-License-Identifier: MIT
/**
 * Counts, by itself and before anything else is there, what reaches WebGPU: passes begun, those that
 * came with stamps, submits, and errors that nobody caught. A classic script.
 */
(() => {
  const counts = {
    passes: 0, // render and compute passes begun
    stamped: 0, // of those, with timestampWrites: the page's, and ours where we are there
    submits: 0,
    commands: 0,
    devices: 0,
    uncaptured: [],
    lost: [],
  };
  globalThis.counted = counts;

  const wrap = (owner, name, before) => {
    const native = owner.prototype[name];
    owner.prototype[name] = function (...args) {
      before(args);
      return native.apply(this, args);
    };
  };

  if (globalThis.GPUCommandEncoder) {
    const begins = ([descriptor]) => {
      counts.passes++;
      if (descriptor?.timestampWrites) counts.stamped++;
    };
    wrap(GPUCommandEncoder, 'beginRenderPass', begins);
    wrap(GPUCommandEncoder, 'beginComputePass', begins);
    wrap(GPUQueue, 'submit', ([list]) => {
      counts.submits++;
      counts.commands += [...list].length;
    });
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
