// SPDX-License-Identifier: MIT
/**
 * Runs one library's scene for a fixed number of frames, with or without Passtime, and leaves what
 * came of it in `globalThis.outcome`. The address says which: ?app=NAME&us=module|classic|none&warm=N
 */
const address = new URLSearchParams(location.search);
const FRAMES = Number(address.get('frames') ?? 12);
const WARM_MOST = 400; // frames until the query sets are large enough; then it is said
const IN_FLIGHT_MOST = 4; // of eight
const SETTLED = 10; // whole frames in a row, in which nothing had to be refused

export const loadScript = (src) => new Promise((resolve, reject) => {
  document.head.append(Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject }));
});

async function loadPasstime(how) {
  if (how === 'module') return (await import('passtime/auto')).Passtime;
  if (how !== 'classic') return null;
  await loadScript('/dist/passtime.iife.js');
  globalThis.Passtime.auto();
  return globalThis.Passtime;
}

const nap = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the ledgers of all timers say, added up. */
function books(passtime) {
  return passtime.timers.map((timer) => {
    const { ledger } = timer.stats();
    return { ...ledger, method: timer.method, status: timer.status.text };
  });
}

/** Whether counting may begin: the query sets are made and large enough. */
class WarmUp {
  constructor(passtime, app) {
    this.passtime = passtime;
    this.fate = app.timesItself ? 2 : 0; // "no data" where every pass is the page's own, else "complete"
    this.trouble = '';
    this.from = 0;
  }

  isOver(frame) {
    if (this.passtime === null) return frame >= SETTLED;
    const list = books(this.passtime);
    if (frame > WARM_MOST) throw new Error(`not settled after ${frame} frames: ${JSON.stringify(list)}`);
    const whole = list.reduce((sum, { fates }) => sum + fates[this.fate], 0);
    const trouble = JSON.stringify(list.map(({ fates, verdicts }) => [fates.filter((_, i) => i !== this.fate), verdicts.no_slot]));
    if (trouble !== this.trouble) {
      this.trouble = trouble;
      this.from = whole;
    }
    return list.length > 0 && whole - this.from >= SETTLED * list.length;
  }
}

/** Waits until every result is in, or nothing comes any more: an encoder may never be submitted. */
async function settle(passtime) {
  let before = '';
  for (let same = 0; passtime !== null && same < 30; same++) {
    const list = books(passtime);
    if (list.every(({ framesInFlight, passesInFlight }) => framesInFlight + passesInFlight === 0)) return;
    if (JSON.stringify(list) !== before) same = 0;
    before = JSON.stringify(list);
    await nap(50);
  }
  await nap(100);
}

/** The adapter is slow: frames wait for others to come back, so that none is skipped. */
const isCrowded = (passtime) => passtime !== null && books(passtime).some(({ framesInFlight }) => framesInFlight > IN_FLIGHT_MOST);

function snapshot(passtime) {
  const { frameEnds, readErrors, ...gl } = globalThis.countedGL;
  const { uncaptured, lost, ...gpu } = globalThis.counted;
  return { gpu, gl, books: passtime === null ? [] : books(passtime) };
}

async function run() {
  const passtime = await loadPasstime(address.get('us'));
  const app = await (await import(`/apps/${address.get('app')}.js`)).start(document.getElementById('canvas'));
  const warm = new WarmUp(passtime, app);
  const outcome = { frames: [], perFrame: [], warmFrames: 0 };

  // Warm: the same frame again and again, which changes nothing.
  await app.loop((frame) => {
    if (!isCrowded(passtime)) app.draw(0);
    globalThis.countedGL.frameEnds();
    return !warm.isOver(frame);
  }, (n) => { outcome.warmFrames = n; });
  await settle(passtime);

  for (const timer of passtime?.timers ?? []) timer.on('frame', (frame) => outcome.frames.push(frame.copy()));
  outcome.before = snapshot(passtime);
  let drawn = 0;
  await app.loop(() => {
    if (isCrowded(passtime)) return true;
    const { passes } = globalThis.counted;
    const { passes: glPasses } = globalThis.countedGL;
    app.draw(++drawn);
    outcome.perFrame.push(globalThis.counted.passes - passes + globalThis.countedGL.passes - glPasses);
    globalThis.countedGL.frameEnds();
    if (drawn < FRAMES) return true;
    outcome.pixels = app.pixels();
    return false;
  });
  outcome.pixels = await outcome.pixels;
  await nap(50);
  await settle(passtime);
  outcome.after = snapshot(passtime);
  outcome.glErrors = globalThis.countedGL.readErrors();
  outcome.uncaptured = globalThis.counted.uncaptured;
  outcome.lost = globalThis.counted.lost;
  outcome.extra = await app.extra?.() ?? null;
  if (passtime !== null) {
    outcome.report = passtime.report();
    outcome.status = passtime.status.toJSON();
  }
  return outcome;
}

globalThis.outcome = null;
run().then((outcome) => { globalThis.outcome = outcome; }, (error) => { globalThis.outcome = { failed: String(error?.stack ?? error) }; });
