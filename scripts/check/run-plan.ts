import { availableParallelism, loadavg } from 'node:os';
import { type Counts, countOne, sumCounts } from '#scripts/check/count-results.ts';
import { startLoad } from '#scripts/check/start-load.ts';
import { stopAbandonedTestServers } from '#scripts/postgres/running-postgres.ts';
import { countProcessorTime, processorSeconds } from '#scripts/tools/processor-time.ts';
import { stepLine } from '#scripts/tools/steps.ts';
import { listenForStop } from '#scripts/tools/stop-request.ts';
import { dataDirOf } from '#server/core/project.ts';
import { describeError } from '#server/core/user-error.ts';

/** A check. It prints its errors itself, or throws. */
export type Stage = { label: string; run(signal: AbortSignal): Promise<Counts> };

/** Stages that run one after another. The plans in `sideBySide` run in parallel. */
export type Plan = (Stage | { sideBySide: Plan[] })[];

export function stageOf(label: string, work: (signal: AbortSignal) => Promise<unknown>): Stage {
  return { label, run: async (signal) => work(signal).then(() => countOne(true)) };
}

/** Result of a stage: counts, a line with its elapsed and its processor time, and a line for each failure. */
type Ran = { counts: Counts; line: string; failures: string[] };

/**
 * Runs all stages of a plan, even after a failure, prints failures and a last line such as `212 passed, 0 failed`,
 * and exits with 1 if anything failed.
 * @param besideLoad whether to run a busy loop on every core
 */
export async function runStages(plan: Plan, { besideLoad = false } = {}): Promise<never> {
  const { requested } = listenForStop();
  const started = performance.now();
  const load = besideLoad ? await startLoad() : undefined;
  if (load) console.log(`\nBeside ${load.pids.length} busy loops: processes ${load.pids.join(', ')}.`);
  const { counts, lines, failures } = await runPlan(plan, requested);
  await load?.stop();
  await stopAbandonedTestServers(dataDirOf(process.env));
  const { passed, failed } = sumCounts(counts);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const processor = (processorSeconds() / 60).toFixed(1);
  console.log(
    `\n${lines.join('\n')}\n\nTotal: ${minutes} minutes elapsed, ${processor} minutes of processor time.\n`,
  );
  if (failures.length > 0) console.log(`Failed:\n${failures.map((name) => `  ${name}`).join('\n')}\n`);
  if (requested.aborted) console.log('Stopped before the end.\n');
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || requested.aborted ? 1 : 0);
}

/**
 * Runs all stages of a plan, even after a failure. Starts none after `signal` was aborted.
 * @returns counts, a line with its times for each stage in the order of the plan, and a line for each failure
 */
export async function runPlan(
  plan: Plan,
  signal: AbortSignal,
): Promise<{ counts: Counts[]; lines: string[]; failures: string[] }> {
  const ran = await runInTurn(plan, signal);
  return {
    counts: ran.map(({ counts }) => counts),
    lines: ran.map(({ line }) => line),
    failures: ran.flatMap(({ failures }) => failures),
  };
}

/**
 * Runs the parts of a plan one after another. Prints the labels of each part before it runs, or, beside other plans, the
 * line of each stage when it ends.
 */
async function runInTurn(plan: Plan, signal: AbortSignal, { isParallel = false } = {}): Promise<Ran[]> {
  const ran: Ran[] = [];
  for (const part of plan) {
    if (signal.aborted) break;
    if (!isParallel) console.log(`\n${labelsOf([part]).join(', ')}`);
    if ('run' in part) {
      const result = await runStage(part, signal);
      if (isParallel) console.log(result.line);
      ran.push(result);
    } else {
      const lanes = part.sideBySide.map((lane) => runInTurn(lane, signal, { isParallel: true }));
      ran.push(...(await Promise.all(lanes)).flat());
    }
  }
  return ran;
}

function labelsOf(plan: Plan): string[] {
  return plan.flatMap((part) => ('run' in part ? part.label : part.sideBySide.flatMap(labelsOf)));
}

async function runStage({ label, run }: Stage, signal: AbortSignal): Promise<Ran> {
  const started = performance.now();
  const { result: counts, seconds } = await countProcessorTime(() =>
    run(signal).catch((error: unknown) => {
      console.error(describeError(error));
      return countOne(false);
    }),
  );
  if (counts.failed > 0) console.error(`${label} failed. ${describeLoad()}`);
  const clock = stepLine(label, describe(counts), performance.now() - started);
  return {
    counts,
    line: `${clock} ${seconds.toFixed(1).padStart(8)} s`,
    failures: nameFailures(label, counts),
  };
}

/** Formats the load averages over 1, 5 and 15 minutes and the number of cores. */
export function describeLoad(averages = loadavg(), cores = availableParallelism()): string {
  const [one, five, fifteen] = averages.map((average) => average.toFixed(1));
  return `Load of the machine: ${one}, ${five} and ${fifteen} in the last 1, 5 and 15 minutes, on ${cores} cores.`;
}

function describe({ passed, failed }: Counts): string {
  return failed > 0 ? `${failed} FAILED, ${passed} passed` : `${passed} passed`;
}

/** Returns the names of failures under their stage. A failure without a name is the stage itself. */
function nameFailures(label: string, { failed, failures }: Counts): string[] {
  const named = failures.map((name) => `${label}: ${name}`);
  return failed > named.length ? [...named, label] : named;
}
