import { type KeptConnection, keepConnection } from '#server/core/database/keep-connection.ts';
import { log } from '#server/core/log.ts';

/** `retry`: the database is back, so it need not wait out its pause. */
export type Listener = Pick<KeptConnection, 'ready' | 'retry'> & { close(): void };

/**
 * Hears what is notified on a channel of PostgreSQL, on a connection of its own that restores itself until it is
 * closed.
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
  let closed = false;
  const connection = keepConnection({
    name: channel,
    prepare: async (client) => {
      client.on('notification', ({ payload }) => closed || onPayload(payload ?? ''));
      await client.query(`listen ${channel}`);
    },
    onConnected: (wasLost) => {
      if (wasLost) log().info({ channel }, 'database.listening_again');
      onListening();
    },
    onLost: (error) => log().warn({ err: error, channel }, 'database.listening_lost'),
  });
  return {
    ready: connection.ready,
    retry: connection.retry,
    close: () => {
      closed = true;
      void connection.close();
    },
  };
}
