import { sumCounts } from '#scripts/check/count-results.ts';
import { type Plan, runPlan } from '#scripts/check/run-plan.ts';
import { stopAbandonedTestServers } from '#scripts/postgres/running-postgres.ts';
import { dataDirOf } from '#scripts/tools/project.ts';
import { listenForStop } from '#scripts/tools/stop-request.ts';

/**
 * Runs all stages, also after one failed, and ends the process: with what failed by name, a last line such as
 * `212 passed, 0 failed`, and exit code 1 if anything failed.
 */
export async function runStages(plan: Plan): Promise<never> {
  const { asked } = listenForStop();
  const started = performance.now();
  const { counts, lines, failures } = await runPlan(plan, asked);
  await stopAbandonedTestServers(dataDirOf(process.env));
  const { passed, failed } = sumCounts(counts);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`\n${lines.join('\n')}\n\nIn all ${minutes} minutes.\n`);
  if (failures.length > 0) console.log(`Failed:\n${failures.map((name) => `  ${name}`).join('\n')}\n`);
  if (asked.aborted) console.log('Stopped before the end.\n');
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || asked.aborted ? 1 : 0);
}
