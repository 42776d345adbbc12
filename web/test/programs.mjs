// SPDX-License-Identifier: MIT
/** What the C build made and tests of the package use: the command, and programs that read and write captures. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const NAMES = ['passtime', 'replay_records', 'read_capture', 'write_captures'];
const folders = [process.env.PASSTIME_BUILD, `${root}build/address`, `${root}build/clang`, `${root}build/check`, `${root}build`];
const folder = folders.find((path) => path && NAMES.every((name) => existsSync(`${path}/${name}`)));
const python = `${root}.deps/venv/bin/python`;

/** Why captures can't be read back here; null: they can. */
export const missingPrograms = folder ? null : 'there is no C build with its tests (tools/test.sh address makes one)';
/** The same for Perfetto's own classes. */
export const missingPerfetto = missingPrograms ?? (existsSync(python) ? null : 'Perfetto\'s classes are not there (tools/setup.sh test)');

/** Runs a program of the C build. @returns {string} what it said */
export function run(name, ...args) {
  return execFileSync(`${folder}/${name}`, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** The report of a capture. Over its budget the command says 1, and the report all the same. */
export function reportOf(path) {
  const { stdout, stderr, status } = spawnSync(`${folder}/passtime`, ['report', '--json', path], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status > 1) throw new Error(`passtime report ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Reads captures with Perfetto's classes, which fails where one is not as Perfetto wants it. */
export function readByPerfetto(...paths) {
  const script = `${root}tests/capture/check_perfetto.py`;
  return execFileSync(python, [script, `${folder}/write_captures`, `${folder}/read_capture`, '--only', ...paths], { encoding: 'utf8' });
}
