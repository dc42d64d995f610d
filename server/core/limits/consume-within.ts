import pg from 'pg';
import { settings } from '#server/core/env.ts';
import { judge, LIMITS, type LimitName, type LimitState } from '#server/core/limits/limits.ts';

/** What a statement returns of what it took: so many by now, and when the window ends, by `Date.now`. */
export type Taken = { points: number; expire: number };

/** All as SQL, over the rows of `from`. */
type TakeInStatement = { key: string; points?: string; from: string; parameters: [now: string, end: string] };

/** So many who were refused are remembered at once; the oldest make room. */
const REFUSED_MAX = 10_000;

const shared = globalThis as typeof globalThis & { serviceRefused?: Map<string, number> };

/**
 * SQL: takes from a limit, one unless said otherwise, as part of a statement that finds out whose it is, with the rows and
 * windows of `takeFrom`. Returns `Taken` with its `key`, or no row where `from` has none. Rows are locked in the order of their
 * keys, so that statements that take from several wait for each other in that order.
 * @param key whose limit it is
 * @param points how many
 * @param from has each key once
 * @param parameters the placeholders of the two values of `windowFrom`
 */
export function takeInStatement(
  name: LimitName,
  { key, points = '1', from, parameters: [now, end] }: TakeInStatement,
): string {
  return `insert into rate_limits as l (key, points, expire)
    select '${name}:' || ${key}, ${points}, ${end}::bigint from ${from} order by 1
    on conflict (key) do update set
      points = case when l.expire <= ${now}::bigint then excluded.points else l.points + excluded.points end,
      expire = case when l.expire <= ${now}::bigint then excluded.expire else l.expire end
    returning key, points, expire::float8 as expire`;
}

/** Now, and when a window that begins now ends, for `takeInStatement`. */
export function windowFrom(name: LimitName): [now: number, end: number] {
  const now = Date.now();
  return [now, now + LIMITS[name].seconds * 1_000];
}

/**
 * Asks by one statement that takes from a limit too, which halves the round trips; `inTurn`, the same by two, when limits are
 * not counted in the database, when counting is what fails, and for those who were refused here before: the limiter
 * remembers them and writes nothing.
 * @param who what is known of the caller before the statement, and no one else's
 */
export async function takeWithin<T extends { limit?: LimitState | undefined }>(
  who: string,
  { atOnce, inTurn }: { atOnce: () => Promise<T>; inTurn: () => Promise<T> },
): Promise<T> {
  if (isTakenApart(who)) return inTurn();
  let answer: T;
  try {
    answer = await atOnce();
  } catch (error) {
    // What the database refused to do was undone as a whole, so it may be tried once more.
    if (error instanceof pg.DatabaseError) return inTurn();
    throw error;
  }
  if (answer.limit?.allowed === false) rememberRefused(who, answer.limit);
  return answer;
}

/** What is left after a statement took one; counted like what `takeFrom` takes. */
export function limitAfter(name: LimitName, { points, expire }: Taken): LimitState {
  return judge(name, { count: points, endsAt: expire });
}

/** Whether `takeWithin` goes in turn from the start. */
function isTakenApart(who: string): boolean {
  return settings().REDIS_URL !== undefined || wasRefused(who);
}

function wasRefused(who: string): boolean {
  const until = shared.serviceRefused?.get(who);
  if (until === undefined) return false;
  if (until > Date.now()) return true;
  shared.serviceRefused?.delete(who);
  return false;
}

function rememberRefused(who: string, { retryAfterSeconds }: LimitState): void {
  shared.serviceRefused ??= new Map();
  const refused = shared.serviceRefused;
  const [oldest] = refused.size >= REFUSED_MAX ? refused.keys() : [];
  if (oldest !== undefined) refused.delete(oldest);
  refused.set(who, Date.now() + retryAfterSeconds * 1_000);
}
