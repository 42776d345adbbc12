// SPDX-License-Identifier: MIT
/** The animation loop that three.js gives an app, ended from within. */
export const animated = (renderer) => (each) => new Promise((resolve) => {
  let frames = 0;
  renderer.setAnimationLoop(() => {
    if (each(frames++)) return;
    renderer.setAnimationLoop(null);
    resolve();
  });
});
