import pg from 'pg';
import { LIVE_CHANNEL } from '#server/core/live/publish.ts';
import { settleRuns } from '#server/core/run-coalesced.ts';

/** A statement sent to PostgreSQL, with its parameters. */
export type Statement = { text: string; values: unknown[] };

/**
 * Runs `work` and returns every statement that this process sends to PostgreSQL during that time. The data
 * layer, the prepared statements and the limiter all use `pg`. Waits for the background work of earlier changes first.
 * Live notifications are left out, as they are sent with a delay.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  await settleRuns();
  const sent: Statement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [query, values] = given;
    if (typeof query === 'string') sent.push({ text: query, values: asArray(values) });
    else if (hasText(query)) sent.push({ text: query.text, values: asArray(query.values ?? values) });
    return Reflect.apply(original, this, given);
  };
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return sent.filter(({ text }) => !text.includes(`pg_notify('${LIVE_CHANNEL}'`));
}

function asArray(values: unknown): unknown[] {
  return Array.isArray(values) ? values : [];
}

function hasText(query: unknown): query is { text: string; values?: unknown } {
  return typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string';
}
