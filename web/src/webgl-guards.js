// SPDX-License-Identifier: MIT
/**
 * Where a page times things itself: its own elapsed queries, its CURRENT_QUERY and GPU_DISJOINT
 * reads and its errors come out as without us. Ours makes room for the page's query; passes that are
 * drawn meanwhile count as refused, since they would be measured short.
 */
import { apply, fault, followed, preceded, replaced, wrap } from './webgl-wrap.js';
import { contextClasses, contextNatives, extensionNatives, GL, TIMER_EXTENSION } from './webgl-natives.js';

const GUARD = 'guard';
const NO_TARGET = 0; // no enumerant: where the page's call has to fail, it fails natively
const MULTIVIEW =
  'The page draws to a multiview framebuffer, where no elapsed query may be active: its passes are not timed.';

/** The context of an extension object. @type {WeakMap<object, object>} */
const contexts = new WeakMap();
/** Contexts that were seen from their making on. @type {WeakSet<object>} */
const watched = new WeakSet();
/** Of those, the ones whose page asked for the timer extension. @type {WeakSet<object>} */
const asked = new WeakSet();

/** Contexts that have drawn, or will draw, to several views at once. @type {WeakSet<object>} */
const multiview = new WeakSet();

/** What gives a context's timer; undefined: it has none. @type {(gl: object) => any} */
let timerOf = () => undefined;

function engineOf(gl) {
  return timerOf(gl)?.engine;
}

/** Why a context that is attached only now can't be timed; empty: it can. */
export function reasonAgainst(gl) {
  return multiview.has(gl) ? MULTIVIEW : '';
}

/** A context that has just been made: what its page enables is known. */
export function watchContext(gl) {
  watched.add(gl);
}

/** Was it seen from its making on? */
export function isWatched(gl) {
  return watched.has(gl);
}

/** Without us the extension would be off: the page's use of it has to fail. */
function isForbidden(gl) {
  return watched.has(gl) && !asked.has(gl);
}

/** Ours ends before the page's begins; goes on where the page's did not begin. */
function beginQuery(native, owner, gl, args) {
  const engine = args[0] === GL.timeElapsed ? engineOf(gl) : undefined;
  if (engine === undefined) return apply(native, owner, args);
  if (isForbidden(gl)) return apply(native, owner, [NO_TARGET, ...[...args].slice(1)]);
  makeRoom(gl, engine);
  const result = apply(native, owner, args);
  giveBack(engine);
  return result;
}

/** The page's own query ends; where it has none, the call fails as without us. */
function endQuery(native, owner, gl, args) {
  const engine = args[0] === GL.timeElapsed ? engineOf(gl) : undefined;
  if (engine === undefined) return apply(native, owner, args);
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

/** A pass begun by name has no later sign of its work than now; an automatic one waits for a draw. */
function giveBack(engine) {
  try {
    engine.yielded();
  } catch (error) {
    fault(error);
  }
}

function getQuery(native, owner, gl, args) {
  const isElapsed = args[0] === GL.timeElapsed;
  const engine = isElapsed ? engineOf(gl) : undefined;
  if (engine !== undefined && isForbidden(gl)) return apply(native, owner, [NO_TARGET, args[1]]);
  const result = apply(native, owner, args);
  return engine !== undefined && result !== null && result === engine.active ? null : result;
}

function getParameter(native, gl, args) {
  const which = args[0];
  if (which !== GL.gpuDisjoint && which !== GL.timestamp) return apply(native, gl, args);
  const engine = engineOf(gl);
  if (engine === undefined || !engine.measures) return apply(native, gl, args);
  if (isForbidden(gl)) return apply(native, gl, [NO_TARGET]);
  const result = apply(native, gl, args);
  return which === GL.gpuDisjoint ? engine.readForPage(result) : result;
}

/** For WebGL 1: the extension object stands for its context. */
function byExtension(call) {
  return (native, extension, args) => call(native, extension, contexts.get(extension), args);
}

/** For WebGL 2. */
function byContext(call) {
  return (native, gl, args) => call(native, gl, gl, args);
}

function guardExtension(gl, name, extension) {
  if (extension === null || typeof extension !== 'object') return;
  contexts.set(extension, gl);
  const prototype = Object.getPrototypeOf(extension);
  if (name === TIMER_EXTENSION[1]) {
    extensionNatives(extension); // saved before they are wrapped
    wrap(prototype, 'beginQueryEXT', GUARD, (native) => replaced(native, byExtension(beginQuery)));
    wrap(prototype, 'endQueryEXT', GUARD, (native) => replaced(native, byExtension(endQuery)));
    wrap(prototype, 'getQueryEXT', GUARD, (native) => replaced(native, byExtension(getQuery)));
  }
  for (const method of ['framebufferTextureMultiviewOVR', 'framebufferTextureMultisampleMultiviewOVR']) {
    if (typeof prototype[method] !== 'function') continue;
    wrap(prototype, method, GUARD, (native) => preceded(native, (extension) => {
      multiview.add(contexts.get(extension));
      engineOf(contexts.get(extension))?.stop(MULTIVIEW);
    }));
  }
}

/** @param {Set<(gl: object, name: string, extension: object) => void>} */
export const extensionListeners = new Set();

function onExtension(gl, args, extension) {
  if (!extension) return;
  const name = String(args[0]);
  const timer = Object.values(TIMER_EXTENSION).find((known) => known.toLowerCase() === name.toLowerCase());
  if (timer) asked.add(gl);
  guardExtension(gl, timer ?? name, extension);
  for (const listener of extensionListeners) listener(gl, name, extension);
}

/** The context that an extension object belongs to. */
export function contextOf(extension) {
  return contexts.get(extension);
}

/** Guards a class of contexts. */
export function guardPrototype(prototype, find) {
  timerOf = find;
  wrap(prototype, 'getExtension', GUARD, (native) => followed(native, onExtension));
  wrap(prototype, 'getParameter', GUARD, (native) => replaced(native, getParameter));
  wrap(prototype, 'beginQuery', GUARD, (native) => replaced(native, byContext(beginQuery)));
  wrap(prototype, 'endQuery', GUARD, (native) => replaced(native, byContext(endQuery)));
  wrap(prototype, 'getQuery', GUARD, (native) => replaced(native, byContext(getQuery)));
}

/** Guards the classes of a realm. */
export function guardClasses(scope, find) {
  for (const { prototype } of contextClasses(scope)) guardPrototype(prototype, find);
}

/** Guards the class of a context, and the extension that its page may hold already. */
export function guardContext(gl, find) {
  const natives = contextNatives(gl);
  guardPrototype(Object.getPrototypeOf(gl), find);
  if (typeof natives.createQuery !== 'function') {
    guardExtension(gl, TIMER_EXTENSION[1], natives.getExtension.call(gl, TIMER_EXTENSION[1]));
  }
}
