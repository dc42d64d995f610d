import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** Next's copy of this module and the server's share the pools, so they share this too. */
const shared = globalThis as typeof globalThis & { serviceJoined?: AsyncLocalStorage<pg.PoolClient> };

function joined(): AsyncLocalStorage<pg.PoolClient> {
  shared.serviceJoined ??= new AsyncLocalStorage();
  return shared.serviceJoined;
}

/** A transaction that `work` begins on a `JoinablePool` joins the one of `client` instead. */
export function joining<T>(client: pg.PoolClient, work: () => T): T {
  return joined().run(client, work);
}

/** Where the transaction that is joined begins and ends is for its owner to say. */
const OWNERS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);
const EMPTY_RESULT = { rows: [], fields: [], rowCount: 0 };

/** The data layer's pool. The data layer always takes a connection of its own for a transaction; here it gets that of ours. */
export class JoinablePool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: the method has two shapes, one with a callback and one with a promise.
  override connect(...given: any[]): any {
    const client = given.length === 0 ? joined().getStore() : undefined;
    return client ? Promise.resolve(joinedClient(client)) : Reflect.apply(super.connect, this, given);
  }
}

/** What the data layer uses of a connection. */
function joinedClient(client: pg.PoolClient) {
  return {
    query: (statement: pg.QueryConfig) =>
      OWNERS.has(statement.text) ? Promise.resolve(EMPTY_RESULT) : client.query(statement),
    on: () => undefined,
    removeListener: () => undefined,
    release: () => undefined,
  };
}
