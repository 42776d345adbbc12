// SPDX-License-Identifier: MIT
/** What a render pass without a label draws to: its attachment's label, the canvas, else format and size. */

export class TargetNames {
  constructor() {
    /** Textures by view. @type {WeakMap<object, object>} */
    this.textures = new WeakMap();
    this.names = new WeakMap();
  }

  /** A view was made of a texture. */
  note(view, texture) {
    this.textures.set(view, texture);
  }

  /** A texture of a canvas, another one each frame. */
  noteCanvas(texture) {
    this.names.set(texture, texture.label || 'canvas');
  }

  /** @param {GPURenderPassDescriptor} descriptor @returns {string} '' where nothing is known */
  of(descriptor) {
    for (const attachment of descriptor?.colorAttachments ?? []) {
      if (attachment?.view) return this.ofView(attachment.view);
    }
    const depth = descriptor?.depthStencilAttachment?.view;
    return depth ? this.ofView(depth) : '';
  }

  ofView(view) {
    const texture = this.textures.get(view) ?? (view.format ? view : undefined);
    const known = this.names.get(texture ?? view);
    if (known !== undefined) return known;
    const label = view.label || texture?.label || '';
    const name = label || (texture ? `${texture.format} ${texture.width}×${texture.height}` : '');
    this.names.set(texture ?? view, name);
    return name;
  }
}
