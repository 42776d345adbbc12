// SPDX-License-Identifier: MIT
/**
 * Puts the pages, the built package and the shaders together in dist/site, ready for any static
 * server. The shaders are those of `passtime demo` in src/cli/shaders: there is one source of them.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const shaders = fileURLToPath(new URL('../../src/cli/shaders/', import.meta.url));

/** A page finds the package and the shaders beside it in the site, and where they are made in the sources. */
const moved = (page) => page.replaceAll('../dist/', './').replace('../../src/cli/shaders/', 'shaders/');

/** @returns {string} the folder of the site */
export function buildSite() {
  const site = `${dist}site/`;
  if (!existsSync(`${dist}passtime.js`)) throw new Error('dist/passtime.js is not there: run `npm run build` first');
  rmSync(site, { recursive: true, force: true });
  mkdirSync(`${site}shaders`, { recursive: true });
  for (const name of readdirSync(here)) {
    if (/\.(js|css|svg)$/.test(name)) cpSync(here + name, site + name);
    if (/\.html$/.test(name)) writeFileSync(site + name, moved(readFileSync(here + name, 'utf8')));
  }
  for (const name of readdirSync(dist)) if (name.endsWith('.js')) cpSync(dist + name, site + name);
  for (const name of readdirSync(shaders)) if (/\.(wgsl|glsl)$/.test(name)) cpSync(shaders + name, `${site}shaders/${name}`);
  return site;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(buildSite());
