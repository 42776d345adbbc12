// SPDX-License-Identifier: MIT
/** Defines <passtime-overlay>. It finds the timers of this realm by itself. */
import { Passtime } from '../index.js';
import { PasstimeOverlay } from './element.js';

PasstimeOverlay.realm = Passtime;
if (!customElements.get('passtime-overlay')) customElements.define('passtime-overlay', PasstimeOverlay);

export { PasstimeOverlay };

/**
 * Puts an overlay into the page, once.
 * @param {Record<string, string | number | boolean>} [attributes] open, key, budget, frame, theme, place
 * @returns {PasstimeOverlay}
 */
export function mountOverlay(attributes = {}) {
  const overlay = document.querySelector('passtime-overlay') ?? document.createElement('passtime-overlay');
  for (const [name, value] of Object.entries(attributes)) overlay.setAttribute(name, value === true ? '' : String(value));
  if (!overlay.isConnected) document.documentElement.append(overlay);
  return overlay;
}
