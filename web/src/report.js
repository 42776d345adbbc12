// SPDX-License-Identifier: MIT
/**
 * The document "passtime.report/1", the same as the C command writes, from the core's figures. What
 * is not known is null and never 0; every time is in nanoseconds.
 */
import { FATE, keyOf, MARK } from './figures.js';

export const VERSION = '0.1.0';

const MARK_NAMES = [
  ['overlaps', 'overlaps'], ['noPosition', 'no_position'], ['boundaryUnverified', 'boundary_unverified'],
  ['outsideEnvelope', 'outside_envelope'], ['serialSum', 'serial_sum'], ['other', 'other'],
  ['impliedEnd', 'implied_end'],
];
const FATE_KEYS = {
  complete: 'complete', incomplete: 'incomplete', noData: 'no_data', empty: 'empty', full: 'skipped_full',
  stride: 'skipped_stride', off: 'skipped_off', lost: 'skipped_lost', warmup: 'skipped_warmup', refused: 'refused',
};

/** Names of the marks on a series or sample. */
export function flagNames(flags, stats) {
  const names = MARK_NAMES.filter(([mark]) => flags & MARK[mark]).map(([, name]) => name);
  for (const name of ['biased', 'quantized', 'windowed']) if (stats?.[name]) names.push(name);
  if (stats?.lockedPhase) names.push('locked_phase');
  return names;
}

function totalJson(stats) {
  return { mean: stats.meanNs, se: stats.seNs, p50: stats.p50Ns, p95: stats.p95Ns, p99: stats.p99Ns, max: stats.maxNs };
}

/** Whether a software driver seems to draw within the submit call. */
function submitDraws(software, busy, submit) {
  return software && busy !== null && submit !== null && submit >= busy;
}

/** Which of the two takes longer a frame: "gpu", "cpu", or null where it is not known. */
export function boundBy(busy, submit, software) {
  if (busy === null || submit === null) return null;
  return busy >= (submitDraws(software, busy, submit) ? submit - busy : submit) ? 'gpu' : 'cpu';
}

/** What every face derives of a context's figures, once. */
export function summarize(figures, budgetNs, software) {
  const ledger = figures.ledger();
  const clock = figures.clock();
  const gpu = clock.source.startsWith('gpu');
  const series = figures.allSeries();
  const totals = {};
  for (const which of ['busy', 'span', 'sum', 'cpuSubmit']) totals[which] = figures.total(which);
  const { fates } = ledger;
  const timed = fates[FATE.complete] + fates[FATE.incomplete] + fates[FATE.noData];
  const skipped = fates.slice(FATE.full).reduce((sum, count) => sum + count, 0);
  const attributed = series.reduce((sum, s) => sum + (s.kind === 'pass' ? s.attributedNs : 0), 0);
  for (const s of series) {
    const known = s.kind === 'pass' && s.stats.count > 0 && attributed > 0;
    s.share = known ? s.attributedNs / attributed : null;
  }
  const { framesOverBudget: over, framesWithinBudget: within, framesBudgeted: held } = ledger;
  const decided = gpu && budgetNs > 0 && over + within > 0;
  return {
    ledger, clock, gpu, series, totals, timed, skipped,
    overBudget: decided ? over : null,
    budgetFrames: decided ? held : null,
    withinBudget: decided ? within / held >= 0.95 : null,
    boundBy: gpu ? boundBy(totals.busy.meanNs, totals.cpuSubmit.meanNs, software) : null,
  };
}

function seriesJson(s) {
  const { stats } = s;
  return {
    name: s.name, path: s.path, source: keyOf(s.source), queue: s.queue,
    count: stats.count, mean_ns: stats.meanNs, se_ns: stats.seNs, n_eff: stats.nEff,
    ci_low_ns: stats.ciLowNs, ci_high_ns: stats.ciHighNs, below_ns: stats.belowNs,
    frames_for_10_percent: stats.framesFor10Percent,
    min_ns: stats.minNs, max_ns: stats.maxNs, p50_ns: stats.p50Ns, p95_ns: stats.p95Ns, p99_ns: stats.p99Ns,
    total_ns: stats.totalNs, quantum_ns: stats.quantumNs,
    attributed_ns: s.share === null ? null : s.attributedNs, share: s.share,
    below_resolution: s.belowResolution, rejected: s.rejected, flags: flagNames(s.flags, stats),
  };
}

