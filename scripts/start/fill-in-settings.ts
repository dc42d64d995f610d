import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runningPostgres } from '#scripts/postgres/running-postgres.ts';
import { planStart } from '#scripts/start/demo-settings.ts';
import { dataDirOf } from '#scripts/tools/project.ts';
import { codeOf, UserError } from '#scripts/tools/user-error.ts';

/**
 * Fills in the settings of a program that works beside `npm start`, as that does: without a DATABASE_URL it is the
 * PostgreSQL which that keeps and has running. Throws a `UserError` when it does not run, or for a setting that is
 * missing or malformed.
 */
export async function fillInSettings(env: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = dataDirOf(env);
  const { embedded, settings } = planStart(env, dataDir);
  Object.assign(env, settings);
  if (embedded) {
    const url = await runningPostgres(join(dataDir, 'postgres'), 'inbox');
    if (!url) {
      throw new UserError(
        `There is no database: npm start does not run on ${dataDir}. Start it and leave it running, or set DATABASE_URL.`,
      );
    }
    env.DATABASE_URL = url;
    await fillInSecrets(env, dataDir);
  }
  await checkSettings(env);
}

/**
 * What is generated where nothing is set: the secret that signs sessions, and the key that encrypts channels' tokens. Made
 * once and kept in the data folder, readable only for their owner.
 */
async function generatedSecrets(
  dataDir: string,
): Promise<Record<(typeof GENERATED_SECRETS)[number], string>> {
  return {
    SESSION_SECRET: await keptSecret(join(dataDir, 'session-secret')),
    SECRETS_KEY: await keptSecret(join(dataDir, 'secrets-key')),
  };
}

/** The names of settings that are generated with the embedded database. */
export const GENERATED_SECRETS = ['SESSION_SECRET', 'SECRETS_KEY'] as const;

/** Fills in what is generated, unless it is set. */
export async function fillInSecrets(env: NodeJS.ProcessEnv, dataDir: string): Promise<void> {
  const secrets = await generatedSecrets(dataDir);
  for (const name of GENERATED_SECRETS) env[name] ||= secrets[name];
}

async function keptSecret(file: string): Promise<string> {
  try {
    await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}

/** Throws a `UserError` with a line for each setting that is missing or malformed. */
export async function checkSettings(env: Record<string, string | undefined>): Promise<void> {
  const { readSettings } = await import('#server/ground/env.ts');
  try {
    readSettings(env);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
