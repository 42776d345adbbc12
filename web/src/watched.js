// SPDX-License-Identifier: MIT
/** A device that the hooks watch: which encoder records in which frame, and what became of it. */
import { nowNs } from './clock.js';
import { frameClock } from './frames.js';
import { Groups } from './groups.js';
import { Names } from './names.js';
import { adopt } from './timer.js';

const AGE_FRAMES = 8; // an encoder not submitted for so many frames is taken to be dropped …
const AGE_NS = 2.5e8; // … once so much time has gone by
const RECORDERS_MOST = 240; // then the frame is ended early: the core keeps 256 a frame

/** A device that is watched. */
export class Watched {
  constructor(device) {
    this.timer = adopt(device);
    this.engine = this.timer.engine;
    this.context = this.engine.context;
    this.names = new Names();
    this.groups = new Groups(this.context);
    this.lastSubmitNs = 0;
    this.openedNs = 0;
    this.recorders = 0;
    this.waiting = []; // recordings not submitted yet
    this.timedByApp = 0;
    this.given = ''; // a name for the next pass, from Timer.pass
    this.latest = null; // the recording that began a pass last
    this.clock = frameClock();
    this.clock.join(this);
    this.timer.hooked = this;
  }

  /** Timer.pass on a hooked device: the hooks stamp, the name is the caller's. */
  nameNext(name) {
    this.given = this.names.of(name);
    return undefined;
  }

  /** Where a scope goes that the page opens by hand. */
  lastRecorder() {
    return this.latest?.rec ?? 0;
  }

  /** The recorder of an encoder that begins its first pass. */
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

  /** The page has submitted; frames that ended before may now be whole. */
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

  /** Encoders that will not be submitted any more. Should one be after all, it stamps a query set that nobody reads. */
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
}

/** What one command encoder records. */
export class Recording {
  constructor(watched) {
    this.watched = watched;
    this.rec = 0; // none yet: an encoder that only copies needs none
    this.frame = -1;
    this.group = null; // of passes that share their stamps: see groups.js
    this.ns = 0;
  }
}
