import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { PostgresControl } from '#test/faults/control-postgres.ts';
import { endSessions } from '#test/faults/end-sessions.ts';

/** Fault of a database: it ends all sessions, restarts, or crashes and recovers. */
export type DatabaseFault = 'sessions' | 'restart' | 'crash';

/**
 * Injects a fault and waits until the database accepts connections again.
 * @returns the time at which it did, in ms on the machine's monotonic clock
 */
export async function interruptDatabase(
  fault: DatabaseFault,
  { url, control }: { url: string; control: PostgresControl },
): Promise<number> {
  if (fault === 'sessions') {
    await endSessions(url);
    return machineMs();
  }
  await control.stop(fault === 'crash' ? 'immediate' : 'fast');
  const starting = control.start();
  // PostgreSQL accepts connections before `pg_ctl` notices it.
  await untilConnected(url);
  const respondedAt = machineMs();
  await starting;
  return respondedAt;
}

async function untilConnected(url: string): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
    try {
      await client.connect();
      return;
    } catch {
      await sleep(10);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
