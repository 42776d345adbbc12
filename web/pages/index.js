// SPDX-License-Identifier: MIT
/** The overview: what this browser offers, before anything is drawn. */
import { Passtime } from 'passtime';
import { adapterName, byId, isSoftware, make, startPage } from './common.js';

startPage();
const body = byId('offers').tBodies[0];
const row = (what, tone, answer, why) => body.append(make('tr', {}, make('th', { scope: 'row' }, what),
  make('td', {}, make('span', { class: 'chip', 'data-tone': tone }, answer)), make('td', { class: 'soft' }, why)));

async function webgpu() {
  if (!navigator.gpu) return row('WebGPU', 'bad', 'no', globalThis.isSecureContext ? 'This browser has none, or it is switched off.' : 'It needs a secure page: https, or localhost.');
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  if (!adapter) return row('WebGPU', 'bad', 'no adapter', 'The GPU or its driver may be on the browser’s blocklist.');
  row('WebGPU', 'good', 'yes', `${adapterName(adapter)}${isSoftware(adapter) ? ', a software renderer' : ''}`);
  const stamps = adapter.features.has('timestamp-query');
  return row('WebGPU timestamps', stamps ? 'good' : 'warn', stamps ? 'yes' : 'no', stamps ? 'Every pass can be timed.' : 'CPU times stand in, and are called so.');
}

function webgl(version) {
  const gl = make('canvas').getContext(version === 1 ? 'webgl' : 'webgl2');
  if (!gl) return row(`WebGL ${version}`, 'bad', 'no', 'The browser gives no context.');
  const name = version === 1 ? 'EXT_disjoint_timer_query' : 'EXT_disjoint_timer_query_webgl2';
  const timer = gl.getExtension(name);
  row(`WebGL ${version} timer queries`, timer ? 'good' : 'warn', timer ? 'yes' : 'no', timer ? name : `${name} is not offered.`);
  return gl.getExtension('WEBGL_lose_context')?.loseContext();
}

await webgpu();
for (const version of [1, 2]) webgl(version);
row('Passtime', 'good', Passtime.version, 'The package that these pages use.');
document.body.dataset.state = 'ready';
