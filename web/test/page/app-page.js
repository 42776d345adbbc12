// SPDX-License-Identifier: MIT
/** Waits for ../apps/main.js and tells its outcome, with the counts at the very end. */
import { tell } from './passes.js';

while (globalThis.outcome === null || globalThis.outcome === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
const { failed, pixels, perFrame, glErrors, uncaptured } = globalThis.outcome;
await tell({
  failed, pixels, perFrame, glErrors, uncaptured,
  passes: globalThis.counted.passes + globalThis.countedGL.passes,
});
document.body.id = 'done';
