// SPDX-License-Identifier: MIT
// Builds the wasm core and bundles the package into dist/. Usage: node build.mjs [--quiet]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { minify } from 'terser';
import { lzma } from './packing.mjs';
import { shortenable } from './shorten.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = `${here}dist`;
const wasm = `${dist}/passtime.wasm`;
const shipped = `${dist}/shipped.wasm`; // the same, its exports under short names

/** `import { packed, size } from 'passtime:wasm'`: the module, packed, as base64. */
const wasmPlugin = {
  name: 'passtime-wasm',
  setup(build) {
    build.onResolve({ filter: /^passtime:wasm$/ }, () => ({ path: shipped, namespace: 'passtime-wasm' }));
    build.onLoad({ filter: /.*/, namespace: 'passtime-wasm' }, ({ path }) => {
      const bytes = readFileSync(path);
      const packed = lzma(bytes).toString('base64');
      return { contents: `export const packed = '${packed}', size = ${bytes.length};`, loader: 'js' };
    });
  },
};

const captureWasm = `${dist}/capture.wasm`;

/** `import { wasm } from 'passtime:capture-wasm'`: what writes captures, as base64. */
const captureWasmPlugin = {
  name: 'passtime-capture-wasm',
  setup(build) {
    build.onResolve({ filter: /^passtime:capture-wasm$/ }, () => ({ path: captureWasm, namespace: 'passtime-capture-wasm' }));
    build.onLoad({ filter: /.*/, namespace: 'passtime-capture-wasm' }, ({ path }) => {
      const text = readFileSync(path).toString('base64');
      return { contents: `export const wasm = '${text}';`, loader: 'js' };
    });
  },
};

/** Captures are a file of their own, beside the module in dist/. */
const lazyPlugin = {
  name: 'passtime-lazy',
  setup(build) {
    build.onResolve({ filter: /\/capture\.js$/ }, ({ kind }) => (
      kind === 'dynamic-import' ? { path: './capture.js', external: true } : undefined));
  },
};

const classicPlugin = {
  name: 'passtime-classic',
  setup(build) {
    build.onResolve({ filter: /\/lazy\.js$/ }, () => ({ path: `${here}src/lazy-classic.js` }));
  },
};

/** Offsets of the core's structures: names from wasm/layout.c, numbers from the module. */
function layoutSource() {
  const text = readFileSync(`${here}wasm/layout.c`, 'utf8');
  const names = [...text.matchAll(/^ {4}(?:sizeof\((?:struct )?(\w+)\)|offsetof\((?:struct )?(\w+), (\w+)\)),$/gm)].map(
    ([, whole, owner, field]) => `${(whole ?? owner).replace(/^passtime_(web_)?|_info$/g, '')}_${field ?? 'size'}`);
  const { exports: c } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasm)));
  const offsets = new Uint16Array(c.memory.buffer, c.passtime_web_layout(), c.passtime_web_layout_count());
  if (names.length !== offsets.length) throw new Error('wasm/layout.c is not read as it was compiled');
  return names.map((name, i) => `export const ${name} = ${offsets[i]};`).join('\n');
}

const layoutPlugin = {
  name: 'passtime-layout',
  setup(build) {
    build.onResolve({ filter: /^passtime:layout$/ }, ({ path }) => ({ path, namespace: 'passtime-layout' }));
    build.onLoad({ filter: /.*/, namespace: 'passtime-layout' }, () => ({ contents: layoutSource(), loader: 'js' }));
  },
};

/** One module holds the state of a realm: the other entries import it, beside them in dist/. */
const sharedPlugin = {
  name: 'passtime-shared',
  setup(build) {
    build.onResolve({ filter: /\/index\.js$/ }, ({ path, kind, resolveDir }) => {
      if (kind === 'entry-point' || resolve(resolveDir, path) !== `${here}src/index.js`) return undefined;
      return { path: './passtime.js', external: true };
    });
  },
};

/** The entry points that are there; each names its output. */
const ENTRIES = [
  { in: 'src/index.js', out: 'passtime.js', format: 'esm' },
  { in: 'src/classic.js', out: 'passtime.iife.js', format: 'iife' },
  { in: 'src/auto.js', out: 'auto.js', format: 'esm' },
  { in: 'src/capture.js', out: 'capture.js', format: 'esm' },
  { in: 'src/overlay/index.js', out: 'overlay.js', format: 'esm' },
];

function options(entry) {
  return {
    absWorkingDir: here,
    entryPoints: [entry.in],
    outfile: `${dist}/${entry.out}`,
    format: entry.format,
    bundle: true,
    minify: true,
    target: 'es2022',
    legalComments: 'none',
    sourcemap: 'linked',
    logLevel: 'warning',
    mangleProps: new RegExp(`^(${[...Object.keys(names), ...shortenable()].join('|')})$`),
    mangleCache: names, // all bundles shorten alike: the overlay calls into the module's objects
    plugins: [wasmPlugin, captureWasmPlugin, layoutPlugin, lazyPlugin, entry.format === 'esm' ? sharedPlugin : classicPlugin],
  };
}

function binaryen(...args) {
  // wasm-ld puts nothing below 1,024, and memory begins as zeros.
  return execFileSync(process.execPath, [`${here}node_modules/binaryen/bin/wasm-opt`,
    '--enable-bulk-memory', '--enable-nontrapping-float-to-int', '--enable-sign-ext', '--enable-mutable-globals',
    '--low-memory-unused', '--zero-filled-memory', ...args], { encoding: 'utf8' });
}

/**
 * Makes the module smaller by a tenth, and its exports' names short.
 * @returns {Record<string, string>} the short names, by the long ones
 */
function optimise() {
  binaryen('-Oz', '--converge', '--strip-target-features', wasm, '-o', wasm);
  const renamed = binaryen('--minify-imports-and-exports', wasm, '-o', shipped);
  return Object.fromEntries([...renamed.matchAll(/^(\w+) => (\w+)$/gm)].map(([, long, short]) => [long, short]));
}

/** A second minifier takes what the first, which is there to bundle, leaves: a fiftieth of the text. */
async function shrink({ out, format }) {
  const file = `${dist}/${out}`;
  const { code, map } = await minify(readFileSync(file, 'utf8'), {
    ecma: 2022,
    module: format === 'esm',
    compress: { passes: 3, reduce_funcs: false }, // a function put where it is used would be made anew at each use
    sourceMap: { content: readFileSync(`${file}.map`, 'utf8'), url: `${out}.map` },
  });
  writeFileSync(file, `${code}\n`);
  writeFileSync(`${file}.map`, map);
}

mkdirSync(dist, { recursive: true });
execFileSync(`${here}wasm/build.sh`, [wasm], { stdio: 'inherit' });
const names = optimise();
execFileSync(`${here}wasm/build-capture.sh`, [captureWasm], { stdio: 'inherit' });
binaryen('-O2', captureWasm, '-o', captureWasm);
for (const entry of ENTRIES.filter((e) => existsSync(here + e.in))) {
  Object.assign(names, (await esbuild.build(options(entry))).mangleCache);
  await shrink(entry);
}
