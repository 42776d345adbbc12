// SPDX-License-Identifier: MIT
import { numbersOf, runApp } from './passes.js';

self.onmessage = async ({ data }) => postMessage(await runApp(numbersOf(data)));
