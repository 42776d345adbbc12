// SPDX-License-Identifier: MIT
/**
 * Which neighbouring passes are better timed as one: as `passtime report` advises it (report_advice.c),
 * against the step of the clock. What a pair of stamps costs is not known in a page.
 */
import { whole } from './format.js';

const PARTS = 11; // below that part of a step, a mean within 10 % takes more than a thousand frames
const OFTEN = 1.5; // so many times a frame: it is its own neighbour
const NAMES_MOST = 6;
const ADVICE_MOST = 4;

/** Whether a pass is short for sure: by the upper end of its interval. */
function isShort(pass, limitNs) {
  const upper = pass.ci_high_ns ?? pass.below_ns ?? (pass.flags.includes('quantized') ? null : pass.mean_ns);
  return pass.source === 'gpu_stamps' && pass.count > 0 && upper !== null && upper < limitNs && !pass.flags.includes('overlaps');
}

/** Frames until a mean of `ns` a frame is within 10 %. */
function framesFor(ns, quantumNs) {
  const steps = quantumNs / ns;
  return steps > 2 ? 100 * (steps - 1) : 25 * steps * steps;
}

const scopeOf = (pass) => (pass.path.endsWith(pass.name) ? pass.path.slice(0, -pass.name.length) : '');

function listed(names) {
  if (names.length === 1) return names[0];
  if (names.length <= NAMES_MOST) return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${names.slice(0, NAMES_MOST - 1).join(', ')} and ${names.length - NAMES_MOST + 1} more`;
}

function textOf(run, frames, quantumNs) {
  const times = run.map((pass) => pass.count / frames);
  const sum = run.reduce((all, pass, i) => all + times[i] * (pass.mean_ns ?? 0), 0);
  const known = run.every((pass) => pass.mean_ns > 0);
  const alone = Math.max(...run.map((pass, i) => framesFor(pass.mean_ns, quantumNs) / times[i]));
  const who = run.length === 1 ? `${run[0].name}, ${Number(times[0].toPrecision(3))} times a frame, is` : `${listed(run.map((pass) => pass.name))} are`;
  const gain = known
    ? `tells the sum of them, some ${Number((sum / 1000).toPrecision(2))} µs, within 10 % in ${whole(framesFor(sum, quantumNs))} frames; the shortest one alone takes ${whole(alone)}`
    : 'tells the sum of them sooner than any one of them';
  return `${who} short against the clock's step of ${whole(quantumNs)} ns. Where they follow one another in one encoder, a group ${gain}.`;
}

/** @param {object} context of the report @returns {string[]} */
export function adviceOf(context) {
  const { clock: { quantum_ns: quantumNs }, frames, method, passes } = context;
  const timed = frames.complete + frames.incomplete;
  if (method !== 'stamps' || !quantumNs || timed === 0) return [];
  const texts = [];
  let run = [];
  const finish = () => {
    if (run.length > 1 || (run.length === 1 && run[0].count / timed > OFTEN)) texts.push(textOf(run, timed, quantumNs));
    run = [];
  };
  for (const pass of passes) {
    if (pass.count === 0) continue;
    const fits = isShort(pass, quantumNs / PARTS);
    if (!fits || (run.length > 0 && (scopeOf(run[0]) !== scopeOf(pass) || run[0].queue !== pass.queue))) finish();
    if (fits) run.push(pass);
  }
  finish();
  return texts.slice(0, ADVICE_MOST);
}
