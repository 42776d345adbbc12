// SPDX-License-Identifier: MIT
/**
 * Where the panel's figures come from: a timer of this page, or a plain object that was saved from
 * one ({report, frames, status}). The panel knows only this.
 */
import { History } from './history.js';

export class Source {
  /** @param {object} timer @param {number} frames kept for the chart */
  constructor(timer, frames) {
    this.timer = timer;
    this.history = new History(frames);
    this.frozen = false; // the panel is paused: frames are left alone
    this.recordMs = 0; // time spent on taking frames, for the panel's own cost
    this.frames = 0;
    this.on = true;
    this.stride = 1;
    this.listener = (frame) => this.take(frame);
    this.plain = typeof timer.on !== 'function';
    if (this.plain) for (const frame of timer.frames ?? []) this.history.push(frame);
  }

  take(frame) {
    if (this.frozen) return;
    const from = performance.now();
    this.history.push(frame);
    this.frames++;
    this.recordMs += performance.now() - from;
  }

  /** Listens to frames; without a listener they are not even copied out of the core. */
  start() {
    if (!this.plain) this.timer.on('frame', this.listener);
  }

  stop() {
    if (!this.plain) this.timer.off('frame', this.listener);
  }

  /** The context's part of the report. */
  context() {
    const { timer } = this;
    if (typeof timer.contextReport === 'function') return timer.contextReport();
    const report = typeof timer.report === 'function' ? timer.report() : timer.report;
    return report.contexts[0];
  }

  report() {
    return typeof this.timer.report === 'function' ? this.timer.report() : this.timer.report;
  }

  /** @returns {{state: string, text: string}} */
  status() {
    return this.timer.status ?? { state: 'saved', text: 'Figures that were saved.' };
  }

  notes() {
    return this.timer.notes?.() ?? [];
  }

  enable(on) {
    this.on = on;
    this.timer.enable?.(on);
  }

  every(frames) {
    this.stride = frames;
    this.timer.every?.(frames);
  }

  budget(ms) {
    if (!this.plain) this.timer.budget?.(ms);
  }

  reset() {
    this.timer.reset?.();
    this.history.clear();
  }

  get hasCapture() {
    return typeof this.timer.capture === 'function';
  }
}
