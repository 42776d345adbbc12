// SPDX-License-Identifier: MIT
/**
 * What a page draws to, in words: "canvas", a framebuffer's label where the page gave it one, else
 * "framebuffer 3 1024x1024 RGBA16F". Sizes and formats are noted as the page states them; nothing is
 * asked of framebuffers, since asking an opaque one (WebXR's) is an error.
 */
import { contextNatives, GL } from './webgl-natives.js';

const FORMATS = {
  0x8058: 'RGBA8', 0x8051: 'RGB8', 0x8229: 'R8', 0x822b: 'RG8', 0x8c43: 'SRGB8_ALPHA8', 0x8c41: 'SRGB8',
  0x8056: 'RGBA4', 0x8057: 'RGB5_A1', 0x8d62: 'RGB565', 0x8059: 'RGB10_A2', 0x906f: 'RGB10_A2UI',
  0x822d: 'R16F', 0x822f: 'RG16F', 0x881b: 'RGB16F', 0x881a: 'RGBA16F',
  0x822e: 'R32F', 0x8230: 'RG32F', 0x8815: 'RGB32F', 0x8814: 'RGBA32F', 0x8c3a: 'R11F_G11F_B10F', 0x8c3d: 'RGB9_E5',
  0x8232: 'R8UI', 0x8234: 'R16UI', 0x8236: 'R32UI', 0x8231: 'R8I', 0x8233: 'R16I', 0x8235: 'R32I',
  0x823c: 'RG32UI', 0x823b: 'RG32I', 0x8d70: 'RGBA32UI', 0x8d82: 'RGBA32I', 0x8d7c: 'RGBA8UI', 0x8d76: 'RGBA16UI',
  0x81a5: 'DEPTH16', 0x81a6: 'DEPTH24', 0x8cac: 'DEPTH32F', 0x88f0: 'DEPTH24_STENCIL8', 0x8cad: 'DEPTH32F_STENCIL8',
  0x1902: 'DEPTH', 0x84f9: 'DEPTH_STENCIL', 0x8d48: 'STENCIL8',
  0x1908: 'RGBA', 0x1907: 'RGB', 0x1906: 'ALPHA', 0x1909: 'LUMINANCE', 0x190a: 'LUMINANCE_ALPHA',
};
/** What an unsized format takes from its type. */
const TYPES = { 0x1401: '8', 0x140b: '16F', 0x8d61: '16F', 0x1406: '32F', 0x8363: '565', 0x8033: '4', 0x8034: '5_A1' };
const UNSIZED = new Set([0x1908, 0x1907, 0x1906, 0x1909, 0x190a]);

const TEXTURE_BINDINGS = { 0x0de1: 0x8069, 0x8513: 0x8514, 0x806f: 0x806a, 0x8c1a: 0x8c1d };
const CUBE_FACE_FIRST = 0x8515;
const CUBE_FACE_LAST = 0x851a;
const CUBE = 0x8513;
const LABEL_MOST = 160;

/** Size and format of textures and renderbuffers. @type {WeakMap<object, {width: number, height: number, format: string, samples: number}>} */
const images = new WeakMap();
/** @type {WeakMap<object, Framebuffer>} */
const framebuffers = new WeakMap();
/** Numbers of framebuffers, by context: that of a deleted one is used again. @type {WeakMap<object, {next: number, free: number[]}>} */
const numbers = new WeakMap();

class Framebuffer {
  constructor(number) {
    this.number = number;
    this.image = null; // of the first attachment that tells
    this.level = 0;
    this.hasColour = false;
    this.drawBuffers = null;
    this.name = '';
    this.label = undefined;
  }
}

function numbersOf(gl) {
  let found = numbers.get(gl);
  if (!found) numbers.set(gl, (found = { next: 1, free: [] }));
  return found;
}

/** The note on a framebuffer, made at first sight. @returns {Framebuffer} */
export function noteOf(gl, framebuffer) {
  let note = framebuffers.get(framebuffer);
  if (!note) {
    const { free } = numbersOf(gl);
    note = new Framebuffer(free.length > 0 ? free.shift() : numbersOf(gl).next++);
    framebuffers.set(framebuffer, note);
  }
  return note;
}

export function forgetFramebuffer(gl, framebuffer) {
  const note = framebuffer && framebuffers.get(framebuffer);
  if (!note) return;
  framebuffers.delete(framebuffer);
  const { free } = numbersOf(gl);
  free.push(note.number);
  free.sort((a, b) => a - b);
}

