// SPDX-License-Identifier: MIT
/**
 * Messages on their way out: JSON texts, gathered into one array a call of the binding. Nothing is
 * serialised by JSON.stringify but strings, since a page may have given arrays a toJSON of its own.
 */

const FLUSH_MS = 100;
const FLUSH_FRAMES = 16;
const FLUSH_UNITS = 65536;

const stringify = JSON.stringify;
const UNPAIRED = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\0/g;

/**
 * A JSON string of at most `most` units. Readers refuse lone surrogates and NUL.
 * @param {unknown} text @param {number} most
 */
export function quoted(text, most) {
  const cut = String(text).slice(0, most);
  return stringify(cut.replace(UNPAIRED, '\ufffd'));
}

export class Sender {
  /**
   * @param {(text: string) => void} binding
   * @param {{setTimeout: Function, clearTimeout: Function}} scope
   */
  constructor(binding, scope) {
    this.binding = binding;
    this.setTimeout = scope.setTimeout.bind(scope);
    this.clearTimeout = scope.clearTimeout.bind(scope);
    this.parts = [];
    this.units = 0;
    this.frames = 0;
    this.timer = null;
    this.onTimer = () => {
      this.timer = null;
      this.flush();
    };
  }

  /** @param {string} text one message @param {number} [frames] how many frames it is */
  send(text, frames = 0) {
    this.parts.push(text);
    this.units += text.length;
    this.frames += frames;
    if (this.frames >= FLUSH_FRAMES || this.units >= FLUSH_UNITS) {
      this.flush();
    } else if (this.timer === null) {
      this.timer = this.setTimeout(this.onTimer, FLUSH_MS);
      this.timer?.unref?.(); // node: a timer of ours keeps no process alive
    }
  }

  /** Hands over what there is, now. */
  flush() {
    if (this.timer !== null) {
      this.clearTimeout(this.timer);
      this.timer = null;
    }
    if (this.parts.length === 0) return;
    const text = `[${this.parts.join(',')}]`;
    this.parts.length = 0;
    this.units = 0;
    this.frames = 0;
    try {
      this.binding(text);
    } catch { /* The other side is gone: there is nobody to tell. */ }
  }
}
