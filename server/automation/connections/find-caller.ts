import {
  CONNECTION_ENDED_MESSAGES,
  CONNECTION_NOT_VALID_MESSAGE,
  NOT_ALLOWED_MESSAGE,
  TEAMMATE_LEFT_MESSAGE,
  TOKEN_EXPIRED_MESSAGE,
} from '#server/contract/connection-messages.ts';
import { batchPerTurn } from '#server/core/database/batch.ts';
import { pool } from '#server/core/database/pools.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Refusal } from '#server/core/errors.ts';
import { digest } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConnectionEnd, Plan, Role } from '#server/generated/prisma/enums.ts';
import { ADMIN_ROLES, isAdmin } from '#server/teammates/roles.ts';

/** The teammate and workspace that a call of the platform acts for. */
export type Caller = {
  connectionId: string;
  workspace: { id: string; name: string; plan: Plan };
  teammate: { id: string; name: string; email: string };
  /** True if `last_used_at` is older than a minute. */
  lastUsedIsStale: boolean;
};

/**
 * The caller of an access token, or a refusal; refusals are checked in the contract's order. `isUnknown`: the
 * token was never issued.
 */
type CallerResult =
  | { kind: 'caller'; caller: Caller }
  | { kind: 'unauthorized'; message: string; isUnknown: boolean }
  // Authenticated, so rate limits apply, but not allowed to act now.
  | { kind: 'forbidden'; ownerId: string; message: string };

type CallerRow = {
  connection_id: string;
  end_reason: ConnectionEnd | null;
  token_is_live: boolean | null;
  last_used_is_stale: boolean;
  workspace_id: string | null;
  workspace_name: string | null;
  plan: Plan | null;
  user_id: string | null;
  user_name: string | null;
  user_email: string | null;
  role: Role | null;
};

/**
 * Finds the callers of all tokens requested in one turn of the event loop. Uses the database's clock for
 * expiry. Selects its array, so that PostgreSQL keeps one plan (see `plannedOnce`).
 */
const FIND_CALLERS = {
  name: 'find-callers',
  text: `
    select requested.n::int, caller.*
    from unnest((select $1::bytea[])) with ordinality as requested (hash, n)
    cross join lateral (
      select c.id as connection_id, c.end_reason,
        t.created_at = any(c.live_token_times) and t.expires_at > now() as token_is_live,
        c.last_used_at is null or c.last_used_at < now() - interval '60 seconds' as last_used_is_stale,
        w.id as workspace_id, w.name as workspace_name, w.plan,
        u.id as user_id, u.name as user_name, u.email as user_email, m.role
      from access_tokens t
      join connections c on c.id = t.connection_id
      left join workspaces w on w.id = c.workspace_id
      left join users u on u.id = c.user_id
      left join members m on m.workspace_id = c.workspace_id and m.user_id = c.user_id
      where t.token_hash = requested.hash
      limit 1
    ) caller`,
};

/**
 * Finds the caller of each access token in one round trip.
 * @returns the results in the order of the tokens
 */
export async function findCallers(accessTokens: readonly string[]): Promise<CallerResult[]> {
  const hashes = accessTokens.map((token) => Buffer.from(digest(token)));
  const { rows } = await pool().query<CallerRow & { n: number }>({ ...FIND_CALLERS, values: [hashes] });
  const rowOf = new Map(rows.map((row) => [row.n, row]));
  return hashes.map((_, index) => callerOf(rowOf.get(index + 1)));
}

/** Finds the caller of an access token (docs/spec.md §5; docs/rulings.md 2.6). */
export const findCaller = batchPerTurn(findCallers);

function refused(message: string): CallerResult {
  return { kind: 'unauthorized', message, isUnknown: false };
}

/** Evaluates a row in the contract's order of refusals. */
function callerOf(row: CallerRow | undefined): CallerResult {
  if (!row) return { kind: 'unauthorized', message: TOKEN_EXPIRED_MESSAGE, isUnknown: true };
  if (row.end_reason) return refused(CONNECTION_ENDED_MESSAGES[row.end_reason]);
  if (
    row.workspace_id === null ||
    row.workspace_name === null ||
    row.plan === null ||
    row.user_id === null ||
    row.user_name === null ||
    row.user_email === null
  ) {
    return refused(CONNECTION_NOT_VALID_MESSAGE);
  }
  if (!row.role) return refused(TEAMMATE_LEFT_MESSAGE);
  if (!row.token_is_live) return refused(TOKEN_EXPIRED_MESSAGE);
  if (!isAdmin(row.role)) {
    return { kind: 'forbidden', ownerId: row.connection_id, message: NOT_ALLOWED_MESSAGE };
  }
  return {
    kind: 'caller',
    caller: {
      connectionId: row.connection_id,
      workspace: { id: row.workspace_id, name: row.workspace_name, plan: row.plan },
      teammate: { id: row.user_id, name: row.user_name, email: row.user_email },
      lastUsedIsStale: row.last_used_is_stale,
    },
  };
}

/**
 * Returns a part of a write that has a row only while the connection is active and its teammate is still owner or admin. Locks
 * nothing, because the conversation is locked already and comes later in the lock order: a write whose statement had started
 * counts as earlier than the end.
 */
export function activeConnectionPart(connectionId: string): Prisma.Sql {
  return Prisma.sql`
    select c.id from connections c join members m on m.workspace_id = c.workspace_id and m.user_id = c.user_id
    where c.id = ${connectionId}::uuid and c.ended_at is null and m.role = any (${[...ADMIN_ROLES]}::role[])`;
}

/** Returns the refusal of a write whose connection ended, or whose teammate was demoted, since the request arrived. */
export async function refusalOfEnded(tx: SqlDb, connectionId: string): Promise<Refusal> {
  const [row] = await tx.$queryRaw<{ reason: ConnectionEnd | null; role: Role | null }[]>`
    select c.end_reason as reason, m.role
    from connections c left join members m on m.workspace_id = c.workspace_id and m.user_id = c.user_id
    where c.id = ${connectionId}::uuid`;
  if (row?.reason) return new Refusal('connection_ended', CONNECTION_ENDED_MESSAGES[row.reason]);
  return row?.role
    ? new Refusal('forbidden', NOT_ALLOWED_MESSAGE)
    : new Refusal('connection_ended', TEAMMATE_LEFT_MESSAGE);
}

/** Records the use of a connection, at most once a minute over all servers (docs/rulings.md 4.13). */
export async function touchConnection(connectionId: string): Promise<void> {
  await pool().query(
    `update connections set last_used_at = now()
     where id = $1 and (last_used_at is null or last_used_at < now() - interval '60 seconds')`,
    [connectionId],
  );
}
