// SPDX-License-Identifier: MIT
/**
 * Writes a Perfetto trace by the code that writes captures in C (src/sink), as a wasm module of its own. JavaScript
 * only copies: frames and figures go in as the core holds them, bytes come out.
 */
import * as AT from 'passtime:layout';
import { wasm } from 'passtime:capture-wasm';

const TOTALS = 4;
const TEXT_BYTES = 511; // and a zero behind it
const SLICE_MS = 8; // longer than this it holds nobody up
const FAILED = 'the capture could not be written: an event is larger than it may be';

const encoder = new TextEncoder();
let compiled;

function moduleOf(text) {
  const packed = globalThis.atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  return new WebAssembly.Module(bytes);
}

/**
 * The statistics of a context as they stand now, copied.
 * @param {import('./core.js').Context} context
 * @returns {{clock: Uint8Array, ledger: Uint8Array, totals: Uint8Array[], series: (Uint8Array | null)[]} | null} null: it was destroyed
 */
export function figuresOf({ core, self }) {
  if (!self) return null;
  const { c } = core;
  const copy = (at, bytes) => (at === 0 ? null : core.u8.slice(at, at + bytes));
  const totals = [];
  for (let i = 0; i < TOTALS; i++) totals.push(copy(c.passtime_web_total(self, i), AT.stats_size));
  const series = [];
  const count = c.passtime_web_series_count(self);
  for (let i = 0; i < count; i++) series.push(copy(c.passtime_web_series(self, i), AT.series_size));
  return {
    clock: copy(c.passtime_web_clock(self), AT.clock_size), ledger: copy(c.passtime_web_ledger(self), AT.ledger_size), totals, series,
  };
}

/** Lets the page go on, where anybody sees it. */
function pause() {
  return globalThis.document?.hidden ? undefined : new Promise((resolve) => setTimeout(resolve, 0));
}

class Writer {
  constructor(store, seriesCount) {
    compiled ??= moduleOf(wasm);
    this.c = new WebAssembly.Instance(compiled).exports;
    this.self = this.c.passtime_web_capture_create(store.largestBytes, store.largestEvents, seriesCount);
    if (!this.self) throw new Error('there is no memory to write the capture');
    this.u8 = new Uint8Array(this.c['memory'].buffer); // the core's goes by a shorter name; it does not grow any more
    this.parts = [];
  }

  text(which, text) {
    const at = this.c.passtime_web_capture_text(this.self, which);
    encoder.encodeInto(text ?? '', this.u8.subarray(at, at + TEXT_BYTES));
  }

  begin(about, eventsLost) {
    const { adapter } = about;
    [about.api, adapter.name, adapter.driver, adapter.kind].forEach((text, i) => this.text(i, text));
    this.take(this.c.passtime_web_capture_begin(this.self, about.number, about.budgetNs, eventsLost, adapter.software ? 1 : 0));
  }

  frame(record) {
    this.u8.set(record, this.c.passtime_web_capture_record(this.self));
    this.take(this.c.passtime_web_capture_frame(this.self, record.length));
  }

  summary({ clock, ledger, totals, series }) {
    const { c, self, u8 } = this;
    u8.set(clock, c.passtime_web_capture_clock(self));
    u8.set(ledger, c.passtime_web_capture_ledger(self));
    totals.forEach((total, i) => u8.set(total, c.passtime_web_capture_total(self, i)));
    for (const one of series) {
      const at = c.passtime_web_capture_series(self, one === null ? 0 : 1);
      if (one !== null) u8.set(one, at);
    }
    this.take(c.passtime_web_capture_summary(self));
  }

  /** Keeps what the last call wrote. */
  take(written) {
    if (!written) throw new Error(FAILED);
    const at = this.c.passtime_web_capture_bytes(this.self);
    this.parts.push(this.u8.slice(at, at + this.c.passtime_web_capture_size(this.self)));
  }
}

/**
 * @param {import('./capture-store.js').FrameStore} store
 * @param {ReturnType<typeof figuresOf>} figures null: they are not known, and readers make them anew from the events
 * @param {{api: string, adapter: {name: string | null, driver: string | null, kind: string | null, software: boolean},
 *   number: number, budgetNs: number}} about
 * @returns {Promise<Uint8Array[]>} the file, in pieces
 */
export async function writeCapture(store, figures, about) {
  const writer = new Writer(store, figures?.series.length ?? 0);
  writer.begin(about, store.eventsLost);
  let since = performance.now();
  for (const record of store.records()) {
    writer.frame(record);
    if (performance.now() - since < SLICE_MS) continue;
    await pause();
    since = performance.now();
  }
  if (figures !== null) writer.summary(figures);
  return writer.parts;
}
