import pg from 'pg';
import { log } from '#server/ground/log.ts';
import { directUrl } from '#server/ground/pool-options.ts';

/** How long connecting, and each answer of the database, may take, in milliseconds. */
const ANSWER_MS = 5_000;
/** How often the connection is tried out, in milliseconds: one that broke silently would never tell anything. */
const PROBE_MS = 20_000;
/** Pauses before connecting again, in milliseconds: the first, doubled each time up to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export type Listener = {
  /** Resolves once it hears, or after `patienceMs` when the database does not answer. */
  ready(patienceMs: number): Promise<void>;
  close(): void;
};

/**
 * Hears what is notified on a channel of PostgreSQL, on a connection of its own that restores itself until it is closed.
 * @param onListening called each time it hears again after a time in which it did not
 */
export function listenToDatabase({
  channel,
  onPayload,
  onListening,
}: {
  channel: string;
  onPayload: (payload: string) => void;
  onListening: () => void;
}): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;
  let listening = Promise.withResolvers<void>();

  async function connect(): Promise<void> {
    const current = new pg.Client({
      connectionString: directUrl(),
      application_name: channel,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    client = current;
    current.on('error', (error) => lose(current, error));
    current.on('end', () => lose(current));
    current.on('notification', ({ payload }) => closed || onPayload(payload ?? ''));
    try {
      await current.connect();
      await current.query(`listen ${channel}`);
    } catch (error) {
      lose(current, error);
      return;
    }
    if (client !== current) return;
    if (failures > 0) log().info({ channel }, 'database.listening_again');
    failures = 0;
    listening.resolve();
    onListening();
    probeLater(current);
  }

  function probeLater(current: pg.Client): void {
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => client === current && probeLater(current),
        (error: unknown) => lose(current, error),
      );
    }, PROBE_MS);
    timer.unref();
  }

  /** Of the connection's several ways to say that it is lost only the first counts. */
  function lose(current: pg.Client, error?: unknown): void {
    if (client !== current) return;
    release(current);
    if (failures === 0) {
      log().warn({ err: error, channel }, 'database.listening_lost');
      listening = Promise.withResolvers<void>();
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    timer = setTimeout(() => void connect(), pause);
    timer.unref();
  }

  function release(current: pg.Client): void {
    client = undefined;
    clearTimeout(timer);
    // What it still has to say, now that nobody asks, is no fault.
    current.end().catch(() => undefined);
  }

  void connect();
  return {
    ready: async (patienceMs) => {
      let patience: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        patience = setTimeout(resolve, patienceMs);
      });
      await Promise.race([listening.promise, enough]);
      clearTimeout(patience);
    },
    close: () => {
      closed = true;
      if (client) release(client);
      clearTimeout(timer);
    },
  };
}
