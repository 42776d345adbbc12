// SPDX-License-Identifier: MIT
/**
 * Reads the core's figures out of its memory. Nothing is computed here but the joining of two 32-bit
 * words; what the core does not know is null and never 0. Where a field lies is told by the module
 * itself when the package is built (wasm/layout.c): no offset is written down in JavaScript.
 */

import * as AT from 'passtime:layout';

/** PASSTIME_FLAG_ bits of samples, series and frames. */
export const MARK = {
  overlaps: 1,
  noPosition: 2,
  boundaryUnverified: 4,
  outsideEnvelope: 8,
  serialSum: 16,
  other: 32,
  impliedEnd: 64,
};

const HAS = {
  mean: 1, se: 2, ci: 4, below: 8, min: 16, p50: 32, p95: 64, p99: 128, biased: 256, quantized: 512,
  windowed: 1024, max: 2048, locked: 4096,
};

/** 0 means "there" only beside an error; where no number of frames will do, there is none to tell. */
function framesWanted(frames, hasError) {
  return frames === 0xffffffff || (frames === 0 && !hasError) ? null : frames;
}
const NONE = 0xffffffff;
const TOTALS = ['busy', 'span', 'sum', 'cpuSubmit'];
export const FATE = {
  complete: 0, incomplete: 1, noData: 2, empty: 3, full: 4, stride: 5, off: 6, lost: 7, warmup: 8, refused: 9,
};

/** "below resolution" becomes "below_resolution". */
export function keyOf(words) {
  return words.replace(/ /g, '_');
}

/** One judged frame. The object is used again for the next one; `samples` reads while it is valid. */
export class Frame {
  constructor(figures) {
    this.figures = figures;
    this.at = 0;
    this.number = 0;
    this.fate = 0;
    this.flags = 0;
    this.sampleCount = 0;
    this.scopeCount = 0;
    this.passesWithoutSlot = 0;
    this.overBudget = false;
    this.hasSpan = false;
    this.busyNs = 0.5;
    this.spanNs = 0.5; // only where hasSpan
    this.sumNs = 0.5;
    this.cpuBeginNs = 0.5;
    this.cpuSubmitNs = 0.5;
    this.seenNs = 0.5;
    this.framesLate = 0;
    this.samplesAt = 0;
    this.scopesAt = 0;
  }

  /** "complete", "incomplete", "no data" … */
  get fateName() {
    return this.figures.core.words[2][this.fate];
  }

  /** The passes of this frame, in the order of recording. New objects. */
  get samples() {
    const list = [];
    for (let i = 0; i < this.sampleCount; i++) list.push(this.figures.sampleAt(this.samplesAt, i));
    return list;
  }

  /** The scopes of this frame, in the order of opening. New objects. */
  get scopes() {
    const list = [];
    for (let i = 0; i < this.scopeCount; i++) list.push(this.figures.scopeAt(this.scopesAt, i));
    return list;
  }

  /** What it says, as an object of its own that may be kept. */
  copy() {
    const { number, fateName: fate, flags, passesWithoutSlot, overBudget, busyNs, sumNs, cpuBeginNs, cpuSubmitNs,
      seenNs, framesLate, samples, scopes } = this;
    const spanNs = this.hasSpan ? this.spanNs : null;
    return { number, fate, flags, passesWithoutSlot, overBudget, busyNs, spanNs, sumNs, cpuBeginNs, cpuSubmitNs,
      seenNs, framesLate, samples, scopes };
  }
}

/** Reads one context's figures. */
export class Figures {
  /** @param {import('./core.js').Context} context */
  constructor(context) {
    this.context = context;
    this.core = context.core;
    this.frame = new Frame(this);
  }

  /** @param {number} at of a passtime_frame */
  frameAt(at) {
    const { core, frame } = this;
    const { u8, u32 } = core;
    frame.at = at;
    frame.number = core.u64(at + AT.frame_number);
    frame.fate = u32[(at + AT.frame_fate) >> 2];
    frame.flags = u32[(at + AT.frame_flags) >> 2];
    frame.sampleCount = u32[(at + AT.frame_sample_count) >> 2];
    frame.scopeCount = u32[(at + AT.frame_scope_count) >> 2];
    frame.samplesAt = u32[(at + AT.frame_samples) >> 2];
    frame.scopesAt = u32[(at + AT.frame_scopes) >> 2];
    frame.passesWithoutSlot = u32[(at + AT.frame_passes_without_slot) >> 2];
    frame.overBudget = u8[at + AT.frame_over_budget] !== 0;
    frame.hasSpan = u8[at + AT.frame_has_span] !== 0;
    frame.busyNs = core.u64(at + AT.frame_busy_ns);
    frame.spanNs = core.u64(at + AT.frame_span_ns);
    frame.sumNs = core.u64(at + AT.frame_sum_ns);
    frame.cpuBeginNs = core.u64(at + AT.frame_cpu_begin_ns);
    frame.cpuSubmitNs = core.u64(at + AT.frame_cpu_submit_ns);
    frame.seenNs = core.u64(at + AT.frame_cpu_seen_ns);
    frame.framesLate = core.u64(at + AT.frame_frames_late);
    return frame;
  }