function frameJson(summary, budgetNs) {
  const { busy, span, sum, cpuSubmit } = summary.totals;
  const gaps = busy.meanNs === null || span.meanNs === null ? null : Math.max(0, span.meanNs - busy.meanNs);
  return {
    busy_ns: totalJson(busy), span_ns: totalJson(span), sum_ns: totalJson(sum),
    cpu_submit_ns: { mean: cpuSubmit.meanNs, se: cpuSubmit.seNs },
    unattributed_ns: gaps, budget_ns: budgetNs > 0 ? budgetNs : null,
    over_budget: summary.overBudget, budget_frames: summary.budgetFrames, within_budget: summary.withinBudget, bound_by: summary.boundBy,
  };
}

function framesJson({ ledger, timed, skipped }) {
  const frames = { seen: ledger.framesSeen, timed, skipped };
  for (const [fate, index] of Object.entries(FATE)) frames[FATE_KEYS[fate]] = ledger.fates[index];
  return { ...frames, in_flight: ledger.framesInFlight, not_taken: ledger.framesNotTaken, skip_run_max: ledger.skipRunMax, warmup: 0 };
}

/** What a reader must know before he believes a number. */
function warningsOf(summary, about) {
  const { clock, series } = summary;
  const warnings = [];
  if (about.software) warnings.push({ code: 'software', text: 'The adapter is a software renderer: its times are a CPU\'s.' });
  if (!summary.gpu) warnings.push({ code: 'cpu', text: `These are CPU times, not GPU times: ${about.reason ?? 'the device has no timestamp queries'}.` });
  if (series.some((s) => s.stats.quantized)) {
    warnings.push({ code: 'quantized', text: `Stamps come in steps of ${clock.quantumNs} ns: means stand with their error, single values say little.` });
  }
  if (series.some((s) => s.stats.lockedPhase)) {
    warnings.push({ code: 'locked_phase', text: 'Frames keep step with the clock\'s steps: each duration is rounded the same way every time. Means may be off by up to a step; their errors allow for it.' });
  }
  if (series.some((s) => s.stats.biased)) warnings.push({ code: 'biased', text: 'More than 1 % of a pass\'s samples were rejected: its mean may be off.' });
  if (series.some((s) => s.flags & MARK.boundaryUnverified)) {
    warnings.push({ code: 'boundaries', text: 'Pass boundaries are not proved on this context: a tiler may move work across them.' });
  }
  return warnings.concat(about.warnings ?? []);
}

/**
 * One context of the document.
 * @param {import('./figures.js').Figures} figures
 * @param {{id: string, api: string, adapter?: object, software?: boolean, budgetNs?: number, wallNs?: number,
 *   reason?: string, warnings?: {code: string, text: string}[]}} about
 */
export function contextReport(figures, about) {
  const budgetNs = about.budgetNs ?? 0;
  const summary = summarize(figures, budgetNs, about.software === true);
  const { clock, series, ledger } = summary;
  const method = clock.source.startsWith('gpu elapsed') ? 'elapsed' : summary.gpu ? 'stamps' : 'cpu';
  const adapter = about.adapter ?? { name: null, driver: null, kind: null, software: about.software === true };
  return {
    id: about.id, api: about.api, adapter, method, origin: 'live', warnings: warningsOf(summary, about),
    clock: { tick_ns: clock.tickNs, valid_bits: clock.validBits, quantum_ns: clock.quantumNs, align_bound_ns: clock.alignBoundNs },
    frames: framesJson(summary), wall_ns: about.wallNs ?? null, frame: frameJson(summary, budgetNs),
    passes: series.filter((s) => s.kind === 'pass').map(seriesJson),
    scopes: series.filter((s) => s.kind === 'scope').map(seriesJson),
    ledger: ledger.verdicts,
  };
}

/** The whole document. @param {object[]} contexts of contextReport() */
export function reportDocument(contexts) {
  return { schema: 'passtime.report/1', tool: { name: 'passtime', version: VERSION }, contexts };
}
