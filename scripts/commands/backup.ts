import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeBackup } from '#scripts/backup/take-backup.ts';
import { readOptions } from '#scripts/commands/read-options.ts';
import { runOnDatabase } from '#scripts/commands/run-on-database.ts';
import { listenForStop } from '#scripts/tools/stop-request.ts';
import { dataDirOf } from '#server/core/project.ts';
import { describeError, runCli, UserError } from '#server/core/user-error.ts';

const EXAMPLE = 'For example: npm run backup -- --to /backups --keep 14 --parallel 4 --daily-at 02:30';

type BackupArguments = { to: string; keep: number; parallel: number; dailyAt: string | undefined };

/**
 * Parses the arguments of `npm run backup`.
 * @throws UserError with a line for each argument that is unknown or invalid
 */
export function readBackupArguments(args: string[], dataDir: string): BackupArguments {
  const values = readOptions(args, ['to', 'keep', 'parallel', 'daily-at'], EXAMPLE);
  const keep = Number(values.keep ?? 14);
  const parallel = Number(values.parallel ?? 4);
  const dailyAt = values['daily-at'];
  const problems = [
    ...(isWithin(keep, 1, 1_000) ? [] : ['--keep must be a number from 1 to 1000.']),
    ...(isWithin(parallel, 1, 64) ? [] : ['--parallel must be a number from 1 to 64.']),
    ...(dailyAt === undefined || /^([01]\d|2[0-3]):[0-5]\d$/.test(dailyAt)
      ? []
      : ['--daily-at must be a time in UTC, such as 02:30.']),
  ];
  if (problems.length > 0) throw new UserError([...problems, EXAMPLE].join('\n'));
  return { to: values.to ?? join(dataDir, 'backups'), keep, parallel, dailyAt };
}

const isWithin = (value: number, from: number, to: number) =>
  Number.isInteger(value) && value >= from && value <= to;

/** Returns the next timestamp with this time of day in UTC. */
export function nextDaily(time: string, now: Date): Date {
  const next = new Date(`${now.toISOString().slice(0, 10)}T${time}:00Z`);
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1);
  return next;
}

/** Takes a backup each day until it is stopped, for a container without a scheduler. A failure is printed, and the next day tries again. */
async function takeDaily(time: string, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = nextDaily(time, new Date());
    console.log(`The next backup starts at ${next.toISOString()}.`);
    await sleep(next.getTime() - Date.now(), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await work().catch((error: unknown) => console.error(describeError(error)));
  }
}

/** `npm run backup`: backs up the database of DATABASE_URL, or of a running `npm start`, with its files. */
if (import.meta.main) {
  await runCli(async () => {
    const { dailyAt, ...options } = readBackupArguments(process.argv.slice(2), dataDirOf(process.env));
    const { requested: signal } = listenForStop();
    const work = () =>
      runOnDatabase(async () => {
        const started = performance.now();
        const folder = await takeBackup({ ...options, signal }).catch((error: unknown) => {
          throw signal.aborted
            ? new UserError('The backup was stopped. The next one removes its folder.')
            : error;
        });
        console.log(
          `The backup in ${folder} took ${((performance.now() - started) / 1_000).toFixed(1)} seconds.`,
        );
      });
    if (dailyAt === undefined) await work();
    else await takeDaily(dailyAt, work, signal);
  });
}
