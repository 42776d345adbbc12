// SPDX-License-Identifier: MIT
/** The map, timed from outside: `passtime/auto` was imported before this module. */
import { Camera } from './camera.js';
import { byId, findDevice, isSoftware, message, shader, startPage, whole } from './common.js';
import { MapScene } from './map-scene.js';

const SOFTWARE = { size: 256, points: 5 }; // 10^5 points
const HARDWARE = { size: 768, points: 7 };

startPage({ open: true });
const picture = byId('picture');

function controls(camera, scene) {
  let touring = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const tour = (on) => {
    touring = on;
    byId('tour').setAttribute('aria-pressed', on);
  };
  camera.onTouch = () => tour(false);
  byId('tour').onclick = () => tour(!touring);
  byId('whole').onclick = () => {
    tour(false);
    camera.whole();
  };
  const points = () => {
    const count = Math.round(10 ** Number(byId('points').value));
    byId('count').textContent = whole(count);
    scene.setPoints(count);
  };
  byId('points').oninput = points;
  points();
  tour(touring);
  return () => touring;
}

async function run() {
  const found = await findDevice(false); // the hooks ask for the feature
  if (!found) return;
  const { device, adapter } = found;
  const software = isSoftware(adapter);
  if (software) message('A software renderer draws here: the map begins with fewer points, and its times are a CPU’s. Ten million take it a fifth of a second each frame.');
  const { size, points } = software ? SOFTWARE : HARDWARE;
  Object.assign(picture, { width: size, height: size });
  const format = navigator.gpu.getPreferredCanvasFormat();
  const srgb = `${format}-srgb`;
  const context = picture.getContext('webgpu');
  context.configure({ device, format, viewFormats: [srgb] });
  const [scatter, cull, paint] = await Promise.all(['scatter', 'cull', 'paint'].map((name) => shader('map_common.wgsl', `map_${name}.wgsl`)));
  const scene = new MapScene(device, { scatter, cull, paint }, srgb, size);
  const camera = new Camera(picture, () => {});
  byId('points').value = points;
  const isTouring = controls(camera, scene);
  let frame = 0;
  const tick = (now) => {
    requestAnimationFrame(tick);
    if (isTouring()) camera.tour(now / 1000);
    scene.draw(context.getCurrentTexture().createView({ label: 'canvas', format: srgb }), camera);
    if (++frame === 10) document.body.dataset.state = 'ready';
  };
  requestAnimationFrame(tick);
}

run().catch((error) => message(error.message, 'bad'));
