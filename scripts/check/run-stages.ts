import { type Counts, countOne, sumCounts } from '#scripts/check/count-results.ts';
import { stopAbandonedTestServers } from '#scripts/postgres/running-postgres.ts';
import { dataDirOf } from '#scripts/tools/project.ts';
import { stepLine } from '#scripts/tools/steps.ts';
import { listenForStop } from '#scripts/tools/stop-request.ts';
import { describeError } from '#scripts/tools/user-error.ts';

/** One of the checks. It shows what went wrong itself. */
export type Stage = { label: string; run(signal: AbortSignal): Promise<Counts> };

/** A stage that does one thing and throws when it fails. */
export function stageOf(label: string, work: (signal: AbortSignal) => Promise<unknown>): Stage {
  return { label, run: async (signal) => work(signal).then(() => countOne(true)) };
}

/**
 * Runs all stages, also after one failed, and ends the process: with a last line such as
 * `212 passed, 0 failed`, and exit code 1 if anything failed.
 */
export async function runStages(stages: Stage[]): Promise<never> {
  const { asked } = listenForStop();
  const lines: string[] = [];
  const counts: Counts[] = [];
  for (const { label, run } of stages) {
    if (asked.aborted) break;
    const started = performance.now();
    console.log(`\n${label}`);
    const result = await run(asked).catch((error: unknown) => {
      console.error(describeError(error));
      return countOne(false);
    });
    counts.push(result);
    lines.push(stepLine(label, describe(result), performance.now() - started));
  }
  await stopAbandonedTestServers(dataDirOf(process.env));
  const { passed, failed } = sumCounts(counts);
  console.log(`\n${lines.join('\n')}\n`);
  if (asked.aborted) console.log('Stopped before the end.\n');
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || asked.aborted ? 1 : 0);
}

function describe({ passed, failed }: Counts): string {
  return failed > 0 ? `${failed} FAILED, ${passed} passed` : `${passed} passed`;
}
