// SPDX-License-Identifier: MIT
/** Serves the subjects of `passtime page` on loopback, runs the command on them, and hears what they counted themselves. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../serve.mjs';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The command under test: PASSTIME_BIN, or what `make` built. */
export const BINARY = resolve(process.env.PASSTIME_BIN ?? folder('../../build/passtime'));
const hasPage = () => execFileSync(BINARY, ['--help'], { encoding: 'utf8' }).includes('\n  page ');

/** Why the command can't be tested; null: it can. */
export const noCommand = !existsSync(BINARY) ? `${BINARY} is not there (set PASSTIME_BIN)`
  : !hasPage() ? `${BINARY} was built without 'passtime page'` : null;

const CSP = "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'";

/**
 * The subjects, with two things that files can't do: /told takes what a page counted, /hang never answers.
 * `?csp=1` is served with a strict policy.
 */
export async function serveSubjects() {
  const files = await startServer({
    roots: { '/page/': folder('./page/'), '/apps/': folder('./apps/'), '/npm/': folder('../node_modules/'), '/site/': folder('../dist/site/') },
  });
  const told = [];
  const waiting = new Set();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, files.url);
    if (pathname === '/hang') {
      waiting.add(response);
      return;
    }
    if (pathname === '/told') {
      const parts = [];
      for await (const part of request) parts.push(part);
      told.push(JSON.parse(Buffer.concat(parts)));
      response.writeHead(204).end();
      return;
    }
    const found = await fetch(files.url + request.url.slice(1));
    const headers = { 'content-type': found.headers.get('content-type'), 'cache-control': 'no-store' };
    if (searchParams.has('csp')) headers['content-security-policy'] = CSP;
    response.writeHead(found.status, headers).end(Buffer.from(await found.arrayBuffer()));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    told,
    async close() {
      for (const response of waiting) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await files.close();
    },
  };
}

const procs = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // It has just ended.
  }
}

/** All processes: who started each, and when, which tells a number that was used again. */
function processTable() {
  const table = new Map();
  for (const pid of procs()) {
    const stat = read(pid, 'stat');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.length > 20 && fields[0] !== 'Z') table.set(Number(pid), { parent: Number(fields[1]), began: fields[19] });
  }
  return table;
}

/** Adds to `family` what its members have started since, and gives those that live. */
function living(family) {
  const table = processTable();
  const isMember = (pid) => family.has(pid) && family.get(pid) === table.get(pid)?.began;
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, { parent, began }] of table) {
      if (isMember(pid) || !isMember(parent)) continue;
      family.set(pid, began);
      grew = true;
    }
  }
  return [...table.keys()].filter(isMember);
}

/** The processes of a run that live, whoever they hang on by now. */
export function processesOf(run) {
  return living(run.family).map((pid) => ({ pid, command: read(pid, 'cmdline').replaceAll('\0', ' ') }));
}

/**
 * A run of the command, in a temporary folder of its own.
 * @param {string[]} args after `page`
 */
export function start(args, { env = {}, timeoutMs = 120000, cwd } = {}) {
  const home = mkdtempSync(`${tmpdir()}/passtime-page-test-`);
  const child = spawn(BINARY, ['page', ...args], {
    cwd,
    env: { ...process.env, TMPDIR: home, ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const family = new Map([[child.pid, processTable().get(child.pid)?.began]]);
  const run = { child, home, family, out: '', err: '', code: null, signal: null, timedOut: false };
  const watch = setInterval(() => living(family), 200);
  child.stdout.setEncoding('utf8').on('data', (text) => { run.out += text; });
  child.stderr.setEncoding('utf8').on('data', (text) => { run.err += text; });
  const timer = setTimeout(() => {
    run.timedOut = true;
    child.kill('SIGTERM');
  }, timeoutMs);
  run.ended = new Promise((resolve) => child.on('exit', (code, signal) => {
    clearTimeout(timer);
    clearInterval(watch);
    living(family);
    Object.assign(run, { code, signal });
    child.stdout.on('close', () => resolve(run));
    setTimeout(() => resolve(run), 2000).unref();
  }));
  return run;
}

/** Waits until it holds, for so long at most. */
export async function until(holds, ms = 20000) {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    const value = await holds();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return holds();
}

/** What a run left behind, given time to go: processes and files. */
export async function leftovers(run, ms = 10000) {
  const left = () => ({ processes: processesOf(run), files: readdirSync(run.home) });
  await until(() => left().processes.length + left().files.length === 0, ms);
  const found = left();
  if (found.processes.length === 0) rmSync(run.home, { recursive: true, force: true });
  return found;
}

/** Runs to the end, and reads the report. */
export async function measure(args, options) {
  const run = await start([...args, '--json'], options).ended;
  let report = null;
  try {
    report = JSON.parse(run.out);
  } catch { /* The test says what it got instead. */ }
  return { ...run, report, left: await leftovers(run) };
}
