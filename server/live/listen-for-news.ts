import { z } from 'zod';
import { type Listener, listen } from '#server/listen.ts';
import { LIVE_CHANNEL } from '#server/live/announce.ts';
import { LIVE_TOPICS } from '#server/live/views.ts';

const news = z.union([
  z.object({ workspaceId: z.uuid(), topic: z.enum(LIVE_TOPICS) }),
  z.object({ sessionId: z.uuid() }),
  z.object({ conversationId: z.uuid() }),
]);

/** Something changed in a workspace or a web chat's conversation, or a session has to be looked at again. */
export type News = z.output<typeof news>;

/**
 * Hears what is announced.
 * @param onListening called each time it hears again after a time in which it did not
 */
export function listenForNews({
  onNews,
  onListening,
}: {
  onNews: (news: News) => void;
  onListening: () => void;
}): Listener {
  return listen({
    channel: LIVE_CHANNEL,
    onPayload: (payload) => {
      const read = news.safeParse(parseJson(payload));
      if (read.success) onNews(read.data);
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
