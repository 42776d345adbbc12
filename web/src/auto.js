// SPDX-License-Identifier: MIT
/** `import 'passtime/auto'` before the app: everything on the page is timed. */
import { Passtime } from './index.js';

Passtime.auto();

export { Passtime };
