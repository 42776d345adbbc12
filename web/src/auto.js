// SPDX-License-Identifier: MIT
/** `import 'passtime/auto'` before the app: everything on the page is timed. With `auto.js?group`, short passes share stamps. */
import { Passtime } from './index.js';

Passtime.auto({ group: /\?group\b/.test(import.meta.url) });

export { Passtime };
