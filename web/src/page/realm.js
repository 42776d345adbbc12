// SPDX-License-Identifier: MIT
/** What this realm is, and how far its GPU work could be hooked: said once, and again on a change. */
import { status } from '../status.js';
import { quoted } from './sender.js';

const URL_UNITS = 1024;
const TEXT_UNITS = 512;
const NOTES_MOST = 32;
const SCOPES = { DedicatedWorkerGlobalScope: 'worker', SharedWorkerGlobalScope: 'shared', ServiceWorkerGlobalScope: 'service' };

function kindOf(scope) {
  for (const [name, kind] of Object.entries(SCOPES)) {
    if (typeof scope[name] === 'function' && scope instanceof scope[name]) return kind;
  }
  return scope.window !== undefined && scope.top !== scope.window ? 'frame' : 'page';
}

/** The getter of `navigator.gpu`, and whether an own property hides it. */
function gpuGetter(scope) {
  const { navigator } = scope;
  if (!navigator) return undefined;
  if (Object.getOwnPropertyDescriptor(navigator, 'gpu')) return 'own';
  const prototype = Object.getPrototypeOf(navigator);
  return Object.getOwnPropertyDescriptor(prototype, 'gpu')?.get;
}

export class Realm {
  /** @param {object} scope globalThis @param {import('./sender.js').Sender} sender */
  constructor(scope, sender) {
    this.scope = scope;
    this.sender = sender;
    this.kind = kindOf(scope);
    this.gpu = gpuGetter(scope);
    this.lateGl = 0;
    this.said = '';
    this.notes = new Set();
  }

  get webgpu() {
    const { scope } = this;
    if (gpuGetter(scope) !== this.gpu) return 'own';
    if (!status.apis.includes('webgpu')) return 'absent';
    return status.lateDevices + status.strangers > 0 ? 'late' : 'hooked';
  }

  get webgl() {
    if (!status.apis.includes('webgl')) return 'absent';
    return this.lateGl > 0 ? 'late' : 'hooked';
  }

  get text() {
    const { webgpu, webgl, scope, lateGl } = this;
    const sentences = [];
    if (webgpu === 'own') {
      sentences.push(status.devicesSeen > 0
        ? 'The page has put a navigator.gpu of its own in the place of the browser\'s; the devices that reach the browser are timed.'
        : 'The page has put a navigator.gpu of its own in the place of the browser\'s, and no device of the browser\'s was seen.');
    } else if (webgpu === 'absent') {
      sentences.push(scope.isSecureContext === false
        ? 'WebGPU is not offered here: the page is no secure context (use https or localhost).'
        : 'WebGPU is not offered here.');
    } else if (status.lateDevices > 0) {
      const count = status.lateDevices;
      sentences.push(`${count} device${count === 1 ? ' was' : 's were'} made before the hooks, or in another realm: timed by what ${count === 1 ? 'it was' : 'they were'} made with.`);
    }
    if (status.strangers > 0) sentences.push('Passes of encoders that were made past the hooks are missing.');
    if (webgl === 'absent') sentences.push('WebGL is not offered here.');
    else if (webgl === 'late') sentences.push(`${lateGl} WebGL context${lateGl === 1 ? ' was' : 's were'} made before the hooks, or in another realm.`);
    if (status.errorCount > 0) sentences.push(`${status.errorCount} fault${status.errorCount === 1 ? '' : 's'} of Passtime's own: some passes may be missing.`);
    return sentences.length > 0 ? sentences.join(' ') : 'Hooked before the first script.';
  }

  /** Says what changed since. */
  hello() {
    const { kind, webgpu, webgl, scope } = this;
    const about = `"url":${quoted(scope.location?.href ?? '', URL_UNITS)},"kind":"${kind}","origin_ms":${Number(scope.performance.timeOrigin) || 0},`
      + `"webgpu":"${webgpu}","webgl":"${webgl}","text":${quoted(this.text, TEXT_UNITS)}`;
    if (about === this.said) return;
    this.said = about;
    this.sender.send(`{"k":"hello","v":1,${about}}`);
  }

  /** Says a thing once. */
  note(text) {
    if (!text || this.notes.has(text) || this.notes.size >= NOTES_MOST) return;
    this.notes.add(text);
    this.sender.send(`{"k":"note","text":${quoted(text, TEXT_UNITS)}}`);
  }
}
