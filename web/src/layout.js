// SPDX-License-Identifier: MIT
/**
 * Names for the offsets that the wasm module gives (web/wasm/layout.c), in the same order, so that
 * no offset is ever written down in JavaScript.
 */

const FIELDS = {
  frame: `number fate flags sample_count scope_count samples scopes passes_without_slot clock_epoch
    over_budget has_span busy_ns span_ns sum_ns cpu_begin_ns cpu_submit_ns cpu_seen_ns
    frames_late align_offset_ns align_bound_ns`,
  sample: `name series parent scope queue verdict source flags clock_epoch begin_ns end_ns duration_ns
    exclusive_ns attributed_ns`,
  scope: `name series parent sample_count complete busy_ns`,
  series: `kind parent source queue flags name path attributed_ns verdicts stats`,
  stats: `flags count rejected mean_ns se_ns n_eff ci_low_ns ci_high_ns below_ns min_ns max_ns p50_ns
    p95_ns p99_ns total_ns last_ns last_frame quantum_ns frames_for_10_percent`,
  ledger: `frames_in_flight frames_seen fates passes_recorded passes_in_flight verdicts
    frames_over_budget frames_not_taken samples_in_other entries_quarantined orphan_ends
    misuses unpumped skip_run_max`,
  clock: `source valid_bits clock_epoch tick_ns quantum_ns align_offset_ns align_bound_ns`,
  note: `count message`,
};

/**
 * Reads the module's table of offsets.
 * @param {Uint16Array} table
 * @returns {Record<string, Record<string, number>>} `layout.sample.begin_ns` is an offset in bytes,
 *   `layout.sample.size` the structure's size
 */
export function readLayout(table) {
  const layout = {};
  let at = 0;
  for (const name of Object.keys(FIELDS)) {
    const fields = { size: table[at++] };
    for (const field of FIELDS[name].trim().split(/\s+/)) fields[field] = table[at++];
    layout[name] = fields;
  }
  if (at !== table.length) throw new Error('passtime: the wasm module is of another version');
  return layout;
}
