// SPDX-License-Identifier: MIT
/** ?passes=N&frames=N&names=N: the page's own count is told when the last frame was drawn; &mark=N: once in between. */
import { numbersOf, runApp, tell } from './passes.js';

const { mark, ...options } = numbersOf(location.search);
const counts = await runApp(options, ({ frames }) => {
  if (frames === mark) tell({ mark });
});
await tell(counts);
document.body.id = 'done';
