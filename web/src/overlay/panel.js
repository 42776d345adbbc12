// SPDX-License-Identifier: MIT
/** The panel's elements, and what of a snapshot goes where. It reads no layout and keeps no figures. */
import { adviceOf } from './advice.js';
import { Bar } from './bar.js';
import { Chart } from './chart.js';
import { make, mark, say } from './dom.js';
import * as facts from './facts.js';
import { ms, total } from './format.js';
import { History } from './history.js';
import { Table } from './table.js';

const COLORS = 10;

export class Panel {
  /** @param {Record<string, Function>} act what the buttons do */
  constructor(act) {
    this.act = act;
    this.colors = new Map();
    this.bar = new Bar();
    this.chart = new Chart(act.choose);
    this.table = new Table();
    this.root = make('section', { class: 'panel', tabindex: -1, 'aria-label': 'GPU time by pass' },
      this.header(), this.tabs = make('div', { class: 'tabs', role: 'tablist', hidden: true }),
      make('div', { class: 'scroll' }, this.state = make('div', { class: 'state', role: 'status' }), this.main()),
      this.footer());
  }

  header() {
    this.method = make('span', { class: 'method' });
    this.pauseButton = make('button', { type: 'button', 'aria-pressed': 'false', title: 'Hold the panel still; timing goes on (P)', onclick: this.act.pause }, 'Pause');
    return make('header', {}, make('span', { class: 'brand' }, 'Passtime'), this.method, this.pauseButton,
      make('button', { type: 'button', class: 'close', 'aria-label': 'Close', title: 'Close (Esc)', onclick: this.act.close }, '×'));
  }

  main() {
    this.big = make('span', { class: 'big' });
    this.unit = make('span', { class: 'unit' });
    this.chip = make('span', { class: 'chip' });
    this.bound = make('p', { class: 'bound' });
    this.line = make('p', { 'aria-live': 'polite' });
    this.back = make('button', { type: 'button', hidden: true, title: 'Back to the mean of all frames (Esc)', onclick: () => this.act.choose(null) }, 'All');
    this.under = make('div', { class: 'under' }, this.line, this.back,
      make('button', { type: 'button', title: 'The slow frame before (Shift+S)', 'aria-label': 'Slow frame before', onclick: () => this.chart.slow(-1) }, '‹ slow'),
      make('button', { type: 'button', title: 'The next slow frame (S)', 'aria-label': 'Next slow frame', onclick: () => this.chart.slow(1) }, 'slow ›'));
    this.warnings = make('ul', { class: 'warnings', hidden: true });
    this.advice = make('ul', { class: 'advice', hidden: true });
    this.measured = make('dl');
    this.frames = make('p');
    this.passes = make('p');
    this.notes = make('p', { hidden: true });
    this.content = make('div', {}, make('div', { class: 'head' }, this.big, this.unit, this.chip), this.bound, this.bar.root,
      this.chart.canvas, this.under, this.table.root, this.warnings, this.advice,
      make('details', {}, make('summary', {}, 'How it was measured'), this.measured),
      make('details', { class: 'ledger' }, make('summary', {}, 'Ledger: where every frame and pass went'), this.frames, this.passes, this.notes));
    return this.content;
  }

  footer() {
    const { act } = this;
    this.offButton = make('button', { type: 'button', 'aria-pressed': 'false', title: 'Time nothing; costs nothing', onclick: act.off }, 'Off');
    this.everySelect = make('select', { 'aria-label': 'Time every Nth frame', onchange: (event) => act.every(Number(event.target.value)) },
      ...[1, 2, 4, 8, 16, 32].map((n) => make('option', { value: n }, n === 1 ? 'every frame' : `1 frame in ${n}`)));
    this.captureButton = make('button', { type: 'button', class: 'capture', hidden: true, title: 'Record the frames for a Perfetto trace; pressed again, stop and save it (R)', onclick: act.capture }, 'Capture');
    this.said = make('span', { class: 'said', role: 'status' });
    this.foot = make('footer', {}, this.offButton, make('label', {}, 'time', this.everySelect),
      make('button', { type: 'button', title: 'Forget the figures so far', onclick: act.reset }, 'Reset'),
      make('button', { type: 'button', title: 'Copy the report (C)', onclick: act.copy }, 'Copy JSON'), this.captureButton, this.said);
    return this.foot;
  }

