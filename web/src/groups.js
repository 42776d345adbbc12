// SPDX-License-Identifier: MIT
/**
 * When asked: consecutive short passes of one encoder as one number. The first one's descriptor
 * writes begin and end, each further one's the same end anew, so that the pair holds the begin of the
 * first and the end of the last, whichever that turns out to be.
 */
const LEARN_FRAMES = 64;
const SAMPLES_LEAST = 32;
const GROUPS_MOST = 256;

/** How short a pass has to be, in nanoseconds; 0: none is grouped. */
let limitNs = 0;

/** An eleventh of a stock browser's step: below it, a mean takes more than a thousand frames. */
export const groupBelow = (us) => {
  limitNs = us * 1000;
};

/** What is known of one device's passes. */
export class Groups {
  constructor(context) {
    this.context = context;
    this.short = new Set();
    this.parts = new Map(); // the names in a group, by its name
    this.turn = 0;
  }

  /** Once a frame. Short is what is so for sure; a group that got longer is dissolved for good. */
  learn() {
    if (limitNs === 0 || ++this.turn % LEARN_FRAMES !== 0) return;
    for (const { name, stats } of this.context.figures.allSeries()) {
      const upper = stats.ciHighNs ?? stats.belowNs ?? (stats.quantized ? null : stats.meanNs);
      if (upper === null || stats.count < SAMPLES_LEAST) continue;
      const parts = this.parts.get(name) ?? [name];
      for (const part of parts) this.short[upper < limitNs * parts.length ? 'add' : 'delete'](part);
    }
  }

  /** @returns {object | null} what the pass is to write, as one more of the group that is open */
  join(recording, label) {
    const { group } = recording;
    if (group !== null && this.short.has(label) && group.scopes === this.context.scopes) {
      group.names.push(label);
      return group;
    }
    this.close(recording);
    return null;
  }

  open(recording, label, pair, { querySet, endOfPassWriteIndex }) {
    if (!this.short.has(label)) return;
    recording.group = { pair, names: [label], scopes: this.context.scopes, writes: { querySet, endOfPassWriteIndex } };
  }

  /** The group's pair gets its name: "cull … scan (3 passes)". */
  close(recording) {
    const { group, rec } = recording;
    recording.group = null;
    const count = group?.names.length ?? 0;
    if (count < 2 || rec === 0) return;
    const name = `${group.names[0]} … ${group.names[count - 1]} (${count} passes)`;
    if (this.parts.size > GROUPS_MOST) this.parts.clear();
    this.parts.set(name, group.names);
    this.context.rename(rec, group.pair, this.context.nameOf(rec, name));
  }
}
