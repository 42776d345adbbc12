// SPDX-License-Identifier: MIT
// In a real browser: the timer by hand and the hooks, on stamps rounded as in stock Chromium and not.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, missing, watch } from './browser.mjs';

const PAGE = `<!doctype html><title>smoke</title><canvas width=64 height=64></canvas><script type="module">
  const auto = location.search.includes('auto');
  const { Passtime } = await import(auto ? '/auto.js' : '/passtime.js');
  window.Passtime = Passtime;
  if (location.search.includes('group')) Passtime.auto({ group: 1e6 });
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice(auto ? {} : { requiredFeatures: ['timestamp-query'] });
  window.errors = [];
  device.addEventListener('uncapturederror', (event) => errors.push(event.error.message));
  const context = document.querySelector('canvas').getContext('webgpu');
  const format = navigator.gpu.getPreferredCanvasFormat();
  context.configure({ device, format });
  const module = device.createShaderModule({ code: \`
    override loops: u32 = 1;
    @vertex fn v(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
      return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1);
    }
    @fragment fn f(@builtin(position) p: vec4f) -> @location(0) vec4f {
      var x = u32(p.x); for (var i = 0u; i < loops; i++) { x = x * 1664525u + 1013904223u; }
      return vec4f(f32(x >> 24) / 255, 0.5, 0, 1);
    }\` });
  const passes = [64, 4096].map((loops) => ({ loops, pipeline: device.createRenderPipeline({ layout: 'auto',
    vertex: { module }, fragment: { module, targets: [{ format }], constants: { loops } } }) }));
  const timer = auto ? null : await Passtime.attach(device, { frames: 'auto' });
  window.drawn = 0;
  function frame() {
    const encoder = device.createCommandEncoder();
    for (const { loops, pipeline } of passes) {
      const name = 'loops ' + loops;
      const pass = encoder.beginRenderPass({ label: name, timestampWrites: timer?.pass(name),
        colorAttachments: [{ view: context.getCurrentTexture().createView(), loadOp: 'clear', storeOp: 'store' }] });
      pass.setPipeline(pipeline); pass.draw(3); pass.end();
    }
    device.queue.submit([encoder.finish()]);
    if (++drawn < 200) requestAnimationFrame(frame);
  }
  requestAnimationFrame(frame);
</script>`;

const WORKER = `
  const { Passtime } = await import('/auto.js');
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const module = device.createShaderModule({ code: '@compute @workgroup_size(1) fn main() {}' });
  const pipeline = device.createComputePipeline({ label: 'op', layout: 'auto', compute: { module } });
  for (let i = 0; i < 30; i++) {
    const encoder = device.createCommandEncoder();
    for (let k = 0; k < 2; k++) {
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline); pass.dispatchWorkgroups(1); pass.end();
    }
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await new Promise((resolve) => setTimeout(resolve, 600));
  postMessage({ report: Passtime.report(), status: Passtime.status.toJSON() });`;
const PAGES = {
  '/worker': `<!doctype html><title>worker</title><script type="module">
    new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => { window.result = data; };</script>`,
  '/inside': `<!doctype html><title>inside</title><script type="module">
    import { Passtime } from '/passtime.js';
    const feature = 'chromium-experimental-timestamp-query-inside-passes';
    const adapter = await navigator.gpu.requestAdapter();
    const requiredFeatures = ['timestamp-query', feature].filter((name) => adapter.features.has(name));
    const device = await adapter.requestDevice({ requiredFeatures });
    const errors = [];
    device.addEventListener('uncapturederror', (event) => errors.push(event.error.message));
    const code = 'override n: u32 = 1; @group(0) @binding(0) var<storage, read_write> o: array<u32>;' +
      '@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) i: vec3u) {' +
      'var x = i.x; for (var k = 0u; k < n; k++) { x = x * 1664525u + 1013904223u; } o[i.x] = x; }';
    const module = device.createShaderModule({ code });
    const buffer = device.createBuffer({ size: 4096, usage: GPUBufferUsage.STORAGE });
    const parts = [256, 65536].map((n) => device.createComputePipeline({ layout: 'auto', compute: { module, constants: { n } } }));
    const groups = parts.map((part) => device.createBindGroup({
      layout: part.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] }));
    const timer = await Passtime.attach(device);
    for (let i = 0; i < 20; i++) {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass({ timestampWrites: timer.pass('whole') });
      parts.forEach((part, k) => {
        timer.beginInside(pass, 'part ' + k);
        pass.setPipeline(part); pass.setBindGroup(0, groups[k]); pass.dispatchWorkgroups(4);
        timer.endInside(pass);
      });
      pass.end();
      device.queue.submit([encoder.finish()]);
      timer.frame();
      await device.queue.onSubmittedWorkDone();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    timer.frame();
    window.result = { granted: device.features.has(feature), errors, report: timer.report() };
  </script>`,
  '/none': '<!doctype html><title>none</title><script src="/passtime.iife.js" data-auto></script>',
};

let server;
let origin;

