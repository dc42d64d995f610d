import { batchPerTurn } from '#server/core/database/batch.ts';
import { pool } from '#server/core/database/pools.ts';
import { digest } from '#server/core/secrets.ts';

/** The points that a key has consumed in its window, and the end of the window by `Date.now`. */
export type Count = { count: number; endsAt: number };

type Request = { key: string; points: number; seconds: number };

/** Rows are locked in the order of their keys, so that two statements cannot deadlock. */
const CONSUME = {
  name: 'consume-limits',
  text: `
    insert into rate_limits as l (key, points, expire)
    select key, points, $4::bigint + seconds * 1000
    from unnest($1::text[], $2::int[], $3::int[]) as requested (key, points, seconds)
    order by key
    on conflict (key) do update set
      points = case when l.expire <= $4::bigint then excluded.points else l.points + excluded.points end,
      expire = case when l.expire <= $4::bigint then excluded.expire else l.expire end
    returning key, points, expire::float8 as expire`,
};

/**
 * Counts all requests in one statement, and returns the count after each of them. The statement is a separate transaction and
 * writes an unlogged table only: it commits without a flush, and its row locks are held for no longer than the statement runs.
 */
export async function consumeTogether(requests: readonly Request[]): Promise<Count[]> {
  // Several requests for one key: a statement can update a row only once.
  const totals = new Map<string, Request>();
  const subtotals = requests.map(({ key, points, seconds }) => {
    const subtotal = points + (totals.get(key)?.points ?? 0);
    totals.set(key, { key, points: subtotal, seconds });
    return subtotal;
  });
  const all = [...totals.values()];
  const columns = [
    all.map(({ key }) => key),
    all.map(({ points }) => points),
    all.map(({ seconds }) => seconds),
  ];
  const { rows } = await pool().query<{ key: string; points: number; expire: number }>({
    ...CONSUME,
    values: [...columns, Date.now()],
  });
  const rowOf = new Map(rows.map((row) => [row.key, row]));
  return requests.map(({ key }, n) => {
    const [row, total, subtotal] = [rowOf.get(key), totals.get(key), subtotals[n]];
    if (!row || !total || subtotal === undefined) throw new Error('A limit was not counted.');
    return { count: row.points - total.points + subtotal, endsAt: row.expire };
  });
}

const consumeBatched = batchPerTurn(consumeTogether);

/** Adds points to a key, whose window starts at its first call. Returns the count with these points included. */
export function consume(key: string, points: number, seconds: number): Promise<Count> {
  return consumeBatched({ key: storableKey(key), points, seconds });
}

export async function forget(key: string): Promise<void> {
  await pool().query('delete from rate_limits where key = $1', [storableKey(key)]);
}

/** The length of the column. */
const KEY_MAX_LENGTH = 255;

/** Replaces a key that PostgreSQL would refuse or change with its digest. Otherwise every request of the statement would fail. */
function storableKey(key: string): string {
  if (key.length <= KEY_MAX_LENGTH && !key.includes('\0') && key.isWellFormed()) return key;
  return Buffer.from(digest(key)).toString('base64url');
}
