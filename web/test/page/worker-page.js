// SPDX-License-Identifier: MIT
/** ?how=blob|url|module, and what passes.html takes. */
import { tell } from './passes.js';

const how = new URLSearchParams(location.search).get('how');
const blob = () => {
  // From a blob, relative names lead nowhere: it is told where it comes from.
  const text = `self.home = ${JSON.stringify(location.href)}; importScripts(${JSON.stringify(new URL('worker.js', location.href).href)});`;
  return new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
};
const makers = { blob, url: () => new Worker('worker.js'), module: () => new Worker('worker-module.js', { type: 'module' }) };
const worker = makers[how]();
worker.onmessage = async ({ data }) => {
  await tell(data);
  document.body.id = 'done';
};
worker.postMessage(location.search);
