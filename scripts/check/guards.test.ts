import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectPath } from '#server/core/project.ts';
import { FORBIDDEN_IMPORTS } from '#test/fixtures/forbidden-imports.ts';
import { ORDER } from '../../.dependency-cruiser.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guards-'));
  await write('package.json', '{"name":"planted","type":"module"}');
  for (const file of ['.dependency-cruiser.mjs', 'app/server-modules.json', 'knip.json', 'tsconfig.json']) {
    await cp(projectPath(file), join(folder, file));
  }
});
afterEach(() => rm(folder, { recursive: true }));

describe('imports', () => {
  let checked: ReturnType<typeof run> | undefined;
  const checkAll = async () => {
    await symlink(projectPath('node_modules'), join(folder, 'node_modules'));
    const planted = FORBIDDEN_IMPORTS.map(({ file, text }) => [file, text] as const);
    const imported = [
      'test/b',
      'server/contacts/b',
      'server/core/b',
      'server/screens/router',
      'app/components/inbox/b',
      'app/(shell)/b',
    ].map((place) => [`${place}.ts`, 'export const b = 1;\n'] as const);
    return plant({
      ...Object.fromEntries([...planted, ...imported]),
      'server/inbox/flows/b.ts': 'export const b = 1;\nexport type B = number;\n',
      'server/contacts/one.ts': "import { b } from './two.ts';\nexport const a = () => b();\n",
      'server/contacts/two.ts': "import { a } from './one.ts';\nexport const b = () => a();\n",
    });
  };

  test.each(FORBIDDEN_IMPORTS)('of $what are refused', async ({ error }) => {
    checked ??= await checkAll();
    expect(checked.stdout).toContain(`error ${error}`);
    expect(checked.status).not.toBe(0);
  });

  test('in a cycle are refused', async () => {
    checked ??= await checkAll();
    expect(checked.stdout).toMatch(/error no-cycle: server\/contacts\/(one|two)\.ts/);
  });

  test('from a folder further down the list pass', async () => {
    const { status } = await plant({
      'server/contacts/b.ts': 'export const b = 1;\n',
      'server/inbox/flows/a.ts': "import { b } from '../../contacts/b.ts';\nexport const a = b;\n",
    });
    expect(status).toBe(0);
  });
});

test('every folder with code is in the list, and the list names no other folder', () => {
  const top = ['app', 'e2e', 'bench', 'test', 'worker', 'scripts', 'prisma'];
  const folders = [...top, ...placesIn('server'), ...placesIn('app/components'), 'app/data', 'app/lib'];
  expect(folders.toSorted()).toEqual(ORDER.toSorted());
});

/** Returns the folders that the list has to name: those with files, without folders that only contain folders. */
function placesIn(parent: string): string[] {
  return readdirSync(projectPath(parent), { withFileTypes: true })
    .filter(({ name }) => name !== 'generated')
    .flatMap((entry) => {
      const place = `${parent}/${entry.name}`;
      if (!entry.isDirectory()) return [place.replace(/\.ts$/, '')];
      const below = readdirSync(projectPath(place), { withFileTypes: true });
      return below.every((inside) => inside.isDirectory()) ? placesIn(place) : [place];
    });
}

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

test('no test file overrides a fixture of a shared test at its top level', () => {
  const files = globSync(['{app,server,worker,prisma,scripts,test,bench}/**/*.test.ts'], {
    cwd: projectPath(),
  });
  const overriding = files.filter((file) => {
    const text = readFileSync(projectPath(file), 'utf8');
    return /^test\.override\(/m.test(text) && !/^const test = /m.test(text);
  });
  // One process runs many files: the override would apply to every later file.
  expect(overriding).toEqual([]);
});

/** Writes the files and returns the output of the import check. */
async function plant(files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) await write(file, text);
  return checkImports();
}

async function write(file: string, text: string): Promise<void> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function checkImports() {
  return run(
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.mjs',
    ...readdirSync(folder).filter((name) => ['app', 'server', 'stand-ins', 'scripts', 'test'].includes(name)),
  );
}

function findDeadExports() {
  return run('node_modules/knip/bin/knip.js', '--no-config-hints');
}

function run(tool: string, ...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [projectPath(tool), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout };
}
