// SPDX-License-Identifier: MIT
/** ?how=blob|url|module|shared|service, and what passes.html takes. */
import { tell } from './passes.js';

const how = new URLSearchParams(location.search).get('how');
const blob = () => {
  // From a blob, relative names lead nowhere: it is told where it comes from.
  const text = `self.home = ${JSON.stringify(location.href)}; importScripts(${JSON.stringify(new URL('worker.js', location.href).href)});`;
  return new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
};
const shared = () => {
  const { port } = new SharedWorker('worker-shared.js', { type: 'module' });
  port.start();
  return port;
};
const service = async () => {
  await navigator.serviceWorker.register('worker-service.js', { type: 'module' });
  const { active } = await navigator.serviceWorker.ready;
  return { postMessage: (data) => active.postMessage(data), listen: (heard) => navigator.serviceWorker.addEventListener('message', heard) };
};
const makers = {
  blob, url: () => new Worker('worker.js'), module: () => new Worker('worker-module.js', { type: 'module' }), shared, service,
};

const worker = await makers[how]();
const onCounts = async ({ data }) => {
  await tell(data);
  document.body.id = 'done';
};
if (worker.listen) worker.listen(onCounts);
else worker.onmessage = onCounts;
worker.postMessage(location.search);
