// SPDX-License-Identifier: MIT
/**
 * One WebGL context's frames. One elapsed query can be active at a time, so a pass that another is
 * nested in, or that waits for its next task, is measured in pieces: the core adds them up. Results
 * are asked for once a frame and never waited for; eight frames may be under way.
 */
import { Context, FLAG, SOURCE, STATUS } from './core.js';
import { nowNs, seenNs } from './clock.js';
import { Flight } from './webgl-flight.js';
import { GL } from './webgl-natives.js';
import { openQueries } from './webgl-queries.js';

const QUERIES_MOST = 16384;
const BITS_SHIFT = 8; // of a context's flags
const REFUSED = -2; // on the stack: open in the core, and refused there
const UNTIMED = -1; // on the stack: not timed, its time is that of the pass around it

export class GlEngine {
  /** @param {object} gl @param {{maxPasses?: number, framesInFlight?: number, timeoutMs?: number}} [options] */
  constructor(gl, options = {}) {
    const { queries, reason } = openQueries(gl);
    const maxPasses = options.maxPasses ?? 1024;
    const bits = queries ? queries.bits(GL.timeElapsed) : 0;
    this.gl = gl;
    this.queries = queries;
    this.problem = reason;
    this.context = new Context({
      source: queries ? SOURCE.elapsed : SOURCE.cpuRecord,
      flags: queries ? FLAG.exclusive | FLAG.unverified | (bits << BITS_SHIFT) : 0,
      maxPasses,
      framesInFlight: options.framesInFlight ?? 8,
      outputFrames: options.framesInFlight ?? 8,
      timeoutMs: options.timeoutMs ?? 0,
      maxRecorders: 1,
    });
    this.mostNs = bits < 53 ? 2 ** bits - 1 : Number.MAX_SAFE_INTEGER;
    this.measures = queries !== null; // by the GPU; else CPU times stand in
    this.on = true;
    this.lost = false;
    this.stopped = ''; // why the GPU is not asked any more, for good
    this.number = 0;
    this.open = false;
    this.rec = 0; // of the open frame; 0: it is not timed
    this.beganNs = 0;
    this.restNs = 0; // when the frame's last work was issued; 0: some is being issued
    this.stack = []; // the pairs of the passes that are open
    this.active = null; // our query that is active
    this.lazy = false; // the innermost pass is an automatic one: its next draw resumes it
    this.pool = [];
    this.made = 0;
    this.flights = [];
    this.flying = []; // in the order of their queries
    this.sums = new Float64Array(maxPasses);
    this.disjoints = 0;
    this.pageDisjoint = false; // read by us, and not yet told to the page
    this.listeners = new Set();
    this.clock = null;
    if (this.measures) this.pageDisjoint = queries.disjoint();
  }

  // Frames ------------------------------------------------------------------------------------

  /** The recorder of the open frame; a frame begins with its first pass or scope. */
  opened() {
    if (this.open) return this.rec;
    const ns = this.clock !== null ? this.clock.touch() : nowNs();
    this.open = true;
    this.beganNs = ns;
    this.rec = this.context.frameBegin(++this.number, ns);
    if (this.rec !== 0 && this.measures) this.prepare(this.context.entryOf(this.rec));
    return this.rec;
  }

  prepare(entry) {
    const flight = (this.flights[entry] ??= new Flight());
    if (flight.flying) this.giveUp(flight);
    flight.entry = entry;
    flight.count = 0;
    flight.isVoid = false;
    this.flight = flight;
  }

  /** The core did not wait for it any longer: what its queries may still bring is nobody's. */
  giveUp(flight) {
    for (let i = 0; i < flight.count; i++) this.queries.remove(flight.queries[i]);
    this.made -= flight.count;
    flight.flying = false;
    this.flying.splice(this.flying.indexOf(flight), 1);
  }

  /** Ends the open frame, if there is one, and takes what has come back. */
  frame() {
    if (!this.context.self) return;
    if (this.open) this.endFrame(this.restNs || nowNs());
    this.poll();
  }

  endFrame(ns) {
    const { context, rec, number } = this;
    this.stopPiece();
    this.stack.length = 0; // What is open still, the core calls unfinished.
    this.lazy = false;
    this.open = false;
    this.rec = 0;
    if (rec === 0) return;
    context.submitted(rec, ns);
    context.frameEnd(number, ns);
    this.depart(ns);
  }

