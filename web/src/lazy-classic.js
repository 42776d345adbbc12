// SPDX-License-Identifier: MIT
/** lazy.js for the classic script: the bundler, which knows the name too well there, would add code for CommonJS. */
export const loadCapture = (file = './capture.js') => import(file);
