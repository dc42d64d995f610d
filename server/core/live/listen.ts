import { z } from 'zod';
import { type Listener, listenToDatabase } from '#server/core/live/listen-to-database.ts';
import { LIVE_TOPICS } from '#server/core/live/live-topics.ts';
import { draftChange, presence, presenceReport } from '#server/core/live/presence-messages.ts';
import { LIVE_CHANNEL } from '#server/core/live/publish.ts';
import { parseJson } from '#server/core/text.ts';

export const liveMessage = z.union([
  z.object({ workspaceId: z.uuid(), topic: z.enum(LIVE_TOPICS) }),
  z.object({ sessionId: z.uuid() }),
  z.object({ conversationId: z.uuid() }),
  z.object({ draft: draftChange }),
  z.object({ presence }),
  z.object({ presenceReport }),
  z.object({ presenceRequest: z.literal(true) }),
]);

/**
 * A change in a workspace, of a draft or in a web chat conversation, a session to check again, or what teammates have open.
 * `presenceRequest`: a server has started to listen, and all others publish the presence of their pages again.
 */
export type LiveMessage = z.output<typeof liveMessage>;

/**
 * Listens to published messages.
 * @param onListening called each time it starts to listen, including after a reconnect
 */
export function listen(handlers: {
  onMessage: (message: LiveMessage) => void;
  onListening: () => void;
}): Listener {
  return listenToDatabase({
    channel: LIVE_CHANNEL,
    onPayload: (payload) => {
      // Other programs on the database can write to the channel too.
      const read = liveMessage.safeParse(parseJson(payload));
      if (read.success) handlers.onMessage(read.data);
    },
    onListening: handlers.onListening,
  });
}
