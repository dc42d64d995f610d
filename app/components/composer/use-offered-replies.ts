'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OfferedReplies } from '#app/components/composer/create-suggest.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';

const NONE: OfferedReplies = { replies: [], areOffered: false, isLoading: false, isStale: false };

/** Returns the saved replies that match a query, filled in for a conversation. None for null. */
export function useOfferedReplies(conversationId: string | null, query: string | null): OfferedReplies {
  const screens = useScreens();
  const isWanted = conversationId !== null && query !== null;
  const { data, isPlaceholderData, isPending } = useQuery({
    queryKey: ['saved-replies', conversationId, query] as const,
    queryFn: ({ signal, queryKey: [, id, text] }) =>
      screens.savedReplies.offer.query({ conversationId: id ?? '', query: text ?? '' }, { signal }),
    enabled: isWanted,
    // The list would close and open again with each character.
    placeholderData: keepPreviousData,
  });
  if (!isWanted) return NONE;
  return { replies: data ?? [], areOffered: true, isLoading: isPending, isStale: isPlaceholderData };
}
