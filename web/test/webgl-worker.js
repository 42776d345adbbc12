// SPDX-License-Identifier: MIT
// A worker that draws to an OffscreenCanvas, timed by the module that it imports.
import { Passtime } from '../dist/auto.js';

const gl = new OffscreenCanvas(64, 64).getContext('webgl2');
const framebuffer = gl.createFramebuffer();
const texture = gl.createTexture();
gl.bindTexture(gl.TEXTURE_2D, texture);
gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 256, 256);
gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);

for (let i = 0; i < 60; i++) {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.clear(gl.COLOR_BUFFER_BIT);
}
for (let i = 0; i < 60 && Passtime.timers[0].isPending(); i++) await new Promise((resolve) => requestAnimationFrame(resolve));
self.postMessage(Passtime.report());
