import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runningPostgres } from '#scripts/postgres/running-postgres.ts';
import { planStart } from '#scripts/start/demo-settings.ts';
import { dataDirOf } from '#server/core/project.ts';
import { codeOf, UserError } from '#server/core/user-error.ts';

/**
 * Fills in the settings of a program that runs next to `npm start`. Without a DATABASE_URL it uses the PostgreSQL of
 * the running `npm start`.
 * @throws UserError when that does not run, or for a setting that is missing or malformed
 */
export async function fillInSettings(env: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = dataDirOf(env);
  const { embedded, settings } = planStart(env, dataDir);
  const isPlaced = Boolean(env.BASE_URL || env.PORT);
  Object.assign(env, settings);
  if (embedded) {
    const url = await runningPostgres(join(dataDir, 'postgres'), 'inbox');
    if (!url) {
      throw new UserError(
        `There is no database: npm start is not running on ${dataDir}. Start it and leave it running, or set DATABASE_URL.`,
      );
    }
    env.DATABASE_URL = url;
    if (!isPlaced) env.BASE_URL = (await readRunningAddress(dataDir)) ?? env.BASE_URL;
    await fillInSecrets(env, dataDir);
  }
  await checkSettings(env);
}

/** Writes the address of the running `npm start` for the commands beside it, which may not know its port. */
export const writeRunningAddress = (dataDir: string, url: string) =>
  writeFile(join(dataDir, ADDRESS_FILE), url);

const readRunningAddress = (dataDir: string) =>
  readFile(join(dataDir, ADDRESS_FILE), 'utf8').catch(() => undefined);

const ADDRESS_FILE = 'address';

/** Settings that are generated with the embedded database, and their files in the data folder. */
export const GENERATED_SECRETS = { SESSION_SECRET: 'session-secret', SECRETS_KEY: 'secrets-key' };

/** Fills in generated secrets that are not set. Each is created once, readable only by its owner. */
export async function fillInSecrets(env: NodeJS.ProcessEnv, dataDir: string): Promise<void> {
  for (const [name, file] of Object.entries(GENERATED_SECRETS)) {
    env[name] ||= await keptSecret(join(dataDir, file));
  }
}

async function keptSecret(file: string): Promise<string> {
  try {
    await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

/** @throws UserError with a line for each setting that is missing or malformed */
export async function checkSettings(env: Record<string, string | undefined>): Promise<void> {
  const { parseSettings } = await import('#server/core/env.ts');
  try {
    parseSettings(env);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
