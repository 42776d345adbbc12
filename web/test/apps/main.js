// SPDX-License-Identifier: MIT
/** Runs an app in this page, or in a worker of it: ?app=NAME&us=module|classic|none&frames=N&where=page|worker */
import { run } from '/apps/stage.js';

const address = new URLSearchParams(location.search);
const what = { app: address.get('app'), us: address.get('us'), frames: Number(address.get('frames')) };
const canvas = document.getElementById('canvas');

function runInWorker() {
  const worker = new Worker('/apps/worker.js', { type: 'module' });
  const offscreen = canvas.transferControlToOffscreen();
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ canvas: offscreen, what }, [offscreen]);
  });
}

globalThis.outcome = null;
(address.get('where') === 'worker' ? runInWorker() : run(canvas, what)).then(
  (outcome) => { globalThis.outcome = outcome; },
  (error) => { globalThis.outcome = { failed: String(error?.stack ?? error) }; });
