// SPDX-License-Identifier: MIT
/** The table of `make truth`, in the form of the C command: what, truth, measured, stated error, held or not. */
import { writeFileSync } from 'node:fs';

const HEADING = `  ${'what'.padEnd(58)} ${'truth'.padStart(10)} ${'measured'.padStart(10)} ${'error'.padStart(9)} ${'stated'.padStart(9)} ${''.padEnd(7)} ${'told'.padStart(6)} ${'in 95 %'.padStart(9)}  held`;

/** Four digits that matter, or a dash. */
function textOf(value) {
  if (value === null) return '-';
  const size = Math.abs(value);
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

function quoted(text) {
  return `"${text.replaceAll('"', '""')}"`;
}

/**
 * @typedef {object} Row
 * @property {string} part @property {string} what @property {number} x
 * @property {number | null} truth @property {number | null} measured microseconds, like the next two
 * @property {number | null} error @property {number | null} stated
 * @property {number} runs @property {number} told @property {number} covered @property {boolean} held
 */
export class Table {
  constructor() {
    /** @type {Row[]} */
    this.rows = [];
    this.missing = 0;
    this.part = null;
  }

  heading(part) {
    if (part === this.part) return;
    console.log(`${this.part === null ? '' : '\n'}${part}\n${HEADING}`);
    this.part = part;
  }

  /** @param {Row} row */
  add(row) {
    this.heading(row.part);
    const told = row.runs > 0 ? `${((100 * row.told) / row.runs).toFixed(0)} %` : '-';
    const covered = row.told > 0 ? `${((100 * row.covered) / row.told).toFixed(1)} %` : '-';
    const figures = [textOf(row.truth).padStart(10), textOf(row.measured).padStart(10), textOf(row.error).padStart(9), textOf(row.stated).padStart(9)];
    console.log(`  ${row.what.padEnd(58)} ${figures.join(' ')} ${'us'.padEnd(7)} ${told.padStart(6)} ${covered.padStart(9)}  ${row.held ? 'yes' : 'NO'}`);
    this.rows.push(row);
  }

  /** Says that a part can't be had here, and why. */
  lacks(part, why) {
    this.heading(part);
    console.log(`  not available here: ${why}`);
    this.missing++;
  }

  /** @returns {boolean} whether all held */
  close() {
    const broken = this.rows.filter((row) => !row.held).length;
    const missing = this.missing > 0 ? `; ${this.missing} part${this.missing === 1 ? '' : 's'} not available here` : '';
    console.log(`\n${this.rows.length} rows, ${broken} did not hold${missing}`);
    return broken === 0;
  }

  /** The same columns as the C command's. */
  write(path) {
    const number = (value) => (value === null ? '' : Number(value.toPrecision(9)));
    const lines = this.rows.map((row) => [quoted(row.part), quoted(row.what), 'us', ...[row.x, row.truth, row.measured, row.error, row.stated].map(number),
      row.runs, row.told, row.covered, row.held ? 'yes' : 'no'].join(','));
    writeFileSync(path, `${['part,what,unit,x,truth,measured,error,stated,runs,told,covered,held', ...lines].join('\n')}\n`);
  }
}

/** Whether so many intervals of 95 % that hold the truth are as many as 90 % would be, at three standard errors. */
export function coversLeast(covered, told) {
  return told > 0 && covered >= (0.9 - 3 * Math.sqrt(0.09 / told)) * told;
}

/** The same, and no more than 99 %. */
export function covers(covered, told) {
  return coversLeast(covered, told) && covered <= (0.99 + 3 * Math.sqrt(0.0099 / told)) * told;
}
