// SPDX-License-Identifier: MIT
// A small program that uses the package as a reader of its types would; it is compiled only.
import { Passtime, type Capture, type Frame, type Timer } from 'passtime';
import 'passtime/auto';
import { mountOverlay, type PasstimeOverlay } from 'passtime/overlay';

export async function time(device: GPUDevice, gl: WebGL2RenderingContext): Promise<number | null> {
  const timer: Timer = await Passtime.attach(device, { maxPasses: 64, frames: 'manual' });
  const encoder = device.createCommandEncoder();
  encoder.beginComputePass({ timestampWrites: timer.pass('scatter') }).end();
  const colorAttachments: GPURenderPassColorAttachment[] = [];
  encoder.beginRenderPass({ colorAttachments, timestampWrites: timer.pass('base') }).end();
  const answer: number = timer.scope('post', () => 42);
  const recorder = timer.recorder();
  recorder.discarded();
  timer.every(2).budget(14).enable(false).on('frame', (frame: Frame) => {
    const [first] = frame.samples;
    if (first?.verdict === 'good') console.log(first.durationNs, frame.copy().fate, answer);
  });
  timer.frame();
  const webgl = Passtime.attachWebGL(gl);
  webgl.begin('shadow');
  webgl.end();
  webgl.frame();
  // @ts-expect-error there is no such event
  timer.on('pass', () => {});
  console.log(Passtime.status.text, Passtime.report().schema, timer.stats().boundBy);
  return timer.stats().totals.busy.meanNs;
}

export async function capture(timer: Timer): Promise<Blob> {
  const running: Capture = await timer.capture({ seconds: 10, megabytes: 8 });
  console.log(running.frames, running.framesLost, running.seconds, running.bytes);
  if (!running.running) running.cancel();
  // @ts-expect-error limits are numbers
  await timer.capture({ seconds: '10' });
  return running.stop();
}

export function show(timer: Timer): number | null {
  const overlay: PasstimeOverlay = mountOverlay({ open: true, key: 'F8', budget: 14, theme: 'dark' });
  overlay.add(timer).toggle();
  const same: PasstimeOverlay | null = document.querySelector('passtime-overlay');
  same?.remove();
  return overlay.costs?.frameMs ?? null;
}
