import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSecrets } from '#scripts/commands/compose-secrets.ts';
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
