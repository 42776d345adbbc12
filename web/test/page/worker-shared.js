// SPDX-License-Identifier: MIT
import { numbersOf, runApp } from './passes.js';

self.onconnect = ({ ports: [port] }) => {
  port.onmessage = async ({ data }) => port.postMessage(await runApp(numbersOf(data)));
};
