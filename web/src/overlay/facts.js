// SPDX-License-Identifier: MIT
/** Sentences of the panel: how it was measured, how finely, what came of every frame and pass. */
import { count, ms, total, UNKNOWN, whole, words } from './format.js';

const METHODS = { stamps: 'GPU timestamps', elapsed: 'GPU elapsed queries', cpu: 'CPU clock' };
const OVER_SHARE = 0.05; // with fewer frames over it, and the mean within, a budget counts as kept
const APIS = { webgpu: 'WebGPU', webgl1: 'WebGL 1', webgl2: 'WebGL 2' };

export function apiName(context) {
  return APIS[context.api] ?? context.api;
}

/** "GPU timestamps in steps of 65,536 ns". */
export function methodText(context) {
  const method = METHODS[context.method] ?? context.method;
  const { quantum_ns: quantum } = context.clock;
  if (context.method === 'cpu') return `${method}, not GPU time`;
  return quantum ? `${method} in steps of ${whole(quantum)} ns` : `${method}; step not known yet`;
}

/** What the head says of a frame: only a complete one can be within its budget. */
export function frameVerdictOf({ over, fate }, fates) {
  if (over) return { text: 'over budget', tone: 'over' };
  return fates[fate] === 'complete' ? { text: 'within budget', tone: 'good' } : { text: fates[fate], tone: 'warn' };
}

/**
 * What the head says of the budget: a word and its tone.
 * @param {boolean} asked somebody set this budget; a software adapter is held against no other
 */
export function verdictOf(context, asked) {
  const { frame } = context;
  if (context.method === 'cpu') return { text: 'CPU, not GPU time', tone: 'warn' };
  if (context.adapter.software && !asked) return { text: 'software adapter: not judged', tone: 'warn' };
  if (frame.busy_ns.mean === null) return { text: 'no data yet', tone: 'idle' };
  if (frame.budget_ns === null) return { text: 'no budget set', tone: 'idle' };
  const { over_budget: over, budget_frames: judged } = frame;
  if (over === null || judged <= 0) return { text: 'not decided', tone: 'idle' };
  if (over <= 0) return { text: 'within budget', tone: 'good' };
  const share = Math.min(1, over / judged);
  const text = `${share < 0.995 ? `${Math.max(1, Math.round(share * 100))} %` : 'all'} over budget`;
  return { text, tone: share < OVER_SHARE && frame.busy_ns.mean <= frame.budget_ns ? 'warn' : 'over' };
}

/** What bounds the frame, what the CPU takes, and the budget that all of it is held against. */
export function boundText(context) {
  if (context.method === 'cpu') return 'There are no GPU times of this context.';
  const { bound_by: by, cpu_submit_ns: cpu, budget_ns: budget } = context.frame;
  const parts = [by === null ? 'bound not known' : `${by.toUpperCase()} bounds the frame`];
  if (cpu.mean !== null) parts.push(`CPU ${total(cpu)} ms`);
  if (budget !== null) parts.push(`budget ${ms(budget)} ms`);
  return parts.join(' · ');
}

/** Pairs of a term and its text for "How it was measured". */
export function measuredFacts(context, status, cost) {
  const { adapter, clock, frame } = context;
  const facts = [
    ['adapter', [adapter.name ?? 'not told by the browser', adapter.software ? 'software' : null].filter(Boolean).join(', ')],
    ['method', methodText(context)],
    ['tick', clock.tick_ns ? `${Number(clock.tick_ns.toFixed(3))} ns` : UNKNOWN],
    ['alignment', clock.align_bound_ns === null ? 'no common clock with the CPU' : `to the CPU's clock within ${fine(clock.align_bound_ns)}`],
    ['frame busy', `${total(frame.busy_ns)} ms, worst ${ms(frame.busy_ns.max)}`],
    ['frame span', frame.span_ns.mean === null ? 'not known (no positions)' : `${total(frame.span_ns)} ms, of it gaps ${ms(frame.unattributed_ns)}`],
    ['state', status.text],
  ];
  if (cost !== null) facts.push(['this panel', `${cost.toFixed(3)} ms a frame`]);
  return facts;
}

function fine(ns) {
  return ns < 1000 ? `${whole(ns)} ns` : `${ms(ns)} ms`;
}

/** Where every frame went. */
export function framesText({ frames }) {
  const parts = [`${whole(frames.complete)} complete`];
  for (const key of ['incomplete', 'no_data', 'empty', 'refused', 'skipped_full', 'skipped_stride', 'skipped_off', 'skipped_lost']) {
    if (frames[key] > 0) parts.push(`${whole(frames[key])} ${FRAME_WORDS[key] ?? words(key)}`);
  }
  if (frames.in_flight > 0) parts.push(`${frames.in_flight} in flight`);
  return `${count(frames.seen, 'frame')}: ${parts.join(', ')}`;
}

const FRAME_WORDS = {
  no_data: 'without data', skipped_full: 'skipped (ring full)', skipped_stride: 'not timed (every Nth)',
  skipped_off: 'not timed (off)', skipped_lost: 'lost with the device',
};

/** Where every pass went. */
export function passesText({ ledger }) {
  const counts = Object.entries(ledger).filter(([, number]) => number > 0);
  if (counts.length === 0) return 'no passes yet';
  const sum = counts.reduce((all, [, number]) => all + number, 0);
  return `${count(sum, 'pass')}: ${counts.map(([verdict, number]) => `${whole(number)} ${words(verdict)}`).join(', ')}`;
}

/** The line below the chart, of one frame. */
export function frameText(record, history, judged) {
  const fate = history.fates[record.fate];
  const parts = [`CPU ${ms(record.submitNs)} ms`, count(record.count + record.more, 'pass')];
  if (fate && fate !== 'complete') parts.push(`${fate}: a lower bound`);
  const gpu = judged ? `GPU ${ms(record.busyNs)} ms${record.over ? ', over budget' : ''} · ` : '';
  return `frame ${record.number}: ${gpu}${parts.join(' · ')}`;
}

/** The line below the chart, of all that it shows. */
export function chartText(length, slow, judged) {
  if (length === 0) return 'No frame has come back yet.';
  if (!judged) return `${count(length, 'frame')}: CPU times, held against no budget`;
  return `${count(length, 'frame')}, ${slow === 0 ? 'none over budget' : `${slow} over budget`}`;
}
