import { ExplainedError } from '#scripts/explained-error.ts';

/** Throws an `ExplainedError` with a line for each setting that is missing or malformed. */
export async function checkSettings(env: Record<string, string | undefined>): Promise<void> {
  const { readSettings } = await import('#server/env.ts');
  try {
    readSettings(env);
  } catch (error) {
    throw new ExplainedError(error instanceof Error ? error.message : String(error));
  }
}
