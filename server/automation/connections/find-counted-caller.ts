import {
  type CallerResult,
  type CallerRow,
  callerOf,
  FIND_CALLER,
  findCaller,
} from '#server/automation/connections/find-caller.ts';
import { pool } from '#server/ground/db.ts';
import { type LimitState, takeFrom } from '#server/ground/limits/limits.ts';
import {
  limitAfter,
  type Taken,
  takeOne,
  takeWithin,
  windowFrom,
} from '#server/ground/limits/take-within.ts';
import { digest } from '#server/ground/secrets.ts';

type Unauthorized = Extract<CallerResult, { kind: 'unauthorized' }>;
type Authenticated = Exclude<CallerResult, Unauthorized>;
/** Who is behind an access token, and what is left of the limit of the connection. Only who is authenticated is counted. */
export type CountedCaller =
  | { unauthorized: Unauthorized; limit?: undefined }
  | { found: Authenticated; limit: LimitState };

type Row = CallerRow & { [K in keyof Taken]: Taken[K] | null };

/** The statement that every API call begins with, hence prepared. `counted` are those that `callerOf` does not refuse. */
const STATEMENT = {
  name: 'find-counted-caller',
  text: `
    with found as (${FIND_CALLER}
    ), counted as (
      select connection_id from found
      where end_reason is null and token_is_live and workspace_id is not null and user_id is not null and role is not null
    ), taken as (
      ${takeOne('api', { key: 'connection_id::text', from: 'counted', parameters: ['$2', '$3'] })}
    )
    select found.*, taken.points, taken.expire from found left join taken on true`,
};

/** Finds whom an access token acts for, and takes one from the limit of its connection (spec.md §5, §8). One round trip. */
export function findCountedCaller(accessToken: string): Promise<CountedCaller> {
  const hash = Buffer.from(digest(accessToken));
  return takeWithin(hash.toString('base64'), {
    atOnce: async () => {
      const { rows } = await pool().query<Row>({ ...STATEMENT, values: [hash, ...windowFrom('api')] });
      const [row] = rows;
      const { points = null, expire = null } = row ?? {};
      const isTaken = points !== null && expire !== null;
      return withLimit(callerOf(row), (key) =>
        isTaken ? limitAfter('api', { points, expire }) : takeFrom('api', key),
      );
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
