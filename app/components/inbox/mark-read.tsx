'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { markReadOptions } from '#app/components/inbox/read-state.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import type { ConversationView } from '#server/screens/inbox/views.ts';

/** Time for which a conversation must be visible before it counts as read, in ms. */
const SEEN_MS = 1_000;

/** Marks the open conversation as read once it was visible for a second, and again after each new message. */
export function MarkRead({ conversation }: { conversation: ConversationView }) {
  const { id, items, unread } = conversation;
  const newest = items.at(-1)?.id;
  const { mutate } = useMutation(markReadOptions({ queries: useQueryClient(), screens: useScreens() }));
  const mark = useEffectEvent(() => mutate(id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message is seen separately
  useEffect(() => {
    if (!unread) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(() => mark(), SEEN_MS);
    };
    watch();
    document.addEventListener('visibilitychange', watch);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', watch);
    };
  }, [id, newest, unread]);
  return null;
}
