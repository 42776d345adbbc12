// SPDX-License-Identifier: MIT
// Stands in until the real one is generated.
(config => {
  const send = globalThis[config.binding];
  if (typeof send !== 'function') return;
  delete globalThis[config.binding];
  let last = 0;
  const hello = { k: 'hello', v: 1, url: String(globalThis.location), kind: globalThis.document ? 'page' : 'worker', origin_ms: performance.timeOrigin, webgpu: globalThis.GPUAdapter ? 'hooked' : 'absent', webgl: globalThis.WebGL2RenderingContext ? 'hooked' : 'absent', text: '' };
  send(JSON.stringify([hello]));
  Object.defineProperty(globalThis, Symbol.for(config.binding), { configurable: true, value: () => send(JSON.stringify([{ k: 'note', text: `flush ${++last}` }])) });
})
