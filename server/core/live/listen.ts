import { z } from 'zod';
import { type Listener, listenToDatabase } from '#server/core/live/listen-to-database.ts';
import { LIVE_TOPICS } from '#server/core/live/live-topics.ts';
import { LIVE_CHANNEL } from '#server/core/live/publish.ts';

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

/** Anyone with the database's password can write to the channel; anything else is ignored. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
