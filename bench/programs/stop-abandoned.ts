import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopAbandonedPostgres } from '#scripts/postgres/running-postgres.ts';

// Started by bench/lab/lab-postgres.ts. Its input ends when its starter exits for any reason. Then it stops
// the PostgreSQL left behind, unless another process has taken over. Tries several times, as PostgreSQL may
// still be starting.
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

const [, , home = ''] = process.argv;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
process.stdin.resume();
await once(process.stdin, 'end');
for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
  await stopAbandonedPostgres(home);
  if (attempt < ATTEMPTS) await sleep(PAUSE_MS);
}
