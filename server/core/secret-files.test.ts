import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTING_NAMES } from '#server/core/env.ts';
import { loadSecretFiles, SECRET_SETTINGS } from '#server/core/secret-files.ts';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secret-files-'));
  file = join(folder, 'secret');
  await writeFile(file, 'a secret of 32 characters or more\n');
});

afterAll(() => rm(folder, { recursive: true }));

test.each(SECRET_SETTINGS)('%s is a setting and can be read from a file', (name) => {
  expect(SETTING_NAMES).toContain(name);
  const env: Record<string, string | undefined> = { [`${name}_FILE`]: file, PORT: '3000' };
  loadSecretFiles(env);
  expect(env).toEqual({ [name]: 'a secret of 32 characters or more', PORT: '3000' });
});

test('an empty file name counts as unset', () => {
  const env = { SESSION_SECRET: 'set', SESSION_SECRET_FILE: '' };
  loadSecretFiles(env);
  expect(env.SESSION_SECRET).toBe('set');
});

test('a secret that is also set directly is refused without repeating it', () => {
  const env = { SESSION_SECRET: 'hunter2', SESSION_SECRET_FILE: file };
  expect(() => loadSecretFiles(env)).toThrow(
    'SESSION_SECRET and SESSION_SECRET_FILE are both set: remove one of them.',
  );
});

test('the error for an unreadable file names the file and the setting', () => {
  const env = { SECRETS_KEY_FILE: join(folder, 'absent') };
  expect(() => loadSecretFiles(env)).toThrow(
    `SECRETS_KEY_FILE names ${join(folder, 'absent')}, which cannot be read (ENOENT).`,
  );
});