  showTabs(names, selected) {
    mark(this.tabs, 'hidden', names.length < 2);
    while (this.tabs.children.length > names.length) this.tabs.lastChild.remove();
    names.forEach((name, i) => {
      const tab = this.tabs.children[i] ?? this.tabs.appendChild(make('button', { type: 'button', role: 'tab', onclick: () => this.act.select(i) }));
      say(tab, name);
      mark(tab, 'aria-selected', i === selected);
    });
  }

  /** No context to show: says why. */
  showEmpty(text) {
    mark(this.content, 'hidden', true);
    mark(this.foot, 'hidden', true);
    mark(this.state, 'hidden', false);
    say(this.state, text);
    say(this.method, '');
  }

  /** @param {{text: string, on: boolean, busy: boolean} | null} capture null: this source has none */
  showCapture(capture) {
    mark(this.captureButton, 'hidden', capture === null);
    if (capture === null) return;
    say(this.captureButton, capture.text);
    mark(this.captureButton, 'data-on', capture.on); // its text says what it does, so it is no pressed button
    mark(this.captureButton, 'aria-busy', capture.busy);
  }

  showSwitches({ paused, on, stride }) {
    mark(this.pauseButton, 'aria-pressed', paused);
    mark(this.offButton, 'aria-pressed', !on);
    say(this.offButton, on ? 'Off' : 'Is off');
    if (this.everySelect.value !== String(stride)) this.everySelect.value = String(stride);
  }

  /** @param {{context: object, history: History, status: object, notes: object[], chosen: number | null, frameNs: number, cost: number | null, asked: boolean}} view */
  show(view) {
    const { context, history } = view;
    mark(this.content, 'hidden', false);
    mark(this.foot, 'hidden', false);
    mark(this.state, 'hidden', !needsSaying(view.status.state, history.length));
    say(this.state, view.status.text);
    say(this.method, `${facts.apiName(context)} · ${facts.methodText(context)}`);
    mark(this.method, 'title', this.method.textContent);
    const place = view.chosen === null ? -1 : history.find(view.chosen);
    const record = place >= 0 ? history.at(place) : null;
    const entries = this.entries(context, history, record);
    const limits = {
      budgetNs: context.frame.budget_ns ?? 0, frameNs: view.frameNs,
      busyNs: (record ? record.busyNs : context.frame.busy_ns.mean) ?? 0, judged: context.method !== 'cpu',
    };
    this.showHead(view, record);
    mark(this.bar.root, 'hidden', !limits.judged); // CPU times say nothing of a frame's parts
    if (limits.judged) this.bar.show(record ? this.recordParts(record, history) : meanParts(entries, limits.busyNs), limits);
    this.chart.show(history, limits, record ? view.chosen : null);
    this.showLine(record, history, limits.judged);
    this.table.show(entries, { quantumNs: context.clock.quantum_ns, chosen: record ? view.chosen : null });
    this.showFacts(view);
  }

  showHead({ context, history, asked }, record) {
    const cpu = context.method === 'cpu';
    const isJudged = asked || !context.adapter.software;
    const verdict = record && !cpu && isJudged ? facts.frameVerdictOf(record, history.fates) : facts.verdictOf(context, asked);
    const { busy_ns: busy, cpu_submit_ns: submit } = context.frame;
    say(this.big, record ? ms(cpu ? record.submitNs : record.busyNs) : total(cpu ? submit : busy));
    mark(this.big, 'data-tone', verdict.tone);
    say(this.unit, `ms ${cpu ? 'to record and submit' : 'GPU'} ${record ? 'in this frame' : 'a frame'}`);
    say(this.chip, verdict.text);
    mark(this.chip, 'data-tone', verdict.tone);
    say(this.bound, facts.boundText(context));
  }

