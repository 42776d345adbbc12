// SPDX-License-Identifier: MIT
/**
 * Every render and compute pass of every WebGPU device of this realm, timed without a word from the
 * page. What a page can notice: a feature more on its devices. Descriptors are neither changed nor
 * kept; a call of the page does what it did, whatever happens in here.
 */
import { nowNs } from './clock.js';
import { coreBlocked, getCore } from './core.js';
import { frameClock } from './frames.js';
import { saveNatives } from './natives.js';
import { status } from './status.js';
import { TargetNames } from './targets.js';
import { Recording, Watched } from './watched.js';

const FEATURE = 'timestamp-query';

/** null: seen, and not timed. @type {WeakMap<object, Watched | null>} */
const devices = new WeakMap();
/** Encoders and command buffers. @type {WeakMap<object, Recording>} */
const recordings = new WeakMap();
/** CPU times only: pass encoders that are open. @type {WeakMap<object, Recording>} */
const openPasses = new WeakMap();
let isCpuTimed = false; // some device's passes are
/** A pass without a name, until its first pipeline gives it one. */
const unnamed = { encoder: null, recording: null, pair: -1, target: '' };
/** The pair of the pass begun last. */
let lastPair = -1;
/** What the platform reads in place of a page's descriptor: one object for all passes, empty between them. */
const stamped = {
  label: undefined, colorAttachments: undefined, depthStencilAttachment: undefined, occlusionQuerySet: undefined,
  maxDrawCount: undefined, timestampWrites: undefined,
};
let stampedIsTaken = false;

let targets = null;

/** Ours failed: it is counted and said, and the page goes on. */
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

/** A descriptor like the page's, with more features asked for. */
function withFeature(descriptor, features) {
  const derived = Object.create(descriptor ?? null);
  Object.defineProperty(derived, 'requiredFeatures', { value: features, enumerable: true });
  return derived;
}

/**
 * The features that the page asks for, and with ours; null where ours need not or cannot be added.
 * An iterator is read once only, so that the platform then gets our list in its place.
 */
function featuresWithOurs(adapter, descriptor) {
  if (adapter.features?.has?.(FEATURE) !== true) return null;
  // The platform says what is wrong with it.
  if (descriptor && (typeof descriptor !== 'object' || isBeyond(adapter, descriptor.requiredLimits))) return null;
  const asked = descriptor?.requiredFeatures;
  const page = asked === undefined || asked === null ? [] : [...asked];
  if (!page.includes(FEATURE)) return { ours: [...page, FEATURE], page };
  return isIterator(asked) ? { ours: page, page } : null;
}

function isIterator(list) {
  return typeof list?.next === 'function';
}

/** What the adapter does not offer fails without our feature too, and is then asked for once only. */
function isBeyond({ limits }, wanted) {
  return Object.entries(wanted ?? {}).some(([name, value]) => !name.startsWith('min') && value > limits[name]);
}

function requestDevice(native, adapter, args) {
  let features = null;
  let descriptor;
  let fault = null;
  try {
    descriptor = args[0];
    features = featuresWithOurs(adapter, descriptor);
  } catch (error) {
    fault = error;
  }
  const asPage = () => (isIterator(descriptor?.requiredFeatures)
    ? native.call(adapter, withFeature(descriptor, features.page))
    : Reflect.apply(native, adapter, args));
  const asked = features === null
    ? Reflect.apply(native, adapter, args)
    : native.call(adapter, withFeature(descriptor, features.ours)).catch(asPage);
  return asked.then((device) => welcome(device, fault));
}

/** @param {unknown} fault what was wrong before; where the platform took it, the fault is ours */
function welcome(device, fault) {
  try {
    if (fault !== null) failed(fault);
    watch(device);
  } catch (error) {
    failed(error);
  }
  return device;
}

/** The recording of an encoder, with a recorder for its frame. */
function recordingOf(encoder) {
  const recording = recordings.get(encoder);
  if (recording === undefined) {
    status.strangers++;
    return undefined;
  }
  if (recording.watched.engine.lost !== null) return undefined;
  if (!recording.watched.context.self) return undefined;
  if (recording.rec === 0 && recording.frame < 0) recording.watched.record(recording);
  return recording.rec !== 0 ? recording : undefined;
}

/** Counts a pass that carries the page's own timestampWrites: timed by the app, not by us (but see page/ride.js). */
function countTimedByApp(recording, name, writes) {
  const { watched } = recording;
  watched.timedByApp++;
  const pair = watched.context.pass(recording.rec, watched.context.nameOf(recording.rec, name));
  const isRidden = writes && watched.engine.ride?.(recording, pair, writes);
  if (pair >= 0 && !isRidden) watched.context.refuse(recording.rec, pair);
  return pair;
}

