// SPDX-License-Identifier: MIT
/**
 * Automatic passes of one context. A boundary is another framebuffer, other draw buffers, a clear
 * after a draw, or the end of the frame; a pass begins with the first draw, clear or blit after one.
 * Between the page's tasks it rests: what the GPU waits for then is not the pass's time.
 */
import { contextNatives, GL } from './webgl-natives.js';
import { nameOfTarget } from './webgl-targets.js';
import { fault } from './webgl-wrap.js';

const queueMicrotask = globalThis.queueMicrotask?.bind(globalThis);

/** The passes of the context that draws in this task: the GPU serves one at a time. @type {AutoPasses | null} */
let drawing = null;

export class AutoPasses {
  /** @param {import('./webgl.js').WebGLTimer} timer */
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

  /** Takes up a context as it is. */
  reset() {
    this.open = false;
    this.drawn = false;
    this.target = contextNatives(this.gl).getParameter.call(this.gl, GL.drawFramebufferBinding) ?? null;
  }

  /** A draw or blit is about to be issued. */
  draw() {
    if (this.work()) this.drawn = true;
  }

  /** A clear is: after a draw it begins another pass. */
  clear() {
    if (this.drawn) this.boundary();
    this.work();
  }

  work() {
    const { engine } = this;
    if (!engine.on || engine.stopped !== '' || this.timer.byHand > 0) return false;
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

  /** Microtasks run when the page's callback has returned. */
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
    else this.boundary(); // The CPU's clock runs on: a pass of CPU time ends here.
  }

  boundary() {
    if (!this.open) return;
    this.open = false;
    this.drawn = false;
    this.engine.end();
    this.engine.lazy = false;
  }

  /** @param {object | null} framebuffer */
  bind(framebuffer) {
    if (framebuffer === this.target) return;
    this.boundary();
    this.target = framebuffer;
  }

  /** The framebuffer's attachments or draw buffers changed. */
  changed(framebuffer) {
    if (framebuffer === this.target) this.boundary();
  }
}
