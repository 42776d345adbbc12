// SPDX-License-Identifier: MIT
/**
 * Times every WebGL 1 and 2 context of the realm, pass by pass, with no change to the page. To be
 * installed before the page makes its first context; later ones are found at their next draw.
 */
import { coreBlocked, getCore } from './core.js';
import { hookAnimationFrames } from './hooks-webgpu.js';
import { status } from './status.js';
import { fault, followed, preceded, wrap } from './webgl-wrap.js';
import { contextOf, extensionListeners, guardClasses, watchContext } from './webgl-guards.js';
import { contextClasses, GL, saveContextNatives } from './webgl-natives.js';
import { attachWebGL, timerOf, webglTimers } from './webgl.js';
import { AutoPasses } from './webgl-passes.js';
import * as targets from './webgl-targets.js';

const AUTO = 'auto';
const DRAWS = [
  'drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced', 'drawRangeElements', 'blitFramebuffer',
];
const EXTENSION_DRAWS = [
  'drawArraysInstancedANGLE', 'drawElementsInstancedANGLE',
  'multiDrawArraysWEBGL', 'multiDrawElementsWEBGL', 'multiDrawArraysInstancedWEBGL', 'multiDrawElementsInstancedWEBGL',
  'drawArraysInstancedBaseInstanceWEBGL', 'drawElementsInstancedBaseVertexBaseInstanceWEBGL',
  'multiDrawArraysInstancedBaseInstanceWEBGL', 'multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL',
];
const CLEARS = ['clear', 'clearBufferfv', 'clearBufferiv', 'clearBufferuiv', 'clearBufferfi'];

let installed = false;
/** Contexts that can't be attached. @type {WeakSet<object>} */
const hopeless = new WeakSet();
/** @type {Set<(timer: import('./webgl.js').WebGLTimer) => void>} */
const listeners = new Set();
let settings = {};

/** The automatic passes of a context; attached at the first call that draws. */
function passesOf(gl) {
  const timer = timerOf(gl);
  if (timer !== undefined) return (timer.passes ??= new AutoPasses(timer));
  return hopeless.has(gl) ? null : attach(gl);
}

function attach(gl) {
  if (gl === null || typeof gl !== 'object') return null;
  hopeless.add(gl); // until it has proved otherwise
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

/** The automatic passes of a context that has drawn. */
function known(gl) {
  return timerOf(gl)?.passes ?? null;
}

const draw = (gl) => passesOf(gl)?.draw();
const clear = (gl) => passesOf(gl)?.clear();

function bind(gl, [target, framebuffer]) {
  if (target !== GL.readFramebuffer) known(gl)?.bind(framebuffer ?? null);
}

function attached(gl, target, attachment, object, level) {
  const framebuffer = targets.noteAttachment(gl, target, attachment, object ?? null, level);
  if (target !== GL.readFramebuffer) known(gl)?.changed(framebuffer);
}

function deleted(gl, [framebuffer]) {
  const passes = known(gl);
  if (framebuffer && passes?.target === framebuffer) passes.bind(null);
  targets.forgetFramebuffer(gl, framebuffer);
}

function drawBuffers(gl, [list]) {
  const framebuffer = targets.boundFramebuffer(gl, GL.drawFramebuffer);
  if (list && targets.noteDrawBuffers(gl, framebuffer, list)) known(gl)?.changed(framebuffer);
}

/** What is looked at before the native call. */
const BEFORE = {
  bindFramebuffer: bind,
  deleteFramebuffer: deleted,
  drawBuffers,
  framebufferTexture2D: (gl, a) => attached(gl, a[0], a[1], a[3], a[4]),
  framebufferRenderbuffer: (gl, a) => attached(gl, a[0], a[1], a[3], 0),
  framebufferTextureLayer: (gl, a) => attached(gl, a[0], a[1], a[2], a[3]),
  texImage2D: targets.noteTexImage2D,
  texImage3D: targets.noteTexImage3D,
  texStorage2D: targets.noteTexStorage,
  texStorage3D: targets.noteTexStorage,
  renderbufferStorage: (gl, a) => targets.noteRenderbuffer(gl, a[1], a[2], a[3], 0),
  renderbufferStorageMultisample: (gl, a) => targets.noteRenderbuffer(gl, a[2], a[3], a[4], a[1]),
};

function hookContextClass({ prototype }) {
  for (const name of DRAWS) wrap(prototype, name, AUTO, (native) => preceded(native, draw));
  for (const name of CLEARS) wrap(prototype, name, AUTO, (native) => preceded(native, clear));
  for (const [name, before] of Object.entries(BEFORE)) {
    wrap(prototype, name, AUTO, (native) => preceded(native, before));
  }
  wrap(prototype, 'createFramebuffer', AUTO, (native) => followed(native, (gl, args, framebuffer) => {
    if (framebuffer) targets.noteOf(gl, framebuffer);
  }));
}

function hookExtension(gl, name, extension) {
  const prototype = Object.getPrototypeOf(extension);
  for (const method of EXTENSION_DRAWS) {
    if (typeof prototype[method] !== 'function') continue;
    wrap(prototype, method, AUTO, (native) => preceded(native, (object) => draw(contextOf(object))));
  }
  if (typeof prototype.drawBuffersWEBGL === 'function') {
    wrap(prototype, 'drawBuffersWEBGL', AUTO, (native) => preceded(native, (object, args) => {
      drawBuffers(contextOf(object), args);
    }));
  }
}

/** Contexts that are seen from their making on: see webgl-guards.js. */
function hookCanvasClass(canvasClass, scope, seen) {
  if (typeof canvasClass !== 'function') return;
  const classes = contextClasses(scope);
  wrap(canvasClass.prototype, 'getContext', AUTO, (native) => followed(native, (canvas, args, context) => {
    if (!context || seen.has(context) || !classes.some((known) => context instanceof known)) return;
    seen.add(context);
    watchContext(context);
  }));
}

/**
 * Installs the hooks in a realm, once.
 * @param {object} [scope] globalThis
 * @param {import('../types/passtime.js').AttachOptions} [options] for every context
 */
export function hookWebGL(scope = globalThis, options = {}) {
  settings = options;
  if (installed || contextClasses(scope).length === 0) return;
  installed = true;
  status.hooked('webgl');
  hookAnimationFrames(scope);
  try {
    saveContextNatives(scope);
    guardClasses(scope, timerOf);
    for (const contextClass of contextClasses(scope)) hookContextClass(contextClass);
    extensionListeners.add(hookExtension);
    const seen = new WeakSet();
    hookCanvasClass(scope.HTMLCanvasElement, scope, seen);
    hookCanvasClass(scope.OffscreenCanvas, scope, seen);
  } catch (error) {
    fault(error);
  }
}

/** Tells of each context as it is attached, and of those that are. */
export function onWebGLTimer(listener) {
  for (const timer of webglTimers()) listener(timer);
  listeners.add(listener);
}