  index(at) {
    const value = this.core.u32[at >> 2];
    return value === NONE ? null : value;
  }

  /** @param {number} first of the frame's samples; @param {number} i which of them */
  sampleAt(first, i) {
    const { core } = this;
    const { u32 } = core;
    const at = first + i * AT.sample_size;
    const verdict = u32[(at + AT.sample_verdict) >> 2];
    const flags = u32[(at + AT.sample_flags) >> 2];
    const good = verdict <= 1;
    const placed = good && !(flags & MARK.noPosition);
    return {
      name: core.text(u32[(at + AT.sample_name) >> 2]),
      series: this.index(at + AT.sample_series),
      parent: this.index(at + AT.sample_parent),
      scope: this.index(at + AT.sample_scope),
      verdict: core.words[0][verdict],
      good,
      source: core.words[1][u32[(at + AT.sample_source) >> 2]],
      flags,
      beginNs: placed ? core.u64(at + AT.sample_begin_ns) : null,
      endNs: placed ? core.u64(at + AT.sample_end_ns) : null,
      durationNs: good ? core.u64(at + AT.sample_duration_ns) : null,
      exclusiveNs: good ? core.u64(at + AT.sample_exclusive_ns) : null,
      attributedNs: good ? core.u64(at + AT.sample_attributed_ns) : null,
    };
  }

  scopeAt(first, i) {
    const { core } = this;
    const at = first + i * AT.scope_size;
    return {
      name: core.text(core.u32[(at + AT.scope_name) >> 2]),
      series: this.index(at + AT.scope_series),
      parent: this.index(at + AT.scope_parent),
      complete: core.u8[at + AT.scope_complete] !== 0,
      busyNs: core.u64(at + AT.scope_busy_ns),
    };
  }

  /** A figure that may be absent: null then. */
  statsAt(at) {
    const { core } = this;
    const has = core.u32[(at + AT.stats_flags) >> 2];
    const real = (bit, offset) => (has & bit ? core.f64[(at + offset) >> 3] : null);
    const whole = (bit, offset) => (has & bit ? core.u64(at + offset) : null);
    const count = core.u64(at + AT.stats_count);
    return {
      count,
      rejected: core.u64(at + AT.stats_rejected),
      meanNs: real(HAS.mean, AT.stats_mean_ns),
      seNs: real(HAS.se, AT.stats_se_ns),
      nEff: real(HAS.se, AT.stats_n_eff),
      ciLowNs: real(HAS.ci, AT.stats_ci_low_ns),
      ciHighNs: real(HAS.ci, AT.stats_ci_high_ns),
      belowNs: real(HAS.below, AT.stats_below_ns),
      minNs: whole(HAS.min, AT.stats_min_ns),
      maxNs: whole(HAS.max, AT.stats_max_ns),
      p50Ns: whole(HAS.p50, AT.stats_p50_ns),
      p95Ns: whole(HAS.p95, AT.stats_p95_ns),
      p99Ns: whole(HAS.p99, AT.stats_p99_ns),
      totalNs: count > 0 ? core.u64(at + AT.stats_total_ns) : null,
      lastNs: count > 0 ? core.u64(at + AT.stats_last_ns) : null,
      lastFrame: count > 0 ? core.u64(at + AT.stats_last_frame) : null,
      quantumNs: core.u64(at + AT.stats_quantum_ns) || null,
      framesFor10Percent: framesWanted(core.u32[(at + AT.stats_frames_for_10_percent) >> 2], (has & HAS.se) !== 0),
      biased: (has & HAS.biased) !== 0,
      quantized: (has & HAS.quantized) !== 0,
      lockedPhase: (has & HAS.locked) !== 0,
      windowed: (has & HAS.windowed) !== 0,
    };
  }

