// SPDX-License-Identifier: MIT
/** The pieces of one ring entry's frame, and how their results are written into the core. */

const WORD = 4294967296;

export class Flight {
  constructor() {
    this.queries = [];
    this.owners = []; // the pair that each piece belongs to
    this.count = 0;
    this.entry = 0;
    this.life = 0;
    this.flying = false;
    this.isVoid = false; // the GPU's clock was disturbed meanwhile
  }

  add(query, pair) {
    this.queries[this.count] = query;
    this.owners[this.count++] = pair;
  }

  /** Asks for each query, last first: some browsers keep what they know for each by itself. */
  isReady(queries) {
    for (let i = this.count - 1; i >= 0; i--) {
      if (!queries.isReady(this.queries[i])) return false;
    }
    return true;
  }

  /**
   * Each pair's own pieces, added up. A value that is no count of nanoseconds counts as not there,
   * and what the counter does not hold as the most that it does, which no envelope allows.
   * @param {Float64Array} sums room for the pairs
   * @param {number} mostNs what the counter holds
   */
  write(queries, context, sums, mostNs) {
    const pairs = context.pairEnd(this.entry);
    const ticks = context.ticksAt(this.entry);
    const available = context.availableAt(this.entry);
    available.fill(0, 0, 2 * pairs);
    sums.fill(0, 0, pairs);
    for (let i = 0; i < this.count; i++) {
      const pair = this.owners[i];
      const ns = queries.result(this.queries[i]);
      sums[pair] += typeof ns === 'number' && ns >= 0 ? ns : NaN;
      available[2 * pair] = available[2 * pair + 1] = 1;
    }
    for (let pair = 0; pair < pairs; pair++) {
      const ns = sums[pair] > mostNs ? mostNs : sums[pair];
      if (Number.isNaN(ns)) available[2 * pair] = available[2 * pair + 1] = 0;
      ticks[4 * pair] = ns % WORD;
      ticks[4 * pair + 1] = ns / WORD;
      ticks[4 * pair + 2] = ticks[4 * pair + 3] = 0;
    }
  }

  /** Its queries are gone with their context. */
  forget() {
    this.queries.length = 0;
    this.count = 0;
    this.flying = false;
  }
}
