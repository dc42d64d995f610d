import { type Counts, countOne } from '#scripts/check/count-results.ts';
import { stepLine } from '#scripts/tools/steps.ts';
import { describeError } from '#scripts/tools/user-error.ts';

/** One of the checks. It shows what went wrong itself, or throws. */
export type Stage = { label: string; run(signal: AbortSignal): Promise<Counts> };

/** What runs one after the other. Where it holds lanes, these run side by side: their stages write nothing as they go. */
export type Plan = (Stage | { sideBySide: Stage[][] })[];

/** A stage that does one thing and throws when it fails. */
export function stageOf(label: string, work: (signal: AbortSignal) => Promise<unknown>): Stage {
  return { label, run: async (signal) => work(signal).then(() => countOne(true)) };
}

/** What a stage came to: its counts, a line with its time, and a line for each of its failures. */
type Ran = { counts: Counts; line: string; failures: string[] };

/**
 * Runs all stages of a plan, also after one failed. None is begun after `signal` was aborted.
 * @returns counts and a line with its time for each stage that ran, in the order of the plan, and a line for each failure
 */
export async function runPlan(
  plan: Plan,
  signal: AbortSignal,
): Promise<{ counts: Counts[]; lines: string[]; failures: string[] }> {
  const ran = new Map<Stage, Ran>();
  for (const part of plan) {
    if ('run' in part) {
      if (!signal.aborted) console.log(`\n${part.label}`);
      await runInTurn([part], signal, ran);
      continue;
    }
    console.log(`\n${part.sideBySide.flatMap((lane) => lane.map(({ label }) => label)).join(', ')}`);
    const show = (line: string) => console.log(line);
    await Promise.all(part.sideBySide.map((lane) => runInTurn(lane, signal, ran, show)));
  }
  const stages = plan.flatMap((part) => ('run' in part ? [part] : part.sideBySide.flat()));
  const results = stages.flatMap((stage) => ran.get(stage) ?? []);
  return {
    counts: results.map(({ counts }) => counts),
    lines: results.map(({ line }) => line),
    failures: results.flatMap(({ failures }) => failures),
  };
}

async function runInTurn(
  lane: Stage[],
  signal: AbortSignal,
  ran: Map<Stage, Ran>,
  show: (line: string) => void = () => undefined,
): Promise<void> {
  for (const stage of lane) {
    if (signal.aborted) return;
    const started = performance.now();
    let fault: unknown;
    const counts = await stage.run(signal).catch((error: unknown) => {
      fault = error;
      return countOne(false);
    });
    const line = stepLine(stage.label, describe(counts), performance.now() - started);
    ran.set(stage, { counts, line, failures: nameFailures(stage.label, counts) });
    show(line);
    if (fault !== undefined) console.error(describeError(fault));
  }
}

function describe({ passed, failed }: Counts): string {
  return failed > 0 ? `${failed} FAILED, ${passed} passed` : `${passed} passed`;
}

/** Each failure under its stage; what failed without a name is the stage itself. */
function nameFailures(label: string, { failed, failures }: Counts): string[] {
  const named = failures.map((name) => `${label}: ${name}`);
  return failed > named.length ? [...named, label] : named;
}
