import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { codeOf, runCli } from '#server/core/user-error.ts';

/**
 * Command `compose-secrets` of the image: writes the secrets of compose.yaml to one folder per service. Existing
 * secrets stay, so a restart changes nothing. Values from `.env` are written at each start.
 */
export async function writeSecrets(env: Record<string, string | undefined>, root: string): Promise<void> {
  const password = await loadOrCreate(root, 'postgres/password');
  await loadOrCreate(root, 'postgres/superuser_password');
  const storeKey = await loadOrCreate(root, 'files/secret_key');
  await writeCertificate(root);
  await write(root, 'pgbouncer/userlist.txt', `"inbox" "${password}"\n`);
  await loadOrCreate(root, 'app/session_secret');
  await loadOrCreate(root, 'app/secrets_key');
  await write(root, 'app/database_url', `postgresql://inbox:${password}@pgbouncer:6432/inbox`);
  await write(root, 'app/database_direct_url', `postgresql://inbox:${password}@postgres:5432/inbox`);
  await write(root, 'app/s3_url', `https://inbox:${storeKey}@files:7070/inbox`);
  await write(root, 'app/platform_client_secret', env.PLATFORM_CLIENT_SECRET ?? '');
  await write(root, 'app/smtp_url', env.SMTP_URL ?? '');
}

/** Writes the certificate of the file store: its key must not cross a network unencrypted. */
async function writeCertificate(root: string): Promise<void> {
  if (await read(join(root, 'app/files-ca.pem'))) return;
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
  // Last: its presence means that all three files exist.
  await write(root, 'app/files-ca.pem', certificate.cert);
}

/** Returns the secret in the file. Writes a random one the first time. */
async function loadOrCreate(root: string, name: string): Promise<string> {
  const existing = await read(join(root, name));
  if (existing) return existing;
  const secret = randomBytes(32).toString('hex');
  await write(root, name, secret);
  return secret;
}

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

if (import.meta.main) await runCli(() => writeSecrets(process.env, process.argv[2] ?? '/secrets'));
