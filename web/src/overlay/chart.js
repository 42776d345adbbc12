// SPDX-License-Identifier: MIT
/** The rolling history: a column a frame, red above the budget; a click or the arrow keys choose one. */
import { make, mark } from './dom.js';
import { ms } from './format.js';

const HEIGHT = 64;

export class Chart {
  /** @param {import('./history.js').History} history @param {(number: number | null) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.history = null;
    this.chosen = null; // a frame number
    this.width = 0;
    this.colors = null;
    this.canvas = make('canvas', {
      class: 'chart', tabindex: 0, role: 'slider', 'aria-label': 'Frames of late; arrow keys choose one',
      onclick: (event) => this.click(event),
    });
    // The size is told to us: reading it while drawing would force a layout.
    this.observer = new ResizeObserver(([entry]) => {
      this.width = Math.round(entry.contentRect.width);
      this.draw();
    });
  }

  start() {
    this.observer.observe(this.canvas);
  }

  stop() {
    this.observer.disconnect();
  }

  /** Colours as the style sheet has them now; asked for anew when the scheme changes. */
  readColors() {
    const css = getComputedStyle(this.canvas);
    const names = ['bar', 'over', 'dim', 'line', 'pick', 'band'];
    this.colors = Object.fromEntries(names.map((name) => [name, css.getPropertyValue(`--${name}`).trim()]));
  }

  show(history, limits, chosen) {
    this.history = history;
    this.limits = limits;
    this.chosen = chosen;
    this.draw();
    this.describe();
  }

  /** One column a frame, the newest at the right edge. */
  draw() {
    const { canvas, history, width } = this;
    if (!history || width === 0) return;
    if (!this.colors) this.readColors();
    const ratio = globalThis.devicePixelRatio || 1;
    const pixels = Math.round(width * ratio);
    if (canvas.width !== pixels) canvas.width = pixels;
    if (canvas.height !== Math.round(HEIGHT * ratio)) canvas.height = Math.round(HEIGHT * ratio);
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);
    this.step = width / history.records.length;
    this.top = this.scale();
    this.drawChosen(context);
    for (const kind of ['dim', 'bar', 'over']) this.drawColumns(context, kind);
    this.drawLimit(context);
  }

  /** Room for the budget and for most frames; a rare hitch is cut at the top rather than flattening all. */
  scale() {
    const { history } = this;
    const values = new Float64Array(history.length);
    for (let i = 0; i < values.length; i++) values[i] = this.valueOf(history.at(i));
    values.sort();
    const high = values.length > 0 ? values[Math.floor((values.length - 1) * 0.98)] : 0;
    return Math.max(high * 1.25, this.limits.judged ? this.limits.budgetNs * 1.15 : 0, 1);
  }

  drawColumns(context, kind) {
    const { history, step } = this;
    const width = Math.max(1, step - (step > 2.5 ? 1 : 0));
    context.fillStyle = this.colors[kind];
    for (let i = 0; i < history.length; i++) {
      const record = history.at(i);
      if (this.kindOf(record) !== kind) continue;
      const height = Math.max(1.5, Math.min(1, this.valueOf(record) / this.top) * (HEIGHT - 2));
      context.fillRect(this.leftOf(i), HEIGHT - height, width, height);
    }
  }

  /** What stands for a frame: its GPU time, or the CPU's where there is none. */
  valueOf(record) {
    return this.limits.judged ? record.busyNs : record.submitNs;
  }

  /** "dim": incomplete, what stands there is a lower bound. */
  kindOf(record) {
    if (record.over && this.limits.judged) return 'over';
    return record.fate === 0 ? 'bar' : 'dim';
  }

  leftOf(i) {
    const { history } = this;
    return (history.records.length - history.length + i) * this.step;
  }

  drawLimit(context) {
    const { budgetNs, judged } = this.limits;
    if (!judged || !(budgetNs > 0)) return;
    const y = Math.round(HEIGHT - (budgetNs / this.top) * (HEIGHT - 2)) + 0.5;
    context.strokeStyle = this.colors.line;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(this.width, y);
    context.stroke();
    context.setLineDash([]);
  }

  drawChosen(context) {
    const place = this.chosen === null ? -1 : this.history.find(this.chosen);
    if (place < 0) return;
    const middle = this.leftOf(place) + this.step / 2;
    const half = Math.max(4, this.step);
    context.fillStyle = this.colors.band;
    context.fillRect(middle - half, 0, 2 * half, HEIGHT);
    context.fillStyle = this.colors.pick;
    context.fillRect(middle - half, 0, 2 * half, 3);
  }

  describe() {
    const { canvas, history } = this;
    const place = this.chosen === null ? history.length - 1 : history.find(this.chosen);
    const record = place >= 0 ? history.at(place) : null;
    mark(canvas, 'aria-valuemin', 0);
    mark(canvas, 'aria-valuemax', Math.max(0, history.length - 1));
    mark(canvas, 'aria-valuenow', Math.max(0, place));
    mark(canvas, 'aria-valuetext', record ? `frame ${record.number}, ${ms(this.valueOf(record))} ms${record.over ? ', over budget' : ''}` : 'no frames');
  }

  click(event) {
    const { history } = this;
    if (!history?.length) return;
    const first = history.records.length - history.length;
    const i = Math.floor(event.offsetX / this.step) - first;
    this.choose(history.at(Math.max(0, Math.min(history.length - 1, i))).number);
  }

  /** Moves the choice by `by` frames. */
  move(by) {
    const { history } = this;
    if (!history?.length) return;
    const place = this.chosen === null ? history.length - (by < 0 ? 0 : 1) : history.find(this.chosen);
    const next = Math.max(0, Math.min(history.length - 1, place + by));
    this.choose(history.at(next).number);
  }

  /** The next slow frame to the left (-1) or right (1); where none is over budget, the slowest. */
  slow(direction) {
    const { history } = this;
    if (!history?.length) return;
    const found = this.chosen === null ? -1 : history.find(this.chosen);
    const from = found >= 0 ? found : direction < 0 ? history.length : -1;
    for (let i = from + direction; i >= 0 && i < history.length; i += direction) {
      if (history.at(i).over) return this.choose(history.at(i).number);
    }
    if (this.slowCount() === 0) this.choose(this.slowest());
  }

  slowest() {
    const { history } = this;
    let best = history.at(0);
    for (let i = 1; i < history.length; i++) if (this.valueOf(history.at(i)) > this.valueOf(best)) best = history.at(i);
    return best.number;
  }

  slowCount() {
    const { history } = this;
    let slow = 0;
    for (let i = 0; i < history.length; i++) if (history.at(i).over) slow++;
    return slow;
  }
}