  counts(at, words, first = 0, all = true) {
    const counts = {};
    for (let i = first; i < words.length; i++) {
      const count = this.core.u64(at + 8 * i);
      if (all || count > 0) counts[keyOf(words[i])] = count;
    }
    return counts;
  }

  seriesCount() {
    return this.core.c.passtime_web_series_count(this.context.self);
  }

  /** @returns {object | null} series `index`; null: it gave up its place */
  series(index) {
    const { core } = this;
    const at = core.c.passtime_web_series(this.context.self, index);
    if (at === 0) return null;
    const { u32 } = core;
    const verdicts = core.words[0];
    return {
      index,
      kind: u32[(at + AT.series_kind) >> 2] === 0 ? 'pass' : 'scope',
      parent: this.index(at + AT.series_parent),
      source: core.words[1][u32[(at + AT.series_source) >> 2]],
      queue: u32[(at + AT.series_queue) >> 2],
      flags: u32[(at + AT.series_flags) >> 2],
      name: core.text(at + AT.series_name),
      path: core.text(at + AT.series_path),
      attributedNs: core.u64(at + AT.series_attributed_ns),
      belowResolution: core.u64(at + AT.series_verdicts + 8),
      rejected: this.counts(at + AT.series_verdicts, verdicts, 2, false),
      stats: this.statsAt(at + AT.series_stats),
    };
  }

  /** All series that have a place. */
  allSeries() {
    const list = [];
    for (let i = 0; i < this.seriesCount(); i++) {
      const series = this.series(i);
      if (series) list.push(series);
    }
    return list;
  }

  /** @param {'busy' | 'span' | 'sum' | 'cpuSubmit'} which */
  total(which) {
    return this.statsAt(this.core.c.passtime_web_total(this.context.self, TOTALS.indexOf(which)));
  }

  ledger() {
    const { core } = this;
    const at = core.c.passtime_web_ledger(this.context.self);
    return {
      framesInFlight: core.u32[(at + AT.ledger_frames_in_flight) >> 2],
      framesSeen: core.u64(at + AT.ledger_frames_seen),
      fates: core.words[2].map((_, i) => core.u64(at + AT.ledger_fates + 8 * i)),
      passesRecorded: core.u64(at + AT.ledger_passes_recorded),
      passesInFlight: core.u64(at + AT.ledger_passes_in_flight),
      verdicts: this.counts(at + AT.ledger_verdicts, core.words[0]),
      framesOverBudget: core.u64(at + AT.ledger_frames_over_budget),
      framesWithinBudget: core.u64(at + AT.ledger_frames_within_budget),
      framesBudgeted: core.u64(at + AT.ledger_frames_budgeted),
      framesNotTaken: core.u64(at + AT.ledger_frames_not_taken),
      samplesInOther: core.u64(at + AT.ledger_samples_in_other),
      entriesQuarantined: core.u64(at + AT.ledger_entries_quarantined),
      orphanEnds: core.u64(at + AT.ledger_orphan_ends),
      misuses: core.u64(at + AT.ledger_misuses),
      skipRunMax: core.u64(at + AT.ledger_skip_run_max),
    };
  }

  /** Of the ledger, without an object made for it. */
  framesInFlight() {
    const { core } = this;
    return core.u32[(core.c.passtime_web_ledger(this.context.self) + AT.ledger_frames_in_flight) >> 2];
  }

  clock() {
    const { core } = this;
    const at = core.c.passtime_web_clock(this.context.self);
    const bound = core.u64(at + AT.clock_align_bound_ns);
    return {
      source: core.words[1][core.u32[(at + AT.clock_source) >> 2]],
      validBits: core.u32[(at + AT.clock_valid_bits) >> 2] || null,
      epoch: core.u32[(at + AT.clock_clock_epoch) >> 2],
      tickNs: core.f64[(at + AT.clock_tick_ns) >> 3] || null,
      quantumNs: core.u64(at + AT.clock_quantum_ns) || null,
      alignOffsetNs: core.i64(at + AT.clock_align_offset_ns),
      alignBoundNs: bound < 18446744073709551615 ? bound : null,
    };
  }

  /** What the core had to say: each text once, with how often. */
  notes() {
    const { core } = this;
    const first = core.c.passtime_web_notes(this.context.self);
    const list = [];
    for (let item = 0; item < 32; item++) {
      const at = first + item * AT.note_size;
      const count = core.u32[(at + AT.note_count) >> 2];
      if (count > 0) list.push({ item, count, text: core.text(core.u32[(at + AT.note_message) >> 2]) });
    }
    return list;
  }
}
