import { readFileSync } from 'node:fs';
import { codeOf, reasonOf, UserError } from '#server/core/user-error.ts';

/** Settings that hold a secret, or an address with a password. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'PLATFORM_CLIENT_SECRET',
  'SESSION_SECRET',
  'SECRETS_KEY',
  'SMTP_URL',
  'S3_URL',
  'REDIS_URL',
] as const;

/** Settings that name the file of a secret, such as `SESSION_SECRET_FILE`. */
export const SECRET_FILE_SETTINGS = SECRET_SETTINGS.map((name) => `${name}_FILE`);

/**
 * Sets each secret whose file is named by `NAME_FILE` to the content of that file, without surrounding white space, and removes
 * `NAME_FILE`: programs that are started with the same environment find the secret alone.
 * @throws UserError when a file cannot be read, or when the secret itself is set as well
 */
export function loadSecretFiles(env: Record<string, string | undefined>): void {
  for (const name of SECRET_SETTINGS) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) throw new UserError(`${name} and ${name}_FILE are both set: remove one of them.`);
    env[name] = readSecret(`${name}_FILE`, file);
    delete env[`${name}_FILE`];
  }
}

function readSecret(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UserError(
      `${setting} names ${file}, which cannot be read (${codeOf(error) ?? reasonOf(error)}).`,
    );
  }
}
