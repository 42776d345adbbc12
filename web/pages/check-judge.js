// SPDX-License-Identifier: MIT
/**
 * The page's judgement: the steps, limits and words of `passtime probe --check` (src/core/check.c and
 * src/cli/check_print.c), on means with errors in place of typical single times.
 */
const ERRORS = 2.5; // standard errors that a mean is held to lie within
const PROPORTION_MOST = 0.25;
const RUNS_MOST = 1 / 3;
const FINEST_PART = 11; // of a step: its mean comes within 10 % in a thousand frames

/** What the mean lies between, nearly for sure; null: too little is known. */
export function bounds(stats) {
  if (stats === null) return null;
  if (stats.belowNs !== null) return [0, stats.belowNs];
  if (stats.seNs !== null) return [stats.meanNs - ERRORS * stats.seNs, stats.meanNs + ERRORS * stats.seNs];
  return stats.ciLowNs !== null ? [stats.ciLowNs, stats.ciHighNs] : null;
}

/** @returns {boolean | null} whether the most work takes longer than the middle, and that than the least; null: can't be told */
export function rises(figures) {
  const list = [figures[0], figures[2], figures[4]].map(bounds);
  if (list.includes(null)) return null;
  const pairs = [[list[0], list[1]], [list[1], list[2]]];
  if (pairs.every(([a, b]) => a[1] < b[0])) return true;
  return pairs.some(([a, b]) => a[0] > b[1]) ? false : null;
}

/** @returns {{slopeNs: number, error: number} | null} the line through the means, and what the worst is off it, by the longest */
export function line(parts, figures) {
  const means = figures.map((stats) => stats?.meanNs ?? null);
  if (means.includes(null)) return null;
  const n = parts.length;
  const sum = (list) => list.reduce((total, value) => total + value, 0);
  const [x, y] = [sum(parts) / n, sum(means) / n];
  const slopeNs = sum(parts.map((value, i) => (value - x) * (means[i] - y))) / sum(parts.map((value) => (value - x) ** 2));
  const worst = Math.max(...parts.map((value, i) => Math.abs(means[i] - y - slopeNs * (value - x))));
  return { slopeNs, error: worst / Math.max(...means) };
}

/** @returns {{error: number, holds: boolean} | null} the largest difference of two runs by the longer; by chance it may be more */
export function repeats(first, second) {
  if ([...first, ...second].some((stats) => (stats?.meanNs ?? null) === null)) return null;
  let error = 0;
  let holds = true;
  first.forEach((stats, i) => {
    const apart = Math.abs(stats.meanNs - second[i].meanNs);
    const share = apart / Math.max(stats.meanNs, second[i].meanNs, 1);
    const chance = ERRORS * Math.hypot(stats.seNs ?? 0, second[i].seNs ?? 0);
    error = Math.max(error, share);
    holds &&= share <= RUNS_MOST || apart <= chance;
  });
  return { error, holds };
}

/** The shortest pass worth timing, ns; its stamps' cost is not known in a page. */
export function finestNs({ step, minimalNs }) {
  return Math.max(step / FINEST_PART, 2 * minimalNs);
}

const REASONS = {
  proved: 'they rise with the work, in proportion, and agree from run to run',
  no_stamps: 'the stamps of small passes are missing or run backward',
  not_rising: "the GPU's times do not rise with the work",
  not_linear: 'they rise with the work, but not in proportion: compare passes with care',
  not_repeatable: 'they rise with the work, but two runs disagree: the machine is busy or its clocks change. Let it rest and check again; until the runs agree, believe no difference that is smaller than theirs (below)',
  too_little: 'too little came back to tell',
};
const CPU = "use the CPU's clock around submit, for whole frames";

/**
 * @param {{good: boolean, rises: boolean | null, line: object | null, repeats: object | null, step: number}} found
 * @returns {{reason: string, text: string, tone: 'good' | 'warn' | 'bad'}}
 */
export function judge(found) {
  const reason = !found.good ? 'no_stamps'
    : found.rises === null || found.line === null || found.repeats === null ? 'too_little'
      : !found.rises ? 'not_rising'
        : !(found.line.slopeNs > 0 && found.line.error <= PROPORTION_MOST) ? 'not_linear'
          : found.repeats.holds ? 'proved' : 'not_repeatable';
  if (reason === 'too_little') {
    return { reason, text: `Not decided: ${REASONS[reason]}, or the times swing too much. Let the machine rest and check again.`, tone: 'warn' };
  }
  const stamps = ['proved', 'not_linear', 'not_repeatable'].includes(reason);
  const coarse = stamps && found.step > 2000
    ? `. Stamps come in steps of ${found.step} ns: trust means over many frames and their errors, not single values` : '';
  const text = `Verdict: ${stamps ? 'use GPU stamps' : CPU}: ${REASONS[reason]}${coarse}.`;
  return { reason, text, tone: reason === 'proved' ? 'good' : stamps ? 'warn' : 'bad' };
}

export const NO_FEATURE = `Verdict: ${CPU}: the device offers no timer queries. Such times are labelled so and never shown as GPU time.`;
