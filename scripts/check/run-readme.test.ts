import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyPackage, parseCommands } from '#scripts/check/run-readme.ts';
import { PACKAGES } from '#scripts/tools/install-packages.mjs';
import { projectPath } from '#server/core/project.ts';

test('the commands of a README are its sh blocks, in order', () => {
  const readme =
    'Text\n\n```sh\nnpm ci\nnpm run build\n```\n\n```ts\nconst a = 1;\n```\n\n```sh\nnpm pack\n```\n';
  expect(parseCommands(readme)).toBe('npm ci\nnpm run build\nnpm pack\n');
  expect(parseCommands('No commands.')).toBe('');
});

describe.each(PACKAGES)('%s', (name) => {
  let checkout: string;
  beforeEach(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'copied-package-'));
  });
  afterEach(() => rm(checkout, { recursive: true, force: true }));

  test('its README starts with the installation', async () => {
    const readme = await readFile(projectPath('packages', name, 'README.md'), 'utf8');
    expect(parseCommands(readme)).toMatch(/^npm ci\n/);
  });

  test('its clean copy has its folder and the API documents, and no installed or built files', async () => {
    const folder = await copyPackage(name, checkout);
    for (const file of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'README.md',
      '../../openapi.json',
      '../../openapi-developer.json',
    ])
      expect(existsSync(join(folder, file)), file).toBe(true);
    const others = PACKAGES.filter((other) => other !== name).map((other) =>
      join(checkout, 'packages', other),
    );
    for (const path of [...others, join(folder, 'node_modules'), join(folder, 'dist')])
      expect(existsSync(path), path).toBe(false);
    expect(existsSync(join(folder, 'src', 'schema.ts'))).toBe(false);
  });
});
