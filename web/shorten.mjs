// SPDX-License-Identifier: MIT
/**
 * Which property names the build may shorten: those that classes of ours define and that nobody else
 * can name. A name stays where the platform has it, where it is part of what the package gives (types,
 * figures, reports), where the overlay, a page, a test or a benchmark uses it, and where it stands in a string.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const WORD = /[A-Za-z_$][\w$]*/g;
const DEFINED = /\bthis\.([A-Za-z_]\w{3,}) = |^ {2}(?:get |static )?([A-Za-z_]\w{3,})\(/gm;
const PUBLIC = ['figures.js', 'report.js', 'status.js', 'index.js', 'classic.js', 'auto.js'];
const OUTSIDE = ['src/overlay', 'pages', 'test', 'test/types', 'truth', 'types', 'bench'];

function filesIn(folder, end) {
  const at = here + folder;
  return existsSync(at) ? readdirSync(at).filter((name) => end.test(name)).sort().map((name) => `${at}/${name}`) : [];
}

function platformFiles() {
  const scope = `${here}node_modules/@typescript`;
  const lib = `${scope}/${readdirSync(scope)[0]}/lib`;
  return readdirSync(lib).filter((name) => /^lib\..*\.d\.ts$/.test(name)).map((name) => `${lib}/${name}`);
}

/** A file's text without comments, whose words name nothing. */
const read = (file) => readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, '');
const wordsOf = (files) => new Set(files.flatMap((file) => read(file).match(WORD) ?? []));

/** @returns {string[]} */
export function shortenable() {
  const own = filesIn('src', /\.js$/);
  const isPublic = (file) => PUBLIC.some((name) => file.endsWith(`/src/${name}`));
  const taken = wordsOf([
    ...own.filter(isPublic), ...OUTSIDE.flatMap((folder) => filesIn(folder, /\.(m?js|ts|html)$/)), ...platformFiles(),
  ]);
  const inner = own.filter((file) => !isPublic(file)).map(read);
  for (const text of inner) {
    for (const [, quoted] of text.matchAll(/['"`]([^'"`\n]*)['"`]/g)) for (const word of quoted.match(WORD) ?? []) taken.add(word);
  }
  const names = inner.flatMap((text) => [...text.matchAll(DEFINED)].map(([, field, method]) => field ?? method));
  return [...new Set(names)].filter((name) => !taken.has(name) && name !== 'constructor').sort();
}
