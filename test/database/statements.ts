import pg from 'pg';
import { LIVE_CHANNEL } from '#server/core/live/publish.ts';

/** A statement that was sent to PostgreSQL, with its parameters. */
export type Statement = { text: string; values: unknown[] };

/**
 * Runs something and returns every statement that this process sent to PostgreSQL meanwhile, from any part:
 * the data layer, the prepared statements and the limiter all go through `pg`. What is published to open pages comes at its
 * own time and is left out.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
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