  showLine(record, history, judged) {
    const text = record ? facts.frameText(record, history, judged) : facts.chartText(history.length, this.chart.slowCount(), judged);
    say(this.line, text);
    mark(this.under, 'data-chosen', record !== null);
    mark(this.back, 'hidden', record === null);
  }

  showFacts({ context, status, notes, cost }) {
    fill(this.warnings, context.warnings.map((warning) => warning.text));
    fill(this.advice, adviceOf(context));
    const pairs = facts.measuredFacts(context, status, cost);
    while (this.measured.children.length < 2 * pairs.length) this.measured.append(make('dt'), make('dd'));
    pairs.flat().forEach((text, i) => say(this.measured.children[i], text));
    say(this.frames, facts.framesText(context));
    say(this.passes, facts.passesText(context));
    mark(this.notes, 'hidden', notes.length === 0);
    say(this.notes, notes.map((note) => `${note.text} (${note.count}×)`).join(' · '));
  }

  // Passes ------------------------------------------------------------------------------------

  colorOf(name) {
    let color = this.colors.get(name);
    if (color === undefined) this.colors.set(name, (color = this.colors.size % COLORS));
    return color;
  }

  entries(context, history, record) {
    const byName = history.byName();
    const inFrame = record ? sumsOf(record) : null;
    return context.passes.map((pass, order) => {
      const path = pass.path || pass.name;
      const series = byName.get(path);
      return { key: `${path}\n${pass.source}`, path, order, pass, color: this.colorOf(path), last: lastOf(history, series, inFrame) };
    });
  }

  recordParts(record, history) {
    const parts = [];
    for (let i = 0; i < record.count; i++) {
      if (!History.good(record, i)) continue;
      const name = history.nameOf(record.series[i]);
      parts.push({ name, ns: record.attributed[i], color: this.colorOf(name) });
    }
    return parts;
  }
}

/** A list that is there where it has something to say; it is made anew only where that changes. */
function fill(list, texts) {
  mark(list, 'hidden', texts.length === 0);
  if (list.children.length === texts.length && texts.every((text, i) => list.children[i].textContent === text)) return;
  list.replaceChildren(...texts.map((text) => make('li', {}, text)));
}

/** Whether the timer's state stands above the figures: what stopped it does, what is usual does not. */
function needsSaying(state, frames) {
  if (state === 'timing' || state === 'saved') return false;
  return frames === 0 || state === 'lost' || state === 'stopped' || state === 'destroyed';
}

/** Shares of the mean frame. */
function meanParts(entries, busyNs) {
  return entries.map(({ pass, path, color }) => ({ name: path, ns: (pass.share ?? 0) * busyNs, color }));
}

/** A frame's passes by series: their time together, how often, and what was bad. */
function sumsOf(record) {
  const sums = new Map();
  for (let i = 0; i < record.count; i++) {
    const sum = sums.get(record.series[i]) ?? { ns: null, times: 0, verdict: 0 };
    if (History.good(record, i)) {
      sum.ns = (sum.ns ?? 0) + record.duration[i];
      sum.times++;
    } else {
      sum.verdict = record.verdict[i];
    }
    sums.set(record.series[i], sum);
  }
  return sums;
}

function lastOf(history, series, inFrame) {
  if (inFrame) {
    const sum = inFrame.get(series);
    return { ns: sum?.ns ?? null, bad: sum?.verdict ? history.verdicts[sum.verdict] : null, times: sum?.times ?? 0 };
  }
  const bad = history.lastBad.get(series);
  return { ns: history.lastNs.get(series) ?? null, bad: bad === undefined ? null : history.verdicts[bad], times: 1 };
}
