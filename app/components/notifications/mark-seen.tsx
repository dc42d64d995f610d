'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { showAgain } from '#app/components/live/show-again.ts';
import { markConversationRead } from '#app/components/notifications/actions.ts';
import { notificationsQuery } from '#app/components/notifications/notifications-query.ts';
import { whenIdle } from '#app/components/ui/when-idle.ts';
import { notReached } from '#app/lib/outcome.ts';

type Props = {
  conversationId: string;
  /** Changes when something new is in it, which then counts as seen. */
  newest: string | undefined;
};

/**
 * Marks a teammate's notifications of the conversation as read, while they have it before them. Only where some are unread, and
 * once the conversation is painted: then also when it was left at once.
 */
export function MarkSeen({ conversationId, newest }: Props) {
  const screens = useScreens();
  // The bell reads them; here they are only looked at.
  const { data: hasUnread = false } = useQuery({
    ...notificationsQuery(screens),
    enabled: false,
    select: ({ unread }) => unread > 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is seen again.
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

/** Lost, it is tried again with the next message. */
async function markSeen(conversationId: string): Promise<void> {
  const outcome = await markConversationRead(conversationId).catch(notReached);
  if (outcome.done && outcome.value) await showAgain('notifications');
}
