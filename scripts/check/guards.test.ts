import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectPath } from '#server/core/project.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guards-'));
  await write('package.json', '{"name":"planted","type":"module"}');
  for (const file of ['.dependency-cruiser.mjs', 'knip.json', 'tsconfig.json']) {
    await cp(projectPath(file), join(folder, file));
  }
});
afterEach(() => rm(folder, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** What a tool says of the planted project, and how it ends. */
function run(tool: string, ...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [projectPath(tool), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout };
}

const checkImports = () =>
  run(
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.mjs',
    'server',
  );
const findDeadExports = () => run('node_modules/knip/bin/knip.js', '--no-config-hints');

const PLANTED = [
  ['a value', 'value', "import { b } from '../inbox/b.ts';\nexport const a = b;\n", 'server/inbox/b.ts'],
  ['a type', 'type', "import type { B } from '../inbox/b.ts';\nexport type A = B;\n", 'server/inbox/b.ts'],
  [
    'a door of its own subject',
    'door',
    "import { c } from './screens.ts';\nexport const a = c;\n",
    'server/people/screens.ts',
  ],
] as const;

test('an import that goes up does not pass, for whatever, and files that import each other do not', async () => {
  await write('server/inbox/b.ts', 'export const b = 1;\nexport type B = number;\n');
  await write('server/people/screens.ts', 'export const c = 1;\n');
  for (const [, name, text] of PLANTED) await write(`server/people/${name}.ts`, text);
  await write('server/people/one.ts', "import { b } from './two.ts';\nexport const a = () => b();\n");
  await write('server/people/two.ts', "import { a } from './one.ts';\nexport const b = () => a();\n");
  const { status, stdout } = checkImports();
  for (const [what, name, , target] of PLANTED)
    expect(stdout, what).toContain(`error people-imports-down: server/people/${name}.ts → ${target}`);
  expect(stdout).toMatch(/error no-cycle: server\/people\/(one|two)\.ts/);
  expect(status).not.toBe(0);
});

test('an import that goes down passes', async () => {
  await write('server/people/b.ts', 'export const b = 1;\n');
  await write('server/inbox/a.ts', "import { b } from '../people/b.ts';\nexport const a = b;\n");
  expect(checkImports().status).toBe(0);
});

test('an export that nothing uses does not pass, and one that is used does', async () => {
  await write('server/main.ts', "import { used } from './used.ts';\nused();\n");
  await write('worker/main.ts', '');
  await write('server/used.ts', 'export const used = () => {};\n');
  expect(findDeadExports().stdout).not.toContain('used.ts');
  await write('server/used.ts', 'export const used = () => {};\nexport const planted = 1;\n');
  const { status, stdout } = findDeadExports();
  expect(stdout).toContain('planted');
  expect(status).toBe(1);
});
