// SPDX-License-Identifier: MIT
/** What `import { Passtime } from 'passtime'` gives. */
export { attach, Timer } from './timer.js';
export { VERSION as version } from './report.js';
