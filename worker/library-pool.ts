import type { Pool, QueryConfig } from 'pg';
import { pool, sessionPool } from '#server/core/database/db.ts';
import { retryWhileDatabaseAway } from '#server/core/database/retry-while-database-away.ts';

/** What a statement that failed is taken to have answered. */
const NOTHING = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] };

/**
 * The connections of this process for one pool of the library (graphile-worker 0.18.0). From `shield` on none of its
 * statements fails: `onFailure` is called, and while the database is away the statement is sent again, for some seconds; then it is
 * answered as if it had found nothing. The library takes failures badly: while it ends, one ends the whole
 * process; a failed look for the ids of its tasks is remembered for ever; jobs that were locked for it by a statement
 * whose response was lost are never begun. So a pool with a failure is to be replaced, and when it has ended all that it
 * still has locked is freed, however its last statements ended.
 */
export function libraryPool(onFailure: (error: unknown) => void): { pool: Pool; shield: () => void } {
  const connections = pool();
  let shielded = false;
  const query = async (statement: string | QueryConfig, values?: unknown[]) => {
    if (!shielded) return connections.query(statement, values);
    const send = async () => {
      try {
        return await connections.query(statement, values);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    };
    try {
      return await (looksForJobs(statement) ? send() : retryWhileDatabaseAway(send));
    } catch {
      return NOTHING;
    }
  };
  const connection = { query, release: () => undefined };
  const connect = (callback?: Parameters<Pool['connect']>[0]) => {
    // With a callback it is the connection on which it listens: it knows how to get another one. It may give one back twice,
    // once as it ends and once as its `LISTEN` failed, which would throw and end the process.
    if (callback) {
      // After a timeout pg-pool passes the error only. The library takes a function as a connection to give back.
      return sessionPool().connect((error, client, release) =>
        callback(error, client, error ? release : once(release)),
      );
    }
    return shielded ? Promise.resolve(connection) : connections.connect();
  };
  const shown = new Proxy(connections, {
    get: (target, key) => {
      if (key === 'query') return query;
      if (key === 'connect') return connect;
      const value = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    pool: shown,
    shield: () => {
      shielded = true;
    },
  };
}

/** Calls it the first time alone. */
function once<Given extends unknown[]>(work: (...given: Given) => void): (...given: Given) => void {
  let isDone = false;
  return (...given) => {
    if (isDone) return;
    isDone = true;
    work(...given);
  };
}

/** All but the look for jobs may be done twice: jobs are deleted, or given back by the pool that has them. */
function looksForJobs(statement: string | QueryConfig): boolean {
  return typeof statement === 'object' && statement.name?.startsWith('get_job') === true;
}
