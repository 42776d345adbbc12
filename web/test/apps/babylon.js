// SPDX-License-Identifier: MIT
// Babylon.js as published: its classic script makes a global. Shadows, a target of its own and a post-process.
import { loadScript } from '/apps/stage.js';

export async function startWith(canvas, makeEngine) {
  await loadScript('/npm/babylonjs/babylon.js');
  const { BABYLON } = globalThis;
  BABYLON.Logger.LogLevels = BABYLON.Logger.ErrorLogLevel;
  const engine = await makeEngine(BABYLON, canvas);
  const scene = new BABYLON.Scene(engine);
  const camera = new BABYLON.ArcRotateCamera('camera', 1, 1.1, 5, BABYLON.Vector3.Zero(), scene);
  const light = new BABYLON.DirectionalLight('sun', new BABYLON.Vector3(-1, -2, -1), scene);
  light.position = new BABYLON.Vector3(3, 6, 3);
  const box = BABYLON.MeshBuilder.CreateBox('box', { size: 1 }, scene);
  const ground = BABYLON.MeshBuilder.CreateGround('ground', { width: 6, height: 6 }, scene);
  ground.position.y = -1;
  ground.receiveShadows = true;
  const shadows = new BABYLON.ShadowGenerator(64, light);
  shadows.useBlurExponentialShadowMap = true;
  shadows.addShadowCaster(box);
  const blur = new BABYLON.BlackAndWhitePostProcess('grey', 1, camera);
  blur.degree = 0.5;
  await scene.whenReadyAsync();

  return {
    engine,
    draw(frame) {
      box.rotation.set(frame * 0.1, frame * 0.07, 0);
      scene.render();
    },
    loop: (each) => new Promise((resolve) => {
      let frames = 0;
      engine.runRenderLoop(() => {
        if (each(frames++)) return;
        engine.stopRenderLoop();
        resolve();
      });
    }),
    pixels: () => new Promise((resolve) => {
      engine.onEndFrameObservable.addOnce(() => resolve(canvas.toDataURL()));
    }),
  };
}
