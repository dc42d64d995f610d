import { log } from '#server/core/log.ts';

/**
 * Runs all steps in order, even if some fail.
 * @param failure log message for each failed step
 * @throws when any step failed, with their names, so that the job is retried
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
