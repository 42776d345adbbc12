// SPDX-License-Identifier: MIT
/** What the pages share: the head with its links, messages, the overlay, and a device. */

/** The overlay's module; null where the package is not built: a page that is timed from outside needs none. */
const built = await import('passtime/overlay').catch(() => null);

const PAGES = [
  ['index.html', 'Overview'], ['passes.html', 'Three passes'], ['map.html', 'Map'], ['webgl.html', 'WebGL'], ['check.html', 'Can I measure here?'],
];

/** @returns {HTMLElement} an element with text or children */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Puts the head and the overlay in place. */
export function startPage(attributes = {}) {
  const here = location.pathname.split('/').pop() || 'index.html';
  const links = PAGES.map(([file, text]) => make('a', file === here ? { href: file, 'aria-current': 'page' } : { href: file }, text));
  const nav = make('nav', { class: 'site' }, make('strong', {}, 'Passtime'), ...links);
  const overlay = built?.mountOverlay(attributes);
  if (overlay) nav.append(make('button', { type: 'button', title: 'The key ` does the same', onclick: () => overlay.toggle() }, 'Overlay `'));
  document.body.prepend(nav);
}

/** A message above all else, once; after a bad one the page's work stops. @param {'warn' | 'bad' | 'good'} tone */
export function message(text, tone = 'warn') {
  if ([...document.querySelectorAll('.message')].some((box) => box.textContent === text)) return null;
  const box = make('p', { class: 'message', 'data-tone': tone, role: 'status' }, text);
  document.querySelector('main .lede').after(box);
  document.body.dataset.state = tone === 'bad' ? 'unavailable' : document.body.dataset.state ?? 'limited';
  return box;
}

/** What an adapter says of itself. */
export function adapterName(adapter) {
  const info = adapter.info ?? {};
  return info.description || [info.vendor, info.architecture].filter(Boolean).join(' ') || 'not told by the browser';
}

export function isSoftware(adapter) {
  const info = adapter.info ?? {};
  return info.isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|warp|basic render/i.test(`${adapterName(adapter)} ${info.device ?? ''} ${info.architecture ?? ''}`);
}

/** @returns {Promise<GPUAdapter | null>} null with a message on the page where there is none */
export async function findAdapter() {
  if (!navigator.gpu) {
    const why = globalThis.isSecureContext ? 'This browser has no WebGPU, or it is switched off.' : 'WebGPU needs a secure page: https, or http on localhost.';
    message(`${why} Nothing can be drawn or measured on this page; the WebGL page may still work.`, 'bad');
    return null;
  }
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  if (!adapter) message('WebGPU is there, but the browser offers no adapter: the GPU or its driver may be on its blocklist (see chrome://gpu). The WebGL page may still work.', 'bad');
  return adapter;
}

/**
 * A device that can stamp, where the adapter can.
 * @param {boolean} [ask] for 'timestamp-query'
 * @returns {Promise<{adapter: GPUAdapter, device: GPUDevice} | null>}
 */
export async function findDevice(ask = true) {
  const adapter = await findAdapter();
  if (!adapter) return null;
  const canStamp = adapter.features.has('timestamp-query');
  if (!canStamp) message("This adapter has no 'timestamp-query': the times below are the CPU's, and are called so.");
  try {
    const device = await adapter.requestDevice({ requiredFeatures: ask && canStamp ? ['timestamp-query'] : [] });
    device.lost.then((info) => {
      if (info.reason !== 'destroyed') message(`The device is lost: ${info.message || info.reason}. Load the page again.`, 'bad');
    });
    device.addEventListener('uncapturederror', (event) => message(`WebGPU: ${event.error.message}`, 'bad'));
    return { adapter, device };
  } catch (error) {
    message(`No device: ${error.message}`, 'bad');
    return null;
  }
}

export async function shader(...names) {
  const texts = await Promise.all(names.map(async (name) => {
    const response = await fetch(document.documentElement.dataset.shaders + name);
    if (!response.ok) throw new Error(`The shader ${name} is not there: build the pages with \`make pages\``);
    return response.text();
  }));
  return texts.join('\n');
}

/** Milliseconds with three digits. */
export function ms(ns) {
  if (ns === null || ns === undefined) return '–';
  const value = ns / 1e6;
  if (value === 0) return '0';
  return value.toFixed(Math.min(5, Math.max(0, 2 - Math.floor(Math.log10(value)))));
}

/** A mean of the core's with its error. */
export function meanText(stats) {
  if (stats.belowNs !== null) return `< ${ms(stats.belowNs)} ms`;
  if (stats.meanNs === null) return '–';
  if (!stats.seNs) return `${ms(stats.meanNs)} ms`;
  const decimals = Math.min(5, Math.max(0, 1 - Math.floor(Math.log10(stats.seNs / 1e6))));
  return `${(stats.meanNs / 1e6).toFixed(decimals)} ± ${(stats.seNs / 1e6).toFixed(decimals)} ms`;
}

export const whole = (value) => Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ',');

/** The largest power of two that divides all ticks: what they are rounded to, once there are a few. */
export function stepOf(ticks) {
  let all = 0n;
  for (const tick of ticks) all |= tick;
  return all === 0n ? null : all & -all;
}

/** A 64-bit tick in hexadecimal, the 16 lowest bits apart where they are always 0: the browser's rounding. */
export function rawTick(tick, rounded) {
  const digits = tick.toString(16).padStart(16, '0');
  return make('span', { class: 'raw' }, ...(rounded ? [digits.slice(0, 12), make('b', {}, digits.slice(12))] : [digits]));
}
