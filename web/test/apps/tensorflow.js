// SPDX-License-Identifier: MIT
// TensorFlow.js as published, on WebGPU: a convolution and a product of matrices; no canvas, no animation frames.
import { loadScript } from '/apps/stage.js';

const SIZE = 32;
const ramp = (count, step) => Float32Array.from({ length: count }, (_, i) => Math.fround(Math.sin(i * step)));

export async function start() {
  await loadScript('/npm/@tensorflow/tfjs-core/dist/tf-core.js');
  await loadScript('/npm/@tensorflow/tfjs-backend-webgpu/dist/tf-backend-webgpu.js');
  const { tf } = globalThis;
  await tf.setBackend('webgpu');
  await tf.ready();
  const image = tf.tensor4d(ramp(SIZE * SIZE, 0.37), [1, SIZE, SIZE, 1]);
  const kernel = tf.tensor4d(ramp(9 * 4, 1.1), [3, 3, 1, 4]);
  const weights = tf.tensor2d(ramp(SIZE * SIZE, 0.11), [SIZE, SIZE]);
  let values;

  return {
    draw(frame) {
      const result = tf.tidy(() => {
        const convolved = tf.conv2d(image, kernel, 1, 'same');
        const flat = tf.reshape(tf.sum(convolved, 3), [SIZE, SIZE]);
        return tf.mul(tf.matMul(flat, weights), tf.scalar(1 + frame));
      });
      values = result.data().finally(() => result.dispose());
    },
    async loop(each) {
      let frames = 0;
      for (let more = true; more; frames++) {
        more = each(frames);
        await values;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    pixels: async () => JSON.stringify([...await values]),
  };
}
