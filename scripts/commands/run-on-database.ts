import { fillInSettings } from '#scripts/start/fill-in-settings.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { refusalIn } from '#server/core/errors.ts';
import { loadEnvironment } from '#server/core/project.ts';
import { explainDatabaseError, UserError } from '#server/core/user-error.ts';

/**
 * Runs a command on the database of DATABASE_URL, or of a running `npm start`.
 * @param argumentNames maps the field of a refusal to its argument
 * @throws UserError for a refusal, or when the database cannot be used
 */
export async function runOnDatabase(
  work: () => Promise<void>,
  argumentNames: Record<string, string> = {},
): Promise<void> {
  loadEnvironment(process.env);
  await fillInSettings(process.env);
  try {
    await work();
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal) throw explainDatabaseError(error);
    const lines = Object.entries(refusal.errors ?? {}).map(
      ([field, sentences]) => `${argumentNames[field] ?? field}: ${sentences.join(' ')}`,
    );
    throw new UserError(lines.join('\n') || refusal.message);
  } finally {
    await closeDatabase();
  }
}
