// SPDX-License-Identifier: MIT
// three.js as published: WebGPURenderer, a compute pass that moves the points, and bloom.
import * as THREE from 'three/webgpu';
import { Fn, float, instancedArray, instanceIndex, pass, positionLocal, uniform, vec3 } from 'three/tsl';
import { bloom } from 'three/addons/tsl/display/BloomNode.js';
import { animated } from '/apps/three-loop.js';

const POINTS = 64;

export const start = (canvas) => startWith(canvas, {});

export async function startWith(canvas, options) {
  const renderer = new THREE.WebGPURenderer({ canvas, antialias: true, ...options });
  renderer.setSize(128, 128, false);
  await renderer.init();

  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 20);
  camera.position.z = 5;
  const step = uniform(0);
  const places = instancedArray(POINTS, 'vec3');
  const move = Fn(() => {
    const a = float(instanceIndex).mul(0.37).add(step.mul(0.1));
    places.element(instanceIndex).assign(vec3(a.sin().mul(1.6), a.mul(1.7).cos().mul(1.6), a.mul(0.9).sin()));
  })().compute(POINTS);
  const material = new THREE.MeshBasicNodeMaterial({ color: 0xffaa44 });
  material.positionNode = places.element(instanceIndex).add(positionLocal);
  scene.add(new THREE.InstancedMesh(new THREE.BoxGeometry(0.12, 0.12, 0.12), material, POINTS));
  const box = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshNormalNodeMaterial());
  scene.add(box);

  const post = new THREE.RenderPipeline(renderer);
  const scenePass = pass(scene, camera);
  const color = scenePass.getTextureNode('output');
  post.outputNode = color.add(bloom(color, 0.8, 0.3, 0.1));

  return {
    renderer,
    draw(frame) {
      step.value = frame;
      box.rotation.set(frame * 0.1, frame * 0.07, 0);
      renderer.compute(move);
      post.render();
    },
    loop: animated(renderer),
    pixels: () => canvas.toDataURL(),
  };
}
