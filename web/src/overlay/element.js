// SPDX-License-Identifier: MIT
/**
 * <passtime-overlay>: closed it does nothing at all; open it takes each frame as it comes back and
 * draws four times a second. Attributes: open, key, budget (ms), frame (ms), theme, place.
 */
import { isCapturing, press, stateOf } from './captures.js';
import { make, say } from './dom.js';
import { Panel } from './panel.js';
import { Source } from './source.js';
import { css } from './styles.js';

const UPDATE_MS = 250;
const HISTORY_FRAMES = 240;
const NAMES_EVERY = 4; // updates
const COST_FROM = 4; // updates: the first build the rows and are no measure of what follows
const DEFAULTS = { key: 'Backquote', budget: 14, frame: 16.7 };

/** Timers whose budget is the overlay's own default. */
const unasked = new WeakSet();

export class PasstimeOverlay extends HTMLElement {
  static observedAttributes = ['open', 'budget', 'frame', 'theme'];

  /** What times this realm, set by index.js. @type {{timers: object[], status: {text: string}} | undefined} */
  static realm;

  constructor() {
    super();
    this.sources = [];
    this.given = new Set(); // timers that the page named
    this.selected = 0;
    this.chosen = null;
    this.paused = false;
    this.updates = 0;
    this.updateMs = 0;
    this.lastFocus = null;
    this.onKey = (event) => this.key(event);
    this.onScheme = () => {
      this.panel.chart.colors = null;
    };
    this.build();
  }

  build() {
    this.panel = new Panel({
      choose: (number) => this.choose(number), pause: () => this.pause(), close: () => this.close(), off: () => this.switchOff(),
      every: (frames) => this.every(frames), copy: () => this.copy(), capture: () => this.capture(), reset: () => this.reset(),
      select: (i) => this.select(i),
    });
    const root = this.attachShadow({ mode: 'open' });
    root.append(make('style', {}, css), this.panel.root);
    this.panel.root.addEventListener('keydown', (event) => this.panelKey(event));
  }

  connectedCallback() {
    globalThis.addEventListener('keydown', this.onKey, true);
    this.scheme = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
    this.scheme?.addEventListener('change', this.onScheme);
    if (this.isOpen) this.run();
  }

  disconnectedCallback() {
    globalThis.removeEventListener('keydown', this.onKey, true);
    this.scheme?.removeEventListener('change', this.onScheme);
    this.halt();
  }

  attributeChangedCallback(name) {
    if (!this.isConnected) return;
    if (name === 'open' && this.isOpen) this.run();
    else if (name === 'open') this.halt();
    if (name === 'budget') this.applyBudget();
    if (name === 'theme') this.onScheme();
    if (this.isOpen) this.update();
  }

  // What the page may do ----------------------------------------------------------------------

  get isOpen() {
    return this.hasAttribute('open');
  }

  open() {
    this.setAttribute('open', '');
  }

