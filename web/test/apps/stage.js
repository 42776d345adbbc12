// SPDX-License-Identifier: MIT
/** Runs one app for a fixed number of frames, with or without Passtime, and tells what came of it. */
const WARM_MOST = 400; // frames until the query sets are large enough; then it is said
const IN_FLIGHT_MOST = 4; // of eight
const SETTLED = 5; // whole frames in a row, in which nothing had to be refused
const NAP_MS = 50;

export const loadScript = (src) => new Promise((resolve, reject) => {
  document.head.append(Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject }));
});

async function loadPasstime(how) {
  if (how === 'module') return (await import('/dist/auto.js')).Passtime;
  if (how !== 'classic') return null;
  await loadScript('/dist/passtime.iife.js');
  globalThis.Passtime.auto();
  return globalThis.Passtime;
}

const nap = () => new Promise((resolve) => setTimeout(resolve, NAP_MS));

/** What the ledgers of all timers say. */
function books(passtime) {
  return passtime.timers.map((timer) => ({ ...timer.stats().ledger, method: timer.method, status: timer.status.text }));
}

/** Whether counting may begin: the query sets are made and large enough, for so many frames in a row. */
class WarmUp {
  constructor(passtime) {
    this.passtime = passtime;
    this.trouble = '';
    this.from = 0;
  }

  isOver(frame) {
    if (this.passtime === null) return frame >= SETTLED;
    const list = books(this.passtime);
    if (frame > WARM_MOST) throw new Error(`not settled after ${frame} frames: ${JSON.stringify(list)}`);
    const judged = list.reduce((sum, { fates }) => sum + fates[0] + fates[1] + fates[2], 0);
    // A refused pass is the page's own; other verdicts, and frames not timed, are not to come any more.
    const trouble = JSON.stringify(list.map(({ fates, verdicts: { good, below_resolution, refused, ...bad } }) => [fates.slice(3), bad]));
    if (trouble !== this.trouble) {
      this.trouble = trouble;
      this.from = judged;
    }
    return list.length > 0 && judged - this.from >= SETTLED * list.length;
  }
}

/** Waits until every result is in; where the app leaves an encoder open at its end, until nothing more comes. */
async function settle(passtime, app) {
  const patience = app.leavesOpen ? 20 : 400;
  let before = '';
  for (let same = 0; passtime !== null && same < patience; same++) {
    const list = books(passtime);
    if (list.every(({ framesInFlight, passesInFlight }) => framesInFlight + passesInFlight === 0)) return;
    if (JSON.stringify(list) !== before) same = 0;
    before = JSON.stringify(list);
    await nap();
  }
}

/** The adapter is slow: frames wait for others to come back, so that none is skipped. */
const isCrowded = (passtime) => passtime !== null && books(passtime).some(({ framesInFlight }) => framesInFlight > IN_FLIGHT_MOST);

const begun = () => globalThis.counted.passes + globalThis.countedGL.passes;

function snapshot(passtime) {
  return { passes: begun(), devices: globalThis.counted.devices, books: passtime === null ? [] : books(passtime) };
}

/**
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @param {{app: string, us: 'module' | 'classic' | 'none', frames: number}} what
 */
export async function run(canvas, { app: name, us, frames }) {
  const passtime = await loadPasstime(us);
  const app = await (await import(`/apps/${name}.js`)).start(canvas);
  const warm = new WarmUp(passtime);
  const outcome = { frames: [], perFrame: [] };

  // Warm: the same frame again and again, which changes nothing.
  await app.loop((frame) => {
    if (!isCrowded(passtime)) app.draw(0);
    globalThis.countedGL.frameEnds();
    return !warm.isOver(frame);
  });
  await settle(passtime, app);

  passtime?.timers.forEach((timer, device) => timer.on('frame', (frame) => outcome.frames.push({ ...frame.copy(), device })));
  outcome.before = snapshot(passtime);
  let drawn = 0;
  await app.loop(() => {
    if (isCrowded(passtime)) return true;
    const before = begun();
    app.draw(++drawn);
    outcome.perFrame.push(begun() - before);
    globalThis.countedGL.frameEnds();
    if (drawn < frames) return true;
    outcome.pixels = app.pixels();
    return false;
  });
  outcome.pixels = await outcome.pixels;
  await nap();
  await settle(passtime, app);
  outcome.after = snapshot(passtime);
  if (passtime !== null) outcome.report = passtime.report();
  outcome.extra = await app.extra?.() ?? null;
  outcome.glErrors = globalThis.countedGL.readErrors();
  outcome.feedbackBlits = globalThis.countedGL.feedbackBlits;
  outcome.uncaptured = globalThis.counted.uncaptured;
  outcome.lost = globalThis.counted.lost;
  if (passtime !== null) outcome.status = passtime.status.toJSON();
  return outcome;
}
