import {
  type CallerResult,
  type CallerRow,
  callerOf,
  findCaller,
  selectCaller,
} from '#server/automation/connections/find-caller.ts';
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
const STATEMENT = {
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
  const { rows } = await pool().query<Row>({ ...STATEMENT, values });
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
