import {
  CONNECTION_ENDED_MESSAGES,
  CONNECTION_NOT_VALID_MESSAGE,
  NOT_ALLOWED_MESSAGE,
  TEAMMATE_LEFT_MESSAGE,
  TOKEN_EXPIRED_MESSAGE,
} from '#server/contract/connection-messages.ts';
import { askTogether } from '#server/core/database/ask-together.ts';
import { pool } from '#server/core/database/db.ts';
import {
  limitAfter,
  type Taken,
  takeInStatement,
  takeWithin,
  windowFrom,
} from '#server/core/limits/consume-within.ts';
import { type LimitState, takeFrom } from '#server/core/limits/limits.ts';
import { digest } from '#server/core/secrets.ts';
import type { ConnectionEnd, Plan, Role } from '#server/generated/prisma/enums.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** Whom a call of the platform acts as, and where. */
export type Caller = {
  connectionId: string;
  workspace: { id: string; name: string; plan: Plan };
  teammate: { id: string; name: string; email: string };
  /** Whether `last_used_at` is due to be written again. */
  lastUsedIsStale: boolean;
};

/**
 * Who is behind an access token, which `isUnknown` when none like it was ever issued; refusals come in the order of the
 * contract.
 */
type CallerResult =
  | { kind: 'caller'; caller: Caller }
  | { kind: 'unauthorized'; message: string; isUnknown: boolean }
  /** Authenticated, so limits apply, but may not act now. */
  | { kind: 'forbidden'; connectionId: string; message: string };

/** A row of `selectCaller`. */
type CallerRow = {
  connection_id: string;
  end_reason: ConnectionEnd | null;
  token_is_live: boolean;
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
 * SQL: bearer, connection, teammate, role and workspace. Expiry compares with the database's clock.
 * @param hash of the access token, as SQL
 */
const selectCaller = (hash: string) => `
    select c.id as connection_id, c.end_reason,
      c.access_token_hash is not distinct from t.token_hash and t.expires_at > now() as token_is_live,
      c.last_used_at is null or c.last_used_at < now() - interval '60 seconds' as last_used_is_stale,
      w.id as workspace_id, w.name as workspace_name, w.plan,
      u.id as user_id, u.name as user_name, u.email as user_email, m.role
    from access_tokens t
    join connections c on c.id = t.connection_id
    left join workspaces w on w.id = c.workspace_id
    left join users u on u.id = c.user_id
    left join members m on m.workspace_id = c.workspace_id and m.user_id = c.user_id
    where t.token_hash = ${hash}`;
const STATEMENT = { name: 'find-caller', text: selectCaller('$1') };

/** Of a token that was issued once. */
function refused(message: string): CallerResult {
  return { kind: 'unauthorized', message, isUnknown: false };
}

/** Finds whom an access token acts for (spec.md §5; decisions: requests and errors, 6). */
async function findCaller(accessToken: string): Promise<CallerResult> {
  const { rows } = await pool().query<CallerRow>({
    ...STATEMENT,
    values: [Buffer.from(digest(accessToken))],
  });
  return callerOf(rows[0]);
}

/** What a row says; the order is the contract's. */
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
    return { kind: 'forbidden', connectionId: row.connection_id, message: NOT_ALLOWED_MESSAGE };
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

type Unauthorized = Extract<CallerResult, { kind: 'unauthorized' }>;
type Authenticated = Exclude<CallerResult, Unauthorized>;
/** Who is behind an access token, and what is left of the limit of the connection. Only who is authenticated is counted. */
export type CountedCaller =
  | { unauthorized: Unauthorized; limit?: undefined }
  | { found: Authenticated; limit: LimitState };

/** `asked`: which of the tokens, from 1. */
type Row = CallerRow & { asked: number; calls: number } & { [K in keyof Taken]: Taken[K] | null };

/**
 * The statement that every API call begins with, hence prepared: for all tokens that are asked for at once, each with its
 * number of calls. `counted` are those that `callerOf` does not refuse; a connection has one token that works.
 */
const COUNTED_STATEMENT = {
  name: 'find-counted-callers',
  text: `
    with found as (
      select asked.n::int as asked, asked.calls, caller.*
      from unnest($1::bytea[], $2::int[]) with ordinality as asked (hash, calls, n)
      cross join lateral (${selectCaller('asked.hash')} limit 1) caller
    ), counted as (
      select connection_id, calls from found
      where end_reason is null and token_is_live and workspace_id is not null and user_id is not null and role is not null
    ), taken as (
      ${takeInStatement('api', { key: 'connection_id::text', points: 'calls', from: 'counted', parameters: ['$3', '$4'] })}
    )
    select found.*, taken.points, taken.expire from found left join taken on taken.key = 'api:' || found.connection_id`,
};

/** What a call found, and what was taken by it and those before. */
type Found = { row: CallerRow | undefined; taken: Taken | undefined };

/**
 * What each of several calls finds by its token's hash (in base64), in their order: of calls with the same token each takes one.
 * One round trip.
 */
export async function findCountedCallers(hashes: string[]): Promise<Found[]> {
  const calls = new Map<string, number>();
  const places = hashes.map((hash) => {
    const place = (calls.get(hash) ?? 0) + 1;
    calls.set(hash, place);
    return place;
  });
  const asked = [...calls.keys()];
  const tokens = asked.map((hash) => Buffer.from(hash, 'base64'));
  const values = [tokens, [...calls.values()], ...windowFrom('api')];
  const { rows } = await pool().query<Row>({ ...COUNTED_STATEMENT, values });
  const rowOf = new Map(rows.map((row) => [asked[row.asked - 1], row]));
  return hashes.map((hash, n) => {
    const row = rowOf.get(hash);
    if (!row || row.points === null || row.expire === null) return { row, taken: undefined };
    return { row, taken: { points: row.points - row.calls + (places[n] ?? 0), expire: row.expire } };
  });
}

/** One statement for all calls that were read before the process turns to its next input. */
const findTogether = askTogether(findCountedCallers);

/** Finds whom an access token acts for, and takes one from the limit of its connection (spec.md §5, §8). */
export function findCountedCaller(accessToken: string): Promise<CountedCaller> {
  const hash = Buffer.from(digest(accessToken)).toString('base64');
  return takeWithin(hash, {
    atOnce: async () => {
      const { row, taken } = await findTogether(hash);
      return withLimit(callerOf(row), (key) => (taken ? limitAfter('api', taken) : takeFrom('api', key)));
    },
    inTurn: async () => withLimit(await findCaller(accessToken), (key) => takeFrom('api', key)),
  });
}

async function withLimit(
  found: CallerResult,
  take: (connectionId: string) => LimitState | Promise<LimitState>,
): Promise<CountedCaller> {
  if (found.kind === 'unauthorized') return { unauthorized: found };
  const { connectionId } = found.kind === 'caller' ? found.caller : found;
  return { found, limit: await take(connectionId) };
}

/** Notes that a connection was used, at most once a minute over all servers (decisions: OAuth, 13). */
export async function touchConnection(connectionId: string): Promise<void> {
  await pool().query(
    `update connections set last_used_at = now()
     where id = $1 and (last_used_at is null or last_used_at < now() - interval '60 seconds')`,
    [connectionId],
  );
}
