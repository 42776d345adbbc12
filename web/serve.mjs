// SPDX-License-Identifier: MIT
/**
 * Serves the pages on loopback, and nowhere else. Usage: node serve.mjs [--port N] [--no-build]
 * `startServer` is for the tests too.
 */
import { createServer } from 'node:http';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8', '.json': 'application/json', '.map': 'application/json', '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm', '.wgsl': 'text/plain; charset=utf-8', '.glsl': 'text/plain; charset=utf-8', '.png': 'image/png',
};

/** The file that a path names under one of the roots, or null: nothing outside them is reached. */
async function find(roots, path) {
  for (const [prefix, folder] of Object.entries(roots)) {
    if (!path.startsWith(prefix)) continue;
    const file = normalize(join(folder, path.slice(prefix.length)));
    if (file !== folder && !file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) continue;
    const found = await stat(file).catch(() => null);
    if (found?.isDirectory()) return find({ [prefix]: folder }, `${path.replace(/\/$/, '')}/index.html`);
    if (found?.isFile()) return file;
  }
  return null;
}

async function answer(roots, headers, request, response) {
  let path;
  try {
    path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  } catch {
    path = null;
  }
  const file = path !== null && !path.includes('\0') ? await find(roots, path) : null;
  if (file === null) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-store', ...headers });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).on('error', () => response.destroy()).pipe(response);
}

/**
 * @param {{port?: number, roots?: Record<string, string>, headers?: Record<string, string>}} [options]
 *   roots: a folder by the beginning of its paths
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export function startServer(options = {}) {
  const { port = 0, roots = { '/': `${here}dist/site/` }, headers = {} } = options;
  const server = createServer((request, response) => {
    answer(roots, headers, request, response).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const close = () => new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
      resolve({ url: `http://localhost:${server.address().port}/`, close });
    });
  });
}

async function main() {
  const args = process.argv.slice(2);
  const at = args.indexOf('--port');
  const port = at >= 0 ? Number(args[at + 1]) : 8080;
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    console.error('serve: --port takes a number from 0 to 65535');
    process.exit(2);
  }
  if (!args.includes('--no-build')) (await import('./pages/build.mjs')).buildSite();
  try {
    const { url } = await startServer({ port });
    console.log(`The pages are at ${url} (Ctrl+C ends)`);
  } catch (error) {
    console.error(`serve: port ${port} can't be used (${error.code ?? error.message}); give another with --port N`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
