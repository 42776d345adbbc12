// SPDX-License-Identifier: MIT
/**
 * The frames of late, for the chart and for looking into a slow one. Records are made once and used
 * again in a ring; a frame read out of the core's memory makes no garbage.
 */
import * as AT from 'passtime:layout';

const SAMPLES_FIRST = 32;
const SAMPLES_MOST = 256; // of one frame; the rest is counted
const GOOD_VERDICTS = 2; // "good" and "below resolution" come first in the core's list
const NO_SERIES = 0xffffffff;

/** One frame's passes in typed arrays: the same index is the same pass. */
class Record {
  constructor() {
    this.number = 0;
    this.fate = 0;
    this.over = false;
    this.busyNs = 0;
    this.submitNs = 0;
    this.count = 0;
    this.more = 0; // passes that are not kept here
    this.reserve(SAMPLES_FIRST);
  }

  reserve(size) {
    if (this.series?.length >= size) return;
    const room = Math.min(SAMPLES_MOST, 2 ** Math.ceil(Math.log2(size)));
    this.series = new Uint32Array(room);
    this.verdict = new Uint8Array(room);
    this.duration = new Float64Array(room);
    this.attributed = new Float64Array(room);
  }
}

export class History {
  constructor(capacity = 240) {
    this.records = Array.from({ length: capacity }, () => new Record());
    this.total = 0; // frames pushed so far
    this.verdicts = []; // words of the core's verdicts
    this.fates = [];
    this.names = new Map(); // series to name, of frames that carry their names
    this.lastNs = new Map(); // series to its last good duration
    this.lastBad = new Map(); // series to the verdict of its last sample, where that was bad
    this.figures = null; // reads names by series, where frames come from the core
  }

  get length() {
    return Math.min(this.total, this.records.length);
  }

  /** Record `i`, the oldest being 0. */
  at(i) {
    return this.records[(this.total - this.length + i) % this.records.length];
  }

  /** The place of a frame number, -1 once it has left. */
  find(number) {
    for (let i = this.length - 1; i >= 0; i--) if (this.at(i).number === number) return i;
    return -1;
  }

  /** @param {object} frame the core's (Frame) or a plain copy of one */
  push(frame) {
    const record = this.records[this.total++ % this.records.length];
    const samples = frame.figures ? null : frame.samples;
    const all = samples ? samples.length : frame.sampleCount;
    const kept = Math.min(all, SAMPLES_MOST);
    record.reserve(Math.max(kept, 1));
    record.number = frame.number;
    record.over = frame.overBudget;
    record.busyNs = frame.busyNs;
    record.submitNs = frame.cpuSubmitNs > frame.cpuBeginNs ? frame.cpuSubmitNs - frame.cpuBeginNs : 0;
    record.count = kept;
    record.more = all - kept + (frame.passesWithoutSlot ?? 0);
    if (samples) this.readPlain(record, frame);
    else this.readCore(record, frame);
    this.note(record);
  }

  readCore(record, frame) {
    const { figures } = frame;
    const { core } = figures;
    this.figures = figures;
    this.verdicts = core.words[0];
    this.fates = core.words[2];
    record.fate = frame.fate;
    for (let i = 0, at = frame.samplesAt; i < record.count; i++, at += AT.sample_size) {
      record.series[i] = core.u32[(at + AT.sample_series) >> 2];
      record.verdict[i] = core.u32[(at + AT.sample_verdict) >> 2];
      record.duration[i] = core.u64(at + AT.sample_duration_ns);
      record.attributed[i] = core.u64(at + AT.sample_attributed_ns);
    }
  }

  readPlain(record, frame) {
    record.fate = wordIndex(this.fates, frame.fate);
    if (this.verdicts.length === 0) this.verdicts.push('good', 'below resolution');
    for (let i = 0; i < record.count; i++) {
      const sample = frame.samples[i];
      record.series[i] = sample.series ?? NO_SERIES;
      record.verdict[i] = wordIndex(this.verdicts, sample.verdict);
      record.duration[i] = sample.durationNs ?? 0;
      record.attributed[i] = sample.attributedNs ?? 0;
      this.names.set(record.series[i], sample.name);
    }
  }

  /** Remembers what is good, and what was bad last. */
  note(record) {
    for (let i = 0; i < record.count; i++) {
      const series = record.series[i];
      const verdict = record.verdict[i];
      if (verdict < GOOD_VERDICTS) {
        this.lastNs.set(series, record.duration[i]);
        if (this.lastBad.size > 0) this.lastBad.delete(series);
      } else {
        this.lastBad.set(series, verdict);
      }
    }
  }

  static good(record, i) {
    return record.verdict[i] < GOOD_VERDICTS;
  }

  nameOf(series) {
    if (series === NO_SERIES) return 'other';
    return this.names.get(series) ?? 'unknown';
  }

  /** Learns the names of the series met so far; the core lets unused ones go, hence anew each time. */
  learnNames() {
    if (!this.figures) return;
    for (const series of this.lastNs.keys()) this.learn(series);
    for (const series of this.lastBad.keys()) this.learn(series);
  }

  learn(series) {
    if (series === NO_SERIES) return;
    const found = this.figures.series(series);
    const name = found?.path ?? null;
    if (this.names.get(series) === name) return;
    if (name === null) {
      this.names.delete(series);
      this.lastNs.delete(series);
      this.lastBad.delete(series);
    } else {
      this.names.set(series, name);
    }
  }

  /** Name to series, for rows that the report names. */
  byName() {
    const map = new Map();
    for (const [series, name] of this.names) map.set(name, series);
    return map;
  }

  clear() {
    this.total = 0;
    this.names.clear();
    this.lastNs.clear();
    this.lastBad.clear();
  }
}

function wordIndex(list, word) {
  const found = list.indexOf(word);
  return found >= 0 ? found : list.push(word) - 1;
}