  depart(ns) {
    const { context, flight } = this;
    for (let entry; (entry = context.toResolve()) >= 0; ) {
      const life = context.lifeOf(entry);
      if (!this.measures) {
        context.results(entry, life, STATUS.ok, ns);
      } else {
        this.flights[entry].life = life;
        this.flights[entry].flying = true;
        this.flying.push(this.flights[entry]);
      }
    }
    if (this.measures && !flight.flying) this.recycle(flight); // No pass of it is to be read.
  }

  recycle(flight) {
    for (let i = 0; i < flight.count; i++) this.pool.push(flight.queries[i]);
    flight.count = 0;
    flight.flying = false;
  }

  // Passes ------------------------------------------------------------------------------------

  /** Begins a pass; passes nest. @param {string} name */
  begin(name) {
    const rec = this.opened();
    let pair = UNTIMED;
    this.restNs = 0;
    if (rec !== 0) {
      const { context } = this;
      pair = context.open(rec, context.nameOf(rec, name), nowNs());
    }
    if (pair >= 0 && this.measures && !this.startPass(pair)) {
      if (this.rec === 0) return; // The context was lost just now, and its frame ended.
      this.context.refuse(rec, pair);
      pair = REFUSED;
    }
    this.stack.push(pair);
  }

  /** Ends the pass begun last. */
  end() {
    const { stack } = this;
    this.noteRest();
    if (stack.length === 0) {
      if (this.rec !== 0) this.context.close(this.rec, nowNs()); // The core counts it.
      return;
    }
    const pair = stack[stack.length - 1];
    if (pair >= 0 && this.measures && this.stopOrRefuse()) {
      stack.pop();
      this.resume();
    } else {
      stack.pop();
    }
    if (this.rec !== 0) this.context.close(this.rec, nowNs());
  }

  /** False: the target is taken, or there are no queries; then none of the passes around it is good. */
  startPass(pair) {
    if (this.stopOrRefuse() && this.startPiece(pair)) return true;
    this.refuseAll();
    return false;
  }

  startPiece(pair) {
    const { queries, flight } = this;
    if (this.stopped !== '' || this.lost || queries.current() !== null) return false;
    const query = this.pool.pop() ?? this.make();
    if (query === null) return false;
    queries.begin(query);
    this.active = query;
    this.restNs = 0;
    flight.add(query, pair);
    return true;
  }

  make() {
    if (this.made >= QUERIES_MOST) return null;
    const query = this.queries.create() ?? null; // null on a lost context
    if (query !== null) this.made++;
    return query;
  }

  /** Ends the active piece. False: someone else ended it. */
  stopPiece() {
    const { active, queries } = this;
    if (active === null) return true;
    this.active = null;
    if (!this.lost && queries.current() === active) {
      queries.end();
      return true;
    }
    if (!this.lost && queries.isContextLost()) this.contextLost();
    return false;
  }

  stopOrRefuse() {
    if (this.stopPiece()) return true;
    this.refuseAll();
    return false;
  }

  /** The open passes would be measured short: they are given up. */
  refuseAll() {
    const { stack, rec } = this;
    this.stopPiece();
    for (let i = 0; i < stack.length; i++) {
      if (stack[i] < 0) continue;
      this.context.refuse(rec, stack[i]);
      stack[i] = REFUSED;
    }
  }

  /** Rests until `resume`: no work of the innermost pass is to come before. */
  suspend() {
    this.noteRest();
    if (this.active !== null) this.stopOrRefuse();
  }

  /** No work comes after, for all that is known; a pass that rests already did so then. */
  noteRest() {
    if (this.active !== null || !this.measures) this.restNs = nowNs();
  }

  resume() {
    if (this.active !== null || !this.measures) return;
    let i = this.stack.length - 1;
    while (i >= 0 && this.stack[i] === UNTIMED) i--;
    if (i >= 0 && this.stack[i] >= 0 && !this.startPiece(this.stack[i])) this.refuseAll();
  }

  /**
   * The page began or ended a query of its own, or tried to. A pass begun by name goes on, or is
   * refused where the page has one active now; an automatic one waits for its next draw.
   */
  yielded() {
    if (!this.lazy) this.resume();
  }

  // Results -----------------------------------------------------------------------------------

