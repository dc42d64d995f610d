import pg from 'pg';
import { z } from 'zod';
import { LIVE_CHANNEL } from '#server/live/announce.ts';
import { LIVE_TOPICS } from '#server/live/views.ts';
import { log } from '#server/log.ts';
import { directUrl } from '#server/pool-options.ts';

const news = z.union([
  z.object({ workspaceId: z.uuid(), topic: z.enum(LIVE_TOPICS) }),
  z.object({ sessionId: z.uuid() }),
  z.object({ conversationId: z.uuid() }),
]);

/** Something changed in a workspace or a web chat's conversation, or a session has to be looked at again. */
export type News = z.output<typeof news>;

/** How long connecting, and each answer of the database, may take, in milliseconds. */
const ANSWER_MS = 5_000;
/** How often the connection is tried out, in milliseconds: one that broke silently would never tell anything. */
const PROBE_MS = 20_000;
/** Pauses before connecting again, in milliseconds: the first, doubled each time up to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export type NewsListener = {
  /** Resolves once news is heard, or after `patienceMs` when the database does not answer. */
  ready(patienceMs: number): Promise<void>;
  close(): void;
};

/**
 * Hears what is announced, on a connection of its own that restores itself until it is closed.
 * @param onListening called each time it hears again after a time in which it did not
 */
export function listenForNews({
  onNews,
  onListening,
}: {
  onNews: (news: News) => void;
  onListening: () => void;
}): NewsListener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;
  let listening = Promise.withResolvers<void>();

  async function connect(): Promise<void> {
    const current = new pg.Client({
      connectionString: directUrl(),
      application_name: LIVE_CHANNEL,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    client = current;
    current.on('error', (error) => lose(current, error));
    current.on('end', () => lose(current));
    current.on('notification', ({ payload }) => tell(payload));
    try {
      await current.connect();
      await current.query(`listen ${LIVE_CHANNEL}`);
    } catch (error) {
      lose(current, error);
      return;
    }
    if (client !== current) return;
    if (failures > 0) log().info('live.listening_again');
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
      log().warn({ err: error }, 'live.lost');
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

  function tell(payload: string | undefined): void {
    if (closed) return;
    const read = news.safeParse(parseJson(payload));
    if (read.success) onNews(read.data);
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

/** Anybody with the database's password can write to the channel; what is no news is passed over. */
function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
