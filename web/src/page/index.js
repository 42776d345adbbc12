// SPDX-License-Identifier: MIT
/**
 * What `passtime page` runs in each realm of a page before the page's first script: the package's
 * hooks, with a core that sends what it sees through a binding. The page is to notice nothing.
 */
/* global passtimeConfig */
import { frameClock } from '../frames.js';
import { hookWebGL, onWebGLTimer } from '../hooks-webgl.js';
import { hookWebGPU } from '../hooks-webgpu.js';
import { status } from '../status.js';
import { isWatched } from '../webgl-guards.js';
import { connect } from './core.js';
import { Realm } from './realm.js';
import { Rides } from './ride.js';
import { quoted, Sender } from './sender.js';

const LOOK_MS = 250;
const NAME_UNITS = 256;
const nullable = (text) => (text ? quoted(text, NAME_UNITS) : 'null');

const scope = globalThis;
const config = passtimeConfig;
const now = scope.performance.now.bind(scope.performance);
const setTimeout = scope.setTimeout.bind(scope);
const listen = scope.EventTarget?.prototype.addEventListener;

const binding = scope[config.binding];
delete scope[config.binding];
const sender = new Sender(binding, scope);
const realm = new Realm(scope, sender);
const clock = frameClock();

// Contexts ------------------------------------------------------------------------------------

/** Timers of which is told, none kept alive. @type {Set<WeakRef<object>>} */
const told = new Set();
let devices = 0;
let canvases = 0;

function announce(timer, api, name, reason) {
  const { name: adapter, driver, kind, software } = timer.adapter;
  told.add(new WeakRef(timer));
  timer.context.announce(`"api":"${api}","adapter":{"name":${nullable(adapter)},"driver":${nullable(driver)},"kind":${nullable(kind)},`
    + `"software":${software === true}},"name":${quoted(name, NAME_UNITS)},"reason":${quoted(reason, NAME_UNITS)}`);
}

/** A device's place at the frame clock, which does not keep a device that the page has dropped. */
class Seat {
  constructor(watched) {
    this.watched = new WeakRef(watched);
  }

  boundary() {
    const watched = this.watched.deref();
    if (watched !== undefined) watched.boundary();
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
}

/** The messages' end of a device that the page has dropped. */
const dropped = scope.FinalizationRegistry && new FinalizationRegistry((context) => context.destroy());

/** Nothing of ours but its own objects holds on to a device from here on. */
function loosen(timer) {
  status.timers.delete(timer);
  if (!timer.hooked || !timer.context.self) return;
  clock.leave(timer.hooked);
  timer.seat = new Seat(timer.hooked);
  clock.join(timer.seat);
  dropped?.register(timer, timer.context);
}

/** A device that is lost comes never back. */
function release(timer) {
  clock.leave(timer.seat);
  timer.destroy();
}

/** A function of its own, since closures of one function keep all that any of them uses. */
function lossOf(engine) {
  return () => engine.deref()?.lost ?? '';
}

function onDevice(timer) {
  const { device, stamps } = timer.engine;
  timer.context.lossText = lossOf(new WeakRef(timer.engine));
  if (stamps) new Rides(timer.engine);
  announce(timer, 'webgpu', device.label || `device ${++devices}`, stamps ? '' : timer.reason());
  Promise.resolve().then(() => guarded(() => loosen(timer)));
  const gone = () => setTimeout(() => guarded(() => release(timer)), 0);
  device.lost?.then?.(gone, gone);
}

function onContext(timer) {
  const { canvas } = timer.gl;
  if (!isWatched(timer.gl)) realm.lateGl++;
  timer.context.lossText = () => 'The WebGL context is lost.';
  announce(timer, timer.version === 2 ? 'webgl2' : 'webgl', canvas?.id ? `#${canvas.id}` : `canvas ${++canvases}`, timer.engine.problem);
}

// Looking -------------------------------------------------------------------------------------

function guarded(work) {
  try {
    return work();
  } catch (error) {
    status.fail(error);
    return undefined;
  }
}

let frames = 0; // animation frames that the page asked for, since the last message
let lookedMs = -LOOK_MS;
let isCounting = false;
const raf = scope.requestAnimationFrame?.bind(scope);

function look() {
  lookedMs = now();
  if (frames > 0) sender.send(`{"k":"tick","f":${frames}}`);
  frames = 0;
  for (const reference of told) {
    const timer = reference.deref();
    if (timer === undefined || !timer.context.self) told.delete(reference);
    else if (timer.engine.stopped) realm.note(timer.engine.stopped);
    else if (timer.engine.problem && timer.engine.stamps) realm.note(`A query set or a readback failed: ${timer.engine.problem}`);
  }
  for (const error of status.errors) realm.note(`A fault of Passtime's own: ${error.split('\n', 2).join(' ')}`);
  realm.hello();
}

function onFrame() {
  isCounting = false;
  frames++;
  if (now() - lookedMs >= LOOK_MS) guarded(look);
}

/** The page asks for an animation frame: one of ours comes before it, to be counted. */
function countFrames() {
  const asked = clock.pageAsked.bind(clock);
  clock.pageAsked = () => {
    asked();
    if (isCounting) return;
    isCounting = true;
    raf(onFrame);
  };
}

/** Takes what came back, and hands over all there is. */
function flush() {
  guarded(() => {
    for (const timer of clock.timers) timer.pulse();
    look();
  });
  sender.flush();
}

function flushAtEnds() {
  const document = scope.document;
  const pairs = document
    ? [[scope, 'pagehide'], [document, 'freeze'], [document, 'visibilitychange'], [document, 'DOMContentLoaded'], [scope, 'load']]
    : [];
  for (const [target, event] of pairs) listen.call(target, event, flush, true);
  const native = scope.close;
  if (document || typeof native !== 'function') return;
  const holder = Object.hasOwn(scope, 'close') ? scope : Object.getPrototypeOf(scope);
  const before = Object.getOwnPropertyDescriptor(holder, 'close');
  if (!before?.configurable) return;
  const ours = {
    close() {
      flush();
      return Reflect.apply(native, this, arguments);
    },
  }.close;
  Object.defineProperty(holder, 'close', { ...before, value: ours });
}

connect(sender, config);
Object.defineProperty(scope, Symbol.for(config.binding), { value: flush, configurable: true });
const added = status.device.bind(status);
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