function boundTexture(gl, target) {
  const isFace = target >= CUBE_FACE_FIRST && target <= CUBE_FACE_LAST;
  const binding = TEXTURE_BINDINGS[isFace ? CUBE : target];
  return binding === undefined ? null : contextNatives(gl).getParameter.call(gl, binding);
}

function formatName(format, type) {
  const name = FORMATS[format];
  if (name === undefined) return '';
  return UNSIZED.has(format) && TYPES[type] !== undefined ? name + TYPES[type] : name;
}

function noteImage(object, width, height, format, samples = 0) {
  if (object === null || typeof object !== 'object') return;
  const known = images.get(object);
  if (known) {
    // Framebuffers hold the same note: they see it change.
    known.width = width;
    known.height = height;
    known.format = format;
    known.samples = samples;
    known.version++;
  } else {
    images.set(object, { width, height, format, samples, version: 0 });
  }
}

/** texImage2D(target, level, format, width, height, border, …, type, pixels): no size, no target. */
export function noteTexImage2D(gl, args) {
  if (args.length < 9 || args[1] !== 0) return;
  noteImage(boundTexture(gl, args[0]), args[3], args[4], formatName(args[2], args[7]));
}

export function noteTexImage3D(gl, args) {
  if (args[1] !== 0) return;
  noteImage(boundTexture(gl, args[0]), args[3], args[4], formatName(args[2], args[8]));
}

export function noteTexStorage(gl, args) {
  noteImage(boundTexture(gl, args[0]), args[3], args[4], formatName(args[2]));
}

export function noteRenderbuffer(gl, format, width, height, samples) {
  const renderbuffer = contextNatives(gl).getParameter.call(gl, GL.renderbufferBinding);
  noteImage(renderbuffer, width, height, formatName(format), samples);
}

/** The framebuffer that a target names. */
export function boundFramebuffer(gl, target) {
  const binding = target === GL.readFramebuffer ? GL.readFramebufferBinding : GL.drawFramebufferBinding;
  return contextNatives(gl).getParameter.call(gl, binding);
}

/** An attachment changed. @returns {object | null} the framebuffer */
export function noteAttachment(gl, target, attachment, object, level) {
  const framebuffer = boundFramebuffer(gl, target);
  if (framebuffer === null) return null;
  const note = noteOf(gl, framebuffer);
  const isColour = attachment === GL.colour0;
  if (isColour || (!note.hasColour && (attachment === GL.depth || attachment === GL.depthStencil))) {
    note.image = (object && images.get(object)) ?? null;
    note.level = level;
    note.hasColour = isColour && object !== null;
    note.name = '';
  }
  return framebuffer;
}

/** The page's own name: `framebuffer.label`, or what Spector.js reads. */
function labelOf(framebuffer) {
  const label = framebuffer.label ?? framebuffer.__SPECTOR_Metadata?.name;
  return typeof label === 'string' && label !== '' ? label.slice(0, LABEL_MOST) : undefined;
}

function describe({ number, image, level }) {
  if (image === null) return `framebuffer ${number}`;
  const width = Math.max(1, image.width >> level);
  const height = Math.max(1, image.height >> level);
  const format = image.format && ` ${image.format}`;
  return `framebuffer ${number} ${width}x${height}${format}${image.samples > 0 ? ` x${image.samples}` : ''}`;
}

/** @param {object | null} framebuffer that is drawn to; @returns {string} what to call it */
export function nameOfTarget(gl, framebuffer) {
  if (framebuffer === null) return 'canvas';
  const note = noteOf(gl, framebuffer);
  const label = labelOf(framebuffer);
  const version = note.image?.version ?? 0;
  if (note.name === '' || label !== note.label || version !== note.version) {
    note.label = label;
    note.version = version;
    note.name = label ?? describe(note);
  }
  return note.name;
}

/** @returns {boolean} whether the list differs from the one before */
export function noteDrawBuffers(gl, framebuffer, list) {
  if (framebuffer === null) return false;
  const note = noteOf(gl, framebuffer);
  const before = note.drawBuffers ?? [GL.colour0];
  const now = Array.from(list);
  note.drawBuffers = now;
  return now.length !== before.length || now.some((buffer, i) => buffer !== before[i]);
}
