// SPDX-License-Identifier: MIT
/** ?passes=N&frames=N&names=N: the page's own count is told when the last frame was drawn. */
import { numbersOf, runApp, tell } from './passes.js';

const counts = await runApp(numbersOf(location.search));
await tell(counts);
document.body.id = 'done';
