import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NIL } from 'uuid';
import { callProcedure } from '#server/api/call-procedure.ts';
import { type Caller, findCaller, findCallers } from '#server/automation/connections/find-caller.ts';
import { handleTokenRequest } from '#server/automation/oauth/token-endpoint.ts';
import { pool } from '#server/core/database/pools.ts';
import { settings } from '#server/core/env.ts';
import { consumeTogether } from '#server/core/limits/limit-store.ts';
import { takeFrom } from '#server/core/limits/limits.ts';

/** Each path is taken so often on each connection: what is asked for often is compiled, and its statement planned. */
const ROUNDS = 6;
/** A start never waits longer for it, in milliseconds. */
const LIMIT_MS = 10_000;
/** Whom no one is and what no one has: nothing is found, and nothing is changed but a count that no one is held to. */
const NOBODY = 'nobody';
const CALLER: Caller = {
  connectionId: NIL,
  workspace: { id: NIL, name: NOBODY, plan: 'scale' },
  teammate: { id: NIL, name: NOBODY, email: 'nobody@localhost' },
  lastUsedIsStale: false,
};

/**
 * Takes the paths that the platform takes most, with what finds nothing, before anyone waits for them: statements are prepared
 * on every connection, and code is compiled. Where the database does not answer it does without. Never throws.
 */
export async function warmUp(): Promise<void> {
  if (pool().totalCount === 0) return;
  await Promise.race([takePaths().catch(() => undefined), sleep(LIMIT_MS, undefined, { ref: false })]);
}

async function takePaths(): Promise<void> {
  const { PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET } = settings();
  const client = { client_id: PLATFORM_CLIENT_ID, client_secret: PLATFORM_CLIENT_SECRET[0] ?? '' };
  const ask = (grant: Record<string, string>) =>
    handleTokenRequest({
      form: new URLSearchParams({ ...client, ...grant }),
      authorization: undefined,
    });
  const paths: (() => Promise<unknown>)[] = [
    () => consumeTogether([]),
    () => takeFrom('token', `${NOBODY} ${randomUUID()}`),
    () => findCallers([NOBODY]),
    () => findCaller(NOBODY),
    () => ask({ grant_type: 'refresh_token', refresh_token: NOBODY }),
    () => ask({ grant_type: 'authorization_code', code: NOBODY }),
    () => callProcedure('connections.me', {}, CALLER),
    () => callProcedure('conversations.search', { contact_email: 'nobody@localhost' }, CALLER),
  ];
  for (const path of paths) {
    for (let round = 0; round < ROUNDS; round += 1) {
      // As many at once as there are connections: each goes to another one.
      await Promise.all(Array.from({ length: pool().options.max ?? 1 }, path));
    }
  }
}
