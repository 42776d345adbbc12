// SPDX-License-Identifier: MIT
/** What the timer queries of WebGL 1 and 2 really offer in this browser, and what Passtime makes of them. */
import { Passtime } from 'passtime';
import { byId, make, meanText, message, shader, startPage, whole } from './common.js';
import { makeScene, PASSES } from './webgl-scene.js';
import { RawQueries } from './webgl-raw.js';

const SIDE = 256;
const SIDE_SOFTWARE = 128; // for a software renderer, so that frames come often enough
const READY_FRAMES = 5;
const RAW_EVERY_FRAMES = 20;
const LOOP_FRAMES = 600;

/** One version: its context, its rows, its frames. */
class Version {
  constructor(version) {
    this.version = version;
    this.canvas = make('canvas', { class: 'picture', width: SIDE, height: SIDE });
    this.body = make('tbody');
    this.rows = new Map();
    byId('versions').append(make('h2', {}, `WebGL ${version}`),
      make('div', { class: 'columns' }, this.canvas, make('div', { class: 'wide' }, make('table', {}, this.body))));
    this.frame = 0;
    this.flight = null; // a query by hand whose result is awaited
    this.disjoints = 0;
    this.landed = false; // a result by hand came back, or none ever will
  }

  row(key, text) {
    let cell = this.rows.get(key);
    if (!cell) {
      cell = make('td');
      this.rows.set(key, cell);
      this.body.append(make('tr', {}, make('th', { scope: 'row' }, key), cell));
    }
    if (cell.textContent !== text) cell.textContent = text;
  }

  start(code) {
    const { version, canvas } = this;
    const gl = canvas.getContext(version === 1 ? 'webgl' : 'webgl2', { alpha: false });
    if (!gl) {
      this.row('context', 'none: this browser offers no WebGL of this version, or has switched it off');
      return false;
    }
    this.gl = gl;
    this.scene = makeScene(gl, version, code);
    this.raw = new RawQueries(gl, version);
    this.timer = Passtime.attachWebGL(gl, { name: `WebGL ${version}` });
    if (this.timer.adapter.software) Object.assign(canvas, { width: SIDE_SOFTWARE, height: SIDE_SOFTWARE });
    gl.viewport(0, 0, canvas.width, canvas.height);
    canvas.addEventListener('webglcontextlost', () => this.row('context', 'lost: load the page again'));
    this.showOffers();
    return true;
  }

  showOffers() {
    const { raw } = this;
    this.landed = !raw.ext || !(raw.elapsedBits > 0);
    if (!raw.ext) {
      this.row('extension', `${raw.name} is not offered: only CPU times can be had`);
      return;
    }
    this.row('extension', raw.name);
    this.row('elapsed queries', raw.elapsedBits > 0 ? `yes, ${raw.elapsedBits} bits` : 'no: their counter has 0 bits');
    this.row('timestamps', raw.timestampBits > 0 ? `yes, ${raw.timestampBits} bits` : 'no: their counter has 0 bits');
    this.row('clock now', `getParameter(TIMESTAMP_EXT) = ${raw.timestampNow}`);
    this.row('a stamp', 'waiting');
    this.row('a query by hand', 'waiting');
    this.row('disjoint', 'not yet');
  }

  draw() {
    const { gl, timer, raw } = this;
    const turn = (2 * Math.PI * (this.frame++ % LOOP_FRAMES)) / LOOP_FRAMES;
    gl.clear(gl.COLOR_BUFFER_BIT);
    PASSES.forEach(({ name }, index) => timer.pass(name, () => this.scene.draw(index, turn)));
    if (raw.ext && raw.elapsedBits > 0) this.byHand(turn);
    timer.frame();
  }

  /** One query at a time, asked for once a frame, never in a loop: it can't turn ready within a task. */
  byHand(turn) {
    const { raw } = this;
    if (this.flight === null) {
      if (this.frame % RAW_EVERY_FRAMES === 1) this.launch(turn);
      return;
    }
    this.flight.polls++;
    if (!raw.available(this.flight.elapsed)) return;
    if (raw.disjoint()) this.disjoints++;
    this.land();
  }

  launch(turn) {
    const { raw, gl } = this;
    const flight = { elapsed: raw.create(), stamp: raw.create(), polls: 0, from: performance.now() };
    raw.begin(flight.elapsed);
    gl.colorMask(false, false, false, false);
    this.scene.draw(0, turn);
    gl.colorMask(true, true, true, true);
    raw.end();
    raw.stamp(flight.stamp);
    this.flight = flight;
  }

  land() {
    const { raw, flight } = this;
    const waited = performance.now() - flight.from;
    this.row('a query by hand', `${whole(raw.result(flight.elapsed))} ns for ${PASSES[0].name}; ready after ${flight.polls} polls, ${waited.toFixed(0)} ms`);
    const stamp = raw.available(flight.stamp) ? whole(raw.result(flight.stamp)) : 'not ready';
    this.row('a stamp', raw.timestampBits > 0 ? `${stamp} ns` : `queryCounter gave ${stamp}: not to be trusted, as its counter has 0 bits`);
    this.row('disjoint', this.disjoints === 0 ? 'never so far' : `${this.disjoints} times: what came back then was thrown away`);
    this.landed = true;
    raw.delete(flight.elapsed);
    raw.delete(flight.stamp);
    this.flight = null;
  }

  showMeans() {
    if (!this.timer) return;
    const { series, ledger } = this.timer.stats();
    for (const { name } of PASSES) {
      const found = series.find((each) => each.name === name);
      if (found) this.row(`Passtime: ${name}`, `${meanText(found.stats)} over ${whole(found.stats.count)} frames${found.source.startsWith('cpu') ? ', CPU time of recording' : ''}`);
    }
    this.row('Passtime: state', this.timer.status.text);
    this.counted = ledger.fates[0];
  }
}

async function run() {
  startPage();
  const code = await shader('passes.glsl');
  const versions = [1, 2].map((number) => new Version(number)).filter((version) => version.start(code));
  if (versions.length === 0) {
    message('This browser offers no WebGL at all: nothing can be drawn or measured here.', 'bad');
    return;
  }
  if (versions.some((version) => version.timer.adapter.software)) message('A software renderer draws here: the times are real, but a CPU’s.');
  setInterval(() => {
    for (const version of versions) version.showMeans();
    if (versions.every((version) => version.counted >= READY_FRAMES && version.landed)) document.body.dataset.state = 'ready';
  }, 300);
  const tick = () => {
    requestAnimationFrame(tick);
    for (const version of versions) if (!version.gl.isContextLost()) version.draw();
  };
  requestAnimationFrame(tick);
}

run().catch((error) => message(error.message, 'bad'));
