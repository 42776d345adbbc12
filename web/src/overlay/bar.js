// SPDX-License-Identifier: MIT
/** The stacked bar: the passes of the mean frame, or of the chosen one, against the budget. */
import { make, mark, say, style } from './dom.js';
import { ms, percent } from './format.js';

const SEGMENTS_MOST = 24;

export class Bar {
  constructor() {
    this.segments = [];
    this.stack = make('div', { class: 'stack' });
    this.over = make('div', { class: 'over', hidden: true });
    this.budget = make('div', { class: 'limit budget' }, make('span'));
    this.frame = make('div', { class: 'limit frame' }, make('span'));
    this.root = make('div', { class: 'bar', role: 'img' }, this.stack, this.over, this.budget, this.frame);
  }

  /**
   * @param {{name: string, ns: number, color: number}[]} parts in the order of recording
   * @param {{budgetNs: number, frameNs: number, busyNs: number, judged: boolean}} limits
   */
  show(parts, limits) {
    const shown = merge(parts.filter((part) => part.ns > 0));
    const full = Math.max(limits.frameNs, limits.budgetNs, limits.busyNs) * 1.04;
    let left = 0;
    shown.forEach((part, i) => {
      const segment = this.segment(i);
      const width = (part.ns / full) * 100;
      mark(segment, 'data-color', part.color);
      style(segment, 'left', `${left.toFixed(2)}%`);
      style(segment, 'width', `${width.toFixed(2)}%`);
      segment.title = `${part.name}: ${ms(part.ns)} ms, ${percent(part.ns / limits.busyNs)}`;
      say(segment, width > 14 ? part.name : '');
      left += width;
    });
    this.segments.forEach((segment, i) => mark(segment, 'hidden', i >= shown.length));
    this.showLimits(full, left, limits);
    mark(this.root, 'aria-label', shown.map((part) => `${part.name} ${ms(part.ns)} ms`).join(', ') || 'no passes yet');
  }

  showLimits(full, filled, { budgetNs, frameNs, busyNs, judged }) {
    const at = (ns) => `${((ns / full) * 100).toFixed(2)}%`;
    mark(this.budget, 'hidden', !(budgetNs > 0));
    mark(this.frame, 'hidden', !(frameNs > 0));
    style(this.budget, 'left', at(budgetNs));
    style(this.frame, 'left', at(frameNs));
    say(this.budget.firstChild, `budget ${ms(budgetNs)}`);
    // Where the two stand close together there is no room for more than the number, or for none.
    const apart = Math.abs(frameNs - budgetNs) / full;
    say(this.frame.firstChild, apart < 0.07 ? '' : apart < 0.2 ? ms(frameNs) : `frame ${ms(frameNs)}`);
    mark(this.budget, 'data-side', budgetNs / full < 0.2 ? 'right' : 'left');
    mark(this.frame, 'data-side', frameNs / full < 0.2 ? 'right' : 'left');
    const over = judged && budgetNs > 0 && busyNs > budgetNs;
    mark(this.over, 'hidden', !over);
    if (!over) return;
    style(this.over, 'left', at(budgetNs));
    style(this.over, 'width', `${Math.max(0, filled - (budgetNs / full) * 100).toFixed(2)}%`);
  }

  segment(i) {
    if (!this.segments[i]) {
      this.segments[i] = make('div', { class: 'segment' });
      this.stack.append(this.segments[i]);
    }
    return this.segments[i];
  }
}

/** The greatest stay, in their order; the rest becomes one part at the end. */
function merge(parts) {
  if (parts.length <= SEGMENTS_MOST) return parts;
  const limit = parts.map((part) => part.ns).sort((a, b) => b - a)[SEGMENTS_MOST - 2];
  const kept = [];
  let rest = 0;
  for (const part of parts) {
    if (part.ns >= limit && kept.length < SEGMENTS_MOST - 1) kept.push(part);
    else rest += part.ns;
  }
  kept.push({ name: `${parts.length - kept.length} smaller passes`, ns: rest, color: -1 });
  return kept;
}
