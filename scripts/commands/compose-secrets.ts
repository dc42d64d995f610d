import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { codeOf, runCli } from '#server/core/user-error.ts';

/**
 * `compose-secrets` of the image: writes the secrets of compose.yaml to a folder for each service that reads them. What exists
 * stays, so that a restart of the installation changes nothing; what `.env` sets is written at each start.
 */
export async function writeSecrets(env: Record<string, string | undefined>, root: string): Promise<void> {
  const password = await keep(root, 'postgres/password');
  await keep(root, 'postgres/superuser_password');
  const storeKey = await keep(root, 'files/secret_key');
  await writeCertificate(root);
  await write(root, 'pgbouncer/userlist.txt', `"inbox" "${password}"\n`);
  await keep(root, 'app/session_secret');
  await keep(root, 'app/secrets_key');
  await write(root, 'app/database_url', `postgresql://inbox:${password}@pgbouncer:6432/inbox`);
  await write(root, 'app/database_direct_url', `postgresql://inbox:${password}@postgres:5432/inbox`);
  await write(root, 'app/s3_url', `https://inbox:${storeKey}@files:7070/inbox`);
  await write(root, 'app/platform_client_secret', env.PLATFORM_CLIENT_SECRET ?? '');
  await write(root, 'app/smtp_url', env.SMTP_URL ?? '');
}

/** The store for files is reached over TLS: its key may not cross a network in the clear. */
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
  // Last, as its presence says that all three are there.
  await write(root, 'app/files-ca.pem', certificate.cert);
}

/** Returns the secret in the file; the first time a random one is written. */
async function keep(root: string, name: string): Promise<string> {
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

/** Each folder is a volume that only its own services mount, as different users: so every user may read the files. */
async function write(root: string, name: string, content: string): Promise<void> {
  const file = join(root, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
  await chmod(file, 0o644);
}

const TEN_YEARS_MS = 10 * 365 * 86_400_000;

if (import.meta.main) await runCli(() => writeSecrets(process.env, process.argv[2] ?? '/secrets'));
