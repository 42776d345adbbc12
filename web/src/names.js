// SPDX-License-Identifier: MIT
/**
 * Names from labels. A label that carries a counter would make a new pass each frame:
 * `[12|3] - MainRenderPass` is one pass. Numbers that tell passes apart (`mip 3`) stay.
 */

const LABEL_MOST = 160; // code units looked at; the core keeps 95 bytes
const CACHE_MOST = 2048;
const VARIANTS_MOST = 48; // distinct labels of one shape, before its numbers are taken for a counter
const SHAPES_MOST = 512;

const LEADING_COUNTER = /^\s*[[(<{]\s*(?:frame|pass)?\s*[#:]?\s*\d+(?:\s*[|/:,.-]\s*\d+)*\s*[\])>}]\s*[-:|]?\s*/i;
const TRAILING_FRAME = /\s*[-:|,]?\s*[[(]?\bframe\s*[#:=]?\s*\d+[\])]?\s*$/i;
const NUMBERS = /\d+/g;

/** Turns labels into names; one for each device, so that one page's labels do not crowd another's. */
export class Names {
  constructor() {
    this.cache = new Map();
    this.shapes = new Map();
  }

  /**
   * @param {unknown} label as the page gave it
   * @returns {string} its name; '' where there is no label
   */
  of(label) {
    if (typeof label !== 'string' || label === '') return '';
    const known = this.cache.get(label);
    if (known !== undefined) return known;
    return this.learn(label);
  }

  learn(label) {
    const short = label.length > LABEL_MOST ? label.slice(0, LABEL_MOST) : label;
    const bare = short.replace(LEADING_COUNTER, '').replace(TRAILING_FRAME, '');
    const name = this.withoutCounters(bare === '' ? short : bare);
    if (this.cache.size >= CACHE_MOST) this.cache.clear();
    if (label.length <= LABEL_MOST) this.cache.set(label, name);
    return name;
  }

  /** Where a shape (the label without its numbers) keeps coming with new numbers, they count something. */
  withoutCounters(name) {
    if (!/\d/.test(name)) return name;
    const shape = name.replace(NUMBERS, '#');
    let variants = this.shapes.get(shape);
    if (variants === undefined) {
      if (this.shapes.size >= SHAPES_MOST) this.shapes.clear();
      variants = new Set();
      this.shapes.set(shape, variants);
    }
    if (variants === COUNTER) return shape;
    variants.add(name);
    if (variants.size <= VARIANTS_MOST) return name;
    this.shapes.set(shape, COUNTER);
    return shape;
  }
}

const COUNTER = new Set();
