import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { connect } from '../../client/test/connect.ts';
import { HOOKS_HOST, SERVICE_URL } from '../../client/test/service.ts';
import { makeCollection } from '../scripts/make-collection.ts';
import { readOperations } from '../scripts/openapi.ts';

test('the collection is up to date with openapi.json', async () => {
  const entries = await readdir('collection', { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice('collection/'.length));
  const wanted = makeCollection();
  const hint = 'openapi.json has changed: run npm run generate in packages/bruno/ and commit it';
  assert.deepEqual(names.sort(), [...wanted.keys()].sort(), hint);
  for (const [name, text] of wanted)
    assert.equal(await readFile(join('collection', name), 'utf8'), text, `${name}: ${hint}`);
});

type Report = {
  results: { name: string; status: string; error: unknown; assertionResults: { status: string }[] }[];
};

test('every request, run in order against the service, returns the documented response', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'bruno-'));
  t.after(() => rm(folder, { recursive: true }));
  const report = join(folder, 'report.json');
  const { accessToken } = await connect();
  const values = { baseUrl: SERVICE_URL, hooksHost: HOOKS_HOST, accessToken };
  const program = join('..', 'node_modules', '@usebruno', 'cli', 'bin', 'bru.js');
  const variables = Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const args = [program, 'run', '-r', '--env', 'local', ...variables, '--reporter-json', report];
  const { code, stdout } = await promisify(execFile)(process.execPath, args, { cwd: 'collection' }).then(
    (done) => ({ code: 0, ...done }),
    (failed: { code: number; stdout: string }) => failed,
  );
  assert.equal(code, 0, stdout);
  const [{ results }] = JSON.parse(await readFile(report, 'utf8')) as [Report];
  assert.deepEqual(
    results.map(({ name }) => name).sort(),
    readOperations()
      .map(({ summary }) => summary)
      .sort(),
  );
  const assertions = results.flatMap(({ assertionResults }) => assertionResults);
  assert.ok(assertions.length > results.length, 'requests assert more than their status');
  assert.ok(assertions.every(({ status }) => status === 'pass'));
});
