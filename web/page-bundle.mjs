// SPDX-License-Identifier: MIT
/**
 * The script that `passtime page` runs in each realm of a page: the package's hooks with another core,
 * in one expression, a function that takes the run's settings. Usage: node page-bundle.mjs writes
 * ../src/page/inject.js, which is checked in, so that the C build needs no Node.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const source = `${here}src/`;
export const INJECTED = `${here}../src/page/inject.js`;

const BANNER = `// SPDX-License-Identifier: MIT
// Generated from web/src/page by \`npm run page\` in web/; do not edit.
((passtimeConfig) => {
if (typeof globalThis[passtimeConfig.binding] !== 'function') return;
`;

/** What reads the wasm core is replaced by what sends messages. */
const REPLACED = ['core.js', 'report.js'];
const remotePlugin = {
  name: 'passtime-remote',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const name = REPLACED.find((each) => resolve(resolveDir, path) === source + each);
      return name ? { path: `${source}page/${name}` } : undefined;
    });
  },
};

/** @returns {Promise<string>} the text of src/page/inject.js */
export async function pageBundle() {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: here,
    entryPoints: ['src/page/index.js'],
    format: 'iife',
    bundle: true,
    write: false,
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [remotePlugin],
  });
  const text = outputFiles[0].text.replace(/^ *\/\/ src\/.*\n/gm, '').replace(/^ *\/\*\*.*\*\/\n/gm, '');
  return `${BANNER}${text}})\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(INJECTED, await pageBundle());
