// SPDX-License-Identifier: MIT
import { numbersOf, runApp } from './passes.js';

self.onactivate = (event) => event.waitUntil(self.clients.claim());
self.onmessage = (event) => event.waitUntil(runApp(numbersOf(event.data)).then((counts) => event.source.postMessage(counts)));
