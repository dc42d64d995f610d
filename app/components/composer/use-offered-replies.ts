'use client';

import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OfferedReplies } from '#app/components/composer/create-suggest.ts';
import type { ScreensClient } from '#app/components/live/page-data.ts';
import { useScreens } from '#app/components/live/screens-provider.tsx';

const NONE: OfferedReplies = { replies: [], areOffered: false, isLoading: false, isStale: false };

function offeredQuery(screens: ScreensClient, conversationId: string, query: string) {
  return queryOptions({
    queryKey: ['saved-replies', conversationId, query] as const,
    queryFn: ({ signal }) => screens.savedReplies.offer.query({ conversationId, query }, { signal }),
  });
}

/** Returns the saved replies that match a query, filled in for a conversation. None for null. */
export function useOfferedReplies(conversationId: string | null, query: string | null): OfferedReplies {
  const isWanted = conversationId !== null && query !== null;
  const { data, isPlaceholderData, isPending } = useQuery({
    ...offeredQuery(useScreens(), conversationId ?? '', query ?? ''),
    enabled: isWanted,
    // The list would close and open again with each character.
    placeholderData: keepPreviousData,
  });
  if (!isWanted) return NONE;
  return { replies: data ?? [], areOffered: true, isLoading: isPending, isStale: isPlaceholderData };
}

/** Time for which prefetched replies are not prefetched again, in ms. */
const PREFETCH_FRESH_MS = 30_000;

/** Returns a function that fetches what a typed `/` will show first. */
export function usePrefetchReplies(conversationId: string | null): () => void {
  const queries = useQueryClient();
  const screens = useScreens();
  return () => {
    if (conversationId === null) return;
    const query = offeredQuery(screens, conversationId, '');
    void queries.prefetchQuery({ ...query, staleTime: PREFETCH_FRESH_MS });
  };
}
