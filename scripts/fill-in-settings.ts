import { join } from 'node:path';
import { checkSettings } from '#scripts/check-settings.ts';
import { planStart } from '#scripts/demo-settings.ts';
import { ExplainedError } from '#scripts/explained-error.ts';
import { dataDirOf } from '#scripts/project.ts';
import { runningPostgres } from '#scripts/running-postgres.ts';
import { readSessionSecret } from '#scripts/session-secret.ts';

/**
 * Fills in the settings of a program that works beside `npm start`, as that does: without a DATABASE_URL it is the
 * PostgreSQL which that keeps and has running. Throws an `ExplainedError` when it does not run, or for a setting that is
 * missing or malformed.
 */
export async function fillInSettings(env: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = dataDirOf(env);
  const { embedded, settings } = planStart(env, dataDir);
  Object.assign(env, settings);
  if (embedded) {
    const url = await runningPostgres(join(dataDir, 'postgres'), 'inbox');
    if (!url) {
      throw new ExplainedError(
        `There is no database: npm start does not run on ${dataDir}. Start it and leave it running, or set DATABASE_URL.`,
      );
    }
    env.DATABASE_URL = url;
    env.SESSION_SECRET ||= await readSessionSecret(dataDir);
  }
  await checkSettings(env);
}
