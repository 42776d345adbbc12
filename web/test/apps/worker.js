// SPDX-License-Identifier: MIT
/** An app in a worker, on a canvas that the page handed over. The counts come first. */
import '/apps/counter.js';
import '/apps/counter-webgl.js';
import { run } from '/apps/stage.js';

globalThis.onmessage = ({ data }) => run(data.canvas, data.what).then(
  (outcome) => postMessage(outcome),
  (error) => postMessage({ failed: String(error?.stack ?? error) }));
