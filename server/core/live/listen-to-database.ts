import {
  openReconnectingClient,
  type ReconnectingClient,
} from '#server/core/database/reconnecting-client.ts';
import { log } from '#server/core/log.ts';

/** `retry`: connects now instead of after the pause, because the database is back. */
export type Listener = Pick<ReconnectingClient, 'ready' | 'retry'> & { close(): void };

/**
 * Listens to a channel of PostgreSQL, on a dedicated connection that reconnects until it is closed.
 * @param onListening called each time it starts to listen, including after a reconnect
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
  const connection = openReconnectingClient({
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
