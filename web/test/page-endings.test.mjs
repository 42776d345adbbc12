// SPDX-License-Identifier: MIT
/** However `passtime page` ends, it leaves no process and no file behind, and says what happened. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { missing } from './browser.mjs';
import { leftovers, measure, noCommand, processesOf, serveSubjects, start, until } from './page-harness.mjs';

const LONG = 'page/passes.html?passes=3&frames=1000000&mark=30';
const NOTHING = { processes: [], files: [] };

/** The main process of the browser that a run has started, or the one of its processes whose command line has `word`. */
function browserOf(run, word = '') {
  return processesOf(run).find(({ command }) => (word === ''
    ? command.includes('--remote-debugging-pipe') && !command.includes('--type=') : command.includes(word)));
}

describe('endings of passtime page', { skip: missing ?? noCommand ?? false, timeout: 900000 }, () => {
  let server;
  let scripts;
  before(async () => {
    server = await serveSubjects();
    scripts = mkdtempSync(`${tmpdir()}/passtime-fake-browsers-`);
  });
  after(async () => {
    await server?.close();
    if (scripts) rmSync(scripts, { recursive: true, force: true });
  });

  /** A run that measures for long, once some of its frames were told. */
  async function running() {
    server.told.length = 0;
    const run = start([server.url + LONG, '--software', '--seconds', '1000', '--warmup', '0', '--json'], { timeoutMs: 150000 });
    await until(() => run.code !== null || server.told.length > 0, 100000);
    assert.ok(server.told.length > 0, `no frames: exit ${run.code}: ${run.err}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return run;
  }

  test('killed: the browser and its profile go all the same', async () => {
    const run = await running();
    run.child.kill('SIGKILL');
    await run.ended;
    assert.deepEqual(await leftovers(run), NOTHING);
  });

  for (const signal of ['SIGINT', 'SIGTERM']) {
    test(`${signal}: ends with what there is`, async () => {
      const run = await running();
      run.child.kill(signal);
      await run.ended;
      assert.deepEqual(await leftovers(run), NOTHING);
      assert.ok(!run.timedOut && run.code !== null, run.err);
      const report = JSON.parse(run.out);
      assert.equal(report.page.end, 'interrupted');
      assert.ok(report.contexts[0].frames.complete > 0, run.out);
    });
  }

  test('the browser is killed in the middle: said, with what there is', async () => {
    const run = await running();
    process.kill(browserOf(run).pid, 'SIGKILL');
    await run.ended;
    assert.deepEqual(await leftovers(run), NOTHING);
    assert.ok(!run.timedOut && run.code !== null, run.err);
    const report = JSON.parse(run.out);
    assert.equal(report.page.end, 'gone');
    assert.ok(report.contexts[0].frames.complete > 0, run.out);
  });

  test('the GPU process is killed: the page loses its device, which is said', async () => {
    const run = await running();
    process.kill(browserOf(run, '--type=gpu-process').pid, 'SIGKILL');
    await until(() => server.told.length > 1, 60000);
    assert.equal(server.told[1]?.lost, 1);
    run.child.kill('SIGINT');
    await run.ended;
    assert.deepEqual(await leftovers(run), NOTHING);
    const report = JSON.parse(run.out);
    const [context] = report.contexts;
    assert.equal(context.lost, true, run.out);
    assert.ok(context.frames.complete > 0, run.out);
  });

  const fakes = {
    'a program that ends at once': '/bin/true',
    'a program that says something else': '#!/bin/sh\necho "I am no browser"\nexit 7\n',
    'a program that only waits': '#!/bin/sh\nexec sleep 1000\n',
    'a program that writes garbage': '#!/bin/sh\nhead -c 100000 /dev/urandom >&4\nprintf \'{"id":1,"result":\\0{}\\0\' >&4\nexec sleep 1000\n',
    'a program that writes without end': '#!/bin/sh\nexec cat /dev/zero >&4\n',
    'a path that is not there': 'none/such',
  };
  for (const [about, program] of Object.entries(fakes)) {
    test(`${about} in the browser's place: exit 2 or 3 and a reason, soon`, async () => {
      let path = program;
      if (program.startsWith('#!')) {
        path = `${scripts}/${about.replace(/\W+/g, '-')}`;
        writeFileSync(path, program);
        chmodSync(path, 0o755);
      }
      const run = await measure([server.url + LONG, '--browser', path], { timeoutMs: 100000 });
      assert.ok(!run.timedOut, run.err);
      assert.ok(run.code === 2 || run.code === 3, `exit ${run.code}: ${run.err}`);
      assert.ok((run.err + run.out).length > 20, 'a reason');
      assert.deepEqual(run.left, NOTHING);
    });
  }

  test('no browser on the PATH: exit 3 and what to do', async () => {
    const run = await measure([server.url + LONG], { env: { PATH: scripts }, timeoutMs: 60000 });
    assert.equal(run.code, 3, run.err);
    assert.match(run.err + run.out, /--browser/);
    assert.deepEqual(run.left, NOTHING);
  });
});
