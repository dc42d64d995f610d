import type { Pool, PoolClient } from 'pg';
import { traced } from '#server/core/tracing/tracing.ts';

/** Traces the statements of a pool and of the connections that it lends, within a request or another traced piece of work. */
export function traceStatements(pool: Pool): void {
  traceQueries(pool);
  pool.on('connect', traceQueries);
}

/** A call with a callback comes from the pool, whose own `query` is traced. */
function traceQueries(target: Pool | PoolClient): void {
  const query = target.query.bind(target);
  const tracedQuery = (...args: unknown[]) => {
    const send = () => Reflect.apply(query, target, args);
    if (typeof args.at(-1) === 'function') return send();
    const { name, operation } = describeStatement(args[0]);
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation };
    return traced(name, { kind: 'client', attributes, onlyInTrace: true }, send);
  };
  Object.assign(target, { query: tracedQuery });
}

/** Returns the operation of a statement, and its name if it is prepared under one that says what it does. Never its text. */
function describeStatement(statement: unknown): { name: string; operation: string } {
  const { text, name } =
    typeof statement === 'object' && statement !== null
      ? partsOf(statement)
      : { text: statement, name: undefined };
  const operation = /^\s*([a-z]{1,20})/i.exec(String(text).slice(0, 100))?.[1]?.toUpperCase() ?? 'QUERY';
  const isReadable = typeof name === 'string' && /^[a-z]+(-[a-z]+)+$/.test(name);
  return { name: isReadable ? name : operation, operation };
}

function partsOf(statement: object): { text: unknown; name: unknown } {
  return { text: Reflect.get(statement, 'text'), name: Reflect.get(statement, 'name') };
}