/** A pass without a label has a better name once its first pipeline is known. */
function nameLater(recording, label, target, pair) {
  unnamed.pair = label === '' ? pair : -1;
  unnamed.recording = recording;
  unnamed.target = target;
}

/**
 * Gives a pass its pair of slots.
 * @returns {object | undefined} what it is to write, undefined: its descriptor stays as it is
 */
function stampPass(recording, descriptor, render) {
  const { watched } = recording;
  const { context, engine } = watched;
  const label = watched.given || watched.names.of(descriptor?.label);
  watched.given = '';
  watched.latest = recording;
  const target = label === '' && render ? targets.of(descriptor) : '';
  const name = label || target || (render ? 'render pass' : 'compute pass');
  unnamed.encoder = null;
  unnamed.pair = lastPair = -1;
  const writes = descriptor?.timestampWrites;
  const group = watched.groups.join(recording, writes === undefined ? label : '');
  if (writes !== undefined) { // null is an error of the page's, and is to stay one
    nameLater(recording, label, target, countTimedByApp(recording, name, writes));
    return undefined;
  }
  if (group !== null) {
    lastPair = group.pair;
    return group.writes;
  }
  const id = context.nameOf(recording.rec, name);
  const pair = engine.stamps ? context.pass(recording.rec, id) : context.open(recording.rec, id, nowNs());
  lastPair = pair;
  nameLater(recording, label, target, pair);
  if (pair < 0 || !engine.stamps) return undefined;
  const ours = engine.writesOf(recording.rec, pair);
  watched.groups.open(recording, label, pair, ours);
  return ours;
}

/** Whether a descriptor, if there is one, has no members but those of today: a platform of later days may know more. */
function isFamiliar(descriptor) {
  for (const key in descriptor) if (!(key in stamped)) return false;
  return typeof (descriptor ?? stamped) === 'object';
}

/** A descriptor like the page's, with stamps. */
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

/** Nothing of the page's is kept. */
function giveBackStamped() {
  stamped.colorAttachments = stamped.depthStencilAttachment = stamped.occlusionQuerySet = undefined;
  stamped.timestampWrites = undefined;
  stampedIsTaken = false;
}

/** Where the platform does not take the derived descriptor (a getter that needs its own object), it gets the page's. */
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

/** @param {unknown[] | null} args null: there is just the descriptor */
function beginPass(native, encoder, descriptor, render, args) {
  let writes;
  let recording;
  let fault = null;
  try {
    recording = recordingOf(encoder);
    if (recording !== undefined) writes = stampPass(recording, descriptor, render);
  } catch (error) {
    fault = error;
  }
  let pass;
  if (writes !== undefined) pass = beginWith(native, encoder, descriptor, writes, recording, args);
  else if (args === null) pass = native.call(encoder, descriptor);
  else pass = Reflect.apply(native, encoder, args);
  if (fault !== null) failed(fault); // The platform took what we did not: else it is the page's.
  if (recording !== undefined) {
    if (!recording.watched.engine.stamps) {
      isCpuTimed = true;
      openPasses.set(pass, recording);
    }
    if (unnamed.pair >= 0) unnamed.encoder = pass;
  }
  return pass;
}

/** The first pipeline of a pass without a label gives it a name. */
function nameByPipeline(pipeline) {
  const { recording, pair, target } = unnamed;
  unnamed.encoder = null;
  const label = recording.watched.names.of(pipeline?.label);
  if (label === '' || recording.rec === 0) return;
  const { context } = recording.watched;
  const name = target === '' ? label : `${label} → ${target}`;
  context.rename(recording.rec, pair, context.nameOf(recording.rec, name));
}

function endPass(pass) {
  const recording = openPasses.get(pass);
  if (recording === undefined || recording.rec === 0) return;
  openPasses.delete(pass);
  recording.watched.context.close(recording.rec, nowNs(), 0);
}

function noteSubmit(list) {
  const ns = nowNs();
  let late = null;
  for (let i = 0; i < list.length; i++) {
    const recording = recordings.get(list[i]);
    if (recording !== undefined && recording.rec !== 0 && recording.watched.submitted(recording, ns)) late = recording;
  }
  if (late !== null && !late.watched.engine.open) late.watched.engine.collect();
}

/** Puts a method of ours in the place of `prototype[name]`, with its name, length and marks. */
function replace(prototype, name, make) {
  const before = Object.getOwnPropertyDescriptor(prototype, name);
  const native = before?.value;
  if (typeof native !== 'function') return;
  const ours = make(native);
  Object.defineProperty(ours, 'name', { value: native.name, configurable: true });
  Object.defineProperty(ours, 'length', { value: native.length, configurable: true });
  Object.defineProperty(prototype, name, { ...before, value: ours });
}

