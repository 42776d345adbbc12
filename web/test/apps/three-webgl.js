// SPDX-License-Identifier: MIT
// three.js as published: WebGLRenderer, a mirror (a render within the render) and a chain of effects.
import * as THREE from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { UnrealBloomPass } from 'three/addons/postprocessing/UnrealBloomPass.js';
import { animated } from '/apps/three-loop.js';

export async function start(canvas) {
  const renderer = new THREE.WebGLRenderer({ canvas });
  renderer.setSize(128, 128, false);
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 20);
  camera.position.set(0, 1, 5);
  const box = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshNormalMaterial());
  scene.add(box);
  const mirror = new Reflector(new THREE.PlaneGeometry(8, 8), { textureWidth: 64, textureHeight: 64 });
  mirror.rotation.x = -Math.PI / 2;
  mirror.position.y = -1;
  scene.add(mirror);
  const composer = new EffectComposer(renderer);
  composer.addPass(new RenderPass(scene, camera));
  composer.addPass(new UnrealBloomPass(new THREE.Vector2(128, 128), 0.5, 0.2, 0.2));
  composer.addPass(new OutputPass());

  return {
    draw(frame) {
      box.rotation.set(frame * 0.1, frame * 0.07, 0);
      composer.render(1 / 60);
    },
    loop: animated(renderer),
    pixels: () => canvas.toDataURL(),
  };
}
