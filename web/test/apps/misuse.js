// SPDX-License-Identifier: MIT
/** What a page should not do, and how the platform answers it: as text, to be compared. */

const TARGET = { size: [4, 4], format: 'rgba8unorm', usage: 16 };

/** What a call throws, rejects with or gives. */
async function answerOf(call) {
  try {
    const result = await call();
    return `${Object.prototype.toString.call(result)} ${typeof result === 'object' ? '' : String(result)}`;
  } catch (error) {
    return `${error?.constructor?.name}: ${error?.message}`;
  }
}

/** Whether the call throws at once, or promises. */
function atOnce(call) {
  try {
    Promise.resolve(call()).catch(() => {});
    return 'returns';
  } catch {
    return 'throws';
  }
}

function deviceRequests() {
  const ask = async (...args) => (await navigator.gpu.requestAdapter()).requestDevice(...args);
  const { prototype } = GPUAdapter;
  return {
    'a number for a descriptor': () => ask(5),
    'a string for a descriptor': () => ask('x'),
    'a feature that is none': () => ask({ requiredFeatures: ['no-such-feature'] }),
    'features that are no list': () => ask({ requiredFeatures: 7 }),
    'a limit beyond all': () => ask({ requiredLimits: { maxBindGroups: 2 ** 30 } }),
    'no adapter': () => prototype.requestDevice.call({}),
    'no adapter, at once?': () => atOnce(() => prototype.requestDevice.call({})),
    'a number, at once?': async () => {
      const adapter = await navigator.gpu.requestAdapter();
      return atOnce(() => adapter.requestDevice(5));
    },
  };
}

function passes(device) {
  const encoder = () => device.createCommandEncoder({ label: 'mine' });
  const attachment = () => ({ view: device.createTexture(TARGET).createView(), loadOp: 'clear', storeOp: 'store' });
  const finished = () => {
    const one = encoder();
    one.finish();
    return one;
  };
  const open = () => {
    const one = encoder();
    one.beginComputePass();
    return one;
  };
  return {
    'no descriptor': () => encoder().beginRenderPass(),
    'a number': () => encoder().beginRenderPass(5),
    'a number, compute': () => encoder().beginComputePass(5),
    'an empty one': () => encoder().beginRenderPass({}),
    'no attachments': () => encoder().beginRenderPass({ colorAttachments: [] }).end(),
    'stamps that are null': () => encoder().beginRenderPass({ colorAttachments: [attachment()], timestampWrites: null }),
    'stamps without a set': () => encoder().beginComputePass({ timestampWrites: {} }),
    'a wrong operation': () => encoder().beginRenderPass({ colorAttachments: [{ ...attachment(), loadOp: 'guess' }] }),
    'a getter that throws': () => encoder().beginRenderPass({ get colorAttachments() { throw new RangeError('mine'); } }),
    'not an encoder': () => GPUCommandEncoder.prototype.beginRenderPass.call({}, {}),
    'a finished encoder': () => finished().beginComputePass({ label: 'late' }).end(),
    'finished twice': () => finished().finish(),
    'finished with a pass open': () => open().finish(),
    'a pass within a pass': () => open().beginComputePass().end(),
  };
}

function submits(device, other) {
  const commands = (owner = device) => owner.createCommandEncoder().finish();
  const twice = () => {
    const list = [commands()];
    device.queue.submit(list);
    device.queue.submit(list);
  };
  return {
    nothing: () => device.queue.submit(),
    'no list': () => device.queue.submit(5),
    'a list of other things': () => device.queue.submit([{}]),
    'the same twice': twice,
    'of another device': () => device.queue.submit([commands(other)]),
    'not a queue': () => GPUQueue.prototype.submit.call(device, []),
  };
}

/** @returns {Promise<Record<string, string>>} */
export async function misuse([device, other]) {
  const answers = {};
  const note = async (kind, calls) => {
    for (const [name, call] of Object.entries(calls)) {
      for (const scope of ['internal', 'out-of-memory', 'validation']) device.pushErrorScope(scope);
      const answer = await answerOf(call);
      const errors = [await device.popErrorScope(), await device.popErrorScope(), await device.popErrorScope()];
      answers[`${kind}, ${name}`] = [answer, ...errors.map((error) => error && error.message)].join(' | ');
    }
  };
  await note('device', deviceRequests());
  await note('pass', passes(device));
  await note('submit', submits(device, other));
  answers['no scope is left'] = await answerOf(() => device.popErrorScope());
  other.destroy();
  answers.destroyed = await answerOf(async () => (await other.lost).reason);
  answers['after that'] = await answerOf(() => other.queue.submit([other.createCommandEncoder().finish()]));
  return answers;
}
