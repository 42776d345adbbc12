// SPDX-License-Identifier: MIT
/** One variant in a process of its own, on dawn.node; told what to run by bench.mjs. */
import { getHeapStatistics } from 'node:v8';
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);
const { prepare } = await import('./variants.js');
const { Realm, watchOutside } = await import('./realm.js');

watchOutside(globalThis);
const gpu = create(['disable-dawn-features=timestamp_quantization']);
const from = {
  passtime: (entry = 'passtime') => import(`../dist/${entry}.js`),
  npm: (path) => new URL(`../node_modules/${path}`, import.meta.url).href,
};
const made = await prepare(process.argv[2], () => gpu.requestAdapter(), from);
const realm = new Realm(made, () => getHeapStatistics().used_heap_size, () => globalThis.gc());

process.on('message', async ({ call, args }) => {
  if (call === 'end') process.exit(0);
  process.send({ result: await realm[call](...args) ?? null });
});
process.send({ result: 'ready' });
