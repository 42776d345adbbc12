// SPDX-License-Identifier: MIT
/** Medians with intervals, of paired differences; and tables. */

const sorted = (values) => [...values].sort((a, b) => a - b);

/** The median, and the interval that holds it at 95 %, by order statistics: no shape is supposed. */
export function median(values) {
  const list = sorted(values.filter((value) => value !== null && Number.isFinite(value)));
  const n = list.length;
  if (n === 0) return null;
  const middle = (list[Math.floor((n - 1) / 2)] + list[Math.ceil((n - 1) / 2)]) / 2;
  const reach = 0.98 * Math.sqrt(n);
  const low = Math.max(0, Math.floor(n / 2 - reach));
  const high = Math.min(n - 1, Math.ceil(n / 2 + reach) - 1);
  return { median: middle, low: list[low], high: list[Math.max(high, low)], count: n };
}

/** Round by round. */
export function differences(values, base, scale = 1) {
  return values.map((value, i) => (value === null || base[i] === null ? null : (value - base[i]) * scale));
}

/** Fisher and Yates. */
export function shuffled(list) {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
}

export function show(figure, digits) {
  if (figure === null) return '-';
  const text = (value) => (Math.abs(value) < 0.5 / 10 ** digits ? 0 : value).toFixed(digits);
  return `${text(figure.median)} (${text(figure.low)} to ${text(figure.high)})`;
}

/** Columns as wide as they have to be; the first one to the left. */
export function table(head, rows) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
