// SPDX-License-Identifier: MIT
/**
 * Numbers as text. Every time of the panel is in milliseconds, so that a longer number is a longer
 * time; a mean shows as many digits as its error carries, and what is not known is a dash.
 */

export const UNKNOWN = '–';
const NS_PER_MS = 1e6;

/** Decimals that show about two digits of `ms`. */
function decimalsOf(ms, digits) {
  if (!(ms > 0)) return 2;
  return Math.min(5, Math.max(0, digits - 1 - Math.floor(Math.log10(ms))));
}

/** @param {number | null | undefined} ns @returns {string} milliseconds in three digits */
export function ms(ns, digits = 3) {
  if (ns === null || ns === undefined || !Number.isFinite(ns)) return UNKNOWN;
  const value = ns / NS_PER_MS;
  if (value === 0) return '0';
  return value.toFixed(decimalsOf(Math.abs(value), digits));
}

/** The standard error takes one digit, two where the first is a one. */
function errorDecimals(seMs) {
  const one = decimalsOf(seMs, 1);
  return (seMs * 10 ** one).toFixed(0) === '1' ? Math.min(5, one + 1) : one;
}

/**
 * A mean with what is known of its error.
 * @param {{mean_ns: number | null, se_ns: number | null, below_ns?: number | null,
 *   ci_low_ns?: number | null, ci_high_ns?: number | null}} figure as in the report
 */
export function mean(figure) {
  const { mean_ns: value, se_ns: se } = figure;
  if (figure.below_ns !== null && figure.below_ns !== undefined) return `< ${ms(figure.below_ns, 2)}`;
  if (value === null || value === undefined) return UNKNOWN;
  if (se > 0) {
    const decimals = errorDecimals(se / NS_PER_MS);
    return `${(value / NS_PER_MS).toFixed(decimals)} ± ${(se / NS_PER_MS).toFixed(decimals)}`;
  }
  if (figure.ci_high_ns) return `${ms(figure.ci_low_ns, 2)} to ${ms(figure.ci_high_ns, 2)}`;
  return ms(value);
}

/** A frame total of the report: {mean, se, …}. */
export function total(figure) {
  return mean({ mean_ns: figure?.mean ?? null, se_ns: figure?.se ?? null });
}

/** One sample: a value that lies within a step is not dressed up. */
export function single(ns, quantumNs) {
  if (ns === null || ns === undefined) return UNKNOWN;
  if (ns === 0) return quantumNs >= 1000 ? `< ${ms(quantumNs, 2)}` : '0';
  return ms(ns, quantumNs > ns / 20 ? 2 : 3);
}

/** @param {number | null} share 0 to 1 */
export function percent(share) {
  if (share === null || share === undefined) return UNKNOWN;
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1 %';
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} %`;
}

/** Groups of three digits: 65,536. */
export function whole(value) {
  if (value === null || value === undefined) return UNKNOWN;
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** "below_resolution" becomes "below resolution". */
export function words(key) {
  return key.replace(/_/g, ' ');
}

/** "1 frame", "2 frames". */
export function count(number, noun) {
  return `${whole(number)} ${noun}${number === 1 ? '' : /[sx]$/.test(noun) ? 'es' : 's'}`;
}