  /** Once a frame: which frames are ready, oldest first; then GPU_DISJOINT; only then the results. */
  poll() {
    if (!this.context.self) return;
    if (this.measures && !this.lost) {
      if (this.queries.isContextLost()) {
        this.contextLost();
        return;
      }
      this.takeReady();
    }
    this.context.collect(nowNs());
    this.drain();
  }

  takeReady() {
    const { flying } = this;
    let ready = 0;
    while (ready < flying.length && flying[ready].isReady(this.queries)) ready++;
    if (flying.length > 0 || this.open) this.noteDisjoint(this.queries.disjoint());
    if (ready === 0) return;
    const seen = seenNs();
    for (let i = 0; i < ready; i++) this.deliver(flying[i], seen);
    flying.splice(0, ready);
  }

  /** GPU_DISJOINT was read, by us or by the page: set, it voids all that is open or under way. */
  noteDisjoint(isSet) {
    if (!isSet) return;
    this.disjoints++;
    this.pageDisjoint = true;
    for (const flight of this.flying) flight.isVoid = true;
    if (this.open && this.rec !== 0) this.flight.isVoid = true;
  }

  deliver(flight, seen) {
    const { context } = this;
    const { entry, life } = flight;
    if (flight.isVoid) {
      context.results(entry, life, STATUS.disjoint, seen);
    } else if (context.lifeOf(entry) === life) {
      flight.write(this.queries, context, this.sums, this.mostNs);
      context.results(entry, life, STATUS.ok, seen);
    }
    this.recycle(flight);
  }

  drain() {
    const { context, listeners } = this;
    if (listeners.size === 0) {
      while (context.skip());
      return;
    }
    for (let frame; context.self && (frame = context.next()) !== null; ) {
      for (const listener of listeners) tell(listener, frame);
    }
  }

  isPending() {
    return this.context.self !== 0 && (this.flying.length > 0 || this.open);
  }

  // The page ----------------------------------------------------------------------------------

  /** What the page reads of GPU_DISJOINT: also what we read before it. */
  readForPage(value) {
    this.noteDisjoint(value === true);
    const isSet = this.pageDisjoint;
    this.pageDisjoint = false;
    return isSet ? true : value;
  }

  /** Measures no more in this context: `reason` says why. */
  stop(reason) {
    if (this.stopped !== '') return;
    if (this.measures) this.refuseAll();
    this.stopped = reason;
  }

  enable(on) {
    if (!on && this.open) this.endFrame(nowNs());
    this.on = on;
    this.context.enable(on);
  }

  /** The objects of a lost context are never touched again; they went with it. */
  contextLost() {
    if (this.lost || !this.context.self) return;
    this.lost = true;
    this.active = null;
    this.pool.length = 0;
    this.made = 0;
    this.flying.length = 0;
    for (const flight of this.flights) flight?.forget();
    this.context.setLost(true);
    for (let i = this.rec === 0 ? 0 : this.stack.length; i > 0; i--) this.context.close(this.rec, nowNs());
    if (this.open) this.endFrame(nowNs());
    this.context.collect(nowNs());
    this.drain();
  }

  contextRestored() {
    if (!this.context.self) return;
    this.contextLost(); // A loss that nobody told of.
    if (this.measures) {
      const { queries, reason } = openQueries(this.gl);
      this.problem = reason;
      if (queries === null) return; // It stays lost.
      this.queries = queries;
      this.noteDisjoint(queries.disjoint());
    }
    this.lost = false;
    this.context.setLost(false);
  }

  /** Legal at any time. */
  destroy() {
    if (!this.context.self) return;
    if (this.measures && !this.lost && !this.queries.isContextLost()) this.removeQueries();
    this.open = false;
    this.rec = 0;
    this.stack.length = 0;
    this.flying.length = 0;
    this.flights = [];
    this.pool = [];
    this.context.destroy();
  }

  removeQueries() {
    this.stopPiece();
    for (const query of this.pool) this.queries.remove(query);
    for (const { queries, count } of this.flights.filter(Boolean)) {
      for (let i = 0; i < count; i++) this.queries.remove(queries[i]);
    }
  }
}

/** A listener's fault is its own: it is shown in the console and stops nothing. */
function tell(listener, frame) {
  try {
    listener(frame);
  } catch (error) {
    globalThis.console?.error('passtime: a frame listener threw', error);
  }
}
