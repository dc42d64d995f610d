import pg from 'pg';

/**
 * Way to interrupt a change at one of its statements: the process fails before sending it, or the
 * connection is cut before or during its execution.
 */
export type Break = 'fails' | 'is cut before' | 'is cut during';

/**
 * Runs `work` and interrupts the statement with this number. Counts all statements of this process. After a
 * cut during a commit, only the database shows whether it succeeded.
 * @param at counted from 1; a number beyond the last interrupts nothing
 * @returns the error of `work`, if any
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
    // A late cut must not affect the next test.
    await isCut;
    await killer.end();
  }
}

/** Fails a statement as `pg` does: with a callback if the pool passes one, else with a promise. */
function fail(callback: unknown): unknown {
  const error = new Error('The process fails.');
  if (typeof callback !== 'function') return Promise.reject(error);
  callback(error);
  return undefined;
}

/** Returns whether the data layer's begin, commit or rollback is sent. For these, the connection fails. */
function isOfTransaction(query: unknown): boolean {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query;
  return /^\s*(begin|commit|rollback)/i.test(String(text));
}

/** Returns the process id of a client's backend. */
function processIdOf(client: pg.Client): number {
  if ('processID' in client && typeof client.processID === 'number') return client.processID;
  throw new Error('The client to cut has no backend.');
}
