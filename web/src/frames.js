// SPDX-License-Identifier: MIT
/**
 * Where frames end. A frame is an animation frame: our own callback runs before the page's, since it
 * is asked for before them. Where the page asks for none (compute only, a hidden tab), a burst of
 * submits is a frame. Nothing runs while nobody records.
 */
import { nowNs } from './clock.js';
import { status } from './status.js';

const RAF_FRESH_NS = 1e9; // a page that asked for an animation frame within it has frames
const STUCK_NS = 5e8; // a frame open for longer is ended: the tab is hidden, or the page stopped
const PULSE_MS = 250;
const IDLE_PULSES = 8;
const IDLE_TICKS = 4;

/** Ends the frames of the timers that joined; one a realm. */
export class FrameClock {
  /** @param {object} scope where requestAnimationFrame is; globalThis */
  constructor(scope) {
    this.timers = new Set();
    this.setTimeout = scope.setTimeout.bind(scope);
    this.setInterval = scope.setInterval.bind(scope);
    this.clearInterval = scope.clearInterval.bind(scope);
    this.raf = scope.requestAnimationFrame?.bind(scope);
    this.askedNs = -Infinity; // when the page last asked for an animation frame
    this.always = false; // an explicit timer wants animation frames, whatever the page asks for
    this.startNs = 0; // of the animation frame under way; 0: none
    this.ticking = false;
    this.idleTicks = 0;
    this.burst = false;
    this.pulse = null;
    this.idlePulses = 0;
    this.active = false; // something was recorded since the last tick or pulse
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
    return this.raf !== undefined && (this.always || ns - this.askedNs < RAF_FRESH_NS);
  }

  /** The page asks for an animation frame: ours is to come before. */
  pageAsked() {
    this.askedNs = nowNs();
    this.requestTick();
  }

  requestTick() {
    if (this.ticking || this.raf === undefined) return;
    this.ticking = true;
    this.raf(this.onTick);
  }

  /** A timer begins a frame now. @returns {number} when the frame's work began, nanoseconds */
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
    this.pulse?.unref?.(); // node: a timer of ours keeps no process alive
  }

  /** Now and then: ends what is stuck, takes what came back, and stops once there is nothing to do. */
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
}

/** @type {FrameClock | undefined} */
let shared;

/** The realm's. */
export function frameClock() {
  return (shared ??= new FrameClock(globalThis));
}
