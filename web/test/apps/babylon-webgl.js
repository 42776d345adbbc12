// SPDX-License-Identifier: MIT
import { startWith } from '/apps/babylon.js';

export const start = (canvas) => startWith(canvas, (BABYLON) => new BABYLON.Engine(canvas, false));
