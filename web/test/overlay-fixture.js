// SPDX-License-Identifier: MIT
/** Figures as a timer gives them, made up and always the same: what the overlay has to show well. */

const MS = 1e6;

function pass(name, meanMs, share, more = {}) {
  return {
    name, path: name, source: 'gpu_stamps', queue: 0, count: 1180, mean_ns: meanMs * MS, se_ns: meanMs * 0.011 * MS, n_eff: 410,
    ci_low_ns: null, ci_high_ns: null, below_ns: null, min_ns: meanMs * 0.8 * MS, max_ns: meanMs * 2.6 * MS,
    p50_ns: meanMs * 0.98 * MS, p95_ns: meanMs * 1.3 * MS, p99_ns: meanMs * 1.9 * MS, total_ns: meanMs * 1180 * MS, quantum_ns: 1,
    attributed_ns: meanMs * 1180 * MS, share, below_resolution: 0, rejected: {}, flags: [], ...more,
  };
}

const PASSES = [
  ['depth prepass', 0.92], ['shadow cascades', 2.61], ['gbuffer', 2.18], ['ambient occlusion', 1.34], ['lighting', 2.9],
  ['transparent', 0.61], ['bloom', 0.88], ['tonemap and UI', 0.37], ['particles.simulate', 0.021], ['histogram.clear', 0.0006],
];

/** @param {{scale?: number, overBudget?: number, method?: string, quantum?: number, software?: boolean}} [how] */
export function makeReport({ scale = 1, overBudget = 9, method = 'stamps', quantum = 1, software = false } = {}) {
  const sum = PASSES.reduce((all, [, mean]) => all + mean, 0);
  const passes = PASSES.map(([name, mean]) => pass(name, mean * scale, mean / sum, { quantum_ns: quantum }));
  Object.assign(passes[3], { rejected: { stale: 3, not_executed: 1 } });
  Object.assign(passes[7], { rejected: { refused: 20 } });
  Object.assign(passes[5], { flags: ['overlaps'] });
  Object.assign(passes[9], { mean_ns: 0, se_ns: null, below_ns: 700, below_resolution: 1180, max_ns: 0 });
  if (quantum > 1) Object.assign(passes[8], { mean_ns: 3000, se_ns: 400, ci_low_ns: 2200, ci_high_ns: 3900 });
  if (quantum > 1) for (const each of passes) Object.assign(each, { p50_ns: null, p95_ns: null, p99_ns: null, flags: [...each.flags, 'quantized'] });
  const busy = { mean: sum * scale * MS, se: sum * scale * 0.012 * MS, p50: sum * scale * MS, p95: null, p99: null, max: sum * scale * 2.2 * MS };
  const gpu = method !== 'cpu';
  return {
    schema: 'passtime.report/1', tool: { name: 'passtime', version: '0.1.0' },
    contexts: [{
      id: 'renderer', api: 'webgpu', adapter: { name: 'made up', driver: null, kind: null, software }, method, origin: 'live',
      warnings: quantum > 1 ? [{ code: 'quantized', text: `Stamps come in steps of ${quantum} ns: means stand with their error, single values say little.` }] : [],
      clock: { tick_ns: 1, valid_bits: 64, quantum_ns: quantum, align_bound_ns: 240000 },
      frames: { seen: 1200, timed: 1184, skipped: 16, complete: 1180, incomplete: 4, no_data: 0, empty: 0, skipped_full: 16, skipped_stride: 0, skipped_off: 0, skipped_lost: 0, skipped_warmup: 0, refused: 0, in_flight: 3, not_taken: 0, skip_run_max: 5, warmup: 0 },
      wall_ns: null,
      frame: { busy_ns: busy, span_ns: { ...busy, mean: busy.mean * 1.02 }, sum_ns: { ...busy, mean: busy.mean * 1.01 }, cpu_submit_ns: { mean: 2.31 * MS, se: 0.04 * MS }, unattributed_ns: busy.mean * 0.02, budget_ns: 14 * MS, over_budget: gpu ? overBudget : null, budget_frames: gpu ? 1184 : null, within_budget: gpu ? overBudget < 60 : null, bound_by: gpu ? 'gpu' : null },
      passes, scopes: [], ledger: { good: 10600, below_resolution: 1180, stale: 3, not_executed: 1, refused: 20 },
    }],
  };
}

/** Frames with hitches at known places; the last one has a bad sample. */
export function makeFrames({ scale = 1, count = 240, slow = [60, 61, 150, 222], bad = true } = {}) {
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  return Array.from({ length: count }, (_, i) => {
    const factor = scale * (slow.includes(i) ? 1.6 : 0.93 + 0.14 * random());
    const samples = PASSES.map(([name, mean], series) => {
      const ns = mean * MS * factor * (slow.includes(i) && series === 1 ? 2.4 : 1);
      return { name, series, verdict: 'good', durationNs: ns, attributedNs: ns };
    });
    const last = bad && i === count - 1;
    if (last) Object.assign(samples[3], { verdict: 'stale', durationNs: null, attributedNs: null });
    const busyNs = samples.reduce((sum, sample) => sum + (sample.attributedNs ?? 0), 0);
    return { number: 1000 + i, fate: last ? 'incomplete' : 'complete', overBudget: busyNs > 14 * MS, busyNs, cpuBeginNs: 0, cpuSubmitNs: 2.3 * MS, passesWithoutSlot: 0, samples };
  });
}
