'use client';

import { useEffect } from 'react';
import { markConversationRead } from '#app/components/notifications/actions.ts';

type Props = {
  conversationId: string;
  /** What tells that something new stands in it: then it is seen anew. */
  newest: string | undefined;
};

/** Marks what a teammate was told of the conversation as read, while they have it before them. */
export function MarkSeen({ conversationId, newest }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is seen anew.
  useEffect(() => {
    const seen = () => {
      if (document.visibilityState === 'visible') void markConversationRead(conversationId);
    };
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [conversationId, newest]);
  return null;
}
