import { log } from '#server/core/log.ts';

/**
 * Runs every step, one after the other, however many of them fail.
 * @param failure the line that is logged for each that failed, with its name
 * @throws when any failed, naming them: the job counts as failed, and is tried again
 */
export async function runSteps(
  failure: string,
  steps: Record<string, () => Promise<unknown>>,
): Promise<void> {
  const failed: string[] = [];
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      log().error({ err: error, step }, failure);
      failed.push(step);
    }
  }
  if (failed.length > 0) throw new Error(`These steps failed: ${failed.join(', ')}.`);
}
