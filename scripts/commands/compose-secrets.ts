import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { generate } from 'selfsigned';
import { codeOf, runCli, UserError } from '#server/core/user-error.ts';

/**
 * Command `compose-secrets` of the image: writes the secrets of compose.yaml to one folder per service. Existing
 * secrets stay, so a restart changes nothing. Values from `.env` are written at each start. The folder `app` is
 * enough to create the others again, so a backup needs no other folder.
 */
export async function writeSecrets(env: Record<string, string | undefined>, root: string): Promise<void> {
  const password = await loadPassword(root, 'app/database_url');
  await write(root, 'postgres/password', password);
  await createOnce(root, 'postgres/superuser_password');
  const storeKey = await loadPassword(root, 'app/s3_url');
  await write(root, 'files/secret_key', storeKey);
  await writeCertificate(root);
  await write(root, 'pgbouncer/userlist.txt', `"inbox" "${password}"\n`);
  await createOnce(root, 'app/session_secret');
  await createOnce(root, 'app/secrets_key');
  await write(root, 'app/database_url', `postgresql://inbox:${password}@pgbouncer:6432/inbox`);
  await write(root, 'app/database_direct_url', `postgresql://inbox:${password}@postgres:5432/inbox`);
  await write(root, 'app/s3_url', `https://inbox:${storeKey}@files:7070/inbox`);
  await write(root, 'app/platform_client_secret', env.PLATFORM_CLIENT_SECRET ?? '');
  await write(root, 'app/smtp_url', env.SMTP_URL ?? '');
}

/**
 * Reads the secrets in `.env` from the file itself: `docker inspect` shows the environment of a container.
 * @throws UserError if a required secret is missing
 */
export async function readEnvFile(path: string): Promise<Record<string, string | undefined>> {
  const env = parseEnv(await readFile(path, 'utf8'));
  if (!env.PLATFORM_CLIENT_SECRET) throw new UserError('Set PLATFORM_CLIENT_SECRET in .env.');
  return env;
}

/** Writes the certificate of the file store: its key must not cross a network unencrypted. */
async function writeCertificate(root: string): Promise<void> {
  const files = ['files/cert.pem', 'files/key.pem', 'app/files-ca.pem'];
  const existing = await Promise.all(files.map((name) => read(join(root, name))));
  if (existing.every(Boolean)) return;
  const certificate = await generate([{ name: 'commonName', value: 'files' }], {
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + TEN_YEARS_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'files' }] },
    ],
  });
  await write(root, 'files/cert.pem', certificate.cert);
  await write(root, 'files/key.pem', certificate.private);
  await write(root, 'app/files-ca.pem', certificate.cert);
}

/** Writes a random secret unless the file exists. */
async function createOnce(root: string, name: string): Promise<void> {
  if (!(await read(join(root, name)))) await write(root, name, randomSecret());
}

/** Returns the password in the URL that the file contains, or a random one if there is no such file. */
async function loadPassword(root: string, name: string): Promise<string> {
  const url = await read(join(root, name));
  return url ? new URL(url).password : randomSecret();
}

const randomSecret = () => randomBytes(32).toString('hex');

async function read(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** Writes a file that every user may read: each folder is a volume of one service, which runs as its own user. */
async function write(root: string, name: string, content: string): Promise<void> {
  const file = join(root, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
  await chmod(file, 0o644);
}

const TEN_YEARS_MS = 10 * 365 * 86_400_000;

if (import.meta.main) await runCli(async () => writeSecrets(await readEnvFile('/run/env'), '/secrets'));
