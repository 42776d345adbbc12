// SPDX-License-Identifier: MIT
/** What a render pass without a label draws to: its attachment's label, the canvas, else format and size. */
import { Names } from './names.js';

export class TargetNames {
  constructor() {
    /** Textures by view without a label. @type {WeakMap<object, object>} */
    this.textures = new WeakMap();
    /** Of textures, and of views with a label. @type {WeakMap<object, string>} */
    this.names = new WeakMap();
    this.labels = new Names(); // a label made anew each frame may carry a counter
  }

  /** A view was made of a texture. */
  note(view, texture, label) {
    const name = this.labels.of(label);
    if (name === '') this.textures.set(view, texture);
    else this.names.set(view, name);
  }

  /** A texture of a canvas, another one each frame. */
  noteCanvas(texture) {
    this.names.set(texture, this.labels.of(texture.label) || 'canvas');
  }

  /** @param {GPURenderPassDescriptor} descriptor @returns {string} '' where nothing is known */
  of(descriptor) {
    const attachments = descriptor?.colorAttachments;
    // Another iterable may be read once only, and that is the platform's.
    for (const attachment of Array.isArray(attachments) ? attachments : []) {
      if (attachment?.view) return this.ofView(attachment.view);
    }
    const depth = descriptor?.depthStencilAttachment?.view;
    return depth ? this.ofView(depth) : '';
  }

  ofView(view) {
    const texture = this.textures.get(view) ?? view; // a texture may stand for its view
    let name = this.names.get(texture);
    if (name === undefined) {
      name = this.labels.of(texture.label) || (texture.format ? `${texture.format} ${texture.width}×${texture.height}` : '');
      this.names.set(texture, name);
    }
    return name;
  }
}
