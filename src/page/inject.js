// SPDX-License-Identifier: MIT
// Generated from web/src/page by `npm run page` in web/; do not edit.
((passtimeConfig) => {
if (typeof globalThis[passtimeConfig.binding] !== 'function') return;
(() => {
  var performanceNow = globalThis.performance.now.bind(globalThis.performance);
  var originMs = performanceNow() - 1e3;
  var LAST = 0;
  var STEP = 1;
  var state = new Float64Array(2);
  state[STEP] = 1e8;
  function nowNs() {
    const ns = (performanceNow() - originMs) * 1e6;
    const step = ns - state[LAST];
    if (step > 0) {
      if (step < state[STEP]) state[STEP] = step;
      state[LAST] = ns;
    }
    return state[LAST];
  }
  function seenNs() {
    return nowNs() + state[STEP];
  }
  function toPerformanceMs(ns) {
    return ns / 1e6 + originMs;
  }

  var ERRORS_KEPT = 8;
  var Status = class {
    constructor() {
      this.apis = [];
      this.timers = /* @__PURE__ */ new Set();
      this.devicesSeen = 0;
      this.lateDevices = 0;
      this.strangers = 0;
      this.errors = [];
      this.errorCount = 0;
      this.blockedBy = null;
    }
    hooked(api) {
      if (!this.apis.includes(api)) this.apis.push(api);
    }
    device(timer) {
      this.devicesSeen++;
      this.timers.add(timer);
    }
    gone(timer) {
      this.timers.delete(timer);
    }
    blocked(reason) {
      this.blockedBy = reason ?? "WebAssembly is not available here.";
    }
    fail(error) {
      this.errorCount++;
      if (this.errors.length < ERRORS_KEPT) this.errors.push(String(error?.stack ?? error));
    }
    get state() {
      if (this.blockedBy !== null) return "blocked";
      if (this.lateDevices > 0) return "late";
      if (this.devicesSeen > 0) return "attached";
      return this.apis.length > 0 ? "waiting" : "off";
    }
    get text() {
      const late = this.lateDevices;
      switch (this.state) {
        case "blocked":
          return this.blockedBy;
        case "late":
          return `Attached too late for ${late} device${late === 1 ? "" : "s"}: import passtime/auto before the app. A device made before has timestamps only if the app asked for them.`;
        case "attached":
          return "Attached before first use.";
        case "waiting":
          return `Hooked (${this.apis.join(", ")}); the page has made no device or context yet.`;
        default:
          return "Nothing is hooked in this realm.";
      }
    }
    toJSON() {
      const { state: state2, text, apis, devicesSeen, lateDevices, errorCount, errors } = this;
      return { state: state2, text, apis, devicesSeen, lateDevices, errorCount, errors };
    }
  };
  var status = new Status();

  var RAF_FRESH_NS = 1e9;
  var STUCK_NS = 5e8;
  var PULSE_MS = 250;
  var IDLE_PULSES = 8;
  var IDLE_TICKS = 4;
  var FrameClock = class {
    constructor(scope2) {
      this.timers = /* @__PURE__ */ new Set();
      this.setTimeout = scope2.setTimeout.bind(scope2);
      this.setInterval = scope2.setInterval.bind(scope2);
      this.clearInterval = scope2.clearInterval.bind(scope2);
      this.raf = scope2.requestAnimationFrame?.bind(scope2);
      this.askedNs = -Infinity;
      this.always = false;
      this.startNs = 0;
      this.ticking = false;
      this.idleTicks = 0;
      this.burst = false;
      this.pulse = null;
      this.idlePulses = 0;
      this.active = false;
      this.onTick = () => this.tick();
      this.onBurst = () => this.endBurst();
      this.onPulse = () => this.beat();
    }
    join(timer) {
      this.timers.add(timer);
    }
    leave(timer) {
      this.timers.delete(timer);
    }
    hasFrames(ns) {
      return this.raf !== void 0 && (this.always || ns - this.askedNs < RAF_FRESH_NS);
    }
    pageAsked() {
      this.askedNs = nowNs();
      this.requestTick();
    }
    requestTick() {
      if (this.ticking || this.raf === void 0) return;
      this.ticking = true;
      this.raf(this.onTick);
    }
    touch() {
      const ns = nowNs();
      this.active = true;
      if (this.pulse === null) this.startPulse();
      if (this.hasFrames(ns)) {
        this.requestTick();
        return this.startNs > 0 && ns - this.startNs < STUCK_NS ? this.startNs : ns;
      }
      if (!this.burst) {
        this.burst = true;
        this.setTimeout(this.onBurst, 0);
      }
      return ns;
    }
    tick() {
      this.ticking = false;
      this.endAll();
      this.startNs = nowNs();
      this.idleTicks = this.active ? 0 : this.idleTicks + 1;
      this.active = false;
      if (this.idleTicks < IDLE_TICKS && this.timers.size > 0) this.requestTick();
      else this.startNs = 0;
    }
    endBurst() {
      this.burst = false;
      if (!this.hasFrames(nowNs())) this.endAll();
    }
    endAll() {
      for (const timer of this.timers) {
        try {
          timer.boundary();
        } catch (error) {
          status.fail(error);
        }
      }
    }
    startPulse() {
      this.idlePulses = 0;
      this.pulse = this.setInterval(this.onPulse, PULSE_MS);
      this.pulse?.unref?.();
    }
    beat() {
      try {
        this.look();
      } catch (error) {
        status.fail(error);
      }
    }
    look() {
      const ns = nowNs();
      let pending = false;
      for (const timer of this.timers) {
        if (timer.isStuck(ns, STUCK_NS)) timer.boundary();
        timer.pulse();
        pending = pending || timer.isPending();
      }
      if (this.startNs > 0 && ns - this.startNs > STUCK_NS) this.startNs = 0;
      this.idlePulses = pending || this.active ? 0 : this.idlePulses + 1;
      if (this.startNs === 0) this.active = false;
      if (this.idlePulses > IDLE_PULSES) {
        this.clearInterval(this.pulse);
        this.pulse = null;
      }
    }
  };
  var shared;
  function frameClock() {
    return shared ??= new FrameClock(globalThis);
  }

  var PHASE = { free: 0, recording: 1, toResolve: 2, awaiting: 3 };
  var HOW = { discarded: 0, submitted: 1, never: 2 };
  var REFUSED = 2147483648;
  var IMPLIED_END = 64;
  var FIRST_PAIRS = 32;
  var RENEW_LIVES = 8;
  var SHRINK_LIVES = 256;
  var RETRY_FIRST_LIVES = 64;
  var RETRY_MOST_LIVES = 4096;
  var SOON_NS = 2 * 65536;
  var Recorder = class {
    constructor(entry, index) {
      this.entry = entry;
      this.index = index;
      this.open = false;
      this.beganNs = 0;
      this.finishedNs = 0;
      this.how = HOW.never;
      this.pass = -1;
      this.untimed = 0;
    }
    begin(ns) {
      this.open = true;
      this.beganNs = ns;
      this.finishedNs = 0;
      this.how = HOW.never;
      this.pass = -1;
      this.untimed = 0;
    }
  };
  function rounded(pairs, most) {
    let size = FIRST_PAIRS;
    while (size < pairs) size *= 2;
    return Math.min(size, most);
  }
  var Entry = class {
    constructor(index, maxPasses, banks) {
      this.index = index;
      this.maxPasses = maxPasses;
      this.banks = banks;
      this.phase = PHASE.free;
      this.life = 0;
      this.place = null;
      this.number = 0;
      this.beginNs = 0;
      this.endNs = 0;
      this.ended = false;
      this.unfinished = 0;
      this.recorders = [];
      this.recorderCount = 0;
      this.pairs = 0;
      this.surplus = 0;
      this.flyingSinceNs = 0;
      this.set = 0;
      this.capacity = banks ? 0 : maxPasses;
      this.wish = banks ? Math.min(FIRST_PAIRS, maxPasses) : 0;
      this.building = false;
      this.tainted = false;
      this.hasSuspects = false;
      this.lives = 0;
      this.smallLives = 0;
      this.retryWait = 0;
      this.retryIn = 0;
      this.pairEnd = 0;
      this.submittedNs = 0;
      this.submittedBeforeNs = 0;
      this.room = 0;
      this.grow(Math.min(FIRST_PAIRS, maxPasses));
    }
    grow(room) {
      const keep = (old, made) => {
        if (old) made.set(old);
        return made;
      };
      this.names = keep(this.names, new Uint32Array(room));
      this.parents = keep(this.parents, new Int32Array(room));
      this.owners = keep(this.owners, new Uint16Array(room));
      this.flags = keep(this.flags, new Uint32Array(room));
      this.closed = keep(this.closed, new Uint8Array(room));
      this.openNs = keep(this.openNs, new Float64Array(room));
      this.closeNs = keep(this.closeNs, new Float64Array(room));
      this.asked = keep(this.asked, new Uint8Array(room));
      this.suspect = keep(this.suspect, new Uint8Array(room));
      this.available = keep(this.available, new Uint8Array(2 * room));
      this.ticks = keep(this.ticks, new Uint32Array(4 * room));
      this.last = keep(this.last, new Uint32Array(4 * room));
      this.room = room;
    }
    // Query sets --------------------------------------------------------------------------------
    prepare(wanted) {
      if (!this.banks) return this.capacity;
      const pairs = Math.min(Math.max(wanted, 1), this.maxPasses);
      const isSmall = 4 * pairs <= this.capacity && this.capacity > FIRST_PAIRS;
      this.smallLives = isSmall ? this.smallLives + 1 : 0;
      this.lives++;
      if (this.retryIn > 0) this.retryIn--;
      const renewed = this.renewed(pairs);
      this.wish = renewed !== 0 && !this.building && this.retryIn === 0 ? rounded(renewed, this.maxPasses) : 0;
      return this.tainted ? 0 : this.capacity;
    }
    renewed(wanted) {
      if (wanted > this.capacity || this.smallLives >= SHRINK_LIVES) return wanted;
      return this.tainted || this.hasSuspects && this.lives >= RENEW_LIVES ? this.capacity : 0;
    }
    takeBank(set, pairs) {
      this.set = set;
      this.capacity = pairs;
      this.tainted = this.hasSuspects = this.building = false;
      this.wish = this.lives = this.smallLives = this.retryWait = 0;
      this.suspect.fill(0);
      this.last.fill(0);
    }
    bankFailed() {
      this.building = false;
      this.wish = 0;
      this.retryWait = Math.min(Math.max(2 * this.retryWait, RETRY_FIRST_LIVES), RETRY_MOST_LIVES);
      this.retryIn = this.retryWait;
    }
    // Recording ---------------------------------------------------------------------------------
    begin(number, ns, place) {
      this.life++;
      this.phase = PHASE.recording;
      this.place = place;
      this.number = number;
      this.beginNs = ns;
      this.endNs = 0;
      this.ended = false;
      this.unfinished = 0;
      this.recorderCount = 0;
      this.pairs = 0;
      this.surplus = 0;
      this.pairEnd = 0;
      this.flyingSinceNs = 0;
    }
    recorder(ns) {
      const index = this.recorderCount++;
      const rec = this.recorders[index] ??= new Recorder(this, index);
      rec.begin(ns);
      this.unfinished++;
      return rec;
    }
    take(rec, name, ns) {
      const pair = this.pairs;
      if (pair >= this.capacity) {
        this.surplus++;
        return -1;
      }
      this.pairs++;
      if (pair >= this.room) this.grow(Math.min(2 * this.room, this.maxPasses));
      this.names[pair] = name;
      this.parents[pair] = rec.pass;
      this.owners[pair] = rec.index;
      this.closed[pair] = 0;
      this.openNs[pair] = ns;
      this.closeNs[pair] = 0;
      this.flags[pair] = this.suspect[pair] !== 0 ? REFUSED : 0;
      return pair;
    }
    closeAll(rec, ns) {
      for (; rec.pass >= 0; rec.pass = this.parents[rec.pass]) {
        this.closed[rec.pass] = 1;
        this.closeNs[rec.pass] = ns;
        this.flags[rec.pass] |= IMPLIED_END;
      }
    }
    isWhole() {
      return this.phase === PHASE.recording && this.ended && this.unfinished === 0;
    }
    resolve(ns) {
      this.pairEnd = 0;
      for (let pair = 0; pair < this.pairs; pair++) {
        const isAsked = this.closed[pair] !== 0 && this.flags[pair] < REFUSED && this.recorders[this.owners[pair]].how === HOW.submitted;
        this.asked[pair] = isAsked ? 1 : 0;
        if (isAsked) this.pairEnd = pair + 1;
      }
      if (this.pairEnd === 0) return false;
      this.submittedBeforeNs = this.submittedNs;
      this.submittedNs = ns;
      this.phase = PHASE.toResolve;
      return true;
    }
    // What came back ----------------------------------------------------------------------------
    /**
     * Where a stamp was not written by this frame, whoever was to write it may still do so, and then a
     * later frame could read it as its own. Such a pair is not handed out again from these sets.
     */
    lookForLateWriters() {
      const { ticks, last } = this;
      const isSoon = this.submittedNs - this.submittedBeforeNs < SOON_NS;
      for (let pair = 0; pair < this.pairEnd; pair++) {
        if (this.asked[pair] === 0) continue;
        const at = 4 * pair;
        const began = (ticks[at] | ticks[at + 1]) !== 0;
        const ended = (ticks[at + 2] | ticks[at + 3]) !== 0;
        const had = (last[at] | last[at + 1] | last[at + 2] | last[at + 3]) !== 0;
        const sameBegin = ticks[at] === last[at] && ticks[at + 1] === last[at + 1];
        const sameEnd = ticks[at + 2] === last[at + 2] && ticks[at + 3] === last[at + 3];
        const isRepeated = isSoon ? sameBegin && sameEnd : sameBegin || sameEnd;
        if ((began || ended || had) && !(began && ended && !isRepeated)) {
          this.suspect[pair] = 1;
          this.hasSuspects = true;
        }
      }
    }
    remember() {
      for (let pair = 0; pair < this.pairEnd; pair++) {
        if (this.asked[pair] === 0) continue;
        for (let at = 4 * pair; at < 4 * pair + 4; at++) this.last[at] = this.ticks[at];
      }
    }
    addChildren(bits) {
      for (let pair = this.pairEnd - 1; pair >= 0; pair--) {
        const parent = this.parents[pair];
        if (this.available[2 * pair] === 0 || parent < 0) continue;
        const sum = this.durationOf(pair) + this.durationOf(parent);
        const most = bits < 53 ? 2 ** bits - 1 : Number.MAX_SAFE_INTEGER;
        const ns = Math.min(sum, most);
        this.ticks[4 * parent] = ns % 4294967296;
        this.ticks[4 * parent + 1] = ns / 4294967296;
      }
    }
    durationOf(pair) {
      return this.ticks[4 * pair] + this.ticks[4 * pair + 1] * 4294967296;
    }
  };

  var WAITING_MOST = 512;
  var UNITS_MOST = 4 * 1024 * 1024;
  var Order = class {
    constructor(send) {
      this.send = send;
      this.places = [];
      this.units = 0;
    }
    begin(entry) {
      const place = { text: null, entry };
      this.places.push(place);
      return place;
    }
    done(place, text) {
      place.text = text;
      place.entry = null;
      this.units += text.length;
      this.sendReady();
    }
    sendReady() {
      const { places } = this;
      let ready = 0;
      while (ready < places.length && places[ready].text !== null) {
        this.units -= places[ready].text.length;
        this.send(places[ready].text);
        ready++;
      }
      if (ready > 0) places.splice(0, ready);
    }
    blocking() {
      const isFull = this.places.length > WAITING_MOST || this.units > UNITS_MOST;
      return isFull ? this.places[0].entry : void 0;
    }
    clear() {
      this.places.length = 0;
      this.units = 0;
    }
  };

  var offsetNs = toPerformanceMs(0) * 1e6;
  function timeOf(ns) {
    return ns > 0 ? Math.round(ns + offsetNs) : 0;
  }
  function recordersText(entry) {
    let text = "";
    for (let i = 0; i < entry.recorderCount; i++) {
      const { beganNs, finishedNs, how } = entry.recorders[i];
      text += `${i > 0 ? "," : ""}[${timeOf(beganNs)},${timeOf(finishedNs)},${how}]`;
    }
    return text;
  }
  function passesText(entry) {
    let text = "";
    for (let pair = 0; pair < entry.pairs; pair++) {
      const open = timeOf(entry.openNs[pair]);
      const close = timeOf(entry.closeNs[pair]);
      text += `${pair > 0 ? ",[" : "["}${entry.owners[pair]},${entry.names[pair]},${pair},${entry.parents[pair]},${open},${close},${entry.flags[pair]}]`;
    }
    return text;
  }
  function listText(numbers2, count) {
    let text = count > 0 ? `${numbers2[0]}` : "";
    for (let i = 1; i < count; i++) text += `,${numbers2[i]}`;
    return text;
  }
  function frameText(c, entry, result) {
    const pairs = result.ticks ? entry.pairEnd : 0;
    return `{"k":"frame","c":${c},"n":${entry.number},"b":${timeOf(entry.beginNs)},"e":${timeOf(entry.endNs)},"s":${timeOf(result.seenNs)},"st":${result.status},"set":${entry.set},"cb":${timeOf(result.completeBeginNs)},"ce":${timeOf(result.completeEndNs)},` + (entry.surplus > 0 ? `"x":${entry.surplus},` : "") + `"r":[${recordersText(entry)}],"p":[${passesText(entry)}],"t":[${listText(entry.ticks, 4 * pairs)}]` + (result.available ? `,"a":[${listText(entry.available, 2 * pairs)}]}` : "}");
  }

  var FLUSH_MS = 100;
  var FLUSH_FRAMES = 16;
  var FLUSH_UNITS = 65536;
  var stringify = JSON.stringify;
  var UNPAIRED = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\0/g;
  function quoted(text, most) {
    const cut = String(text).slice(0, most);
    return stringify(cut.replace(UNPAIRED, "\uFFFD"));
  }
  var Sender = class {
    /**
     * @param {(text: string) => void} binding
     * @param {{setTimeout: Function, clearTimeout: Function}} scope
     */
    constructor(binding2, scope2) {
      this.binding = binding2;
      this.setTimeout = scope2.setTimeout.bind(scope2);
      this.clearTimeout = scope2.clearTimeout.bind(scope2);
      this.parts = [];
      this.units = 0;
      this.frames = 0;
      this.timer = null;
      this.onTimer = () => {
        this.timer = null;
        this.flush();
      };
    }
    send(text, frames2 = 0) {
      this.parts.push(text);
      this.units += text.length;
      this.frames += frames2;
      if (this.frames >= FLUSH_FRAMES || this.units >= FLUSH_UNITS) {
        this.flush();
      } else if (this.timer === null) {
        this.timer = this.setTimeout(this.onTimer, FLUSH_MS);
        this.timer?.unref?.();
      }
    }
    flush() {
      if (this.timer !== null) {
        this.clearTimeout(this.timer);
        this.timer = null;
      }
      if (this.parts.length === 0) return;
      const text = `[${this.parts.join(",")}]`;
      this.parts.length = 0;
      this.units = 0;
      this.frames = 0;
      try {
        this.binding(text);
      } catch {
      }
    }
  };

  var SOURCE = { stamps: 0, elapsed: 1, cpuRecord: 2, cpuComplete: 3 };
  var STATUS = { ok: 0, lost: 1, mapFailed: 2, disjoint: 3, late: 4, timedOut: 5 };
  var FLAG = { banks: 1, exclusive: 2, unverified: 4 };
  var BITS_SHIFT = 8;
  var LABELS_MOST = 4096;
  var NAME_UNITS = 256;
  var TEXT_UNITS = 512;
  var WANTED_FRAMES = 128;
  var TIMEOUT_NS = 1e10;
  var link = { sender: null, contexts: 0, maxPasses: 1024, framesInFlight: 8 };
  function connect(sender2, limits = {}) {
    link.sender = sender2;
    link.maxPasses = limits.maxPasses ?? 1024;
    link.framesInFlight = limits.framesInFlight ?? 8;
  }
  function getCore() {
    return link;
  }
  function coreBlocked() {
    return void 0;
  }
  var Context = class {
    constructor(options) {
      this.source = options.source;
      this.isGpu = options.source <= SOURCE.elapsed;
      this.banks = (options.flags & FLAG.banks) !== 0;
      this.exclusive = (options.flags & FLAG.exclusive) !== 0;
      this.unverified = (options.flags & FLAG.unverified) !== 0;
      this.bits = options.flags >> BITS_SHIFT || 64;
      this.maxPasses = link.maxPasses;
      this.maxRecorders = options.maxRecorders ?? 256;
      this.self = ++link.contexts;
      this.c = this.self;
      this.lost = false;
      this.lossText = () => "";
      this.sets = 0;
      this.nextEntry = 0;
      this.wanted = 0;
      this.wantedLately = 0;
      this.wantedBefore = 0;
      this.wantedFrames = 0;
      this.labels = /* @__PURE__ */ new Map();
      this.ids = 0;
      this.entries = [];
      for (let i = 0; i < link.framesInFlight; i++) this.entries.push(new Entry(i, this.maxPasses, this.banks));
      this.order = new Order((text) => link.sender.send(text, 1));
      this.result = { status: 0, seenNs: 0, completeBeginNs: 0, completeEndNs: 0, ticks: false, available: false };
      this.figures = {
        framesInFlight: () => this.entries.reduce((sum, entry) => sum + (entry.phase !== PHASE.free ? 1 : 0), 0)
      };
    }
    announce(about) {
      link.sender.send(`{"k":"ctx","c":${this.c},"source":${this.source},"bits":${this.bits},"unverified":${this.unverified},"max_passes":${this.maxPasses},${about}}`);
    }
    destroy() {
      if (this.self === 0) return;
      this.self = 0;
      this.order.clear();
      this.entries = [];
      link.sender.send(`{"k":"gone","c":${this.c}}`);
    }
    // Frames ------------------------------------------------------------------------------------
    frameBegin(number, ns) {
      this.collect(ns);
      if (this.lost) return this.skipFrame(number, "lost");
      let isFree = false;
      const count = this.entries.length;
      for (let i = 0; i < count; i++) {
        const entry = this.entries[(this.nextEntry + i) % count];
        if (entry.phase !== PHASE.free) continue;
        isFree = true;
        if (entry.prepare(this.wanted) === 0) continue;
        this.nextEntry = (entry.index + 1) % count;
        entry.begin(number, ns, this.order.begin(entry));
        return entry.recorder(ns);
      }
      return this.skipFrame(number, isFree ? "warmup" : "full");
    }
    skipFrame(number, why) {
      this.order.done(this.order.begin(null), `{"k":"skip","c":${this.c},"n":${number},"why":"${why}"}`);
      return 0;
    }
    find(number) {
      return this.entries.find((entry) => entry.phase === PHASE.recording && entry.number === number && !entry.ended);
    }
    recorderBegin(number) {
      const entry = this.find(number);
      if (entry === void 0 || entry.recorderCount >= this.maxRecorders) return 0;
      return entry.recorder(nowNs());
    }
    entryOf(rec) {
      return rec.entry.index;
    }
    submitted(rec, ns) {
      this.finish(rec, HOW.submitted, ns);
    }
    discarded(rec, ns) {
      this.finish(rec, HOW.discarded, ns);
    }
    finish(rec, how, ns) {
      if (!rec || !rec.open) return;
      const { entry } = rec;
      if (!this.isGpu) entry.closeAll(rec, ns);
      rec.open = false;
      rec.how = how;
      rec.finishedNs = ns;
      entry.unfinished--;
    }
    frameEnd(number, ns) {
      const entry = this.find(number);
      if (entry === void 0) return;
      entry.ended = true;
      entry.endNs = ns;
      this.collect(ns);
    }
    collect(ns) {
      for (const entry of this.entries) {
        if (this.lost && entry.phase !== PHASE.free) this.giveUpLost(entry);
        else if (entry.isWhole()) this.settle(entry, ns);
        else if (entry.phase >= PHASE.toResolve) this.watch(entry, ns);
      }
      for (let entry; (entry = this.order.blocking()) !== void 0; ) this.giveUp(entry);
    }
    settle(entry, ns) {
      if (entry.place !== null) {
        this.noteWanted(entry);
        if (entry.resolve(ns)) return;
        this.send(entry, STATUS.ok, 0, 0, 0);
      }
      entry.phase = PHASE.free;
    }
    watch(entry, ns) {
      if (entry.flyingSinceNs === 0) entry.flyingSinceNs = ns;
      else if (ns - entry.flyingSinceNs > TIMEOUT_NS) this.giveUp(entry);
    }
    giveUp(entry) {
      const isFlying = entry.phase >= PHASE.toResolve;
      this.send(entry, isFlying ? STATUS.timedOut : STATUS.ok, 0, 0, 0);
      entry.tainted = true;
      if (isFlying) entry.phase = PHASE.free;
    }
    giveUpLost(entry) {
      if (entry.place !== null) this.send(entry, STATUS.lost, 0, 0, 0);
      entry.tainted = true;
      entry.phase = PHASE.free;
      for (let i = 0; i < entry.recorderCount; i++) entry.recorders[i].open = false;
    }
    noteWanted(entry) {
      this.wantedLately = Math.max(this.wantedLately, entry.pairs + entry.surplus);
      this.wanted = Math.max(this.wantedLately, this.wantedBefore);
      if (++this.wantedFrames < WANTED_FRAMES) return;
      this.wantedBefore = this.wantedLately;
      this.wantedLately = 0;
      this.wantedFrames = 0;
    }
    send(entry, status2, seenNs2, completeBeginNs, completeEndNs) {
      const { result } = this;
      result.status = status2;
      result.seenNs = seenNs2;
      result.completeBeginNs = completeBeginNs;
      result.completeEndNs = completeEndNs;
      result.ticks = this.isGpu && status2 === STATUS.ok && entry.phase >= PHASE.toResolve;
      result.available = result.ticks && !this.banks;
      const { place } = entry;
      entry.place = null;
      this.order.done(place, frameText(this.c, entry, result));
    }
    // Names and passes --------------------------------------------------------------------------
    nameOf(rec, label) {
      const text = typeof label === "string" ? label : "";
      const known2 = this.labels.get(text);
      if (known2 !== void 0) return known2;
      if (this.labels.size >= LABELS_MOST) this.labels.clear();
      const id = ++this.ids;
      this.labels.set(text, id);
      link.sender.send(`{"k":"name","c":${this.c},"i":${id},"s":${quoted(text, NAME_UNITS)}}`);
      return id;
    }
    pass(rec, id) {
      if (!rec.open) return -1;
      const { entry } = rec;
      const pair = entry.take(rec, id, 0);
      if (pair < 0) return -1;
      entry.closed[pair] = 1;
      return entry.flags[pair] === 0 ? pair : -1;
    }
    open(rec, id, ns) {
      if (!rec.open) return -1;
      const { entry } = rec;
      const pair = rec.untimed > 0 ? this.surplus(entry) : entry.take(rec, id, ns);
      if (pair < 0) {
        rec.untimed++;
        return -1;
      }
      rec.pass = pair;
      return entry.flags[pair] === 0 ? pair : -1;
    }
    surplus(entry) {
      entry.surplus++;
      return -1;
    }
    close(rec, ns, flags = 0) {
      if (!rec.open) return -1;
      if (rec.untimed > 0) {
        rec.untimed--;
        return -1;
      }
      const { entry, pass: pair } = rec;
      if (pair < 0) return -1;
      rec.pass = entry.parents[pair];
      entry.closeNs[pair] = ns;
      entry.closed[pair] = 1;
      entry.flags[pair] |= flags;
      return entry.flags[pair] < REFUSED ? pair : -1;
    }
    refuse(rec, pair) {
      rec.entry.flags[pair] |= REFUSED;
    }
    rename(rec, pair, id) {
      if (rec.open) rec.entry.names[pair] = id;
    }
    scopeBegin() {
    }
    scopeEnd() {
    }
    // Results -----------------------------------------------------------------------------------
    toResolve() {
      const entry = this.entries.find((each) => each.phase === PHASE.toResolve);
      if (entry === void 0) return -1;
      entry.phase = PHASE.awaiting;
      return entry.index;
    }
    lifeOf(index) {
      return this.entries[index].life;
    }
    pairEnd(index) {
      return this.entries[index].pairEnd;
    }
    putTicks(index, words) {
      this.entries[index].ticks.set(words);
    }
    ticksAt(index) {
      return this.entries[index].ticks;
    }
    availableAt(index) {
      return this.entries[index].available;
    }
    results(index, life, status2, seenNs2, completeBeginNs = 0, completeEndNs = 0) {
      const entry = this.entries[index];
      if (entry.life !== life || entry.phase !== PHASE.awaiting) return false;
      const isGood = status2 === STATUS.ok;
      if (isGood && this.banks) entry.lookForLateWriters();
      else if (isGood && this.exclusive) entry.addChildren(this.bits);
      this.send(entry, status2, seenNs2, completeBeginNs, completeEndNs);
      if (!isGood) entry.tainted = true;
      if (this.banks && !entry.tainted) entry.remember();
      entry.phase = PHASE.free;
      return true;
    }
    taint(index) {
      this.entries[index].tainted = true;
    }
    setLost(isLost) {
      if (this.lost === isLost || this.self === 0) return;
      this.lost = isLost;
      link.sender.send(isLost ? `{"k":"lost","c":${this.c},"text":${quoted(this.lossText(), TEXT_UNITS)}}` : `{"k":"restored","c":${this.c}}`);
    }
    // Query sets --------------------------------------------------------------------------------
    wish() {
      const entry = this.entries.find((each) => each.wish !== 0 && !each.building);
      if (entry === void 0) return -1;
      entry.building = true;
      return entry.index;
    }
    wishPairs(index) {
      return this.entries[index].wish;
    }
    bankReady(index, pairs) {
      const entry = this.entries[index];
      if (entry.phase !== PHASE.free) return false;
      entry.takeBank(++this.sets, pairs);
      return true;
    }
    bankFailed(index) {
      this.entries[index].bankFailed();
    }
    // What a page timed from outside does not use -----------------------------------------------
    enable() {
    }
    every() {
    }
    budget() {
    }
    resetStats() {
    }
    skip() {
      return false;
    }
    next() {
      return null;
    }
  };

  var CLASSES = {
    GPUAdapter: ["requestDevice"],
    GPUDevice: ["createQuerySet", "createBuffer", "createCommandEncoder", "pushErrorScope", "popErrorScope"],
    GPUCommandEncoder: [
      "beginRenderPass",
      "beginComputePass",
      "resolveQuerySet",
      "copyBufferToBuffer",
      "finish"
    ],
    GPUQueue: ["submit", "onSubmittedWorkDone"],
    GPUBuffer: ["mapAsync", "getMappedRange", "unmap", "destroy"]
  };
  var saved = /* @__PURE__ */ new Map();
  function saveNatives(scope2) {
    for (const [name, methods] of Object.entries(CLASSES)) {
      const prototype = scope2[name]?.prototype;
      if (!prototype || saved.has(prototype)) continue;
      const functions = {};
      for (const method of methods) functions[method] = prototype[method];
      saved.set(prototype, functions);
    }
  }
  saveNatives(globalThis);
  function nativesOf(object, name) {
    const found = saved.get(Object.getPrototypeOf(object));
    if (found) return found;
    const functions = {};
    for (const method of CLASSES[name]) functions[method] = object[method];
    return functions;
  }
  var USAGE = { mapRead: 1, copySrc: 4, copyDst: 8, queryResolve: 512 };
  var MAP_READ = 1;

  var LABEL_MOST = 160;
  var CACHE_MOST = 2048;
  var VARIANTS_MOST = 48;
  var SHAPES_MOST = 512;
  var LEADING_COUNTER = /^\s*[[(<{]\s*(?:frame|pass)?\s*[#:]?\s*\d+(?:\s*[|/:,.-]\s*\d+)*\s*[\])>}]\s*[-:|]?\s*/i;
  var TRAILING_FRAME = /\s*[-:|,]?\s*[[(]?\bframe\s*[#:=]?\s*\d+[\])]?\s*$/i;
  var NUMBERS = /\d+/g;
  var Names = class {
    constructor() {
      this.cache = /* @__PURE__ */ new Map();
      this.shapes = /* @__PURE__ */ new Map();
    }
    /**
     * @param {unknown} label as the page gave it
     * @returns {string} its name; '' where there is no label
     */
    of(label) {
      if (typeof label !== "string" || label === "") return "";
      const known2 = this.cache.get(label);
      if (known2 !== void 0) return known2;
      return this.learn(label);
    }
    learn(label) {
      const short = label.length > LABEL_MOST ? label.slice(0, LABEL_MOST) : label;
      const bare = short.replace(LEADING_COUNTER, "").replace(TRAILING_FRAME, "");
      const name = this.withoutCounters(bare === "" ? short : bare);
      if (this.cache.size >= CACHE_MOST) this.cache.clear();
      if (label.length <= LABEL_MOST) this.cache.set(label, name);
      return name;
    }
    withoutCounters(name) {
      if (!/\d/.test(name)) return name;
      const shape = name.replace(NUMBERS, "#");
      let variants = this.shapes.get(shape);
      if (variants === void 0) {
        if (this.shapes.size >= SHAPES_MOST) this.shapes.clear();
        variants = /* @__PURE__ */ new Set();
        this.shapes.set(shape, variants);
      }
      if (variants === COUNTER) return shape;
      variants.add(name);
      if (variants.size <= VARIANTS_MOST) return name;
      this.shapes.set(shape, COUNTER);
      return shape;
    }
  };
  var COUNTER = /* @__PURE__ */ new Set();

  var TargetNames = class {
    constructor() {
      this.textures = /* @__PURE__ */ new WeakMap();
      this.names = /* @__PURE__ */ new WeakMap();
      this.labels = new Names();
    }
    note(view, texture, label) {
      const name = this.labels.of(label);
      if (name === "") this.textures.set(view, texture);
      else this.names.set(view, name);
    }
    noteCanvas(texture) {
      this.names.set(texture, this.labels.of(texture.label) || "canvas");
    }
    of(descriptor) {
      const attachments = descriptor?.colorAttachments;
      for (const attachment of Array.isArray(attachments) ? attachments : []) {
        if (attachment?.view) return this.ofView(attachment.view);
      }
      const depth = descriptor?.depthStencilAttachment?.view;
      return depth ? this.ofView(depth) : "";
    }
    ofView(view) {
      const texture = this.textures.get(view) ?? view;
      let name = this.names.get(texture);
      if (name === void 0) {
        name = this.labels.of(texture.label) || (texture.format ? `${texture.format} ${texture.width}\xD7${texture.height}` : "");
        this.names.set(texture, name);
      }
      return name;
    }
  };

  var LEARN_FRAMES = 64;
  var SAMPLES_LEAST = 32;
  var GROUPS_MOST = 256;
  var limitNs = 0;
  var Groups = class {
    constructor(context) {
      this.context = context;
      this.short = /* @__PURE__ */ new Set();
      this.parts = /* @__PURE__ */ new Map();
      this.turn = 0;
    }
    learn() {
      if (limitNs === 0 || ++this.turn % LEARN_FRAMES !== 0) return;
      for (const { name, stats } of this.context.figures.allSeries()) {
        const upper = stats.ciHighNs ?? stats.belowNs ?? (stats.quantized ? null : stats.meanNs);
        if (upper === null || stats.count < SAMPLES_LEAST) continue;
        const parts = this.parts.get(name) ?? [name];
        for (const part of parts) this.short[upper < limitNs * parts.length ? "add" : "delete"](part);
      }
    }
    join(recording, label) {
      const { group } = recording;
      if (group !== null && this.short.has(label) && group.scopes === this.context.scopes) {
        group.names.push(label);
        return group;
      }
      this.close(recording);
      return null;
    }
    open(recording, label, pair, { querySet, endOfPassWriteIndex }) {
      if (!this.short.has(label)) return;
      recording.group = { pair, names: [label], scopes: this.context.scopes, writes: { querySet, endOfPassWriteIndex } };
    }
    close(recording) {
      const { group, rec } = recording;
      recording.group = null;
      const count = group?.names.length ?? 0;
      if (count < 2 || rec === 0) return;
      const name = `${group.names[0]} \u2026 ${group.names[count - 1]} (${count} passes)`;
      if (this.parts.size > GROUPS_MOST) this.parts.clear();
      this.parts.set(name, group.names);
      this.context.rename(rec, group.pair, this.context.nameOf(rec, name));
    }
  };

  var PAIRS_PER_SET = 2048;
  var PAIR_BYTES = 16;
  var LABEL = "passtime";
  var INSIDE = "chromium-experimental-timestamp-query-inside-passes";
  var SCOPES = ["validation", "out-of-memory", "internal"];
  var Bank = class {
    constructor(timer, entry, pairs) {
      this.timer = timer;
      this.entry = entry;
      this.pairs = pairs;
      this.sets = [];
      this.writes = [];
      this.life = 0;
      this.bytes = 0;
      this.mapping = false;
      this.retired = false;
      this.mapped = () => {
        try {
          timer.onMapped(this);
        } catch (error) {
          status.fail(error);
        }
      };
      this.failed = (error) => quietly(() => timer.onMapFailed(this, error));
      const { device, natives } = timer;
      for (let first = 0; first < pairs; first += PAIRS_PER_SET) {
        const count = 2 * Math.min(PAIRS_PER_SET, pairs - first);
        this.sets.push(natives.createQuerySet.call(device, { label: LABEL, type: "timestamp", count }));
      }
      const size = pairs * PAIR_BYTES;
      this.resolved = natives.createBuffer.call(
        device,
        { label: LABEL, size, usage: USAGE.queryResolve | USAGE.copySrc }
      );
      this.staging = natives.createBuffer.call(
        device,
        { label: LABEL, size, usage: USAGE.mapRead | USAGE.copyDst }
      );
    }
    writesOf(pair) {
      let writes = this.writes[pair];
      if (writes === void 0) {
        const slot = 2 * (pair % PAIRS_PER_SET);
        writes = {
          querySet: this.sets[Math.floor(pair / PAIRS_PER_SET)],
          beginningOfPassWriteIndex: slot,
          endOfPassWriteIndex: slot + 1
        };
        this.writes[pair] = writes;
      }
      return writes;
    }
    /**
     * The buffers are ours alone and are destroyed once no map is pending. Query sets are only let go:
     * a late encoder of the page may still name them, and its submit must not fail.
     */
    retire() {
      this.retired = true;
      if (!this.mapping) this.destroyBuffers();
    }
    destroyBuffers() {
      const { buffer } = this.timer.natives;
      buffer.destroy.call(this.resolved);
      buffer.destroy.call(this.staging);
    }
  };
  var DeviceTimer = class {
    constructor(device, options = {}) {
      this.device = device;
      this.queue = device.queue;
      this.natives = {
        ...nativesOf(device, "GPUDevice"),
        queue: nativesOf(this.queue, "GPUQueue"),
        encoder: null,
        // of the first encoder and buffer made
        buffer: null
      };
      this.stamps = !options.cpuOnly && device.features?.has?.("timestamp-query") === true;
      this.inside = this.stamps && device.features.has(INSIDE);
      this.context = new Context({
        source: this.stamps ? SOURCE.stamps : SOURCE.cpuRecord,
        flags: this.stamps ? FLAG.banks : 0,
        maxPasses: options.maxPasses ?? 1024,
        maxRecorders: options.maxRecorders ?? 256,
        maxScopes: options.maxScopes ?? 64,
        framesInFlight: options.framesInFlight ?? 8,
        outputFrames: options.framesInFlight ?? 8,
        timeoutMs: options.timeoutMs ?? 0
      });
      this.banks = [];
      this.next = [];
      this.nextCount = 0;
      this.number = 0;
      this.open = false;
      this.first = 0;
      this.lost = null;
      this.problem = null;
      this.listeners = /* @__PURE__ */ new Set();
      this.encoderDescriptor = { label: LABEL };
      this.commands = [null];
      this.watchLoss();
      if (this.stamps) this.build();
    }
    watchLoss() {
      const gone = (info) => quietly(() => this.onLost(info?.message || info?.reason || "no reason given"));
      const { lost } = this.device;
      if (typeof lost?.then === "function") lost.then(gone, gone);
    }
    onLost(reason) {
      if (this.lost !== null) return;
      this.lost = String(reason);
      if (!this.context.self) return;
      this.context.setLost(true);
      this.open = false;
      this.context.collect(nowNs());
      this.drain();
      for (const bank of this.banks) bank?.retire();
      this.banks = [];
    }
    // Frames ------------------------------------------------------------------------------------
    begin(ns) {
      if (this.open) return;
      if (this.nextCount > 0) this.takeUp();
      this.number++;
      this.open = true;
      this.first = this.context.frameBegin(this.number, ns);
      this.timed = this.first !== 0;
      if (this.stamps) this.build();
    }
    recorder() {
      const rec = this.first;
      if (rec !== 0) {
        this.first = 0;
        return rec;
      }
      return this.timed ? this.context.recorderBegin(this.number) : 0;
    }
    end(ns) {
      if (!this.open) return;
      this.open = false;
      if (this.first !== 0) {
        this.context.submitted(this.first, ns);
        this.first = 0;
      }
      if (this.timed) this.context.frameEnd(this.number, ns);
      this.step();
    }
    step() {
      if (this.lost !== null) return;
      for (let entry; (entry = this.context.toResolve()) >= 0; ) this.resolve(entry);
    }
    collect() {
      if (!this.context.self) return;
      this.context.collect(nowNs());
      this.step();
      this.drain();
    }
    // Stamps ------------------------------------------------------------------------------------
    writesOf(rec, pair) {
      return this.banks[this.context.entryOf(rec)].writesOf(pair);
    }
    resolve(entry) {
      const life = this.context.lifeOf(entry);
      try {
        if (this.stamps) this.readBack(entry, life);
        else this.awaitDone(entry, life);
      } catch (error) {
        this.problem = String(error?.message ?? error);
        this.context.results(entry, life, STATUS.mapFailed, seenNs());
      }
    }
    readBack(entry, life, more) {
      const bank = this.banks[entry];
      const { natives, device } = this;
      const encoder = natives.createCommandEncoder.call(device, this.encoderDescriptor);
      const calls = natives.encoder ?? (natives.encoder = nativesOf(encoder, "GPUCommandEncoder"));
      const pairs = this.context.pairEnd(entry);
      bank.bytes = pairs * PAIR_BYTES;
      bank.life = life;
      for (let i = 0, left = pairs; left > 0; i++, left -= PAIRS_PER_SET) {
        calls.resolveQuerySet.call(
          encoder,
          bank.sets[i],
          0,
          2 * Math.min(left, PAIRS_PER_SET),
          bank.resolved,
          i * PAIRS_PER_SET * PAIR_BYTES
        );
      }
      calls.copyBufferToBuffer.call(encoder, bank.resolved, 0, bank.staging, 0, bank.bytes);
      more?.(encoder);
      this.commands[0] = calls.finish.call(encoder);
      natives.queue.submit.call(this.queue, this.commands);
      this.commands[0] = null;
      bank.mapping = true;
      natives.buffer.mapAsync.call(bank.staging, MAP_READ, 0, bank.bytes).then(bank.mapped, bank.failed);
    }
    onMapped(bank) {
      const seen = seenNs();
      bank.mapping = false;
      try {
        const { buffer } = this.natives;
        const range = buffer.getMappedRange.call(bank.staging, 0, bank.bytes);
        if (!bank.retired && this.context.self) this.take(bank, new Uint32Array(range), seen);
        buffer.unmap.call(bank.staging);
      } catch (error) {
        this.problem = String(error?.message ?? error);
        this.fail(bank, seen);
      }
      if (bank.retired) bank.destroyBuffers();
      else this.drainSoon(seen);
    }
    take(bank, words, seen) {
      const { context, banks } = this;
      if (banks[bank.entry] !== bank || context.lifeOf(bank.entry) !== bank.life) return;
      context.putTicks(bank.entry, words);
      context.results(bank.entry, bank.life, STATUS.ok, seen);
    }
    fail(bank, seen) {
      if (!this.context.self) return;
      const status2 = this.lost !== null ? STATUS.lost : STATUS.mapFailed;
      this.context.results(bank.entry, bank.life, status2, seen);
    }
    onMapFailed(bank, error) {
      bank.mapping = false;
      const seen = seenNs();
      setTimeout(() => quietly(() => {
        if (this.lost === null) this.problem = String(error?.message ?? error);
        try {
          this.natives.buffer.unmap.call(bank.staging);
        } catch {
        }
        this.fail(bank, seen);
        if (bank.retired) bank.destroyBuffers();
        this.drainSoon(seenNs());
      }), 0);
    }
    awaitDone(entry, life) {
      const begin = nowNs();
      const done = (good) => quietly(() => {
        const seen = nowNs();
        if (!this.context.self) return;
        this.context.results(entry, life, STATUS.ok, seen, good ? begin : 0, good ? seen : 0);
        this.drainSoon(seen);
      });
      this.natives.queue.onSubmittedWorkDone.call(this.queue).then(() => done(true), () => done(false));
    }
    // Results -----------------------------------------------------------------------------------
    drainSoon(ns) {
      if (!this.context.self) return;
      this.context.collect(ns);
      this.drain();
    }
    drain() {
      const { context, listeners: listeners2 } = this;
      if (!context.self) return;
      if (listeners2.size === 0) {
        while (context.skip()) ;
        return;
      }
      for (let frame; (frame = context.next()) !== null; ) {
        for (const listener of listeners2) tell(listener, frame);
      }
    }
    // Query sets --------------------------------------------------------------------------------
    build() {
      for (let entry; (entry = this.context.wish()) >= 0; ) {
        this.make(entry, this.context.wishPairs(entry), true);
      }
    }
    /**
     * Makes a bank under error scopes of its own, balanced within this call: the page's scopes see
     * nothing of it. No slot is handed out before all of them said that no error happened.
     */
    make(entry, pairs, again) {
      const { natives, device } = this;
      let bank = null;
      let verdicts = null;
      try {
        for (const scope2 of SCOPES) natives.pushErrorScope.call(device, scope2);
        try {
          bank = new Bank(this, entry, pairs);
          natives.buffer ??= nativesOf(bank.staging, "GPUBuffer");
        } finally {
          verdicts = SCOPES.map(() => natives.popErrorScope.call(device));
        }
      } catch (error) {
        this.problem = String(error?.message ?? error);
        bank = null;
      }
      const judge = (errors) => quietly(() => this.onMade(entry, bank, pairs, again, errors));
      Promise.all(verdicts ?? []).then(judge, (error) => judge([error]));
    }
    onMade(entry, bank, pairs, again, errors) {
      if (!this.context.self || this.lost !== null) {
        bank?.retire();
        return;
      }
      const error = errors.find((found) => found !== null);
      if (bank !== null && error === void 0) {
        this.next[entry] = bank;
        this.nextCount++;
        this.takeUp();
        return;
      }
      if (error) this.problem = String(error.message ?? error);
      const smaller = Math.floor(pairs / 2);
      if (again && smaller > (this.banks[entry]?.pairs ?? 0)) this.make(entry, smaller, false);
      else this.context.bankFailed(entry);
    }
    takeUp() {
      for (let entry = 0; entry < this.next.length; entry++) {
        const bank = this.next[entry];
        if (!bank || !this.context.bankReady(entry, bank.pairs)) continue;
        this.banks[entry]?.retire();
        this.banks[entry] = bank;
        this.next[entry] = void 0;
        this.nextCount--;
      }
    }
    destroy() {
      for (const bank of this.banks) bank?.retire();
      this.banks = [];
      this.next = [];
      this.open = false;
      this.first = 0;
      this.context.destroy();
    }
  };
  function quietly(work) {
    try {
      work();
    } catch (error) {
      status.fail(error);
    }
  }
  function tell(listener, frame) {
    try {
      listener(frame);
    } catch (error) {
      globalThis.console?.error("passtime: a frame listener threw", error);
    }
  }

  function contextReport() {
    return null;
  }
  function reportDocument() {
    return null;
  }
  function summarize() {
    return null;
  }

  var NS_PER_MS = 1e6;
  var Recorder2 = class {
    constructor(timer, rec) {
      this.timer = timer;
      this.rec = rec;
    }
    pass(name) {
      return this.timer.passOf(this.rec, name);
    }
    end() {
      this.timer.endOf(this.rec);
    }
    scope(name, work) {
      return this.timer.scopeOf(this.rec, name, work);
    }
    submitted() {
      this.timer.finish(this, true);
    }
    discarded() {
      this.timer.finish(this, false);
    }
  };
  var Timer = class {
    constructor(device, options = {}) {
      this.engine = new DeviceTimer(device, options);
      this.context = this.engine.context;
      this.names = new Names();
      this.name = options.name ?? "page";
      this.adapter = adapterOf(device);
      this.budgetNs = 0;
      this.rec = 0;
      this.recorders = 0;
      this.stuckSinceNs = 0;
      this.listening = /* @__PURE__ */ new Map();
      this.clock = null;
      this.cpuOpen = 0;
      this.hooked = null;
      if (options.budgetMs) this.budget(options.budgetMs);
      if (options.every) this.every(options.every);
      if (options.frames === "auto") this.automatic();
    }
    get method() {
      return this.engine.stamps ? "stamps" : "cpu";
    }
    get status() {
      const { engine } = this;
      if (!this.context.self) return { state: "destroyed", text: "This timer was destroyed." };
      if (engine.lost !== null) return { state: "lost", text: `The device is lost (${engine.lost}): attach the new one.` };
      if (!engine.stamps) return { state: "cpu", text: `${this.reason()} CPU times stand in, and are called so.` };
      const ready = engine.banks.some((bank) => bank);
      if (!ready) return { state: "warming up", text: engine.problem ? `No query set could be made: ${engine.problem}` : "The query sets are being made." };
      return { state: "timing", text: "Passes are timed by the GPU's stamps." };
    }
    reason() {
      return this.engine.device.features?.has?.("timestamp-query") ? "CPU times were asked for." : "The device was made without the feature 'timestamp-query': pass it in requiredFeatures.";
    }
    automatic() {
      this.clock = frameClock();
      this.clock.always = true;
      this.clock.join(this);
    }
    opened() {
      const { engine } = this;
      if (this.hooked !== null) return this.hooked.lastRecorder();
      if (!engine.open && this.context.self) {
        const ns = this.clock !== null ? this.clock.touch() : nowNs();
        engine.begin(ns);
        this.rec = engine.recorder();
        this.stuckSinceNs = ns;
      }
      return this.rec;
    }
    /**
     * Names a pass. Put what it returns into the pass descriptor's `timestampWrites`.
     * @param {string} name
     * @returns {GPURenderPassTimestampWrites | undefined} undefined: this one is not timed, which the
     *   descriptor takes as well
     */
    pass(name) {
      if (this.hooked !== null) return this.hooked.nameNext(name);
      return this.passOf(this.opened(), name);
    }
    passOf(rec, name) {
      if (rec === 0 || !this.context.self) return void 0;
      const { context, engine } = this;
      const id = context.nameOf(rec, this.names.of(name));
      if (!engine.stamps) {
        this.endOf(rec, 64);
        this.cpuOpen = context.open(rec, id, nowNs()) >= 0 ? rec : 0;
        return void 0;
      }
      const pair = context.pass(rec, id);
      return pair >= 0 ? engine.writesOf(rec, pair) : void 0;
    }
    end() {
      this.endOf(this.rec);
    }
    endOf(rec, flags = 0) {
      if (this.engine.stamps || rec === 0 || this.cpuOpen !== rec) return;
      this.context.close(rec, nowNs(), flags);
      this.cpuOpen = 0;
    }
    /**
     * Times what `pass` records from here to `endInside`, where the device grants stamps inside passes;
     * groups nest. Elsewhere nothing is timed.
     * @param {GPURenderPassEncoder | GPUComputePassEncoder} pass @param {string} name
     */
    beginInside(pass, name) {
      const rec = this.opened();
      if (!this.engine.inside || rec === 0 || !this.context.self) return;
      const pair = this.context.open(rec, this.context.nameOf(rec, this.names.of(name)), nowNs());
      if (pair < 0) return;
      const writes = this.engine.writesOf(rec, pair);
      pass.writeTimestamp(writes.querySet, writes.beginningOfPassWriteIndex);
    }
    endInside(pass) {
      const rec = this.opened();
      if (!this.engine.inside || rec === 0 || !this.context.self) return;
      const pair = this.context.close(rec, nowNs());
      if (pair < 0) return;
      const writes = this.engine.writesOf(rec, pair);
      pass.writeTimestamp(writes.querySet, writes.endOfPassWriteIndex);
    }
    /**
     * Passes named while `work` runs belong to the scope; scopes nest.
     * @template T @param {string} name @param {() => T} work @returns {T} what `work` returns
     */
    scope(name, work) {
      return this.scopeOf(this.opened(), name, work);
    }
    scopeOf(rec, name, work) {
      if (rec === 0) return work();
      this.beginScope(name, rec);
      try {
        return work();
      } finally {
        this.endScope(rec);
      }
    }
    beginScope(name, rec = this.opened()) {
      if (rec !== 0 && this.context.self) this.context.scopeBegin(rec, this.context.nameOf(rec, this.names.of(name)));
    }
    endScope(rec = this.rec) {
      if (rec !== 0 && this.context.self) this.context.scopeEnd(rec);
    }
    /**
     * A recorder of its own for an encoder that is submitted in another frame, or perhaps never.
     * @returns {Recorder}
     */
    recorder() {
      this.opened();
      const rec = this.engine.timed && this.context.self ? this.context.recorderBegin(this.engine.number) : 0;
      return new Recorder2(this, rec);
    }
    finish(recorder, submitted) {
      const { rec } = recorder;
      recorder.rec = 0;
      if (rec === 0 || !this.context.self) return;
      if (submitted) this.context.submitted(rec, nowNs());
      else this.context.discarded(rec, nowNs());
      if (!this.engine.open) this.engine.collect();
    }
    frame() {
      const { engine, context } = this;
      if (this.hooked !== null) {
        this.hooked.boundary();
        return;
      }
      if (!engine.open || !context.self) {
        this.pulse();
        return;
      }
      const ns = nowNs();
      if (this.rec !== 0) context.submitted(this.rec, ns);
      this.rec = 0;
      this.cpuOpen = 0;
      engine.end(ns);
      engine.drain();
    }
    // For the frame clock.
    boundary() {
      this.frame();
    }
    isStuck(ns, limit) {
      return this.engine.open && ns - this.stuckSinceNs > limit;
    }
    isPending() {
      return this.context.self !== 0 && this.context.figures.framesInFlight() > 0;
    }
    pulse() {
      if (this.context.self && !this.engine.open) this.engine.collect();
    }
    // Figures -----------------------------------------------------------------------------------
    report() {
      return reportDocument([this.contextReport()]);
    }
    contextReport() {
      const { adapter, budgetNs, name } = this;
      return contextReport(this.context.figures, {
        id: name,
        api: "webgpu",
        adapter,
        software: adapter.software,
        budgetNs,
        reason: this.reason().replace(/\.$/, "")
      });
    }
    stats() {
      return summarize(this.context.figures, this.budgetNs, this.adapter.software);
    }
    notes() {
      return this.context.figures.notes();
    }
    on(event, listener) {
      if (event !== "frame") throw new TypeError(`passtime: no event '${event}'; there is 'frame'`);
      this.engine.listeners.add(listener);
      return this;
    }
    off(event, listener) {
      this.engine.listeners.delete(listener);
      return this;
    }
    enable(on = true) {
      this.context.enable(on);
      return this;
    }
    every(frames2) {
      this.context.every(frames2);
      return this;
    }
    budget(ms) {
      this.budgetNs = ms * NS_PER_MS;
      this.context.budget(this.budgetNs);
      return this;
    }
    reset() {
      this.context.resetStats();
      return this;
    }
    destroy() {
      this.clock?.leave(this);
      this.engine.destroy();
      this.rec = 0;
      forget(this);
    }
  };
  function adapterOf(device) {
    const info = device.adapterInfo ?? {};
    const name = info.description || [info.vendor, info.architecture].filter(Boolean).join(" ") || null;
    const software = info.isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|warp|basic render/i.test(`${name} ${info.device ?? ""}`);
    return { name, driver: null, kind: software ? "cpu" : null, software };
  }
  var timers = /* @__PURE__ */ new WeakMap();
  function forget(timer) {
    timers.delete(timer.engine.device);
    status.gone(timer);
  }
  function adopt(device, options) {
    let timer = timers.get(device);
    if (timer === void 0) {
      timer = new Timer(device, options);
      timers.set(device, timer);
      status.device(timer);
    }
    return timer;
  }

  var AGE_FRAMES = 8;
  var AGE_NS = 25e7;
  var RECORDERS_MOST = 240;
  var Watched = class {
    constructor(device) {
      this.timer = adopt(device);
      this.engine = this.timer.engine;
      this.context = this.engine.context;
      this.names = new Names();
      this.groups = new Groups(this.context);
      this.lastSubmitNs = 0;
      this.openedNs = 0;
      this.recorders = 0;
      this.waiting = [];
      this.timedByApp = 0;
      this.given = "";
      this.latest = null;
      this.clock = frameClock();
      this.clock.join(this);
      this.timer.hooked = this;
    }
    nameNext(name) {
      this.given = this.names.of(name);
      return void 0;
    }
    lastRecorder() {
      return this.latest?.rec ?? 0;
    }
    record(recording) {
      const { engine } = this;
      if (this.recorders >= RECORDERS_MOST) this.boundary();
      if (!engine.open) {
        const ns = this.clock.touch();
        engine.begin(ns);
        this.openedNs = ns;
        this.lastSubmitNs = 0;
        this.recorders = 0;
      } else {
        this.clock.active = true;
      }
      this.recorders++;
      recording.rec = engine.recorder();
      recording.frame = engine.number;
      recording.ns = nowNs();
      if (recording.rec !== 0) this.waiting.push(recording);
    }
    finish(recording, submitted, ns) {
      const { rec } = recording;
      if (rec === 0 || !this.context.self) return;
      recording.rec = 0;
      if (submitted) this.context.submitted(rec, ns);
      else this.context.discarded(rec, ns);
      const at = this.waiting.indexOf(recording);
      if (at < 0) return;
      this.waiting[at] = this.waiting[this.waiting.length - 1];
      this.waiting.pop();
    }
    submitted(recording, ns) {
      const late = recording.frame !== this.engine.number || !this.engine.open;
      this.finish(recording, true, ns);
      this.lastSubmitNs = ns;
      return late;
    }
    // For the frame clock.
    boundary() {
      const { engine } = this;
      if (!engine.open || !this.context.self) return;
      engine.end(this.lastSubmitNs || nowNs());
      this.recorders = 0;
      if (this.waiting.length > 0) this.dropOld();
      engine.drain();
      this.groups.learn();
    }
    dropOld() {
      const ns = nowNs();
      for (const recording of this.waiting.slice()) {
        if (this.engine.number - recording.frame < AGE_FRAMES || ns - recording.ns < AGE_NS) continue;
        this.context.taint(this.context.entryOf(recording.rec));
        this.finish(recording, false, ns);
      }
    }
    isStuck(ns, limit) {
      return this.engine.open && ns - this.openedNs > limit;
    }
    isPending() {
      return this.timer.isPending();
    }
    pulse() {
      if (!this.engine.open) this.engine.collect();
    }
  };
  var Recording = class {
    constructor(watched2) {
      this.watched = watched2;
      this.rec = 0;
      this.frame = -1;
      this.group = null;
      this.ns = 0;
    }
  };

  var FEATURE = "timestamp-query";
  var devices = /* @__PURE__ */ new WeakMap();
  var recordings = /* @__PURE__ */ new WeakMap();
  var openPasses = /* @__PURE__ */ new WeakMap();
  var isCpuTimed = false;
  var unnamed = { encoder: null, recording: null, pair: -1, target: "" };
  var lastPair = -1;
  var stamped = {
    label: void 0,
    colorAttachments: void 0,
    depthStencilAttachment: void 0,
    occlusionQuerySet: void 0,
    maxDrawCount: void 0,
    timestampWrites: void 0
  };
  var stampedIsTaken = false;
  var targets = null;
  function failed(error) {
    status.fail(error);
  }
  function watch(device) {
    if (!devices.has(device)) {
      if (!getCore()) status.blocked(coreBlocked());
      devices.set(device, getCore() ? new Watched(device) : null);
    }
    return devices.get(device);
  }
  function withFeature(descriptor, features) {
    const derived = Object.create(descriptor ?? null);
    Object.defineProperty(derived, "requiredFeatures", { value: features, enumerable: true });
    return derived;
  }
  function featuresWithOurs(adapter, descriptor) {
    if (adapter.features?.has?.(FEATURE) !== true) return null;
    if (descriptor && (typeof descriptor !== "object" || isBeyond(adapter, descriptor.requiredLimits))) return null;
    const asked2 = descriptor?.requiredFeatures;
    const page = asked2 === void 0 || asked2 === null ? [] : [...asked2];
    if (!page.includes(FEATURE)) return { ours: [...page, FEATURE], page };
    return isIterator(asked2) ? { ours: page, page } : null;
  }
  function isIterator(list) {
    return typeof list?.next === "function";
  }
  function isBeyond({ limits }, wanted) {
    return Object.entries(wanted ?? {}).some(([name, value]) => !name.startsWith("min") && value > limits[name]);
  }
  function requestDevice(native, adapter, args) {
    let features = null;
    let descriptor;
    let fault2 = null;
    try {
      descriptor = args[0];
      features = featuresWithOurs(adapter, descriptor);
    } catch (error) {
      fault2 = error;
    }
    const asPage = () => isIterator(descriptor?.requiredFeatures) ? native.call(adapter, withFeature(descriptor, features.page)) : Reflect.apply(native, adapter, args);
    const asked2 = features === null ? Reflect.apply(native, adapter, args) : native.call(adapter, withFeature(descriptor, features.ours)).catch(asPage);
    return asked2.then((device) => welcome(device, fault2));
  }
  function welcome(device, fault2) {
    try {
      if (fault2 !== null) failed(fault2);
      watch(device);
    } catch (error) {
      failed(error);
    }
    return device;
  }
  function recordingOf(encoder) {
    const recording = recordings.get(encoder);
    if (recording === void 0) {
      status.strangers++;
      return void 0;
    }
    if (recording.watched.engine.lost !== null) return void 0;
    if (!recording.watched.context.self) return void 0;
    if (recording.rec === 0 && recording.frame < 0) recording.watched.record(recording);
    return recording.rec !== 0 ? recording : void 0;
  }
  function countTimedByApp(recording, name, writes) {
    const { watched: watched2 } = recording;
    watched2.timedByApp++;
    const pair = watched2.context.pass(recording.rec, watched2.context.nameOf(recording.rec, name));
    const isRidden = writes && watched2.engine.ride?.(recording, pair, writes);
    if (pair >= 0 && !isRidden) watched2.context.refuse(recording.rec, pair);
    return pair;
  }
  function nameLater(recording, label, target, pair) {
    unnamed.pair = label === "" ? pair : -1;
    unnamed.recording = recording;
    unnamed.target = target;
  }
  function stampPass(recording, descriptor, render) {
    const { watched: watched2 } = recording;
    const { context, engine } = watched2;
    const label = watched2.given || watched2.names.of(descriptor?.label);
    watched2.given = "";
    watched2.latest = recording;
    const target = label === "" && render ? targets.of(descriptor) : "";
    const name = label || target || (render ? "render pass" : "compute pass");
    unnamed.encoder = null;
    unnamed.pair = lastPair = -1;
    const writes = descriptor?.timestampWrites;
    const group = watched2.groups.join(recording, writes === void 0 ? label : "");
    if (writes !== void 0) {
      nameLater(recording, label, target, countTimedByApp(recording, name, writes));
      return void 0;
    }
    if (group !== null) {
      lastPair = group.pair;
      return group.writes;
    }
    const id = context.nameOf(recording.rec, name);
    const pair = engine.stamps ? context.pass(recording.rec, id) : context.open(recording.rec, id, nowNs());
    lastPair = pair;
    nameLater(recording, label, target, pair);
    if (pair < 0 || !engine.stamps) return void 0;
    const ours = engine.writesOf(recording.rec, pair);
    watched2.groups.open(recording, label, pair, ours);
    return ours;
  }
  function isFamiliar(descriptor) {
    for (const key in descriptor) if (!(key in stamped)) return false;
    return typeof (descriptor ?? stamped) === "object";
  }
  function withWrites(descriptor, writes) {
    if (stampedIsTaken || !isFamiliar(descriptor)) {
      return Object.create(descriptor, { timestampWrites: { value: writes, enumerable: true } });
    }
    stampedIsTaken = true;
    stamped.label = descriptor?.label;
    stamped.colorAttachments = descriptor?.colorAttachments;
    stamped.depthStencilAttachment = descriptor?.depthStencilAttachment;
    stamped.occlusionQuerySet = descriptor?.occlusionQuerySet;
    stamped.maxDrawCount = descriptor?.maxDrawCount;
    stamped.timestampWrites = writes;
    return stamped;
  }
  function giveBackStamped() {
    stamped.colorAttachments = stamped.depthStencilAttachment = stamped.occlusionQuerySet = void 0;
    stamped.timestampWrites = void 0;
    stampedIsTaken = false;
  }
  function beginWith(native, encoder, descriptor, writes, recording, args) {
    const isOurs = !stampedIsTaken;
    try {
      return native.call(encoder, withWrites(descriptor, writes));
    } catch {
      recording.watched.context.refuse(recording.rec, lastPair);
      return args === null ? native.call(encoder, descriptor) : Reflect.apply(native, encoder, args);
    } finally {
      if (isOurs) giveBackStamped();
    }
  }
  function beginPass(native, encoder, descriptor, render, args) {
    let writes;
    let recording;
    let fault2 = null;
    try {
      recording = recordingOf(encoder);
      if (recording !== void 0) writes = stampPass(recording, descriptor, render);
    } catch (error) {
      fault2 = error;
    }
    let pass;
    if (writes !== void 0) pass = beginWith(native, encoder, descriptor, writes, recording, args);
    else if (args === null) pass = native.call(encoder, descriptor);
    else pass = Reflect.apply(native, encoder, args);
    if (fault2 !== null) failed(fault2);
    if (recording !== void 0) {
      if (!recording.watched.engine.stamps) {
        isCpuTimed = true;
        openPasses.set(pass, recording);
      }
      if (unnamed.pair >= 0) unnamed.encoder = pass;
    }
    return pass;
  }
  function nameByPipeline(pipeline) {
    const { recording, pair, target } = unnamed;
    unnamed.encoder = null;
    const label = recording.watched.names.of(pipeline?.label);
    if (label === "" || recording.rec === 0) return;
    const { context } = recording.watched;
    const name = target === "" ? label : `${label} \u2192 ${target}`;
    context.rename(recording.rec, pair, context.nameOf(recording.rec, name));
  }
  function endPass(pass) {
    const recording = openPasses.get(pass);
    if (recording === void 0 || recording.rec === 0) return;
    openPasses.delete(pass);
    recording.watched.context.close(recording.rec, nowNs(), 0);
  }
  function noteSubmit(list) {
    const ns = nowNs();
    let late = null;
    for (let i = 0; i < list.length; i++) {
      const recording = recordings.get(list[i]);
      if (recording !== void 0 && recording.rec !== 0 && recording.watched.submitted(recording, ns)) late = recording;
    }
    if (late !== null && !late.watched.engine.open) late.watched.engine.collect();
  }
  function replace(prototype, name, make) {
    const before = Object.getOwnPropertyDescriptor(prototype, name);
    const native = before?.value;
    if (typeof native !== "function") return;
    const ours = make(native);
    Object.defineProperty(ours, "name", { value: native.name, configurable: true });
    Object.defineProperty(ours, "length", { value: native.length, configurable: true });
    Object.defineProperty(prototype, name, { ...before, value: ours });
  }
  function forward(native, self, args) {
    if (args.length === 1) return native.call(self, args[0]);
    return args.length === 0 ? native.call(self) : Reflect.apply(native, self, args);
  }
  function beginning(render) {
    return (native) => ({
      f(...args) {
        if (args.length === 1) return beginPass(native, this, args[0], render, null);
        return beginPass(native, this, args[0], render, args);
      }
    }).f;
  }
  var METHODS = {
    GPUAdapter: {
      requestDevice: (native) => ({ f(...args) {
        return requestDevice(native, this, args);
      } }).f
    },
    GPUDevice: {
      createCommandEncoder: (native) => ({
        f(...args) {
          const encoder = forward(native, this, args);
          try {
            const known2 = devices.get(this);
            const watched2 = known2 === void 0 ? lateDevice(this) : known2;
            if (watched2 !== null) recordings.set(encoder, new Recording(watched2));
          } catch (error) {
            failed(error);
          }
          return encoder;
        }
      }).f
    },
    GPUCommandEncoder: {
      beginRenderPass: beginning(true),
      beginComputePass: beginning(false),
      finish: (native) => ({
        f(...args) {
          const commands = forward(native, this, args);
          const recording = recordings.get(this);
          if (recording !== void 0 && recording.rec !== 0) {
            recording.watched.groups.close(recording);
            recordings.set(commands, recording);
          }
          return commands;
        }
      }).f
    },
    GPUQueue: {
      submit: (native) => ({
        f(...args) {
          if (args.length > 0 && !Array.isArray(args[0]) && args[0]?.[Symbol.iterator]) args[0] = [...args[0]];
          Reflect.apply(native, this, args);
          try {
            if (Array.isArray(args[0])) noteSubmit(args[0]);
          } catch (error) {
            failed(error);
          }
        }
      }).f
    },
    GPURenderPassEncoder: { setPipeline: namingPipeline, end: endingPass },
    GPUComputePassEncoder: { setPipeline: namingPipeline, end: endingPass },
    GPUTexture: {
      createView: (native) => ({
        f(...args) {
          const view = forward(native, this, args);
          targets.note(view, this, args[0]?.label);
          return view;
        }
      }).f
    },
    GPUCanvasContext: {
      getCurrentTexture: (native) => ({
        f(...args) {
          const texture = forward(native, this, args);
          targets.noteCanvas(texture);
          return texture;
        }
      }).f
    }
  };
  function namingPipeline(native) {
    return {
      f(...args) {
        if (unnamed.encoder === this) {
          try {
            nameByPipeline(args[0]);
          } catch (error) {
            failed(error);
          }
        }
        return forward(native, this, args);
      }
    }.f;
  }
  function endingPass(native) {
    return {
      f(...args) {
        try {
          if (isCpuTimed) endPass(this);
        } catch (error) {
          failed(error);
        }
        return forward(native, this, args);
      }
    }.f;
  }
  function lateDevice(device) {
    status.lateDevices++;
    return watch(device);
  }
  var hooked = false;
  function hookWebGPU(scope2 = globalThis) {
    if (hooked) return true;
    if (!scope2.GPUDevice?.prototype) return false;
    hooked = true;
    saveNatives(scope2);
    targets = new TargetNames();
    for (const [name, methods] of Object.entries(METHODS)) {
      const prototype = scope2[name]?.prototype;
      for (const [method, make] of Object.entries(methods)) {
        if (prototype) replace(prototype, method, make);
      }
    }
    hookAnimationFrames(scope2);
    status.hooked("webgpu");
    return true;
  }
  var framesHooked = false;
  function hookAnimationFrames(scope2) {
    if (framesHooked) return;
    framesHooked = true;
    const clock2 = frameClock();
    for (const owner of [scope2, scope2.XRSession?.prototype]) {
      if (typeof owner?.requestAnimationFrame !== "function") continue;
      const holder = Object.hasOwn(owner, "requestAnimationFrame") ? owner : Object.getPrototypeOf(owner);
      replace(holder, "requestAnimationFrame", (native) => ({
        f(callback) {
          clock2.pageAsked();
          return Reflect.apply(native, this, arguments);
        }
      }).f);
    }
  }

  var apply = Reflect.apply;
  var defineProperty = Object.defineProperty;
  var describe = Object.getOwnPropertyDescriptor;
  function holderOf(prototype, name) {
    for (let at = prototype; at; at = Object.getPrototypeOf(at)) {
      if (describe(at, name)) return at;
    }
    return null;
  }
  var wrapped = /* @__PURE__ */ new WeakMap();
  function wrap(prototype, name, kind, make) {
    const holder = holderOf(prototype, name);
    const before = holder && describe(holder, name);
    if (!before || typeof before.value !== "function" || !before.configurable) return;
    let kinds = wrapped.get(holder);
    if (!kinds) wrapped.set(holder, kinds = /* @__PURE__ */ new Set());
    const key = `${kind} ${name}`;
    if (kinds.has(key)) return;
    kinds.add(key);
    const value = make(before.value);
    defineProperty(value, "name", { value: before.value.name, configurable: true });
    defineProperty(value, "length", { value: before.value.length, configurable: true });
    defineProperty(holder, name, { ...before, value });
  }
  function fault(error) {
    status.fail(error);
  }
  function preceded(native, before) {
    return {
      f() {
        try {
          before(this, arguments);
        } catch (error) {
          fault(error);
        }
        return apply(native, this, arguments);
      }
    }.f;
  }
  function followed(native, after) {
    return {
      f() {
        const result = apply(native, this, arguments);
        try {
          after(this, arguments, result);
        } catch (error) {
          fault(error);
        }
        return result;
      }
    }.f;
  }
  function replaced(native, call) {
    return {
      f() {
        return call(native, this, arguments);
      }
    }.f;
  }

  var GL = {
    timeElapsed: 35007,
    timestamp: 36392,
    gpuDisjoint: 36795,
    counterBits: 34916,
    currentQuery: 34917,
    queryResult: 34918,
    queryAvailable: 34919,
    framebuffer: 36160,
    readFramebuffer: 36008,
    drawFramebuffer: 36009,
    drawFramebufferBinding: 36006,
    // the same number as WebGL 1's FRAMEBUFFER_BINDING
    readFramebufferBinding: 36010,
    renderbufferBinding: 36007,
    back: 1029,
    colour0: 36064,
    depth: 36096,
    depthStencil: 33306
  };
  var TIMER_EXTENSION = { 1: "EXT_disjoint_timer_query", 2: "EXT_disjoint_timer_query_webgl2" };
  var CONTEXT = [
    "getExtension",
    "getParameter",
    "isContextLost",
    "createQuery",
    "deleteQuery",
    "beginQuery",
    "endQuery",
    "getQuery",
    "getQueryParameter"
  ];
  var EXTENSION = [
    "createQueryEXT",
    "deleteQueryEXT",
    "beginQueryEXT",
    "endQueryEXT",
    "getQueryEXT",
    "getQueryObjectEXT"
  ];
  var saved2 = /* @__PURE__ */ new WeakMap();
  function nativesOfPrototype(prototype, methods) {
    let functions = saved2.get(prototype);
    if (functions === void 0) {
      functions = {};
      for (const method of methods) functions[method] = prototype[method];
      saved2.set(prototype, functions);
    }
    return functions;
  }
  function contextClasses(scope2) {
    return [scope2.WebGLRenderingContext, scope2.WebGL2RenderingContext].filter((found) => typeof found === "function" && found.prototype);
  }
  function saveContextNatives(scope2) {
    for (const { prototype } of contextClasses(scope2)) nativesOfPrototype(prototype, CONTEXT);
  }
  saveContextNatives(globalThis);
  function contextNatives(gl) {
    return nativesOfPrototype(Object.getPrototypeOf(gl), CONTEXT);
  }
  function extensionNatives(extension) {
    return nativesOfPrototype(Object.getPrototypeOf(extension), EXTENSION);
  }

  var GUARD = "guard";
  var NO_TARGET = 0;
  var MULTIVIEW = "The page draws to a multiview framebuffer, where no elapsed query may be active: its passes are not timed.";
  var contexts = /* @__PURE__ */ new WeakMap();
  var watched = /* @__PURE__ */ new WeakSet();
  var asked = /* @__PURE__ */ new WeakSet();
  var multiview = /* @__PURE__ */ new WeakSet();
  var timerOf = () => void 0;
  function engineOf(gl) {
    return timerOf(gl)?.engine;
  }
  function reasonAgainst(gl) {
    return multiview.has(gl) ? MULTIVIEW : "";
  }
  function watchContext(gl) {
    watched.add(gl);
  }
  function isWatched(gl) {
    return watched.has(gl);
  }
  function isForbidden(gl) {
    return watched.has(gl) && !asked.has(gl);
  }
  function beginQuery(native, owner, gl, args) {
    const engine = args[0] === GL.timeElapsed ? engineOf(gl) : void 0;
    if (engine === void 0) return apply(native, owner, args);
    if (isForbidden(gl)) return apply(native, owner, [NO_TARGET, ...[...args].slice(1)]);
    makeRoom(gl, engine);
    const result = apply(native, owner, args);
    giveBack(engine);
    return result;
  }
  function endQuery(native, owner, gl, args) {
    const engine = args[0] === GL.timeElapsed ? engineOf(gl) : void 0;
    if (engine === void 0) return apply(native, owner, args);
    if (isForbidden(gl)) return apply(native, owner, [NO_TARGET]);
    const wasOurs = engine.active !== null;
    if (wasOurs) engine.suspend();
    const result = apply(native, owner, args);
    if (wasOurs) giveBack(engine);
    return result;
  }
  function makeRoom(gl, engine) {
    try {
      engine.suspend();
    } catch (error) {
      fault(error);
    }
  }
  function giveBack(engine) {
    try {
      engine.yielded();
    } catch (error) {
      fault(error);
    }
  }
  function getQuery(native, owner, gl, args) {
    const isElapsed = args[0] === GL.timeElapsed;
    const engine = isElapsed ? engineOf(gl) : void 0;
    if (engine !== void 0 && isForbidden(gl)) return apply(native, owner, [NO_TARGET, args[1]]);
    const result = apply(native, owner, args);
    return engine !== void 0 && result !== null && result === engine.active ? null : result;
  }
  function getParameter(native, gl, args) {
    const which = args[0];
    if (which !== GL.gpuDisjoint && which !== GL.timestamp) return apply(native, gl, args);
    const engine = engineOf(gl);
    if (engine === void 0 || !engine.measures) return apply(native, gl, args);
    if (isForbidden(gl)) return apply(native, gl, [NO_TARGET]);
    const result = apply(native, gl, args);
    return which === GL.gpuDisjoint ? engine.readForPage(result) : result;
  }
  function byExtension(call) {
    return (native, extension, args) => call(native, extension, contexts.get(extension), args);
  }
  function byContext(call) {
    return (native, gl, args) => call(native, gl, gl, args);
  }
  function guardExtension(gl, name, extension) {
    if (extension === null || typeof extension !== "object") return;
    contexts.set(extension, gl);
    const prototype = Object.getPrototypeOf(extension);
    if (name === TIMER_EXTENSION[1]) {
      extensionNatives(extension);
      wrap(prototype, "beginQueryEXT", GUARD, (native) => replaced(native, byExtension(beginQuery)));
      wrap(prototype, "endQueryEXT", GUARD, (native) => replaced(native, byExtension(endQuery)));
      wrap(prototype, "getQueryEXT", GUARD, (native) => replaced(native, byExtension(getQuery)));
    }
    for (const method of ["framebufferTextureMultiviewOVR", "framebufferTextureMultisampleMultiviewOVR"]) {
      if (typeof prototype[method] !== "function") continue;
      wrap(prototype, method, GUARD, (native) => preceded(native, (extension2) => {
        multiview.add(contexts.get(extension2));
        engineOf(contexts.get(extension2))?.stop(MULTIVIEW);
      }));
    }
  }
  var extensionListeners = /* @__PURE__ */ new Set();
  function onExtension(gl, args, extension) {
    if (!extension) return;
    const name = String(args[0]);
    const timer = Object.values(TIMER_EXTENSION).find((known2) => known2.toLowerCase() === name.toLowerCase());
    if (timer) asked.add(gl);
    guardExtension(gl, timer ?? name, extension);
    for (const listener of extensionListeners) listener(gl, name, extension);
  }
  function contextOf(extension) {
    return contexts.get(extension);
  }
  function guardPrototype(prototype, find) {
    timerOf = find;
    wrap(prototype, "getExtension", GUARD, (native) => followed(native, onExtension));
    wrap(prototype, "getParameter", GUARD, (native) => replaced(native, getParameter));
    wrap(prototype, "beginQuery", GUARD, (native) => replaced(native, byContext(beginQuery)));
    wrap(prototype, "endQuery", GUARD, (native) => replaced(native, byContext(endQuery)));
    wrap(prototype, "getQuery", GUARD, (native) => replaced(native, byContext(getQuery)));
  }
  function guardClasses(scope2, find) {
    for (const { prototype } of contextClasses(scope2)) guardPrototype(prototype, find);
  }
  function guardContext(gl, find) {
    const natives = contextNatives(gl);
    guardPrototype(Object.getPrototypeOf(gl), find);
    if (typeof natives.createQuery !== "function") {
      guardExtension(gl, TIMER_EXTENSION[1], natives.getExtension.call(gl, TIMER_EXTENSION[1]));
    }
  }

  var WORD = 4294967296;
  var Flight = class {
    constructor() {
      this.queries = [];
      this.owners = [];
      this.count = 0;
      this.entry = 0;
      this.life = 0;
      this.flying = false;
      this.isVoid = false;
    }
    add(query, pair) {
      this.queries[this.count] = query;
      this.owners[this.count++] = pair;
    }
    isReady(queries) {
      for (let i = this.count - 1; i >= 0; i--) {
        if (!queries.isReady(this.queries[i])) return false;
      }
      return true;
    }
    /**
     * Each pair's own pieces, added up. A value that is no count of nanoseconds counts as not there,
     * and what the counter does not hold as the most that it does, which no envelope allows.
     * @param {Float64Array} sums room for the pairs
     * @param {number} mostNs what the counter holds
     */
    write(queries, context, sums, mostNs) {
      const pairs = context.pairEnd(this.entry);
      const ticks = context.ticksAt(this.entry);
      const available = context.availableAt(this.entry);
      available.fill(0, 0, 2 * pairs);
      sums.fill(0, 0, pairs);
      for (let i = 0; i < this.count; i++) {
        const pair = this.owners[i];
        const ns = queries.result(this.queries[i]);
        sums[pair] += typeof ns === "number" && ns >= 0 ? ns : NaN;
        available[2 * pair] = available[2 * pair + 1] = 1;
      }
      for (let pair = 0; pair < pairs; pair++) {
        const ns = sums[pair] > mostNs ? mostNs : sums[pair];
        if (Number.isNaN(ns)) available[2 * pair] = available[2 * pair + 1] = 0;
        ticks[4 * pair] = ns % WORD;
        ticks[4 * pair + 1] = ns / WORD;
        ticks[4 * pair + 2] = ticks[4 * pair + 3] = 0;
      }
    }
    forget() {
      this.queries.length = 0;
      this.count = 0;
      this.flying = false;
    }
  };

  var Queries = class {
    constructor(gl, extension) {
      this.gl = gl;
      this.extension = extension;
      this.natives = contextNatives(gl);
    }
    isContextLost() {
      return this.natives.isContextLost.call(this.gl);
    }
    disjoint() {
      return this.natives.getParameter.call(this.gl, GL.gpuDisjoint) === true;
    }
  };
  var Queries2 = class extends Queries {
    get version() {
      return 2;
    }
    create() {
      return this.natives.createQuery.call(this.gl);
    }
    remove(query) {
      this.natives.deleteQuery.call(this.gl, query);
    }
    begin(query) {
      this.natives.beginQuery.call(this.gl, GL.timeElapsed, query);
    }
    end() {
      this.natives.endQuery.call(this.gl, GL.timeElapsed);
    }
    current() {
      return this.natives.getQuery.call(this.gl, GL.timeElapsed, GL.currentQuery);
    }
    bits(target) {
      return this.natives.getQuery.call(this.gl, target, GL.counterBits) || 0;
    }
    isReady(query) {
      return this.natives.getQueryParameter.call(this.gl, query, GL.queryAvailable) === true;
    }
    result(query) {
      return this.natives.getQueryParameter.call(this.gl, query, GL.queryResult);
    }
  };
  var Queries1 = class extends Queries {
    constructor(gl, extension) {
      super(gl, extension);
      this.ext = extensionNatives(extension);
    }
    get version() {
      return 1;
    }
    create() {
      return this.ext.createQueryEXT.call(this.extension);
    }
    remove(query) {
      this.ext.deleteQueryEXT.call(this.extension, query);
    }
    begin(query) {
      this.ext.beginQueryEXT.call(this.extension, GL.timeElapsed, query);
    }
    end() {
      this.ext.endQueryEXT.call(this.extension, GL.timeElapsed);
    }
    current() {
      return this.ext.getQueryEXT.call(this.extension, GL.timeElapsed, GL.currentQuery);
    }
    bits(target) {
      return this.ext.getQueryEXT.call(this.extension, target, GL.counterBits) || 0;
    }
    isReady(query) {
      return this.ext.getQueryObjectEXT.call(this.extension, query, GL.queryAvailable) === true;
    }
    result(query) {
      return this.ext.getQueryObjectEXT.call(this.extension, query, GL.queryResult);
    }
  };
  function versionOf(gl) {
    return typeof contextNatives(gl).createQuery === "function" ? 2 : 1;
  }
  function openQueries(gl) {
    const version = versionOf(gl);
    const name = TIMER_EXTENSION[version];
    const extension = contextNatives(gl).getExtension.call(gl, name);
    if (!extension) return { queries: null, reason: `The context has no ${name}.` };
    const queries = version === 2 ? new Queries2(gl, extension) : new Queries1(gl, extension);
    if (queries.bits(GL.timeElapsed) === 0) {
      return { queries: null, reason: "The context's elapsed counter has no bits." };
    }
    return { queries, reason: "" };
  }

  var QUERIES_MOST = 16384;
  var BITS_SHIFT2 = 8;
  var REFUSED2 = -2;
  var UNTIMED = -1;
  var GlEngine = class {
    constructor(gl, options = {}) {
      const { queries, reason } = openQueries(gl);
      const maxPasses = options.maxPasses ?? 1024;
      const bits = queries ? queries.bits(GL.timeElapsed) : 0;
      this.gl = gl;
      this.queries = queries;
      this.problem = reason;
      this.context = new Context({
        source: queries ? SOURCE.elapsed : SOURCE.cpuRecord,
        flags: queries ? FLAG.exclusive | FLAG.unverified | bits << BITS_SHIFT2 : 0,
        maxPasses,
        framesInFlight: options.framesInFlight ?? 8,
        outputFrames: options.framesInFlight ?? 8,
        timeoutMs: options.timeoutMs ?? 0,
        maxRecorders: 1
      });
      this.mostNs = bits < 53 ? 2 ** bits - 1 : Number.MAX_SAFE_INTEGER;
      this.measures = queries !== null;
      this.on = true;
      this.lost = false;
      this.stopped = "";
      this.number = 0;
      this.open = false;
      this.rec = 0;
      this.beganNs = 0;
      this.restNs = 0;
      this.stack = [];
      this.active = null;
      this.lazy = false;
      this.pool = [];
      this.made = 0;
      this.flights = [];
      this.flying = [];
      this.sums = new Float64Array(maxPasses);
      this.disjoints = 0;
      this.pageDisjoint = false;
      this.listeners = /* @__PURE__ */ new Set();
      this.clock = null;
      if (this.measures) this.pageDisjoint = queries.disjoint();
    }
    // Frames ------------------------------------------------------------------------------------
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
      const flight = this.flights[entry] ??= new Flight();
      if (flight.flying) this.giveUp(flight);
      flight.entry = entry;
      flight.count = 0;
      flight.isVoid = false;
      this.flight = flight;
    }
    giveUp(flight) {
      for (let i = 0; i < flight.count; i++) this.queries.remove(flight.queries[i]);
      this.made -= flight.count;
      flight.flying = false;
      this.flying.splice(this.flying.indexOf(flight), 1);
    }
    frame() {
      if (!this.context.self) return;
      if (this.open) this.endFrame(this.restNs || nowNs());
      this.poll();
    }
    endFrame(ns) {
      const { context, rec, number } = this;
      this.stopPiece();
      this.stack.length = 0;
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
      if (this.measures && !flight.flying) this.recycle(flight);
    }
    recycle(flight) {
      for (let i = 0; i < flight.count; i++) this.pool.push(flight.queries[i]);
      flight.count = 0;
      flight.flying = false;
    }
    // Passes ------------------------------------------------------------------------------------
    begin(name) {
      const rec = this.opened();
      let pair = UNTIMED;
      this.restNs = 0;
      if (rec !== 0) {
        const { context } = this;
        pair = context.open(rec, context.nameOf(rec, name), nowNs());
      }
      if (pair >= 0 && this.measures && !this.startPass(pair)) {
        if (this.rec === 0) return;
        this.context.refuse(rec, pair);
        pair = REFUSED2;
      }
      this.stack.push(pair);
    }
    end() {
      const { stack } = this;
      this.noteRest();
      if (stack.length === 0) {
        if (this.rec !== 0) this.context.close(this.rec, nowNs());
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
    startPass(pair) {
      if (this.stopOrRefuse() && this.startPiece(pair)) return true;
      this.refuseAll();
      return false;
    }
    startPiece(pair) {
      const { queries, flight } = this;
      if (this.stopped !== "" || this.lost || queries.current() !== null) return false;
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
      const query = this.queries.create() ?? null;
      if (query !== null) this.made++;
      return query;
    }
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
    refuseAll() {
      const { stack, rec } = this;
      this.stopPiece();
      for (let i = 0; i < stack.length; i++) {
        if (stack[i] < 0) continue;
        this.context.refuse(rec, stack[i]);
        stack[i] = REFUSED2;
      }
    }
    suspend() {
      this.noteRest();
      if (this.active !== null) this.stopOrRefuse();
    }
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
      const { context, listeners: listeners2 } = this;
      if (listeners2.size === 0) {
        while (context.skip()) ;
        return;
      }
      for (let frame; context.self && (frame = context.next()) !== null; ) {
        for (const listener of listeners2) tell2(listener, frame);
      }
    }
    isPending() {
      return this.context.self !== 0 && (this.flying.length > 0 || this.open);
    }
    // The page ----------------------------------------------------------------------------------
    readForPage(value) {
      this.noteDisjoint(value === true);
      const isSet = this.pageDisjoint;
      this.pageDisjoint = false;
      return isSet ? true : value;
    }
    stop(reason) {
      if (this.stopped !== "") return;
      if (this.measures) this.refuseAll();
      this.stopped = reason;
    }
    enable(on) {
      if (!on && this.open) this.endFrame(nowNs());
      this.on = on;
      this.context.enable(on);
    }
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
      this.contextLost();
      if (this.measures) {
        const { queries, reason } = openQueries(this.gl);
        this.problem = reason;
        if (queries === null) return;
        this.queries = queries;
        this.noteDisjoint(queries.disjoint());
      }
      this.lost = false;
      this.context.setLost(false);
    }
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
  };
  function tell2(listener, frame) {
    try {
      listener(frame);
    } catch (error) {
      globalThis.console?.error("passtime: a frame listener threw", error);
    }
  }

  var NS_PER_MS2 = 1e6;
  var RENDERER = 7937;
  var UNMASKED_RENDERER = 37446;
  var MASKED = "WebKit WebGL";
  var SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
  var listen = globalThis.EventTarget?.prototype.addEventListener;
  var unlisten = globalThis.EventTarget?.prototype.removeEventListener;
  var Seat = class {
    constructor(timer, clock2) {
      this.timer = new WeakRef(timer);
      this.clock = clock2;
    }
    boundary() {
      const timer = this.timer.deref();
      if (timer !== void 0) timer.frame();
      else this.clock.leave(this);
    }
    isStuck(ns, limit) {
      return this.timer.deref()?.isStuck(ns, limit) ?? false;
    }
    isPending() {
      return this.timer.deref()?.isPending() ?? false;
    }
    pulse() {
      this.timer.deref()?.pulse();
    }
  };
  var contexts2 = globalThis.FinalizationRegistry && new FinalizationRegistry((context) => context.destroy());
  var WebGLTimer = class {
    constructor(gl, options = {}) {
      this.gl = gl;
      this.version = versionOf(gl);
      this.engine = new GlEngine(gl, options);
      this.context = this.engine.context;
      contexts2?.register(this, this.context, this);
      this.names = new Names();
      this.name = options.name ?? "canvas";
      this.adapter = adapterOf2(gl);
      this.budgetNs = 0;
      this.passes = null;
      this.byHand = 0;
      this.seat = null;
      this.watchLoss();
      if (options.budgetMs) this.budget(options.budgetMs);
      if (options.every) this.every(options.every);
      if (options.frames === "auto") this.automaticFrames().always = true;
    }
    get method() {
      return this.engine.measures ? "elapsed" : "cpu";
    }
    get status() {
      const { engine } = this;
      if (!this.context.self) return { state: "destroyed", text: "This timer was destroyed." };
      if (engine.lost) return { state: "lost", text: `The context is lost; timing goes on once it is restored. ${engine.problem}`.trim() };
      if (engine.stopped) return { state: "stopped", text: engine.stopped };
      if (!engine.measures) return { state: "cpu", text: `${engine.problem} CPU times stand in, and are called so.` };
      return { state: "timing", text: "Passes are timed by elapsed queries." };
    }
    watchLoss() {
      this.onLost = () => {
        this.byHand = 0;
        this.passes?.reset();
        this.engine.contextLost();
      };
      this.onRestored = () => {
        this.engine.contextRestored();
        this.passes?.reset();
      };
      const { canvas } = this.gl;
      if (!canvas || !listen) return;
      listen.call(canvas, "webglcontextlost", this.onLost, true);
      listen.call(canvas, "webglcontextrestored", this.onRestored, true);
    }
    automaticFrames() {
      const clock2 = frameClock();
      if (this.seat === null) {
        this.engine.clock = clock2;
        this.seat = new Seat(this, clock2);
        clock2.join(this.seat);
      }
      return clock2;
    }
    /**
     * Begins a pass; passes nest, and each ends with `end()`. Automatic passes rest meanwhile.
     * @param {string} name
     */
    begin(name) {
      if (!this.context.self) return;
      this.passes?.boundary();
      this.byHand++;
      this.engine.begin(this.names.of(name));
    }
    end() {
      if (!this.context.self) return;
      if (this.byHand > 0) this.byHand--;
      else this.passes?.boundary();
      this.engine.end();
    }
    /**
     * A pass around `work`.
     * @template T @param {string} name @param {() => T} work @returns {T} what `work` returns
     */
    pass(name, work) {
      this.begin(name);
      try {
        return work();
      } finally {
        this.end();
      }
    }
    /**
     * Passes begun while `work` runs belong to the scope; scopes nest.
     * @template T @param {string} name @param {() => T} work @returns {T} what `work` returns
     */
    scope(name, work) {
      this.beginScope(name);
      try {
        return work();
      } finally {
        this.endScope();
      }
    }
    beginScope(name) {
      if (!this.context.self) return;
      this.passes?.boundary();
      const rec = this.engine.opened();
      if (rec !== 0) this.context.scopeBegin(rec, this.context.nameOf(rec, this.names.of(name)));
    }
    endScope() {
      this.passes?.boundary();
      if (this.context.self && this.engine.rec !== 0) this.context.scopeEnd(this.engine.rec);
    }
    frame() {
      this.passes?.boundary();
      this.byHand = 0;
      this.engine.frame();
    }
    isStuck(ns, limit) {
      return this.engine.open && ns - this.engine.beganNs > limit;
    }
    isPending() {
      return this.engine.isPending();
    }
    pulse() {
      if (!this.engine.open) this.engine.poll();
    }
    disjoint() {
      const { engine } = this;
      if (!this.context.self || engine.lost || !engine.measures) return false;
      return engine.readForPage(engine.queries.disjoint());
    }
    // Figures -----------------------------------------------------------------------------------
    report() {
      return reportDocument([this.contextReport()]);
    }
    contextReport() {
      const { adapter, budgetNs, engine } = this;
      return contextReport(this.context.figures, {
        id: this.name,
        api: `webgl${this.version}`,
        adapter,
        software: adapter.software,
        budgetNs,
        reason: engine.problem.replace(/\.$/, "")
      });
    }
    stats() {
      return summarize(this.context.figures, this.budgetNs, this.adapter.software);
    }
    notes() {
      return this.context.figures.notes();
    }
    on(event, listener) {
      if (event !== "frame") throw new TypeError(`passtime: no event '${event}'; there is 'frame'`);
      this.engine.listeners.add(listener);
      return this;
    }
    off(event, listener) {
      this.engine.listeners.delete(listener);
      return this;
    }
    enable(on = true) {
      this.passes?.boundary();
      this.engine.enable(on);
      return this;
    }
    every(frames2) {
      this.context.every(frames2);
      return this;
    }
    budget(ms) {
      this.budgetNs = ms * NS_PER_MS2;
      this.context.budget(this.budgetNs);
      return this;
    }
    reset() {
      this.context.resetStats();
      return this;
    }
    destroy() {
      const { canvas } = this.gl;
      if (this.seat !== null) this.engine.clock.leave(this.seat);
      contexts2?.unregister(this);
      if (canvas && unlisten) {
        unlisten.call(canvas, "webglcontextlost", this.onLost, true);
        unlisten.call(canvas, "webglcontextrestored", this.onRestored, true);
      }
      this.engine.destroy();
      if (timers2.get(this.gl) === this) timers2.delete(this.gl);
    }
  };
  function adapterOf2(gl) {
    const { getExtension, getParameter: getParameter2 } = contextNatives(gl);
    let name = getParameter2.call(gl, RENDERER) || null;
    if (name === MASKED && getExtension.call(gl, "WEBGL_debug_renderer_info")) {
      name = getParameter2.call(gl, UNMASKED_RENDERER) || name;
    }
    const software = SOFTWARE.test(name ?? "");
    return { name, driver: null, kind: software ? "cpu" : null, software };
  }
  var timers2 = /* @__PURE__ */ new WeakMap();
  var live = /* @__PURE__ */ new Set();
  function webglTimers() {
    const list = [];
    for (const reference of live) {
      const timer = reference.deref();
      if (timer?.context.self) list.push(timer);
      else live.delete(reference);
    }
    return list;
  }
  function timerOf2(gl) {
    return timers2.get(gl);
  }
  function isContext(gl) {
    try {
      return typeof contextNatives(gl).isContextLost.call(gl) === "boolean";
    } catch {
      return false;
    }
  }
  function attachWebGL(gl, options) {
    const found = timers2.get(gl);
    if (found) return found;
    if (!isContext(gl)) throw new TypeError("Passtime.attachWebGL needs a WebGL context (not a wrapper of one)");
    const timer = new WebGLTimer(gl, options);
    timers2.set(gl, timer);
    live.add(new WeakRef(timer));
    guardContext(gl, timerOf2);
    if (reasonAgainst(gl)) timer.engine.stop(reasonAgainst(gl));
    return timer;
  }

  var FORMATS = {
    32856: "RGBA8",
    32849: "RGB8",
    33321: "R8",
    33323: "RG8",
    35907: "SRGB8_ALPHA8",
    35905: "SRGB8",
    32854: "RGBA4",
    32855: "RGB5_A1",
    36194: "RGB565",
    32857: "RGB10_A2",
    36975: "RGB10_A2UI",
    33325: "R16F",
    33327: "RG16F",
    34843: "RGB16F",
    34842: "RGBA16F",
    33326: "R32F",
    33328: "RG32F",
    34837: "RGB32F",
    34836: "RGBA32F",
    35898: "R11F_G11F_B10F",
    35901: "RGB9_E5",
    33330: "R8UI",
    33332: "R16UI",
    33334: "R32UI",
    33329: "R8I",
    33331: "R16I",
    33333: "R32I",
    33340: "RG32UI",
    33339: "RG32I",
    36208: "RGBA32UI",
    36226: "RGBA32I",
    36220: "RGBA8UI",
    36214: "RGBA16UI",
    33189: "DEPTH16",
    33190: "DEPTH24",
    36012: "DEPTH32F",
    35056: "DEPTH24_STENCIL8",
    36013: "DEPTH32F_STENCIL8",
    6402: "DEPTH",
    34041: "DEPTH_STENCIL",
    36168: "STENCIL8",
    6408: "RGBA",
    6407: "RGB",
    6406: "ALPHA",
    6409: "LUMINANCE",
    6410: "LUMINANCE_ALPHA"
  };
  var TYPES = { 5121: "8", 5131: "16F", 36193: "16F", 5126: "32F", 33635: "565", 32819: "4", 32820: "5_A1" };
  var UNSIZED = /* @__PURE__ */ new Set([6408, 6407, 6406, 6409, 6410]);
  var TEXTURE_BINDINGS = { 3553: 32873, 34067: 34068, 32879: 32874, 35866: 35869 };
  var CUBE_FACE_FIRST = 34069;
  var CUBE_FACE_LAST = 34074;
  var CUBE = 34067;
  var LABEL_MOST2 = 160;
  var images = /* @__PURE__ */ new WeakMap();
  var framebuffers = /* @__PURE__ */ new WeakMap();
  var numbers = /* @__PURE__ */ new WeakMap();
  var Framebuffer = class {
    constructor(number) {
      this.number = number;
      this.image = null;
      this.level = 0;
      this.hasColour = false;
      this.drawBuffers = null;
      this.name = "";
      this.label = void 0;
    }
  };
  function numbersOf(gl) {
    let found = numbers.get(gl);
    if (!found) numbers.set(gl, found = { next: 1, free: [] });
    return found;
  }
  function noteOf(gl, framebuffer) {
    let note = framebuffers.get(framebuffer);
    if (!note) {
      const { free } = numbersOf(gl);
      note = new Framebuffer(free.length > 0 ? free.shift() : numbersOf(gl).next++);
      framebuffers.set(framebuffer, note);
    }
    return note;
  }
  function forgetFramebuffer(gl, framebuffer) {
    const note = framebuffer && framebuffers.get(framebuffer);
    if (!note) return;
    framebuffers.delete(framebuffer);
    const { free } = numbersOf(gl);
    free.push(note.number);
    free.sort((a, b) => a - b);
  }
  function boundTexture(gl, target) {
    const isFace = target >= CUBE_FACE_FIRST && target <= CUBE_FACE_LAST;
    const binding2 = TEXTURE_BINDINGS[isFace ? CUBE : target];
    return binding2 === void 0 ? null : contextNatives(gl).getParameter.call(gl, binding2);
  }
  function formatName(format, type) {
    const name = FORMATS[format];
    if (name === void 0) return "";
    return UNSIZED.has(format) && TYPES[type] !== void 0 ? name + TYPES[type] : name;
  }
  function noteImage(object, width, height, format, samples = 0) {
    if (object === null || typeof object !== "object") return;
    const known2 = images.get(object);
    if (known2) {
      known2.width = width;
      known2.height = height;
      known2.format = format;
      known2.samples = samples;
      known2.version++;
    } else {
      images.set(object, { width, height, format, samples, version: 0 });
    }
  }
  function noteTexImage2D(gl, args) {
    if (args.length < 9 || args[1] !== 0) return;
    noteImage(boundTexture(gl, args[0]), args[3], args[4], formatName(args[2], args[7]));
  }
  function noteTexImage3D(gl, args) {
    if (args[1] !== 0) return;
    noteImage(boundTexture(gl, args[0]), args[3], args[4], formatName(args[2], args[8]));
  }
  function noteTexStorage(gl, args) {
    noteImage(boundTexture(gl, args[0]), args[3], args[4], formatName(args[2]));
  }
  function noteRenderbuffer(gl, format, width, height, samples) {
    const renderbuffer = contextNatives(gl).getParameter.call(gl, GL.renderbufferBinding);
    noteImage(renderbuffer, width, height, formatName(format), samples);
  }
  function boundFramebuffer(gl, target) {
    const binding2 = target === GL.readFramebuffer ? GL.readFramebufferBinding : GL.drawFramebufferBinding;
    return contextNatives(gl).getParameter.call(gl, binding2);
  }
  function noteAttachment(gl, target, attachment, object, level) {
    const framebuffer = boundFramebuffer(gl, target);
    if (framebuffer === null) return null;
    const note = noteOf(gl, framebuffer);
    const isColour = attachment === GL.colour0;
    if (isColour || !note.hasColour && (attachment === GL.depth || attachment === GL.depthStencil)) {
      note.image = (object && images.get(object)) ?? null;
      note.level = level;
      note.hasColour = isColour && object !== null;
      note.name = "";
    }
    return framebuffer;
  }
  function labelOf(framebuffer) {
    const label = framebuffer.label ?? framebuffer.__SPECTOR_Metadata?.name;
    return typeof label === "string" && label !== "" ? label.slice(0, LABEL_MOST2) : void 0;
  }
  function describe2({ number, image, level }) {
    if (image === null) return `framebuffer ${number}`;
    const width = Math.max(1, image.width >> level);
    const height = Math.max(1, image.height >> level);
    const format = image.format && ` ${image.format}`;
    return `framebuffer ${number} ${width}x${height}${format}${image.samples > 0 ? ` x${image.samples}` : ""}`;
  }
  function nameOfTarget(gl, framebuffer) {
    if (framebuffer === null) return "canvas";
    const note = noteOf(gl, framebuffer);
    const label = labelOf(framebuffer);
    const version = note.image?.version ?? 0;
    if (note.name === "" || label !== note.label || version !== note.version) {
      note.label = label;
      note.version = version;
      note.name = label ?? describe2(note);
    }
    return note.name;
  }
  function noteDrawBuffers(gl, framebuffer, list) {
    if (framebuffer === null) return false;
    const note = noteOf(gl, framebuffer);
    const before = note.drawBuffers ?? [GL.colour0];
    const now2 = Array.from(list);
    note.drawBuffers = now2;
    return now2.length !== before.length || now2.some((buffer, i) => buffer !== before[i]);
  }

  var queueMicrotask = globalThis.queueMicrotask?.bind(globalThis);
  var drawing = null;
  var AutoPasses = class {
    constructor(timer) {
      this.timer = timer;
      this.engine = timer.engine;
      this.gl = timer.gl;
      this.open = false;
      this.drawn = false;
      this.armed = false;
      this.onTaskEnd = () => this.taskEnded();
      this.reset();
    }
    reset() {
      this.open = false;
      this.drawn = false;
      this.target = contextNatives(this.gl).getParameter.call(this.gl, GL.drawFramebufferBinding) ?? null;
    }
    draw() {
      if (this.work()) this.drawn = true;
    }
    clear() {
      if (this.drawn) this.boundary();
      this.work();
    }
    work() {
      const { engine } = this;
      if (!engine.on || engine.stopped !== "" || this.timer.byHand > 0) return false;
      if (drawing !== this) {
        drawing?.rest();
        drawing = this;
      }
      if (!this.open) {
        this.open = true;
        engine.lazy = true;
        engine.begin(this.timer.names.of(nameOfTarget(this.gl, this.target)));
      } else if (engine.active === null) {
        engine.resume();
      }
      if (!this.armed) this.arm();
      return true;
    }
    arm() {
      this.armed = true;
      if (queueMicrotask) queueMicrotask(this.onTaskEnd);
    }
    taskEnded() {
      this.armed = false;
      if (drawing === this) drawing = null;
      try {
        this.rest();
      } catch (error) {
        fault(error);
      }
    }
    rest() {
      if (!this.open) return;
      if (this.engine.measures) this.engine.suspend();
      else this.boundary();
    }
    boundary() {
      if (!this.open) return;
      this.open = false;
      this.drawn = false;
      this.engine.end();
      this.engine.lazy = false;
    }
    bind(framebuffer) {
      if (framebuffer === this.target) return;
      this.boundary();
      this.target = framebuffer;
    }
    changed(framebuffer) {
      if (framebuffer === this.target) this.boundary();
    }
  };

  var AUTO = "auto";
  var DRAWS = [
    "drawArrays",
    "drawElements",
    "drawArraysInstanced",
    "drawElementsInstanced",
    "drawRangeElements",
    "blitFramebuffer"
  ];
  var EXTENSION_DRAWS = [
    "drawArraysInstancedANGLE",
    "drawElementsInstancedANGLE",
    "multiDrawArraysWEBGL",
    "multiDrawElementsWEBGL",
    "multiDrawArraysInstancedWEBGL",
    "multiDrawElementsInstancedWEBGL",
    "drawArraysInstancedBaseInstanceWEBGL",
    "drawElementsInstancedBaseVertexBaseInstanceWEBGL",
    "multiDrawArraysInstancedBaseInstanceWEBGL",
    "multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL"
  ];
  var CLEARS = ["clear", "clearBufferfv", "clearBufferiv", "clearBufferuiv", "clearBufferfi"];
  var installed = false;
  var hopeless = /* @__PURE__ */ new WeakSet();
  var listeners = /* @__PURE__ */ new Set();
  var settings = {};
  function passesOf(gl) {
    const timer = timerOf2(gl);
    if (timer !== void 0) return timer.passes ??= new AutoPasses(timer);
    return hopeless.has(gl) ? null : attach(gl);
  }
  function attach(gl) {
    if (gl === null || typeof gl !== "object") return null;
    hopeless.add(gl);
    if (!getCore()) {
      status.blocked(coreBlocked());
      return null;
    }
    try {
      const timer = attachWebGL(gl, settings);
      timer.automaticFrames();
      timer.passes = new AutoPasses(timer);
      hopeless.delete(gl);
      status.devicesSeen++;
      for (const listener of listeners) listener(timer);
      return timer.passes;
    } catch (error) {
      fault(error);
      return null;
    }
  }
  function known(gl) {
    return timerOf2(gl)?.passes ?? null;
  }
  var draw = (gl) => passesOf(gl)?.draw();
  var clear = (gl) => passesOf(gl)?.clear();
  function bind(gl, [target, framebuffer]) {
    if (target !== GL.readFramebuffer) known(gl)?.bind(framebuffer ?? null);
  }
  function attached(gl, target, attachment, object, level) {
    const framebuffer = noteAttachment(gl, target, attachment, object ?? null, level);
    if (target !== GL.readFramebuffer) known(gl)?.changed(framebuffer);
  }
  function deleted(gl, [framebuffer]) {
    const passes = known(gl);
    if (framebuffer && passes?.target === framebuffer) passes.bind(null);
    forgetFramebuffer(gl, framebuffer);
  }
  function drawBuffers(gl, [list]) {
    const framebuffer = boundFramebuffer(gl, GL.drawFramebuffer);
    if (list && noteDrawBuffers(gl, framebuffer, list)) known(gl)?.changed(framebuffer);
  }
  var BEFORE = {
    bindFramebuffer: bind,
    deleteFramebuffer: deleted,
    drawBuffers,
    framebufferTexture2D: (gl, a) => attached(gl, a[0], a[1], a[3], a[4]),
    framebufferRenderbuffer: (gl, a) => attached(gl, a[0], a[1], a[3], 0),
    framebufferTextureLayer: (gl, a) => attached(gl, a[0], a[1], a[2], a[3]),
    texImage2D: noteTexImage2D,
    texImage3D: noteTexImage3D,
    texStorage2D: noteTexStorage,
    texStorage3D: noteTexStorage,
    renderbufferStorage: (gl, a) => noteRenderbuffer(gl, a[1], a[2], a[3], 0),
    renderbufferStorageMultisample: (gl, a) => noteRenderbuffer(gl, a[2], a[3], a[4], a[1])
  };
  function hookContextClass({ prototype }) {
    for (const name of DRAWS) wrap(prototype, name, AUTO, (native) => preceded(native, draw));
    for (const name of CLEARS) wrap(prototype, name, AUTO, (native) => preceded(native, clear));
    for (const [name, before] of Object.entries(BEFORE)) {
      wrap(prototype, name, AUTO, (native) => preceded(native, before));
    }
    wrap(prototype, "createFramebuffer", AUTO, (native) => followed(native, (gl, args, framebuffer) => {
      if (framebuffer) noteOf(gl, framebuffer);
    }));
  }
  function hookExtension(gl, name, extension) {
    const prototype = Object.getPrototypeOf(extension);
    for (const method of EXTENSION_DRAWS) {
      if (typeof prototype[method] !== "function") continue;
      wrap(prototype, method, AUTO, (native) => preceded(native, (object) => draw(contextOf(object))));
    }
    if (typeof prototype.drawBuffersWEBGL === "function") {
      wrap(prototype, "drawBuffersWEBGL", AUTO, (native) => preceded(native, (object, args) => {
        drawBuffers(contextOf(object), args);
      }));
    }
  }
  function hookCanvasClass(canvasClass, scope2, seen) {
    if (typeof canvasClass !== "function") return;
    const classes = contextClasses(scope2);
    wrap(canvasClass.prototype, "getContext", AUTO, (native) => followed(native, (canvas, args, context) => {
      if (!context || seen.has(context) || !classes.some((known2) => context instanceof known2)) return;
      seen.add(context);
      watchContext(context);
    }));
  }
  function hookWebGL(scope2 = globalThis, options = {}) {
    settings = options;
    if (installed || contextClasses(scope2).length === 0) return;
    installed = true;
    status.hooked("webgl");
    hookAnimationFrames(scope2);
    try {
      saveContextNatives(scope2);
      guardClasses(scope2, timerOf2);
      for (const contextClass of contextClasses(scope2)) hookContextClass(contextClass);
      extensionListeners.add(hookExtension);
      const seen = /* @__PURE__ */ new WeakSet();
      hookCanvasClass(scope2.HTMLCanvasElement, scope2, seen);
      hookCanvasClass(scope2.OffscreenCanvas, scope2, seen);
    } catch (error) {
      fault(error);
    }
  }
  function onWebGLTimer(listener) {
    for (const timer of webglTimers()) listener(timer);
    listeners.add(listener);
  }

  var URL_UNITS = 1024;
  var TEXT_UNITS2 = 512;
  var NOTES_MOST = 32;
  var SCOPES2 = { DedicatedWorkerGlobalScope: "worker", SharedWorkerGlobalScope: "shared", ServiceWorkerGlobalScope: "service" };
  function kindOf(scope2) {
    for (const [name, kind] of Object.entries(SCOPES2)) {
      if (typeof scope2[name] === "function" && scope2 instanceof scope2[name]) return kind;
    }
    return scope2.window !== void 0 && scope2.top !== scope2.window ? "frame" : "page";
  }
  function gpuGetter(scope2) {
    const { navigator } = scope2;
    if (!navigator) return void 0;
    if (Object.getOwnPropertyDescriptor(navigator, "gpu")) return "own";
    const prototype = Object.getPrototypeOf(navigator);
    return Object.getOwnPropertyDescriptor(prototype, "gpu")?.get;
  }
  var Realm = class {
    constructor(scope2, sender2) {
      this.scope = scope2;
      this.sender = sender2;
      this.kind = kindOf(scope2);
      this.gpu = gpuGetter(scope2);
      this.lateGl = 0;
      this.said = "";
      this.notes = /* @__PURE__ */ new Set();
    }
    get webgpu() {
      const { scope: scope2 } = this;
      if (gpuGetter(scope2) !== this.gpu) return "own";
      if (!status.apis.includes("webgpu")) return "absent";
      return status.lateDevices + status.strangers > 0 ? "late" : "hooked";
    }
    get webgl() {
      if (!status.apis.includes("webgl")) return "absent";
      return this.lateGl > 0 ? "late" : "hooked";
    }
    get text() {
      const { webgpu, webgl, scope: scope2, lateGl } = this;
      const sentences = [];
      if (webgpu === "own") {
        sentences.push(status.devicesSeen > 0 ? "The page has put a navigator.gpu of its own in the place of the browser's; the devices that reach the browser are timed." : "The page has put a navigator.gpu of its own in the place of the browser's, and no device of the browser's was seen.");
      } else if (webgpu === "absent") {
        sentences.push(scope2.isSecureContext === false ? "WebGPU is not offered here: the page is no secure context (use https or localhost)." : "WebGPU is not offered here.");
      } else if (status.lateDevices > 0) {
        const count = status.lateDevices;
        sentences.push(`${count} device${count === 1 ? " was" : "s were"} made before the hooks, or in another realm: timed by what ${count === 1 ? "it was" : "they were"} made with.`);
      }
      if (status.strangers > 0) sentences.push("Passes of encoders that were made past the hooks are missing.");
      if (webgl === "absent") sentences.push("WebGL is not offered here.");
      else if (webgl === "late") sentences.push(`${lateGl} WebGL context${lateGl === 1 ? " was" : "s were"} made before the hooks, or in another realm.`);
      if (status.errorCount > 0) sentences.push(`${status.errorCount} fault${status.errorCount === 1 ? "" : "s"} of Passtime's own: some passes may be missing.`);
      return sentences.length > 0 ? sentences.join(" ") : "Hooked before the first script.";
    }
    hello() {
      const { kind, webgpu, webgl, scope: scope2 } = this;
      const about = `"url":${quoted(scope2.location?.href ?? "", URL_UNITS)},"kind":"${kind}","origin_ms":${Number(scope2.performance.timeOrigin) || 0},"webgpu":"${webgpu}","webgl":"${webgl}","text":${quoted(this.text, TEXT_UNITS2)}`;
      if (about === this.said) return;
      this.said = about;
      this.sender.send(`{"k":"hello","v":1,${about}}`);
    }
    note(text) {
      if (!text || this.notes.has(text) || this.notes.size >= NOTES_MOST) return;
      this.notes.add(text);
      this.sender.send(`{"k":"note","text":${quoted(text, TEXT_UNITS2)}}`);
    }
  };

  var SLOT_BYTES = 8;
  var PAIR_BYTES2 = 16;
  var ALIGN = 256;
  var LABEL2 = "passtime";
  var SCOPES3 = ["validation", "out-of-memory", "internal"];
  var COMMANDS = ["resolveQuerySet", "copyBufferToBuffer", "clearBuffer", "finish"];
  var slots = /* @__PURE__ */ new WeakMap();
  var isIndex = (value) => Number.isInteger(value) && value >= 0 && value < 4096;
  function slotOf(set, index) {
    let known2 = slots.get(set);
    if (known2 === void 0) slots.set(set, known2 = /* @__PURE__ */ new Map());
    let slot = known2.get(index);
    if (slot === void 0) known2.set(index, slot = { ride: null, low: 0, high: 0 });
    return slot;
  }
  var Rides = class {
    constructor(engine) {
      this.engine = engine;
      this.scratch = null;
      this.scratchBytes = 0;
      this.frames = [];
      this.watched = /* @__PURE__ */ new WeakSet();
      this.commands = {};
      engine.ride = (recording, pair, writes) => this.add(recording, pair, writes);
    }
    /**
     * @param {number} pair -1: there was none left; what it writes to is taken all the same
     * @returns {boolean} false: its stamps can't be read
     */
    add(recording, pair, writes) {
      const { querySet: set, beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end } = writes;
      if (!isIndex(begin) || !isIndex(end) || typeof set !== "object" || set === null) return false;
      const ride = { recording, pair, set, begin, end, isRefused: pair < 0 };
      for (const index of [begin, end]) this.own(slotOf(set, index), ride);
      if (ride.isRefused) return false;
      this.watch(recording.watched);
      (recording.rides ??= []).push(ride);
      return true;
    }
    own(slot, ride) {
      const { ride: other } = slot;
      slot.ride = ride;
      if (other === null || other.recording.rec === 0) return;
      this.refuse(other);
      ride.isRefused = true;
    }
    refuse(ride) {
      if (!ride.isRefused) this.engine.context.refuse(ride.recording.rec, ride.pair);
      ride.isRefused = true;
    }
    watch(watched2) {
      if (this.watched.has(watched2)) return;
      this.watched.add(watched2);
      const { engine } = this;
      const submitted = watched2.submitted.bind(watched2);
      const take = engine.take.bind(engine);
      watched2.submitted = (recording, ns) => {
        if (recording.rides !== void 0) this.resolve(recording);
        return submitted(recording, ns);
      };
      engine.readBack = (entry, life) => this.readBack(entry, life);
      engine.take = (bank, words, seen) => {
        this.check(bank, words);
        take(bank, words, seen);
      };
    }
    frameOf(entry, bank) {
      const life = this.engine.context.lifeOf(entry);
      const frame = this.frames[entry] ??= { life: -1, rides: [], rode: null, pairs: 0 };
      if (frame.life !== life) {
        frame.life = life;
        frame.rides = [];
      }
      if (bank !== null && frame.pairs < bank.pairs) {
        if (frame.rode !== null) this.engine.natives.buffer.destroy.call(frame.rode);
        frame.rode = this.buffer(bank.pairs * PAIR_BYTES2, USAGE.copySrc | USAGE.copyDst);
        frame.pairs = bank.pairs;
      }
      return frame;
    }
    buffer(size, usage) {
      return this.engine.natives.createBuffer.call(this.engine.device, { label: LABEL2, size, usage });
    }
    encoder() {
      const encoder = this.engine.natives.createCommandEncoder.call(this.engine.device, { label: LABEL2 });
      if (this.commands.finish === void 0) {
        const saved3 = nativesOf(encoder, "GPUCommandEncoder");
        for (const name of COMMANDS) this.commands[name] = saved3[name] ?? encoder[name];
      }
      return encoder;
    }
    submit(encoder) {
      this.engine.natives.queue.submit.call(this.engine.queue, [this.commands.finish.call(encoder)]);
    }
    quietly(work) {
      const { engine } = this;
      const { device, natives } = engine;
      for (const scope2 of SCOPES3) natives.pushErrorScope.call(device, scope2);
      try {
        work();
      } catch (error) {
        engine.problem = String(error?.message ?? error);
      } finally {
        const note = (error) => {
          if (error) engine.problem = String(error.message ?? error);
        };
        for (let i = 0; i < SCOPES3.length; i++) natives.popErrorScope.call(device).then(note, () => {
        });
      }
    }
    resolve(recording) {
      const { engine } = this;
      const entry = engine.context.entryOf(recording.rec);
      const rides = recording.rides.filter((ride) => !ride.isRefused);
      recording.rides = void 0;
      if (rides.length === 0) return;
      this.quietly(() => {
        const frame = this.frameOf(entry, engine.banks[entry]);
        frame.rides.push(...rides);
        const encoder = this.encoder();
        for (const set of new Set(rides.map((ride) => ride.set))) this.copySet(encoder, frame.rode, set, rides.filter((ride) => ride.set === set));
        this.submit(encoder);
      });
    }
    copySet(encoder, rode, set, rides) {
      const first = rides.reduce((least, { begin, end }) => Math.min(least, begin, end), Infinity);
      const last = rides.reduce((most, { begin, end }) => Math.max(most, begin, end), 0);
      const bytes = Math.ceil((last - first + 1) * SLOT_BYTES / ALIGN) * ALIGN;
      if (bytes > this.scratchBytes) {
        this.scratch = this.buffer(bytes, USAGE.queryResolve | USAGE.copySrc);
        this.scratchBytes = bytes;
      }
      const { resolveQuerySet, copyBufferToBuffer } = this.commands;
      resolveQuerySet.call(encoder, set, first, last - first + 1, this.scratch, 0);
      const copy = (index, to, count) => copyBufferToBuffer.call(
        encoder,
        this.scratch,
        (index - first) * SLOT_BYTES,
        rode,
        to,
        count * SLOT_BYTES
      );
      for (const { pair, begin, end } of rides) {
        if (end === begin + 1) {
          copy(begin, pair * PAIR_BYTES2, 2);
        } else {
          copy(begin, pair * PAIR_BYTES2, 1);
          copy(end, pair * PAIR_BYTES2 + SLOT_BYTES, 1);
        }
      }
    }
    readBack(entry, life) {
      const { engine } = this;
      const bank = engine.banks[entry];
      const frame = this.frameOf(entry, null);
      const rides = frame.rides.filter((ride) => !ride.isRefused);
      const { readBack } = Object.getPrototypeOf(engine);
      const { copyBufferToBuffer, clearBuffer } = this.commands;
      readBack.call(engine, entry, life, rides.length === 0 ? void 0 : (encoder) => {
        for (const { pair } of rides) {
          copyBufferToBuffer.call(encoder, frame.rode, pair * PAIR_BYTES2, bank.staging, pair * PAIR_BYTES2, PAIR_BYTES2);
        }
        clearBuffer.call(encoder, frame.rode);
      });
    }
    check(bank, words) {
      const frame = this.frames[bank.entry];
      if (frame === void 0 || frame.life !== bank.life) return;
      for (const { set, pair, begin, end } of frame.rides) {
        [begin, end].forEach((index, which) => {
          const slot = slotOf(set, index);
          const at = 4 * pair + 2 * which;
          if (at + 1 >= words.length) return;
          const [low, high] = [words[at], words[at + 1]];
          if (low === slot.low && high === slot.high) words[at] = words[at + 1] = 0;
          slot.low = low;
          slot.high = high;
        });
      }
    }
  };

  var LOOK_MS = 250;
  var NAME_UNITS2 = 256;
  var nullable = (text) => text ? quoted(text, NAME_UNITS2) : "null";
  var scope = globalThis;
  var config = passtimeConfig;
  var now = scope.performance.now.bind(scope.performance);
  var setTimeout2 = scope.setTimeout.bind(scope);
  var listen2 = scope.EventTarget?.prototype.addEventListener;
  var binding = scope[config.binding];
  delete scope[config.binding];
  var sender = new Sender(binding, scope);
  var realm = new Realm(scope, sender);
  var clock = frameClock();
  var told = /* @__PURE__ */ new Set();
  var devices2 = 0;
  var canvases = 0;
  function announce(timer, api, name, reason) {
    const { name: adapter, driver, kind, software } = timer.adapter;
    told.add(new WeakRef(timer));
    timer.context.announce(`"api":"${api}","adapter":{"name":${nullable(adapter)},"driver":${nullable(driver)},"kind":${nullable(kind)},"software":${software === true}},"name":${quoted(name, NAME_UNITS2)},"reason":${quoted(reason, NAME_UNITS2)}`);
  }
  var Seat2 = class {
    constructor(watched2) {
      this.watched = new WeakRef(watched2);
    }
    boundary() {
      const watched2 = this.watched.deref();
      if (watched2 !== void 0) watched2.boundary();
      else clock.leave(this);
    }
    isStuck(ns, limit) {
      return this.watched.deref()?.isStuck(ns, limit) ?? false;
    }
    isPending() {
      return this.watched.deref()?.isPending() ?? false;
    }
    pulse() {
      this.watched.deref()?.pulse();
    }
  };
  var dropped = scope.FinalizationRegistry && new FinalizationRegistry((context) => context.destroy());
  function loosen(timer) {
    status.timers.delete(timer);
    if (!timer.hooked || !timer.context.self) return;
    clock.leave(timer.hooked);
    timer.seat = new Seat2(timer.hooked);
    clock.join(timer.seat);
    dropped?.register(timer, timer.context);
  }
  function release(timer) {
    clock.leave(timer.seat);
    timer.destroy();
  }
  function lossOf(engine) {
    return () => engine.deref()?.lost ?? "";
  }
  function onDevice(timer) {
    const { device, stamps } = timer.engine;
    timer.context.lossText = lossOf(new WeakRef(timer.engine));
    if (stamps) new Rides(timer.engine);
    announce(timer, "webgpu", device.label || `device ${++devices2}`, stamps ? "" : timer.reason());
    Promise.resolve().then(() => guarded(() => loosen(timer)));
    const gone = () => setTimeout2(() => guarded(() => release(timer)), 0);
    device.lost?.then?.(gone, gone);
  }
  function onContext(timer) {
    const { canvas } = timer.gl;
    if (!isWatched(timer.gl)) realm.lateGl++;
    timer.context.lossText = () => "The WebGL context is lost.";
    announce(timer, timer.version === 2 ? "webgl2" : "webgl", canvas?.id ? `#${canvas.id}` : `canvas ${++canvases}`, timer.engine.problem);
  }
  function guarded(work) {
    try {
      return work();
    } catch (error) {
      status.fail(error);
      return void 0;
    }
  }
  var frames = 0;
  var lookedMs = -LOOK_MS;
  var isCounting = false;
  var raf = scope.requestAnimationFrame?.bind(scope);
  function look() {
    lookedMs = now();
    if (frames > 0) sender.send(`{"k":"tick","f":${frames}}`);
    frames = 0;
    for (const reference of told) {
      const timer = reference.deref();
      if (timer === void 0 || !timer.context.self) told.delete(reference);
      else if (timer.engine.stopped) realm.note(timer.engine.stopped);
      else if (timer.engine.problem && timer.engine.stamps) realm.note(`A query set or a readback failed: ${timer.engine.problem}`);
    }
    for (const error of status.errors) realm.note(`A fault of Passtime's own: ${error.split("\n", 2).join(" ")}`);
    realm.hello();
  }
  function onFrame() {
    isCounting = false;
    frames++;
    if (now() - lookedMs >= LOOK_MS) guarded(look);
  }
  function countFrames() {
    const asked2 = clock.pageAsked.bind(clock);
    clock.pageAsked = () => {
      asked2();
      if (isCounting) return;
      isCounting = true;
      raf(onFrame);
    };
  }
  function flush() {
    guarded(() => {
      for (const timer of clock.timers) timer.pulse();
      look();
    });
    sender.flush();
  }
  function flushAtEnds() {
    const document = scope.document;
    const pairs = document ? [[scope, "pagehide"], [document, "freeze"], [document, "visibilitychange"], [document, "DOMContentLoaded"], [scope, "load"]] : [];
    for (const [target, event] of pairs) listen2.call(target, event, flush, true);
    const native = scope.close;
    if (document || typeof native !== "function") return;
    const holder = Object.hasOwn(scope, "close") ? scope : Object.getPrototypeOf(scope);
    const before = Object.getOwnPropertyDescriptor(holder, "close");
    if (!before?.configurable) return;
    const ours = {
      close() {
        flush();
        return Reflect.apply(native, this, arguments);
      }
    }.close;
    Object.defineProperty(holder, "close", { ...before, value: ours });
  }
  connect(sender, config);
  Object.defineProperty(scope, Symbol.for(config.binding), { value: flush, configurable: true });
  var added = status.device.bind(status);
  status.device = (timer) => {
    added(timer);
    guarded(() => onDevice(timer));
  };
  guarded(() => {
    hookWebGPU(scope);
    hookWebGL(scope);
    onWebGLTimer((timer) => guarded(() => onContext(timer)));
    if (raf) countFrames();
    flushAtEnds();
  });
  guarded(look);
})();
})
