// SPDX-License-Identifier: MIT
/**
 * The CPU's clock in nanoseconds, from the moment this module was loaded (plus a second, so that 0
 * never is a time). Browsers coarsen it; `seenNs` allows for the step, so that the envelope which
 * the core holds a pass against is never narrower than the truth.
 */

const performanceNow = globalThis.performance.now.bind(globalThis.performance);
const originMs = performanceNow() - 1000;

const LAST = 0;
const STEP = 1;
/** In an array, since a number in a variable of the module would be garbage at each change. */
const state = new Float64Array(2);
state[STEP] = 1e8; // the coarsest in use (Firefox resisting fingerprints), until a finer one is seen

/** @returns {number} nanoseconds, not going back */
export function nowNs() {
  const ns = (performanceNow() - originMs) * 1e6;
  const step = ns - state[LAST];
  if (step > 0) {
    if (step < state[STEP]) state[STEP] = step;
    state[LAST] = ns;
  }
  return state[LAST];
}

/** @returns {number} a time that is not before now: the clock's reading plus its step */
export function seenNs() {
  return nowNs() + state[STEP];
}

/** @param {number} ns of this clock; @returns {number} milliseconds as performance.now() counts */
export function toPerformanceMs(ns) {
  return ns / 1e6 + originMs;
}
