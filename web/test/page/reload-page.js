// SPDX-License-Identifier: MIT
/** ?times=N reloads, each after some frames. */
import { numbersOf, runApp, tell } from './passes.js';

const { times, ...options } = numbersOf(location.search);
const counts = await runApp(options);
await tell(counts);
const done = Number(sessionStorage.getItem('done') ?? 0);
sessionStorage.setItem('done', String(done + 1));
if (done < times) location.reload();
