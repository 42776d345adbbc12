// SPDX-License-Identifier: MIT
// What is shipped: its size, what the wasm module asks for, and that JavaScript and C agree.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Passtime } from '../dist/passtime.js';

const MOST_BYTES = 40 * 1024;
const dist = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url));

for (const name of ['passtime.js', 'passtime.iife.js']) {
  test(`${name} with the wasm module in it stays below 40 KB gzipped`, (t) => {
    const { length } = gzipSync(dist(name), { level: 9 });
    t.diagnostic(`${length} bytes`);
    assert.ok(length < MOST_BYTES, `${length} bytes`);
  });
}

test('the wasm module imports nothing, and exports the functions declared and its memory', () => {
  const module = new WebAssembly.Module(dist('passtime.wasm'));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const declared = new Set();
  for (const header of ['exports.h', 'relay.h']) {
    const text = readFileSync(new URL(`../wasm/${header}`, import.meta.url), 'utf8').replace(/\/\*[^]*?\*\//g, '');
    for (const [, name] of text.matchAll(/\b(passtime_web_\w+)\(/g)) declared.add(name);
  }
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name).filter((name) => name !== 'memory');
  assert.deepEqual(exported.sort(), [...declared].sort());
});

test('the writer of captures imports nothing, exports what is declared, and is in a file of its own', () => {
  const bytes = dist('capture.wasm');
  const module = new WebAssembly.Module(bytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const text = readFileSync(new URL('../wasm/capture/writer.h', import.meta.url), 'utf8').replace(/\/\*[^]*?\*\//g, '');
  const declared = [...text.matchAll(/\b(passtime_web_capture_\w+)\(/g)].map(([, name]) => name);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name).filter((name) => name !== 'memory');
  assert.deepEqual(exported.sort(), declared.sort());
  const inside = bytes.toString('base64').slice(0, 400);
  assert.ok(dist('capture.js').toString().includes(inside));
  for (const name of ['passtime.js', 'passtime.iife.js', 'overlay.js']) assert.ok(!dist(name).toString().includes(inside), name);
});

test('one version everywhere', () => {
  const header = readFileSync(new URL('../../include/passtime/passtime.h', import.meta.url), 'utf8');
  const part = (name) => header.match(new RegExp(`PASSTIME_VERSION_${name} = (\\d+)`))[1];
  const version = ['MAJOR', 'MINOR', 'PATCH'].map(part).join('.');
  assert.equal(Passtime.version, version);
  assert.equal(JSON.parse(readFileSync(new URL('../package.json', import.meta.url))).version, version);
});

test('the classic script gives one global and nothing else', () => {
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  (0, eval)(dist('passtime.iife.js').toString());
  const added = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name));
  assert.deepEqual(added, ['Passtime']);
  assert.equal(typeof globalThis.Passtime.attach, 'function');
});
