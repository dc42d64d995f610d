import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { directUrl, KEEP_ALIVE } from '#server/core/database/pools.ts';

/** Timeout of connecting, in ms, as for the pools: it takes seconds on a busy machine. */
const CONNECT_MS = 10_000;
/** Timeout of each statement unless the caller sets another one, in ms. */
const RESPONSE_MS = 5_000;
/** Interval of probing the connection, in ms: a silently broken one would never report anything. */
const PROBE_MS = 20_000;
/**
 * Backoff before connecting again, in ms: the first pause, doubled up to the longest. After a closed session the first retry often
 * succeeds.
 */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 5_000;

export type ReconnectingClient = {
  /** Returns the client once it is connected and prepared. */
  client(): pg.Client | undefined;
  /** Resolves once it is connected, or after `patienceMs`. */
  ready(patienceMs: number): Promise<void>;
  /** Connects now instead of after the pause, and soon after an attempt in flight fails. For when the database is back. */
  retry(): void;
  /** Resolves when the connection is closed. */
  close(): Promise<void>;
};

/**
 * Opens a dedicated connection for session state, around any pooler. It reconnects until it is closed.
 * @param options `name`: its `application_name`. `prepare`: prepares each new connection, which is closed when that fails.
 *   `onConnected`: called afterwards, with whether the connection had been lost. `onLost`: called once per loss. `responseMs`: timeout
 *   of each statement.
 */
export function openReconnectingClient({
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
}): ReconnectingClient {
  /** The current connection, in any state; `connected` once it is prepared. */
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
      ...KEEP_ALIVE,
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

  /** Handles the first of several reports that the connection is lost. */
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
    // Nobody waits for this connection: its errors do not matter.
    await current.end().catch(() => undefined);
  }

  void connect();
  return {
    client: () => connected,
    // The timer keeps the process alive: those between two attempts do not.
    ready: async (patienceMs) => {
      const patience = new AbortController();
      const enough = sleep(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([connecting.promise, enough]);
      patience.abort();
    },
    retry: () => {
      if (closed || connected) return;
      // An attempt that started before the database was back may still fail, and must not cause a long pause.
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
