// SPDX-License-Identifier: MIT
/** An hour's frames on a scripted GPU, as fast as they go: what the page's and the module's memory do meanwhile. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PASSES = 8;
const WARM = 2000;

async function frame(device, timer, encode) {
  device.passes.length = 0;
  const encoder = device.createCommandEncoder();
  encode(encoder, timer);
  device.queue.submit([encoder.finish()]);
  timer.frame();
  device.answer();
  for (let i = 0; i < 4; i++) await null;
}

/**
 * @param {number} frames
 * @param {() => void} collect the garbage collector
 * @returns {Promise<{frames: number, complete: number, heapBytes: number, wasmBytes: number}>} gained from frame 2,000 on
 */
export async function hour(frames, collect) {
  const { Passtime } = await import('../dist/passtime.js');
  const { Device } = await import('../test/fake-gpu.mjs');
  const device = new Device();
  device.passNs = 100n;
  device.gapNs = 10n;
  const timer = await Passtime.attach(device, { maxPasses: 64 });
  const names = Array.from({ length: PASSES }, (_, i) => `pass ${i}`);
  const encode = (encoder) => {
    for (const name of names) encoder.beginComputePass({ timestampWrites: timer.pass(name) }).end();
  };
  const sizes = () => {
    collect();
    return { heap: process.memoryUsage().heapUsed, wasm: timer.context.wasmBytes() };
  };
  for (let i = 0; i < WARM; i++) await frame(device, timer, encode);
  const before = sizes();
  for (let i = WARM; i < frames; i++) await frame(device, timer, encode);
  const after = sizes();
  const { complete } = timer.contextReport().frames;
  timer.destroy();
  return { frames, complete, heapBytes: after.heap - before.heap, wasmBytes: after.wasm - before.wasm };
}

/** In a process of its own, with its collector at hand. */
export function measureMemory({ frames }) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [String(frames)], { execArgv: ['--expose-gc'] });
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the hour's process ended with ${code}`)));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.send(await hour(Number(process.argv[2]), globalThis.gc));
  process.exit(0);
}
