// SPDX-License-Identifier: MIT
/**
 * The platform's own functions, saved before anyone (this package included) puts a wrapper in their
 * place. Calls of ours go to these, so that they neither enter our hooks nor those of the page.
 */

const CLASSES = {
  GPUAdapter: ['requestDevice'],
  GPUDevice: ['createQuerySet', 'createBuffer', 'createCommandEncoder', 'pushErrorScope', 'popErrorScope'],
  GPUCommandEncoder: [
    'beginRenderPass', 'beginComputePass', 'resolveQuerySet', 'copyBufferToBuffer', 'finish',
  ],
  GPUQueue: ['submit', 'onSubmittedWorkDone'],
  GPUBuffer: ['mapAsync', 'getMappedRange', 'unmap', 'destroy'],
};

/** By prototype. @type {Map<object, Record<string, Function>>} */
const saved = new Map();

/** Saves the functions of the WebGPU classes in `scope`; what is saved already stays. */
export function saveNatives(scope) {
  for (const [name, methods] of Object.entries(CLASSES)) {
    const prototype = scope[name]?.prototype;
    if (!prototype || saved.has(prototype)) continue;
    const functions = {};
    for (const method of methods) functions[method] = prototype[method];
    saved.set(prototype, functions);
  }
}

saveNatives(globalThis);

/**
 * The functions of an object's class: saved ones, or those that it has now where it is of a class that
 * was not there before (a wrapper, another realm, dawn.node without globals).
 * @param {object} object
 * @param {keyof typeof CLASSES} name
 */
export function nativesOf(object, name) {
  const found = saved.get(Object.getPrototypeOf(object));
  if (found) return found;
  const functions = {};
  for (const method of CLASSES[name]) functions[method] = object[method];
  return functions;
}

/** Plain values of GPUBufferUsage and GPUMapMode: a page may have replaced the globals. */
export const USAGE = { mapRead: 0x1, copySrc: 0x4, copyDst: 0x8, queryResolve: 0x200 };
export const MAP_READ = 1;
