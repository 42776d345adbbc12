// SPDX-License-Identifier: MIT
/** A row a pass: mean and error, share, the last or the chosen frame's time, the worst, verdicts. */
import { make, mark, say, style } from './dom.js';
import { mean, ms, percent, single, UNKNOWN } from './format.js';

const ROWS_MOST = 80;
const ORDERS = {
  order: (a, b) => a.order - b.order,
  mean: (a, b) => (b.pass.mean_ns ?? -1) - (a.pass.mean_ns ?? -1),
  share: (a, b) => (b.pass.share ?? -1) - (a.pass.share ?? -1),
  max: (a, b) => (b.pass.max_ns ?? -1) - (a.pass.max_ns ?? -1),
};
const COLUMNS = [
  { key: 'order', text: 'pass', title: 'In the order of recording' },
  { key: 'mean', text: 'ms, mean ± s.e.', title: 'Mean of all good samples with its standard error, ms' },
  { key: 'share', text: 'share', title: 'Part of the frames\' busy time that this pass adds' },
  { key: 'last', text: 'last', title: 'The last good sample, ms' },
  { key: 'max', text: 'worst', title: 'The longest sample, ms' },
];

export class Table {
  constructor() {
    this.sortBy = 'order';
    this.rows = new Map();
    this.order = [];
    this.body = make('tbody');
    this.head = make('tr', {}, ...COLUMNS.map((column) => this.header(column)));
    this.more = make('p', { class: 'note', hidden: true });
    this.root = make('div', { class: 'passes' }, make('table', {}, make('thead', {}, this.head), this.body), this.more);
  }

  header({ key, text, title }) {
    if (key === 'last') {
      this.lastHead = make('span', {}, text);
      return make('th', { scope: 'col', title }, this.lastHead);
    }
    const button = make('button', { type: 'button', title, onclick: () => this.sort(key) }, text);
    return make('th', { scope: 'col', 'data-key': key, 'aria-sort': key === this.sortBy ? 'descending' : 'none' }, button);
  }

  sort(key) {
    this.sortBy = key;
    for (const head of this.head.children) {
      if (head.dataset.key) mark(head, 'aria-sort', head.dataset.key === key ? 'descending' : 'none');
    }
    if (this.shown) this.show(...this.shown);
  }

  /**
   * @param {{key: string, order: number, color: number, pass: object, last: object}[]} entries
   * @param {{quantumNs: number | null, chosen: number | null}} how
   */
  show(entries, how) {
    this.shown = [entries, how];
    say(this.lastHead, how.chosen === null ? 'last' : `#${how.chosen}`);
    const sorted = [...entries].sort(ORDERS[this.sortBy]).slice(0, ROWS_MOST);
    const greatest = Math.max(...sorted.map((entry) => entry.pass.share ?? 0), 1e-9);
    for (const entry of sorted) this.row(entry.key).show(entry, how, greatest);
    this.arrange(sorted.map((entry) => entry.key));
    mark(this.more, 'hidden', entries.length <= ROWS_MOST);
    say(this.more, `${entries.length - ROWS_MOST} more passes: the JSON has all of them.`);
  }

  row(key) {
    let row = this.rows.get(key);
    if (!row) {
      row = new Row();
      this.rows.set(key, row);
    }
    return row;
  }

  /** Rows move only where their order is another one. */
  arrange(keys) {
    if (keys.length === this.order.length && keys.every((key, i) => key === this.order[i])) return;
    this.order = keys;
    this.body.replaceChildren(...keys.flatMap((key) => this.rows.get(key).lines));
    if (this.rows.size > 2 * ROWS_MOST) this.forget(new Set(keys));
  }

  forget(kept) {
    for (const key of this.rows.keys()) if (!kept.has(key)) this.rows.delete(key);
  }
}

class Row {
  constructor() {
    this.swatch = make('i', { class: 'swatch' });
    this.name = make('span', { class: 'name' });
    this.marks = make('td', { colspan: COLUMNS.length });
    this.marksLine = make('tr', { class: 'marks', hidden: true }, this.marks);
    this.mean = make('td', { class: 'number' });
    this.share = make('span');
    this.fill = make('i', { class: 'fill' });
    this.last = make('td', { class: 'number' });
    this.max = make('td', { class: 'number' });
    const line = make('tr', {}, make('th', { scope: 'row' }, make('div', { class: 'title' }, this.swatch, this.name)),
      this.mean, make('td', { class: 'number share' }, this.share, this.fill), this.last, this.max);
    this.lines = [line, this.marksLine];
  }

  show({ pass, color, last, path }, { quantumNs }, greatest) {
    mark(this.swatch, 'data-color', color);
    say(this.name, path);
    if (this.name.title !== path) this.name.title = path;
    say(this.mean, mean(pass));
    mark(this.mean, 'title', meanTitle(pass));
    say(this.share, percent(pass.share));
    style(this.fill, 'width', `${(((pass.share ?? 0) / greatest) * 100).toFixed(1)}%`);
    this.showLast(last, quantumNs);
    say(this.max, pass.max_ns === null ? UNKNOWN : single(pass.max_ns, quantumNs));
    const texts = marksOf(pass, last);
    mark(this.marksLine, 'hidden', texts.length === 0);
    say(this.marks, texts.join(' · '));
  }

  /** A bad sample leaves the last good value in its place, marked. */
  showLast({ ns, bad, times }, quantumNs) {
    const text = single(ns, quantumNs);
    say(this.last, bad && ns !== null ? `${text}*` : times > 1 ? `${text} (${times}×)` : text);
    mark(this.last, 'data-bad', bad !== null);
    mark(this.last, 'title', bad ? `The last sample was ${bad}; this is the last good one.` : null);
  }
}

function meanTitle(pass) {
  const range = pass.p50_ns === null ? '' : `, p50 ${ms(pass.p50_ns)}, p95 ${ms(pass.p95_ns)}, p99 ${ms(pass.p99_ns)}`;
  return `${pass.count} good samples${range}; ms`;
}

const FLAG_TEXTS = {
  overlaps: 'overlaps others', boundary_unverified: 'boundaries not proved', outside_envelope: 'outside its envelope',
  biased: 'mean may be off', implied_end: 'end implied', other: 'several names',
};

/** Verdicts that say more in other words here. */
const VERDICT_TEXTS = { refused: 'timed by the app' };

/** What a reader has to know of this pass, worst first. */
function marksOf(pass, last) {
  const texts = [];
  if (last.bad) texts.push(`last: ${last.bad}`);
  for (const [verdict, count] of Object.entries(pass.rejected)) texts.push(`${count} ${VERDICT_TEXTS[verdict] ?? verdict.replace(/_/g, ' ')}`);
  for (const flag of pass.flags) if (FLAG_TEXTS[flag] && (flag !== 'biased' || pass.count > 0)) texts.push(FLAG_TEXTS[flag]);
  if (pass.below_resolution > 0 && pass.count > 0) {
    texts.push(`${percent(pass.below_resolution / pass.count)} below resolution`);
  }
  if (pass.source.startsWith('cpu')) texts.push(pass.source === 'cpu_complete' ? 'CPU: submit to done' : 'CPU: recording');
  return texts;
}
