import { z } from 'zod';
import { type Listener, listenToDatabase } from '#server/ground/publish/listen-to-database.ts';
import { LIVE_CHANNEL } from '#server/ground/publish/publish.ts';
import { LIVE_TOPICS } from '#server/ground/publish/views.ts';

const liveMessage = z.union([
  z.object({ workspaceId: z.uuid(), topic: z.enum(LIVE_TOPICS) }),
  z.object({ sessionId: z.uuid() }),
  z.object({ conversationId: z.uuid() }),
]);

/** Something changed in a workspace or a web chat's conversation, or a session has to be looked at again. */
export type LiveMessage = z.output<typeof liveMessage>;

/**
 * Hears what is published.
 * @param onListening called each time it hears again after a time in which it did not
 */
export function listen({
  onMessage,
  onListening,
}: {
  onMessage: (message: LiveMessage) => void;
  onListening: () => void;
}): Listener {
  return listenToDatabase({
    channel: LIVE_CHANNEL,
    onPayload: (payload) => {
      const read = liveMessage.safeParse(parseJson(payload));
      if (read.success) onMessage(read.data);
    },
    onListening,
  });
}

/** Anybody with the database's password can write to the channel; what is no news is passed over. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
