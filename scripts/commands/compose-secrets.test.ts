import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnvFile, writeSecrets } from '#scripts/commands/compose-secrets.ts';
import { parseSettings } from '#server/core/env.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'compose-secrets-'));
});
afterEach(() => rm(root, { recursive: true }));

const read = (name: string) => readFile(join(root, name), 'utf8');

test('the secrets are valid settings', async () => {
  await writeSecrets({ PLATFORM_CLIENT_SECRET: 'a secret' }, root);
  const settings = parseSettings({
    DATABASE_URL: await read('app/database_url'),
    DATABASE_DIRECT_URL: await read('app/database_direct_url'),
    SESSION_SECRET: await read('app/session_secret'),
    SECRETS_KEY: await read('app/secrets_key'),
    S3_URL: await read('app/s3_url'),
    PLATFORM_CLIENT_SECRET: await read('app/platform_client_secret'),
    SMTP_URL: await read('app/smtp_url'),
    PLATFORM_CLIENT_ID: 'platform',
    PLATFORM_RETURN_URL: 'https://platform.test/return',
    HOOKS_HOST: 'hooks.platform.test',
  });
  expect(settings.PLATFORM_CLIENT_SECRET).toEqual(['a secret']);
  expect(settings.SMTP_URL).toBeUndefined();
  expect(await read('pgbouncer/userlist.txt')).toBe(`"inbox" "${new URL(settings.DATABASE_URL).password}"\n`);
});

test('the certificate of the store is for its host name', async () => {
  await writeSecrets({}, root);
  const certificate = new X509Certificate(await read('files/cert.pem'));
  expect(certificate.checkHost('files')).toBe('files');
  expect(await read('app/files-ca.pem')).toBe(await read('files/cert.pem'));
});

test('a second start changes only values from .env', async () => {
  await writeSecrets({ PLATFORM_CLIENT_SECRET: 'old' }, root);
  const before = await Promise.all(['app/session_secret', 'app/database_url', 'files/cert.pem'].map(read));
  await writeSecrets({ PLATFORM_CLIENT_SECRET: 'new', SMTP_URL: 'smtps://mail.test' }, root);
  const after = await Promise.all(['app/session_secret', 'app/database_url', 'files/cert.pem'].map(read));
  expect(after).toEqual(before);
  expect(await read('app/platform_client_secret')).toBe('new');
  expect(await read('app/smtp_url')).toBe('smtps://mail.test');
});

test('the folder of the service is enough to create the other folders again', async () => {
  await writeSecrets({}, root);
  const names = [
    'app/database_url',
    'app/s3_url',
    'app/secrets_key',
    'pgbouncer/userlist.txt',
    'files/secret_key',
  ];
  const before = await Promise.all(names.map(read));
  for (const name of ['postgres', 'pgbouncer', 'files']) await rm(join(root, name), { recursive: true });
  await writeSecrets({}, root);
  expect(await Promise.all(names.map(read))).toEqual(before);
  expect(await read('app/files-ca.pem')).toBe(await read('files/cert.pem'));
});

test('the values from .env are read from the file', async () => {
  const file = join(root, '.env');
  await writeFile(
    file,
    "BASE_URL=https://inbox.test\nPLATFORM_CLIENT_SECRET='a $ecret #1'\n#SMTP_URL=smtps://mail.test\n",
  );
  const env = await readEnvFile(file);
  expect(env.PLATFORM_CLIENT_SECRET).toBe('a $ecret #1');
  expect(env.SMTP_URL).toBeUndefined();
  await writeFile(file, 'PLATFORM_CLIENT_SECRET=\n');
  await expect(readEnvFile(file)).rejects.toThrow('Set PLATFORM_CLIENT_SECRET in .env.');
});
