// SPDX-License-Identifier: MIT
/**
 * The captures that the panel's button began. They belong to their timers: the panel may be closed, or show
 * another timer, while they run.
 */

const FILE = 'passtime.perfetto-trace';

/** @type {WeakMap<object, {capture: object | null, busy: boolean}>} busy: it is being loaded or written */
const running = new WeakMap();

/** What the button shows of a timer. @returns {{text: string, on: boolean, busy: boolean}} */
export function stateOf(timer) {
  const found = running.get(timer);
  if (found === undefined) return { text: 'Capture', on: false, busy: false };
  if (found.busy) return { text: found.capture === null ? 'Loading …' : 'Writing …', on: true, busy: true };
  const { seconds, bytes } = found.capture;
  return { text: `Stop · ${Math.floor(seconds)} s · ${megabytes(bytes)}`, on: true, busy: false };
}

export function isCapturing(timer) {
  return running.has(timer);
}

/**
 * Begins a capture, or ends the one that runs and saves it.
 * @param {object} timer
 * @param {(name: string, blob: Blob) => void} save
 * @param {() => void} changed called where what `stateOf` says has changed
 * @returns {Promise<string>} what is to be said of it; '': nothing, another press is under way
 */
export async function press(timer, save, changed) {
  const found = running.get(timer);
  if (found?.busy) return '';
  try {
    return found === undefined ? await begin(timer, changed) : await end(timer, found, save, changed);
  } catch (error) {
    running.delete(timer);
    return `No capture: ${error?.message ?? error}`;
  } finally {
    changed();
  }
}

async function begin(timer, changed) {
  const state = { capture: null, busy: true };
  running.set(timer, state);
  changed();
  state.capture = await timer.capture();
  state.busy = false;
  return 'The newest frames are kept, up to 60 s or 32 MB. Press Stop to save them.';
}

async function end(timer, state, save, changed) {
  const { capture } = state;
  state.busy = true;
  changed();
  const blob = await capture.stop();
  running.delete(timer);
  const { frames, framesLost } = capture;
  if (frames === 0) return 'No frame came back while it ran: there is nothing to save.';
  save(FILE, blob);
  const lost = framesLost > 0 ? `; ${framesLost} older ones were let go` : '';
  return `Saved as ${FILE}, ${megabytes(blob.size)}, ${frames} frame${frames === 1 ? '' : 's'}${lost}. ui.perfetto.dev opens it.`;
}

function megabytes(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