  close() {
    this.removeAttribute('open');
    this.lastFocus?.focus?.();
    this.lastFocus = null;
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  /** Shows a timer, or figures that were saved from one: {report, frames}. */
  add(timer) {
    this.given.add(timer);
    if (this.isOpen) this.update();
    return this;
  }

  /** Takes back what `add` gave. */
  drop(timer) {
    this.given.delete(timer);
    if (this.isOpen) this.update();
    return this;
  }

  get budgetMs() {
    return numberOf(this.getAttribute('budget'), DEFAULTS.budget);
  }

  get frameMs() {
    return numberOf(this.getAttribute('frame'), DEFAULTS.frame);
  }

  /**
   * Milliseconds that the open panel takes: one frame's taking, one update, and both a frame as frames
   * come; null: not known yet.
   */
  get costs() {
    const frames = this.sources.reduce((sum, source) => sum + source.frames, 0);
    const updates = this.updates - COST_FROM;
    if (frames < 20 || updates < 1) return null;
    const takeMs = this.sources.reduce((sum, source) => sum + source.recordMs, 0) / frames;
    return { takeMs, updateMs: this.updateMs / updates, frameMs: takeMs + this.updateMs / frames };
  }

  get cost() {
    return this.costs?.frameMs ?? null;
  }

  // Running -----------------------------------------------------------------------------------

  run() {
    if (this.timer) return;
    this.panel.chart.start();
    this.update();
    this.timer = setInterval(() => this.update(), UPDATE_MS);
  }

  halt() {
    clearInterval(this.timer);
    this.timer = null;
    this.panel.chart.stop();
    for (const source of this.sources) source.stop();
    this.sources = [];
    this.chosen = null;
    this.updates = 0;
    this.updateMs = 0;
  }

  /** Timers that came get a source, those that are gone lose it. */
  gather() {
    const timers = new Set([...this.given, ...(PasstimeOverlay.realm?.timers ?? [])]);
    for (const source of this.sources) {
      if (timers.has(source.timer)) timers.delete(source.timer);
      else source.gone = true;
    }
    for (const source of this.sources) if (source.gone) this.leave(source);
    this.sources = this.sources.filter((source) => !source.gone);
    for (const timer of timers) this.take(timer);
    this.selected = Math.min(this.selected, Math.max(0, this.sources.length - 1));
  }

  /** Its timer was destroyed, or taken back: what was captured is saved now, since no button can any more. */
  leave(source) {
    source.stop();
    if (isCapturing(source.timer)) this.capture(source);
  }

  take(timer) {
    const source = new Source(timer, HISTORY_FRAMES);
    source.frozen = this.paused;
    source.start();
    // A budget that the page set itself stays.
    source.asked = timer.budgetNs > 0 && !unasked.has(timer);
    if (!source.asked) unasked.add(timer);
    if (this.hasAttribute('budget') || !source.asked) source.budget(this.budgetMs);
    this.sources.push(source);
  }

  get source() {
    return this.sources[this.selected];
  }

  update(force = false) {
    if (document.hidden) return;
    if (this.paused && !force) {
      this.showCapture();
      return;
    }
    const from = performance.now();
    this.gather();
    this.draw();
    if (++this.updates === COST_FROM) this.forgetCost();
    else this.updateMs += performance.now() - from;
  }

  forgetCost() {
    this.updateMs = 0;
    for (const source of this.sources) Object.assign(source, { frames: 0, recordMs: 0 });
  }

  draw() {
    const { panel, source } = this;
    panel.showTabs(this.sources.map((each, i) => each.timer.name ?? `context ${i + 1}`), this.selected);
    panel.showSwitches({ paused: this.paused, on: source?.on ?? true, stride: source?.stride ?? 1 });
    this.showCapture();
    if (!source) {
      panel.showEmpty(`Nothing is timed yet. ${PasstimeOverlay.realm?.status.text ?? ''}`.trim());
      return;
    }
    if (!this.paused || !this.context) {
      if (this.updates % NAMES_EVERY === 0 || source.history.names.size === 0) source.history.learnNames();
      this.context = source.context();
    }
    panel.show({
      context: this.context, history: source.history, status: source.status(), notes: source.notes(), chosen: this.chosen,
      frameNs: this.frameMs * 1e6, cost: this.cost,
      asked: source.asked || this.hasAttribute('budget'),
    });
  }

  showCapture() {
    const { source } = this;
    this.panel.showCapture(source?.hasCapture ? stateOf(source.timer) : null);
  }

  // Keys and buttons --------------------------------------------------------------------------

  /** The key that opens and closes, anywhere on the page but where one types. */
  key(event) {
    const wanted = this.getAttribute('key') ?? DEFAULTS.key;
    if (event.code !== wanted && event.key !== wanted) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event)) return;
    event.preventDefault();
    if (this.isOpen) return this.close();
    const { activeElement } = document;
    this.open();
    if (activeElement === null || activeElement === document.body) {
      this.lastFocus = activeElement;
      this.panel.root.focus({ preventScroll: true });
    }
  }

  /** Keys while the panel has the focus; the page does not get those that are used. */
  panelKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { chart } = this.panel;
    const onSelect = event.composedPath()[0].tagName === 'SELECT';
    const keys = {
      ArrowLeft: () => chart.move(event.shiftKey ? -10 : -1), ArrowRight: () => chart.move(event.shiftKey ? 10 : 1),
      Home: () => chart.move(-1e9), End: () => chart.move(1e9), Escape: () => (this.chosen === null ? this.close() : this.choose(null)),
      s: () => chart.slow(1), S: () => chart.slow(-1), p: () => this.pause(), c: () => this.copy(), r: () => this.capture(),
    };
    const act = keys[event.key];
    if (!act || (onSelect && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {number | null} number of a frame; null: the mean of all */
  choose(number) {
    this.chosen = number;
    this.draw();
  }

  select(i) {
    this.selected = i;
    this.chosen = null;
    this.context = null;
    this.draw();
  }

  pause() {
    this.paused = !this.paused;
    for (const source of this.sources) source.frozen = this.paused;
    this.update(true);
  }

  switchOff() {
    const on = !(this.source?.on ?? true);
    for (const source of this.sources) source.enable(on);
    this.draw();
  }

  every(frames) {
    for (const source of this.sources) source.every(frames);
    this.draw();
  }

  reset() {
    for (const source of this.sources) source.reset();
    this.chosen = null;
    this.context = null;
    this.draw();
    this.tell('The figures begin anew.');
  }

  applyBudget() {
    for (const source of this.sources) source.budget(this.budgetMs);
  }

  /** One report of all contexts. */
  reportText() {
    const reports = this.sources.map((source) => source.report());
    const document = { ...reports[0], contexts: reports.flatMap((report) => report.contexts) };
    return JSON.stringify(document, null, 2);
  }

  async copy() {
    if (!this.source) return;
    const text = this.reportText();
    try {
      await navigator.clipboard.writeText(text);
      this.tell(`The report is in the clipboard (${text.length} characters).`);
    } catch {
      // Without the right to the clipboard, or on a page that is not secure, it becomes a file.
      save('passtime.json', new Blob([text], { type: 'application/json' }));
      this.tell('The clipboard is not allowed here: saved as passtime.json.');
    }
  }

  /** Begins a capture of the timer shown, or ends it and saves it. */
  async capture(source = this.source) {
    if (!source?.hasCapture) return;
    const said = await press(source.timer, save, () => this.showCapture());
    if (said) this.tell(said, 8000);
  }

  tell(text, ms = 4000) {
    say(this.panel.said, text);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => say(this.panel.said, ''), ms);
  }
}

function numberOf(text, otherwise) {
  const number = Number.parseFloat(text ?? '');
  return number > 0 ? number : otherwise;
}

function isTyping(event) {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function save(name, blob) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