before(async () => {
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const script = pathname.endsWith('.js');
    const file = new URL(`../dist${pathname}`, import.meta.url);
    const body = !script ? PAGES[pathname] ?? PAGE : pathname === '/worker.js' ? WORKER : await readFile(file).catch(() => '');
    const headers = { 'content-type': script ? 'text/javascript' : 'text/html' };
    if (request.url.includes('policy')) headers['content-security-policy'] = "script-src 'self' 'unsafe-inline'";
    response.writeHead(200, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

async function run(path, options) {
  const browser = await launch(options);
  try {
    const page = await browser.newPage();
    const console = watch(page);
    await page.goto(origin + path);
    await page.waitForFunction('window.drawn >= 200', null, { timeout: 60000 });
    await page.waitForTimeout(600);
    const seen = await page.evaluate('({ report: Passtime.report(), errors, status: Passtime.status.toJSON() })');
    return { ...seen, console };
  } finally {
    await browser.close();
  }
}

for (const way of ['hand', 'auto']) {
  for (const quantized of [false, true]) {
    test(`${way}, stamps ${quantized ? 'rounded' : 'exact'}`, { skip: missing ?? false, timeout: 120000 }, async () => {
      const { report, errors, status, console } = await run(way === 'auto' ? '/?auto' : '/', { quantized });
      const [context] = report.contexts;
      assert.deepEqual(errors, []);
      assert.deepEqual(console, []);
      assert.equal(status.errorCount, 0, status.errors.join('\n'));
      assert.deepEqual(context.passes.map((pass) => pass.name), ['loops 64', 'loops 4096']);
      assert.ok(context.frames.complete >= 100, JSON.stringify(context.frames));
      const [short, long] = context.passes;
      assert.ok(long.mean_ns > (short.mean_ns ?? 0), `${short.mean_ns} ${long.mean_ns}`);
      assert.equal(context.clock.quantum_ns, quantized ? 65536 : 1);
      assert.equal(context.method, 'stamps');
    });
  }
}

const one = { skip: missing ?? false, timeout: 120000 };

/** A page of its own, in a browser of its own. */
async function visit(path, options, look) {
  const browser = await launch(options);
  try {
    const page = await browser.newPage();
    const console = watch(page);
    await page.goto(origin + path);
    return { seen: await look(page), console };
  } finally {
    await browser.close();
  }
}

for (const quantized of [false, true]) {
  test(`auto, short passes share their stamps, ${quantized ? 'rounded' : 'exact'}`, one, async () => {
    const { report, errors, status, console } = await run('/?auto&group', { quantized });
    const [short, long, group] = report.contexts[0].passes;
    assert.deepEqual([errors, console, status.errorCount], [[], [], 0]);
    assert.equal(group?.name, 'loops 64 … loops 4096 (2 passes)', JSON.stringify(report.contexts[0].frames));
    assert.ok(group.count >= 10 && long.count >= 32 && short.count === long.count, JSON.stringify(report.contexts[0].frames));
    if (!quantized) assert.ok(group.min_ns > 0, 'a group takes time');
  });
}

test('a worker that imports the module; compute only, without animation frames', one, async () => {
  const { seen: { report, status }, console } = await visit('/worker', {}, async (page) => {
    await page.waitForFunction('window.result', null, { timeout: 60000 });
    return page.evaluate('result');
  });
  const [context] = report.contexts;
  assert.deepEqual(console, []);
  assert.equal(status.errorCount, 0, status.errors.join('\n'));
  assert.deepEqual(context.passes.map((pass) => pass.name), ['op']);
  assert.ok(context.frames.complete >= 20, JSON.stringify(context.frames));
});

test('wasm blocked by the page\'s policy: the page draws, and it is said why nothing is timed', one, async () => {
  const { seen, console } = await visit('/?auto&policy', {}, async (page) => {
    // waitForFunction would itself be stopped by the policy.
    while (await page.evaluate('!(window.drawn >= 200)')) await page.waitForTimeout(100);
    return page.evaluate('({ status: Passtime.status.toJSON(), errors, timers: Passtime.timers.length })');
  });
  assert.equal(seen.status.state, 'blocked');
  assert.match(seen.status.text, /wasm-unsafe-eval/);
  assert.deepEqual([seen.errors, seen.timers, seen.status.errorCount], [[], 0, 0]);
  assert.deepEqual(console.filter((line) => !/wasm|Content.Security/i.test(line)), []);
});

test('a page that uses no GPU: the classic script waits, and says so', one, async () => {
  const { seen, console } = await visit('/none', {}, (page) => page.evaluate('Passtime.status.toJSON()'));
  assert.equal(seen.state, 'waiting');
  assert.deepEqual(console, []);
});

for (const unsafe of [true, false]) {
  test(`groups within a pass: ${unsafe ? 'timed where the device grants it' : 'nothing happens elsewhere'}`, one, async () => {
    const { seen, console } = await visit('/inside', { args: unsafe ? ['--enable-unsafe-webgpu'] : [] }, async (page) => {
      await page.waitForFunction('window.result', null, { timeout: 60000 });
      return page.evaluate('result');
    });
    const [context] = seen.report.contexts;
    assert.deepEqual([seen.granted, seen.errors, console], [unsafe, [], []]);
    assert.deepEqual(context.passes.map((pass) => pass.name), unsafe ? ['whole', 'part 0', 'part 1'] : ['whole']);
    assert.ok(context.passes.every((pass) => pass.count >= 15), JSON.stringify(context.ledger));
    if (!unsafe) return;
    const [whole, short, long] = context.passes.map((pass) => pass.min_ns);
    assert.ok(whole > long && long > short && short > 0, `${whole} ${short} ${long}`);
  });
}
