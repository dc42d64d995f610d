import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
const npm = (cwd: string, ...args: string[]) => promisify(execFile)('npm', args, { cwd, env });

test('the packed nodes install in an empty folder without any other package', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await npm('.', 'pack', '--silent', '--pack-destination', folder);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await npm(folder, 'install', '--no-audit', '--no-fund', `./${stdout.trim()}`);
  const installed = await readdir(join(folder, 'node_modules'));
  assert.deepEqual(
    installed.filter((name) => !name.startsWith('.')),
    ['n8n-nodes-shared-inbox'],
  );
  const { n8n } = createRequire(join(folder, 'package.json'))('n8n-nodes-shared-inbox/package.json') as {
    n8n: { nodes: string[]; credentials: string[] };
  };
  const packed = await readdir(join(folder, 'node_modules', 'n8n-nodes-shared-inbox'), { recursive: true });
  for (const path of [...n8n.nodes, ...n8n.credentials]) assert.ok(packed.includes(path), path);
});
