// SPDX-License-Identifier: MIT
/** The JSON text of a frame. Its times are nanoseconds on performance.now's clock. */
import { toPerformanceMs } from '../clock.js';

/** From our clock's to performance.now's. */
const offsetNs = toPerformanceMs(0) * 1e6;

/** @param {number} ns of our clock, 0: not known @returns {number} an integer */
function timeOf(ns) {
  return ns > 0 ? Math.round(ns + offsetNs) : 0;
}

function recordersText(entry) {
  let text = '';
  for (let i = 0; i < entry.recorderCount; i++) {
    const { beganNs, finishedNs, how } = entry.recorders[i];
    text += `${i > 0 ? ',' : ''}[${timeOf(beganNs)},${timeOf(finishedNs)},${how}]`;
  }
  return text;
}

function passesText(entry) {
  let text = '';
  for (let pair = 0; pair < entry.pairs; pair++) {
    const open = timeOf(entry.openNs[pair]);
    const close = timeOf(entry.closeNs[pair]);
    text += `${pair > 0 ? ',[' : '['}${entry.owners[pair]},${entry.names[pair]},${pair},${entry.parents[pair]},${open},${close},${entry.flags[pair]}]`;
  }
  return text;
}

function listText(numbers, count) {
  let text = count > 0 ? `${numbers[0]}` : '';
  for (let i = 1; i < count; i++) text += `,${numbers[i]}`;
  return text;
}

/**
 * @param {number} c the context's number
 * @param {import('./entry.js').Entry} entry
 * @param {{status: number, seenNs: number, completeBeginNs: number, completeEndNs: number, ticks: boolean, available: boolean}} result
 */
export function frameText(c, entry, result) {
  const pairs = result.ticks ? entry.pairEnd : 0;
  return `{"k":"frame","c":${c},"n":${entry.number},"b":${timeOf(entry.beginNs)},"e":${timeOf(entry.endNs)},`
    + `"s":${timeOf(result.seenNs)},"st":${result.status},"set":${entry.set},`
    + `"cb":${timeOf(result.completeBeginNs)},"ce":${timeOf(result.completeEndNs)},`
    + (entry.surplus > 0 ? `"x":${entry.surplus},` : '')
    + `"r":[${recordersText(entry)}],"p":[${passesText(entry)}],"t":[${listText(entry.ticks, 4 * pairs)}]`
    + (result.available ? `,"a":[${listText(entry.available, 2 * pairs)}]}` : '}');
}