/** Calls what the platform had, with just what the page gave. No list of arguments comes to be where there is one, or none. */
function forward(native, self, args) {
  if (args.length === 1) return native.call(self, args[0]);
  return args.length === 0 ? native.call(self) : Reflect.apply(native, self, args);
}

function beginning(render) {
  return (native) => ({
    f(...args) {
      if (args.length === 1) return beginPass(native, this, args[0], render, null);
      return beginPass(native, this, args[0], render, args);
    },
  }).f;
}

/** Methods without a prototype of their own, as the platform's are. */
const METHODS = {
  GPUAdapter: {
    requestDevice: (native) => ({ f(...args) { return requestDevice(native, this, args); } }).f,
  },
  GPUDevice: {
    createCommandEncoder: (native) => ({
      f(...args) {
        const encoder = forward(native, this, args);
        try {
          const known = devices.get(this);
          const watched = known === undefined ? lateDevice(this) : known;
          if (watched !== null) recordings.set(encoder, new Recording(watched));
        } catch (error) {
          failed(error);
        }
        return encoder;
      },
    }).f,
  },
  GPUCommandEncoder: {
    beginRenderPass: beginning(true),
    beginComputePass: beginning(false),
    finish: (native) => ({
      f(...args) {
        const commands = forward(native, this, args);
        const recording = recordings.get(this);
        if (recording !== undefined && recording.rec !== 0) {
          recording.watched.groups.close(recording);
          recordings.set(commands, recording);
        }
        return commands;
      },
    }).f,
  },
  GPUQueue: {
    submit: (native) => ({
      f(...args) {
        // An iterator can be read once only: the platform and we get the same list.
        if (args.length > 0 && !Array.isArray(args[0]) && args[0]?.[Symbol.iterator]) args[0] = [...args[0]];
        Reflect.apply(native, this, args);
        try {
          if (Array.isArray(args[0])) noteSubmit(args[0]);
        } catch (error) {
          failed(error);
        }
      },
    }).f,
  },
  GPURenderPassEncoder: { setPipeline: namingPipeline, end: endingPass },
  GPUComputePassEncoder: { setPipeline: namingPipeline, end: endingPass },
  GPUTexture: {
    createView: (native) => ({
      f(...args) {
        const view = forward(native, this, args);
        targets.note(view, this, args[0]?.label);
        return view;
      },
    }).f,
  },
  GPUCanvasContext: {
    getCurrentTexture: (native) => ({
      f(...args) {
        const texture = forward(native, this, args);
        targets.noteCanvas(texture);
        return texture;
      },
    }).f,
  },
};

function namingPipeline(native) {
  return ({
    f(...args) {
      if (unnamed.encoder === this) {
        try {
          nameByPipeline(args[0]);
        } catch (error) {
          failed(error);
        }
      }
      return forward(native, this, args);
    },
  }).f;
}

function endingPass(native) {
  return ({
    f(...args) {
      try {
        if (isCpuTimed) endPass(this);
      } catch (error) {
        failed(error);
      }
      return forward(native, this, args);
    },
  }).f;
}

/** A device that was there before us: timed by what it was made with. */
function lateDevice(device) {
  status.lateDevices++;
  return watch(device);
}

let hooked = false;

/**
 * Hooks WebGPU in this realm, once.
 * @param {object} [scope] where the WebGPU classes are; globalThis
 * @returns {boolean} false: there is no WebGPU here
 */
export function hookWebGPU(scope = globalThis) {
  if (hooked) return true;
  if (!scope.GPUDevice?.prototype) return false;
  hooked = true;
  saveNatives(scope);
  targets = new TargetNames();
  for (const [name, methods] of Object.entries(METHODS)) {
    const prototype = scope[name]?.prototype;
    for (const [method, make] of Object.entries(methods)) {
      if (prototype) replace(prototype, method, make);
    }
  }
  hookAnimationFrames(scope);
  status.hooked('webgpu');
  return true;
}

let framesHooked = false;

/** Knowing that the page asks for animation frames is all that is needed. Once a realm. */
export function hookAnimationFrames(scope) {
  if (framesHooked) return;
  framesHooked = true;
  const clock = frameClock();
  for (const owner of [scope, scope.XRSession?.prototype]) {
    if (typeof owner?.requestAnimationFrame !== 'function') continue;
    const holder = Object.hasOwn(owner, 'requestAnimationFrame') ? owner : Object.getPrototypeOf(owner);
    replace(holder, 'requestAnimationFrame', (native) => ({
      f(callback) {
        clock.pageAsked();
        return Reflect.apply(native, this, arguments);
      },
    }).f);
  }
}
