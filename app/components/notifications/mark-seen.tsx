'use client';

import { useEffect } from 'react';
import { showAgain } from '#app/components/live/show-again.ts';
import { markConversationRead } from '#app/components/notifications/actions.ts';
import { notReached } from '#app/lib/outcome/outcome.ts';

type Props = {
  conversationId: string;
  /** Changes when something new is in it, which then counts as seen. */
  newest: string | undefined;
};

/** Marks a teammate's notifications of the conversation as read, while they have it before them. */
export function MarkSeen({ conversationId, newest }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is seen again.
  useEffect(() => {
    const seen = () => {
      if (document.visibilityState === 'visible') void markSeen(conversationId);
    };
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [conversationId, newest]);
  return null;
}

/** Lost, it is tried again with the next message. */
async function markSeen(conversationId: string): Promise<void> {
  const outcome = await markConversationRead(conversationId).catch(notReached);
  if (outcome.done && outcome.value) await showAgain('notifications');
}
