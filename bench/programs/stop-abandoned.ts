import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopAbandonedPostgres } from '#scripts/postgres/running-postgres.ts';

// Started by bench/lab/lab-postgres.ts: its input ends when who started it does, however that ends. The PostgreSQL that it
// leaves behind is stopped, unless another process has taken it over; one that was only just starting is looked for again.
const LOOKS = 3;
const PAUSE_MS = 1_000;

const [, , home = ''] = process.argv;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
process.stdin.resume();
await once(process.stdin, 'end');
for (let look = 1; look <= LOOKS; look += 1) {
  await stopAbandonedPostgres(home);
  if (look < LOOKS) await sleep(PAUSE_MS);
}
