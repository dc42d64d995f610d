import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NIL } from 'uuid';
import { callAutomation } from '#server/api/automation-api.ts';
import { type Caller, findCallers } from '#server/automation/connections/find-caller.ts';
import { startLogEpoch } from '#server/automation/event-log/start-log-epoch.ts';
import { handleTokenRequest } from '#server/automation/oauth/token-endpoint.ts';
import { pool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';
import { consumeTogether } from '#server/core/limits/limit-store.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { keepHeapSmall } from '#server/core/process.ts';

/** Growth of the heap before a full collection, in percent. The more frequent collections cost no measurable time. */
const HEAP_GROWTH = 30;

/** Prepares a server before it listens, so that the first requests are as fast as later ones. Never throws. */
export async function getReady(): Promise<void> {
  keepHeapSmall(HEAP_GROWTH);
  await keepConnections();
  await startLogEpoch().catch((error: unknown) => log().error({ err: error }, 'event_log.epoch_not_checked'));
  await warmUp();
}

/**
 * Opens all database connections of this process and keeps them open while idle. Otherwise a burst of
 * requests would open them together, which takes half a second of a busy database. If the database is
 * unreachable, they are opened on demand. Never throws.
 */
export async function keepConnections(): Promise<void> {
  const connections = pool();
  const { max } = connections.options;
  Object.assign(connections.options, { min: max });
  const opened = await Promise.allSettled(Array.from({ length: max }, () => connections.connect()));
  for (const each of opened) if (each.status === 'fulfilled') each.value.release();
}

/**
 * Runs of each path per connection. PostgreSQL keeps a plan from the sixth run on. It must not be made before the first
 * request: one that is made while a table is empty scans it later, when it has rows.
 */
const ROUNDS = 4;
/** Maximum delay of a start, in ms. */
const LIMIT_MS = 10_000;
/** Ids that do not exist. Nothing is found, and nothing changes but an irrelevant count. */
const NOBODY = 'nobody';
const CALLER: Caller = {
  connectionId: NIL,
  workspace: { id: NIL, name: NOBODY, plan: 'scale' },
  teammate: { id: NIL, name: NOBODY, email: 'nobody@localhost' },
  lastUsedIsStale: false,
};

/**
 * Runs the platform's most frequent paths with ids that do not exist, before the first request: prepares
 * statements on every connection and compiles code. Skipped when the database is unreachable. Never throws.
 */
export async function warmUp(): Promise<void> {
  if (pool().totalCount === 0) return;
  await Promise.race([runPaths().catch(() => undefined), sleep(LIMIT_MS, undefined, { ref: false })]);
}

async function runPaths(): Promise<void> {
  const { PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET } = settings();
  const client = { client_id: PLATFORM_CLIENT_ID, client_secret: PLATFORM_CLIENT_SECRET[0] ?? '' };
  const request = (grant: Record<string, string>) =>
    handleTokenRequest({
      form: new URLSearchParams({ ...client, ...grant }),
      authorization: undefined,
      receivedAt: performance.now(),
    });
  const paths: (() => Promise<unknown>)[] = [
    () => consumeTogether([]),
    () => consumeLimit('token', `${NOBODY} ${randomUUID()}`),
    () => findCallers([NOBODY]),
    () => request({ grant_type: 'refresh_token', refresh_token: NOBODY }),
    () => request({ grant_type: 'authorization_code', code: NOBODY }),
    () => callAutomation('connections.me', {}, CALLER),
    () => callAutomation('conversations.search', { contact_email: 'nobody@localhost' }, CALLER),
  ];
  for (const path of paths) {
    for (let round = 0; round < ROUNDS; round += 1) {
      // One run per connection in parallel, so that each uses a different connection.
      await Promise.all(Array.from({ length: pool().options.max ?? 1 }, path));
    }
  }
}
