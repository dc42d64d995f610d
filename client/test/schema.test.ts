import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('the types are those that openapi.json makes', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'schema-'));
  t.after(() => rm(folder, { recursive: true }));
  const made = join(folder, 'schema.ts');
  const program = join('node_modules', 'openapi-typescript', 'bin', 'cli.js');
  await promisify(execFile)(process.execPath, [program, '../openapi.json', '--output', made]);
  const [committed, wanted] = await Promise.all([readFile('src/schema.ts', 'utf8'), readFile(made, 'utf8')]);
  assert.ok(committed === wanted, 'openapi.json has changed: run npm run generate in client/ and commit it');
});
