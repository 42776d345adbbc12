// SPDX-License-Identifier: MIT
/** What is loaded only when asked for: the writer of captures, beside this module. */
export const loadCapture = () => import('./capture.js');
