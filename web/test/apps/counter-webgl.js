// SPDX-License-Identifier: MIT
/**
 * Counts the passes of WebGL contexts by the rule that the documentation gives: draws to one target
 * are a pass; another draw framebuffer, other attachments or draw buffers, a clear after a draw and
 * the frame's end end it. A classic script, installed before anything else.
 */
(() => {
  const DRAW = /^(draw(Arrays|Elements|RangeElements)|multiDraw)|^blitFramebuffer$/;
  const CLEAR = /^clear(Buffer(fv|iv|uiv|fi))?$/;
  const ATTACH = /^framebuffer(Texture|Renderbuffer)/;
  const READ = 0x8ca8;
  const DRAW_ONLY = 0x8ca9;
  const states = new Map();
  const counts = { passes: 0, feedbackBlits: 0 }; // blits from a framebuffer to itself
  globalThis.countedGL = counts;

  const stateOf = (gl) => {
    if (!states.has(gl)) states.set(gl, { target: null, source: null, open: false, drawn: false, buffers: new Map() });
    return states.get(gl);
  };
  const close = (state) => {
    state.open = state.drawn = false;
  };
  const begin = (state) => {
    if (!state.open) counts.passes++;
    state.open = true;
  };

  function look(gl, name, args) {
    const state = stateOf(gl);
    if (DRAW.test(name)) {
      if (name === 'blitFramebuffer' && state.source === state.target) counts.feedbackBlits++;
      begin(state);
      state.drawn = true;
    } else if (CLEAR.test(name)) {
      if (state.drawn) close(state);
      begin(state);
    } else if (name === 'bindFramebuffer') {
      const framebuffer = args[1] ?? null;
      if (args[0] !== DRAW_ONLY) state.source = framebuffer;
      if (args[0] === READ) return;
      if (framebuffer !== state.target) close(state);
      state.target = framebuffer;
    } else if (ATTACH.test(name) && args[0] !== READ) {
      close(state);
    } else if (name === 'drawBuffers') {
      const list = [...args[0]].join();
      if (list !== (state.buffers.get(state.target) ?? '36064') && state.target !== null) close(state);
      state.buffers.set(state.target, list);
    }
  }

  for (const owner of [globalThis.WebGLRenderingContext, globalThis.WebGL2RenderingContext]) {
    for (const name of owner ? Object.getOwnPropertyNames(owner.prototype) : []) {
      if (![DRAW, CLEAR, ATTACH].some((rule) => rule.test(name)) && name !== 'bindFramebuffer' && name !== 'drawBuffers') continue;
      const native = owner.prototype[name];
      owner.prototype[name] = function (...args) {
        look(this, name, args);
        return native.apply(this, args);
      };
    }
  }

  /** The frame is over. */
  counts.frameEnds = () => states.forEach(close);
  /** GL errors of all contexts, as the page would read them. */
  counts.readErrors = () => [...states.keys()].map((gl) => gl.getError());
})();
