import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CheckedChanges, checkDeliveries } from '#bench/drills/check-changes.ts';
import { judge } from '#bench/drills/judge.ts';
import { countStatuses, isAcknowledged, type RequestedChange } from '#bench/drills/writers.ts';
import { projectDir } from '#server/core/project.ts';

const run = promisify(execFile);

/** Runs `npm run backup` or `npm run restore` with these arguments. */
export async function runCommand(name: 'backup' | 'restore', ...args: string[]): Promise<void> {
  const { stdout } = await run(process.execPath, [`scripts/commands/${name}.ts`, ...args], {
    cwd: projectDir,
  });
  if (process.env.DRILL_OUTPUT) console.log(stdout);
}

/** Returns the number of requests that repeated an earlier one. */
export function twice({ requests, arrivals }: { requests: number; arrivals: unknown[] }): number {
  return requests - arrivals.length;
}

/** Checks what every restore must preserve. `repeated`: number of events sent again before the release. */
export function judgeRestored({
  all,
  repeated,
  later,
  deliveries,
}: {
  all: CheckedChanges;
  repeated: number;
  later: RequestedChange[];
  deliveries: Awaited<ReturnType<typeof checkDeliveries>>;
}): void {
  judge(`${all.half.length} incomplete changes ${all.half.slice(0, 3).join('; ')}`, all.half.length === 0);
  judge(`${repeated} events were sent again before the release`, repeated === 0);
  judge(`new changes are accepted (${countStatuses(later)})`, later.every(isAcknowledged));
  judge(
    `${deliveries.missing} of ${deliveries.expected} deliveries were missing after the release`,
    deliveries.missing === 0,
  );
}
