// SPDX-License-Identifier: MIT
/** The loop of a page without a library: asks for the next frame at the end of each. */
export const byAnimationFrames = (each) => new Promise((resolve, reject) => {
  let frames = 0;
  requestAnimationFrame(function next() {
    try {
      if (each(frames++)) requestAnimationFrame(next);
      else resolve();
    } catch (error) {
      reject(error);
    }
  });
});
