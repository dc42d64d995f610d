'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refetchTopic } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { markConversationRead } from '#app/components/notifications/actions.ts';
import { notificationsQuery } from '#app/components/notifications/notifications-query.ts';
import { whenIdle } from '#app/components/ui/when-idle.ts';
import { notReached } from '#app/lib/outcome.ts';

type Props = {
  conversationId: string;
  /** Id of the newest entry. A change counts as seen, too. */
  newest: string | undefined;
};

/**
 * Marks the conversation's notifications as read while it is visible. Runs only with unread notifications and after
 * the first paint, even if the user leaves immediately.
 */
export function MarkSeen({ conversationId, newest }: Props) {
  const screens = useScreens();
  // The bell fetches this query. This component only observes it.
  const { data: hasUnread = false } = useQuery({
    ...notificationsQuery(screens),
    enabled: false,
    // Kinds that the bell leaves out are emailed while they are unread.
    select: (view) => view.hasUnread,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new entry is seen, too
  useEffect(() => {
    if (!hasUnread) return;
    const seen = () => {
      if (document.visibilityState === 'visible') whenIdle(() => void markSeen(conversationId));
    };
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [conversationId, newest, hasUnread]);
  return null;
}

/** A lost request is retried with the next message. */
async function markSeen(conversationId: string): Promise<void> {
  const outcome = await markConversationRead(conversationId).catch(notReached);
  if (outcome.done && outcome.value) await refetchTopic('notifications');
}
