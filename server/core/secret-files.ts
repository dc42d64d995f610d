import { readFileSync } from 'node:fs';
import { codeOf, reasonOf, UserError } from '#server/core/user-error.ts';

/** Settings with a secret, or with an address that contains a password. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'PLATFORM_CLIENT_SECRET',
  'SESSION_SECRET',
  'SECRETS_KEY',
  'SMTP_URL',
  'S3_URL',
] as const;

/** Settings with the path of a secret file, such as `SESSION_SECRET_FILE`. */
export const SECRET_FILE_SETTINGS = SECRET_SETTINGS.map((name) => `${name}_FILE`);

/**
 * Replaces each `NAME_FILE` in `env` with `NAME`, with the trimmed content of that file. Child processes inherit the secret only.
 * @throws UserError when a file cannot be read, or when both `NAME` and `NAME_FILE` are set
 */
export function loadSecretFiles(env: Record<string, string | undefined>): void {
  for (const name of SECRET_SETTINGS) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) throw new UserError(`${name} and ${name}_FILE are both set: remove one of them.`);
    env[name] = readSettingFile(`${name}_FILE`, file).trim();
    delete env[`${name}_FILE`];
  }
}

/** Reads the file that a setting names. @throws UserError when it cannot be read */
export function readSettingFile(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(
      `${setting} names ${file}, which cannot be read (${codeOf(error) ?? reasonOf(error)}).`,
    );
  }
}
