// SPDX-License-Identifier: MIT
/**
 * WebGL's own functions, saved before anyone (this package included) puts a wrapper in their place,
 * and the few enumerants that timing needs: a page may have changed the constants on the prototypes.
 */

export const GL = {
  timeElapsed: 0x88bf,
  timestamp: 0x8e28,
  gpuDisjoint: 0x8fbb,
  counterBits: 0x8864,
  currentQuery: 0x8865,
  queryResult: 0x8866,
  queryAvailable: 0x8867,
  framebuffer: 0x8d40,
  readFramebuffer: 0x8ca8,
  drawFramebuffer: 0x8ca9,
  drawFramebufferBinding: 0x8ca6, // the same number as WebGL 1's FRAMEBUFFER_BINDING
  readFramebufferBinding: 0x8caa,
  renderbufferBinding: 0x8ca7,
  back: 0x0405,
  colour0: 0x8ce0,
  depth: 0x8d00,
  depthStencil: 0x821a,
};

/** The two names of the timer extension. */
export const TIMER_EXTENSION = { 1: 'EXT_disjoint_timer_query', 2: 'EXT_disjoint_timer_query_webgl2' };

const CONTEXT = [
  'getExtension', 'getParameter', 'isContextLost',
  'createQuery', 'deleteQuery', 'beginQuery', 'endQuery', 'getQuery', 'getQueryParameter',
];
const EXTENSION = [
  'createQueryEXT', 'deleteQueryEXT', 'beginQueryEXT', 'endQueryEXT', 'getQueryEXT', 'getQueryObjectEXT',
];

/** By prototype. @type {WeakMap<object, Record<string, Function>>} */
const saved = new WeakMap();

function nativesOfPrototype(prototype, methods) {
  let functions = saved.get(prototype);
  if (functions === undefined) {
    functions = {};
    for (const method of methods) functions[method] = prototype[method];
    saved.set(prototype, functions);
  }
  return functions;
}

/** The context classes of a realm, those that it has. @returns {Function[]} */
export function contextClasses(scope) {
  return [scope.WebGLRenderingContext, scope.WebGL2RenderingContext]
    .filter((found) => typeof found === 'function' && found.prototype);
}

/** Saves what the context classes of `scope` have; what is saved already stays. */
export function saveContextNatives(scope) {
  for (const { prototype } of contextClasses(scope)) nativesOfPrototype(prototype, CONTEXT);
}

saveContextNatives(globalThis);

/** The functions of a context, be it of this realm or of another. */
export function contextNatives(gl) {
  return nativesOfPrototype(Object.getPrototypeOf(gl), CONTEXT);
}

/** The functions of WebGL 1's timer extension, whose class has no global name. */
export function extensionNatives(extension) {
  return nativesOfPrototype(Object.getPrototypeOf(extension), EXTENSION);
}
