import pg from 'pg';

/**
 * How a change is broken off at one of its statements: the code of this process fails instead of sending it, or the
 * connection is cut just before it is sent, or while PostgreSQL works on it.
 */
export type Break = 'fails' | 'is cut before' | 'is cut during';

/**
 * Runs something whose statements, all of this process's, are broken off at the one of that number; its error is
 * swallowed. Whether a commit that was cut during its work came through no one can tell but the database.
 * @param at counted from 1; a number beyond the last breaks nothing
 * @returns the error that came of it, if one did
 */
export async function brokenOff(
  work: () => Promise<unknown>,
  { at, how, url }: { at: number; how: Break; url: string },
): Promise<unknown> {
  const killer = new pg.Client({ connectionString: url });
  await killer.connect();
  const { query } = pg.Client.prototype;
  const send = (client: pg.Client, given: unknown[]) => Reflect.apply(query, client, given);
  const cut = (client: pg.Client) =>
    Promise.all([
      send(killer, ['select pg_terminate_backend($1::int, 5000)', [processIdOf(client)]]),
      new Promise((resolve) => client.once('end', resolve)),
    ]);
  let isCut: Promise<unknown> = Promise.resolve();
  let sent = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    sent += 1;
    if (sent !== at) return send(this, given);
    if (how === 'fails' && !isOfTransaction(given[0])) return fail(given.at(-1));
    isCut = cut(this);
    return how === 'is cut during' ? send(this, given) : isCut.then(() => send(this, given));
  };
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    pg.Client.prototype.query = query;
    // A connection that was cut too late must not meet the next test.
    await isCut;
    await killer.end();
  }
}

/** Refuses a statement as `pg` does: to a callback, as its pool gives one, else by a promise. */
function fail(callback: unknown): unknown {
  const error = new Error('The process fails.');
  if (typeof callback !== 'function') return Promise.reject(error);
  callback(error);
  return undefined;
}

/** Begin, commit and rollback are sent by the data layer; what fails there is the connection. */
function isOfTransaction(query: unknown): boolean {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query;
  return /^\s*(begin|commit|rollback)/i.test(String(text));
}

/** The number of the backend that a client talks to. */
function processIdOf(client: pg.Client): number {
  if ('processID' in client && typeof client.processID === 'number') return client.processID;
  throw new Error('A client without a backend was to be cut off.');
}
