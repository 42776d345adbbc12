// SPDX-License-Identifier: MIT
/**
 * Chromium's part of `make truth`. Usage: node truth/main.mjs [--csv FILE] [--blocks N]
 * Exit code 1: some figure did not hold.
 */
import { missing } from '../test/browser.mjs';
import { covers, coversLeast, Table } from './table.mjs';
import { reach, TARGETS_US, Trial } from './trial.mjs';

const BLOCK_FRAMES = 600;
const BLOCKS_LEAST = 8;
const PATIENCE_MS = 600000;

const sum = (list) => list.reduce((total, value) => total + value, 0);
const mean = (list) => sum(list) / list.length;
const rootMeanSquare = (list) => Math.sqrt(mean(list.map((value) => value * value)));

/** What the blocks of one pass told: pairs of figures, in microseconds. */
class Tally {
  constructor() {
    this.truths = [];
    this.means = [];
    this.apart = []; // of the blocks that told their errors, like `errors`
    this.errors = [];
    this.covered = 0;
  }

  /** @param {number} truthNs @param {number | null} errorNs that was stated @param {boolean} held by its 95 % interval */
  add(meanNs, truthNs, errorNs, held) {
    this.means.push(meanNs / 1000);
    this.truths.push(truthNs / 1000);
    if (errorNs === null) return;
    this.apart.push((meanNs - truthNs) / 1000);
    this.errors.push(errorNs / 1000);
    this.covered += held;
  }

  row(part, us) {
    const told = this.errors.length;
    return {
      part, what: `a pass made for ${us} us, ${this.means.length} blocks of ${BLOCK_FRAMES} frames`, x: us,
      truth: mean(this.truths), measured: mean(this.means), error: told > 0 ? rootMeanSquare(this.apart) : null,
      stated: told > 0 ? rootMeanSquare(this.errors) : null, runs: this.means.length, told, covered: this.covered,
      held: coversLeast(this.covered, told),
    };
  }

  /** Is there anything but chance between the two? By how the blocks scatter, whatever was stated. */
  together(part, us) {
    const apart = this.means.map((value, i) => value - this.truths[i]);
    const middle = mean(apart);
    const error = Math.sqrt(sum(apart.map((value) => (value - middle) ** 2)) / (apart.length - 1) / apart.length);
    return {
      part, what: '  all blocks together', x: us, truth: mean(this.truths), measured: mean(this.means), error: Math.abs(middle),
      stated: error, runs: 0, told: 0, covered: 0, held: Math.abs(middle) <= 4 * error,
    };
  }
}

/** Rounding alone: what it moved the blocks' means by, and what it does where phases are mixed. */
function roundingRow(part, us, blocks) {
  const found = rootMeanSquare(blocks.map(({ count, errorNs }) => errorNs / count)) / 1000;
  const expected = Math.sqrt(mean(blocks.map(({ count, variance }) => variance / count ** 2))) / 1000;
  const stated = expected / Math.sqrt(2 * blocks.length);
  return {
    part, what: '  error of its means by rounding alone', x: us, truth: expected, measured: found, error: Math.abs(found - expected),
    stated, runs: 0, told: 0, covered: 0, held: found < expected + 4 * stated,
  };
}

/** A row over all passes: enough intervals for both limits to mean something. */
function allRow(part, tallies) {
  const told = sum(tallies.map(({ errors }) => errors.length));
  const covered = sum(tallies.map((tally) => tally.covered));
  return {
    part, what: 'all five together', x: null, truth: null, measured: null, error: null, stated: null,
    runs: sum(tallies.map(({ means }) => means.length)), told, covered, held: covers(covered, told),
  };
}

async function run(trial, blocks) {
  const stock = TARGETS_US.map(() => new Tally());
  const same = TARGETS_US.map(() => new Tally());
  const rounding = TARGETS_US.map(() => []);
  const end = Date.now() + PATIENCE_MS;
  for (let i = 0; i < blocks && Date.now() < end; i++) {
    const block = await trial.block(BLOCK_FRAMES);
    TARGETS_US.forEach((us, k) => {
      const [rounded, exact, both] = ['rounded', 'exact', 'same'].map((name) => block[name].stats[k]);
      const known = block.same.rounding[k];
      if (!rounded || !exact || !both || known.count !== both.count || both.count < BLOCK_FRAMES / 2) return;
      const errors = [rounded.seNs, exact.seNs];
      const told = !errors.includes(null) && reach(rounded) !== null && reach(exact) !== null;
      const within = told && Math.abs(rounded.meanNs - exact.meanNs) <= Math.hypot(reach(rounded), reach(exact));
      stock[k].add(rounded.meanNs, exact.meanNs, told ? Math.hypot(...errors) : null, within);
      const truth = known.exactNs / known.count;
      same[k].add(both.meanNs, truth, both.seNs, both.ciLowNs <= truth && truth <= both.ciHighNs);
      rounding[k].push({ ...known });
    });
  }
  return { stock, same, rounding };
}

function report(table, adapter, { stock, same, rounding }) {
  const parts = [
    `Chromium, ${adapter}: stamps rounded by a stock browser against those of one that does not round`,
    `Chromium, ${adapter}: the same stamps, rounded by the page and exact`,
  ];
  for (const [i, tallies] of [stock, same].entries()) {
    if (tallies.some(({ means, errors }) => means.length < BLOCKS_LEAST || errors.length === 0)) {
      table.lacks(parts[i], 'too few samples came back in the time allowed');
      continue;
    }
    tallies.forEach((tally, k) => {
      table.add(tally.row(parts[i], TARGETS_US[k]));
      table.add(i === 0 ? tally.together(parts[i], TARGETS_US[k]) : roundingRow(parts[i], TARGETS_US[k], rounding[k]));
    });
    if (i === 0) table.add(allRow(parts[i], tallies));
  }
}

function optionsOf(args) {
  const options = { csv: null, blocks: 60 };
  for (let i = 0; i < args.length; i += 2) {
    const value = args[i + 1];
    if (args[i] === '--csv' && value) options.csv = value;
    else if (args[i] === '--blocks' && Number.isInteger(Number(value)) && Number(value) >= BLOCKS_LEAST) options.blocks = Number(value);
    else return null;
  }
  return options;
}

async function main() {
  const options = optionsOf(process.argv.slice(2));
  if (options === null) {
    console.error(`usage: node truth/main.mjs [--csv FILE] [--blocks N], N at least ${BLOCKS_LEAST}`);
    return 2;
  }
  const table = new Table();
  if (missing) {
    table.lacks('Chromium', missing);
  } else {
    const trial = new Trial();
    try {
      await trial.open();
      report(table, trial.adapter, await run(trial, options.blocks));
    } finally {
      await trial.close();
    }
  }
  if (options.csv !== null) table.write(options.csv);
  return table.close() ? 0 : 1;
}

process.exitCode = await main();
