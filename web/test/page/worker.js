// SPDX-License-Identifier: MIT
/** A classic worker: it takes hold of the adapter in its first line, as a cached entry point would. */
const early = self.GPUAdapter?.prototype.requestDevice;

self.onmessage = async ({ data }) => {
  const { numbersOf, runApp } = await import(new URL('passes.js', self.home ?? location.href));
  if (early === undefined) throw new Error('a worker without WebGPU');
  postMessage(await runApp(numbersOf(data)));
};
