// SPDX-License-Identifier: MIT
/** `import 'passtime/auto'` before the app: everything on the page is timed. */
export { Passtime } from './passtime.js';
