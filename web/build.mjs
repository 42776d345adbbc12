// SPDX-License-Identifier: MIT
// Builds the wasm core and bundles the package into dist/. Usage: node build.mjs [--quiet]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { lzma } from './packing.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = `${here}dist`;
const wasm = `${dist}/passtime.wasm`;

/** `import { packed, size } from 'passtime:wasm'`: the module, packed, as base64. */
const wasmPlugin = {
  name: 'passtime-wasm',
  setup(build) {
    build.onResolve({ filter: /^passtime:wasm$/ }, () => ({ path: wasm, namespace: 'passtime-wasm' }));
    build.onLoad({ filter: /.*/, namespace: 'passtime-wasm' }, ({ path }) => {
      const bytes = readFileSync(path);
      const packed = lzma(bytes).toString('base64');
      return { contents: `export const packed = '${packed}', size = ${bytes.length};`, loader: 'js' };
    });
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
    plugins: entry.format === 'esm' ? [wasmPlugin, sharedPlugin] : [wasmPlugin],
  };
}

mkdirSync(dist, { recursive: true });
execFileSync(`${here}wasm/build.sh`, [wasm], { stdio: 'inherit' });
// A tenth less; what clang's own features are has to be said again.
execFileSync(process.execPath, [
  `${here}node_modules/binaryen/bin/wasm-opt`, '-Oz', '--converge', '--enable-bulk-memory',
  '--enable-nontrapping-float-to-int', '--enable-sign-ext', '--enable-mutable-globals', wasm, '-o', wasm,
], { stdio: 'inherit' });
for (const entry of ENTRIES.filter((e) => existsSync(here + e.in))) await esbuild.build(options(entry));
