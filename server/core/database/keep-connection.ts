import pg from 'pg';
import { directUrl } from '#server/core/database/pool-options.ts';

/** Timeout of connecting, in ms, as for the pools: on a busy machine it takes seconds. */
const CONNECT_MS = 10_000;
/** Timeout of each statement unless the caller sets another one, in ms. */
const RESPONSE_MS = 5_000;
/** How often the connection is tried out, in milliseconds: one that broke silently would never report anything. */
const PROBE_MS = 20_000;
/**
 * Pauses before connecting again, in milliseconds: the first, doubled each time up to the longest. A session that was ended
 * can often be had again at once.
 */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 5_000;

export type KeptConnection = {
  /** What is connected now and has been prepared. */
  client(): pg.Client | undefined;
  /** Resolves once it is connected, or after `patienceMs` when the database does not answer. */
  ready(patienceMs: number): Promise<void>;
  /** The database is back: connects now instead of at the end of the pause, or soon when an attempt under way fails. */
  retry(): void;
  /** Resolves when the database has closed it. */
  close(): Promise<void>;
};

/**
 * Keeps a connection of its own to the database itself, for what belongs to a session, which restores itself until it is
 * closed.
 * @param options `name`: its `application_name`. `prepare`: done each time it is connected, before anyone gets it; when that
 * fails the connection is given up. `onConnected`: called afterwards, with whether it had been lost. `onLost`: called
 * once when it is lost. `responseMs`: how long the database may take to respond to a statement.
 */
export function keepConnection({
  name,
  prepare,
  onConnected = () => undefined,
  onLost = () => undefined,
  responseMs = RESPONSE_MS,
}: {
  name: string;
  prepare: (client: pg.Client) => Promise<void>;
  onConnected?: (wasLost: boolean) => void;
  onLost?: (error: unknown) => void;
  responseMs?: number;
}): KeptConnection {
  /** The connection that is being made or was made; `connected` once it has been prepared. */
  let making: pg.Client | undefined;
  let connected: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;
  let connecting = Promise.withResolvers<void>();

  async function connect(): Promise<void> {
    const current = new pg.Client({
      connectionString: directUrl(),
      application_name: name,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: responseMs,
      keepAlive: true,
    });
    making = current;
    current.on('error', (error) => lose(current, error));
    current.on('end', () => lose(current));
    try {
      await current.connect();
      await prepare(current);
    } catch (error) {
      lose(current, error);
      return;
    }
    if (making !== current) return;
    connected = current;
    const wasLost = failures > 0;
    failures = 0;
    connecting.resolve();
    onConnected(wasLost);
    probeLater(current);
  }

  function probeLater(current: pg.Client): void {
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => making === current && probeLater(current),
        (error: unknown) => lose(current, error),
      );
    }, PROBE_MS);
    timer.unref();
  }

  /** Of the connection's several ways to say that it is lost only the first counts. */
  function lose(current: pg.Client, error?: unknown): void {
    if (making !== current) return;
    void release(current);
    if (failures === 0) {
      onLost(error);
      connecting = Promise.withResolvers<void>();
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    timer = setTimeout(() => void connect(), pause);
    timer.unref();
  }

  async function release(current: pg.Client): Promise<void> {
    making = connected = undefined;
    clearTimeout(timer);
    // What it still has to say, now that no one asks, is no fault.
    await current.end().catch(() => undefined);
  }

  void connect();
  return {
    client: () => connected,
    ready: async (patienceMs) => {
      let patience: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        patience = setTimeout(resolve, patienceMs);
      });
      await Promise.race([connecting.promise, enough]);
      clearTimeout(patience);
    },
    retry: () => {
      if (closed || connected) return;
      // An attempt that began before the database was back may still fail: it is no reason to wait long.
      failures = Math.min(failures, 1);
      if (making) return;
      clearTimeout(timer);
      void connect();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      if (making) await release(making);
    },
  };
}
